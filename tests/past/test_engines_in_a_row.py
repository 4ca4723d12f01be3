"""Engine after engine takes a game over at a forge, referees change, and what is said can be taken out."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.cli.repositories import cloned
from folkmoot.forges.local.forge import LocalForge
from folkmoot.game.verify import CHAINED, HERE, verify
from folkmoot.referee.hand_edits import hand_edits
from folkmoot.referee.report import Report
from folkmoot.referee.run import Referee
from tests.support.quick import QuickMeeting, replayed


class Engines:
    """A meeting whose referees have engines of different versions."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.meeting, self._patch = QuickMeeting(folder, games=("fen", "moor")), patch

    def use(self, version: str) -> None:
        self._patch.setattr("folkmoot.core.versions.__version__", version)

    def say(self, body: str, game: str = "moor") -> Report:
        self.meeting.now += 60
        self.meeting.say("ann", 0, f"/game {game}\n{body}")
        return self.meeting.referee()

    def last(self) -> dict[str, object]:
        return self.meeting.journal("moor")[-1]

    def from_afar(self) -> Report:
        """Let a referee run in a clone that has the last commit alone, as a job does."""
        with cloned(f"file://{self.meeting.bare}") as clone:
            forge = LocalForge(clone, f"file://{self.meeting.bare}")
            with Referee(forge, forge.refs.repo, lambda: self.meeting.now) as referee:
                return referee.run()


def test_three_engines_in_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engines = Engines(tmp_path, monkeypatch)
    meeting = engines.meeting
    engines.say("/do state text=first")
    before = meeting.tip()
    for version in ("1.0.0", "2.0.0"):
        engines.use(version)
        before = meeting.tip()
        report = engines.say(f"/do state text=by-{version}")
        assert [game.stopped for game in report.games] == [(), ()], version
        assert [entry["do"] for entry in meeting.journal("moor")[-2:]] == ["engine", "state"]

    # what one referee took over another one proves, from before it and from the beginning
    for known in (before, ""):
        assert [hand_edits(meeting.repo, known, meeting.tip(), name) for name in ("fen", "moor")] == [(), ()], known
    forged = meeting.change("eve", {"state/moor/things/player.yaml": b"{ann: {score: 9}}\n"})
    assert [problem.code for problem in hand_edits(meeting.repo, before, forged, "moor")] == ["E-DERIVED"]
    parts = verify(meeting.game("moor"), replayed).parts
    assert [part.engine["folkmoot"] for part in parts] == ["0.2.0", "1.0.0", "2.0.0"]
    assert [part.proved for part in parts] == [CHAINED, CHAINED, HERE]
    assert meeting.sound("moor")

    # what an older engine recorded is refused in one sentence, what this one did is redacted, by a job's clone too
    engines.say("/do redact seq=2 path=with.text why=private")
    assert "the page Administration says under Redact" in meeting.said(0)
    meeting.now += 60
    meeting.say("ann", 0, "/game moor\n/do redact seq=6 path=with.text why=private")
    report = engines.from_afar()
    assert [game.stopped for game in report.games] == [(), ()]
    last = meeting.journal("moor")[-1]
    assert (last["do"], last.get("code"), last["with"]["seq"]) == ("redact", None, 6)
    assert "by-2.0.0" not in str(meeting.journal("moor")[5])
    assert meeting.sound("moor")
    assert hand_edits(meeting.repo, "", meeting.tip(), "moor") == ()

    # an older engine stands still, says so, and harms nothing
    journal = meeting.journal("moor")
    engines.use("1.0.0")
    report = engines.say("/do state text=late")
    stopped = [problem for game in report.games for problem in game.stopped]
    assert {(problem.code, problem.hint) for problem in stopped} == {
        ("E-ENGINE", "use engine 2.0.0, or a newer one: `moot init --pin` pins it for the jobs")
    }
    assert meeting.journal("moor") == journal
    engines.use("2.0.0")
    assert engines.say("/do state text=and-on").entries == 2
