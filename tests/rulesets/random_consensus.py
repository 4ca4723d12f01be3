"""A game of consensus in which everybody acts at random."""

from __future__ import annotations

import random
from typing import Any

from folkmoot.core.keys import GAME
from folkmoot.scenarios.scenario import Run

Record = dict[str, Any]
PEOPLE = ["ann", "bob", "cid", "dee", "eve"]
CHOICES = ["approve"] * 6 + ["request changes", "stand aside"]


def text(dice: random.Random) -> str:
    """Return one of so few texts that the same is proposed again and again."""
    return f"There {dice.choice(['is', 'was'])} a {dice.choice(['red', 'blue', 'kind', 'sad', 'wild'])} dragon."


def changes(run: Run, dice: random.Random) -> list[Record]:
    """Return some change that leaves alone what the game is counted by here."""
    new = [uid for uid in run.kernel.play.law.in_force() if int(uid) > 13]
    if new and dice.random() < 0.4:
        return [dice.choice([{"repeal": dice.choice(new)}, {"amend": dice.choice(new), "text": text(dice)}])]
    return [{"enact": {"title": f"Dragon {dice.random()}", "text": text(dice)}}]


def act(run: Run, dice: random.Random) -> None:
    """Let somebody do something, whether or not it is accepted."""
    open_ = [int(each.partition("/")[2]) for each in run.kernel.documents[GAME]["open"]]
    who, number, what = dice.choice(PEOPLE), dice.choice(open_ or [1]), dice.random()
    acts: list[tuple[float, str, Record]] = [
        (0.2, "propose", {"title": "Dragons", "changes": changes(run, dice)}),
        (0.3, "change_text", {"proposal": number, "changes": changes(run, dice)}),
        (0.33, "withdraw", {"proposal": number}),
        (0.36, "leave", {}),
        (0.44, "join", {}),
        (1.0, "vote", {"proposal": number, "choice": dice.choice(CHOICES)}),
    ]
    _, do, given = next(each for each in acts if what < each[0])
    outcome = run.apply(do, who, None, given)
    assert outcome.failures == [], (who, do, given, outcome.failures)
