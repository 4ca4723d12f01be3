"""What is sealed stands nowhere before its time: not in files, pages, the log, what is printed, nor in a traceback."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
import zlib
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.sealed_data import write_box
from folkmoot.game.session import Session
from folkmoot.player.sealing import seal_arguments
from tests.support.canaries import AT, CANARY, act, kept, ways
from tests.support.moot import Moot, Said

__all__ = ["kept"]


def told(folder: Path, said: list[Said]) -> bytes:
    """Return every byte of a repository, its objects unpacked, its pages too, and what was printed."""
    found = [f"{each.out}{each.err}".encode() for each in said]
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            found.append(data)
            if data.startswith(b"\x1f\x8b"):  # the site's map and the index of its search are compressed
                found.append(gzip.decompress(data))
            if ".git" in path.parts and "objects" in path.parts:
                found.append(zlib.decompress(data) if path.parent.name != "pack" else b"")
    return b"\n".join(found)


def damaged(moot: Moot, folder: Path) -> list[Said]:
    """Send what was sealed before with something of it changed, in clear JSON too, and return what is said of that."""
    with Session.open(folder / "state" / "notes") as session:
        words = [
            seal_arguments(session, "ann", "keep", {"note": CANARY, "alone": CANARY}),
            seal_arguments(session, "ann", "choose", {"one": CANARY}),
        ]
    note, alone, one = words[0]["note"], words[0]["alone"], words[1]["one"]
    _, commitment, box = note.split(".")
    wrong = [
        write_box("0" * 64, box),
        write_box(commitment, f"{box[:-8]}AAAAAAA="),
        write_box(commitment, box[:400]),
        write_box(commitment, box[400:]),
        one,
        alone,
        f"{note}x",
        f"[{note}]",
    ]
    said = [
        moot("act", "--at", AT, "--by", "ann", "keep", f"note={each}", f"alone={alone}", "--anyway") for each in wrong
    ]
    said += [moot("act", "--at", AT, "--by", "ann", "choose", f"one={one}", "--anyway")]
    said += [moot("act", "--at", AT, "--by", "bob", "open_sealed", "number=2", f"value={one}", "salt=ab", "nonce=cd")]
    assert [each for each in said[:5] if each.code == 0] == []
    return said


EXPLAINED = (
    *(("entry", str(seq)) for seq in range(1, 16)),
    ("ann", "note"),
    ("ann", "alone"),
    ("action", "keep"),
    ("rule", "1"),
    ("limits",),
)


def looked(moot: Moot) -> list[Said]:
    """Return what is printed by all that shows a game, but the owner's own hand."""
    looks: list[tuple[str, ...]] = [
        ("log",),
        ("log", "--json"),
        ("status",),
        ("status", "--json"),
        ("verify",),
        ("verify", "--json"),
        (
            "serve",
            "--build",
        ),
        ("show", "rules"),
        ("show", "rules", "--json"),
        ("show",),
        ("show", "scores"),
        ("show", "rule", "1"),
        *(("explain", *what, *form) for what in EXPLAINED for form in ((), ("--json",))),
        ("act", "--list"),
        ("act", "keep", "--help"),
        ("doctor",),
    ]
    said = [moot(*words) for words in looks]
    there = [each for each in said if "there is no entry" not in each.err + each.out]
    assert len([each for each in there if each.code == 0 and len(each.out) > 40]) >= len(there) - 2
    assert len(there) > 25
    return [*said, moot("show", "hand", "--by", "bob"), moot("show", "hand", "--by", "bob", "--json")]


@pytest.mark.threat("T-81")
def test_the_canary_is_nowhere_before_its_time(kept: Moot, tmp_path: Path) -> None:
    said = [act(kept, "ask", f"function={name}") for name in ("adds",)]
    said += [act(kept, "keep", f"note={CANARY}", f"alone={CANARY}")]
    said += [act(kept, "ask", "function=digs"), act(kept, "keep", f"note={CANARY}", f"alone={CANARY}")]
    said += [act(kept, "ask", "function=quits"), act(kept, "keep", f"note={CANARY}", f"alone={CANARY}")]
    said += [act(kept, "use"), act(kept, "order"), *damaged(kept, tmp_path)]
    said += looked(kept)
    assert [each for each in said if "Traceback" in each.err] == []
    public = told(tmp_path, said)
    assert [way for way in ways(CANARY) if way in public] == []
    assert CANARY in kept("show", "hand", "--by", "ann").out
    assert any("sealed" in path.read_text("utf-8") for path in (tmp_path / "site" / "notes").rglob("*.html"))


@pytest.mark.threat("T-81")
def test_the_canary_is_neither_in_the_built_site_nor_in_its_search_feeds_and_calendars(
    kept: Moot, tmp_path: Path
) -> None:
    act(kept, "ask", "function=digs")
    act(kept, "use")
    said = kept("serve", "--build")
    assert said.code == 0, said.err
    site = tmp_path / "site"
    assert list((site / "pagefind" / "fragment").iterdir())
    assert [(site / "notes" / name).is_file() for name in ("events.atom", "game.json", "calendar.ics")] == [True] * 3
    public = told(tmp_path, [said])
    assert [way for way in ways(CANARY) if way in public] == []
    assert act(kept, "keep", f"note={CANARY}", f"alone={CANARY}").code == act(kept, "show").code == 0
    assert kept("serve", "--build").code == 0
    public = told(site, [])
    assert CANARY.encode() in public


@pytest.mark.threat("T-81")
@pytest.mark.parametrize(
    "part", ["with.note", "with.note.box", "with.alone", "with.alone.commitment", "sealed.0.commitment"]
)
def test_no_box_is_redacted_and_asking_for_it_tells_nothing(kept: Moot, tmp_path: Path, part: str) -> None:
    seq = next(int(entry["seq"]) for entry in _entries(tmp_path) if entry.get("do") == "keep")
    done = act(kept, "redact", f"seq={seq}", f"path={part}", "why=Not for the record")
    assert (done.code, "E-ARGS" in done.err) == (1, True), done.err
    assert kept("verify").code == 0
    said = [done, *looked(kept), kept("log", "--all")]
    said += [
        act(kept, "ask", "function=adds"),
        act(kept, "use"),
        act(kept, "keep", f"note={CANARY}", f"alone={CANARY}"),
    ]
    assert [each for each in said if "Traceback" in each.err] == []
    public = told(tmp_path, said)
    assert [way for way in ways(CANARY) if way in public] == []


@pytest.mark.threat("T-81")
@pytest.mark.parametrize(("how", "path"), [("show", "effects.0.to"), ("show", "sealed.0.value"), ("open_sealed", "")])
@pytest.mark.parametrize("keyed", [True, False])
def test_what_was_opened_is_gone_from_the_record_once_it_is_redacted(
    kept: Moot, tmp_path: Path, how: str, path: str, keyed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record goes on to verify, with the keeper's key and without; that it was opened rightly cannot be shown."""
    assert act(kept, how).code == 0
    entry = _entries(tmp_path)[-1]
    place = path or next(f"sealed.{n}.value" for n, each in enumerate(entry["sealed"]) if "opened" in each)
    done = act(kept, "redact", f"seq={entry['seq']}", f"path={place}", "why=Not for the record")
    assert done.code == 0, done.err
    if not keyed:
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path.parent / "nobody's settings"))
        (tmp_path / ".git" / "moot").exists() and shutil.rmtree(tmp_path / ".git" / "moot")
    proved = kept("verify")
    assert proved.code == 0, proved.err
    assert "1 opened value is redacted" in proved.out
    assert act(kept, "use").code in (0, 3)
    state = b"".join(path.read_bytes() for path in (tmp_path / "state").rglob("*") if path.is_file())
    assert [way for way in ways(CANARY) if way in state] == []
    assert kept("serve", "--build").code == 0
    pages = b"".join(path.read_bytes() for path in (tmp_path / "site").rglob("*") if path.is_file())
    assert [way for way in ways(CANARY) if way in pages] == []


def test_an_opening_that_looks_as_if_it_were_redacted_proves_nothing(kept: Moot, tmp_path: Path) -> None:
    """Only what a later entry says was redacted counts as that; the record itself cannot say so."""
    assert act(kept, "show").code == 0
    file = max((tmp_path / "state" / "notes" / "journal").rglob("*.yaml"))
    marker = f"[redacted sha256:{'0' * 64}]"
    text = file.read_text("utf-8").replace(CANARY, f'"{marker}"')
    file.write_text(f'{text}redacted:\n  sealed.0.value: "{"0" * 64}"\n', "utf-8")
    assert kept("verify").code == 4


def _entries(folder: Path) -> list[Any]:
    with Session.open(folder / "state" / "notes") as session:
        return list(session.record.entries())


@pytest.mark.threat("T-81")
def test_a_wrong_value_is_blamed_on_the_machine_where_it_was_typed_alone(kept: Moot, tmp_path: Path) -> None:
    said = act(kept, "choose", f"one={CANARY}")
    assert (said.code, "one is one of (a, b)" in said.err) == (1, True)
    public = told(tmp_path, looked(kept))
    assert [way for way in ways(CANARY) if way in public] == []


def test_what_was_opened_is_shown_with_its_proof(kept: Moot, tmp_path: Path) -> None:
    assert act(kept, "show").code == 0
    assert act(kept, "open_sealed").code == 0
    log = kept("log").out
    assert log.count(CANARY) >= 2
    document = json.dumps(_sealed(tmp_path))
    commitments = [each["commitment"] for each in json.loads(document).values()]
    assert [each[-8:] in log for each in commitments] == [True, True]
    assert "moot verify checks" in " ".join(log.split())
    assert kept("serve", "--build").code == 0
    pages = "".join(path.read_text("utf-8") for path in (tmp_path / "site" / "notes").rglob("*.html"))
    assert [each in pages for each in commitments] == [True, True]
    assert kept("verify").code == 0
    lines = [unescape(found) for found in re.findall(r"<code>(printf [^<]*)</code>", pages)]
    said = [subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True).stdout for line in lines]
    assert sorted(each.split()[0] for each in said) == sorted(commitments)
    assert [line for line in lines if CANARY.encode().hex() not in line] == []


def _sealed(folder: Path) -> dict[str, Any]:
    with Session.open(folder / "state" / "notes") as session:
        found: dict[str, Any] = session.document("sealed/000")
        return found
