"""A game's folder: what is loaded, what is written, who may write."""

from __future__ import annotations

import multiprocessing
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toy_game import START, Toy, files, replay

from folkmoot.core.calendar import write_stamp
from folkmoot.core.keys import proposal_key
from folkmoot.core.problems import ProblemError
from folkmoot.journal import GameFolder, Head, entry_digest
from folkmoot.journal.layout import document_name, entry_bytes, entry_name, entry_seq, read_entry


def problem(error: pytest.ExceptionInfo[ProblemError]) -> Any:
    return error.value.problems[0]


def test_loads_what_was_written(toy: Toy) -> None:
    loaded = GameFolder(toy.folder.path).load()
    head = loaded.pop("head")
    resolved, past = "proposals/300/300", "history/101"
    assert loaded == {key: doc for key, doc in toy.documents.items() if key not in (resolved, past)}
    assert head == {"seq": 10, "digest": toy.folder.head.digest, "at": START + 60 * 9}
    assert toy.folder.archive(resolved) == toy.documents[resolved]
    assert toy.folder.archive(past) == toy.documents[past]
    assert toy.folder.archived_keys() == [past, resolved]


def test_replay_of_the_journal_gives_every_document(toy: Toy) -> None:
    assert replay(toy.folder.entries()) == toy.documents


def test_the_archive_has_only_documents(toy: Toy) -> None:
    for key in (
        "proposals/300/301",
        "nothing",
        "../../etc/passwd",
        "proposals/none/a/../../b",
        "journal/000/000001",
        "head",
        "",
    ):
        assert toy.folder.archive(key) is None


def test_loading_reads_nothing_of_the_past(toy: Toy) -> None:
    for seq in range(1, toy.folder.head.seq):
        (toy.folder.path / entry_name(seq)).write_bytes(b"\xff: [")
    shutil.rmtree(toy.folder.path / "history")
    (toy.folder.path / "proposals/300/300.yaml").unlink()
    assert toy.folder.load()["things/player"] == toy.documents["things/player"]
    assert toy.folder.entry(toy.folder.head.seq)


def test_entries_stream_from_anywhere(toy: Toy) -> None:
    assert [entry["seq"] for entry in toy.folder.entries(4, 6)] == [4, 5, 6]
    assert [entry["do"] for entry in toy.folder.entries(having=["555-1234"])] == ["state"]
    assert toy.folder.entry(2)["do"] == "score"
    assert toy.folder.entry(toy.folder.head.seq)["do"] == "repeal"


def test_an_empty_folder_has_no_game(tmp_path: Path) -> None:
    folder = GameFolder(tmp_path / "none")
    assert not folder.exists
    assert folder.head == Head()
    assert list(folder.entries()) == []
    with pytest.raises(ProblemError) as caught:
        folder.load()
    assert problem(caught).code == "E-NO-GAME"


def test_unchanged_files_are_not_touched(toy: Toy) -> None:
    before = {path: path.stat().st_mtime_ns for path in toy.folder.path.rglob("*") if path.is_file()}
    inodes = {path: path.stat().st_ino for path in before}
    entry, _ = toy.judge("state", text="hello")
    toy.folder.append([entry], dict(toy.documents))
    changed = {path.name for path, time in before.items() if path.stat().st_mtime_ns != time}
    moved = {path.name for path, inode in inodes.items() if path.stat().st_ino != inode}
    assert changed == moved == {"head.yaml"}


def test_several_entries_are_numbered_and_chained(toy: Toy) -> None:
    at = START + 10_000
    head = toy.folder.append([{"at": at, "do": "tick"}, {"at": at, "do": "state", "by": "ann"}], {})
    first, second = toy.folder.entries(11)
    assert (first["seq"], second["seq"]) == (11, 12)
    assert second["prev"] == entry_digest(first)
    assert head == toy.folder.head == Head(12, entry_digest(second), at)


def test_damaged_documents_are_derived_anew(toy: Toy) -> None:
    before = files(toy.folder.path)
    for name in ("rules/101.yaml", "game.yaml"):
        (toy.folder.path / name).write_text("broken: true\n")
    head = toy.folder.append([], replay(toy.folder.entries()))
    assert head == toy.folder.head
    assert files(toy.folder.path) == before


@pytest.mark.parametrize("change", [{"seq": 10}, {"seq": 12}, {"prev": "0" * 64}])
def test_the_journal_went_on(toy: Toy, change: dict[str, Any]) -> None:
    before = files(toy.folder.path)
    entry, _ = toy.judge("score", amount=1)
    with pytest.raises(ProblemError) as caught:
        toy.folder.append([entry | change], {})
    assert problem(caught).code == "E-MOVED"
    assert files(toy.folder.path) == before


def test_two_writers_cannot_both_continue(toy: Toy) -> None:
    other = Toy(toy.folder.path)
    mine, _ = toy.judge("score", "ann", amount=1)
    theirs, _ = other.judge("score", "bob", amount=2)
    other.folder.append([theirs], {})
    with pytest.raises(ProblemError, match="E-MOVED"):
        toy.folder.append([mine], {})
    assert toy.folder.entry(11)["by"] == "bob"


def test_the_clock_must_not_go_backwards(toy: Toy) -> None:
    before = files(toy.folder.path)
    with pytest.raises(ProblemError) as caught:
        toy.folder.append([{"at": START + 60 * 9 - 1, "do": "state"}], {})
    assert problem(caught).code == "E-CLOCK"
    assert "2026-01-05T12:08:59Z is before 2026-01-05T12:09:00Z" in problem(caught).message
    assert files(toy.folder.path) == before
    toy.folder.append([{"at": START + 60 * 9, "do": "state"}], {})  # the same second is fine


def test_nor_within_one_write(toy: Toy) -> None:
    before = files(toy.folder.path)
    with pytest.raises(ProblemError, match="E-CLOCK"):
        toy.folder.append([{"at": START + 9_000, "do": "a"}, {"at": START + 8_999, "do": "b"}], {})
    assert files(toy.folder.path) == before


@pytest.mark.parametrize(
    "key", ["../x", "journal/000/000001", "/etc/x", "a//b", "", "rules/..", ".hidden", "a b", "x\n"]
)
def test_documents_stay_in_their_folder(toy: Toy, key: str) -> None:
    before = files(toy.folder.path)
    with pytest.raises(ProblemError, match="E-ARGS"):
        toy.folder.append([{"at": START + 9_000, "do": "a"}], {key: {"a": 1}})
    assert files(toy.folder.path) == before


def test_the_head_is_the_stores(toy: Toy) -> None:
    toy.folder.append([{"at": START + 9_000, "do": "a"}], {"head": {"seq": 1}})
    assert toy.folder.head.seq == 11


def test_a_persons_comments_are_kept(toy: Toy) -> None:
    source = "# mine\nrule: '101'\nuid: '101'\ntitle: Obey\ntext: Yes.\n"
    document = {"rule": "101", "uid": "101", "title": "Obey", "text": "Yes."}
    commented = document | {"source": source}
    toy.folder.append([{"at": START + 9_000, "do": "a"}], {"rules/101": commented, "rules/103": document})
    assert "# mine" in (toy.folder.path / "rules/101.yaml").read_text()
    loaded, own = (toy.folder.load()[key] for key in ("rules/101", "rules/103"))
    assert loaded["text"] == "Yes."
    assert "# mine" in loaded["source"]
    assert "source" not in own


# -- damage that an opening notices


def damage(toy: Toy, name: str, data: bytes | None) -> Any:
    path = toy.folder.path / name
    path.unlink() if data is None else path.write_bytes(data)
    with pytest.raises(ProblemError) as caught:
        toy.folder.load()
    found = problem(caught)
    assert found.position.file.endswith(name)
    return found


def test_damaged_head(toy: Toy) -> None:
    assert damage(toy, "head.yaml", b"seq: 10\n").code == "E-CHAIN"
    assert damage(toy, "head.yaml", b"\xff").code == "E-CHAIN"
    assert damage(toy, "head.yaml", None).code == "E-CHAIN"


def test_damaged_last_entry(toy: Toy) -> None:
    name = entry_name(10)
    data = (toy.folder.path / name).read_bytes()
    assert "not the one" in damage(toy, name, data[:-9]).message
    assert "missing" in damage(toy, name, None).message


def test_an_entry_beyond_the_head(toy: Toy) -> None:
    assert "beyond" in damage(toy, entry_name(11), b"seq: 11\n").message


def test_missing_open_proposal(toy: Toy) -> None:
    assert damage(toy, "proposals/300/399.yaml", None).code == "E-DERIVED"


def test_undecodable_and_wrong_documents(toy: Toy) -> None:
    assert damage(toy, "roster.yaml", b"a: \xff\n").code == "E-DERIVED"
    assert damage(toy, "roster.yaml", b"- 1\n").code == "E-DERIVED"


# -- locks


def test_a_second_writer_waits_and_gives_up(toy: Toy) -> None:
    impatient = GameFolder(toy.folder.path, patience=0.05)
    with toy.folder.writing():
        for question in (impatient.load, lambda: impatient.append([], {})):
            with pytest.raises(ProblemError, match="E-LOCKED"):
                question()
        assert toy.folder.load()  # the writer itself reads freely
    assert impatient.load()


def test_readers_do_not_hinder_each_other(toy: Toy) -> None:
    with toy.folder.reading():
        impatient = GameFolder(toy.folder.path, patience=0)
        assert impatient.load()
        with pytest.raises(ProblemError, match="E-LOCKED"), impatient.writing():
            pass


def _add(path: Path, player: str, times: int) -> None:
    for _ in range(times):
        folder = GameFolder(path, durable=False)
        with folder.writing():
            toy = Toy.__new__(Toy)
            toy.folder = folder
            toy.documents = {key: doc for key, doc in folder.load().items() if key != "head"}
            toy.act("score", player, amount=1)


def test_processes_take_turns(toy: Toy) -> None:
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_add, args=(toy.folder.path, name, 15)) for name in ("ann", "bob")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0]
    assert toy.folder.head.seq == 40
    players = toy.folder.load()["things/player"]
    assert (players["ann"]["score"], players["bob"]["score"]) == (18, 15)
    assert replay(toy.folder.entries())["things/player"] == players


# -- names and forms


@given(st.integers(1, 10_000_000))
def test_entry_names_round_trip(seq: int) -> None:
    assert entry_seq(entry_name(seq)) == seq


@pytest.mark.parametrize(
    "name",
    [
        "journal/001/000001.yaml", "journal/0/000001.yaml", "journal/000/1.yaml", "000001.yaml",
        "journal/000/000000.yaml", "journal/000/000001.yml", "journal/000/٠٠٠٠٠١.yaml",
    ],
)  # fmt: skip
def test_other_names_are_none(name: str) -> None:
    assert entry_seq(name) is None


@pytest.mark.parametrize("id_", ["proposal/305", "proposal/5", "proposal/x12", "motion/34", "rfc/1200"])
def test_the_place_of_proposals_can_be_a_file(id_: str) -> None:
    assert document_name(proposal_key(id_)) == f"{proposal_key(id_)}.yaml"


plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60)
@given(st.dictionaries(st.text(min_size=1, max_size=8), plain, max_size=4), st.text(max_size=30))
def test_entries_round_trip(with_: dict[str, Any], text: str) -> None:
    entry = {
        "seq": 3,
        "prev": "ab" * 32,
        "at": START,
        "by": "ann",
        "do": "x",
        "with": with_,
        "effects": [{"text": text}],
    }
    data = entry_bytes(entry)
    back = read_entry(data, "x.yaml")
    kept = {key: value for key, value in entry.items() if value not in ({}, [])}
    assert back == {**kept, "at": write_stamp(START)}
    assert entry_bytes(back) == data


def test_keys_have_one_order_and_empty_ones_are_left_out() -> None:
    first = {
        "do": "x",
        "at": START,
        "seq": 1,
        "prev": "0" * 64,
        "by": None,
        "with": {},
        "draws": [],
        "zeal": 1,
        "code": "",
    }
    assert list(read_entry(entry_bytes(first), "x")) == ["seq", "prev", "at", "do", "zeal"]
