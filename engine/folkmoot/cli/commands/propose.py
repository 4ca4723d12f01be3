"""`moot propose`: open a pull request with rule-changes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from folkmoot.cli.changes import as_given
from folkmoot.cli.options import FILE, game_name_option, json_option, pair_of, pull_number
from folkmoot.cli.pull_requests import Sent, open_pull, push_pull
from folkmoot.cli.repositories import remote_option
from folkmoot.cli.sending import next_step, played_game, remote_view_of, send, title_of, warn_stranger
from folkmoot.cli.terminal import Exit, Terminal
from folkmoot.core.problems import Problem, ProblemError, fail
from folkmoot.core.proposal_numbers import called
from folkmoot.core.whole_files import write_whole
from folkmoot.files.read_text import read_file
from folkmoot.forges.cache.trees import find_commit
from folkmoot.forges.local import Letter
from folkmoot.forges.local.messages import message_of, title_and_body
from folkmoot.game.session import Session
from folkmoot.game.status import revising
from folkmoot.journal.git_locks import refuse_unfinished
from folkmoot.kernel.taking import taking_in
from folkmoot.player.proposing import (
    EDITOR_LINE,
    TEMPLATE,
    Draft,
    Proposal,
    branch_content,
    checked,
    described,
    draft_file,
    uncommitted,
    without_template,
)
from folkmoot.player.remote_view import PullSeen, RemoteView
from folkmoot.player.voting import game_of, proposal_of
from folkmoot.referee.content import Content
from folkmoot.referee.preview import checked as checked_scripts

MOST_NAMED = 5  # files that are not committed


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the options ask for."""

    rules: tuple[Path, ...]
    repeals: tuple[str, ...]
    transmutes: tuple[str, ...]
    amends: tuple[str, ...]
    new: bool
    withs: tuple[Path, ...]

    @property
    def anything(self) -> bool:
        """Say whether any option names what to propose."""
        return bool(self.rules or self.repeals or self.transmutes or self.amends or self.new or self.withs)


@click.command("propose")
@click.option("-t", "--title", default="", help="What the pull request is called.  [default: made from its changes]")
@click.option("-m", "--message", default="", metavar="TEXT", help="Why: the pull request's description.")
@click.option("-r", "--rule", "rules", multiple=True, type=FILE, metavar="FILE",
              help="A rule file: a new rule, or a changed copy of one in force.")  # fmt: skip
@click.option("--repeal", "repeals", multiple=True, metavar="NUMBER", help="A rule to repeal.")
@click.option("--transmute", "transmutes", multiple=True, metavar="NUMBER=STATUS", help="A rule to transmute.")
@click.option("--amend", "amends", multiple=True, metavar="NUMBER", help="A rule to change in your editor.")
@click.option("--new", is_flag=True, help="Write a new rule in your editor.")
@click.option("--with", "withs", multiple=True, type=FILE, metavar="FILE",
              help="An action file with a request that travels with the proposal.")  # fmt: skip
@click.option("--do", "action", default="", metavar="ACTION",
              help="The action that takes it in.  [default: as the law says]")  # fmt: skip
@click.option("-u", "--update", type=pull_number, metavar="PULL", help="Push it to your pull request PULL instead.")
@click.option("--anyway", is_flag=True, help="Send it although scripts or examples fail.")
@click.option("-n", "--dry-run", is_flag=True, help="Say what would be sent, and send nothing.")
@game_name_option
@remote_option
@json_option
@click.pass_obj
def command(
    terminal: Terminal, /, game: str | None, remote: str | None, title: str, message: str, update: int | None,
    anyway: bool, dry_run: bool, **given: Any,
) -> int:  # fmt: skip
    """Open a pull request with rule-changes, made of rule files, of your branch, or of what you write in an editor.

    Without options that name changes, your checked-out branch is proposed as it is if it has commits that change
    rules; else your editor opens on a new rule. Neither work tree nor index is touched.

    \b
      moot propose                         your branch, or a new rule in your editor
      moot propose --rule tea.yaml         a file
      moot propose --amend 206             rule 206 in your editor
      moot propose --repeal 206 --title "No more penalties"
      moot propose --update 7 --rule tea.yaml
    """  # noqa: D301 (the mark keeps lines apart in the help)
    action = given.pop("action")
    message = f"{message}\n\n/do {action}".strip() if action else message
    wanted = Wanted(**given)
    view = remote_view_of(terminal, remote).look()
    if game is not None:
        played_game(view, game)  # told where it is wrong, whatever else says which game is meant
    pull = _own_pull(view, update)
    found = _of_branch(view) if not wanted.anything else None
    kept: list[Path] = []
    if found is not None:
        made = _as_it_is(terminal, view, found[0], checked(found[1]), title)
    else:
        made, kept = _from_files(terminal, view, played_game(view, game), wanted, title, message)
    changes = _tell_changes(terminal, view, made)
    problems = _checked(view, made, wanted.rules, action.partition(" ")[0])
    if not terminal.json:
        terminal.problems(problems)
    flaws = [problem for problem in problems if problem.code.startswith("E-")]
    changes["problems"] = [problem.as_record() for problem in problems]
    if dry_run or (flaws and not anyway):
        terminal.record({"sent": False, "pull": update, **changes})
        _tell_unsent(terminal, flaws, kept)
        return Exit.PROBLEMS if flaws else Exit.OK
    sent = _push(view, pull, made) if pull else open_pull(view, made, title, message)
    for path in kept:
        path.unlink(missing_ok=True)
    if sent.pull is not None and not sent.branch and (found is not None or pull):
        _describe(view, sent.pull, title, message)
    terminal.record({"sent": True, **sent.record, **changes})
    _tell_next(terminal, view, made, sent, updated=pull is not None)
    return Exit.OK


def _of_branch(view: RemoteView) -> tuple[str, Content] | None:
    """Return the checked-out commit and its content; raises E-GIT where git is midway through a merge or the like."""
    if not view.repo.is_bare:
        refuse_unfinished(view.repo)
    return branch_content(view)


def _own_pull(view: RemoteView, number: int | None) -> PullSeen | None:
    """Return the pull request to update; raises E-NOT-PLAYER where it is somebody else's."""
    if number is None:
        return None
    pull = view.wanted(number)
    if not view.web and pull.author.id != view.person.id:
        hint = "propose your own: `moot propose`"
        raise fail("E-NOT-PLAYER", f"{title_of(pull)} is {pull.author.handle}'s, not yours", None, hint)
    return pull


def _as_it_is(terminal: Terminal, view: RemoteView, head: str, content: Any, title: str) -> Proposal:
    """Return the checked-out commit as a proposal."""
    commit = find_commit(view.repo, head)
    assert commit is not None
    author = (commit.author.email or "").lower()
    if author != view.person.id and not view.web:
        terminal.note(
            f"Mind: the last commit is by {author}, whose pull request this will be; you are {view.person.id}."
        )
    _point_out(terminal, uncommitted(view))
    return Proposal(commit=head, title=title or title_and_body(message_of(commit))[0], content=content)


def _point_out(terminal: Terminal, files: Sequence[str]) -> None:
    for file in files[:MOST_NAMED]:
        terminal.note(f"Left out of the proposal, because it is not committed: {file}")
    if len(files) > MOST_NAMED:
        terminal.note(f"… and {len(files) - MOST_NAMED} more; `git status` lists them.")


def _from_files(
    terminal: Terminal, view: RemoteView, game: str, wanted: Wanted, title: str, message: str
) -> tuple[Proposal, list[Path]]:
    """Return a proposal of what was given, and drafts to throw away once it is sent; opens an editor where it must."""
    loose = uncommitted(view)
    if not wanted.anything and loose:
        raise ProblemError(*(_loose(file) for file in loose[:MOST_NAMED]))
    given = {path.resolve() for path in (*wanted.rules, *wanted.withs)}
    _point_out(terminal, [file for file in loose if Path(view.folder, file) not in given])
    draft = Draft(view.record(game))
    for path in wanted.rules:
        draft.rule(_read(path), str(path))
    for path in wanted.withs:
        draft.act(_read(path), str(path))
    for number in wanted.repeals:
        draft.repeal(number)
    for word in wanted.transmutes:
        draft.transmute(*checked_status(view, game, *pair_of(word, "A transmutation")))
    kept = [_edit(view, draft, f"{game}-{number}", draft.rule_text(number)) for number in wanted.amends]
    if wanted.new or not wanted.anything:
        kept.append(_edit(view, draft, f"{game}-new", TEMPLATE))
    try:
        made = draft.proposal(view, title, message)
    except ProblemError as error:
        raise ProblemError(*error.problems, *(_kept(path) for path in kept)) from None
    return made, kept


def checked_status(view: RemoteView, game: str, number: str, status: str) -> tuple[str, str]:
    """Return a transmutation to a status that some rule of the game has; raises E-ARGS for any other word."""
    record = view.record(game)
    metas = (record.archive("law") or {}).get("rules") or {}
    rules = [record.archive(f"rules/{uid}") or {} for uid, meta in metas.items() if meta.get("in_force")]
    known = sorted({str((rule.get("labels") or {}).get("status")) for rule in rules} - {"None"})
    if status in known or not known:
        return number, status
    near = get_close_matches(status, known, 1)
    hint = (
        f"did you mean `--transmute {number}={near[0]}`?" if near else "a new status comes by a rule's file: `--amend`"
    )
    raise fail("E-ARGS", f"no rule here has the status {status!r}; they are {' or '.join(known)}", None, hint)


def _loose(file: str) -> Problem:
    hint = f"commit it, or run `moot propose --rule {file}`; `moot propose --new` writes another rule"
    return Problem("E-ARGS", f"{file} is changed in your work tree and not committed", None, hint)


def _read(path: Path) -> str:
    return read_file(path, exact=True)


def _edit(view: RemoteView, draft: Draft, name: str, text: str) -> Path:
    """Let the person edit a text in a file that is kept until it is proposed; returns the file."""
    path = draft_file(view, name)
    text = text if text == TEMPLATE else EDITOR_LINE + text
    if not path.exists():
        write_whole(path, text.encode())
    _open_editor(path)
    written = _read(path)
    if written == text or not written.strip():
        path.unlink()
        raise fail("E-ARGS", "you left the rule as it was, so nothing is proposed", None, "run it again to try again")
    try:
        draft.rule(without_template(written) if text == TEMPLATE else written.removeprefix(EDITOR_LINE), str(path))
    except ProblemError as error:
        raise ProblemError(*error.problems, _kept(path)) from None
    return path


def _open_editor(path: Path) -> None:
    """Open the person's editor on a file; raises E-ARGS where there is neither one that is named nor a terminal."""
    named = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not named and not (sys.stdin is not None and sys.stdin.isatty()):
        path.unlink()
        hint = "name files of rules: `moot propose --rule FILE`, or set EDITOR"
        raise fail("E-ARGS", "there is no terminal here on which an editor could open", None, hint)
    try:
        click.edit(filename=str(path))
    except click.ClickException as error:
        hint = f"set EDITOR to one that is there; what you wrote is kept: `moot propose --rule {path}`"
        raise fail("E-ARGS", f"your editor failed: {error.message}", None, hint) from None


def _kept(path: Path) -> Problem:
    hint = f"run it again to go on, or `moot propose --rule {path}`"
    return Problem("E-ARGS", f"nothing was sent; your text is kept in {path}", None, hint)


# -- trying it first


def _checked(view: RemoteView, made: Proposal, files: Sequence[Path], action: str) -> list[Problem]:
    """Return what is wrong with a proposal's scripts and examples, checked on the law as it is, in the sandbox."""
    found: list[Problem] = []
    for content in as_given(view.repo, made.commit, made.content, files).games:
        if content.changes:
            with view.session(content.game) as session:
                found += _unknown(action, session)
                found += checked_scripts(session.sandbox, session, content)
    return found


def _unknown(action: str, session: Session) -> list[Problem]:
    """Return what is wrong with the action that is to take rule-changes in, if anything is."""
    able = taking_in(session.declared("actions"))
    if not action or action in able:
        return []
    hint = f"there are {', '.join(able)}" if able else "no rule in force takes in rule-changes"
    return [Problem("E-NO-SUCH", f"no action {action} takes rule-changes", None, hint)]


def _tell_unsent(terminal: Terminal, flaws: Sequence[Problem], kept: Sequence[Path]) -> None:
    """Say that nothing was sent, why not, and where what was written in an editor is kept."""
    for path in kept:
        terminal.note(f"Your text is kept in {path}.")
    if not flaws:
        terminal.say("Nothing was sent.")
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


def _tell_next(terminal: Terminal, view: RemoteView, made: Proposal, sent: Sent, *, updated: bool) -> None:
    local = updated and not sent.branch
    terminal.say(f"Pushed to pull request {sent.pull}." if local else f"{sent.sentences}{_counts(sent)}.")
    for content in made.content.games:
        warn_stranger(terminal, view, content.game)
    if sent.address:
        return
    terminal.say(next_step(view))
    if updated:
        terminal.say(_of_update(view, sent.pull or 0))
    else:
        number = sent.pull
        terminal.say(f"Next: `moot preview {number}` shows what it would do.")
        terminal.say(
            "`moot status` says what opens the vote, and by which words you vote where your ballot is missing."
        )


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
