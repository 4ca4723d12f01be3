"""What a pull request proposes: the changes of rules and the acts in it, read from git objects and never run.

Only `state/<game>/rules/` and `state/<game>/inbox/` are read, compared with the commit at which the branch left the
game's; everything else in the pull request, and everything odd about it, is a problem with its place.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Any, cast

from msgspec import Struct

from folkmoot.core.documents import Request
from folkmoot.core.keys import number_key
from folkmoot.core.problems import Position, Problem, ProblemError, fail
from folkmoot.core.records import Arguments, ProposedChange, Taken, Written
from folkmoot.core.rule_blocks import ActionSpec
from folkmoot.files.nodes import Allowance, place_of
from folkmoot.files.proposed_changes import change_digest, changes_between, written_anew
from folkmoot.files.reader import locate, read_action, read_rule
from folkmoot.game.session import Session
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.layout import STATE
from folkmoot.journal.repositories import descends
from folkmoot.kernel.act_declarations import argument_for_changes, taking_in
from folkmoot.referee.commands import Command, asked, commands_of
from folkmoot.referee.pin_changes import NOTHING, Keeping, keeping
from folkmoot.referee.pull_request_tree import (
    SUFFIX,
    Difference,
    Node,
    differences,
    find,
    header,
    place,
    read_blob,
    shown,
)

MOST_NODES = 10_000  # keys, values and items of all files together; all rules of the largest ruleset have 2,000
LFS = b"version https://git-lfs.github.com/spec/"


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


class GameReader:
    """Reads the files of a game; `main` is the tree of its branch, `base` that of where the pull request left it.

    `changes` and `acts` come with their files; `before` is the text of each changed rule's file where the branch left
    the game, by uid; `stale` are rules that the game has changed since.
    """

    def __init__(
        self, repo: pygit2.Repository, main: pygit2.Oid, base: pygit2.Oid, game: str, allowance: Allowance
    ) -> None:
        self.repo, self.main, self.base, self.game, self.allowance = repo, main, base, game, allowance
        self.changes: list[tuple[ProposedChange, str]] = []
        self.acts: list[InboxAct] = []
        self.before: dict[str, str] = {}
        self.stale: list[str] = []
        self.problems: list[Problem] = []

    def read(self, differing: Iterable[Difference]) -> None:
        """Note what the files that differ stand for, with every problem of all of them."""
        for difference in sorted(differing, key=_order):
            if self.allowance.exhausted:
                break
            try:
                if difference.path.startswith(f"{STATE}/{self.game}/rules/"):
                    self.rule(difference)
                elif difference.new is not None:
                    self.act(difference.path, difference.new)
            except ProblemError as error:
                self.problems += error.problems

    @property
    def content(self) -> GameContent:
        """Return what was read."""
        written = [_digested(change, self.before) for change, _file in self.changes]
        asked = [{"do": act.do, "args": act.args, "as": act.as_} for act in self.acts]
        return GameContent(
            game=self.game,
            changes=tuple(change for change, _file in self.changes),
            acts=tuple(self.acts),
            files=tuple(file for _change, file in self.changes),
            stale=tuple(dict.fromkeys(self.stale)),
            digest=change_digest([*written, *asked]),
        )

    def act(self, path: str, node: Node) -> None:
        """Note the act that a file of the inbox asks for."""
        text, file = self.text(path, node), shown(path)
        act = read_action(text, file, self.allowance)
        if "by" in act:
            message = "whoever opens the pull request acts, and nobody else"
            raise fail("E-CONFLICT", message, locate(text, file, ["by"]), "take `by` out")
        self.acts.append(InboxAct(file=path, do=act["do"], args=act["with"], as_=act.get("as")))

    def rule(self, difference: Difference) -> None:
        """Note the changes that a rule's file stands for."""
        uid, before, rule = self.rule_before(difference) or ("", "", {})
        if difference.new is not None:
            changes = self.proposed(difference, before, rule)
        else:
            changes = [{"repeal": uid}] if uid else []
        made_on = self.revision(uid) if uid else None
        known = {} if made_on is None else {"revision": made_on}
        self.before[uid] = before
        self.changes += [({**change, **known}, difference.path) for change in changes]
        if uid and changes and find(self.repo, self.main, difference.path) != difference.old:
            self.stale.append(uid)

    def proposed(self, difference: Difference, before: str, rule: Written) -> list[ProposedChange]:
        """Return the changes (be it of comments) from a rule to its changed file, or the enactment of a new one."""
        assert difference.new is not None
        text, file = self.text(difference.path, difference.new), shown(difference.path)
        if rule and text == before:
            return []
        written = read_rule(text, file, self.allowance)
        if difference.old is not None and not rule:
            hint = "merge the game's branch into yours"
            raise fail("E-TARGET", "where your branch began this was no rule of the game", place(difference.path), hint)
        _check_engine_keys(text, file, written, rule)
        if not rule:
            return [{"enact": {**written, "source": text}}]
        return changes_between(rule["uid"], rule, written, text) or [{"amend": rule["uid"], "source": text}]

    def revision(self, uid: str) -> int | None:
        """Return the revision of a rule where the branch left the game, None where the game does not say it."""
        entry = rf"""^  ["']?{re.escape(uid)}["']?:\n(?:    .*\n)*?    revision: (\d+)$"""
        found = re.search(entry, self._law, re.MULTILINE)
        return int(found[1]) if found else None

    @cached_property
    def _law(self) -> str:
        law = find(self.repo, self.base, f"{STATE}/{self.game}/law.yaml")
        return read_blob(self.repo, law.id).decode("utf-8", "replace") if law is not None else ""

    def rule_before(self, difference: Difference) -> tuple[str, str, Written] | None:
        """Return uid, text and content of the rule of the game whose file this was, None if it was none."""
        if difference.old is None:
            return None
        folder, _, name = difference.path.rpartition("/")
        try:
            text = self.text(difference.path, difference.old)
            rule = read_rule(text, shown(difference.path))
        except ProblemError:
            return None
        uid = rule.get("uid", "")
        is_rule = uid and name == uid + SUFFIX and folder.count("/") == 2
        return (uid, text, rule) if is_rule else None

    def text(self, path: str, node: Node) -> str:
        """Return the text of a file with the line ends of Unix; raises where it is none."""
        data = read_blob(self.repo, node.id)
        if data.startswith(LFS):
            message = "this is a pointer of Git LFS, not the file itself"
            raise fail("E-FORMAT", message, place(path), "`git lfs untrack` it and commit the file")
        try:
            return data.decode("utf-8").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            position = Position(shown(path), data.count(b"\n", 0, error.start) + 1)
            raise fail("E-UTF8", "the file is not UTF-8 text", position, "save it as UTF-8") from None


def _order(difference: Difference) -> Any:
    folder, _, name = difference.path.rpartition("/")
    return folder, number_key(name.removesuffix(SUFFIX)), name


def _check_engine_keys(text: str, file: str, rule: Written, before: Written) -> None:
    """Refuse a number or uid that is not the one that the rule has, or that a new rule brings along."""
    problems: list[Problem] = []
    for key in ("rule", "uid"):
        wanted = before.get(key, "")
        if rule.get(key, "") != wanted:
            said = f"`{key}` is the engine's to give and cannot be changed"
            anew = "take it out; a new rule gets both when it is adopted"
            hint = f'write `{key}: "{wanted}"` again' if wanted else anew
            problems.append(Problem("E-CONFLICT", said, locate(text, file, [key]), hint))
    if problems:
        raise ProblemError(*problems)


MOST_COMMITS = 1_000  # of its own, which the record of the game would have to carry for ever
MOST_MERGES = 50  # of the game's branch into it: each is another place at which it may have left
MOST_PROBLEMS = 50


class Content(Struct, frozen=True, kw_only=True):
    """A pull request's content: `base` is where its branch left the game's, `digest` what a ballot is bound to.

    Where there are problems it must not be played; where it does not touch a game (`touches_game`), nobody's business
    but of those who keep the repository; then `keeping` is what it changes of what runs the referee.
    """

    head: str
    base: str
    digest: str
    games: tuple[GameContent, ...] = ()
    problems: tuple[Problem, ...] = ()
    touches_game: bool = False
    keeping: Keeping = NOTHING

    def of(self, game: str) -> GameContent | None:
        """Return what it does in a game, None for nothing."""
        return next((each for each in self.games if each.game == game), None)


def read_content(repo: pygit2.Repository, main: str, head: str) -> Content:
    """Return what a head (hex) proposes to the branch; what is wrong stands in `problems`, never in an exception."""
    try:
        base = merge_base(repo, _commit(repo, main), _commit(repo, head))
        found = differences(repo, base, _commit(repo, head))
    except ProblemError as error:
        return unreadable(head, *error.problems)
    allowance, tip = Allowance(together=MOST_NODES), _commit(repo, main).tree_id
    readers = [GameReader(repo, tip, base.tree_id, game, allowance) for game in found.games if not found.problems]
    for reader in readers:
        reader.read(found.games[reader.game])
    problems = sorted([*found.problems, *(p for reader in readers for p in reader.problems)], key=place_of)
    games = tuple(reader.content for reader in readers if reader.changes or reader.acts)
    return Content(
        head=head,
        base=str(base.id),
        digest=change_digest([{"game": game.game, "digest": game.digest} for game in games]),
        games=() if problems else games,
        problems=tuple(problems[:MOST_PROBLEMS]),
        touches_game=found.touches_game,
        keeping=NOTHING if found.touches_game else keeping(repo, base.tree_id, _commit(repo, head).tree_id),
    )


def unreadable(head: str, *problems: Problem) -> Content:
    """Return what stands for a pull request's content that cannot be read at all."""
    return Content(head=head, base="", digest=change_digest([]), problems=problems, touches_game=True)


def _commit(repo: pygit2.Repository, name: str) -> pygit2.Commit:
    """Return a commit by its id; raises E-GIT where it is missing or something else."""
    try:
        id_ = pygit2.Oid(hex=name)
    except ValueError:
        raise fail("E-GIT", f"{name[:40]!r} is no id of a commit") from None
    kind, _size = header(repo, id_)
    if kind != "commit":
        raise fail("E-GIT", f"{name[:12]} is a {kind}, not a commit")
    try:
        return cast(pygit2.Commit, repo[id_])
    except pygit2.GitError:
        raise fail("E-GIT", f"the commit {name[:12]} names no author that can be read", None, "commit anew") from None


def merge_base(repo: pygit2.Repository, main: pygit2.Commit, head: pygit2.Commit) -> pygit2.Commit:
    """Return the commit at which a branch left the game's; raises E-GIT for none, several, or too long a branch."""
    leaving = _leaving(repo, main, head)
    squash, anew = "squash its commits into one", "merge the game's branch into yours, or begin a branch from it anew"
    if len(leaving) > MOST_MERGES:
        raise fail("E-GIT", f"this branch has merged the game's more than {MOST_MERGES} times", None, squash)
    best = _newest(repo, leaving)
    if not best:
        raise fail("E-GIT", "this branch has no commit in common with the game's", None, anew)
    if len(best) > 1:
        raise fail("E-GIT", "this branch and the game's have crossed, so that what it changes is ambiguous", None, anew)
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
                message = f"this branch has more than {MOST_COMMITS:,} commits of its own"
                raise fail("E-GIT", message, None, "squash them into one")
    except (KeyError, pygit2.GitError) as error:
        message = f"the branch's history is incomplete: {error}"
        raise fail("E-GIT", message, None, "fetch the pull request again") from None
    if not own:
        return {head.id: None}
    return {parent: None for parents in own.values() for parent in parents if parent not in own}


def _digested(change: ProposedChange, before: Mapping[str, str]) -> ProposedChange:
    """Return a change as its digest sees it: of the file's own text only what its author wrote anew.

    On which revision it was made is left out, so that a merge of the game's branch keeps the ballots.
    """
    uid = next((change[kind] for kind in ("amend", "transmute", "retitle") if kind in change), None)
    kept = {name: value for name, value in change.items() if name != "revision"}
    return kept if uid is None else {**kept, "source": written_anew(before[uid], change["source"])}


# -- as what rule-changes are taken in: as the pull request says, else as the law does


Actions = Mapping[str, ActionSpec]


def names_taking(command: Command, actions: Actions) -> bool:
    """Say whether a command of a pull request's description says as what its rule-changes are taken in."""
    return (command.rest.partition(" ")[0] if command.name == "do" else command.name) in taking_in(actions)


def acts_apart(content: GameContent, actions: Actions) -> tuple[list[Request], list[InboxAct]]:
    """Return the requests that travel with the changes of a pull request, and the acts that are done by themselves.

    `actions` are the declarations of the rules in force by name. Without changes nothing travels, and neither does what
    is done in an office.
    """
    requests: list[Request] = []
    acts: list[InboxAct] = []
    for act in content.acts:
        declared = actions.get(act.do) or {}
        if content.changes and act.as_ is None and declared.get("travels") == "with_proposal":
            requests.append({"name": act.do, "args": act.args})
        else:
            acts.append(act)
    return requests, acts


def taken_by(session: Session, content: GameContent, title: str, body: str, author: str | None) -> Taken:
    """Return the act that takes the changes of a pull request in, they, its title and requests among its arguments.

    The pull request names it in its description, or the law does. `why` says instead that there is none;
    `rule` is the uid of the rule that says so.
    """
    actions = session.declared("actions")
    requests, _acts = acts_apart(content, actions)
    named = [asked(command, actions) for command in commands_of(body) if names_taking(command, actions)]
    if flaw := next((wanted.flaw for wanted in named if wanted.flaw), ""):
        return {"why": flaw}
    if len(named) > 1:
        acts = " and ".join(wanted.do for wanted in named)
        return {"why": f"it names {len(named)} acts that would take it in, {acts}; keep one"}
    if named:
        taken: Taken = {"do": named[0].do, "args": named[0].args, "as": named[0].as_}
    else:
        seen = as_the_law_sees(author, title, body, content.changes, requests)
        taken = session.sandbox.taken_as(seen, session.at)
    return with_changes(taken, actions, title, content.changes, requests)


def as_the_law_sees(
    by: str | None, title: str, text: str, changes: Iterable[Any], requests: Iterable[Any] = ()
) -> Arguments:
    """Return a pull request as the law sees it that is asked as what it takes it."""
    return {"by": by, "title": title, "text": text, "changes": list(changes), "requests": list(requests)}


def with_changes(taken: Taken, actions: Actions, title: str, changes: Iterable[Any], requests: list[Request]) -> Taken:
    """Return an act that takes changes in, with them, and with the title where it knows of titles."""
    if "do" not in taken:
        return taken
    declared = actions[taken["do"]]
    args: Arguments = {argument_for_changes(declared): list(changes)}
    if "title" in (declared.get("arguments") or {}):
        args["title"] = title
    return {**taken, "args": {**args, **taken.get("args", {}), **({"requests": requests} if requests else {})}}
