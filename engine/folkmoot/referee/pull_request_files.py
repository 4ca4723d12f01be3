"""The files of a pull request as changes of rules and as acts."""

from __future__ import annotations

import re
from typing import Any

import pygit2
from msgspec import Struct, field

from folkmoot.core.keys import number_key
from folkmoot.core.problems import Position, Problem, ProblemError, fail
from folkmoot.core.records import ProposedChange, Written
from folkmoot.files.nodes import Allowance
from folkmoot.files.proposed_changes import changes_between
from folkmoot.files.reader import locate, read_action, read_rule
from folkmoot.journal.layout import STATE
from folkmoot.referee.differences import SUFFIX, Found
from folkmoot.referee.paths import place, shown
from folkmoot.referee.tree_diff import Difference, Node, find, read_blob

MOST_NODES = 10_000  # keys, values and items of all files together; all rules of the largest ruleset have 2,000
LFS = b"version https://git-lfs.github.com/spec/"


class GameReading(Struct):
    """What the files of one game stand for.

    `changes` and `acts` come with their files; `before` is the text of each changed rule's file where the branch left
    the game, by uid; `stale` are rules that the game has changed since.
    """

    game: str
    changes: list[tuple[ProposedChange, str]] = field(default_factory=list)
    acts: list[tuple[str, Written]] = field(default_factory=list)
    before: dict[str, str] = field(default_factory=dict)
    stale: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


class Reader:
    """Reads files of games; `main` is the tree of the game's branch, `base` that of where the pull request left it."""

    def __init__(self, repo: pygit2.Repository, main: pygit2.Oid, base: pygit2.Oid) -> None:
        """Read from a repository's objects."""
        self.repo, self.main, self.base = repo, main, base
        self._laws: dict[str, str] = {}
        self.allowance = Allowance(together=MOST_NODES)

    def read(self, game: str, found: Found) -> GameReading:
        """Return what the files of a game that differ stand for, with every problem of all of them."""
        reading = GameReading(game)
        for difference in sorted(found.games[game], key=_order):
            if self.allowance.exhausted:
                break
            try:
                if difference.path.startswith(f"{STATE}/{game}/rules/"):
                    self.rule(reading, difference)
                elif difference.new is not None:
                    reading.acts.append((difference.path, self.act(difference.path, difference.new)))
            except ProblemError as error:
                reading.problems += error.problems
        return reading

    def act(self, path: str, node: Node) -> Written:
        """Return the act that a file of the inbox asks for."""
        text, file = self.text(path, node), shown(path)
        act = read_action(text, file, self.allowance)
        if "by" in act:
            message = "whoever opens the pull request acts, and nobody else"
            raise fail("E-CONFLICT", message, locate(text, file, ["by"]), "take `by` out")
        return act

    def rule(self, reading: GameReading, difference: Difference) -> None:
        """Note the changes that a rule's file stands for."""
        before = self.before(difference)
        if before is None:
            if difference.new is not None:
                reading.changes += [(change, difference.path) for change in self.added(difference)]
            return
        uid, text, rule = before
        if difference.new is None:
            changes: list[ProposedChange] = [{"repeal": uid}]
        else:
            changes = self.changed(difference.path, difference.new, rule, text)
        reading.before[uid] = text
        made_on = self.revision(reading.game, uid) if changes else None
        known = {} if made_on is None else {"revision": made_on}
        reading.changes += [({**change, **known}, difference.path) for change in changes]
        if changes and find(self.repo, self.main, difference.path) != difference.old:
            reading.stale.append(uid)

    def revision(self, game: str, uid: str) -> int | None:
        """Return the revision of a rule where the branch left the game, None where the game does not say it."""
        if game not in self._laws:
            node = find(self.repo, self.base, f"{STATE}/{game}/law.yaml")
            self._laws[game] = read_blob(self.repo, node.id).decode("utf-8", "replace") if node is not None else ""
        entry = rf"""^  ["']?{re.escape(uid)}["']?:\n(?:    .*\n)*?    revision: (\d+)$"""
        found = re.search(entry, self._laws[game], re.MULTILINE)
        return int(found[1]) if found else None

    def before(self, difference: Difference) -> tuple[str, str, Written] | None:
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

    def added(self, difference: Difference) -> list[ProposedChange]:
        """Return the enactment that a new rule's file stands for."""
        assert difference.new is not None
        text, file = self.text(difference.path, difference.new), shown(difference.path)
        rule = read_rule(text, file, self.allowance)
        if difference.old is not None:
            hint = "merge the game's branch into yours"
            raise fail("E-TARGET", "where your branch began this was no rule of the game", place(difference.path), hint)
        _check_engine_keys(text, file, rule, {})
        return [{"enact": {**rule, "source": text}}]

    def changed(self, path: str, node: Node, rule: Written, before: str) -> list[ProposedChange]:
        """Return the changes that lead from a rule to its changed file; comments alone are an amendment too."""
        text, file = self.text(path, node), shown(path)
        if text == before:
            return []
        proposed = read_rule(text, file, self.allowance)
        _check_engine_keys(text, file, proposed, rule)
        changes = changes_between(rule["uid"], rule, proposed, text)
        return changes or [{"amend": rule["uid"], "source": text}]

    def text(self, path: str, node: Node) -> str:
        """Return the text of a file with the line ends of Unix; raises where it is none."""
        data = read_blob(self.repo, node.id)
        if data.startswith(LFS):
            message = "this is a pointer of Git LFS, not the file itself"
            raise fail("E-FORMAT", message, place(path), "`git lfs untrack` it and commit the file")
        if b"\0" in data:
            raise fail("E-UTF8", "the file is binary, not text", place(path), "save it as UTF-8")
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
        wanted, given = before.get(key, ""), rule.get(key, "")
        if given != wanted:
            hint = (
                f'write `{key}: "{wanted}"` again' if wanted else "take it out; a new rule gets both when it is adopted"
            )
            said = f"`{key}` is the engine's to give and cannot be changed"
            problems.append(Problem("E-CONFLICT", said, locate(text, file, [key]), hint))
    if problems:
        raise ProblemError(*problems)
