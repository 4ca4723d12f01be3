"""Attack 2 on web forges: what fails at one stage over one word of a player harms nothing else there either."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.core.fault_points import fault_hook
from folkmoot.forges.error_isolation import Stage
from folkmoot.game.verify import verify
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.github.github_meeting import GitHubMeeting
from tests.forges.web_meeting import WebMeeting
from tests.support.planted import Planted
from tests.support.quick import replayed

STAGES = (Stage.FACT, Stage.ACT, Stage.CONTENT, Stage.ANSWER)


@pytest.mark.threat("T-59")
@pytest.mark.parametrize("maker", [GiteaMeeting, GitHubMeeting])
def test_each_stage_fails_once(maker: type[WebMeeting], tmp_path: Path) -> None:
    meeting = maker(tmp_path)
    number = meeting.propose("ann", "A dragon")
    meeting.referee()
    reached, said = [], 0
    for stage in STAGES:
        planted = Planted(stage, 1)
        for who in ("bob", "cid"):
            meeting.say(who, number, f"/do state text={stage}-{who}")
        said += 2
        with fault_hook(planted):
            meeting.referee()
        reached += [stage] if planted.passed else []
    meeting.referee()
    entries = list(meeting.game().entries())
    voids = [entry for entry in entries if entry["do"] == "fault"]
    done = [entry["with"]["text"] for entry in entries if entry["do"] == "state" and not entry.get("code")]
    assert {Stage.FACT, Stage.ACT, Stage.ANSWER} <= set(reached)
    assert len(done) == len(set(done))
    assert len(done) + len(voids) == said, "each is recorded, or void on record"
    assert voids
    assert {(entry["code"], entry["via"]["forge"]) for entry in voids} <= {("E-FAULT", "gitea"), ("E-FAULT", "github")}
    assert "E-FAULT" in meeting.said(number)
    assert verify(meeting.game(), replayed).sound
