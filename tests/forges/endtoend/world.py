"""A world in which a game is played from a script: people, a clock, a repository, and what only its forge knows.

The same script is played in several worlds. Everything in it happens at times of the script's own, so that what comes
of it can be compared byte for byte: `comparing.py` says how.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pygit2
import pytest

from folkmoot.core.digest import value_digest
from folkmoot.core.events import Event
from folkmoot.core.versions import versions
from folkmoot.forges.port import Forge, PullState, RemarkKind
from folkmoot.game import secret_store
from folkmoot.game.keeper import Keeper, keeper_seeds, keeper_word
from folkmoot.game.rulesets import texts_of_lists
from folkmoot.game.session import Session
from folkmoot.journal.git_objects import make_commit, write_tree
from folkmoot.journal.tree import GameTree
from folkmoot.kernel.chance import commitment, subkey
from folkmoot.player.hand import hand_of
from folkmoot.player.sealing import seal_arguments
from folkmoot.player.voting import act_line
from folkmoot.referee.report import Report
from folkmoot.referee.run import Referee
from folkmoot.sandbox.wire import DiceSource
from folkmoot.sealing.keys import Identity, make_key

GAME = "moor"
MAIN = "refs/heads/main"
START = 1_767_614_400
"""2026-01-05T12:00:00Z, a Monday."""
FORGES = ("local", "github", "gitea")
DEED = 150
"""Seconds between two deeds: more than any forge waits before a fact counts."""
SETTLED = 3_000
"""Seconds in which a referee gets through, however often it fails; what the script does next is later in any case."""
SECRET = b"what everybody's dice are made of"


def person_id(forge: str, person: str) -> str:
    """Return the id by which a forge knows somebody."""
    number = sum(ord(letter) * 31**place for place, letter in enumerate(person))
    return f"{person}@x.org" if forge == "local" else str(7_000 + number % 1_000_000)


usual_chance = Session._chance


def chance_of(session: Session, event: Event, digest: str = "") -> DiceSource:
    """Return dice that fall alike in all worlds: they hang on the number and the name of an event, not on its origin."""
    if not ((session.documents.get("game") or {}).get("chance") or {}).get("commitment"):
        return usual_chance(session, event, digest)
    return {"kind": "secret", "key": subkey(SECRET, "", value_digest([event.seq, event.do])).hex(), "epoch": 1}


def draw_of(_keeper: Keeper, number: int, _prev: str, _digest: str) -> str:
    """Return sealed draws that are alike in all worlds: they hang on their number alone."""
    return subkey(SECRET, "", value_digest(["sealed", number])).hex()


def throw_alike(patch: pytest.MonkeyPatch) -> None:
    """Let the dice of every world fall alike, and its cards be shuffled alike."""
    patch.setattr(Session, "_chance", chance_of)
    patch.setattr(Keeper, "past_draw", draw_of)


@cache
def key_of(person: str) -> Identity:
    """Return somebody's own key for what is sealed, or that of the `keeper`: the same in all worlds of a process."""
    return make_key()


@contextmanager
def at_hand(secrets: Mapping[str, str]) -> Iterator[None]:
    """Be a process that was started with secrets: it hides them before anything else, and nobody has them after it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(secret_store.HIDDEN, secret_store.SEALING, "")
        for name, value in secrets.items():
            patch.setenv(name, value)
        secret_store.hide_secrets()
        assert secret_store.SEALING not in os.environ
        yield


class World(ABC):
    """One game on one forge.

    `pulls`, `remarks` and `contents` say what the script's words stand for: numbers of pull requests, ids of what was
    said, commits. `heads` are all contents of each pull request, the newest last. Where the game is `kept`, its keeper has
    a key and everybody one of their own; `secrets` are what the forge hands to the referee's job, and to nothing else.
    """

    kind: str

    def __init__(self, folder: Path, law: Mapping[str, Any], players: tuple[str, ...], *, kept: bool = False) -> None:
        self.folder = folder
        self.players = players
        self.now = START
        self.hub = folder / "moot" / "game.git"
        self.hub.parent.mkdir(parents=True)
        self.repo = pygit2.init_repository(str(self.hub), bare=True, initial_head="main")
        self.pulls: dict[str, int] = {}
        self.remarks: dict[str, str] = {}
        self.heads: dict[str, list[str]] = {}
        self.contents: dict[str, str] = {}
        self.reports: list[Report] = []
        self.kept = kept
        self._sessions: dict[str, Session] = {}
        self.secrets = {secret_store.SEALING: keeper_word(1, key_of("keeper"))} if kept else {}
        self._found(dict(law))

    def _found(self, law: dict[str, Any]) -> None:
        record = GameTree(self.repo, "", GAME)
        people = [{"id": who, "surname": who.capitalize(), "email": f"{who}@x.org"} for who in self.players]
        keeper = self.players[0]
        given = {**law, "players": people, "engine": versions(), "administrators": [keeper]}
        done = Session.found(record, given, START, texts_of_lists(given))
        assert done.accepted, done.entry.get("reasons")
        acts: list[tuple[str, dict[str, Any]]] = [
            ("identify", {"player": who, "forge": forge, "id": person_id(forge, who), "login": who})
            for who in self.players
            for forge in FORGES
        ]
        acts += [("open_epoch", {"commitment": commitment(SECRET)}), ("use_forge", {"forge": self.kind})]
        with at_hand(self.secrets), closing(Session(record, record.load(), record.head)) as session:
            if self.kept:
                named = key_of("keeper")
                given = {"key": named.recipient.text, "seeds": keeper_seeds(named, session.keeper.game)}
                acts.append(("open_sealing", given))
            for do, with_ in acts:
                done = session.act(keeper, do, with_, at=START)
                assert done.accepted, done.entry.get("reasons")
        made = record.commit("Found the game", "Root <root@x.org>", START, committer="Root <root@x.org>")
        self.repo.references.create(MAIN, made)

    # -- what a script says

    def wait(self, hours: float = 0, minutes: float = 0) -> None:
        """Let time pass."""
        self.now += round(hours * 3600 + minutes * 60)

    @contextmanager
    def deed(self) -> Iterator[None]:
        """Let somebody do something: it takes a while, and in some worlds it is noticed at once."""
        self.now += DEED
        yield

    def open(self, person: str, word: str, files: Mapping[str, bytes | None], title: str = "") -> None:
        """Open a pull request that changes files of the game."""
        with self.deed():
            made = self._commit(person, title or word, files, self.main())
            self.pulls[word] = self._open(person, title or word, made)
            self.heads[word] = [made]

    def push(self, person: str, word: str, files: Mapping[str, bytes | None]) -> None:
        """Push other content to a pull request: files of the game on top of what it had."""
        with self.deed():
            made = self._commit(person, f"{word} again", files, self.heads[word][-1])
            self.heads[word].append(made)
            self._push(person, self.pulls[word], made)

    def say(self, person: str, word: str, body: str, *, name: str = "") -> None:
        """Comment on a pull request, or ("") in the game's own thread."""
        with self.deed():
            made = self._say(person, self.pulls[word] if word else 0, body)
            self._named(name or f"comment {len(self.remarks)}", made)

    def review(self, person: str, word: str, kind: RemarkKind, body: str = "", *, of: int = -1, name: str = "") -> None:
        """Review the newest content of a pull request, or an older one."""
        with self.deed():
            made = self._review(person, self.pulls[word], kind, body, self.heads[word][of])
            self._named(name or f"review {len(self.remarks)}", made)

    def fill(self, person: str, word: str, form: str, said: str, /, **values: str) -> None:
        """Fill in a form; where a forge has none, comment what comes to the same (`said`) in the game's own thread."""
        with self.deed():
            made = self._fill(person, form, word, values) or self._say(person, 0, said)
            self._named(f"form {word}", made)

    def approve(self, person: str, word: str, body: str = "", *, of: int = -1, name: str = "") -> None:
        """Approve of a pull request."""
        self.review(person, word, "approve", body, of=of, name=name)

    def edit(self, person: str, word: str, name: str, body: str) -> None:
        """Change what one said."""
        with self.deed():
            self._edit(person, self.pulls.get(word, 0), self.remarks[name], body)

    def delete(self, person: str, word: str, name: str) -> None:
        """Take away what one said."""
        with self.deed():
            self._delete(person, self.pulls.get(word, 0), self.remarks[name])

    def dismiss(self, person: str, word: str, name: str) -> None:
        """Dismiss a review, somebody else's perhaps."""
        with self.deed():
            self._dismiss(person, self.pulls[word], self.remarks[name])

    def close(self, person: str, word: str) -> None:
        """Close a pull request."""
        with self.deed():
            self._close(person, self.pulls[word])

    def reopen(self, person: str, word: str) -> None:
        """Open a pull request again."""
        with self.deed():
            self._reopen(person, self.pulls[word])

    def settle(self) -> None:
        """Let a referee bring the record up to everything that was done so far, whatever comes between."""
        self.now += DEED
        ended = self.now + SETTLED
        self._settle()
        assert self.now < ended
        self.now = ended

    def _named(self, name: str, made: str) -> None:
        assert name not in self.remarks, name
        self.remarks[name] = made

    # -- what is sealed

    def name_keys(self) -> None:
        """Let everybody who plays name a key of their own."""
        for who in self.players:
            self.say(who, "", f"/use_sealing_key key={key_of(who).recipient.text}")

    def line(self, person: str, do: str, as_: str | None = None, **args: Any) -> str:
        """Return the line of an act, with what it takes sealed as `moot` seals it on that person's machine."""
        with self._opened() as session:
            return act_line(do, seal_arguments(session, person, do, args), as_, session.actions())

    @contextmanager
    def _opened(self) -> Iterator[Session]:
        """Provide the game as it stands, with nobody's keys; it is opened once as long as nobody records anything."""
        tip = self.main()
        with at_hand({}):
            if tip not in self._sessions:
                with Session.on(self.game()) as session:
                    self._sessions = {tip: session}
            yield self._sessions[tip]

    def reads(self, person: str, value: Any) -> Any:
        """Return a value of the record as somebody reads it with their own key."""
        with self._opened() as session:
            return hand_of(session, person, [key_of(person)]).shown(value)

    # -- how it stands

    def main(self) -> str:
        """Return the tip of the branch."""
        return str(self.repo.references[MAIN].target)

    def game(self) -> GameTree:
        """Return the game as it stands on the branch."""
        return GameTree(self.repo, self.main(), GAME)

    def document(self, key: str) -> dict[str, Any]:
        """Return a document of the game as it stands on the branch."""
        return dict(self.game().archive(key) or {})

    def file(self, path: str) -> str:
        """Return a file of the game as it stands on the branch."""
        found = self.repo[self.main()].peel(pygit2.Tree)[f"state/{GAME}/{path}"]
        assert isinstance(found, pygit2.Blob)
        return found.data.decode()

    def _commit(self, person: str, message: str, files: Mapping[str, bytes | None], parent: str) -> str:
        who = pygit2.Signature(person, f"{person}@x.org", self.now, 0)
        inside = {f"state/{GAME}/{path}": data for path, data in files.items()}
        tree = write_tree(self.repo, self.repo[parent].peel(pygit2.Tree).id, inside)
        made = make_commit(self.repo, tree, [parent], message, who, who)
        self.contents[f"{message} {len(self.contents)}"] = made
        return made

    def run(self, forge: Forge) -> Report:
        """Let a referee run once, with the secrets of its job."""
        with at_hand(self.secrets), Referee(forge, forge.refs.repo, lambda: self.now) as referee:  # type: ignore[attr-defined]
            report = referee.run()
        self.reports.append(report)
        return report

    # -- what each forge does in its own way

    @abstractmethod
    def forge(self, clone: Path | None = None) -> Forge:
        """Return the forge as a referee in some clone sees it."""

    @abstractmethod
    def shown(self, word: str) -> PullState:
        """Return how the forge shows a pull request."""

    @abstractmethod
    def ours(self, word: str) -> list[str]:
        """Return all comments of ours on a pull request."""

    @abstractmethod
    def _settle(self) -> None: ...

    @abstractmethod
    def _open(self, person: str, title: str, commit: str) -> int: ...

    @abstractmethod
    def _push(self, person: str, number: int, commit: str) -> None: ...

    @abstractmethod
    def _say(self, person: str, number: int, body: str) -> str: ...

    def _fill(self, person: str, form: str, title: str, values: Mapping[str, str]) -> str:
        """Open an issue as a form does, and return the name of the fact that it is; "" where there are no forms."""
        return ""

    @abstractmethod
    def _review(self, person: str, number: int, kind: RemarkKind, body: str, commit: str) -> str: ...

    @abstractmethod
    def _edit(self, person: str, number: int, remark: str, body: str) -> None: ...

    @abstractmethod
    def _delete(self, person: str, number: int, remark: str) -> None: ...

    @abstractmethod
    def _dismiss(self, person: str, number: int, remark: str) -> None: ...

    @abstractmethod
    def _close(self, person: str, number: int) -> None: ...

    @abstractmethod
    def _reopen(self, person: str, number: int) -> None: ...
