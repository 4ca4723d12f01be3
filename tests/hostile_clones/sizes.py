"""Names that no file should have, folders that are far too full or deep, and files that only differ in case."""

from __future__ import annotations

import os
from functools import partial

from tests.conftest import FUZZ
from tests.hostile_clones.ground import GAME, Clone, Kind

MANY = 100_000 if FUZZ else 3_000
DEEP = 1_100  # more than Python lets calls nest; with 1,900 no path that begins at the root leads to the innermost
ODD = (
    *("a\nb", "\x1b[2J", "\u202egnp.exe", "a\\..\\b", "-rf", "~", "$(touch ran)", "`touch ran`", "a b", "con", ".git "),
    *("GIT~1", "\u200b.git", "x" * 240, "%s%n", "{0}", "é", "e\u0301"),
)
PLACES = (
    *(f"state/{GAME}", f"state/{GAME}/rules", f"state/{GAME}/journal/000", "site_src", f"site_src/{GAME}", "state"),
    *(".", "ci", ".github/workflows"),
)


def _names(place: str, clone: Clone) -> None:
    folder = clone.root / place
    folder.mkdir(parents=True, exist_ok=True)
    for name in ODD:
        (folder / f"{name}.yaml").write_text("title: Odd\n", "utf-8")
    (folder / os.fsdecode(b"\xff\xfe.yaml")).write_bytes(b"title: Bytes\n")
    clone.commit()


def _many(place: str, clone: Clone) -> None:
    folder = clone.root / place
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(MANY):
        (folder / f"{number:08d}.yaml").touch()


def _deep(place: str, clone: Clone) -> None:
    folder = clone.root / place
    folder.mkdir(parents=True, exist_ok=True)
    here = os.open(folder, os.O_RDONLY)
    for _ in range(DEEP):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)


def _alike(clone: Clone) -> None:
    for name in ("rules/205.YAML", "Rules/205.yaml", "GAME.yaml", "Head.yaml", "journal/000/000001.YAML"):
        clone.write(f"state/{GAME}/{name}", "title: Alike\n")
    clone.write(f"State/{GAME}/game.yaml", "title: Alike\n")
    clone.write("MKDOCS.yml", "hooks: [x.py]\n")
    clone.write(".Git/hooks/post-commit", "#!/bin/sh\ntouch ran\n")
    clone.commit()


def _many_games(clone: Clone) -> None:
    for number in range(MANY // 100):
        clone.write(f"state/game{number}/game.yaml", "title: Many\n")


KINDS = {
    **{f"odd names in {place}": Kind(partial(_names, place)) for place in PLACES},
    **{f"very many files in {place}": Kind(partial(_many, place), large=True) for place in PLACES[:6:2]},
    **{f"very deep folders in {place}": Kind(partial(_deep, place), large=True) for place in (f"state/{GAME}", "site_src", f"state/{GAME}/rules")},
    "names that differ in case": Kind(_alike),
    "very many games": Kind(_many_games, large=True),
}  # fmt: skip
