"""What an event changed in a document with a wide map is enough to know the document as it is."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.core.documents import Document
from folkmoot.kernel.documents import WIDE, Documents, with_changes
from tests.conftest import examples

NAMES = st.sampled_from([f"r{n}" for n in range(0, WIDE + 30, 10)])
WRITES = st.lists(
    st.one_of(
        st.tuples(st.just("beside"), st.sampled_from(["version", "new"]), st.integers(0, 9)),
        st.tuples(st.just("entry"), NAMES, st.integers(0, 9)),
        st.tuples(st.just("inside"), NAMES, st.integers(0, 9)),
        st.tuples(st.just("remove"), NAMES, st.just(0)),
        st.tuples(st.just("whole"), st.just(""), st.integers(0, 9)),
        st.tuples(st.just("undo"), st.just(""), st.just(0)),
    ),
    max_size=12,
)


def _law() -> Document:
    rules = {f"r{n}": {"number": n, "failures": {}} for n in range(WIDE)}
    return {"version": 1, "rules": rules, "last": 0}


def _write(documents: Documents, key: str, kind: str, name: str, value: int) -> None:
    law: Any = documents.all()[key]
    rules = law["rules"]
    if kind == "beside":
        documents.assign(key, law, name, value)
    elif kind == "entry":
        documents.assign(key, rules, name, {"number": value, "failures": {}})
    elif kind == "inside" and name in rules:
        documents.assign(key, rules[name], "number", value)
    elif kind == "remove" and name in rules:
        documents.remove(key, rules, name)
    elif kind == "whole":
        documents.assign(key, documents.all(), key, {**_law(), "version": value})
    elif kind == "undo":
        documents.rollback(documents.mark() // 2)


@settings(max_examples=examples(200))
@given(WRITES)
def test_a_change_makes_of_the_document_before_the_one_after(writes: list[tuple[str, str, int]]) -> None:
    before: dict[str, Document] = {"law": _law(), "votes/1": _law()}
    documents = Documents(copy.deepcopy(before))
    documents.begin()
    for key in before:
        for write in writes:
            _write(documents, key, *write)
    changed = set(documents.touched)
    changes = documents.map_changes(changed)
    heard = with_changes(before, documents.export(changed - changes.keys()), changes)
    assert "votes/1" not in changes
    assert list(heard) == sorted(changed)
    assert [*map(repr, heard.values())] == [repr(documents.all()[key]) for key in heard], "and in the same order"
    kinds = {kind for kind, *_ in writes}
    assert "law" not in changed or "law" in changes or kinds & {"remove", "whole", "undo"}


@pytest.mark.parametrize(
    "writes",
    [
        [("remove", "r10", 0), ("entry", "r10", 5)],
        [("remove", "r10", 0), ("entry", "r10", 5), ("inside", "r10", 7)],
        [("inside", "r20", 3), ("remove", "r10", 0)],
    ],
)
def test_what_is_removed_and_given_again_stands_where_it_was_given(writes: list[tuple[str, str, int]]) -> None:
    documents = Documents({"law": _law()})
    documents.begin()
    for write in writes:
        _write(documents, "law", *write)
    changes = documents.map_changes({"law"})
    heard = with_changes({"law": _law()}, documents.export({"law"} - changes.keys()), changes)
    assert repr(heard["law"]) == repr(documents.all()["law"])


def test_a_small_document_is_handed_on_as_it_is() -> None:
    documents = Documents({"law": {"version": 1, "rules": {"r1": {}}}})
    documents.begin()
    documents.assign("law", documents.all()["law"], "version", 2)
    assert documents.map_changes({"law"}) == {}
