"""Writes what every Python must write byte for byte: `python tests/corpus/make.py` makes the corpus anew.

Odd texts stand there as whole files, packaged games that were played a stretch as the digest of all their bytes. Without
a word it compares instead and says what differs, so that any Python that can import the engine can be asked.
"""

from __future__ import annotations

import hashlib
import json
import platform
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent))

from folkmoot.core.events import Event  # noqa: E402
from folkmoot.core.problems import ProblemError  # noqa: E402
from folkmoot.core.values import told  # noqa: E402
from folkmoot.files.canonical import write_yaml  # noqa: E402
from folkmoot.files.fast_reader import load_yaml  # noqa: E402
from folkmoot.files.reader import read_rule  # noqa: E402
from folkmoot.files.string_forms import describe, shown  # noqa: E402
from folkmoot.game.rulesets import founding  # noqa: E402
from folkmoot.journal.layout import document_bytes, entry_bytes  # noqa: E402
from folkmoot.kernel.names import outline  # noqa: E402  (the engine beside this file, whichever Python asks)
from folkmoot.kernel.replay import entry_of  # noqa: E402
from folkmoot.kernel.step import Kernel  # noqa: E402
from folkmoot.kernel.things import canonical_digest  # noqa: E402

START = 1_767_614_400  # 2026-01-05T12:00:00Z
SUSPECTS = (
    "a\U0001e4d0", "a\U0001e4d0b: c", "a\u0378", "a²", "aªº", "\u00d7 3", "3 \u00d7 4", "naïve", "Straße", "İstanbul", "ſtop",
    "K", "ﬁ", "ａｂ", "\u1e9e", "\u200d", "a\u200db", "a\u3000", "\u3000\n\u3000", "\u00a0", "a\u2028b", "a\u0085b", "\U0001f9d1",
    "\U0001fadc", "\U0001fae9", "一二", "\U0002ebf0", "٣", "１２", "नमस्ते", "שלום", "a\u1c89", "\ua7da", "\u0897", "no", "NO",
    "ON", "Ёж", "ЙOHN", "\U00010d4a", "x\U0001e4d0=1", "é", "e\u0301", "가", "\u1100\u1161", "0x1f", "1_000", "12:30", "~",
)  # fmt: skip
RULESETS = ("imperial", "suber", "suber-mail")


def texts() -> Iterator[str]:
    """Yield odd texts: those that Pythons are known to quarrel over, and one of each ten thousand characters."""
    yield from SUSPECTS
    yield from (chr(code) for code in range(0xA0, 0x110000, 9_973) if not 0xD800 <= code < 0xE000)


def odd() -> str:
    """Return what the engine makes of odd texts: written as value, key and block, at a glance, in messages."""
    made = []
    for text in texts():
        block = {"v": text, f"{text}k": f"a\n{text}\n", "l": [text, f"a {text}"]}
        looks = {"outline": outline(text), "told": told([text]), "shown": shown(text), "described": describe(text[-1])}
        made.append({"block": block, "looks": looks, "rule": verdict(text)})
    return write_yaml(made)


def verdict(text: str) -> str:
    """Return what the reader of rules says of a text as title and as script."""
    try:
        read_rule(write_yaml({"title": text, "text": text, "script": f"# {text}\nx = 1\n"}), "x.yaml")
    except ProblemError as error:
        return str(error)
    return "read"


def played(ruleset: str) -> str:
    """Return the digest of the journal and all files of a packaged game after a stretch of acts, most of them odd."""
    kernel, entries = Kernel(), []
    law = json.loads(json.dumps(founding(ruleset)))
    people = [{"id": who} for who in ("ann", "bob", "cid")]

    def judge(do: str, by: str | None, with_: dict[str, Any]) -> None:
        seq = len(entries) + 1
        prev = canonical_digest(entries[-1]) if entries else "0" * 64
        event = Event(seq=seq, at=START + 3600 * seq, do=do, by=by, with_=with_, prev=prev)
        entries.append(json.loads(json.dumps(entry_of(event, kernel.apply(event)))))

    judge("found", None, {"zone": "UTC", **law, "players": people, "administrators": ["root"]})
    for text in SUSPECTS:
        judge("state", "ann", {"text": text})
        judge("propose", "bob", {"title": text, "changes": [{"enact": {"title": text, "text": f"{text}\n"}}]})
        judge("vote", "cid", {"choice": text, "proposal": text})
        judge("join", None, {"id": text, "name": text})
    files = [entry_bytes(entry) for entry in entries]
    files += [document_bytes(key, document) for key, document in kernel.documents.everything().items() if key != "head"]
    assert all(load_yaml(data.decode(), "x.yaml") is not None for data in files)
    return hashlib.sha256(b"\0".join(files)).hexdigest()


def corpus() -> dict[str, str]:
    """Return the corpus: name of the file → its text."""
    games = {ruleset: played(ruleset) for ruleset in RULESETS}
    return {"odd.yaml": odd(), "games.yaml": write_yaml(games)}


def differences() -> list[str]:
    """Return where this Python writes other bytes than the corpus has, one sentence each."""
    found = []
    for name, text in corpus().items():
        kept = (HERE / name).read_bytes().decode().split("\n")
        pairs = zip(text.split("\n"), kept, strict=False)
        found += [
            f"{name}:{n}: {told(a)} where the corpus has {told(b)}" for n, (a, b) in enumerate(pairs, 1) if a != b
        ][:5]
        if len(text.split("\n")) != len(kept):
            found.append(f"{name}: another number of lines")
    return found


if __name__ == "__main__":
    if "--write" in sys.argv:
        for name, text in corpus().items():
            (HERE / name).write_bytes(text.encode())
    wrong = differences()
    print(
        f"Python {platform.python_version()}, Unicode {unicodedata.unidata_version}:",
        "\n".join(wrong) or "the same bytes",
    )
    sys.exit(bool(wrong))
