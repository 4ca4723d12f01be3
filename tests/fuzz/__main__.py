"""`python -m tests.fuzz --minutes 60 --seed 1`: look for findings by hand, and report."""

from __future__ import annotations

import argparse
import re
import sys
import warnings
from pathlib import Path

from folkmoot.kernel.step import PYTHON_CALLS
from tests.fuzz import inputs
from tests.fuzz.search import GRAMMARS, Finding, ending, look_for


def main() -> int:
    """Look, or tell one story again; returns 1 where anything was found."""
    wanted = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    wanted.add_argument("--minutes", type=float, default=1.0)
    wanted.add_argument("--seed", type=int, default=1)
    wanted.add_argument("--grammar", choices=sorted(GRAMMARS), action="append", help="only these; may be repeated")
    wanted.add_argument("--findings", type=Path, default=Path("fuzz-findings"), help="the folder findings are put into")
    wanted.add_argument("--again", type=Path, help="tell the story of a finding's file again")
    chosen = wanted.parse_args()
    sys.setrecursionlimit(PYTHON_CALLS)
    with warnings.catch_warnings(action="error"):
        return again(chosen.again) if chosen.again else search(chosen)


def search(chosen: argparse.Namespace) -> int:
    """Look for findings, and put each into a file; return 1 where anything was found."""

    def told(finding: Finding) -> None:
        chosen.findings.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"\W+", "-", finding.kind)[:80]
        (chosen.findings / f"{name}.txt").write_text(finding.text(), "utf-8", "backslashreplace")
        print(finding.text()[:3_000].encode("ascii", "backslashreplace").decode(), flush=True)

    grammars = chosen.grammar or sorted(GRAMMARS)
    found = look_for(chosen.minutes, chosen.seed, grammars, told, lambda text: print(text, flush=True))
    return 1 if found.findings else 0


def again(path: Path) -> int:
    """Tell the story of a file."""
    text = path.read_text("utf-8").partition("\nSTORY = ")[2]
    story = eval(text, vars(inputs))  # a file that the person who runs this has at hand
    kind, trace = ending(story)
    print(f"{kind}\n{trace}" if kind else "it ends well")
    return 1 if kind else 0


if __name__ == "__main__":
    sys.exit(main())
