"""Two worlds' games compared byte for byte, with the names of where facts came from told in the script's own words.

Put into words are: the forge, numbers of pull requests, ids of remarks, commits of contents and ids of people. Left out
are only the digests of entries, for they are digests of those names too, and where a form was filled in: an issue where
a forge has them, else the game's own thread. Of what is sealed, each box is put as its size, and each digest as a mark.
Everything else must be the same bytes.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pygit2

from tests.forges.endtoend.world import FORGES, GAME, World, person_id
from tests.support.two_worlds import blank

_FORGE = "|".join(FORGES)
_QUOTED = r'"?([^"\s]+?)"?'
_LINES = {
    "forge": re.compile(rf"^( *)(forge: )({_FORGE})$"),
    "handle": re.compile(rf"^( *)()({_FORGE}):$"),
    "fact": re.compile(rf"^( *)(fact: ){_QUOTED}$"),
    "head": re.compile(rf"^( *)(head: ){_QUOTED}$"),
    "pull": re.compile(r"^( *)(pull: )(\d+)$"),
    "issue": re.compile(r"^( *)(issue: )(\d+)$"),
    "id": re.compile(rf"^( *)(id: ){_QUOTED}$"),
    "to": re.compile(rf"^( *)(to: )({_FORGE})$"),
    "prev": re.compile(r"^()(prev: )\"?([0-9a-f]{64})\"?$"),
    "seen": re.compile(r"^( {4})(digest: )\"?([0-9a-f]{64})\"?$"),
}
FORM = "<form "
NONCE = re.compile(r"\bnonce: \"?[0-9a-f]{32}\"?")
_KEPT = re.compile(r'^( +)"?([^"\s]+?)"?: (\d+)$')
_PULL_FILE = re.compile(rf"pulls/({_FORGE})/(\d\d\d)/(\d+)\.yaml")


class Words:
    """What names in a world's record stand for."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.pulls = {str(number): f"<{word}>" for word, number in world.pulls.items()} | {"0": "0"}
        self.facts = {made: f"<{name}>" for name, made in [*world.remarks.items(), *world.contents.items()]}
        people = {*world.players, "zed", "eve", "mal"}
        self.people = {person_id(forge, who): f"<{who}>" for forge in FORGES for who in people}

    def fact(self, name: str) -> str:
        """Return a fact's name: a remark or a content, perhaps with what of it is meant."""
        whole, slash, part = name.partition("/")
        said = self.facts.get(whole, whole)
        return said if said.startswith(FORM) else said + slash + part

    def line(self, line: str) -> str:
        """Return a line in words."""
        for kind, form in _LINES.items():
            found = form.match(line)
            if found:
                said = {"pull": self.pulls.get, "id": self.people.get}.get(kind)
                if kind in ("fact", "head"):
                    return found[1] + found[2] + self.fact(found[3])
                if kind == "issue":
                    return f"{found[1]}pull: 0"
                if kind in ("forge", "handle", "to"):
                    return f"{found[1]}{found[2]}<forge>"
                if said is not None:
                    return line if said(found[3]) is None else f"{found[1]}{found[2]}{said(found[3])}"
                return found[1] + found[2]
        return line

    def path(self, path: str) -> str:
        """Return a path in words."""
        found = _PULL_FILE.fullmatch(path)
        if found:
            return f"pulls/<forge>/{self.pulls[found[3]]}"
        return re.sub(rf"^pulls/({_FORGE})/", "pulls/<forge>/", path)

    def text(self, path: str, text: str) -> str:
        """Return a file in words."""
        given = text.split("\n")
        if path == "game.yaml":  # where somebody asks to join by a form is an issue; in the game's thread it is nowhere
            given = [line for line in given if not _LINES["issue"].match(line)]
        lines = [self.line(line) for line in given]
        if path.startswith("pulls/"):
            lines = [_KEPT.sub(lambda m: f"{m[1]}{self.fact(m[2])}: {m[3]}", line) for line in lines]
            lines = [line for line in lines if not line.strip().startswith(FORM)]
        if "/thread/" in path and "proposals:" in lines:
            lines = [*lines[: lines.index("proposals:")], ""]  # by forms: no comment in a script proposes anything
        if self.world.kept:
            lines = NONCE.sub("nonce: #", blank("\n".join(lines))).split("\n")
        if path == "head.yaml":
            lines = [line for line in lines if not line.startswith("digest:")]
        return "\n".join(lines)


def record(world: World) -> dict[str, str]:
    """Return every file of a world's game, in words."""
    words, found = Words(world), {}
    root = world.repo[world.main()].peel(pygit2.Tree)[f"state/{GAME}"]
    assert isinstance(root, pygit2.Tree)
    for path, data in _files(root):
        if path.startswith("issues/"):
            continue
        found[words.path(path)] = words.text(path, data.decode())
    return with_boxes_in_one(found)


def with_boxes_in_one(files: dict[str, str]) -> dict[str, str]:
    """Return files with those that say which boxes came as one: in which of them a box is noted is by chance."""
    kept = {path: text for path, text in files.items() if not path.startswith("boxes/")}
    came = [line for path in files.keys() - kept.keys() for line in re.findall(r"(?m)^\W*#.*: [0-9]+$", files[path])]
    return {**kept, **({"boxes": "\n".join(sorted(line.replace('"', "") for line in came))} if came else {})}


def _files(tree: pygit2.Tree, before: str = "") -> Any:
    for node in tree:
        if isinstance(node, pygit2.Tree):
            yield from _files(node, f"{before}{node.name}/")
        elif isinstance(node, pygit2.Blob):
            yield f"{before}{node.name}", node.data


def difference(ours: dict[str, str], theirs: dict[str, str]) -> str:
    """Return the first difference between two records, "" if there is none."""
    if ours.keys() != theirs.keys():
        return f"only one has {sorted(ours.keys() ^ theirs.keys())[:5]}"
    for path, text in sorted(ours.items()):
        pairs = zip(text.split("\n"), theirs[path].split("\n"), strict=False)
        for number, (a, b) in enumerate(pairs, 1):
            if a != b:
                return f"{path}:{number}: {a!r} and {b!r}"
        if text != theirs[path]:
            return f"{path}: one ends before the other"
    return ""


def recorded_twice(world: World) -> list[str]:
    """Return the facts that are in the journal more than once."""
    facts = Counter((entry.get("via") or {}).get("fact") for entry in world.game().entries())
    return [fact for fact, times in facts.items() if fact and times > 1]
