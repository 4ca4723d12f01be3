"""Records that are damaged, endless, of another time, or made to mislead, each file of the game in its turn."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from folkmoot.cli.exit_codes import Exit
from tests.conftest import FUZZ
from tests.hostile_clones.ground import GAME, Clone, Kind, git

FILES = (
    "game.yaml",
    "head.yaml",
    "roster.yaml",
    "rules/205.yaml",
    "journal/000/000001.yaml",
    "journal/000/000002.yaml",
)
WHICH = frozenset({Exit.USAGE})
"""Where there are several games, one is to be named."""
LONG = 30_000_000 if FUZZ else 5_000_000  # characters, of a line that nobody reads
DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[: len(data) // 2],
    "emptied": lambda data: b"",
    "of zeros": lambda data: b"\0" * len(data),
    "not UTF-8": lambda data: b"\xff\xfe" + data,
    "of another shape": lambda data: b"- 1\n- 2\n",
    "of a number": lambda data: b"7\n",
    "very deep": lambda data: b"a: " + b"[" * 100_000,
    "of borrowed values": lambda data: b"a: &a [1, 1]\nb: &b [*a, *a]\nc: &c [*b, *b]\n" + data,
    "that builds an object": lambda data: b"x: !!python/object/apply:os.system ['touch ran']\n" + data,
    "of one long line": lambda data: b"title: " + b"x" * LONG,
    "with escapes": lambda data: data.replace(b"title:", b'"\\e]0;x\\a\\u202e": 1\ntitle:', 1) + b"\x1b[2J",
    "with a key twice": lambda data: data + data,
}


def _damage(file: str, change: Callable[[bytes], bytes], clone: Clone) -> None:
    path = clone.game / file
    path.write_bytes(change(path.read_bytes()))
    clone.commit()


def _missing(file: str, clone: Clone) -> None:
    (clone.game / file).unlink()
    clone.commit()


def _sparse(file: str, clone: Clone) -> None:
    """Let a file be eight gigabytes of nothing, which no commit takes."""
    path = clone.clear(f"state/{GAME}/{file}" if file[0] != "/" else file[1:])
    with path.open("wb") as hole:
        hole.truncate(8 << 30)


def _sub(file: str, pattern: str, to: str, clone: Clone) -> None:
    path = clone.game / file
    path.write_text(re.sub(pattern, to, path.read_text("utf-8")), "utf-8")
    clone.commit()


def _record_in_the_future(clone: Clone) -> None:
    for path in sorted((clone.game / "journal/000").iterdir()):
        path.write_text(re.sub(r"20\d\d-(\d\d-\d\dT)", r"2999-\1", path.read_text("utf-8")), "utf-8")
    clone.commit()


def _commits_at(when: str, clone: Clone) -> None:
    for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        os.environ[name] = when
    try:
        clone.write("README.md", "Of another time.\n")
        clone.commit()
    finally:
        for name in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
            os.environ.pop(name)


def _files_at(when: float, clone: Clone) -> None:
    for path in [clone.root, *clone.root.rglob("*")]:
        os.utime(path, (when, when), follow_symlinks=False)


def _played_on(home: str, kind: str, clone: Clone) -> None:
    """Let the game say that it is played somewhere else than where it comes from."""
    game = clone.game / "game.yaml"
    said = f"forge:\n  kind: {kind}\n  home: {home.format(clone.ground.listener.port)}\n"
    game.write_text(re.sub(r"^forge:.*\n(?:  .*\n)*", "", game.read_text("utf-8"), flags=re.MULTILINE) + said, "utf-8")
    clone.commit()


def _another_past(clone: Clone) -> None:
    """Let the last entry be gone from the record and from the branch, as somebody does who rolls it back."""
    entries = sorted((clone.game / "journal/000").iterdir())
    entries[-1].unlink()
    clone.commit()
    git(clone.root, "update-ref", "-d", "refs/moot/forge", check=False)


def _stray(clone: Clone) -> None:
    for name in (
        "journal/000/000099.yaml",
        "journal/999/999999.yaml",
        "rules/999.yaml",
        "journal/x",
        "things/x.py",
        "run.sh",
    ):
        clone.write(f"state/{GAME}/{name}", "title: Stray\n")
    clone.commit()


def _second_game(name: str, clone: Clone) -> None:
    """Let another folder of games stand beside the first, with the same record or none."""
    import shutil

    shutil.copytree(clone.game, Path(os.fsdecode(os.fsencode(clone.root / "state") + b"/" + name.encode())))
    clone.commit()


KINDS = {
    **{
        f"{file} {how}": Kind(partial(_damage, file, change), large="long" in how)
        for number, file in enumerate(FILES)
        for turn, (how, change) in enumerate(DAMAGES.items())
        if (number + turn) % 3 == 0
    },
    **{f"{file} missing": Kind(partial(_missing, file)) for file in FILES},
    **{f"{file} of eight gigabytes": Kind(partial(_sparse, file)) for file in (*FILES[:4:2], FILES[5], "/mkdocs.yml", "/tea.yaml")},
    "a record in the future": Kind(_record_in_the_future),
    "commits in the future": Kind(partial(_commits_at, "2099-01-01T00:00:00Z")),
    "commits of 1970": Kind(partial(_commits_at, "1970-01-01T00:00:01Z")),
    "files of the future": Kind(partial(_files_at, 4e9)),
    "files of 1970": Kind(partial(_files_at, 0)),
    "played on another host": Kind(partial(_played_on, "http://127.0.0.1:{0}/ann/game", "github")),
    "played on a Gitea elsewhere": Kind(partial(_played_on, "http://127.0.0.1:{0}/ann/game", "gitea")),
    "played at an address of nonsense": Kind(partial(_played_on, "ext::sh -c 'touch ran'", "gitea")),
    "another past": Kind(_another_past),
    "stray files": Kind(_stray),
    "a title with escapes": Kind(partial(_sub, "game.yaml", r"(?m)^title: .*$", r'title: "\\e]0;x\\a\\u202eevil\\r\\n99  bob won"')),
    **{
        f"a second game called {name!r}": Kind(partial(_second_game, name), answers=WHICH)
        for name in ("Dragons", "a\nb", "x\x1b[2J", "\u202eevil", "..evil", "-x", "$(touch ran)", "a\\b", "con")
    },
}  # fmt: skip
