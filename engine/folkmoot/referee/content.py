"""What a pull request proposes: the changes of rules and the acts in it, read from git objects and never run.

Only `state/<game>/rules/` and `state/<game>/inbox/` are read, compared with the commit at which the branch left the
game's; everything else in the pull request, and everything odd about it, is a problem with its place.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast

import pygit2
from msgspec import Struct

from folkmoot.core.documents import Request
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.core.records import Arguments, ProposedChange
from folkmoot.files.nodes import place_of
from folkmoot.files.proposed_changes import change_digest, written_anew
from folkmoot.forges.workflows import JOBS
from folkmoot.journal.repositories import descends, parents_of
from folkmoot.referee.differences import differences
from folkmoot.referee.maintenance_effects import NOTHING, Keeping
from folkmoot.referee.pull_request_files import GameReading, Reader
from folkmoot.referee.tree_diff import find, header

MOST_COMMITS = 1_000  # of its own, which the record of the game would have to carry for ever
MOST_MERGES = 50  # of the game's branch into it: each is another place at which it may have left
MOST_PROBLEMS = 50


class InboxAct(Struct, frozen=True, kw_only=True):
    """An act that a file of the inbox asks for; whose it is and whether it is allowed is decided later."""

    file: str
    do: str
    args: Arguments
    as_: str | None = None


class GameContent(Struct, frozen=True, kw_only=True):
    """What a pull request does in one game.

    `changes` are as an act takes them (`{amend: "203", text: …, source: …}`), in the order of their files, whose paths
    are `files`; `stale` are the rules among them that the game changed since the branch left it.
    """

    game: str
    changes: tuple[ProposedChange, ...]
    acts: tuple[InboxAct, ...]
    files: tuple[str, ...]
    stale: tuple[str, ...]
    digest: str


class Content(Struct, frozen=True, kw_only=True):
    """A pull request's content: `base` is where its branch left the game's, `digest` what a ballot is bound to.

    Where there are problems it must not be played; where it does not touch a game (`touches_game`), nobody's business
    but of those who keep the repository; then `keeping` is what it changes of what runs the referee. Where a commit
    on its way `brings_jobs`, its history is not taken in.
    """

    head: str
    base: str
    digest: str
    games: tuple[GameContent, ...] = ()
    problems: tuple[Problem, ...] = ()
    touches_game: bool = False
    keeping: Keeping = NOTHING
    brings_jobs: bool = False

    def of(self, game: str) -> GameContent | None:
        """Return what it does in a game, None for nothing."""
        return next((each for each in self.games if each.game == game), None)


def read_content(repo: pygit2.Repository, main: str, head: str) -> Content:
    """Return what a pull request proposes.

    Args:
        repo: holds the objects of both commits.
        main: the tip of the game's branch (hex).
        head: the pull request's commit (hex).

    Returns:
        its content; what is wrong with it stands in `problems`, never an exception, so that it can be answered.
    """
    try:
        base = merge_base(repo, _commit(repo, main), _commit(repo, head))
        found = differences(repo, base, _commit(repo, head))
    except ProblemError as error:
        return Content(head=head, base="", digest=change_digest([]), problems=error.problems, touches_game=True)
    reader = Reader(repo, _commit(repo, main).tree_id, base.tree_id)
    readings = [reader.read(game, found) for game in found.games] if not found.problems else []
    problems = sorted([*found.problems, *(p for reading in readings for p in reading.problems)], key=place_of)
    games = tuple(_content(reading) for reading in readings if reading.changes or reading.acts)
    return Content(
        head=head,
        base=str(base.id),
        digest=change_digest([{"game": game.game, "digest": game.digest} for game in games]),
        games=() if problems else games,
        problems=tuple(problems[:MOST_PROBLEMS]),
        touches_game=found.touches_game,
        keeping=NOTHING if found.touches_game else _keeping(repo, base.tree_id, _commit(repo, head).tree_id),
        brings_jobs=found.touches_game and _brings_jobs(repo, main, head),
    )


def _brings_jobs(repo: pygit2.Repository, main: str, head: str) -> bool:
    """Say whether a commit of a branch's own has jobs that the game's branch had at none of the places where it left.

    A forge may take no push with such a commit, though the branch took the jobs away again.
    """
    leaving = {main, *map(str, _leaving(repo, _commit(repo, main), _commit(repo, head)))} - {head}
    own, todo = set[str](), [head]
    while todo and len(own) < MOST_COMMITS:
        commit = todo.pop()
        if commit not in own and commit not in leaving:
            own.add(commit)
            todo += parents_of(repo, commit)
    if own == {head}:
        return False  # what its only commit changes is a problem of its content

    def jobs(commit: str) -> tuple[Any, ...]:
        return tuple(find(repo, _commit(repo, commit).tree_id, folder) for folder in JOBS)

    return bool({jobs(commit) for commit in own} - {jobs(commit) for commit in leaving})


def _keeping(repo: pygit2.Repository, base: pygit2.Oid, head: pygit2.Oid) -> Keeping:
    from folkmoot.referee.pin_changes import keeping  # most pull requests are of a game

    return keeping(repo, base, head)


def unreadable(head: str, problem: Problem) -> Content:
    """Return what stands for a pull request's content that cannot be read at all."""
    return Content(head=head, base="", digest=change_digest([]), problems=(problem,), touches_game=True)


def _commit(repo: pygit2.Repository, name: str) -> pygit2.Commit:
    """Return a commit by its id; raises E-GIT where it is missing or something else."""
    try:
        id_ = pygit2.Oid(hex=name)
    except ValueError:
        raise _failure(f"{name[:40]!r} is no id of a commit") from None
    kind, _size = header(repo, id_)
    if kind != "commit":
        raise _failure(f"{name[:12]} is a {kind}, not a commit")
    try:
        return cast(pygit2.Commit, repo[id_])
    except pygit2.GitError:
        raise _failure(f"the commit {name[:12]} names no author that can be read", "commit anew") from None


def _failure(message: str, hint: str = "") -> ProblemError:
    return ProblemError(Problem("E-GIT", message, None, hint))


def merge_base(repo: pygit2.Repository, main: pygit2.Commit, head: pygit2.Commit) -> pygit2.Commit:
    """Return the one commit at which a branch left the game's.

    Raises:
        ProblemError: E-GIT where there is none, or more than one, or where the branch has too many commits of its own.
    """
    leaving = _leaving(repo, main, head)
    hint = "merge the game's branch into yours, or begin a branch from it anew"
    if len(leaving) > MOST_MERGES:
        raise _failure(f"this branch has merged the game's more than {MOST_MERGES} times", "squash it into one commit")
    best = _newest(repo, leaving)
    if not best:
        raise _failure("this branch has no commit in common with the game's", "begin a branch from the game's")
    if len(best) > 1:
        raise _failure("this branch and the game's have crossed, so that what it changes is ambiguous", hint)
    return cast(pygit2.Commit, repo[best[0]])


def _newest(repo: pygit2.Repository, commits: Collection[pygit2.Oid]) -> list[pygit2.Oid]:
    """Return those of some commits that none of the others contains.

    By their dates the newest come first, which spares most comparisons; that they are forged makes none of it wrong.
    """
    if len(commits) == 1:
        return list(commits)
    best: list[pygit2.Oid] = []
    for id_ in sorted(commits, key=lambda each: cast(pygit2.Commit, repo[each]).commit_time, reverse=True):
        if not any(descends(repo, str(kept), str(id_)) for kept in best):
            best = [*(kept for kept in best if not descends(repo, str(id_), str(kept))), id_]
    return best


def _leaving(repo: pygit2.Repository, main: pygit2.Commit, head: pygit2.Commit) -> dict[pygit2.Oid, None]:
    """Return the commits of the game's branch that are parents of the pull request's own."""
    if head.id == main.id:
        return {main.id: None}
    try:
        walk = repo.walk(head.id)
        walk.hide(main.id)
        own: dict[pygit2.Oid, list[pygit2.Oid]] = {}
        for commit in walk:
            own[commit.id] = list(commit.parent_ids)
            if len(own) > MOST_COMMITS:
                raise _failure(f"this branch has more than {MOST_COMMITS:,} commits of its own", "squash them into one")
    except (KeyError, pygit2.GitError) as error:
        raise _failure(f"the branch's history is incomplete: {error}", "fetch the pull request again") from None
    if not own:
        return {head.id: None}
    return {parent: None for parents in own.values() for parent in parents if parent not in own}


def _content(reading: GameReading) -> GameContent:
    changes = [change for change, _ in reading.changes]
    acts = tuple(InboxAct(file=file, do=act["do"], args=act["with"], as_=act.get("as")) for file, act in reading.acts)
    written = [_digested(change, reading.before) for change in changes]
    asked = [{"do": act.do, "args": act.args, "as": act.as_} for act in acts]
    return GameContent(
        game=reading.game,
        changes=tuple(changes),
        acts=acts,
        files=tuple(file for _, file in reading.changes),
        stale=tuple(dict.fromkeys(reading.stale)),
        digest=change_digest([*written, *asked]),
    )


def _digested(change: ProposedChange, before: Mapping[str, str]) -> ProposedChange:
    """Return a change as its digest sees it: of the file's own text only what its author wrote anew.

    On which revision it was made is left out, so that a merge of the game's branch keeps the ballots.
    """
    uid = next((change[kind] for kind in ("amend", "transmute", "retitle") if kind in change), None)
    kept = {name: value for name, value in change.items() if name != "revision"}
    return kept if uid is None else {**kept, "source": written_anew(before[uid], change["source"])}


def split_requests(
    content: GameContent, declared_actions: Mapping[str, Mapping[str, Any]]
) -> tuple[list[Request], list[InboxAct]]:
    """Return the requests that travel with the changes of a pull request, and the acts that are done by themselves.

    `declared_actions` are the declarations of the rules in force by name. A request is `{name, args}`; without changes
    nothing travels, and neither does what is done in an office.
    """
    requests: list[Request] = []
    acts: list[InboxAct] = []
    for act in content.acts:
        travels = (declared_actions.get(act.do) or {}).get("travels") == "with_proposal"
        if travels and content.changes and act.as_ is None:
            requests.append({"name": act.do, "args": act.args})
        else:
            acts.append(act)
    return requests, acts
