"""What came of what a person sent, and why, what others said, and waiting for either: from record and comments."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from itertools import dropwhile, takewhile
from typing import TypeVar, cast

from folkmoot.core.ballot_display import is_displayed
from folkmoot.core.documents import Document
from folkmoot.core.keys import GAME, ROSTER, facts_key, forge_kind, place_here
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.core.proposal_numbers import called, omission
from folkmoot.core.records import Entry, Reason, Shown, Via
from folkmoot.core.sealed_data import MORE_SEALED, told_in
from folkmoot.forges.cache.untrusted_objects import find_commit
from folkmoot.forges.local.letters import Letter
from folkmoot.forges.port import Remark
from folkmoot.game.session import Session
from folkmoot.game.status import undecided
from folkmoot.player.remote_view import RemoteView, account_in
from folkmoot.player.voting import proposal_of
from folkmoot.referee.commands import asks_nothing, commands_in
from folkmoot.referee.markdown import plain
from folkmoot.referee.people import player_of, whose
from folkmoot.referee.report import BEWARE, FLAWS, HEADS
from folkmoot.wording import sentences
from folkmoot.wording.game_view import GameView, seconds, was_refused
from folkmoot.wording.markup import unmarked
from folkmoot.wording.page_links import Here

LOOKED_AT = 200  # of the last entries of the journal
MOST_LOOKED_AT = 500  # of what was said last in one place


AnswerShown = Shown
"""What became of something that somebody wrote, or of a part of it (see `Heard`); what would be empty is left out.

`lines` are the answer to a question, `do` the act that was recorded.
"""


def sent_by(view: RemoteView, session: Session, player: str | None) -> Shown:
    """Return what became of what the person at this clone, known as a player or as nobody, sent.

    That is `refused` (acts on record, and why), `answers` (what else the referee said of it, see `answers_kept`),
    `decided` (their proposals), and `waiting` (what no referee has judged).
    """
    kept = answers_kept(view, session)
    refused = refused_acts(session, player, kept) if player else []
    told = {act["entry"] for act in refused}
    return {
        "refused": refused,
        "answers": [_with_lines(session, answer) for answer in kept if answer.get("seq") not in told],
        "decided": outcomes(session, player) if player else [],
        "waiting": [*_not_judged(view, session, kept), *map(letter_told, view.letters())],
    }


def _with_lines(session: Session, answer: AnswerShown) -> AnswerShown:
    """Return an answer, that to a question with what is answered now: the text of a rule, and the like."""
    if answer["state"] != "told":
        return answer
    from folkmoot.referee.questions import QUESTIONS

    name, _, words = answer["what"].removeprefix("/").partition(" ")
    return {**answer, "lines": list(QUESTIONS[name](words, session).lines) if name in QUESTIONS else []}


def _not_judged(view: RemoteView, session: Session, kept: list[AnswerShown]) -> Iterator[Shown]:
    """Yield what the person asked for that a referee has seen and neither recorded nor answered; the last of votes."""
    heard = {str(each["fact"]).partition("/")[0] for each in kept}
    for number in (0, *view.seen.listed):
        place = view.seen.place(number)
        start = max(0, 0 if number else place.settled, place.remarks - MOST_LOOKED_AT)
        mine = [each for each in view.seen.remarks(number, start) if each.author.id == view.person.id]
        votes = [each for each in mine if number and (each.kind != "comment" or votes_in(each.body))]
        asked = [each for each in mine if commands_in(each.body) and each not in votes]
        for remark in [*asked, *votes[-1:]]:
            said = {"fact": remark.id, "place": f"pull {number}" if number else "thread", "at": remark.at}
            if remark.id not in heard and not is_recorded(view, session, said):
                yield {**letter_told(Letter(pull=number, kind=remark.kind, body=remark.body)), "seen": True}
        pull = place.pull
        unsettled = place.changes > place.settled and pull is not None and f"close-{pull.closed_at}" not in heard
        if pull is not None and pull.closed_by is not None and pull.closed_by.id == view.person.id and unsettled:
            yield {**letter_told(Letter(pull=number, kind="close")), "seen": True}


def votes_in(body: str) -> bool:
    """Say whether a comment votes."""
    return any(command.name == "vote" for command in commands_in(body))


def letter_told(letter: Letter) -> Shown:
    """Return a letter as it is shown to who sent it: where (`pull`, 0 for the game), its `kind`, and what it `says`."""
    commands = [f"/{command.name} {command.rest}".strip() for command in commands_in(letter.body)]
    words = "; ".join(commands) or letter.kind.replace("_", " ")
    return {"pull": letter.pull, "kind": letter.kind, "says": words}


# -- as the record has it lately


def _lately(session: Session, *words: str) -> list[Entry]:
    """Return those of the last entries after the founding in whose text all of some words stand, oldest first."""
    return list(session.record.entries(max(2, session.head.seq - LOOKED_AT + 1), having=words))


def refused_acts(session: Session, player: str, told: Iterable[AnswerShown]) -> list[Shown]:
    """Return the newest acts of a player that were refused: `entry`, `at`, `do`, `act`, `code` and `why`.

    They are those among the last entries, and those of which the referee `told` them: no flood of others hides them.
    """
    newest = {entry["seq"]: entry for entry in _lately(session, player, "code")}
    known = {int(answer["seq"]) for answer in told if answer.get("state") == "refused" and answer.get("seq")}
    older = [session.record.entry(seq) for seq in sorted(known) if seq not in newest and seq <= session.head.seq]
    here = Here(GameView(slug=session.record.name, documents=session.documents), "index.md")
    found = [entry for entry in [*older, *newest.values()] if entry.get("by") == player and was_refused(entry)]
    refused: list[Shown] = []
    for entry in sorted(found, key=lambda entry: entry["seq"]):
        code = entry["code"]
        given: Reason = next((each for each in entry.get("reasons", ()) if each["code"] == code), Reason(code=code))
        choice = (entry.get("with") or {}).get("choice")  # one's own, which one may see
        act = f"vote {choice}" if entry.get("do") == "vote" else unmarked(sentences.act(here, entry))
        why = unmarked(sentences.refusal(here, given)) + (f"; {MORE_SEALED}" if told_in(entry) else "")
        kept = {name: entry.get(name) for name in ("at", "do")}
        refused.append({"entry": entry["seq"], **kept, "act": act, "code": code, "why": why})
    return refused


def outcomes(session: Session, player: str) -> list[Shown]:
    """Return what became of the player's own proposals that were decided among the last entries, newest first."""
    found: list[Shown] = []
    effects = [(entry, effect) for entry in _lately(session, "resolve") for effect in entry.get("effects") or ()]
    for entry, effect in effects:
        proposal = session.proposal(str(effect["of"])) if effect["effect"] == "resolve" else None
        if proposal and proposal["author"] == player:
            why = (proposal["verdict"] or {"why": ""})["why"] or proposal["why"]
            found.append({"proposal": proposal["id"], "called": called(proposal), "title": proposal["title"],
                          "outcome": proposal["outcome"], "why": why, "omission": omission(proposal),
                          "entry": entry["seq"], "at": seconds(entry["at"])})  # fmt: skip
    return found[::-1]


# -- as the referee said it


def answers_kept(view: RemoteView, session: Session) -> list[AnswerShown]:
    """Return what a referee said became of things that the person sent, oldest first, apart from what is recorded.

    Each has `fact`, `place`, `at` (Unix seconds), `what`, `state` (`refused`,
    `waiting`, `void`, `ignored` or `told`), and, where known, `code`, `why`, `rule` and `seq`.
    """
    author = account_in(view, session.kept(ROSTER), forge_kind(session.kept(GAME)) or "local") or view.person
    heard = [each for account in {author.id, view.person.id} for each in view.seen.answers(account)]
    kept = [each.as_record() for each in heard]
    here = [record for record in kept if record.get("game", session.record.name) == session.record.name]
    open_ = [record for record in here if record["state"] in ("waiting", "void", "ignored", "told")]
    found = [record for record in open_ if not is_recorded(view, session, record)]
    refused = [record for record in here if record["state"] == "refused"]
    return sorted([*found, *refused], key=lambda record: record["at"])


def is_recorded(view: RemoteView, session: Session, answer: AnswerShown) -> bool:
    """Say whether something was recorded before it was answered otherwise, as what is read a second time is.

    `answer` has `fact`, `place` and `at`; what was said in the game's thread is looked for on the day that it names.
    """
    kind, _, number = str(answer["place"]).partition(" ")
    at = cast(Via, {kind: int(number)}) if number.isdigit() else Via(pull=0)
    fact = str(answer["fact"])
    letter = find_commit(view.repo, fact.partition("/")[0])  # which says itself when it was sent
    moments = {answer["at"], int(letter.commit_time) if letter is not None else 0}
    known = _recorded_at(session.document, {**place_here(session.kept(GAME), "local"), **at}, moments)
    return any(each == fact or _is_of(each, fact) for each, _seq in known)


def _recorded_at(
    find: Callable[[str], Document | None], place: Via, moments: Iterable[int]
) -> Iterator[tuple[str, int]]:
    """Yield what arrived at a place at some moments and is recorded, with the numbers of its entries."""
    for at in moments:
        key = facts_key({**place, "fact": "any", "arrived": at}) or ""
        yield from ((find(key) or {}).get("facts") or {}).items()


def changed_by_hand(view: RemoteView, game: str) -> list[Problem]:
    """Return what other hands than a referee's changed in a game since a referee last looked at it."""
    known = view.known
    if not known or known == view.main or known not in view.repo:
        return []
    from folkmoot.referee.hand_edits import hand_edits  # which proves records

    return list(hand_edits(view.repo, known, view.main, game))


def flaws_said(view: RemoteView, number: int) -> list[str]:
    """Return what the referee's comment on a pull request says is wrong with its scripts and examples, a line each."""
    return [plain(line) for line in _listed_below(view.seen.said(number) or "", FLAWS)]


def dangers_said(view: RemoteView, number: int) -> list[str]:
    """Return what to beware of once a pull request is law, as the referee's comment on it says, a sentence each."""
    lines = (view.seen.said(number) or "").split("\n")
    return [plain(line.removeprefix(BEWARE).strip()) for line in lines if line.startswith(BEWARE)]


def obstacles_said(view: RemoteView, number: int) -> list[str]:
    """Return why a pull request was not taken in, as the comment on it says: what is wrong, and what was refused.

    Only of what is not judged yet is said what the law would say.
    """
    text = view.seen.said(number) or ""
    law = _listed_below(text, "#### What the law says of it")
    found = _listed_below(text, "#### What is wrong")
    judged = [line for kind in ("waiting", "void", "refused") for line in _listed_below(text, f"{HEADS[kind]}:")]
    ahead = [line for line in law if line.startswith(("It is **not proper", "It cannot be proposed"))]
    return [plain(line) for line in (*found, *(judged or ahead))]


def _listed_below(text: str, heading: str) -> list[str]:
    """Return the items of the list below a line that begins with a heading."""
    _heading, *rest = dropwhile(lambda line: not line.startswith(heading), [*text.split("\n"), heading])
    listed = takewhile(lambda line: line.startswith("- "), dropwhile(lambda line: not line, rest))
    return [line.removeprefix("- ") for line in listed]


# -- what was said where players meet, as far as ballots are displayed

GAMES_OWN = 0  # thread, beside those of pull requests and issues
MOST_PLACES = 300  # the newest pull requests and issues that are looked through
MOST_IN_ONE = 300  # newest remarks of one place


def places(view: RemoteView) -> list[int]:
    """Return where something may have been said lately: the game's thread, open ones, and the newest others."""
    highest = view.seen.standing.highest
    newest = range(max(1, highest - MOST_PLACES + 1), highest + 1)
    return [GAMES_OWN, *sorted({*view.seen.listed, *newest})]


def said_in(view: RemoteView, session: Session, numbers: Iterable[int]) -> list[Shown]:
    """Return what was said in places (numbers of pull requests and issues, 0 the game's thread), oldest first.

    Each has `pull`, `id`, `at` (Unix seconds), `by` (how they are named in the game), `player` (None for strangers),
    `own` (whether the person at the clone said it), `kind`, `body` (None where it is a ballot that is not displayed
    yet), `state` ("", `edited`, `deleted` or `dismissed`), and `entries`: the numbers of those that record it.
    """
    found = [each for number in numbers for each in _in_one(view, session, number)]
    return [each for _order, each in sorted(found, key=lambda pair: (pair[1]["at"], pair[0]))]


def _in_one(view: RemoteView, session: Session, number: int) -> Iterator[tuple[int, Shown]]:
    pull, here = view.seen.pull(number), place_here(session.kept(GAME), "local")
    if pull is None:
        return
    at = Via(issue=number) if pull.issue is not None else Via(pull=number)
    roster, forge = session.kept(ROSTER), here["forge"]
    # what votes here is not displayed as long as anything that it may be on is not
    on = [proposal_of(view, number, forge, session.record.name)] if number else undecided(session)
    hides = any(each is None or not is_displayed(each) for each in on)
    for remark in view.seen.remarks(number, max(0, pull.remarks - MOST_IN_ONE)):
        named = next((each.rest for each in commands_in(remark.body) if each.name == "game"), session.record.name)
        if not number and named != session.record.name:  # all games of a place have one thread
            continue
        hidden = hides and (remark.kind != "comment" or votes_in(remark.body)) and remark.author.id != view.person.id
        changed = "deleted" if remark.deleted else "edited" if remark.edited else ""
        known = _recorded_at(session.document, {**here, **at}, [remark.at])
        said: Shown = {
            "pull": number,
            "id": remark.id,
            "at": remark.at,
            "by": whose(remark.author, roster, forge),
            "player": player_of(roster, forge, remark.author),
            "own": remark.author.id == view.person.id,
            "kind": remark.kind,
            "body": None if hidden else remark.body,
            "state": "dismissed" if remark.dismissed_by is not None else changed,
            "entries": sorted({seq for fact, seq in known if _is_of(fact, remark.id)}),
        }
        yield remark.order, said


def concerns(session: Session, entry: Entry, pull: int) -> bool:
    """Say whether an entry came by a pull request, or did something to what was proposed there."""
    here = place_here(session.kept(GAME), "local")
    via = entry.get("via") or {}
    if via.get("pull") == pull and all(via.get(name) == value for name, value in {"stay": None, **here}.items()):
        return True
    key = facts_key({**here, "pull": pull, "fact": "any"}) or ""
    made = set(session.document(key).get("proposals") or ())
    return any(effect.get("of") in made for effect in entry.get("effects") or ())


def news(view: RemoteView, session: Session, since: int) -> list[Shown]:
    """Return what others said in the game's thread and where something is open, since a moment (Unix seconds).

    What only commands something is none of it: the journal has that.
    """
    said = said_in(view, session, [GAMES_OWN, *view.seen.listed])
    return [each for each in said if each["at"] > since and not each["own"] and is_talk(each["body"])]


def is_talk(body: str | None) -> bool:
    """Say whether somebody said more than commands.

    >>> is_talk("/vote for"), is_talk("Why not?"), is_talk(None)
    (False, True, False)
    """
    return any(line.strip() and not line.startswith("/") for line in (body or "").splitlines())


# -- waiting until something comes of what was sent, or until something is asked for

T = TypeVar("T")

FIRST, LONGEST, LONGER = 1.0, 30.0, 1.5  # seconds of the first pause and of the longest, and how much each grows
MOST_FAILURES = 5  # looks in a row that may fail before waiting is given up


def wait_until(
    view: RemoteView,
    found: Callable[[RemoteView], T | None],
    seconds: float | None = None,
    *,
    pause: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> T | None:
    """Look until `found` gives something, and return that; None where that is not so after so many `seconds`.

    Without `seconds` it may take for ever. Raises E-FORGE where looking fails again and again, E-PAST at once.
    """
    end = None if seconds is None else clock() + seconds
    length, failures = FIRST, 0
    known: dict[str, str] | None = None
    while True:
        try:
            standing, failures = dict(view.look().standing.refs), 0
        except ProblemError as error:
            failures += 1
            if failures >= MOST_FAILURES or error.problems[0].code == "E-PAST":
                raise
        else:
            what = found(view) if standing != known else None
            known = standing
            if what is not None:
                return what
        left = length if end is None else min(length, end - clock())
        if left <= 0:
            return None
        pause(left)
        length = min(length * LONGER, LONGEST)


def came_of(view: RemoteView, game: str, letter: str, pull: int = 0) -> list[AnswerShown]:
    """Return what came of a letter (hex) to a pull request (0: the game), a record for each thing that it asked for.

    Each has its `state` (`recorded`, `said` where everybody can read it and it asks for nothing, or as in `Heard`), and
    `seq`, `what`, `why` and `code` where they are known. Nothing is returned as long as no referee has judged it.
    """
    sent, closed = view.letter(letter), view.seen.place(pull).pull
    if sent is not None and sent.kind == "close" and closed is not None:  # what comes of it is known by when it closed
        letter = f"close-{closed.closed_at}"
    record, commit, closed_at = view.record(game), find_commit(view.repo, letter), letter.partition("close-")[2]
    remarks = _remarks_of(view, letter, pull)
    moments = {commit.commit_time if commit is not None else int(closed_at or 0), *(each.at for each in remarks)}
    known = _recorded_at(record.archive, {**place_here(record.kept(GAME), "local"), "pull": pull}, moments)
    seqs = sorted({seq for fact, seq in known if _is_of(fact, letter)})
    author = account_in(view, record.kept(ROSTER), view.forge_of(game) or "local") or view.person
    heard = [each for each in view.seen.answers(author.id) if _is_of(each.fact, letter)]
    told = [each.as_record() for each in heard]
    found = [AnswerShown(state="recorded", seq=seq) for seq in seqs]
    found += [each for each in told if each.get("seq") not in seqs]
    said = [each.body for each in remarks if each.kind == "comment"]
    return found or [AnswerShown(state="said") for body in said if asks_nothing(body) and not votes_in(body)]


def _remarks_of(view: RemoteView, letter: str, pull: int) -> list[Remark]:
    """Return a letter as a referee has seen and stamped it, if one has."""
    newest = max(0, view.seen.place(pull).remarks - MOST_LOOKED_AT)
    return [remark for remark in view.seen.remarks(pull, newest) if remark.id == letter]


def _is_of(fact: str, letter: str) -> bool:
    return fact.partition("/")[0] == letter
