"""A game as data: every file is of its schema, whatever game is played, and holds what its pages hold."""

from __future__ import annotations

import json
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from folkmoot.files.reader import read_scenario
from folkmoot.game import rulesets
from folkmoot.kernel.step import Kernel
from folkmoot.scenarios.scenario import run_scenario
from folkmoot.site.render import data_files
from folkmoot.wording.game_view import GameView
from tests.conftest import FUZZ
from tests.scenarios.conftest import with_lists
from tests.support.site_game import SECRET, game
from tests.support.sites import plain_site
from tests.untrusted.sinks import hostile

ROOT = Path(__file__).parents[2]
SCENARIOS = ROOT / "tests" / "scenarios"
SCHEMAS = ROOT / "site_src" / "assets" / "schemas"
PLAYED = [path for folder in sorted(SCENARIOS.iterdir()) if folder.is_dir()
          for path in islice(sorted(folder.glob("*.yaml")), None, None if FUZZ else 90, 1 if FUZZ else 30)]  # fmt: skip


@cache
def schema(name: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(json.loads((SCHEMAS / f"{name}.json").read_text("utf-8")))


def read(view: GameView) -> dict[str, Any]:
    """Return the data of a game by file; every one is of the schema that it names."""
    found = {}
    for path, text in data_files(view).items():
        if path.endswith(".json") and ".feed" not in path:
            found[path] = data = json.loads(text)
            named = Path("demo", path).parent / data["$schema"]
            place = Path(*[part for part in named.parts if part != ".."][-3:])
            assert place.parent == Path("assets/schemas"), path
            wrong = [f"{path} {each.instance_path} {each.message}" for each in schema(place.stem).iter_errors(data)]
            assert wrong == []
    return found


@pytest.mark.parametrize("path", sorted(SCHEMAS.iterdir()), ids=lambda path: path.stem)
def test_a_schema_is_one_and_says_what_everything_is(path: Path) -> None:
    found = json.loads(path.read_text("utf-8"))
    jsonschema_rs.meta.validate(found)
    pages = path.stem == "page"  # which says of each kind what it is, and has its names from the code
    undescribed = [name for name, about in _properties(found) if not {"description", "items"} & {*about} and not pages]
    assert undescribed == []


def _properties(about: Any) -> list[tuple[str, Any]]:
    inner = [each for value in about.values() if isinstance(value, dict) for each in _properties(value)]
    return [*about["properties"].items(), *inner] if isinstance(about.get("properties"), dict) else inner


def test_data_and_pages_say_the_same_of_a_game() -> None:
    view = game()
    found = read(view)
    assert set(found) == {"game.json", "law.json"}
    data = found["game.json"]
    scores = {each["player"]: each["registers"]["score"] for each in data["players"]}
    assert scores == {name: view.registers("player", name)["score"] for name in view.players}
    assert [each["proposal"] for each in data["open"]] == list(reversed(view.unresolved))
    assert {(kind, name) for kind, things in data["things"].items() for name in things} == {
        (kind, name) for name, (kind, _registers) in view.things.items()
    }
    assert data["things"]["poem"]
    assert SECRET not in json.dumps(data)


def test_a_hostile_game_is_data_of_the_same_schemas() -> None:
    assert read(hostile(every=1 if FUZZ else 5))


@pytest.mark.parametrize("path", PLAYED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_played_game_is_data_of_the_same_schemas(path: Path) -> None:
    scenario = read_scenario(path.read_text("utf-8"), str(path))
    kernels: list[Kernel] = []

    def attend(kernel: Kernel) -> None:
        with_lists(kernel)
        kernels.append(kernel)

    run_scenario(scenario, rulesets.founding, attend)
    documents = kernels[-1].documents.everything()
    assert read(GameView(slug="x", documents=documents, order=[*documents["law"]["rules"]]))


def test_the_site_has_the_data_and_its_schemas(tmp_path_factory: pytest.TempPathFactory) -> None:
    site = plain_site(tmp_path_factory)
    data = json.loads((site / "demo" / "game.json").read_text("utf-8"))
    assert (site / "demo" / data["$schema"]).resolve() == (site / "assets" / "schemas" / "game.json").resolve()
    assert (site / "assets" / "schemas" / "game.json").is_file()
