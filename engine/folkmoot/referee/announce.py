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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, cast

from folkmoot.core import calendar
from folkmoot.core.calendar import read_stamp
from folkmoot.core.clone_files import read_text
from folkmoot.core.documents import Proposal
from folkmoot.core.keys import proposal_key
from folkmoot.core.problems import ProblemError
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
from folkmoot.referee.comment import entry_page, page_of, site_of
from folkmoot.referee.mentions import GameState
from folkmoot.referee.report import GameReport, Report
from folkmoot.wording.law_sentence import quotation
from folkmoot.wording.markup import shortened
from folkmoot.wording.page_links import proposal_path

SETTINGS = "announce.yaml"
OCCASIONS = ("open", "ending", "turn", "decided", "words", "won")
MOST_LINES, MOST_ENTRIES, MOST_NAMED = 12, 1_000, 6
MISSING = f"{ANNOUNCE} is set, and the library that sends is not installed: `pip install 'folkmoot[announce]'`."

_MARKUP = str.maketrans({sign: chr(ord(sign) + 0xFEE0) for sign in "@<>*_`~|[]#\\"})
_LINK = re.compile(r":(?=//)|(?<=\w)\.(?=[^\W\d])")


def announce(forge: Forge, repo: pygit2.Repository, report: Report, now: int) -> list[str]:
    """Tell the group's channel what is new after a run; returns what whoever keeps the referee should know.

    A game of which something waits to be told counts as awake in the report, so that the clock goes on. The addresses
    are what the environment held, or the file `folkmoot/announce` in git's own folder.
    """
    try:
        addresses = (hidden(ANNOUNCE) or read_text(Path(repo.path) / "folkmoot" / "announce") or "").split()
    except (OSError, UnicodeDecodeError):  # it is whose table this is that tells the channel
        return []
    if not addresses or not report.games:
        return []
    try:
        settings, before = _settings(repo, report.after), forge.announced()
    except ProblemError as error:
        return [f"The group's channel was not told: {error.problems[0]}"]

    def tell(game: GameReport) -> list[str]:
        telling = partial(_tell, forge, repo, report.after, game, settings, before.get(game.game), now, addresses)
        failed = f"The group's channel was not told of {game.game}"
        return guarded(Stage.WAITING, telling, lambda problem: [f"{failed}: {problem}"])

    return [note for game in report.games if game.documents and not game.stopped for note in tell(game)]


def _settings(repo: pygit2.Repository, commit: str) -> dict[str, Any]:
    """Return what `announce.yaml` says at a commit: what is told, when it is quiet. Raises ProblemError."""
    try:
        blob = repo[commit].peel(pygit2.Tree)[SETTINGS]
    except KeyError:
        return {}
    text = blob.data.decode("utf-8", "replace") if isinstance(blob, pygit2.Blob) else ""
    return dict(read_file("announce", text, SETTINGS).plain())


def _is_quiet(quiet: Mapping[str, str], zone: str, now: int) -> bool:
    """Say whether a time lies in the quiet hours, which may go over midnight."""
    local = datetime.fromtimestamp(now, UTC).astimezone(calendar.zone(zone))
    time = (local.hour, local.minute, local.second)
    begin, end = calendar.read_time_of_day(quiet["from"]), calendar.read_time_of_day(quiet["until"])
    return begin <= time < end if begin <= end else time >= begin or time < end


def _tell(
    forge: Forge,
    repo: pygit2.Repository,
    commit: str,
    game: GameReport,
    settings: Mapping[str, Any],
    before: Announced | None,
    now: int,
    addresses: Sequence[str],
) -> list[str]:
    """Send what is to be told of a game and note that it was; what cannot be told now waits for the next run."""
    state = GameState(slug=game.game, documents=game.documents, at=now, choices=lambda _: ())
    news = _News(GameTree(repo, commit, game.game), state, site_of(repo, commit))
    lines, mark = news.since(before, settings.get("tell", OCCASIONS))
    accepted = len(addresses)
    if lines and settings.get("quiet") and _is_quiet(settings["quiet"], state.zone, now):
        game.awake = True
        return []
    if lines:
        try:
            accepted = send(addresses, harmless(state.title), "\n".join(lines))
        except ImportError:
            return [MISSING]
    if not accepted:
        game.awake = True
    elif mark != before:
        forge.note_announced(game.game, mark)
    if accepted == len(addresses):
        return []
    return [f"{accepted} of {len(addresses)} addresses of {ANNOUNCE} took the message about {game.game}."]


class _News:
    """Finds what is to be told of one game since the last message: by occasion and what it is of, a line each."""

    def __init__(self, record: GameTree, state: GameState, site: str) -> None:
        self.record = record
        self.state = state
        self.site = site
        self.found: dict[tuple[str, str], str] = {}

    def since(self, before: Announced | None, tell: Sequence[str]) -> tuple[list[str], Announced]:
        """Return what is to be told, and how far the channel is told then; nothing where it never was told before."""
        last, ending = self.record.head.seq, dict(self._ending())
        if before is not None and before.seq <= last:
            new = [*self.record.entries(max(before.seq, last - MOST_ENTRIES) + 1)]
            for entry in new:
                for what in entry.get("effects") or ():
                    self._note(entry["seq"], what)
            if new and self.state.awake:
                self._note_duties(read_stamp(new[0]["at"]))
            self.found |= {("ending", key): line for key, line in ending.items() if key not in before.ending}
        lines = [line for (kind, _), line in self.found.items() if kind in tell]
        left = len(lines) - MOST_LINES
        more = [f"… and {left} more before that"] if left > 0 else []
        return [*more, *lines[-MOST_LINES:]], Announced(last, tuple(ending))

    def _note(self, seq: int, what: Any) -> None:
        """Note what an effect is worth telling; of a vote, and of whose turn it is, the last word holds."""
        kind, of, entry = what.get("effect"), str(what.get("of") or ""), entry_page(self.site, self.state.slug, seq)
        if kind in ("open", "resolve"):
            for earlier in ("open", "decided"):
                self.found.pop((earlier, of), None)
            proposal = self.record.kept(proposal_key(of))
            if proposal and (proposal.get("outcome") or kind == "open"):
                self.found["open" if kind == "open" else "decided", of] = self._voted(proposal)
        elif kind == "put" and of == "game" and what.get("name") == "mover":
            self.found.pop(("turn", ""), None)
            if isinstance(what.get("to"), str) and what["to"] and not self.state.over:
                self.found["turn", ""] = _line(f"It is {self._name(what['to'])}’s turn.", entry)
        elif kind == "announce":
            words = harmless(what.get("text"), 300)
            self.found["words", words] = _line(quotation(words), entry)
        elif kind == "win":
            ends = " The game is over." if what.get("ends") else ""
            self.found["won", str(seq)] = _line(f"{self._names(what.get('players') or [of])} won.{ends}", entry)

    def _note_duties(self, since: int) -> None:
        """Note what players have come to owe beside votes since a time; whose turn it is goes without saying then."""
        proposals = [self.record.kept(proposal_key(name)) for name in self.state.document("game").get("open") or ()]
        groups: dict[tuple[str, int | None], list[str]] = {}
        for duty in beside_votes(duties_in(self.state.documents), proposals):
            if (duty.get("since") or 0) >= since:
                groups.setdefault((duty["what"], duty["by"]), []).append(duty["player"])
        for (what, by), players in groups.items():
            until = f", until {self.state.when(by)}" if by is not None else ""
            owe = "owes" if len(players) == 1 else "owe"
            line = f"{self._names(players)} {owe} the game: {quotation(harmless(what))}{until}."
            self.found["turn", f"{by} {what}"] = line
            if self.found.get(("turn", ""), "").startswith(f"It is {self._name(players[0])}’s turn."):
                del self.found["turn", ""]

    def _voted(self, proposal: Proposal) -> str:
        """Return how a vote stands or ended, with the link to its page."""
        outcome, verdict = proposal.get("outcome"), cast(Mapping[str, object], proposal.get("verdict") or {})
        by = f" by {self._name(str(proposal['author']))}" if proposal.get("author") else ""
        named = f"{self._named(proposal)}{by}"
        if outcome:
            why = harmless(verdict.get("why") or proposal.get("why") or "")
            said = f"{named} was {harmless(outcome)}{f': {quotation(why)}' if why else ''}."
        else:
            closes = deadline(self.state.documents, proposal)
            said = f"{named} is open{f', until {self.state.when(closes)}' if closes else ''}."
        return self._on_page(said[:1].upper() + said[1:], proposal)

    def _ending(self) -> Iterator[tuple[str, str]]:
        """Yield the votes that end soon, by what tells each from a vote at another time."""
        for identifier in self.state.document("game").get("open") or () if self.state.awake else ():
            proposal = self.record.kept(proposal_key(identifier))
            closes, missing = deadline(self.state.documents, proposal), missing_votes(proposal)
            if closes and missing and self.state.reminds(proposal.get("opened_at"), closes):
                ends = f"The vote on {self._named(proposal)} ends {self.state.when(closes)}"
                said = f"{ends}; it awaits {self._names(missing)}."
                yield f"{identifier} {closes}", self._on_page(said, proposal)

    def _on_page(self, said: str, proposal: Proposal) -> str:
        return _line(said, page_of(self.site, self.state.slug, proposal_path(proposal)))

    def _named(self, proposal: Proposal) -> str:
        title = f" {quotation(harmless(proposal['title'], 100))}" if proposal.get("title") else ""
        return f"{harmless(called(proposal), 60)}{title}"

    def _name(self, player: str) -> str:
        return harmless(self.state.name(player), 60)

    def _names(self, players: Iterable[Any]) -> str:
        return in_a_row((self._name(str(player)) for player in players), MOST_NAMED)


def _line(said: str, page: str) -> str:
    return f"{said} {page}" if page else said


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
    before, took = logging.root.manager.disable, 0
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings(action="ignore"):
            import apprise

            asset = apprise.AppriseAsset(app_id="Folkmoot", app_desc="Folkmoot", async_mode=False)
            for address in addresses:
                with suppress(Exception):  # whatever one of a hundred senders raises, in words that may hold the secret
                    channel = apprise.Apprise(asset=asset)
                    took += bool(channel.add(address) and channel.notify(body=body, title=title, body_format="text"))
    finally:
        logging.disable(before)
    return took
