"""What is to be proposed: a branch as it is, files, or what somebody writes in an editor."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from msgspec import Struct

from folkmoot.cli.changes_from_files import checked_status
from folkmoot.cli.options import pair_of
from folkmoot.cli.sending import pull_meant, title_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.clone_files import remove, write_whole
from folkmoot.core.documents import RuleDocument
from folkmoot.core.keys import LAW
from folkmoot.core.problems import Problem, ProblemError, fail
from folkmoot.files.named_files import read_file
from folkmoot.forges.cache.untrusted_objects import find_commit
from folkmoot.forges.local.letters import message_of, title_and_body
from folkmoot.game.recipes import fitted, recipe
from folkmoot.journal import GameRecord
from folkmoot.journal.commit import refuse_unfinished
from folkmoot.player.proposing import (
    EDITOR_LINE,
    TEMPLATE,
    Draft,
    Proposal,
    branch_content,
    draft_file,
    uncommitted,
    without_comments,
)
from folkmoot.player.remote_view import PullSeen, RemoteView
from folkmoot.referee.content import Content

MOST_NAMED = 5  # files that are not committed


class Wanted(Struct, frozen=True, kw_only=True):
    """What the options ask for."""

    rules: tuple[Path, ...]
    repeals: tuple[str, ...]
    transmutes: tuple[str, ...]
    amends: tuple[str, ...]
    new: bool
    recipe: str | None
    withs: tuple[Path, ...]

    @property
    def anything(self) -> bool:
        """Say whether any option names what to propose."""
        files = self.rules or self.withs
        return bool(files or self.repeals or self.transmutes or self.amends or self.new or self.recipe)


def of_branch(view: RemoteView) -> tuple[str, Content] | None:
    """Return the checked-out commit and its content; raises E-GIT where git is midway through a merge or the like."""
    if not view.repo.is_bare:
        refuse_unfinished(view.repo)
    return branch_content(view)


def own_pull(terminal: Terminal, view: RemoteView, number: int | None) -> PullSeen | None:
    """Return the pull request to update; raises E-NOT-PLAYER where it is somebody else's."""
    if number is None:
        return None
    pull = pull_meant(terminal, view, number)
    if not view.web and pull.author.id != view.person.id:
        hint = "propose your own: `moot propose`"
        raise fail("E-NOT-PLAYER", f"{title_of(pull)} is {pull.author.handle}'s, not yours", None, hint)
    return pull


def as_it_is(terminal: Terminal, view: RemoteView, head: str, content: Any, title: str) -> Proposal:
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


def from_files(
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
        draft.transmute(*checked_status(rules_of(view.record(game)), *pair_of(word, "A transmutation")))
    kept = [_edit(view, draft, f"{game}-{number}", EDITOR_LINE, draft.rule_text(number)) for number in wanted.amends]
    if wanted.new or not wanted.anything:
        kept.append(_edit(view, draft, f"{game}-new", TEMPLATE, ""))
    if wanted.recipe:
        kept += _taken(view, draft, game, wanted.recipe)
    try:
        made = draft.proposal(view, title, message)
    except ProblemError as error:
        raise ProblemError(*error.problems, *(_kept(path) for path in kept)) from None
    return made, kept


def rules_of(record: GameRecord) -> list[RuleDocument]:
    """Return the rules in force in a game."""
    metas = record.kept(LAW).get("rules") or {}
    found = [record.archive(f"rules/{uid}") for uid, meta in metas.items() if meta.get("in_force")]
    return [rule for rule in found if rule]


def _loose(file: str) -> Problem:
    hint = f"commit it, or run `moot propose --rule {file}`; `moot propose --new` writes another rule"
    return Problem("E-ARGS", f"{file} is changed in your work tree and not committed", None, hint)


def _read(path: Path) -> str:
    return read_file(path, exact=True)


def _taken(view: RemoteView, draft: Draft, game: str, name: str) -> list[Path]:
    """Take a recipe that fits the game, as the person edits it; as it is where there is no terminal for an editor."""
    found, law = recipe(name), rules_of(view.record(game))
    rule = fitted(found.rule, law)
    if not _has_terminal():
        draft.rule(rule, f"{name}.yaml")
        return []
    return [_edit(view, draft, f"{game}-{name}", EDITOR_LINE + fitted(found.head, law), rule, as_it_is=True)]


def _edit(view: RemoteView, draft: Draft, name: str, head: str, text: str, *, as_it_is: bool = False) -> Path:
    """Let the person edit a text in a file that is kept until it is proposed; returns the file.

    The lines of the `head` that are comments are taken out of what is proposed. Left as it was, it is proposed only
    where it may be `as_it_is`.
    """
    if not _has_terminal():
        files = "new rules, or changed copies of those below `state/`"
        hint = f"name files ({files}): `moot propose --rule FILE`, or run it in a terminal"
        raise fail("E-ARGS", "there is no terminal here on which an editor could open", None, hint)
    path = draft_file(view, name)
    if not path.exists():
        write_whole(path, (head + text).encode())
    _open_editor(path)
    written = _read(path)
    if (written == head + text and not as_it_is) or not written.strip():
        remove(path)
        raise fail("E-ARGS", "you left the rule as it was, so nothing is proposed", None, "run it again to try again")
    try:
        draft.rule(without_comments(written, head), str(path))
    except ProblemError as error:
        raise ProblemError(*error.problems, _kept(path)) from None
    return path


def _has_terminal() -> bool:
    """Say whether there is a terminal: without one nobody would see an editor."""
    return sys.stdin is not None and sys.stdin.isatty()


def _open_editor(path: Path) -> None:
    """Open the person's editor on a file; raises E-ARGS where it fails."""
    try:
        click.edit(filename=str(path))
    except (click.ClickException, ValueError) as error:  # of a quotation mark that is not closed in EDITOR
        hint = f"set EDITOR to one that is there; what you wrote is kept: `moot propose --rule {path}`"
        why = error.message if isinstance(error, click.ClickException) else str(error)
        raise fail("E-ARGS", f"your editor failed: {why}", None, hint) from None


def _kept(path: Path) -> Problem:
    hint = f"run it again to go on, or `moot propose --rule {path}`"
    return Problem("E-ARGS", f"nothing was sent; your text is kept in {path}", None, hint)
