"""What is kept of files that were read before: it is what reading them comes to, and only what changed is read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from folkmoot.cli import completion_pulls, document_cache
from folkmoot.cli.document_cache import FILE, KnownDocuments
from folkmoot.core.problems import ProblemError
from folkmoot.files.canonical import write_yaml
from folkmoot.journal import GameFolder
from folkmoot.journal.entries import read_entry, read_file
from folkmoot.journal.layout import read_document
from tests.cli.conftest import Moot
from tests.cli.gathering import Gathering

SCALARS = st.none() | st.booleans() | st.integers(-(2**80), 2**80) | st.text(st.characters(codec="utf-8"), max_size=9)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab1:", max_size=3), inner, max_size=3)
)


def same(left: Any, right: Any) -> bool:
    """Say whether two values are equal and of one type throughout, in the same order."""
    if isinstance(left, dict) and isinstance(right, dict):
        return [*left] == [*right] and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and bool(left == right)


@given(st.dictionaries(st.text("abc", min_size=1, max_size=3), VALUES, max_size=4))
def test_what_is_kept_is_what_reading_comes_to(value: dict[str, Any]) -> None:
    import tempfile

    data = write_yaml(value).encode()
    try:
        wanted = read_document("things/game", data, "game.yaml")
    except ProblemError:
        return
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            known = KnownDocuments(Path(folder, FILE), "one")
            assert same(known.read("things/game", data, "game.yaml"), wanted)
            known.keep()


@pytest.mark.parametrize(
    "text",
    ["seq: 1\nprev: ''\nat: 2026-01-05T12:00:00Z\ndo: found\n", "- 1\n", "seq: 1\n", "seq: [\n", "seq: 1\nseq: 2\n"],
)
def test_a_large_entry_is_read_as_a_small_one_and_known_the_next_time(tmp_path: Path, text: str) -> None:
    data, said = (text + "# more\n" * 3_000).encode(), []
    for _ in range(2):
        known = KnownDocuments(tmp_path / FILE, "one")
        try:
            said.append(known.read("journal/1.yaml", data, "1.yaml"))
        except ProblemError as error:
            said.append([(problem.code, problem.message) for problem in error.problems])
        known.keep()
    try:
        wanted: Any = read_entry(data, "1.yaml")
    except ProblemError as error:
        wanted = [(problem.code, problem.message) for problem in error.problems]
    assert said == [wanted, wanted]
    assert bool(known._kept) == isinstance(wanted, dict)


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what is read exactly from now on, by key."""
    found: list[str] = []

    def counted(key: str, data: bytes, file: str) -> Any:
        found.append(key)
        return read_file(key, data, file)

    monkeypatch.setattr(document_cache, "read_file", counted)
    return found


def test_only_what_changed_is_read_again(table: Moot, reads: list[str], tmp_path: Path) -> None:
    assert table("show", "rule", "206").code == 0
    rules = GameFolder(tmp_path / "state" / "table").load()
    assert {key for key in rules if key.startswith("rules/")} <= {*reads}
    reads.clear()
    table("act", "state", "Hear me.", "--by", "ann", "--at", "2026-01-05T12:00:30Z")
    reads.clear()
    said = table("show", "rule", "206")
    assert said.code == 0
    assert len([key for key in reads if key.startswith("rules/")]) == 0
    assert len(reads) < 8, "what an act changes, and nothing of the law"
    rule = next((tmp_path / "state/table/rules").glob("206*.yaml"))
    rule.write_text(rule.read_text("utf-8").replace("title: ", "title: Our "), "utf-8")
    reads.clear()
    assert "Our " in table("show", "rule", "206").out
    assert reads == ["rules/206"]


@pytest.mark.parametrize(
    "spoil", [lambda file: file.write_bytes(b"\x00"), lambda file: file.unlink(), lambda file: file.write_bytes(b"")]
)
def test_what_is_kept_may_be_lost_or_damaged(table: Moot, tmp_path: Path, spoil: Callable[[Path], object]) -> None:
    before = table("show", "rule", "206").out
    spoil(tmp_path / ".git" / FILE)
    (tmp_path / ".git" / "moot-shown.json").unlink(missing_ok=True)
    assert table("show", "rule", "206").out == before


def test_what_another_engine_read_is_nothing_here(
    table: Moot, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    table("show", "rule", "206")
    reads.clear()
    monkeypatch.setattr(document_cache, "_engine", lambda: "another")
    table("explain", "rule", "206")
    assert "rules/206" in reads


def test_what_is_kept_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document_cache, "LARGEST", 1_000)
    for number in range(40):
        known = KnownDocuments(tmp_path / FILE, "one")
        known.read("things/game", f"text: {'x' * 50}{number}\n".encode(), "game.yaml")
        known.keep()
    assert (tmp_path / FILE).stat().st_size < 4_000


def test_open_pull_requests_are_read_once_until_refs_move(
    gathering: Gathering, monkeypatch: pytest.MonkeyPatch
) -> None:
    gathering.tea()
    gathering.referee()
    gathering.moot("bob", "status")
    clone = gathering.clone("bob")
    assert completion_pulls.open_pulls(clone) == [("1", "Tea")]
    with monkeypatch.context() as patch:
        patch.setattr(completion_pulls, "_read", lambda root: pytest.fail("nothing has moved"))
        assert completion_pulls.open_pulls(clone) == [("1", "Tea")]
    gathering.moot("ann", "withdraw", "1")
    gathering.referee()
    gathering.moot("bob", "status")
    assert completion_pulls.open_pulls(clone) == []
