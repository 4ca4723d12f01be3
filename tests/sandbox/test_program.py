"""What the sandbox's process reads of its own program is read before its walls stand: nothing is opened later."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
LATE = '''
import sys
from pathlib import Path
from folkmoot.game.rulesets import founding
from folkmoot.sandbox.program import read_program
from folkmoot.sandbox.worker import ParentProcess, Worker
from folkmoot.scenarios.check_files import draft_of

law = founding("orchard")
MISTAKES = """load("grids", "nosuch")
load("grid", "nosuch")
load("nosuchlib", "x")
def on_nosuch(e):
    annonce("x", y = 1)
def do_x(a):
    put("game", "nosuch", rule("7").txt)
    emit("planted", tree = give)
"""
written = [{"rule": {"uid": "90", "rule": "90", "title": "T", "text": "T", "script": MISTAKES}, "text": MISTAKES, "file": "t"}]
for path in sorted(Path("tests/malformed/rule").glob("*.yaml")):
    draft = draft_of(path)
    if draft is not None:
        written.append({"rule": {"uid": "90", "rule": "90", **draft[0]}, "text": draft[1], "file": path.name})
written += [{"rule": {**rule, "uid": "90" + str(n)}, "text": rule.get("script", ""), "file": "p"} for n, rule in enumerate(law["rules"])]
worker = Worker(ParentProcess(lambda size: b"", lambda data: None, None))
read_program()
late = set()
sys.addaudithook(lambda event, given: late.add(f"{event} {given[0]}") if event in ("open", "os.listdir", "os.scandir") else None)
for one in written:
    worker.do_check(law, [one])
    worker.do_check(None, [one])
print(len(written), *sorted(late), sep="\\n")
'''


def test_nothing_is_opened_once_the_program_is_read() -> None:
    done = subprocess.run([sys.executable, "-c", LATE], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    count, *late = done.stdout.split("\n")[:-1]
    assert int(count) > 12
    assert late == []
