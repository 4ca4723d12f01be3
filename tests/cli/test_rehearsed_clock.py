"""The clock of a game is let run on a copy, in any clone: a law with long periods can be rehearsed."""

from __future__ import annotations

from pathlib import Path

from tests.past.folders import write
from tests.support.moot import Moot

RULE = """\
title: Ripening
rule: "1"
text: After ten days a pear is ripe.
timers: {ripe: {every: 10 days, starting: 2026-01-11}}
script: |
  def on_ripe(e):
      announce("A pear is ripe.")
"""


def test_a_dry_run_tells_what_the_clock_will_bring_where_a_referee_keeps_it(moot: Moot) -> None:
    write(Path("pear"), {"ruleset.yaml": "ruleset: pear\ntitle: Pear\n", "rules/1.yaml": RULE})
    founded = ("-r", "./pear", "-p", "ann", "--forge", "local", "--at", "2026-01-01T12:00:00Z", "--no-commit")
    assert moot("new", "g", "-r", "suber", *founded).code == 0
    before = {path: path.read_bytes() for path in Path("state").rglob("*") if path.is_file()}
    refused = moot("referee", "--until", "+25d", "--no-commit")
    assert refused.code != 0
    assert "--dry-run" in refused.err
    done = moot("referee", "--until", "+25d", "--dry-run")
    assert (done.code, done.out.count("A pear is ripe")) == (0, 2), done
    assert "Nothing was recorded" in done.out + done.err
    assert {path: path.read_bytes() for path in Path("state").rglob("*") if path.is_file()} == before
