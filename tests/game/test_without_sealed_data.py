"""A game that seals nothing loads nothing of what is sealed: neither where it is judged nor where it is kept and proved."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SCENARIOS = Path(__file__).parents[1] / "scenarios"
DOORS = {"folkmoot.core.sealed_data", "folkmoot.kernel.sealed_data", "folkmoot.player.sealing"}
"""What decides whether anything is sealed."""
LOADED = """
import json, sys
words = ("sealed_data", "sealing", "sealing_proof", "keeper", "hand", "pyrage")
print(json.dumps([name for name in sys.modules if any(word in name.split(".") for word in words)]))
"""
JUDGED = """
from pathlib import Path

from folkmoot.files.reader import read_scenario
from folkmoot.game.rulesets import founding
from folkmoot.sandbox.worker import ParentProcess, Worker

worker = Worker(ParentProcess(lambda _count: b"", lambda _data: None, None))
scenario = read_scenario(Path(%(file)r).read_text("utf-8"), "scenario.yaml")
law = founding(scenario["ruleset"])
assert not (failed := worker.do_scenario(scenario, law)), failed
worker.do_check(law, [{"rule": rule, "text": "", "file": "rule.yaml"} for rule in law["rules"]])
"""
KEPT = """
from pathlib import Path
from folkmoot.cli import acting, proposing, voting
from folkmoot.game.rulesets import founding
from folkmoot.game.session import Session
from folkmoot.game.verify import replayed_anew, verify
from folkmoot.journal import GameFolder
from folkmoot.referee import run

players = [{"id": "ann", "surname": "a"}, {"id": "bob", "surname": "b"}]
law = founding("suber") | {"players": players, "settings": {"mode": "mail"}, "offices": {}, "opening": []}
path, at = Path(%(path)r) / "state/game", 1_767_614_400
assert Session.found(path, law, at).accepted
with Session.open(path, writing=True) as session:
    tea = {"title": "Tea", "changes": [{"enact": {"title": "Tea", "text": "Tea is served."}}]}
    assert session.act("ann", "propose", tea, at=at).accepted
    assert session.act("ann", "finalise", {}, at=at).accepted
    assert session.act("ann", "vote", {"choice": "for", "proposal": "301"}, at=at).accepted
    assert not session.act("bob", "vote", {"choice": "nay", "proposal": "301"}, at=at).accepted
record = GameFolder(path)
assert not verify(record, replayed_anew(record)).problems
"""


def loaded(code: str) -> set[str]:
    """Return what of sealed data a program has loaded at its end, beside the doors to it."""
    done = subprocess.run([sys.executable, "-c", code + LOADED], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2_000:]
    return set(json.loads(done.stdout.splitlines()[-1])) - DOORS


def test_nothing_of_it_is_loaded_where_a_game_is_judged_and_it_is_where_one_deals_in_it() -> None:
    assert loaded(JUDGED % {"file": str(SCENARIOS / "suber/T2-01-all-for.yaml")}) == {"folkmoot.scenarios.sealing"}
    found = loaded(JUDGED % {"file": str(SCENARIOS / "tricks/rule-02-five.yaml")})
    assert {"folkmoot.kernel.sealed_data.values", "folkmoot.kernel.sealed_data.vaults"} <= found


def test_nothing_of_it_is_loaded_where_a_game_is_kept_and_proved(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    assert loaded(KEPT % {"path": str(tmp_path)}) == set()
