"""What holds for any play: files equal the replay, and equal inputs give equal bytes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from toy_game import Toy, files, replay

from folkmoot.game.verify import verify
from folkmoot.journal import GameFolder
from folkmoot.journal.layout import document_bytes, document_name

texts = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40)
acts = st.one_of(
    st.tuples(st.just("score"), st.fixed_dictionaries({"amount": st.integers(-(10**12), 10**12)})),
    st.tuples(st.just("amend"), st.fixed_dictionaries({"text": texts})),
    st.tuples(st.just("state"), st.fixed_dictionaries({"text": texts})),
    st.tuples(st.just("propose"), st.fixed_dictionaries({"number": st.integers(300, 399), "title": texts})),
    st.tuples(st.just("roll"), st.just({})),
)
plays = st.lists(acts, max_size=8)


def play(path: Path, moves: list[tuple[str, dict[str, Any]]]) -> Toy:
    toy = Toy(path)
    toy.act("found", None, title="Any", chance={})
    for do, with_ in moves:
        toy.act(do, "bob", secret=None, **with_)
    return toy


@settings(max_examples=25)
@given(plays)
def test_files_equal_the_replay(moves: list[tuple[str, dict[str, Any]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        toy = play(Path(folder) / "toy", moves)
        derived = {name: data for name, data in files(toy.folder.path).items() if not name.startswith("journal/")}
        derived.pop("head.yaml")
        documents = replay(toy.folder.entries())
        assert derived == {document_name(key): document_bytes(key, doc) for key, doc in documents.items()}
        assert verify(toy.folder, replay).problems == []
        loaded = GameFolder(toy.folder.path).load()
        assert all(documents[key] == doc for key, doc in loaded.items() if key != "head")


@settings(max_examples=15)
@given(plays)
def test_one_write_or_many_give_the_same_bytes(moves: list[tuple[str, dict[str, Any]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        many = play(Path(folder) / "toy", moves)
        entries = [{key: part for key, part in entry.items() if key != "prev"} for entry in many.folder.entries()]
        once = GameFolder(Path(folder) / "once", durable=False)
        once.append(entries, many.documents)
        assert files(once.path) == files(many.folder.path)


SCRIPT = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from toy_game import Toy
Toy(Path(sys.argv[1])).play(2)
"""


def test_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    """Whatever the seed of hashes, time zone and language of the machine."""
    digests = set()
    for seed, zone, language in (
        ("0", "UTC", "C"),
        ("1", "Asia/Kathmandu", "C.UTF-8"),
        ("2", "America/New_York", "POSIX"),
    ):
        path = tmp_path / seed / "toy"
        path.parent.mkdir()
        here = Path(__file__)
        around = {"PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": language, "PYTHONPATH": str(here.parents[2])}
        command = [sys.executable, "-c", SCRIPT, str(path), str(here.parent)]
        subprocess.run(command, check=True, env=os.environ | around)
        digests.add(sha256(repr(sorted(files(path).items())).encode()).hexdigest())
    assert len(digests) == 1
