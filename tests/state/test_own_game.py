"""The game that this repository keeps is what its own tools make of it."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.support.sites import files_below

ROOT = Path(__file__).resolve().parents[2]
OWN = ROOT / "state" / "suber-mail"
LANGUAGE = ROOT / "engine" / "folkmoot" / "language" / "catalogue"
SINCE = re.compile(rb"\ndo: (?:engine|repair)\n")


@pytest.fixture(scope="module")
def again(tmp_path_factory: pytest.TempPathFactory) -> Path:
    spec = importlib.util.spec_from_file_location("own_game", ROOT / "ci" / "own_game.py")
    assert spec is not None
    assert spec.loader is not None
    own_game = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(own_game)
    folder = tmp_path_factory.mktemp("state") / "suber-mail"
    own_game.write(folder)
    return folder


def _kept_alike(name: str, file: bytes, like: bytes) -> object:
    """Return what a later version must not change of a file: a rule's own words, and what an earlier one kept.

    When somebody wrote last is another time since the repair.
    """
    read, wanted = YAML(typ="safe").load(file), YAML(typ="safe").load(like)
    if name.startswith("rules/"):
        return {part: read[part] for part in ("rule", "uid", "title", "labels", "text")}
    return {key: {f: read[key].get(f) for f in fields if f != "last_post_at"} for key, fields in wanted.items()}


def test_playing_it_again_gives_the_same_rules_scores_and_journal(again: Path) -> None:
    mine, kept = files_below(again), files_below(OWN)
    versions = {"game.yaml", "head.yaml"}  # they and the chain name the versions of engine and interpreter
    since = {name for name, text in kept.items() if name.startswith("journal/") and SINCE.search(text)}
    assert since  # earlier versions played it; playing it again needs no later engine to take it over, and no repair
    repaired = {name.replace("journal/000/000", "acts/100/") for name in since} & kept.keys()
    repaired |= {name for name in kept.keys() - mine.keys() if name.startswith("history/")}
    assert set(mine) == set(kept) - since - repaired
    derived = [name for name in kept if name.startswith(("rules/3", "things/", "roster.yaml"))]
    assert len(derived) > 10  # the packaged rules of today are not those of then, where they were mended since
    for name in derived:
        assert _kept_alike(name, mine[name], kept[name]) == _kept_alike(name, kept[name], kept[name]), name
    assert versions <= set(kept)


def test_its_rules_speak_todays_language() -> None:
    """No rule answers what nobody asks, nor reads an argument that an act does not have."""
    asked = set(re.findall(r"def decide_(\w+)", (LANGUAGE / "questions.star").read_text(encoding="utf-8")))
    scripts = {path.stem: YAML(typ="safe").load(path).get("script") or "" for path in sorted(OWN.glob("rules/*.yaml"))}
    asked |= set(re.findall(r"\bask(?:_all)?\(\"(\w+)\"", "\n".join(scripts.values())))
    for uid, script in scripts.items():
        assert set(re.findall(r"def decide_(\w+)", script)) <= asked, uid
        assert "a.args.motion" not in script, uid


def test_its_rules_are_worded_as_they_are_packaged(again: Path) -> None:
    mine, kept = files_below(again), files_below(OWN)
    rules = [name for name in kept if name.startswith("rules/")]
    assert [name for name in rules if _kept_alike(name, mine[name], b"") != _kept_alike(name, kept[name], b"")] == []
