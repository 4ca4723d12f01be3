"""What came of an act, as lines on a terminal."""

from __future__ import annotations

from folkmoot.cli.outcomes import here_at, told_effects


def test_events_by_which_rules_tell_each_other_take_one_line_behind_what_changed() -> None:
    here = here_at("tea", {})
    raised = [{"effect": "event", "name": name, "rule": "2"} for name in ("hiding_ended", "vat_left", "hiding_ended")]
    changed = {"effect": "announce", "text": "Tea is served.", "rule": "7"}
    assert told_effects(here, {"effects": [raised[0], changed, *raised[1:]]}, whole=True) == [
        "Rule 7 says: “Tea is served”",
        "Rule 2 raised “hiding ended”, “vat left”",
    ]
    assert told_effects(here, {"effects": [*raised, changed]}) == ["Rule 7 says: “Tea is served”"]
    assert told_effects(here, {"effects": [changed]}) == ["Rule 7 says: “Tea is served”"]
    assert told_effects(here, {}) == []
