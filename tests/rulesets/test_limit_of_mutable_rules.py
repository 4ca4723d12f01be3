"""Finding 8 of the table: a proposal that would fall by rule 209 is told to, from its submission to its count."""

from __future__ import annotations

from typing import Any

from folkmoot.game import rulesets
from folkmoot.kernel.chance import open_chance
from folkmoot.scenarios.scenario import Run, found
from folkmoot.scenarios.trial import rehearse

ENACT: dict[str, Any] = {"enact": {"title": "One more", "text": "x", "labels": {"status": "mutable"}}}


def floor(mutable: int) -> Run:
    """Found Suber's game without turns, in which so many rules are mutable."""
    given = rulesets.founding("suber")
    rules = [each for each in given["rules"] if each["rule"] not in ("201", "202")]
    missing = mutable - sum(each["labels"]["status"] == "mutable" for each in rules)
    more = [{"rule": str(400 + n), "uid": str(400 + n), **ENACT["enact"]} for n in range(missing)]
    law = {**given, "rules": [*rules, *more]}
    people = [{"id": each, "surname": each} for each in ("ann", "bob")]
    return found({"ruleset": "", "players": people}, lambda _n: law, lambda _e: open_chance("", "test"))


def said(run: Run, do: str, by: str, **given: Any) -> str:
    outcome = run.apply(do, by, with_=given)
    assert outcome.accepted, outcome.reasons
    return " ".join(e["text"] for e in outcome.effects if e["effect"] == "announce")


def test_it_is_told_at_submission_while_it_is_undecided_and_before_the_count() -> None:
    run = floor(mutable=24)
    assert said(run, "propose", "ann", title="One", changes=[ENACT]) == ""
    told = said(run, "propose", "bob", title="Two", changes=[ENACT])
    assert "With all that is undecided there would be 26 mutable rules, and 25 is the limit" in told
    assert run.kernel.ask("standing", [], run.now, about="proposal/302") is None
    said(run, "finalise", "ann")
    said(run, "vote", "ann", proposal=301, choice="for")
    told = said(run, "vote", "bob", proposal=301, choice="for")
    assert "as things stand it will be defeated (rule 209)" in told
    standing = run.kernel.ask("standing", [], run.now, about="proposal/302")
    assert standing == (
        "as things stand it falls at the count: there would be 26 mutable rules, and 25 is the limit (rule 209)"
    )
    foretold = rehearse(run.kernel, [], "", "bob", run.now, proposal="proposal/302")
    assert (foretold.adopted, foretold.falls[:24]) == (False, "defeated: E-MUTABLE-LIMI")


def test_nothing_is_told_of_what_makes_no_rule_mutable() -> None:
    run = floor(mutable=25)
    assert said(run, "propose", "ann", title="Less", changes=[{"repeal": "400"}]) == ""
    assert run.kernel.ask("standing", [], run.now, about="proposal/301") is None
