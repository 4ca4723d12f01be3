"""What  prints on a terminal of so many columns."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from tests.support.gathering import TEA, Gathering

MOOT = [sys.executable, "-m", "folkmoot"]


def on_a_terminal(arguments: list[str], **environment: str) -> bytes:
    """Return what a command writes to a terminal."""
    reader, writer = pty.openpty()
    variables = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | environment
    with subprocess.Popen([*MOOT, *arguments], stdout=writer, stderr=writer, env=variables) as process:
        os.close(writer)
        said = b""
        try:
            while part := os.read(reader, 4096):
                said += part
        except OSError:
            pass
        process.wait()
    os.close(reader)
    return said


WIDTH = 80
LONG = TEA.replace("There is tea for everybody.", "There is tea for everybody who asks for it in time. " * 9)
SCRIPT = "script: |\n  def on_said(e):\n    " + " + ".join(f"alpha_{n}" for n in range(30)) + "\n"
LOOKED_AT = """
status | status --all | status -b bob | status --offline | show | show rules | show scores | show 1 | show rule 208
show registers | show players | show turn | show nothing | show rule 999 | log | log --mine | log --talk | log --entry 1
verify | verify --engine nowhere | explain | explain rule 201 | explain ann score | explain proposal 301 | explain bbo
explain limits | explain action vote | act --list | act vote --help | act transfer --help | act | act nothing
act vote choice=agianst | act vote choice=for proposal=999 | act finalise | act throw_die | act judge ruling=x
vote | vote 1 agianst | vote 99 for | vote 1 for --proposal 999 | propose --rule tea.yaml --dry-run | propose --repeal 999
propose --rule nowhere.yaml | propose --transmute 101=mutabel | propose --rule long.yaml --dry-run
join | comment | withdraw 99 | preview 1 | preview long.yaml | preview 99 | try long.yaml | try odd.yaml --show scores
check long.yaml | check odd.yaml | check nowhere.yaml | check | wait --timeout 0 | wait --for answer --timeout 0 | status -b ann | open | hand | key | key --new
doctor | pages --build | tick | repair | forms | schema | referee --watch 0 | demo --next | stauts | status --ofline
new evening -p ann | table nowhere -p ann@x | move | begin | digest | scenario nowhere.yaml | serve --port x
"""
"""What is typed, by words between bars: what is shown, and what is refused."""


@pytest.fixture
def evening(gathering: Gathering, monkeypatch: pytest.MonkeyPatch) -> Gathering:
    """Return a gathering with an open vote, talk and refused acts, at terminals of 80 columns."""
    gathering.tea()
    gathering.referee()
    gathering.moot("bob", "comment", "I had rather have rum. " * 12)
    gathering.moot("cid", "act", "finalise", "--anyway")
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    clone = gathering.clone("bob")
    (clone / "tea.yaml").write_text(TEA, "utf-8")
    (clone / "long.yaml").write_text(LONG, "utf-8")
    (clone / "odd.yaml").write_text(TEA.replace("title", "titel") + SCRIPT, "utf-8")
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    monkeypatch.setattr("folkmoot.cli.terminal.is_terminal", lambda stream: True)
    monkeypatch.delenv("MOOT_DEBUG")
    return gathering
