"""Two games on disk that differ in nothing but what is sealed."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from folkmoot.game.keeper import keeper_file, keeper_seeds, keeper_word
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from folkmoot.player.sealing import seal_arguments
from folkmoot.sealing.boxes import read_box
from folkmoot.sealing.keys import make_key
from folkmoot.wording.game_view import GameView
from tests.support.keeper import SECRET
from tests.support.sealed_worlds import PLAYERS, Act
from tests.support.site_game import published, render
from tests.support.table import START, VOTING

ALIKE = ((10, 33), ("aa", "bb"), ([1, 2], [3, 4]), (None, True), ({"k": 1}, {"k": 2}))
"""What players seal in either world: values of the same length, for which box it takes may tell that."""
BOX = re.compile(r"YWdlLWVuY3J5cHRpb24[A-Za-z0-9+/]{280,}={0,2}")  # what each begins with is always the same
DIGEST = re.compile(
    r"\"?\b[0-9a-f]{64,}\b\"?|\b[0-9a-f]{8,}…|…[0-9a-z]{8}\b|\bage1[a-z0-9]{58}\b|(?<=boxes/)[0-9a-f]{2}\b"
)


def blank(text: str) -> str:
    """Return a text with each box as its size, and digests and keys as one mark."""
    return DIGEST.sub("#", BOX.sub(lambda found: f"box of {read_box(found[0]).size}", text))


class World:
    """A game in a repository of its own, with keys of its own."""

    def __init__(self, folder: Path, law: Any, world: int) -> None:
        self.path, self.world, self.key = folder / "state" / "cards", world, make_key()
        folder.mkdir()
        subprocess.run(["git", "init", "-q", str(folder)], check=True)
        never = {**VOTING, "script": VOTING["script"].replace("== len(p.electorate)", "> 9")}
        people = [{"id": player, "surname": player} for player in PLAYERS]
        given = {"title": "Cards", "rules": [law, never, SECRET], "players": people, "administrators": ["ann"]}
        assert Session.found(self.path, given, START).accepted
        file = keeper_file(GameFolder(self.path))
        file.parent.mkdir(exist_ok=True)
        file.write_text(keeper_word(1, self.key) + "\n", "utf-8")

    def play(self, script: list[Act]) -> None:
        with Session.open(self.path, writing=True) as session:
            for by, do, given, at in self.steps(session.keeper.game, script):
                self.act(session, by, do, given, at)

    def steps(self, game: str, script: list[Act]) -> Iterator[tuple[str, str, dict[str, Any], int]]:
        """Yield who does what with what, and when: keys are named, cards dealt, something is voted on, and so on."""
        key = {"key": self.key.recipient.text, "seeds": keeper_seeds(self.key, game)}
        yield "ann", "open_sealing", key, START
        for player in PLAYERS[:2]:
            yield player, "use_sealing_key", {"key": make_key().recipient.text}, START
        yield "ann", "deal", {}, START
        changes = [{"enact": {"title": "Tea", "text": "Tea is served."}}]
        yield "ann", "propose", {"title": "Tea", "changes": changes}, START
        for place, what in enumerate(script):
            given = {name: pair[self.world] for name, pair in what.sealed.items()}
            yield what.by, what.do, given, START + 70 * place

    def act(self, session: Session, by: str, do: str, given: dict[str, Any], at: int) -> None:
        session.act(by, do, seal_arguments(session, by, do, given), at=max(at, session.at))

    def err(self) -> None:
        """Let somebody with a key, and somebody without, send what they sealed for another act; they are told so."""
        with Session.open(self.path, writing=True) as session:
            for by in ("ann", "cid"):
                wrong = seal_arguments(session, by, "a1", {"card": ALIKE[0][self.world]})
                assert session.act(by, "a2", wrong, at=session.at).code == "E-CONTEXT"

    def files(self) -> dict[str, str]:
        """Return every file of the game, blanked; the buckets of what came are one."""
        found, came = dict[str, str](), list[str]()
        for path in sorted(self.path.rglob("*.yaml")):
            name, text = path.relative_to(self.path).as_posix(), blank(path.read_text("utf-8"))
            if name.startswith("boxes/"):  # how many are in one file is by chance
                came += re.findall(r"(?m)^\W*#.*: [0-9]+$", text)
            else:
                found[name] = text
        return {**found, "boxes": "\n".join(sorted(each.replace('"', "") for each in came))}

    def pages(self) -> str:
        with Session.open(self.path) as session:
            record = session.record
            view = GameView(slug="cards", documents=dict(session.documents), entries=list(record.entries()))
            return blank("\n".join(render(page) for page in published(view)))
