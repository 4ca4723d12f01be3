"""Proving a game: what is proved is counted, and every tampering is found, its file named, and the line that cannot be read."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.digest import bytes_digest, marker
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.files.canonical import write_yaml
from folkmoot.game.verify import verify
from folkmoot.journal import Head
from folkmoot.journal.layout import entry_bytes, entry_name
from folkmoot.kernel.redaction import redact_entry
from tests.support.toy_game import START, Toy, files, replay

FLIPS = int(os.environ.get("FOLKMOOT_FLIPS", "100"))


def problems(toy: Toy) -> list[Problem]:
    return verify(toy.folder, replay).problems


def named(toy: Toy) -> list[tuple[str, str]]:
    """Return code and file (inside the game) of each problem."""
    start = len(toy.folder.path.as_posix()) + 1
    return [(p.code, p.position.file[start:] if p.position else "") for p in problems(toy)]


@pytest.fixture
def long_toy(tmp_path: Path) -> Toy:
    game = Toy(tmp_path / "toy")
    game.play(3)
    return game


def test_a_sound_game(long_toy: Toy) -> None:
    long_toy.act("close_epoch")
    long_toy.act("roll", secret=None)
    report = verify(long_toy.folder, replay)
    assert report.problems == []
    assert report.sound
    assert report.counts == {"entries": 26, "replayed": 26, "derived": 10, "draws": 6, "open_draws": 1}
    assert report.facts[0] == "26 entries chain, from the founding to the one that head.yaml names"
    assert report.record()["sound"] is True


def test_draws_whose_secret_is_not_out(toy: Toy) -> None:
    assert verify(toy.folder, replay).counts["sealed_draws"] == 2


def entry(toy: Toy, seq: int) -> Path:
    return toy.folder.path / entry_name(seq)


def changed(seq: int, change: Callable[[bytes], bytes]) -> Callable[[Toy], None]:
    return lambda toy: void(entry(toy, seq).write_bytes(change(entry(toy, seq).read_bytes())))


def void(_: object) -> None:
    """Return nothing."""


def swap(toy: Toy) -> None:
    aside = toy.folder.path.parent / "aside"
    entry(toy, 7).rename(aside)
    entry(toy, 8).rename(entry(toy, 7))
    aside.rename(entry(toy, 8))


def relinked(data: bytes) -> bytes:
    at = data.index(b"prev: ") + 20
    return data[:at] + (b"0" if data[at : at + 1] != b"0" else b"1") + data[at + 1 :]


def retimed(data: bytes) -> bytes:
    at = data.index(b"at: ") + 15
    return data[:at] + b"13" + data[at + 2 :]


@pytest.mark.parametrize(
    ("spoil", "seqs", "words"),
    [
        (lambda toy: entry(toy, 7).unlink(), [7], "missing"),
        (lambda toy: void(shutil.copy(entry(toy, 24), entry(toy, 25))), [25], "holds entry 24"),
        (swap, [7, 8], "holds entry 8"),
        (changed(1, retimed), [1, 2], ""),
        (changed(12, retimed), [12, 13], ""),
        (changed(1, relinked), [1], ""),
        (changed(23, relinked), [23], ""),
        (changed(12, lambda data: data + b"do: roll\n"), [12], "000012.yaml:12:1:"),
        (changed(24, lambda data: b""), [24], "cut off"),
        (changed(24, lambda data: data[:40]), [24], "cut off"),
        (changed(24, lambda data: data[:-1]), [0, 24], "cut off"),
        (lambda toy: entry(toy, 24).unlink(), [0], "names entry 24 as the last one, but the journal ends with 23"),
    ],
)
def test_a_journal_that_was_tampered_with(
    long_toy: Toy, spoil: Callable[[Toy], None], seqs: list[int], words: str
) -> None:
    """Each entry (0: the head) that does not chain any more is named, and the line where it cannot be read."""
    spoil(long_toy)
    found = named(long_toy)
    assert {code for code, _ in found} == {"E-CHAIN"}
    assert {name for _, name in found} <= {entry_name(seq) if seq else "head.yaml" for seq in seqs}
    assert words in str(problems(long_toy)[0])


def test_an_entry_rewritten_with_all_that_follows(long_toy: Toy) -> None:
    """A forger who repairs the chain behind his change is found by the replay."""
    path = long_toy.folder.path
    entries = list(long_toy.folder.entries())
    shutil.rmtree(path / "journal")
    (path / "head.yaml").unlink()
    entries[1]["with"]["amount"] = 300
    for old in entries:
        del old["prev"]
    long_toy.folder.append(entries, {})
    assert named(long_toy) == [("E-REPLAY", entry_name(2))]


def test_time_that_runs_backwards(toy: Toy) -> None:
    entries = list(toy.folder.entries())
    shutil.rmtree(toy.folder.path / "journal")
    prev = "0" * 64
    for n, old in enumerate(entries):
        old |= {"prev": prev, "at": START - n if n == 4 else START + n}
        entry(toy, n + 1).parent.mkdir(parents=True, exist_ok=True)
        data = entry_bytes(old)
        entry(toy, n + 1).write_bytes(data)
        prev = bytes_digest(data)
    (toy.folder.path / "head.yaml").write_text(write_yaml(Head(len(entries), prev, START + 9).record()))
    found = problems(toy)
    assert len(found) == 1
    assert found[0].position is not None
    assert found[0].position.file.endswith(entry_name(5))
    assert "backwards" in found[0].message


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("journal/001/000007.yaml", "journal/000/000007.yaml"),
        ("journal/000/7.yaml", "journal/000/000007.yaml"),
        ("journal/000/000007.yaml.orig", "no journal"),
        ("journal/notes.txt", "no journal"),
        (".hidden", "nothing in the journal"),
        ("rules/203.yaml", "nothing in the journal"),
        ("inbox/vote.yaml", "nothing in the journal"),
    ],
)
def test_strays(toy: Toy, name: str, part: str) -> None:
    path = toy.folder.path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("rule: '203'\n")
    assert named(toy) == [("E-STRAY", name)]
    assert part in problems(toy)[0].message


@pytest.mark.parametrize("name", ["game.yaml", "rules/101.yaml", "history/101.yaml", "proposals/300/300.yaml"])
def test_derived_files(toy: Toy, name: str) -> None:
    path = toy.folder.path / name
    data = path.read_bytes()
    path.write_bytes(data.replace(b"t", b"T", 1))
    assert named(toy) == [("E-DERIVED", name)]
    path.write_bytes(data.replace(b"\n", b"\r\n"))
    assert "line endings" in problems(toy)[0].hint
    path.write_bytes(data + b"# a comment\n")
    found = problems(toy)[0]
    assert found.position is not None
    assert found.position.line == data.count(b"\n") + 1
    assert "comment" in found.message
    path.unlink()
    assert named(toy) == [("E-DERIVED", name)]


def test_a_forged_draw(toy: Toy) -> None:
    """Entries written by a keeper who chose his rolls chain and replay, but the opened secret gives him away."""
    made, _ = toy.judge("roll")
    gives = made["draws"][0]["result"]
    made["draws"][0]["result"] = gives % 6 + 1
    made["effects"][0]["text"] = f"rolled {gives % 6 + 1}"
    toy.folder.append([made], {})
    assert problems(toy) == []
    toy.act("close_epoch")
    assert named(toy) == [("E-DRAW", entry_name(11))]


def test_a_draw_from_elsewhere_than_the_open_epoch(toy: Toy) -> None:
    """Who has committed to a secret may not fall back on dice that he can foresee, nor the other way round."""
    toy.act("roll", secret=None)
    assert named(toy) == [("E-DRAW", entry_name(11))]
    toy.act("close_epoch")
    toy.act("roll")
    assert named(toy) == [("E-DRAW", entry_name(11)), ("E-DRAW", entry_name(13))]


def test_a_secret_that_was_not_committed_to(toy: Toy) -> None:
    toy.documents["game"]["chance"]["commitment"] = "00" * 32
    toy.act("close_epoch")

    def forged(entries: Any) -> Any:
        documents = replay(entries)
        chance = documents["game"]["chance"]
        chance["commitment"] = chance["opened"][0]["commitment"] = "00" * 32
        return documents

    assert [p.code for p in verify(toy.folder, forged).problems] == ["E-DRAW"]


# -- redaction


def redact(toy: Toy, seq: int, path: str) -> None:
    """Redact text of an entry as the record wants it: the act and the rewritten entry in one write."""
    changed = redact_entry(toy.folder.entry(seq), path)
    act, _ = toy.judge("redact", seq=seq, path=path, digest=bytes_digest(entry_bytes(changed)))
    toy.folder.append([act], {}, {seq: changed})


SECRET_TEXT = "My number is 555-1234."


def test_a_redacted_entry_is_accepted(long_toy: Toy) -> None:
    redact(long_toy, 7, "with.text")
    assert verify(long_toy.folder, replay).counts["redactions"] == 1
    assert problems(long_toy) == []
    text = entry(long_toy, 7).read_text()
    assert "555-1234" not in text
    assert marker(SECRET_TEXT) in text
    assert long_toy.folder.entry(7)["redacted"].keys() == {"with.text"}


def test_redacted_draws_stay_provable(toy: Toy) -> None:
    toy.act("roll", why=SECRET_TEXT)
    toy.act("close_epoch")
    toy.act("roll", secret=None, why=SECRET_TEXT)
    redact(toy, 11, "with.why")
    redact(toy, 13, "with.why")
    report = verify(toy.folder, replay)
    assert report.problems == []
    assert (report.counts["draws"], report.counts["open_draws"]) == (3, 1)


def test_the_same_text_goes_from_the_whole_entry(toy: Toy) -> None:
    whole = {"seq": 5, "with": {"text": "x y", "list": ["x y", "z"]}, "effects": [{"text": "x y"}], "do": "x y"}
    changed = redact_entry(whole, "with.text")
    assert changed["with"] == {"text": marker("x y"), "list": [marker("x y"), "z"]}
    assert changed["effects"] == [{"text": marker("x y")}]
    assert changed["do"] == "x y"
    assert list(changed["redacted"]) == ["effects.0.text", "with.list.0", "with.text"]
    assert whole["with"]["text"] == "x y"


@pytest.mark.parametrize(
    "path", ["with.nothing", "with", "do", "at", "with.list.7", "with.n", "with.list.x", "", "with.empty"]
)
def test_what_cannot_be_redacted(path: str) -> None:
    with pytest.raises(ProblemError, match="E-ARGS"):
        redact_entry({"seq": 5, "at": "x", "do": "a", "with": {"n": 1, "list": ["a"], "empty": ""}}, path)


def test_redactions_that_nobody_recorded_that_changed_more_or_were_not_carried_out(tmp_path: Path) -> None:
    def unrecorded(toy: Toy) -> None:
        entry(toy, 7).write_bytes(entry_bytes(redact_entry(toy.folder.entry(7), "with.text")))

    def more(toy: Toy) -> None:
        redact(toy, 7, "with.text")
        entry(toy, 7).write_bytes(entry_bytes({**toy.folder.entry(7), "by": "ann"}))

    def not_done(toy: Toy) -> None:
        act, _ = toy.judge("redact", seq=7, path="with.text", digest="ab" * 32)
        toy.folder.append([act], {})

    for spoil in (unrecorded, more, not_done):
        toy = Toy(tmp_path / spoil.__name__)
        toy.play()
        spoil(toy)
        assert named(toy) == [("E-REDACTION", entry_name(7))], spoil.__name__


# -- any byte


def test_any_flipped_byte_is_found_and_its_file_named(tmp_path: Path) -> None:
    """Random flips anywhere below the game; set FOLKMOOT_FLIPS=10000 for the full count."""
    toy = Toy(tmp_path / "toy")
    toy.play()
    toy.act("close_epoch")
    redact(toy, 7, "with.text")
    assert problems(toy) == []
    content = files(toy.folder.path)
    places = [(name, at) for name, data in content.items() for at in range(len(data))]
    source = random.Random(20260105)
    for _ in range(FLIPS):
        name, at = source.choice(places)
        data = bytearray(content[name])
        data[at] ^= 1 << source.randrange(8)
        (toy.folder.path / name).write_bytes(data)
        found = problems(toy)
        assert any(name in str(problem) for problem in found), (name, at, bytes(data), [str(p) for p in found])
        (toy.folder.path / name).write_bytes(content[name])
    assert problems(toy) == []
