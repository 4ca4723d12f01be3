"""Wide documents are written as the canonical writer writes them, whatever was known of their files before."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.core.problems import ProblemError
from folkmoot.files.canonical import UnwritableError, write_yaml
from folkmoot.journal import wide_documents
from folkmoot.journal.layout import read_document
from folkmoot.journal.wide_documents import WIDE, WideDocuments
from tests.conftest import examples

TEXT = st.text(st.sampled_from("ab:#-'\" \n\té|101yes"), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2**70) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
NAMES = st.sampled_from([f"{n}" for n in range(0, WIDE + 20, 7)])
CHANGES = st.lists(
    st.tuples(st.sampled_from(["entry", "remove", "beside", "hand", "new process", "nothing"]), NAMES, VALUES),
    max_size=6,
)


def _law() -> dict[str, Any]:
    return {
        "version": 1,
        "rules": {
            str(n): {"number": str(n), "former_numbers": [], "at": 10**9, "text": "x" * 400} for n in range(WIDE)
        },
        "z": {},
    }


def _changed(law: dict[str, Any], kind: str, name: str, value: Any) -> dict[str, Any]:
    rules = dict(law["rules"])
    if kind == "entry":
        rules[name] = value
    elif kind == "remove":
        rules.pop(name, None)
    beside = {"version": value} if kind == "beside" else {}
    return {**law, "rules": rules, **beside}


@settings(max_examples=examples(100))
@given(CHANGES)
def test_what_is_written_is_what_the_canonical_writer_writes(changes: list[tuple[str, str, Any]]) -> None:
    law, known = _law(), WideDocuments()
    data = write_yaml(law).encode()
    known.note("law", data, law)
    for kind, name, value in changes:
        law = _changed(law, kind, name, value)
        if kind == "hand":  # somebody wrote around what the engine wrote
            data = data.replace(b'  "7":\n', b"  '7': # seven\n").replace(b"version: 1\n", b"version: 0x1\n")
        if kind in ("hand", "new process"):
            known = WideDocuments()
            known.note("law", data, read_document("law", data, "law.yaml"))
        data = known.bytes_of("law", law, data, "law.yaml")
        assert data == write_yaml(law).encode()


def test_an_entry_that_cannot_be_written_or_read_back_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    law, known = {"version": 1, "rules": {str(n): {"text": "x" * 400} for n in range(WIDE)}}, WideDocuments()
    data = write_yaml(law).encode()
    known.note("law", data, law)
    for value in (1.5, {1: 2}, "\ud800"):
        with pytest.raises(UnwritableError):
            known.bytes_of("law", {**law, "rules": {**law["rules"], "7": value}}, data, "law.yaml")  # type: ignore[dict-item]
    monkeypatch.setattr(wide_documents, "write_yaml", lambda value: write_yaml(value).replace("tea", "tee"))
    with pytest.raises(ProblemError, match="could not be read again"):
        known.bytes_of("law", {**law, "rules": {**law["rules"], "7": "tea"}}, data, "law.yaml")  # type: ignore[dict-item]
