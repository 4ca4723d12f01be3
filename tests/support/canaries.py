"""Sealed words that must come out nowhere, and the ways by which they might."""

from __future__ import annotations

import subprocess
from base64 import b64encode
from pathlib import Path

import pytest

from folkmoot.game import secret_store
from folkmoot.game.session import Session
from tests.support.moot import Moot, Said
from tests.support.table import START, rule

AT = "2026-01-05T12:00:00Z"
CANARY = "heartsease5f3a"
NOTES = rule(
    "1",
    """
    def adds(note):
        return note + 1

    def digs(note):
        return {"a": 1}[note]

    def quits(note):
        fail(note)

    def do_keep(a):
        put(a.by, "note", a.args.note)
        put(a.by, "alone", a.args.alone)

    def do_ask(a):
        put(a.by, "note", sealed(a.args.function, get(a.by, "note")))

    def do_use(a):
        announce("x" + get(a.by, "note"))

    def do_order(a):
        announce("%s" % sorted([get(a.by, "note"), get(a.by, "alone")]))

    def do_show(a):
        reveal(get(a.by, "note"))
    """,
    sealed=dict.fromkeys(("adds", "digs", "quits"), "What it tells"),
    defines={
        "player": {"note": {"type": "any", "sealed": "owner"}, "alone": {"type": "any", "sealed": "owner"}},
    },
    actions={
        "keep": {
            "arguments": {"note": {"type": "any", "sealed": "owner"}, "alone": {"type": "any", "sealed": "author"}}
        },
        "choose": {"arguments": {"one": {"type": "choice", "of": ["a", "b"], "sealed": "nobody"}}},
        "ask": {"arguments": {"function": {"type": "string"}}},
        **{name: {} for name in ("use", "order", "show")},
    },
)


@pytest.fixture
def kept(moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Moot:
    """Return `moot` where ann has sealed the canary twice: to the keeper and herself, and to herself alone."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path.parent / f"{tmp_path.name}-settings"))
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.SEALING, "")
    for words in (["init", "-q"], ["config", "user.name", "Ann"], ["config", "user.email", "ann@x.org"]):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True)
    people = [{"id": player, "surname": player} for player in ("ann", "bob")]
    law = {"title": "Notes", "rules": [NOTES], "players": people, "administrators": ["ann"]}
    assert Session.found(tmp_path / "state" / "notes", law, START).accepted
    assert moot("key", "--keeper").code == 0
    assert act(moot, "open_sealing").code == 0
    key = moot("key", "--sealing", "--json").record["recipient"]
    assert act(moot, "use_sealing_key", f"key={key}").code == 0
    assert act(moot, "keep", f"note={CANARY}", f"alone={CANARY}").code == 0
    return moot


def act(moot: Moot, do: str, *words: str) -> Said:
    return moot("act", "--at", AT, "--by", "ann", do, *words)


def ways(word: str) -> list[bytes]:
    """Return how the canary could be written."""
    name = word.encode()
    shifted = [b64encode(b" " * shift + name)[4:-4] for shift in range(3)]
    escaped = ["".join(f"\\u{byte:04x}" for byte in name), "".join(f"\\x{byte:02x}" for byte in name)]
    return [name, name.upper(), name[::-1], name.hex().encode(), *(each.encode() for each in escaped), *shifted]
