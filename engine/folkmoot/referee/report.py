"""What a referee's run did, and why it did nothing where it did nothing."""

from __future__ import annotations

from msgspec import Struct, field

from folkmoot.core.documents import Document
from folkmoot.core.problems import Problem
from folkmoot.core.records import Entry
from folkmoot.game.act_results import Done


class GameReport(Struct):
    """What a run did in one game: the acts, how many entries were recorded, and why nothing was done, if so.

    `fired` are the entries that came of timers alone. `awake` says that time alone may bring something about in it, or
    that something open may need looking at; `waits` why it stands still although nothing is wrong with it: the secret
    of its dice is not at hand. `gone` is the sentence that says where a game is played that has left this forge.
    """

    game: str
    done: list[Done] = field(default_factory=list)
    fired: list[Entry] = field(default_factory=list)
    entries: int = 0
    more: bool = False
    awake: bool = False
    stopped: tuple[Problem, ...] = ()
    waits: tuple[Problem, ...] = ()
    gone: str = ""
    documents: dict[str, Document] = field(default_factory=dict)


class Report(Struct):
    """What a run did: the branch before and after it (hex), each game, and how many answers were written.

    `left` answers are written by the next runs; `unsettled` is when the last of those facts counts that were too young
    for this run (Unix seconds), 0 for none.
    """

    before: str = ""
    after: str = ""
    games: list[GameReport] = field(default_factory=list)
    answers: int = 0
    lost: int = 0
    left: int = 0
    unsettled: int = 0

    @property
    def awake(self) -> bool:
        """Say whether it is worth looking again although nobody does anything."""
        return bool(self.unsettled) or self.more or any(game.awake for game in self.games)

    @property
    def entries(self) -> int:
        """Return how many entries were recorded in all games."""
        return sum(game.entries for game in self.games)

    @property
    def more(self) -> bool:
        """Say whether there is more to do, because one run records only so much."""
        return bool(self.left) or any(game.more for game in self.games)
