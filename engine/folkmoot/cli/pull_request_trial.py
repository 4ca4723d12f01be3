"""What a pull request, or one with some rule files, would do, as the referee's comment says it."""

from __future__ import annotations

import json
import re
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from folkmoot.cli.acting import as_given
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.games import is_kept
from folkmoot.cli.repositories import address_of, cloned, proof_for, repository_of
from folkmoot.cli.sending import people_of, played_game, remote_view_of
from folkmoot.cli.terminal import Terminal, table_lines
from folkmoot.cli.tokens import take_variables
from folkmoot.core.problems import Position, Problem, fail
from folkmoot.core.proposal_numbers import called
from folkmoot.files.named_files import append_text, read_bytes, read_file
from folkmoot.forges.cache.refs import Refs, Standing, pull_ref
from folkmoot.forges.port import Person
from folkmoot.game.status import choices_of
from folkmoot.kernel.ballot_words import CHOICES
from folkmoot.player.proposing import Draft, branch_content, described
from folkmoot.player.remote_view import PullSeen, RemoteView
from folkmoot.player.voting import proposal_of
from folkmoot.referee.comment import CommentModel, as_voted, comment
from folkmoot.referee.content import Content, GameContent, acts_apart, read_content
from folkmoot.referee.markdown import plain
from folkmoot.referee.people import player_of, whose
from folkmoot.referee.preview import preview

_HIDDEN = re.compile(r"<!--.*?-->|</?(?:details|summary|sub|sup|br)\s*/?>", re.DOTALL)
_PART = re.compile(r"(?P<indent> *)@@ (?P<name>.*) @@")


def show_pull(
    terminal: Terminal,
    game: str | None,
    remote: str | None,
    number: int,
    files: tuple[Path, ...],
    *,
    said: bool,
    summary: Path | None,
) -> int:
    """Show what a pull request (0: files, or the checked-out branch) would do, or what the referee `said` on it."""
    if remote is None and is_kept(terminal, game):
        hint = "`moot try FILE` shows what a rule would do"
        raise fail("E-STATUS", "this game is kept by one person, and has no pull requests", None, hint)
    view = remote_view_of(terminal, remote).look()
    if game is not None:
        played_game(view, game)  # told where it is wrong, whatever else says which game is meant
    if said:
        if not number:
            raise click.UsageError("Say whose comment to print: `moot try PULL --said`.")
        if view.pull(number) is None:
            view.wanted(number)
        text = view.seen.said(number)
        terminal.record({"pull": number, "said": text})
        terminal.say(_plain(text) if text else "The referee has not said anything on it yet.")
        return Exit.OK
    return _show(terminal, view, *_content(view, game, number, files), summary)


def show_arrival(terminal: Terminal, file: Path, clone: str | None, remote: str | None, summary: Path | None) -> int:
    """Show the pull request that a job was started for; its files are read as objects of git."""
    pull, base = read_event(file)
    with ExitStack() as stack:
        if clone is not None:
            terminal.directory, remote = stack.enter_context(cloned(clone)), clone
        repo = repository_of(terminal)
        view = Arrival(Path(repo.path), address_of(repo, remote), pull, base).look()
        return _show(terminal, view, pull, read_content(view.repo, view.main, pull.head), summary)


def _show(terminal: Terminal, view: RemoteView, pull: PullSeen, content: Content, summary: Path | None) -> int:
    """Print what a pull request would do, and add it to a summary; return the exit code."""
    models = [_model(view, pull, each) for each in content.games]
    if problems := content.problems:
        places = [problem.position.file.split("/") for problem in problems if problem.position]
        game = next((parts[1] for parts in places if len(parts) > 2 and parts[0] == "state"), "")
        who = pull.author.handle
        models = [CommentModel(game=game, pull=pull.number, title=pull.title, author=who, problems=problems)]
    record = {"pull": pull.number or None, "head": pull.head, "title": pull.title}
    terminal.record({**record, **_record(view, content, models)})
    texts = [comment(model) for model in models] or ["This changes nothing of any game.\n"]
    for text in texts:
        terminal.say(_plain(text))
    if summary is not None:
        append_text(summary, "".join(f"{text}\n" for text in texts))
    return Exit.PROBLEMS if any(_is_refused(model) for model in models) else Exit.OK


def _is_refused(model: CommentModel) -> bool:
    """Say whether content would be refused as it is, at any time: malformed, faulty, or not proper."""
    shown = model.preview
    if shown is None:
        return bool(model.problems)
    return not shown.proper.ok or any(problem.code.startswith("E-") for problem in shown.problems)


def _content(view: RemoteView, game: str | None, number: int, files: tuple[Path, ...]) -> tuple[PullSeen, Content]:
    """Return what is to be shown: a pull request, one that would be opened (0), and its content."""
    if number:
        pull = view.wanted(number)
        return pull, read_content(view.repo, view.main, pull.head)
    if files:
        draft = Draft(view.record(played_game(view, game)))
        for path in files:
            draft.rule(read_file(path), str(path))
        made = draft.proposal(view)
        head, title, content = made.commit, made.title, as_given(view.repo, made.commit, made.content, files)
    elif found := branch_content(view):
        (head, content), title = found, "Your branch"
    else:
        hint = "name a pull request or a rule file: `moot try 7`, `moot try tea.yaml`"
        raise fail("E-NO-SUCH", "your checked-out branch changes no rule", None, hint)
    return PullSeen(number=0, author=view.person, title=title, state="open", head=head, observed=False), content


def _model(view: RemoteView, pull: PullSeen, content: GameContent) -> CommentModel:
    forge, people = view.forge_of(content.game) or "local", people_of(view, content.game)
    proposal = proposal_of(view, pull.number, forge)
    alive = proposal if proposal and not proposal["outcome"] else None
    content, title, shown = as_voted(content, alive), str(alive["title"] if alive else pull.title), None
    with view.session(content.game) as session:
        _requests, acts = acts_apart(content, session.actions())
        choices = (choices_of(session, str(alive["id"])) if alive else []) or CHOICES
        if content.changes:
            player = player_of(people, forge, pull.author)
            asked = (int(time.time()), alive["id"] if alive else "", pull.body)
            shown = preview(session, content, title, player, *asked)
    return CommentModel(
        game=content.game,
        pull=pull.number,
        title=title,
        author=whose(pull.author, people, forge),
        state=alive["state"] if alive else "",
        proposal=called(alive) if alive else "",
        preview=shown,
        acts=tuple(f"{act.do} {act.args or ''}".strip() for act in acts),
        choices=tuple(choices),
    )


def _record(view: RemoteView, content: Content, models: list[CommentModel]) -> dict[str, Any]:
    problems: list[Problem] = [problem for model in models for problem in model.problems]
    games = [
        {
            "game": each.game,
            "does": described(each.changes, Draft(view.record(each.game)).number),
            "acts": [act.do for act in each.acts],
            "digest": each.digest,
        }
        for each in content.games
    ]
    comments = [comment(model) for model in models]
    return {"games": games, "problems": [problem.as_record() for problem in problems], "comments": comments}


def _plain(text: str) -> str:
    """Return a comment as a terminal shows it: without Markdown and what only a browser reads."""
    lines: list[str] = []
    rows: list[list[str]] = []
    fenced = False
    for line in [*_HIDDEN.sub("", text).split("\n"), ""]:
        if rows and not line.startswith("|"):
            head, *others = [row for row in rows if any(cell.strip("-:") for cell in row)]
            lines += table_lines(head, others)
            rows = []
        if line.startswith("```"):
            fenced = not fenced
        elif fenced:
            lines.append(_redlined(f"    {line}"))
        elif line.startswith("|"):
            rows.append([plain(cell.strip()) for cell in line.strip("|").split("|")])
            continue
        elif line.startswith("#"):
            lines.append(click.style(plain(line.lstrip("# ")), bold=True))
        else:
            lines.append(plain(line.rstrip()))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _redlined(line: str) -> str:
    """Return a line of a redline in its colour: what is struck red, what is added green, where it stands blue."""
    part = _PART.fullmatch(line)
    if part is not None:
        return click.style(f"{part['indent'][2:]}{part['name']}:", fg="cyan")
    colour = {"-": "red", "+": "green"}.get(line.lstrip()[:1])
    return click.style(line, fg=colour) if colour else line


# -- a pull request as the job sees it that the forge started for it

LARGEST = 30_000_000  # bytes of a file that describes an event
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_BRANCH = re.compile(r"(?!-)[^\x00-\x20\x7f~^:?*\[\\]{1,250}")


def read_event(path: Path) -> tuple[PullSeen, str]:
    """Return the pull request of an event as the forge wrote it down, and the branch that it is for.

    Raises E-ARGS where it is of none.
    """
    try:
        event = json.loads(read_bytes(path, LARGEST).decode())
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise _unfit(path, f"it is no JSON: {error}") from None
    number = _at(event, "pull_request", "number")
    base, head = _at(event, "pull_request", "base", "ref"), _at(event, "pull_request", "head", "sha")
    if type(number) is not int or not 0 < number < 10**9:
        raise _unfit(path, "it is of no pull request")
    if not _BRANCH.fullmatch(str(base)) or not _COMMIT.fullmatch(str(head)):
        raise _unfit(path, "it does not say which commit is for which branch")
    user = _at(event, "pull_request", "user", "id")
    handle = _at(event, "pull_request", "user", "login")
    author = Person(id=str(user) if type(user) is int else "", handle=str(handle or "somebody"))
    title, body = (str(_at(event, "pull_request", name) or "") for name in ("title", "body"))
    pull = PullSeen(number=number, author=author, title=title, state="open", head=str(head), observed=False, body=body)
    return pull, str(base)


def _unfit(path: Path, why: str) -> Exception:
    return fail("E-ARGS", f"this describes no event of a pull request: {why}", Position(str(path)))


def _at(value: Any, *path: str) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


class Arrival(RemoteView):
    """Where the players meet, as far as a job may look that holds no right to write: the branch and one head.

    Args:
        folder: the repository into which is fetched, bare or not.
        remote: the address of the repository where players meet; None where it is this one.
        event: the pull request that the job was started for.
        base: the branch that it is for.
    """

    def __init__(self, folder: Path, remote: str | None, event: PullSeen, base: str) -> None:
        super().__init__(folder, remote)
        self.event, variables = event, proof_for(remote or "")
        take_variables()  # git gets the job's token, which may read; it is not kept for what runs later
        self.repository.refs = Refs(folder, remote, base, variables=variables)
        self.repo = self.repository.refs.repo

    def look(self) -> Arrival:
        """Fetch the branch and the head, and nothing else. Raises E-FORGE, and E-NO-SUCH where the head is gone."""
        self.standing = self.repository.refs.again(self._branch_and_head)
        if self.event.head not in self.repo:
            hint = "a newer push has a run of its own"
            raise fail("E-NO-SUCH", f"commit {self.event.head[:12]} is no longer there", None, hint)
        return self

    def _branch_and_head(self) -> Standing | None:
        standing = self.repository.refs.read()
        return self.repository.refs.fetch(standing, [standing.branch, pull_ref(self.event.number)])

    @property
    def person(self) -> Person:
        """Return who opened the pull request."""
        return self.event.author
