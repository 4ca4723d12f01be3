"""What came of an act, as lines on a terminal."""

from __future__ import annotations

from folkmoot.cli.outcomes import here_at, told_effects


def test_events_by_which_rules_tell_each_other_take_one_line_behind_what_changed() -> None:
    here = here_at("tea", {})
    raised = [{"effect": "event", "name": name, "rule": "2"} for name in ("hiding_ended", "vat_left", "hiding_ended")]
    changed = {"effect": "announce", "why": "Tea is served."}
    assert told_effects(here, {"effects": [raised[0], changed, *raised[1:]]}) == [
        "Tea is served.",
        "Events: hiding ended, vat left",
    ]
    assert told_effects(here, {"effects": [*raised, changed]}, events=False) == ["Tea is served."]
    assert told_effects(here, {"effects": [changed]}) == ["Tea is served."]
    assert told_effects(here, {}) == []
