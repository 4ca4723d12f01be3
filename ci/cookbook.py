"""The page of the cookbook: each packaged recipe with its rule, what to change in it, and what it shows in play."""

from __future__ import annotations

import io
from itertools import chain, takewhile
from typing import Any

from rich.console import Console

from folkmoot.cli.drawing.blocks import drawn_block
from folkmoot.cli.outcomes import here_at
from folkmoot.files.reader import read_rule
from folkmoot.game.recipes import Recipe, names, recipe
from folkmoot.kernel.step import pages_of
from folkmoot.scenarios.checked_law import with_rule
from folkmoot.scenarios.scenario import run_scenario

WIDTH = 78
POINTS: Any = {"rule": "1", "title": "Points", "text": "", "defines": {"currencies": {"score": {"summary": "Points"}}}}
INTRODUCTION = """# Cookbook

Rules to take as they are, or to begin with. Each was proposed, adopted and played in two of the packaged games.

```sh
moot propose --from             # lists them
moot propose --from market      # opens one in your editor, then proposes it
```

In the browser they stand below *Or begin with an idea*, where a new rule is proposed.

In a game that one person keeps it is `moot act propose --by ann --from market`. What is written as `score` here, and
called points, is what players of your game collect: what `--from` takes has its name, in what you copy you change it.

| Recipe | What it is for |
| --- | --- |
"""
IDIOMS = """
## Turns of phrase

- **For everybody, whenever they come.** `on_enacted` is heard once, by the rule in which it stands, when that comes
  into force; `on_joined` whenever somebody comes: [welcome](#welcome), [map](#map).
- **One of these things.** An argument `{type: thing, kind: animal}` takes the id of a thing, and whoever mistypes it is
  told which there are. `create("animal", "lion")` gives an id that people can see and say: [zoo](#zoo).
- **Once a day.** A register of the type `time` says when it was done last: [quest](#quest).
- **After a time.** `after(DAY, "hammer")` starts a timer, or starts it anew; `cancel` stops it: [auction](#auction),
  [duel](#duel). What comes again and again says `every`: [weather](#weather).
- **If they can pay.** `require` that they have enough before `award` takes it ([bank](#bank)); `transfer` requires it
  by itself ([market](#market)).
- **A page that players write.** A thing for each piece ([newspaper](#newspaper)), or a map ([wiki](#wiki)).
- **The board in front.** `decide_front_page` names the page whose board stands on the game's front page: [map](#map).
- **What must not be proposed.** `decide_proper`: [brevity](#brevity). What falls when its vote ends: [quorum](#quorum).
"""


def cookbook() -> str:
    """Return the page."""
    found = [recipe(name) for name in names()]
    rows = [f"| [{each.name}](#{each.name}) | {each.summary} |\n" for each in found]
    return "".join([INTRODUCTION, *rows, IDIOMS, *map(_part, found)])


def _part(found: Recipe) -> str:
    rule = read_rule(found.rule, f"{found.name}.yaml")
    changes = "".join(f"- {change}\n" for change in found.changes)
    shown = _shown(rule)
    picture = f"Its page, as the example goes:\n\n```text\n{shown}\n```\n\n" if shown else ""
    return (
        f"\n## {rule['title']} {{#{found.name}}}\n\n{found.summary} `moot propose --from {found.name}`\n\n"
        f"To change:\n\n{changes}\n{picture}```yaml\n{found.rule}```\n"
    )


def _shown(rule: Any) -> str:
    """Return what the pages of a rule show once its first example was played, up to where time passes, as text."""
    if not (rule.get("examples") and "def show_" in rule.get("script", "")):
        return ""
    example = rule["examples"][0]
    steps = example.get("steps") or []
    before = list(takewhile(lambda step: "tick" not in step, steps))
    if before and "dice" not in example:  # where all of them fall
        example = {**example, "steps": before, "expect": []}
    law = with_rule({"rules": [POINTS]}, rule)
    run = run_scenario({"ruleset": "", **example}, lambda _name: law, owner="2")
    assert run is not None
    here = here_at("game", run.kernel.documents.all())
    console = Console(file=io.StringIO(), width=WIDTH, no_color=True, highlight=False)
    for page in run.kernel.look(pages_of, run.now).values():
        for part in chain.from_iterable(drawn_block(here, block, WIDTH) for block in page["blocks"]):
            console.print(part)
    lines = [line.rstrip() for line in console.file.getvalue().splitlines()]  # type: ignore[attr-defined]
    return "\n".join(lines).strip("\n")
