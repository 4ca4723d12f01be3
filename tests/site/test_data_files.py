"""A game as data: every file is of its schema, whatever game is played, and holds what its pages hold."""

from __future__ import annotations

import json
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from msgspec.structs import replace

from folkmoot.files.reader import read_scenario
from folkmoot.game import rulesets
from folkmoot.game.ruleset_folders import codes_for
from folkmoot.kernel.step import Kernel
from folkmoot.scenarios.claimed_codes import in_engine_codes
from folkmoot.scenarios.scenario import run_scenario
from folkmoot.site.data_files import proposal_pieces, things_of_kind
from folkmoot.site.pagination import Parts
from folkmoot.site.render import data_files
from folkmoot.wording.game_view import GameView
from folkmoot.wording.incremental_view import go_on
from tests.conftest import FUZZ
from tests.scenarios.conftest import with_lists
from tests.site.game import SECRET, game
from tests.site.sites import plain_site
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
    assert {"game.json", "proposals.json", "law.json"} <= set(found)
    assert [each["id"] for each in found["proposals.json"]["proposals"]] == list(reversed(view.proposals))
    scores = {each["player"]: each["registers"]["score"] for each in found["game.json"]["players"]}
    assert scores == {name: view.registers("player", name)["score"] for name in view.players}
    assert [each["proposal"] for each in found["game.json"]["open"]] == list(reversed(view.unresolved))


def test_what_came_before_the_newest_stands_in_files_that_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = read(game())["proposals.json"]
    monkeypatch.setattr("folkmoot.site.data_files.PARTS", Parts(2))
    found = read(game())
    newest = found["proposals.json"]
    before = [found[path] for path in newest["earlier"]]
    assert whole["earlier"] == []
    assert [len(part["proposals"]) for part in before] == [2] * (len(whole["proposals"]) // 2 - 1)
    assert before
    assert all(part["earlier"] == [] for part in before)
    assert [each for part in [*before, newest] for each in part["proposals"]] == whole["proposals"]


def test_choices_stay_out_while_they_are_not_displayed() -> None:
    view = game()
    told = {each["id"]: each for each in read(view)["proposals.json"]["proposals"]}
    hidden = [name for name in view.proposals if not view.displays(name) and view.proposals[name]["ballots"]]
    assert hidden
    assert all(ballot == {} for name in hidden for ballot in told[name]["ballots"].values())
    assert [name for name, each in told.items() if any("choice" in ballot for ballot in each["ballots"].values())]
    assert SECRET not in json.dumps(told)


def test_a_hostile_game_is_data_of_the_same_schemas() -> None:
    assert read(hostile(every=1 if FUZZ else 5))


@pytest.mark.parametrize("path", PLAYED, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_played_game_is_data_of_the_same_schemas(path: Path) -> None:
    scenario = read_scenario(path.read_text("utf-8"), str(path))
    scenario = in_engine_codes(scenario, codes_for(scenario.get("law") or scenario["ruleset"], path))
    kernels: list[Kernel] = []

    def attend(kernel: Kernel) -> None:
        with_lists(kernel)
        kernels.append(kernel)

    run_scenario(scenario, rulesets.founding, attend)
    documents = kernels[-1].documents.everything()
    assert read(GameView(slug="x", documents=documents, order=[*documents["law"]["rules"]]))


def test_what_is_said_of_a_proposal_and_a_kind_is_found_again_while_it_stays() -> None:
    view = game()
    before, known = data_files(view), {make: view.index(make) for make in (proposal_pieces, things_of_kind)}
    name = next(iter(view.unresolved))
    key = next(key for key, found in view.documents.items() if found.get("id") == name)
    retitled = {**view.documents, key: {**view.documents[key], "title": "Another title"}}
    now = replace(view, documents=retitled)
    assert go_on(now, view) == {key}
    pieces = now.index(proposal_pieces)
    assert {each for each in pieces if pieces[each] is not known[proposal_pieces][each]} == {name}
    assert now.index(things_of_kind)["poem"] is known[things_of_kind]["poem"]
    assert data_files(now) == data_files(replace(view, documents=retitled)) != before


def test_the_site_has_the_data_and_its_schemas(tmp_path_factory: pytest.TempPathFactory) -> None:
    site = plain_site(tmp_path_factory)
    data = json.loads((site / "demo" / "game.json").read_text("utf-8"))
    assert (site / "demo" / data["$schema"]).resolve() == (site / "assets" / "schemas" / "game.json").resolve()
    assert (site / "assets" / "schemas" / "game.json").is_file()
