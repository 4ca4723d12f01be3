"""What a group is told in its own channel: votes, turns, what players owe, what rules announce, and who won.

It goes by the library apprise to one or more addresses, each of which is a secret. After a push the entries since the
last message are looked through, and the votes that end soon; one message holds what is found in a game. How far the
channel was told is kept with what was seen of the forge, and moves only once a message is accepted: a run that is
killed in between may say one message twice, and in quiet hours, or while the channel fails, nothing is lost.

What players wrote stands there without mentions, links and markup. Nothing is read from the channel.
"""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, cast

from msgspec import Struct

from folkmoot.core import calendar
from folkmoot.core.calendar import read_stamp
from folkmoot.core.clone_files import read_text
from folkmoot.core.documents import Proposal
from folkmoot.core.keys import proposal_key
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.core.proposal_numbers import called
from folkmoot.core.values import in_a_row
from folkmoot.files.reader import read_file
from folkmoot.forges.cache.forge import Forge
from folkmoot.forges.error_isolation import Stage, guarded
from folkmoot.forges.port import Announced
from folkmoot.game.secret_store import ANNOUNCE, hidden
from folkmoot.game.status import beside_votes, deadline, duties_in, missing_votes
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.tree import GameTree
from folkmoot.referee.comment_building import Site, site_of
from folkmoot.referee.mentions import GameState
from folkmoot.referee.report import GameReport, Report
from folkmoot.wording.game_view import GameView
from folkmoot.wording.law_sentence import quotation
from folkmoot.wording.markup import shortened

SETTINGS = "announce.yaml"
OCCASIONS = ("open", "ending", "turn", "decided", "words", "won")
MOST_LINES, MOST_ENTRIES, MOST_NAMED = 12, 1_000, 6
MISSING = f"{ANNOUNCE} is set, and the library that sends is not installed: `pip install 'folkmoot[announce]'`."

_MARKUP = str.maketrans({sign: chr(ord(sign) + 0xFEE0) for sign in "@<>*_`~|[]#\\"})
_LINK = re.compile(r":(?=//)|(?<=\w)\.(?=[^\W\d])")


def announce(forge: Forge, repo: pygit2.Repository, report: Report, now: int) -> list[str]:
    """Tell the group's channel what is new after a run; returns what whoever keeps the referee should know.

    A game of which something waits to be told counts as awake in the report, so that the clock goes on.
    """
    addresses = _addresses(Path(repo.path))
    if not addresses or not report.games:
        return []
    try:
        settings = _Settings.at(repo, report.after)
        before = forge.announced()
        notes: list[str] = []
        for game in report.games:
            if game.documents and not game.stopped:
                telling = _Telling(repo, report.after, game, settings, before.get(game.game), now)
                tell = partial(_tell, forge, game, telling, addresses)
                notes += guarded(Stage.WAITING, tell, partial(_failed, game.game))
    except ProblemError as error:
        return [f"The group's channel was not told: {error.problems[0]}"]
    return notes


def _failed(game: str, problem: Problem) -> list[str]:
    return [f"The group's channel was not told of {game}: {problem}"]


def _addresses(git: Path) -> list[str]:
    """Return where to send: what the environment held, or the file `folkmoot/announce` in git's own folder."""
    held = hidden(ANNOUNCE)
    if not held:
        try:
            held = read_text(git / "folkmoot" / "announce") or ""
        except (OSError, UnicodeDecodeError):  # it is whose table this is that tells the channel
            return []
    return held.split()


class _Settings(Struct, frozen=True):
    """What a repository says in `announce.yaml`: which occasions are told, and at which time of day none is."""

    tell: Sequence[str] = OCCASIONS
    quiet: tuple[str, str] | None = None

    @staticmethod
    def at(repo: pygit2.Repository, commit: str) -> _Settings:
        """Return the settings at a commit; raises ProblemError where the file is wrong."""
        try:
            blob = repo[commit].peel(pygit2.Tree)[SETTINGS]
        except KeyError:
            return _Settings()
        text = blob.data.decode("utf-8", "replace") if isinstance(blob, pygit2.Blob) else ""
        given = read_file("announce", text, SETTINGS).plain()
        quiet = given.get("quiet")
        return _Settings(given.get("tell", OCCASIONS), (quiet["from"], quiet["until"]) if quiet else None)

    def is_quiet(self, zone: str, now: int) -> bool:
        """Say whether a time lies in the quiet hours, which may go over midnight."""
        if self.quiet is None:
            return False
        local = datetime.fromtimestamp(now, UTC).astimezone(calendar.zone(zone))
        time, (begin, end) = (local.hour, local.minute, local.second), map(calendar.read_time_of_day, self.quiet)
        return begin <= time < end if begin <= end else time >= begin or time < end


class _Telling:
    """Finds what is to be told of one game since the last message."""

    def __init__(
        self,
        repo: pygit2.Repository,
        commit: str,
        game: GameReport,
        settings: _Settings,
        before: Announced | None,
        now: int,
    ) -> None:
        self.record = GameTree(repo, commit, game.game)
        self.state = GameState(game=game.game, documents=game.documents, now=now, choices=lambda _: ())
        self.view = GameView(slug=game.game, documents=game.documents)
        self.site: Site = site_of(repo, commit, self.view.document("game").get("site"))
        self.settings = settings
        self.before = before
        self.found: dict[tuple[str, str], str] = {}

    @property
    def is_quiet(self) -> bool:
        """Say whether nothing is told now."""
        return self.settings.is_quiet(self.view.zone, self.state.now)

    def news(self) -> tuple[list[str], Announced]:
        """Return what is to be told, and how far the channel is told then; nothing where it never was told before."""
        last, before = self.record.head.seq, self.before
        ending = dict(self._ending())
        if before is not None and before.seq <= last:
            new = [*self.record.entries(max(before.seq, last - MOST_ENTRIES) + 1)]
            for entry in new:
                for what in entry.get("effects") or ():
                    self._note(entry["seq"], what)
            if new and self.state.awake:
                self._note_duties(read_stamp(new[0]["at"]))
            self.found |= {("ending", key): line for key, line in ending.items() if key not in before.ending}
        lines = [line for (kind, _), line in self.found.items() if kind in self.settings.tell]
        left = len(lines) - MOST_LINES
        more = [f"… and {left} more before that"] if left > 0 else []
        return [*more, *lines[-MOST_LINES:]], Announced(last, tuple(ending))

    def _note(self, seq: int, what: Any) -> None:
        """Note what an effect is worth telling; of a vote, and of whose turn it is, the last word holds."""
        kind, of = what.get("effect"), str(what.get("of") or "")
        if kind in ("open", "resolve"):
            for earlier in ("open", "decided"):
                self.found.pop((earlier, of), None)
            proposal = self.record.kept(proposal_key(of))
            if proposal and (proposal.get("outcome") or kind == "open"):
                self.found["open" if kind == "open" else "decided", of] = self._voted(proposal)
        elif kind == "put" and of == "game" and what.get("name") == "mover":
            self.found.pop(("turn", ""), None)
            if isinstance(what.get("to"), str) and what["to"] and not self.state.over:
                self.found["turn", ""] = f"It is {self._name(what['to'])}’s turn.{self._entry(seq)}"
        elif kind == "announce":
            words = harmless(what.get("text"), 300)
            self.found["words", words] = f"{quotation(words)}{self._entry(seq)}"
        elif kind == "win":
            names = [self._name(str(player)) for player in what.get("players") or [of]]
            ends = " The game is over." if what.get("ends") else ""
            self.found["won", str(seq)] = f"{in_a_row(names, MOST_NAMED)} won.{ends}{self._entry(seq)}"

    def _note_duties(self, since: int) -> None:
        """Note what players have come to owe beside votes since a time; whose turn it is goes without saying then."""
        proposals = [self.record.kept(proposal_key(name)) for name in self.view.document("game").get("open") or ()]
        groups: dict[tuple[str, int | None], list[str]] = {}
        for duty in beside_votes(duties_in(self.state.documents), proposals):
            if (duty.get("since") or 0) >= since:
                groups.setdefault((duty["what"], duty["by"]), []).append(self._name(duty["player"]))
        for (what, by), names in groups.items():
            until = f", until {self.state.when(by)}" if by is not None else ""
            owe = "owes" if len(names) == 1 else "owe"
            line = f"{in_a_row(names, MOST_NAMED)} {owe} the game: {quotation(harmless(what))}{until}."
            self.found["turn", f"{by} {what}"] = line
            if (turn := self.found.get(("turn", ""))) and turn.startswith(f"It is {names[0]}’s turn."):
                del self.found["turn", ""]

    def _voted(self, proposal: Proposal) -> str:
        """Return how a vote stands or ended, with the link to its page."""
        outcome, verdict = proposal.get("outcome"), cast(Mapping[str, object], proposal.get("verdict") or {})
        by = f" by {self._name(str(proposal['author']))}" if proposal.get("author") else ""
        if outcome:
            why = harmless(verdict.get("why") or proposal.get("why") or "")
            said = f"{self._named(proposal)}{by} was {harmless(outcome)}{f': {quotation(why)}' if why else ''}"
        else:
            closes = deadline(self.state.documents, proposal)
            said = f"{self._named(proposal)}{by} is open{f', until {self.state.when(closes)}' if closes else ''}"
        return f"{said}.{self._page(proposal)}"

    def _ending(self) -> Iterator[tuple[str, str]]:
        """Yield the votes that end soon, by what tells each from a vote at another time."""
        for identifier in self.view.document("game").get("open") or () if self.state.awake else ():
            proposal = self.record.kept(proposal_key(identifier))
            closes = deadline(self.state.documents, proposal)
            missing = missing_votes(proposal)
            if closes and missing and self.state.reminds(proposal.get("opened_at"), closes):
                names = in_a_row((self._name(player) for player in missing), MOST_NAMED)
                until = f"The vote on {self._named(proposal, start=False)} ends {self.state.when(closes)}"
                yield f"{identifier} {closes}", f"{until}; it awaits {names}.{self._page(proposal)}"

    def _named(self, proposal: Proposal, *, start: bool = True) -> str:
        name = harmless(called(proposal), 60)
        title = f" {quotation(harmless(proposal['title'], 100))}" if proposal.get("title") else ""
        return f"{name[:1].upper() + name[1:] if start else name}{title}"

    def _name(self, player: str) -> str:
        return harmless(self.view.name(player), 60)

    def _page(self, proposal: Proposal) -> str:
        page = self.site.proposal(self.state.game, proposal)
        return f" {page}" if page else ""

    def _entry(self, seq: int) -> str:
        page = self.site.entry(self.state.game, seq)
        return f" {page}" if page else ""


def _tell(forge: Forge, game: GameReport, telling: _Telling, addresses: Sequence[str]) -> list[str]:
    """Send what is to be told and note that it was; what cannot be told now waits for the next run."""
    lines, mark = telling.news()
    if lines and telling.is_quiet:
        game.awake = True
        return []
    accepted = len(addresses)
    if lines:
        try:
            accepted = send(addresses, harmless(telling.view.title), "\n".join(lines))
        except ImportError:
            return [MISSING]
    if not accepted:
        game.awake = True
    elif mark != telling.before:
        forge.note_announced(game.game, mark)
    if accepted == len(addresses):
        return []
    return [f"{accepted} of {len(addresses)} addresses of {ANNOUNCE} took the message about {game.game}."]


def harmless(words: object, most: int = 200) -> str:
    """Return players' words on one line in which no channel finds a mention, a link or markup.

    >>> harmless("@everyone <!here> see https://evil.example/x, *now*")
    '＠everyone ＜!here＞ see https：//evil․example/x, ＊now＊'
    """
    line = shortened(str(words or ""), most)
    return _LINK.sub(lambda found: "：" if found[0] == ":" else "․", line).translate(_MARKUP)


# -- the library that sends: what it logs, warns of or raises may hold an address, so nobody sees it


def send(addresses: Sequence[str], title: str, body: str) -> int:
    """Return how many addresses took a message of plain text; raises ImportError where the library is not there."""
    with _silenced():
        import apprise

        asset = apprise.AppriseAsset(app_id="Folkmoot", app_desc="Folkmoot", async_mode=False)
        return sum(_took(apprise.Apprise(asset=asset), address, title, body) for address in addresses)


def _took(channel: Any, address: str, title: str, body: str) -> bool:
    try:
        return bool(channel.add(address) and channel.notify(body=body, title=title, body_format="text"))
    except Exception:  # noqa: BLE001 (whatever one of a hundred senders raises, in words that may hold the secret)
        return False


@contextmanager
def _silenced() -> Iterator[None]:
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)
