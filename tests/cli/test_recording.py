"""The recording of the tutorial is replayed: what is typed in it gives what is shown in it, and the picture shows the same."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ci import recording
from tests.support.moot import Moot


def test_the_commands_of_the_recording_give_what_it_shows(
    moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(recording.WIDTH))

    def run(words: list[str], folder: Path) -> str:
        assert folder == tmp_path
        said = moot(*words)
        return said.err + said.out

    kept = recording.CAST.read_text("utf-8")
    made = recording.cast(recording.played(tmp_path, run))
    assert recording.lasting(recording.text_of(made)) == recording.lasting(recording.text_of(kept))


def test_the_recording_is_an_asciicast_that_goes_on_in_time() -> None:
    head, *events = [json.loads(line) for line in recording.CAST.read_text("utf-8").splitlines()]
    assert (head["version"], head["width"]) == (2, 80)
    assert {kind for _, kind, _ in events} == {"o"}
    times = [at for at, _, _ in events]
    assert times == sorted(times)
    assert 20 < times[-1] < 120


def test_the_picture_is_made_of_the_recording_and_fetches_nothing() -> None:
    drawn = recording.PICTURE.read_text("utf-8")
    assert drawn == recording.picture(recording.CAST.read_text("utf-8"))
    assert "".join(re.findall("https?://[^\"' ]*", drawn)) == "http://www.w3.org/2000/svg"
    assert "@font-face" not in drawn
