"""P2 of the language review: as what a pull request is taken in says the pull request, else the law; no English word."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.meeting import rule
from tests.support.quick import SMALL, VOTES, QuickMeeting
from tests.support.seats import Seats, Sit
from tests.support.table import Table
from tests.support.table import rule as made_rule

CHANGES = {"type": "changes"}
TITLED = {"title": {"type": "text", "optional": True}, "changes": CHANGES}
SOWN = VOTES | {
    "script": VOTES["script"].replace("do_propose", "do_sow").replace("do_withdraw", "do_uproot"),
    "actions": {"sow": {"arguments": TITLED}, "uproot": {}},
}
TWEAKS = made_rule(
    "5",
    """
    def do_submit_tweak(a):
        open_voting(submit("Tweak %d of %s" % (a.args.power, a.args.title), a.args.wording))
    """,
    actions={
        "submit_tweak": {
            "arguments": {
                "wording": CHANGES,
                "title": {"type": "text", "default": "nothing"},
                "power": {"type": "integer", "default": 1},
            }
        }
    },
)
DRAGON = {"rules/dragon.yaml": rule("A dragon")}
TWEAK = {"inbox/tweak.yaml": b"do: submit_tweak\nargs: {power: 3}\n"}


def law(*more: dict[str, Any], takes: bool = False) -> dict[str, Any]:
    """Return a law in which a pull request may be sown, or a tweak."""
    sown: dict[str, Any] = SOWN
    if takes:
        sown = SOWN | {"actions": {**SOWN["actions"], "sow": {**SOWN["actions"]["sow"], "takes": "pull_requests"}}}
    return {**SMALL, "rules": [sown, *SMALL["rules"][1:], TWEAKS, *more]}


Meet = Callable[..., QuickMeeting]


@pytest.fixture
def meet(tmp_path: Path) -> Meet:
    return lambda *more, **how: QuickMeeting(tmp_path, law=law(*more, **how))


def taken(meeting: QuickMeeting) -> list[tuple[str, bool]]:
    """Return what was done and whether it was accepted, beside the founding and time."""
    return [(e["do"], "code" not in e) for e in meeting.journal() if e["do"] not in ("found", "tick", "clock")]


def test_the_only_action_that_takes_changes_takes_pull_requests_in(tmp_path: Path) -> None:
    meeting = QuickMeeting(tmp_path, law={**SMALL, "rules": [SOWN, *SMALL["rules"][1:]]})
    meeting.open("ann", DRAGON, "A dragon for us")
    meeting.referee(60)
    assert taken(meeting) == [("sow", True)]
    assert meeting.proposal(301)["title"] == "A dragon for us"


def test_the_declared_default_prevails_over_what_sounds_like_proposing(meet: Meet) -> None:
    meeting = meet(takes=True)
    meeting.open("ann", DRAGON)
    meeting.referee(60)
    assert taken(meeting) == [("sow", True)]


def test_without_any_word_of_the_law_the_pull_request_waits_and_says_so(meet: Meet) -> None:
    meeting = meet()
    pull = meeting.open("ann", DRAGON)
    meeting.referee(60)
    assert taken(meeting) == []
    assert "does not say as which of sow, submit\\_tweak it is taken" in meeting.said(pull).replace(
        "submit_t", "submit\\_t"
    )
    meeting.say("ann", pull, "/do sow")
    meeting.referee(60)
    assert taken(meeting) == [("sow", True)]


def test_an_action_file_names_the_act_and_gives_its_arguments(meet: Meet) -> None:
    meeting = meet(takes=True)
    meeting.open("ann", {**DRAGON, **TWEAK}, "tea")
    meeting.referee(60)
    assert taken(meeting) == [("submit_tweak", True)]
    assert meeting.proposal(301)["title"] == "Tweak 3 of tea"
    assert [change["kind"] for change in meeting.proposal(301)["changes"]] == ["enact"]


def test_the_description_names_the_act(meet: Meet) -> None:
    meeting = meet(takes=True)
    pull = meeting.open("ann", DRAGON, "Tea\n\nSince I like it.\n\n/do submit_tweak power=2\n/vote for\n")
    meeting.referee(60)
    assert taken(meeting) == [("submit_tweak", True)]
    assert meeting.proposal(301)["title"] == "Tweak 2 of Tea"
    assert "a description commands nothing" in meeting.said(pull)


@pytest.mark.parametrize(
    ("files", "message", "why"),
    [
        (TWEAK, "Tea\n\n/do sow", "it names 2 acts that would take it in, submit_tweak and sow; keep one"),
        ({}, "Tea\n\n/do submit_tweak 7", "means nothing here"),
    ],
)
def test_a_name_that_means_two_things_or_none_is_told(
    meet: Meet, files: dict[str, bytes], message: str, why: str
) -> None:
    meeting = meet(takes=True)
    pull = meeting.open("ann", {**DRAGON, **files}, message)
    meeting.referee(60)
    assert taken(meeting) == []
    assert why in meeting.said(pull).replace("\\", "")


BY_TITLE = """
def decide_taken_as(pull):
    if pull.title.startswith("tweak"):
        return "submit_tweak"
    if "broken" in pull.title:
        return pull.nothing
    if "odd" in pull.title:
        return ["sow"]
    if "strange" in pull.title:
        return "give"
"""


@pytest.mark.parametrize(
    ("title", "done", "why"),
    [
        ("tweak tea", "submit_tweak", ""),
        ("Tea", "sow", ""),
        ("broken tea", "", "the rule that says as what it is taken failed"),
        ("odd tea", "", "which is no action for rule-changes"),
        ("strange tea", "", "the law takes it as give, which is no action for rule-changes"),
    ],
)
def test_the_law_answers_and_where_it_fails_the_pull_request_waits(meet: Meet, title: str, done: str, why: str) -> None:
    meeting = meet(made_rule("6", BY_TITLE), takes=True)
    pull = meeting.open("ann", DRAGON, title)
    meeting.referee(60)
    assert taken(meeting) == ([(done, True)] if done else [])
    assert why.replace("give", "") in meeting.said(pull).replace("\\", "").replace("'give'", "").replace("give,", ",")


def test_a_form_is_taken_in_as_the_law_says() -> None:
    found = Table(*law(made_rule("6", BY_TITLE), takes=True)["rules"])
    asked = {"by": "ann", "text": "", "changes": [{"repeal": "2"}], "requests": []}
    assert found.kernel.taken_as({**asked, "title": "tweak"}, found.now) == {"do": "submit_tweak", "rule": "6"}
    assert found.kernel.taken_as({**asked, "title": "tea"}, found.now) == {"do": "sow"}
    assert found.kernel.taken_as({**asked, "title": "odd"}, found.now)["rule"] == "6"


@pytest.fixture
def table(seats: Sit) -> Seats:
    return seats(law(takes=True))


def test_moot_propose_names_it_and_preview_tries_that(table: Seats, tmp_path: Path) -> None:
    file = tmp_path / "dragon.yaml"
    file.write_bytes(DRAGON["rules/dragon.yaml"])
    assert (
        "no action sing takes rule-changes" in table.moot("ann", "propose", "-r", str(file), "--do", "sing", code=1).err
    )
    table.moot("ann", "propose", "-r", str(file), "-t", "Tea", "--do", "submit_tweak power=5")
    table.referee(60)
    assert table.proposal(301)["title"] == "Tweak 5 of Tea"
