"""What came of what a person sent, and why, what others said, and waiting for either: from record and comments."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Required, TypedDict, TypeVar, cast

from folkmoot.core.ballot_display import is_displayed, shown_entry
from folkmoot.core.keys import GAME, ROSTER, facts_key, forge_kind, place_here
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.core.proposal_numbers import called, omission
from folkmoot.core.records import Effect, Entry, Reason, Shown, Via
from folkmoot.core.sealed_data import MORE_SEALED, told_in
from folkmoot.forges.cache.forge_cache import THREAD
from folkmoot.forges.cache.untrusted_objects import find_commit
from folkmoot.forges.local.letters import Letter
from folkmoot.forges.port import Remark, RemarkKind
from folkmoot.game.session import Session
from folkmoot.game.status import undecided
from folkmoot.kernel.act_declarations import ADMINISTRATIVE
from folkmoot.kernel.ballot_words import review_said
from folkmoot.kernel.names import account_on
from folkmoot.player.remote_view import RemoteView, account_in
from folkmoot.player.voting import proposal_of
from folkmoot.referee.commands import asks_nothing, commands_in
from folkmoot.referee.markdown import plain
from folkmoot.referee.people import player_of, whose
from folkmoot.referee.report import BEWARE, FLAWS, HEADS
from folkmoot.wording import sentences
from folkmoot.wording.game_view import GameView, seconds, was_refused
from folkmoot.wording.law_sentence import quotation
from folkmoot.wording.markup import unmarked
from folkmoot.wording.page_links import Here

LOOKED_AT = 200  # of the last entries of the journal
MOST_CHANGED = 500  # of what was said last in one place that is looked at for what was changed later
LONGEST_AGAIN = 500  # characters of a comment in a command that sends it again


class AnswerShown(TypedDict, total=False):
    """What became of something that somebody wrote, or of a part of it (see `Heard`); what would be empty is left out.

    `lines` are the answer to a question, `do` the act that was recorded.
    """

    fact: str
    place: str
    at: int
    game: str
    what: str
    state: Required[str]
    code: str
    why: str
    rule: str
    seq: int
    lines: list[str]
    do: str


class Sent(TypedDict):
    """What became of what somebody sent, and what others did to them (see `sent_by`)."""

    refused: list[Shown]
    answers: list[AnswerShown]
    accepted: list[Shown]
    decided: list[Shown]
    done_to: list[Shown]
    waiting: list[Shown]
    ignored: list[Shown]


def sent_by(view: RemoteView, session: Session, player: str | None) -> Sent:
    """Return what became of what somebody sent, and what others did to them.

    That is `refused` (acts on record, and why), `answers` (what else the referee said of it, see `answers_kept`),
    `accepted`, `decided` and `done_to`; and where the person sits at this clone, `waiting` and `ignored` (letters).
    """
    forge = forge_kind(session.kept(GAME)) or "local"
    roster = session.kept(ROSTER)
    entry, known = roster.get(player or ""), account_on(roster, player or "", forge)
    account = (known["id"] if known else (entry.get("email") or "") if entry else "").lower()
    mine = player is None or player == player_of(roster, "local", view.person)
    kept = answers_kept(view, session, filter(None, [account, view.person.id if mine else ""]))
    answers = [_with_lines(session, answer) for answer in kept if answer["state"] != "ignored"]
    last = Lately(session)
    refused = refused_acts(session, last, player, answers)
    told = {act["entry"] for act in refused}
    changed = list(_changed_later(view, session)) if mine else []
    return {
        "refused": refused,
        "answers": [*(answer for answer in answers if answer.get("seq") not in told), *changed],
        "accepted": accepted_acts(last, player) if player else [],
        "decided": outcomes(session, last, player) if player else [],
        "done_to": done_to(session, _of_others(last, player), player) if player else [],
        "waiting": [*_not_judged(view, session, kept), *map(letter_told, view.letters())] if mine else [],
        "ignored": list(_ignored(view, session, kept)) if mine else [],
    }


def _with_lines(session: Session, answer: AnswerShown) -> AnswerShown:
    if answer["state"] != "told":
        return answer
    return {**answer, "lines": _lines_told(session, answer["what"])}


def _changed_later(view: RemoteView, session: Session) -> Iterator[AnswerShown]:
    """Yield what became of letters of the person's own that were edited, deleted or dismissed after they were seen."""
    for number in (0, *view.seen.listed):
        count = (view.seen.pull(number) or THREAD).remarks
        for remark, about in _own_remarks(view, number, count - MOST_CHANGED):
            what = _change_of(remark)
            if not what or not is_recorded(view, session, about):
                continue
            letter = view.letter(remark.id)
            says = letter_told(letter)["says"] if letter is not None else remark.kind.replace("_", " ")
            again = f" To say something else: {f'`moot vote {number} …`' if number else '`moot comment …`'}"
            why = f"{what}: it was recorded before, and stands as recorded.{again}"
            yield {**about, "what": says, "game": session.record.name, "state": "told", "why": why}


def _not_judged(view: RemoteView, session: Session, kept: list[AnswerShown]) -> Iterator[Shown]:
    """Yield the person's commands and withdrawals that a referee has seen, and neither recorded nor answered yet."""
    heard = {str(each["fact"]).partition("/")[0] for each in kept}
    for number in (0, *view.seen.listed):
        place = view.seen.pull(number) or THREAD
        start = max(0 if number else place.settled, place.remarks - MOST_CHANGED)
        for remark, about in _own_remarks(view, number, start):
            asks = remark.kind == "comment" and remark.id not in heard and commands_in(remark.body)
            told = number and votes_in(remark.body)  # among the ballots
            if asks and not told and not is_recorded(view, session, about):
                yield {**letter_told(Letter(pull=number, kind="comment", body=remark.body)), "seen": True}
        pull = place.pull
        unsettled = place.changes > place.settled and pull is not None and f"close-{pull.closed_at}" not in heard
        if pull is not None and pull.closed_by is not None and pull.closed_by.id == view.person.id and unsettled:
            yield {**letter_told(Letter(pull=number, kind="close")), "seen": True}


def _own_remarks(view: RemoteView, number: int, start: int) -> Iterator[tuple[Remark, AnswerShown]]:
    """Yield what was seen of the person's remarks in a place from one on, and where (`fact`, `place`, `at`)."""
    for remark in view.seen.remarks(number, max(0, start)):
        if remark.author.id == view.person.id:
            yield remark, fact_of(remark, number)


def fact_of(remark: Remark, number: int) -> AnswerShown:
    """Return what something that was said in a place (0: the game's thread) is known by."""
    place = f"pull {number}" if number else "thread"
    return {"fact": remark.id, "place": place, "at": remark.at, "state": ""}


def _change_of(remark: Remark) -> str:
    """Return what was done to something that was said, "" where nothing was."""
    by = f" by {remark.dismissed_by.handle}" if remark.dismissed_by is not None else ""
    return f"{_state_of(remark)}{by}"


def _lines_told(session: Session, what: str) -> list[str]:
    """Return what a question of a comment was answered with, as it would be now: the text of a rule, and the like."""
    from folkmoot.referee.questions import QUESTIONS

    name, _, words = what.removeprefix("/").partition(" ")
    return list(QUESTIONS[name](words, session).lines) if name in QUESTIONS else []


def _ignored(view: RemoteView, session: Session, kept: list[AnswerShown]) -> Iterator[Shown]:
    """Yield the person's letters that were ignored, what they say, and the command that sends each again."""
    for note in sorted((each for each in kept if each["state"] == "ignored"), key=lambda each: each["at"]):
        letter = view.letter(note["fact"])
        told = letter_told(letter) if letter is not None else {"pull": 0, "kind": "", "says": note["what"]}
        yield {**told, "letter": note["fact"], "why": note["why"], "at": note["at"], "again": _again(letter)}


def _again(letter: Letter | None) -> str:
    """Return the command that sends a letter anew, "" where only its author knows."""
    if letter is None or letter.kind == "describe":
        return ""
    if letter.kind == "close":
        return f"`moot withdraw {letter.pull}`"
    if letter.kind != "comment":
        return f"`moot vote {letter.pull} {review_said(letter.kind)}`"
    if len(letter.body) > LONGEST_AGAIN:  # a part of it would say something else
        return ""
    on = f"--on {letter.pull} " if letter.pull else ""
    return f"`moot comment {on}{shlex.quote(letter.body)}`"


def votes_in(body: str) -> bool:
    """Say whether a comment votes."""
    return any(command.name == "vote" for command in commands_in(body))


def letter_told(letter: Letter) -> Shown:
    """Return a letter as it is shown to who sent it: where (`pull`, 0 for the game), its `kind`, and what it `says`."""
    commands = [f"/{command.name} {command.rest}".strip() for command in commands_in(letter.body)]
    words = "; ".join(commands) or letter.kind.replace("_", " ")
    return {"pull": letter.pull, "kind": letter.kind, "says": words}


# -- as the record has it lately


class Lately:
    """The last entries of a game after its founding, each of which is read at most once."""

    def __init__(self, session: Session) -> None:
        """Take a game; nothing is read yet."""
        self._record, self._first = session.record, max(2, session.head.seq - LOOKED_AT + 1)
        self._read: dict[int, Entry] = {}

    def having(self, *words: str) -> list[Entry]:
        """Return those in whose text all of some words stand, oldest first."""
        return list(self._record.entries(self._first, having=words, known=self._read))


def refused_acts(session: Session, last: Lately, player: str | None, told: Iterable[AnswerShown] = ()) -> list[Shown]:
    """Return the newest acts of a player that were refused: `entry`, `at`, `do`, `act`, `code` and `why`.

    They are those among the last entries, and those of which the referee `told` them: no flood of others hides them.
    """
    if player is None:
        return []
    newest = {entry["seq"]: entry for entry in last.having(player, "code")}
    known = {int(answer["seq"]) for answer in told if answer.get("state") == "refused" and answer.get("seq")}
    older = [session.record.entry(seq) for seq in sorted(known) if seq not in newest and seq <= session.head.seq]
    here = Here(GameView(slug=session.record.name, documents=session.documents), "index.md")
    found = [entry for entry in [*older, *newest.values()] if entry.get("by") == player and was_refused(entry)]
    return [_refused(here, entry) for entry in sorted(found, key=lambda entry: entry["seq"])]


def accepted_acts(last: Lately, player: str) -> list[Shown]:
    """Return the player's own acts among the last entries that were accepted, newest first: `entry`, `at` and `do`."""
    done = [entry for entry in last.having(player) if entry.get("by") == player and not entry.get("code")]
    return [{"entry": entry["seq"], "at": seconds(entry["at"]), "do": entry["do"]} for entry in reversed(done)]


def _refused(here: Here, entry: Entry) -> Shown:
    code = entry["code"]
    given: Reason = next((each for each in entry.get("reasons", ()) if each["code"] == code), Reason(code=code))
    kept = {name: entry.get(name) for name in ("at", "do")}
    choice = (entry.get("with") or {}).get("choice")  # one's own, which one may see
    act = f"vote {choice}" if entry.get("do") == "vote" else unmarked(sentences.act(here, entry))
    why = unmarked(sentences.refusal(here, given))
    more = f"; {MORE_SEALED}" if told_in(entry) else ""
    return {"entry": entry["seq"], **kept, "act": act, "code": code, "why": f"{why}{more}"}


def outcomes(session: Session, last: Lately, player: str) -> list[Shown]:
    """Return what became of the player's own proposals that were decided among the last entries, newest first.

    Each has `proposal` (its id), `title`, `outcome`, `why`, `entry` and `at` (Unix seconds).
    """
    found = [made for entry in last.having("resolve") for made in _decided(session, entry, player)]
    return found[::-1]


def _decided(session: Session, entry: Entry, player: str) -> Iterator[Shown]:
    for effect in entry.get("effects") or ():
        if effect["effect"] != "resolve":
            continue
        proposal = session.proposal(str(effect["of"]))
        if proposal and proposal["author"] == player:
            yield {
                "proposal": proposal["id"],
                "called": called(proposal),
                "title": proposal["title"],
                "outcome": proposal["outcome"],
                "why": (proposal["verdict"] or {"why": ""})["why"] or proposal["why"],
                "omission": omission(proposal),
                "entry": entry["seq"],
                "at": seconds(entry["at"]),
            }


def _of_others(last: Lately, player: str) -> list[Entry]:
    return [entry for entry in last.having(player) if entry.get("by") != player]


# -- as the referee said it


def answers_kept(view: RemoteView, session: Session, accounts: Iterable[str]) -> list[AnswerShown]:
    """Return what a referee said became of things that somebody sent, oldest first, apart from what is recorded.

    `accounts` are their ids on the forge. Each has `fact`, `place`, `at` (Unix seconds), `what`, `state` (`refused`,
    `waiting`, `void`, `ignored` or `told`), and, where known, `code`, `why`, `rule` and `seq`.
    """
    heard = [each for account in dict.fromkeys(accounts) for each in view.seen.answers(account)]
    kept = [cast(AnswerShown, each.as_record()) for each in heard]
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
    place = cast(Via, {kind: int(number)}) if number.isdigit() else Via(pull=0)
    here = place_here(session.kept(GAME), "local")
    fact = str(answer["fact"])
    for at in {answer["at"], _sent_at(view, fact)}:
        key = facts_key({**here, **place, "fact": "any", "arrived": at})
        known = session.document(key or "").get("facts") or {}
        if fact in known or ("/" not in fact and any(each.partition("/")[0] == fact for each in known)):
            return True
    return False


def _sent_at(view: RemoteView, fact: str) -> int:
    """Return when a letter says that it was sent, 0 for what is no letter."""
    found = find_commit(view.repo, fact.partition("/")[0])
    return int(found.commit_time) if found is not None else 0


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
    lines = text.split("\n")
    begins = next((place for place, line in enumerate(lines) if line.startswith(heading)), len(lines))
    rest = lines[begins + 1 :]
    found = rest[next((place for place, line in enumerate(rest) if line), len(rest)) :]
    end = next((place for place, line in enumerate(found) if not line.startswith("- ")), len(found))
    return [line.removeprefix("- ") for line in found[:end]]


# -- what others and the rules did to a player, as their status tells it


def done_to(session: Session, entries: Iterable[Entry], player: str) -> list[Shown]:
    """Return what others and the rules did to a player in entries of others, given oldest first, the newest first.

    That is points, wins and corrections that no act of their own brought, and else acts that name them: `what` (a
    sentence), `act` (the action, where the sentence tells that and by whom), `by`, `entry` and `at` (Unix seconds).
    """
    here = Here(GameView(slug=session.record.name, documents=session.documents), "index.md")
    found: list[Shown] = []
    for entry in entries:
        told = {"by": entry.get("by"), "entry": entry["seq"], "at": seconds(entry["at"])}
        changed = [{"what": said, "act": None, **told} for said in _felt(here, entry, player)]
        if not changed and _names(entry, player):
            changed = [{"what": unmarked(sentences.act(here, entry)), "act": entry["do"], **told}]
        found += changed
    return found[::-1]


def _felt(here: Here, entry: Entry, player: str) -> Iterator[str]:
    """Yield what an entry changed of a player: points, wins, offices, and what was corrected, with why."""
    all_ = entry.get("effects") or ()
    mine = [each for each in all_ if player in (each.get("of"), *(each.get("players") or ()), *_holders(each))]
    notes = [effect for effect in mine if effect["effect"] == "correct"]
    for effect in mine:
        if effect["effect"] in ("award", "win") or (effect["effect"] == "put" and (notes or _holders(effect))):
            why = "" if effect.get("why") or not notes else f": {quotation(notes[0]['why'])}"
            yield unmarked(sentences.effect(here, entry, effect)) + (f" (a correction{why})" if notes else "")


def _holders(effect: Effect) -> list[object]:
    """Return who held an office before an effect, and who after it."""
    is_put = effect["effect"] == "put" and effect.get("name") == "holder"
    return [effect.get("from"), effect.get("to")] if is_put and str(effect.get("of")).startswith("office/") else []


def _names(entry: Entry, player: str) -> bool:
    """Say whether somebody did something in which they named a player, as whom they nominate."""
    if not entry.get("by") or entry["do"] in ADMINISTRATIVE or was_refused(entry):
        return False
    given: Iterable[Any] = (entry.get("with") or {}).values()
    return any(value == player or (isinstance(value, list) and player in value) for value in given)


# -- what was said where players meet, as far as ballots are displayed

GAMES_OWN = 0  # thread, beside those of pull requests and issues
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
    return [GAMES_OWN, *sorted({*view.seen.listed, *newest})]


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
            "state": _state_of(remark),
            "entries": entries_of(session, {**here, **at}, remark),
        }
        yield remark.order, said


def _state_of(remark: Remark) -> str:
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
    sent, closed = view.letter(letter), (view.seen.pull(pull) or THREAD).pull
    if sent is not None and sent.kind == "close" and closed is not None:  # what comes of it is known by when it closed
        letter = f"close-{closed.closed_at}"
    seqs = _entries_recording(view, game, letter, pull)
    author = account_in(view, view.record(game).kept(ROSTER), view.forge_of(game) or "local") or view.person
    heard = [each for each in view.seen.answers(author.id) if _is_of(each.fact, letter)]
    told = [cast(AnswerShown, each.as_record()) for each in heard]
    told = [each for each in told if each.get("seq") not in seqs]
    recorded: list[AnswerShown] = [{"state": "recorded", "seq": seq} for seq in seqs]
    found = [*recorded, *told]
    talk: list[AnswerShown] = [{"state": "said"} for each in _remarks_of(view, letter, pull) if _is_talk(each)]
    return found or talk


def _is_talk(remark: Remark) -> bool:
    """Say whether nothing is asked for by what was said."""
    return remark.kind == "comment" and asks_nothing(remark.body) and not votes_in(remark.body)


def _entries_recording(view: RemoteView, game: str, letter: str, pull: int) -> list[int]:
    """Return the entries of a game that record what a letter asked for."""
    record = view.record(game)
    commit, closed = find_commit(view.repo, letter), letter.partition("close-")[2]
    place: Via = {**place_here(record.kept(GAME), "local"), "pull": pull, "fact": "any"}
    found: set[int] = set()
    stamps = (remark.at for remark in _remarks_of(view, letter, pull))
    for arrived in {commit.commit_time if commit is not None else int(closed or 0), *stamps}:
        known = (record.archive(facts_key({**place, "arrived": arrived}) or "") or {}).get("facts") or {}
        found |= {int(seq) for fact, seq in known.items() if _is_of(fact, letter)}
    return sorted(found)


def _remarks_of(view: RemoteView, letter: str, pull: int) -> list[Remark]:
    """Return a letter as a referee has seen and stamped it, if one has."""
    newest = max(0, (view.seen.pull(pull) or THREAD).remarks - MOST_CHANGED)
    return [remark for remark in view.seen.remarks(pull, newest) if remark.id == letter]


def _is_of(fact: str, letter: str) -> bool:
    return fact.partition("/")[0] == letter
