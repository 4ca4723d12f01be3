"""What was said where players meet, and what came of it, as far as ballots are displayed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypedDict

from folkmoot.core.ballot_display import is_displayed, shown_entry
from folkmoot.core.keys import GAME, ROSTER, facts_key, place_here
from folkmoot.core.records import Entry, Shown, Via
from folkmoot.forges.port import RemarkKind
from folkmoot.game.session import Session
from folkmoot.game.status import undecided
from folkmoot.player.answers import votes_in
from folkmoot.player.remote_view import RemoteView
from folkmoot.player.voting import proposal_of
from folkmoot.referee.people import player_of, whose

if TYPE_CHECKING:
    from folkmoot.forges.port import Remark

THREAD = 0  # the game's own
MOST_PLACES = 300  # the newest pull requests and issues that are looked through
MOST_IN_ONE = 300  # newest remarks of one place


class Said(TypedDict):
    """What somebody said in a place (see `said_in`)."""

    pull: int
    id: str
    at: int
    by: str
    player: str | None
    own: bool
    kind: RemarkKind
    body: str | None
    state: str
    entries: list[int]


def places(view: RemoteView) -> list[int]:
    """Return where something may have been said lately: the game's thread, open ones, and the newest others."""
    highest = view.seen.standing.highest
    newest = range(max(1, highest - MOST_PLACES + 1), highest + 1)
    return [THREAD, *sorted({*view.seen.listed, *newest})]


def said_in(view: RemoteView, session: Session, numbers: Iterable[int]) -> list[Said]:
    """Return what was said in places (numbers of pull requests and issues, 0 the game's thread), oldest first.

    Each has `pull`, `id`, `at` (Unix seconds), `by` (how they are named in the game), `player` (None for strangers),
    `own` (whether the person at the clone said it), `kind`, `body` (None where it is a ballot that is not displayed
    yet), `state` ("", `edited`, `deleted` or `dismissed`), and `entries`: the numbers of those that record it.
    """
    found = [each for number in numbers for each in _in_one(view, session, number)]
    return [each for _order, each in sorted(found, key=lambda pair: (pair[1]["at"], pair[0]))]


def _in_one(view: RemoteView, session: Session, number: int) -> Iterator[tuple[int, Said]]:
    pull = view.seen.pull(number)
    if pull is None:
        return
    here = place_here(session.kept(GAME), "local")
    forge = here["forge"]
    at = Via(issue=number) if pull.issue is not None else Via(pull=number)
    roster, hides = session.kept(ROSTER), _hides(view, session, number, forge)
    for remark in view.seen.remarks(number, max(0, pull.remarks - MOST_IN_ONE)):
        hidden = hides and (remark.kind != "comment" or votes_in(remark.body)) and remark.author.id != view.person.id
        said: Said = {
            "pull": number,
            "id": remark.id,
            "at": remark.at,
            "by": whose(remark.author, roster, forge),
            "player": player_of(roster, forge, remark.author),
            "own": remark.author.id == view.person.id,
            "kind": remark.kind,
            "body": None if hidden else remark.body,
            "state": _state(remark),
            "entries": entries_of(session, {**here, **at}, remark),
        }
        yield remark.order, said


def _state(remark: Remark) -> str:
    if remark.dismissed_by is not None:
        return "dismissed"
    return "deleted" if remark.deleted else "edited" if remark.edited else ""


def entries_of(session: Session, place: Via, remark: Remark) -> list[int]:
    """Return the numbers of the entries that record what a remark asked for."""
    key = facts_key({**place, "fact": "any", "arrived": remark.at})
    known: Mapping[str, int] = session.document(key or "").get("facts") or {}
    return sorted({seq for fact, seq in known.items() if fact.partition("/")[0] == remark.id})


def _hides(view: RemoteView, session: Session, number: int, forge: str) -> bool:
    """Say whether what votes in a place is not displayed: as long as anything that it may be on is not."""
    if number:
        proposal = proposal_of(view, number, forge, session.record.name)
        return proposal is None or not is_displayed(proposal)
    return any(not is_displayed(proposal) for proposal in undecided(session))


def kept_back_in(session: Session) -> Callable[[Entry], Shown]:
    """Return what gives an entry as a program is shown it: without ballots that are not displayed yet."""
    unresolved = {str(proposal["id"]): proposal for proposal in undecided(session)}
    return lambda entry: shown_entry(entry, unresolved)


def concerns(session: Session, entry: Entry, pull: int) -> bool:
    """Say whether an entry came by a pull request, or did something to what was proposed there."""
    here = place_here(session.kept(GAME), "local")
    via = entry.get("via") or {}
    if via.get("pull") == pull and all(via.get(name) == value for name, value in {"stay": None, **here}.items()):
        return True
    key = facts_key({**here, "pull": pull, "fact": "any"}) or ""
    made = set(session.document(key).get("proposals") or ())
    return any(effect.get("of") in made for effect in entry.get("effects") or ())


def news(view: RemoteView, session: Session, since: int) -> list[Said]:
    """Return what others said in the game's thread and where something is open, since a moment (Unix seconds).

    What only commands something is none of it: the journal has that.
    """
    said = said_in(view, session, [THREAD, *view.seen.listed])
    return [each for each in said if each["at"] > since and not each["own"] and is_talk(each["body"])]


def is_talk(body: str | None) -> bool:
    """Say whether somebody said more than commands.

    >>> is_talk("/vote for"), is_talk("Why not?"), is_talk(None)
    (False, True, False)
    """
    return any(line.strip() and not line.startswith("/") for line in (body or "").splitlines())
