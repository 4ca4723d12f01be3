"""Proposing from a clone: a draft is checked and tried on the law as it is, then sent as a pull request."""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from folkmoot.cli.acting import act_of, check_action
from folkmoot.cli.changes_from_files import as_given
from folkmoot.cli.drafting import Wanted, as_it_is, from_files, of_branch, own_pull
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.saying import How, Statement, Trial, say
from folkmoot.cli.sending import played_game, player_here, remote_view_of
from folkmoot.cli.terminal import Terminal
from folkmoot.cli.voting import checked_choice
from folkmoot.core.clone_files import remove
from folkmoot.core.problems import Problem
from folkmoot.core.proposal_numbers import called
from folkmoot.core.sealed_data import without_boxes
from folkmoot.core.values import in_a_row
from folkmoot.forges.local.letters import Letter
from folkmoot.game.recipes import names as recipe_names
from folkmoot.game.recipes import recipe
from folkmoot.game.session import Session
from folkmoot.game.status import revising
from folkmoot.kernel.act_declarations import taking_in
from folkmoot.kernel.ballot_words import CHOICES
from folkmoot.player.comment_lines import act_line
from folkmoot.player.dry_run import FORGES, NEW
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
    branch = of_branch(view) if not wanted.anything else None
    drafts: list[Path] = []
    if branch is not None:
        made = as_it_is(terminal, view, branch[0], checked(branch[1]), said.title)
    else:
        made, drafts = from_files(terminal, view, played_game(view, game), wanted, said.title, said.body)
    statement = Statement(made=made, pull=pull, title=said.title, body=said.body)
    changes = {"pull": pull.number if pull else None, **_tell_changes(terminal, view, made)}
    with ExitStack() as games:
        contents = as_given(view.repo, made.commit, made.content, wanted.rules).games
        sessions = [games.enter_context(view.session(content.game)) for content in contents]
        problems = [
            problem
            for session, content in zip(sessions, contents, strict=True) if content.changes
            for problem in _problems(terminal, session, content, said.action.partition(" ")[0])
        ]  # fmt: skip
        changes["problems"] = [problem.as_record() for problem in problems]
        flaws = [problem for problem in problems if problem.code.startswith(FLAWED)]
        if flaws and not said.anyway:
            terminal.record({**changes, "tried": False, "sent": False})
            _tell_unsent(terminal, flaws, drafts)
            return Exit.PROBLEMS
        content = statement.content(view)
        assert content is not None
        letters = _letters(view, sessions[0], said, content)
        sentences = [f"Sent to it: {_shown(letter)}" for letter in letters]
        if (branch is not None or pull) and (said.title or said.message) and not view.web:
            letters.insert(0, _description(statement, said))
        statement = replace(statement, letters=letters, record=changes, sentences=sentences)
        trial = say(terminal, view, sessions, statement, said)
    if not trial.sends:
        _tell_unsent(terminal, [], drafts)
        return Exit.PROBLEMS if flaws else trial.code
    for path in drafts:
        remove(path)
    if trial.pull and not said.wait:
        _tell_next(terminal, view, trial, updated=pull is not None, voted=bool(said.vote))
    return trial.code


def _check_possible(view: RemoteView, said: Said) -> None:
    """Raise a usage error for what cannot be done before its author has opened the pull request on the web."""
    if said.then or said.vote:
        place = FORGES.get(view.web, view.web)
        raise click.UsageError(f"The game is played on {place}: act and vote there, when the pull request is open.")
    if said.wait:
        raise click.UsageError(
            "There you open the pull request yourself: `moot status --wait answer` waits afterwards."
        )


def tell_recipes(terminal: Terminal) -> int:
    """List the rules that a proposal may begin with."""
    found = [recipe(name) for name in recipe_names()]
    terminal.record({"recipes": [{"name": each.name, "summary": each.summary} for each in found]})
    terminal.table(("Recipe", "What it is for"), [(each.name, each.summary) for each in found])
    terminal.say("Next: `moot propose --from RECIPE` opens one in your editor.")
    return Exit.OK


# -- trying it first


def _problems(terminal: Terminal, session: Session, content: GameContent, action: str) -> list[Problem]:
    """Tell what is wrong with the changes of a proposal in a game, and what breaks later; returns all of it."""
    found = [*_unknown(action, session), *checked_scripts(session.sandbox, session, content)]
    foreseen = session.sandbox.foresee(list(content.changes), max(int(time.time()), session.at))
    if not terminal.json:
        terminal.problems(found)
    _tell_dangers(terminal, foreseen["later"], found)
    return found + ([Problem(BREAKS, danger) for danger in foreseen["later"]] if foreseen["breaks"] else [])


def _tell_dangers(terminal: Terminal, dangers: Sequence[str], problems: Sequence[Problem]) -> None:
    told = [problem.message for problem in problems]  # with the place
    for danger in dangers if not terminal.json else ():
        if danger not in told:
            terminal.note(click.style(f"Beware of later: {danger}.", fg="yellow"))


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


def _description(statement: Statement, said: Said) -> Letter:
    """Return the letter that renames or describes a pull request whose commit does not say so itself."""
    assert statement.made is not None
    title = said.title or (statement.pull or statement.made).title
    number = statement.pull.number if statement.pull else NEW
    return Letter(pull=number, kind="describe", body=f"{title}\n\n{said.body}".strip())


def _shown(letter: Letter) -> str:
    return without_boxes(letter.body) if letter.kind == "comment" else letter.kind.replace("_", " ")


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


def _tell_next(terminal: Terminal, view: RemoteView, trial: Trial, *, updated: bool, voted: bool) -> None:
    """Say what may be done next about a pull request; of a vote only where there may be one."""
    if updated:
        terminal.say(_of_update(view, trial.pull))
        return
    terminal.say(f"Next: `moot try {trial.pull}` shows what it would do.")
    if voted or trial.refused:
        return
    if trial.opens:
        terminal.say(f"It is open to votes then: `moot vote {trial.pull} CHOICE`.")
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
