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


def test_replay_makes_the_packaged_law() -> None:
    """Playing 301 to 313 from the initial set ends in exactly the rules that suber-mail is founded with."""
    played = run_scenario(suber_mail.load(suber_mail.REPLAY), founding)
    founded = run_scenario({"scenario": "opening", "ruleset": "suber-mail"}, founding)
    assert played is not None
    assert founded is not None
    assert in_force(played.kernel) == in_force(founded.kernel)


def test_replay_makes_the_opening_state() -> None:
    """Scores, Zoids, offices and the turn of the packaged opening are those at the end of the replay."""
    played = run_scenario(suber_mail.load(suber_mail.REPLAY), founding)
    founded = run_scenario({"scenario": "opening", "ruleset": "suber-mail"}, founding)
    assert played is not None
    assert founded is not None
    for player in suber_mail.PLAYERS:
        a, b = (run.kernel.documents["things/player"][player] for run in (played, founded))
        assert (a["score"], a["zoids"]) == (b["score"], b["zoids"])
    a, b = (run.kernel.documents["things/game"]["game"] for run in (played, founded))
    alike = ("mover", "turn_no", "circuit_no", "next_number", "phase", "gate", "newcomers")
    assert {name: a[name] for name in alike} == {name: b[name] for name in alike}
    a, b = (run.kernel.documents["things/office"] for run in (played, founded))
    assert {name: office["holder"] for name, office in a.items()} == {n: office["holder"] for n, office in b.items()}
    a, b = (run.kernel.documents["things/rule"] for run in (played, founded))
    assert a == b
