"""Proposing from a clone: a draft is checked and tried on the law as it is, then sent as a pull request."""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from folkmoot.cli.acting import act_of, check_action
from folkmoot.cli.changes_from_files import as_given
from folkmoot.cli.drafting import Wanted, as_it_is, from_files, of_branch, own_pull
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.pull_requests import Sent, open_pull, push_pull
from folkmoot.cli.saying import How, Tried, tried
from folkmoot.cli.sending import played_game, player_here, remote_view_of, send, title_of, warn_stranger
from folkmoot.cli.terminal import Terminal
from folkmoot.cli.voting import checked_choice
from folkmoot.cli.waiting import told_or_awaited
from folkmoot.core.clone_files import remove
from folkmoot.core.problems import Problem, fail
from folkmoot.core.proposal_numbers import called
from folkmoot.core.sealed_data import without_boxes
from folkmoot.core.values import in_a_row
from folkmoot.forges.local.messages import Letter
from folkmoot.game.session import Session
from folkmoot.game.status import revising
from folkmoot.kernel.act_declarations import taking_in
from folkmoot.kernel.ballot_words import CHOICES
from folkmoot.player.comment_lines import act_line
from folkmoot.player.dry_run import FORGES, opening
from folkmoot.player.proposing import Draft, Proposal, checked, described
from folkmoot.player.remote_view import PullSeen, RemoteView
from folkmoot.player.sealing import require_open_ballots, seal_arguments
from folkmoot.player.voting import ballot_on, game_of, proposal_of
from folkmoot.referee.content import GameContent
from folkmoot.referee.preview import checked as checked_scripts

NO_SUCH = "E-NO-SUCH"
BREAKS = "E-SCRIPT"
"""Code of what breaks once it is law and time has passed."""
FLAWED = "E-"
"""How codes begin of what is wrong, not only to be minded."""


class Said(How, frozen=True, kw_only=True):
    """What is said with a proposal: title and description, the `action` that takes it in, and what is done `then`.

    `update` is the pull request that it is pushed to, `vote` the words of a ballot on it.
    """

    title: str = ""
    message: str = ""
    action: str = ""
    then: tuple[str, ...] = ()
    vote: str = ""
    update: int | None = None

    @property
    def body(self) -> str:
        """Return the description of the pull request."""
        return f"{self.message}\n\n/do {self.action}".strip() if self.action else self.message


def propose(terminal: Terminal, remote: str | None, game: str | None, wanted: Wanted, said: Said) -> int:
    """Propose what is wanted, unless it would not work as law, or would be refused."""
    view = remote_view_of(terminal, remote).look()
    if game is not None:
        played_game(view, game)  # told where it is wrong, whatever else says which game is meant
    if view.web:
        _check_possible(view, said)
    pull = own_pull(terminal, view, said.update)
    found = of_branch(view) if not wanted.anything else None
    kept: list[Path] = []
    if found is not None:
        made = as_it_is(terminal, view, found[0], checked(found[1]), said.title)
    else:
        made, kept = from_files(terminal, view, played_game(view, game), wanted, said.title, said.body)
    seen = replace(pull, head=made.commit, observed=False) if pull else opening(view, made, said.body)
    done = _tell_changes(terminal, view, made)
    problems, trial, letters = _checked(terminal, view, made, wanted.rules, said, seen)
    done |= {"problems": [problem.as_record() for problem in problems], **trial.record}
    flaws = [problem for problem in problems if problem.code.startswith(FLAWED)]
    if not trial.sends:
        terminal.record({"pull": pull.number if pull else None, **done})
        _tell_unsent(terminal, flaws, kept)
        return Exit.PROBLEMS if flaws else trial.code
    sent = _push(view, pull, made) if pull else open_pull(view, made, said.title, said.body)
    for path in kept:
        remove(path)
    if sent.pull is not None and not sent.branch:
        if found is not None or pull:
            _describe(view, sent.pull, said.title, said.body)
        done["letters"] = [send(view, replace(letter, pull=sent.pull)) for letter in letters]
    _tell_sent(terminal, view, made, sent, letters, updated=pull is not None, tried=trial.record["tried"])
    done = {**sent.record, **done}
    if sent.address:
        terminal.record(done)
        return Exit.OK
    code = told_or_awaited(terminal, view, done, _awaited(made, sent, done.get("letters", ())), said)
    if not said.wait:
        _tell_next(terminal, view, sent.pull or 0, trial, updated=pull is not None, voted=bool(said.vote))
    return code


def _check_possible(view: RemoteView, said: Said) -> None:
    """Raise a usage error for what cannot be done before its author has opened the pull request on the web."""
    if said.then or said.vote:
        place = FORGES.get(view.web, view.web)
        raise click.UsageError(f"The game is played on {place}: act and vote there, when the pull request is open.")
    if said.wait:
        raise click.UsageError(
            "There you open the pull request yourself: `moot status --wait answer` waits afterwards."
        )


def _awaited(made: Proposal, sent: Sent, letters: Sequence[str]) -> list[tuple[str, str, int]]:
    """Return what is to be answered: in each game the content, and what was said on it."""
    games, pull = [content.game for content in made.content.games], sent.pull or 0
    return [(game, made.commit, pull) for game in games] + [(games[0], letter, pull) for letter in letters]


# -- trying it first


def _checked(
    terminal: Terminal, view: RemoteView, made: Proposal, files: Sequence[Path], said: Said, seen: PullSeen
) -> tuple[list[Problem], Tried, list[Letter]]:
    """Check a proposal's scripts and examples on the law as it is, then try it and what is sent with it.

    Returns what is wrong with it, whether it is sent, and what is sent after it.
    """
    found: list[Problem] = []
    letters: list[Letter] = []
    trials = [Tried(sends=not said.dry_run, code=Exit.OK, record={"tried": False, "sent": not said.dry_run})]
    for content in as_given(view.repo, made.commit, made.content, files).games:
        with view.session(content.game) as session:
            problems = _flaws(session, content, said.action.partition(" ")[0]) if content.changes else []
            if not terminal.json:
                terminal.problems(problems)
            if content.changes:
                foreseen = session.sandbox.foresee(list(content.changes), max(int(time.time()), session.at))
                _tell_dangers(terminal, foreseen["later"], problems)
                problems += [Problem(BREAKS, danger) for danger in foreseen["later"]] if foreseen["breaks"] else []
            found += problems
            letters = letters or _letters(view, session, said, seen)
            if said.anyway or not any(problem.code.startswith(FLAWED) for problem in problems):
                trials.append(tried(terminal, view, session, letters, seen, said))
    flawed = not said.anyway and any(problem.code.startswith(FLAWED) for problem in found)
    worst = max(trials, key=lambda trial: (not trial.sends, trial.code, trial.record["tried"]))
    return found, replace(worst, sends=False, record={**worst.record, "sent": False}) if flawed else worst, letters


def _tell_dangers(terminal: Terminal, dangers: Sequence[str], problems: Sequence[Problem]) -> None:
    told = [problem.message for problem in problems]  # with the place
    for danger in dangers if not terminal.json else ():
        if danger not in told:
            terminal.note(click.style(f"Beware of later: {danger}.", fg="yellow"))


def _flaws(session: Session, content: GameContent, action: str) -> list[Problem]:
    """Return what is wrong with the changes of a proposal in one game."""
    return [*_unknown(action, session), *checked_scripts(session.sandbox, session, content)]


def _letters(view: RemoteView, session: Session, said: Said, seen: PullSeen) -> list[Letter]:
    """Return what is said on a pull request after its content: what is done then, and the author's vote."""
    letters = []
    for words in said.then:
        do, *rest = shlex.split(words) or [""]
        check_action(session, do)
        act = act_of(session, do, (*rest,))
        me = player_here(view, session.record.name) or view.person.id
        line = act_line(do, seal_arguments(session, me, do, act["with"]), None, session.actions())
        letters.append(Letter(pull=seen.number, kind="comment", body=line))
    if said.vote:
        require_open_ballots(session, None)
        typed = checked_choice(shlex.split(said.vote), CHOICES)
        letters.append(ballot_on(view, seen, typed.choice, typed.reason, CHOICES).letter)
    return letters


def _unknown(action: str, session: Session) -> list[Problem]:
    """Return what is wrong with the action that is to take rule-changes in, if anything is."""
    able = taking_in(session.declared("actions"))
    if not action or action in able:
        return []
    hint = f"there are {in_a_row(able)}" if able else "no rule in force takes in rule-changes"
    return [Problem(NO_SUCH, f"no action {action} takes rule-changes", None, hint)]


def _tell_unsent(terminal: Terminal, flaws: Sequence[Problem], kept: Sequence[Path]) -> None:
    """Say that nothing was sent, why not, and where what was written in an editor is kept."""
    for path in kept:
        terminal.note(f"Your text is kept in {path}.")
    if not flaws:
        return
    if any(problem.code == NO_SUCH for problem in flaws):
        terminal.note("Nothing was sent.")
        return
    terminal.note("Nothing was sent: these rules would not work as they are. Mend them, then run it again.")
    terminal.note("`--anyway` sends it all the same; what does not load is law then, and does nothing.")


# -- sending


def _push(view: RemoteView, pull: PullSeen, made: Proposal) -> Sent:
    sent = push_pull(view, pull, made)
    if sent is None:
        raise fail("E-MOVED", f"{title_of(pull)} was moved on meanwhile", None, "look at it, then run this again")
    return sent


def _describe(view: RemoteView, number: int, title: str, message: str) -> None:
    """Rename or describe a pull request whose commit does not say so itself."""
    if not title and not message:
        return
    pull = view.pull(number)
    body = f"{title or (pull.title if pull else '')}\n\n{message}".strip()
    send(view, Letter(pull=number, kind="describe", body=body))


def _tell_changes(terminal: Terminal, view: RemoteView, made: Proposal) -> dict[str, Any]:
    """Say what a proposal does, and return it for programs."""
    games = []
    terminal.heading(made.title)
    for content in made.content.games:
        numbers = Draft(view.record(content.game)).number
        lines = described(content.changes, numbers)
        lines += [f"Act: {act.do}" + (f" as {act.as_}" if act.as_ else "") for act in content.acts]
        for line in lines:
            terminal.say(f"  {line}")
        for uid in content.stale:
            terminal.note(f"Mind: rule {numbers(uid)} has changed since your branch left the game's.")
        games.append({"game": content.game, "does": lines, "digest": content.digest, "stale": list(content.stale)})
    return {"title": made.title, "head": made.commit, "base": made.content.base, "games": games}


def _tell_sent(
    terminal: Terminal, view: RemoteView, made: Proposal, sent: Sent, letters: Sequence[Letter], *, updated: bool,
    tried: bool,
) -> None:  # fmt: skip
    local = updated and not sent.branch
    terminal.say(f"Pushed to pull request {sent.pull}." if local else f"{sent.sentences}{_counts(sent)}.")
    for letter in letters:
        terminal.say(
            f"Sent to it: {without_boxes(letter.body) if letter.kind == 'comment' else letter.kind.replace('_', ' ')}"
        )
    for content in made.content.games if not tried else ():
        warn_stranger(terminal, view, content.game)


def _tell_next(
    terminal: Terminal, view: RemoteView, number: int, trial: Tried, *, updated: bool, voted: bool
) -> None:  # fmt: skip
    """Say what may be done next about a pull request; of a vote only where there may be one."""
    if updated:
        terminal.say(_of_update(view, number))
        return
    terminal.say(f"Next: `moot try {number}` shows what it would do.")
    if voted or trial.code == Exit.REFUSED:
        return
    if trial.opens:
        terminal.say(f"It is open to votes then: `moot vote {number} CHOICE`.")
        return
    terminal.say("`moot status` says what opens the vote, and by which words you vote where your ballot is missing.")


def _of_update(view: RemoteView, number: int) -> str:
    """Return what comes of new content of a pull request: that is for the proposal which it was before, and the law."""
    proposal = proposal_of(view, number)
    if proposal is None:
        return "Nothing of it was recorded before: the new content is proposed as if you had just opened it."
    named = called(proposal).capitalize()
    if proposal["outcome"]:
        again = f"`moot comment --on {number} /propose`"
        return f"{named} is {proposal['outcome']} already; {again} proposes the new content anew."
    game = game_of(view, proposal["id"], proposal)
    final = ""
    if proposal["state"] == "pending" and game:
        with view.session(game) as session:
            final = revising(session.actions())
    if final:
        take = f"`moot act {final} --on {number}`: that takes this content"
        return f"{named} stays as it was submitted until you say {take}."
    return f"{named} is voted on as it was submitted; this content is not, unless it says the same."


def _counts(sent: Sent) -> str:
    return " counts from then on" if sent.address else ""
