"""A game's folder: what is loaded, what is written, who may write."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.core.problems import ProblemError
from folkmoot.journal import GameFolder, Head
from folkmoot.journal.layout import entry_name
from tests.support.toy_game import MOVES, START, Toy, files, replay


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


@pytest.mark.parametrize("key", ["proposals/300/301", "../../etc/passwd", "journal/000/000001", "head", ""])
def test_the_archive_has_only_documents(toy: Toy, key: str) -> None:
    assert toy.folder.archive(key) is None


def test_loading_reads_nothing_of_the_past(toy: Toy) -> None:
    for seq in range(1, toy.folder.head.seq):
        (toy.folder.path / entry_name(seq)).write_bytes(b"\xff: [")
    shutil.rmtree(toy.folder.path / "history")
    (toy.folder.path / "proposals/300/300.yaml").unlink()
    assert toy.folder.load()["things/player"] == toy.documents["things/player"]
    assert toy.folder.entry(toy.folder.head.seq)


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


def test_the_clock_must_not_go_backwards(toy: Toy) -> None:
    before = files(toy.folder.path)
    with pytest.raises(ProblemError) as caught:
        toy.folder.append([{"at": START + 60 * 9 - 1, "do": "state"}], {})
    assert problem(caught).code == "E-CLOCK"
    assert "2026-01-05T12:08:59Z is before 2026-01-05T12:09:00Z" in problem(caught).message
    assert files(toy.folder.path) == before
    toy.folder.append([{"at": START + 60 * 9, "do": "state"}], {})  # the same second is fine


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


# -- equal inputs give equal bytes


@settings(max_examples=10)
@given(st.lists(MOVES, max_size=8))
def test_one_write_or_many_give_the_same_bytes(moves: list[tuple[str, dict[str, Any]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        many = Toy(Path(folder) / "toy")
        many.act("found", None, title="Any", chance={})
        for do, with_ in moves:
            many.act(do, "bob", secret=None, **with_)
        entries = [{key: part for key, part in entry.items() if key != "prev"} for entry in many.folder.entries()]
        once = GameFolder(Path(folder) / "once", durable=False)
        once.append(entries, many.documents)
        assert files(once.path) == files(many.folder.path)


def test_the_same_bytes_whatever_the_hashes_zone_and_language_of_the_machine(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from tests.support.toy_game import Toy; Toy(Path(sys.argv[1])).play()"
    )
    for seed, zone, language in (("1", "Asia/Kathmandu", "C.UTF-8"), ("2", "America/New_York", "POSIX")):
        around = {"PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": language, "PYTHONPATH": str(Path(__file__).parents[2])}
        command = [sys.executable, "-c", script, str(tmp_path / seed / "toy")]
        subprocess.run(command, check=True, env=os.environ | around)
    assert files(tmp_path / "1") == files(tmp_path / "2")
