"""Git's own folder as somebody hostile, or a power cut, leaves it: borrowed, replaced, cut, of another form."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.hostile_clones.ground import GAME, Clone, Kind, git
from tests.hostile_clones.programs import DAMAGED, HARMLESS


def _borrow(clone: Clone) -> None:
    """Borrow the objects of a neighbour, and name one of theirs as the branch."""
    (clone.git / "objects/info").mkdir(exist_ok=True)
    (clone.git / "objects/info/alternates").write_text(f"{clone.ground.neighbour}/.git/objects\n", "utf-8")
    git(clone.root, "update-ref", "refs/heads/theirs", git(clone.ground.neighbour, "rev-parse", "HEAD"))
    git(clone.root, "update-ref", "refs/pull/7/head", git(clone.ground.neighbour, "rev-parse", "HEAD"))


def _borrow_all(clone: Clone) -> None:
    _borrow(clone)
    git(clone.root, "update-ref", "--no-deref", "HEAD", git(clone.ground.neighbour, "rev-parse", "HEAD"))


def _replaced(clone: Clone) -> None:
    """Let another object stand for the head, and for a file of the record."""
    head = git(clone.root, "rev-parse", "HEAD")
    other = git(clone.root, "commit-tree", "-m", "another past", f"{git(clone.root, 'rev-parse', 'HEAD^{tree}')}")
    git(clone.root, "replace", "--force", head, other)
    blob = git(clone.root, "rev-parse", f"HEAD:state/{GAME}/head.yaml")
    game = git(clone.root, "rev-parse", f"HEAD:state/{GAME}/game.yaml")
    git(clone.root, "replace", "--force", blob, game)


def _grafts(clone: Clone) -> None:
    (clone.git / "info").mkdir(exist_ok=True)
    (clone.git / "info/grafts").write_text(f"{git(clone.root, 'rev-parse', 'HEAD')}\n", "utf-8")
    (clone.git / "shallow").write_text(f"{git(clone.root, 'rev-parse', 'HEAD')}\n", "utf-8")


def _loose(clone: Clone) -> None:
    """Let all objects lie loose, so that each can be cut."""
    for pack in (clone.git / "objects/pack").glob("*.pack"):
        aside = clone.ground.top / "pack"
        shutil.move(pack, aside)
        with aside.open("rb") as data:
            _unpack(clone, data.read())
    shutil.rmtree(clone.git / "objects/pack", ignore_errors=True)


def _unpack(clone: Clone, data: bytes) -> None:
    import subprocess

    subprocess.run(["git", "-C", str(clone.root), "unpack-objects", "-q"], input=data, check=True)


def _object(clone: Clone, what: str) -> Path:
    _loose(clone)
    name = git(clone.root, "rev-parse", what)
    path = clone.git / "objects" / name[:2] / name[2:]
    path.chmod(0o644)
    return path


def _cut(what: str, clone: Clone) -> None:
    path = _object(clone, what)
    data = path.read_bytes()
    path.write_bytes(data[:-1])


def _junk(what: str, clone: Clone) -> None:
    _object(clone, what).write_bytes(b"\x78\x01" + b"junk" * 100)


def _gone(what: str, clone: Clone) -> None:
    _object(clone, what).unlink()


def _empty(what: str, clone: Clone) -> None:
    _object(clone, what).write_bytes(b"")


def _packs(cut: Callable[[bytes], bytes], suffix: str, clone: Clone) -> None:
    git(clone.root, "repack", "-a", "-d", "-q", "--write-bitmap-index", check=False)
    for path in (clone.git / "objects/pack").glob(f"*{suffix}"):
        path.chmod(0o644)
        path.write_bytes(cut(path.read_bytes()))


def _file(name: str, cut: Callable[[bytes], bytes], clone: Clone) -> None:
    path = clone.git / name
    path.write_bytes(cut(path.read_bytes()))


def _work_tree(where: str, clone: Clone) -> None:
    """Let the settings name another folder as the work tree."""
    clone.settings(f"[core]\n\tworktree = {where.format(clone.ground.home, clone.ground.neighbour)}\n\tbare = false\n")


def _git_file(leads: str, clone: Clone) -> None:
    """Let `.git` be a file that leads to a neighbour, to nowhere, or round."""
    if clone.git != clone.root:
        shutil.rmtree(clone.git)
        clone.write(".git", leads.format(clone.ground.neighbour))


def _many_refs(clone: Clone) -> None:
    head = git(clone.root, "rev-parse", "HEAD")
    lines = [f"{head} refs/pull/{number}/head" for number in range(20_000)]
    (clone.git / "packed-refs").write_text(
        "# pack-refs with: peeled fully-peeled sorted \n"
        + "\n".join(sorted(lines, key=lambda line: line[41:]))
        + f"\n{head} refs/heads/main\n",
        "utf-8",
    )


def _own(plant: Callable[[Path], None]) -> Callable[[Clone], None]:
    return lambda clone: plant(clone.git)


HALF: Callable[[bytes], bytes] = lambda data: data[: len(data) // 2]  # noqa: E731
TAIL: Callable[[bytes], bytes] = lambda data: data[:-1]  # noqa: E731
ZEROS: Callable[[bytes], bytes] = lambda data: b"\0" * len(data)  # noqa: E731
NOTHING: Callable[[bytes], bytes] = lambda data: b""  # noqa: E731
OBJECTS = (
    "HEAD",
    "HEAD^{tree}",
    "HEAD:state",
    f"HEAD:state/{GAME}",
    f"HEAD:state/{GAME}/head.yaml",
    f"HEAD:state/{GAME}/journal/000",
)
HOWS = (("cut", _cut), ("of junk", _junk), ("gone", _gone), ("empty", _empty))

KINDS = {
    **{f"{name}, harmless": Kind(_own(plant)) for name, plant in HARMLESS.items()},
    **{f"{name}, damaged": Kind(_own(plant)) for name, plant in DAMAGED.items()},
    "objects of a neighbour": Kind(_borrow),
    "objects of a neighbour as the head": Kind(_borrow_all),
    "replaced objects": Kind(_replaced),
    "grafts": Kind(_grafts),
    **{
        f"the object {what} {how}": Kind(partial(plant, what))
        for number, what in enumerate(OBJECTS)
        for turn, (how, plant) in enumerate(HOWS)
        if turn == 0 or number % 3 == turn - 1
    },
    "a pack cut": Kind(partial(_packs, TAIL, ".pack")),
    "a pack halved": Kind(partial(_packs, HALF, ".pack")),
    "an index of a pack halved": Kind(partial(_packs, HALF, ".idx")),
    "a bitmap of junk": Kind(partial(_packs, HALF, ".bitmap")),
    "the index of zeros": Kind(partial(_file, "index", ZEROS)),
    "the settings empty": Kind(partial(_file, "config", NOTHING)),
    "HEAD empty": Kind(partial(_file, "HEAD", NOTHING)),
    "the branch empty": Kind(lambda clone: (clone.git / "refs/heads/main").write_text("")),  # type: ignore[arg-type,return-value]
    "a work tree in a home": Kind(partial(_work_tree, "{0}")),
    "a work tree of a neighbour": Kind(partial(_work_tree, "{1}")),
    "a .git that leads to a neighbour": Kind(partial(_git_file, "gitdir: {0}/.git\n")),
    "a .git that leads nowhere": Kind(partial(_git_file, "gitdir: /nowhere/.git\n")),
    "very many refs": Kind(_many_refs),
}  # fmt: skip
