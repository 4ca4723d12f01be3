"""The packaged mail game is what play makes of the initial set: one list of proposals, three faces kept alike."""

from __future__ import annotations

from typing import Any

from folkmoot.game.rulesets import founding
from folkmoot.scenarios.scenario import run_scenario

from . import suber_mail


def test_made_files_are_up_to_date() -> None:
    """What the generator would write is what is kept."""
    made = suber_mail.files()
    assert len(made) > 10
    assert [path.name for path, text in made.items() if path.read_text(encoding="utf-8") != text] == []


def test_no_other_rule_files() -> None:
    """The folder of the mail game holds only rules that proposals made."""
    folder = suber_mail.RULESETS / "suber-mail" / "rules"
    assert set(folder.glob("*.yaml")) == set(suber_mail.rule_files())


def in_force(kernel: Any) -> dict[str, Any]:
    """Return the rule documents in force by uid."""
    rules = {uid: dict(document) for uid, (document, _meta) in kernel.play.law.in_force().items()}
    return {uid: {key: value for key, value in rule.items() if key != "source"} for uid, rule in rules.items()}


def test_replay_makes_the_packaged_law_and_its_opening_state() -> None:
    """Playing 301 to 313 from the initial set ends in the rules, scores, offices and the turn that suber-mail is founded with."""
    played = run_scenario(suber_mail.load(suber_mail.REPLAY), founding)
    founded = run_scenario({"scenario": "opening", "ruleset": "suber-mail"}, founding)
    assert played is not None
    assert founded is not None
    assert in_force(played.kernel) == in_force(founded.kernel)
    a, b = (run.kernel.documents.everything() for run in (played, founded))
    for player in suber_mail.PLAYERS:
        assert all(a["things/player"][player][name] == b["things/player"][player][name] for name in ("score", "zoids"))
    alike = ("mover", "turn_no", "circuit_no", "next_number", "phase", "gate", "newcomers")
    assert all(a["things/game"]["game"][name] == b["things/game"]["game"][name] for name in alike)
    held = [{name: office["holder"] for name, office in each["things/office"].items()} for each in (a, b)]
    assert held[0] == held[1]
    assert a["things/rule"] == b["things/rule"]
