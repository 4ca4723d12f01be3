"""The packaged opening positions, as data: `<name>/ruleset.yaml` and one file a rule below `<name>/rules/`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import cast

from folkmoot.core.documents import RuleDocument
from folkmoot.core.keys import number_key
from folkmoot.core.misspelt import meant_by
from folkmoot.core.problems import fail
from folkmoot.core.records import Founding, ListSpec, Written
from folkmoot.files.reader import read_rule, read_ruleset
from folkmoot.game.ruleset_lists import read_lists

FOLDER = files("folkmoot.game.rulesets")


def names() -> list[str]:
    """Return the names of the packaged rulesets."""
    return sorted(entry.name for entry in FOLDER.iterdir() if entry.joinpath("ruleset.yaml").is_file())


def founding(name: str) -> Founding:
    """Return what a ruleset founds a game with: title, zone, settings, players, offices, rules, opening statements.

    Raises E-NO-SUCH if there is no ruleset of that name.
    """
    if name not in names():
        near, known = meant_by(name, names()), ", ".join(names())
        meant = f"did you mean {near}? There are {known}" if near else f"choose one of {known}"
        raise fail("E-NO-SUCH", f"there is no ruleset {name!r}", hint=meant)
    return founding_of(name, _head(name), _rules(name), lists_of(name))


def founding_of(
    name: str, head: Written, rules: Mapping[str, RuleDocument], lists: Mapping[str, ListSpec] | None = None
) -> Founding:
    """Return what a ruleset founds a game with, from its head (`ruleset.yaml`), its rules by uid and its word lists."""
    return {
        "title": head["title"],
        "ruleset": name,
        "zone": head.get("zone", "UTC"),
        "settings": dict(head.get("settings") or {}),
        "players": [dict(person) for person in head.get("people") or []],
        "offices": dict(head.get("offices") or {}),
        **{
            name: head[name]
            for name in (
                "pitch",
                "to_win",
                "language",
                "revision",
                "history",
                "first_player",
                "new_game",
                "former_players",
            )
            if name in head
        },
        **({"lists": dict(lists)} if lists else {}),
        "opening": [dict(statement) for statement in head.get("given") or []],
        "rules": sorted(rules.values(), key=lambda rule: number_key(rule["rule"])),
    }


@cache
def _head(name: str) -> Written:
    file = FOLDER.joinpath(name, "ruleset.yaml")
    return read_ruleset(file.read_text(encoding="utf-8"), f"{name}/ruleset.yaml")


def _rule(file: Traversable) -> RuleDocument:
    return cast(RuleDocument, read_rule(file.read_text(encoding="utf-8"), file.name))


@cache
def _rules(name: str) -> dict[str, RuleDocument]:
    """Return the rules by uid: those of the ruleset that it extends, replaced and joined by its own."""
    head = _head(name)
    folder = sorted(FOLDER.joinpath(name, "rules").iterdir(), key=lambda file: file.name)
    own = [_rule(file) for file in folder if file.name.endswith(".yaml")]
    return {**inherited(head), **{rule["uid"]: rule for rule in own}}


def codes_of(name: str) -> dict[str, str]:
    """Return the codes that scenarios of a packaged ruleset may claim, each with the engine's of the same meaning."""
    return dict(_head(name).get("codes") or {}) if name in names() else {}


def for_players(name: str) -> dict[str, int]:
    """Return for how many players a packaged ruleset is: `least`, `most`, as far as it says."""
    return dict(_head(name).get("for_players") or {}) if name in names() else {}


def said_of(name: str) -> dict[str, str]:
    """Return what a packaged ruleset says of its game in a line, as far as it does: `pitch` and `to_win`."""
    head = _head(name) if name in names() else {}
    return {part: str(head[part]) for part in ("pitch", "to_win") if part in head}


def lists_of(name: str) -> dict[str, ListSpec]:
    """Return the word lists of a packaged ruleset, those of the one that it extends among them; none of any other."""
    if name not in names():
        return {}
    return lists_of(_head(name).get("extends", "")) | _lists(name)


@cache
def _lists(name: str) -> dict[str, ListSpec]:
    """Return the ruleset's own word lists: read once, since a dictionary takes longer than all the rules."""
    return read_lists(FOLDER.joinpath(name))


def inherited(head: Written) -> dict[str, RuleDocument]:
    """Return by uid the rules of the packaged ruleset that one extends, by its head; none where it extends none."""
    return _rules(head["extends"]) if head.get("extends") in names() else {}
