"""`moot propose`: a branch, files or what an editor wrote is tried on the law, then sent as a pull request."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from folkmoot.cli.acting import as_given, checked_status, tell_recipes
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.options import pair_of
from folkmoot.cli.saying import How, Statement, say
from folkmoot.cli.sending import own_pull, played_game, player_here, remote_view_of
from folkmoot.cli.terminal import Terminal
from folkmoot.cli.voting import checked_choice
from folkmoot.core.clone_files import remove, write_whole
from folkmoot.core.documents import RuleDocument
from folkmoot.core.keys import LAW
from folkmoot.core.problems import Problem, ProblemError, fail
from folkmoot.core.values import in_a_row
from folkmoot.files.named_files import read_file
from folkmoot.forges.cache.untrusted_objects import find_commit
from folkmoot.forges.local.letters import Letter, message_of, title_and_body
from folkmoot.game.recipes import fitted, recipe
from folkmoot.game.session import Session
from folkmoot.journal import GameRecord
from folkmoot.journal.commit import refuse_unfinished
from folkmoot.kernel.ballot_words import CHOICES
from folkmoot.player.dry_run import FORGES, NEW
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
    without_comments,
)
from folkmoot.player.remote_view import RemoteView
from folkmoot.player.sealing import require_open_ballots, seal_arguments
from folkmoot.player.voting import ballot_on
from folkmoot.referee.content import GameContent
from folkmoot.referee.preview import check_changes

BREAKS = "E-SCRIPT"
"""Code of what breaks once it is law and time has passed."""
FLAWED = "E-"
"""How codes begin of what is wrong, not only to be minded."""


class Said(How, frozen=True, kw_only=True):
    """What is proposed, of which files or by which options, and what is said with it.

    That is title and description, the `action` that takes it in, and the words of a `vote` on it; `update` is the pull
    request that it is pushed to.
    """

    rules: tuple[Path, ...] = ()
    repeals: tuple[str, ...] = ()
    transmutes: tuple[str, ...] = ()
    amends: tuple[str, ...] = ()
    new: bool = False
    recipe: str | None = None
    withs: tuple[Path, ...] = ()
    title: str = ""
    message: str = ""
    action: str = ""
    vote: str = ""
    update: int | None = None

    @property
    def anything(self) -> bool:
        """Say whether any option names what to propose."""
        files = self.rules or self.withs
        return bool(files or self.repeals or self.transmutes or self.amends or self.new or self.recipe)

    @property
    def body(self) -> str:
        """Return the description of the pull request."""
        return f"{self.message}\n\n/do {self.action}".strip() if self.action else self.message


def run_propose(terminal: Terminal, /, game: str | None, remote: str | None, **given: Any) -> int:
    """Propose what the options name; without a recipe after `--from`, list those."""
    if given["recipe"] == "":
        return tell_recipes(terminal)
    return propose(terminal, remote, game, Said(**given))


def propose(terminal: Terminal, remote: str | None, game: str | None, said: Said) -> int:
    """Propose what is wanted, unless it would not work as law, or would be refused."""
    view = remote_view_of(terminal, remote).look()
    if game is not None:
        played_game(view, game)  # told where it is wrong, whatever else says which game is meant
    if view.web and (said.vote or said.wait):
        place = FORGES.get(view.web, view.web)
        raise click.UsageError(f"On {place} you open the pull request first, then vote, or `moot status --wait`.")
    pull = own_pull(view, said.update, "propose your own: `moot propose`") if said.update else None
    made, drafts, branch = _on_branch(terminal, view, said), list[Path](), True
    if made is None:
        branch, (made, drafts) = False, from_files(terminal, view, played_game(view, game), said)
    statement = Statement(made=made, pull=pull, title=said.title, body=said.body)
    changes = {"pull": pull.number if pull else None, **_tell_changes(terminal, view, made)}
    with ExitStack() as games:
        contents = as_given(view.repo, made.commit, made.content, said.rules).games
        sessions = [games.enter_context(_opened(view, content)) for content in contents]
        problems = [
            problem
            for session, content in zip(sessions, contents, strict=True) if content.changes
            for problem in _problems(terminal, session, content)
        ]  # fmt: skip
        changes["problems"] = [problem.as_record() for problem in problems]
        flaws = [problem for problem in problems if problem.code.startswith(FLAWED)]
        if flaws and not said.anyway:
            terminal.record({**changes, "tried": False, "sent": False})
            _tell_kept(terminal, drafts)
            terminal.note("Nothing was sent: mend that, then run it again. `--anyway` sends it all the same.")
            return Exit.PROBLEMS
        letters = _ballot(view, sessions[0], said.vote, statement) if said.vote else []
        sentences = [f"Sent to it: {letter.kind.replace('_', ' ')}" for letter in letters]
        if (branch or pull) and (said.title or said.message) and not view.web:
            title = said.title or (pull or made).title
            body = f"{title}\n\n{said.body}".strip()
            letters.insert(0, Letter(pull=pull.number if pull else NEW, kind="describe", body=body))
        statement = replace(statement, letters=letters, record=changes, sentences=sentences)
        trial = say(terminal, view, sessions, statement, said)
    if not trial.sends:
        _tell_kept(terminal, drafts)
        return Exit.PROBLEMS if flaws else trial.code
    for path in drafts:
        remove(path)
    if trial.pull and not said.wait:
        terminal.say(f"Next: `moot try {trial.pull}` shows what it would do, `moot status` what it waits for.")
    return trial.code


# -- trying it first


@contextmanager
def _opened(view: RemoteView, content: GameContent) -> Iterator[Session]:
    """Open the game of some content; raises E-SEALED where it would say in clear what the law takes sealed."""
    with view.session(content.game) as session:
        me = player_here(view, content.game) or view.person.id
        for act in content.acts:
            if seal_arguments(session, me, act.do, act.args or {}) != (act.args or {}):
                hint = f"nothing was sent; `moot act {act.do}` seals it"
                raise fail("E-SEALED", f"a file would say in clear what is sealed of {act.do}", None, hint)
        yield session


def _problems(terminal: Terminal, session: Session, content: GameContent) -> list[Problem]:
    """Tell what is wrong with the changes of a proposal in a game, and what breaks later; returns all of it."""
    found = check_changes(session.sandbox, session, [*zip(content.changes, content.files, strict=True)])
    foreseen = session.sandbox.foresee(list(content.changes), max(int(time.time()), session.at))
    if not terminal.json:
        terminal.problems(found)
        told = [problem.message for problem in found]  # with the place
        for danger in (each for each in foreseen["later"] if each not in told):
            terminal.note(click.style(f"Beware of later: {danger}.", fg="yellow"))
    return found + ([Problem(BREAKS, danger) for danger in foreseen["later"]] if foreseen["breaks"] else [])


def _ballot(view: RemoteView, session: Session, words: str, statement: Statement) -> list[Letter]:
    """Return the author's vote on a pull request after its content."""
    seen = statement.content(view)
    assert seen is not None
    require_open_ballots(session, None)
    typed = checked_choice(shlex.split(words), CHOICES)
    return [ballot_on(view, seen, typed.choice, typed.reason).letter]


def _tell_kept(terminal: Terminal, kept: Sequence[Path]) -> None:
    for path in kept:
        terminal.note(f"Your text is kept in {path}.")


# -- sending


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


# -- what is to be proposed: a branch as it is, files, or what somebody writes in an editor

MOST_NAMED = 5  # files that are not committed


def _on_branch(terminal: Terminal, view: RemoteView, said: Said) -> Proposal | None:
    """Return the checked-out commit as a proposal, None where other changes are named, or it has none.

    Raises E-GIT where git is midway through a merge or the like.
    """
    if said.anything:
        return None
    if not view.repo.is_bare:
        refuse_unfinished(view.repo)
    head, content = branch_content(view) or ("", None)
    if content is None:
        return None
    checked(content)
    commit = find_commit(view.repo, head)
    assert commit is not None
    author = (commit.author.email or "").lower()
    if author != view.person.id and not view.web:
        terminal.note(
            f"Mind: the last commit is by {author}, whose pull request this will be; you are {view.person.id}."
        )
    _point_out(terminal, uncommitted(view))
    return Proposal(commit=head, title=said.title or title_and_body(message_of(commit))[0], content=content)


def _point_out(terminal: Terminal, files: Sequence[str]) -> None:
    if files:
        terminal.note(f"Left out of the proposal, because it is not committed: {in_a_row(files, MOST_NAMED)}")


def from_files(terminal: Terminal, view: RemoteView, game: str, said: Said) -> tuple[Proposal, list[Path]]:
    """Return a proposal of what was given, and drafts to throw away once it is sent; opens an editor where it must."""
    loose = uncommitted(view)
    if not said.anything and loose:
        hint = f"commit it, or run `moot propose --rule {loose[0]}`; `moot propose --new` writes another rule"
        changed = in_a_row(loose, MOST_NAMED)
        raise fail("E-ARGS", f"what changed in your work tree is not committed: {changed}", None, hint)
    given = {path.resolve() for path in (*said.rules, *said.withs)}
    _point_out(terminal, [file for file in loose if Path(view.folder, file) not in given])
    draft = Draft(view.record(game))
    for path in said.rules:
        draft.rule(read_file(path, exact=True), str(path))
    for path in said.withs:
        draft.act(read_file(path, exact=True), str(path))
    for number in said.repeals:
        draft.repeal(number)
    for word in said.transmutes:
        draft.transmute(*checked_status(rules_of(view.record(game)), *pair_of(word, "A transmutation")))
    kept = [_edit(view, draft, f"{game}-{number}", EDITOR_LINE, draft.rule_text(number)) for number in said.amends]
    if said.new or not said.anything:
        kept.append(_edit(view, draft, f"{game}-new", TEMPLATE, ""))
    if said.recipe:
        found, law = recipe(said.recipe), rules_of(view.record(game))
        rule, head = fitted(found.rule, law), EDITOR_LINE + fitted(found.head, law)
        if _has_terminal():
            kept.append(_edit(view, draft, f"{game}-{said.recipe}", head, rule, as_it_is=True))
        else:
            draft.rule(rule, f"{said.recipe}.yaml")
    try:
        made = draft.proposal(view, said.title, said.body)
    except ProblemError as error:
        raise ProblemError(*error.problems, *(_kept_draft(path) for path in kept)) from None
    return made, kept


def rules_of(record: GameRecord) -> list[RuleDocument]:
    """Return the rules in force in a game."""
    metas = record.kept(LAW).get("rules") or {}
    found = [record.archive(f"rules/{uid}") for uid, meta in metas.items() if meta.get("in_force")]
    return [rule for rule in found if rule]


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
    try:
        click.edit(filename=str(path))
    except (click.ClickException, ValueError) as error:  # of a quotation mark that is not closed in EDITOR
        hint = f"set EDITOR to one that is there; what you wrote is kept: `moot propose --rule {path}`"
        why = error.message if isinstance(error, click.ClickException) else str(error)
        raise fail("E-ARGS", f"your editor failed: {why}", None, hint) from None
    written = read_file(path, exact=True)
    if (written == head + text and not as_it_is) or not written.strip():
        remove(path)
        raise fail("E-ARGS", "you left the rule as it was, so nothing is proposed", None, "run it again to try again")
    try:
        draft.rule(without_comments(written, head), str(path))
    except ProblemError as error:
        raise ProblemError(*error.problems, _kept_draft(path)) from None
    return path


def _has_terminal() -> bool:
    """Say whether there is a terminal: without one nobody would see an editor."""
    return sys.stdin is not None and sys.stdin.isatty()


def _kept_draft(path: Path) -> Problem:
    hint = f"run it again to go on, or `moot propose --rule {path}`"
    return Problem("E-ARGS", f"nothing was sent; your text is kept in {path}", None, hint)
