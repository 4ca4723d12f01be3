"""A push that the forge refuses for what is in it: all that it takes is recorded, the rest is void, and play goes on."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.game.rulesets import founding
from folkmoot.game.verify import verify
from folkmoot.referee.report import NOT_TAKEN
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.github.github_meeting import GitHubMeeting
from tests.support.meeting import GAME, PLAYERS, Meeting, git, rule
from tests.support.quick import replayed

BAD = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
NEW = 'new=$(git rev-list "$3" --not --branches)\n'
HOOKS = {
    "content": f"git log -p --format= \"$3\" --not --branches | grep -q '{BAD}' && refuse=1",
    "path": NEW
    + 'for c in $new; do git diff-tree -r -m --name-only "$c" | grep -q "^.github/workflows/" && refuse=1; done',
    "count": NEW + 'test "$(echo "$new" | wc -l)" -gt 2 && refuse=1',
    "size": 'git rev-list --objects "$3" --not --branches | cut -d" " -f1 | '
    "git cat-file --batch-check | awk '$3 > 9000 { big = 1 } END { exit !big }' && refuse=1",
    "all": "refuse=1",
}


BELLS = f"""\
def on_stated(e):
    after(3600, "bell", key = e.text, text = e.text)

def on_bell(e):
    announce(e.text + "{BAD[9:]}" if e.text.startswith("ghp_") else e.text)
"""
BELL = {
    "rule": "999",
    "uid": "999",
    "title": "Bells",
    "labels": {"status": "mutable"},
    "text": "Ring.",
    "script": BELLS,
}


def refuse(meeting: Meeting, what: str, refs: str = "refs/heads/main") -> None:
    """Let the shared repository refuse pushes for what is in them: of the branch, or of other `refs` (a pattern)."""
    hook = meeting.bare / "hooks" / "update"
    hook.parent.mkdir(exist_ok=True)
    told = (
        'if [ -n "$refuse" ]; then echo "GH013: Push cannot contain this, which is blocked" >&2; exit 1; fi\nexit 0\n'
    )
    hook.write_text(f'#!/bin/sh\ncase "$1" in {refs}) ;; *) exit 0;; esac\nrefuse=\n{HOOKS[what]}\n{told}')
    hook.chmod(0o755)


@pytest.fixture
def web(tmp_path: Path) -> GitHubMeeting:
    """Return a meeting on GitHub, under Suber's law and a rule whose bells ring an hour after somebody stated something."""
    return GitHubMeeting(tmp_path, law={"rules": [*founding("suber")["rules"], BELL]})


def wait(meeting: GitHubMeeting) -> None:
    """Let a second pass."""
    meeting.now += 1
    meeting.web.now += 1


def journal(meeting: Meeting) -> list[dict[str, object]]:
    return [dict(entry) for entry in meeting.game().entries()]


def statements(meeting: Meeting) -> list[str]:
    return [entry["with"]["text"] for entry in journal(meeting) if entry["do"] == "state"]  # type: ignore[index]


def void(meeting: Meeting) -> int:
    return sum(entry.get("code") == NOT_TAKEN for entry in journal(meeting))


def sound(meeting: Meeting) -> bool:
    return verify(meeting.game(), replayed).sound


@pytest.mark.threat("T-120")
def test_whatever_acts_are_refused_all_others_are_recorded_in_order(web: GitHubMeeting) -> None:
    meeting, chance = web, random.Random(3)
    refuse(meeting, "content")
    wanted, refused = [], 0
    for number in range(5):
        lines = []
        for part in range(chance.choice((1, 1, 3))):
            bad = chance.random() < 0.4
            text = f"{number}.{part}"
            lines.append(f"/do state text={text}{BAD if bad else ''}")
            refused += bad
            wanted += [] if bad else [text]
        wait(meeting)
        meeting.say(chance.choice(PLAYERS), 0, "\n\n".join(lines))
        meeting.forge.look(meeting.now)
    meeting.referee(400)
    assert statements(meeting) == wanted
    assert void(meeting) == refused
    assert sound(meeting)
    before = git(meeting.bare, "rev-parse", "main")
    meeting.referee(400)
    assert git(meeting.bare, "rev-parse", "main") == before, "what is void is not tried again"
    calls = [each["body"] for each in meeting.web.said.values() if "the forge refuses what" in each["body"]]
    assert len(calls) == refused, "each is told once"
    assert all("@ann" in body for body in calls), "to the administrator"
    meeting.say("dee", 0, "/do state text=later")
    assert meeting.referee(400).refusals == ()
    assert statements(meeting)[-1] == "later"


@pytest.mark.threat("T-120")
def test_one_act_of_several_in_a_pull_request_is_void_and_the_others_count(meeting: Meeting) -> None:
    refuse(meeting, "content")
    acts = {f"inbox/{n}.yaml": f"do: state\nargs: {{text: {t}}}\n".encode() for n, t in enumerate(("a", BAD, "c"))}
    number = meeting.open("bob", acts)
    report = meeting.referee(60)
    assert statements(meeting) == ["a", "c"]
    assert void(meeting) == 1
    assert "GH013" in str(report.refusals)
    assert "the forge does not take this" in meeting.said(number)
    assert sound(meeting)


@pytest.mark.parametrize("what", ["path", "count", pytest.param("size", marks=pytest.mark.long)])
def test_a_branch_whose_past_is_refused_is_adopted_without_it(web: GitHubMeeting, what: str) -> None:
    meeting = web
    odd = ".github/workflows/x.yml" if what == "path" else "big"
    first = meeting.change("ann", {odd: b"on: push\n" + b"#" * 9_999}, "Try something")
    tip = meeting.change("ann", {odd: None}, "Take it back", base=first)
    tip = meeting.change("ann", {f"state/{GAME}/rules/tea.yaml": rule("Tea")}, "Tea", base=tip)
    number = meeting.web.open_pull("ann", "Tea", "", meeting.fetched(tip, "ann"))
    refuse(meeting, what)
    meeting.referee(400)
    meeting.say("ann", number, "/finalise")
    meeting.referee(400)
    for player in PLAYERS:
        meeting.approve(player, number)
    report = meeting.referee(400)
    assert f"the history of #{number}, which is left out" in str(report.refusals)
    assert any(effect["effect"] == "enact" for entry in journal(meeting) for effect in entry.get("effects") or ())  # type: ignore[attr-defined]
    assert tip not in git(meeting.bare, "rev-list", "main")
    assert sound(meeting)
    meeting.say("bob", 0, "/do state text=later")
    meeting.referee(400)
    assert statements(meeting) == ["later"]


def test_a_timer_whose_entry_is_refused_fires_unheard_and_play_goes_on(web: GitHubMeeting) -> None:
    meeting = web
    refuse(meeting, "content")
    for text in ("one", BAD[:9], "three"):
        wait(meeting)
        meeting.say("bob", 0, f"/do state text={text}")
    meeting.referee(400)
    reports = [meeting.referee(7200), meeting.referee(60)]
    assert statements(meeting) == ["one", BAD[:9], "three"]
    rung = [entry.get("effects", []) for entry in journal(meeting) if entry["do"] == "tick"]
    said = [effect["text"] for effects in rung for effect in effects if "text" in effect]  # type: ignore[attr-defined]
    assert said == ["one", "three"]
    assert "so that no rule is heard in it" in str(reports[0].refusals)
    assert not reports[1].refusals
    assert sound(meeting)
    meeting.say("bob", 0, "/do state text=later")
    meeting.referee(400)
    assert statements(meeting)[-1] == "later"


def test_where_the_forge_takes_nothing_no_act_is_to_blame(meeting: Meeting) -> None:
    refuse(meeting, "all")
    for player in PLAYERS:
        meeting.say(player, 0, f"/do state text={player}")
    with pytest.raises(ProblemError, match="GH013"):
        meeting.referee(60)
    (meeting.bare / "hooks" / "update").unlink()
    meeting.referee(60)
    assert statements(meeting) == list(PLAYERS)
    assert void(meeting) == 0


def test_a_branch_to_which_only_others_may_push_blames_no_act(tmp_path: Path) -> None:
    meeting = GiteaMeeting(tmp_path)
    meeting.gitea.protect("main", "ann")
    for player in PLAYERS:
        meeting.say(player, 0, f"/do state text={player}")
    with pytest.raises(ProblemError, match="Not allowed to push to protected branch main") as caught:
        meeting.referee(60)
    assert "somebody who keeps the repository must allow this push" in (caught.value.problems[0].hint or "")
    meeting.gitea.protect("main", "ann", meeting.gitea.robot)
    assert meeting.referee(60).refusals == ()
    assert statements(meeting) == list(PLAYERS)
    assert void(meeting) == 0


def test_a_text_that_cannot_be_written_down_is_kept_out_and_all_others_are_heard(web: GitHubMeeting) -> None:
    meeting = web
    refuse(meeting, "content", "refs/heads/main|refs/moot/forge")
    number = meeting.open("ann", {"rules/tea.yaml": rule("Tea")}, f"Tea {BAD}")
    for text in ("a", BAD, "c"):
        wait(meeting)
        meeting.say("bob", 0, f"/do state text={text}")
    meeting.say("eve", number, f"I am no player: {BAD}")
    meeting.referee(400)
    assert statements(meeting) == ["a", "c"]
    assert sound(meeting)
    assert BAD not in git(meeting.bare, "log", "-p", "--format=", "main", "refs/moot/forge")
    assert "the forge does not take this" in meeting.said(0)
    for _ in range(2):  # the call of administrators is read once, too
        meeting.referee(400)
    before = git(meeting.bare, "rev-parse", "main", "refs/moot/forge")
    meeting.referee(400)
    assert git(meeting.bare, "rev-parse", "main", "refs/moot/forge") == before, "nothing of it is tried again"
    wait(meeting)
    meeting.say("bob", 0, "/do state text=d")
    meeting.referee(400)
    assert statements(meeting) == ["a", "c", "d"]


def test_what_was_observed_is_written_down_without_a_past_that_is_refused(meeting: Meeting) -> None:
    first = meeting.change("ann", {".github/workflows/x.yml": b"on: push\n"}, "Try something")
    tip = meeting.change("ann", {".github/workflows/x.yml": None}, "Take it back", base=first)
    tip = meeting.change("ann", {f"state/{GAME}/rules/tea.yaml": rule("Tea")}, "Tea", base=tip)
    meeting.seat("ann").open_pull(tip)
    refuse(meeting, "path", "refs/heads/main|refs/moot/forge")
    meeting.referee(400)
    assert [entry["do"] for entry in journal(meeting)][-1] == "propose"
