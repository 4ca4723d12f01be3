"""What somebody owes, with the command for it, and what became of what they sent."""

from __future__ import annotations

import re
import shlex
from collections.abc import Container, Iterator, Mapping
from typing import Any

from folkmoot.core.keys import facts_key, forge_kind
from folkmoot.forges.cache.records import remark_of
from folkmoot.forges.local import Letter
from folkmoot.forges.port import Remark
from folkmoot.game.session import Session
from folkmoot.game.status import asked_of, status_of
from folkmoot.player.answers import (
    answers_kept,
    flaws_said,
    is_recorded,
    obstacles_said,
    refused_acts,
    refused_of_others,
)
from folkmoot.player.came_of import accepted_acts, done_to, outcomes
from folkmoot.player.remote_view import PullSeen, RemoteView
from folkmoot.player.voting import USUAL
from folkmoot.referee.commands import commands_in
from folkmoot.referee.lookup import QUESTIONS
from folkmoot.referee.people import player_of, whose

Record = dict[str, Any]
MOST_CHANGED = 500  # of what was said last in one place that is looked at for what was changed later
LONGEST_AGAIN = 500  # characters of a comment in a command that sends it again


def person_status(meeting: RemoteView, session: Session) -> Record:
    """Return how a game stands for the person at a seat.

    That is `status_of` with `you` (address and player), `pulls` (the open pull requests), `owed` (what, by when, and
    the command for it), and `ballots` (what became of each) beside `sent_by`, and `behind` (how many commits the clone
    lacks), and `odd_refs` (what was pushed that is nothing, see `RemoteView.odd_refs`).
    """
    forge = forge_kind(session.document("game")) or "local"
    player = player_of(roster_of(session), "local", meeting.person)
    entry = session.document("roster").get(player or "") or {}
    playing = player if player and entry.get("until") is None else None
    sent = meeting.letters()
    pulls = meeting.pulls()
    opened = {pull.number for pull in pulls}
    proposals = _proposals(session)
    return {
        **status_of(session),
        "you": {"email": meeting.person.id, "name": meeting.person.handle, "player": playing, "forge": forge},
        "pulls": [_pull(meeting, pull, session, proposals, playing, forge) for pull in pulls],
        "owed": [_there(meeting, owed) for owed in owed_by(session, playing, sent, opened)] if playing else [],
        **_with_ballots(meeting, session, playing, pulls, proposals),
        "going_on": _going_on(session, proposals, playing, opened) if not meeting.web else [],
        "behind": meeting.behind(),
        "branch": meeting.branch,
        "odd_refs": meeting.odd_refs(),
    }


def _with_ballots(
    meeting: RemoteView, session: Session, player: str | None, pulls: list[PullSeen], proposals: Mapping[int, Record]
) -> Record:
    """Return what became of what the person sent; of an answer to a ballot that is told already nothing more."""
    came = sent_by(meeting, session, player)
    told = {str(answer["fact"]).partition("/")[0]: answer for answer in came["answers"]}
    ballots = list(_not_counted(meeting, session, pulls, proposals, told))
    facts = {ballot.pop("fact") for ballot in ballots}
    answers = [each for each in came["answers"] if str(each["fact"]).partition("/")[0] not in facts]
    return {**came, "answers": answers, "ballots": [*_recorded(session, player), *ballots]}


def sent_by(meeting: RemoteView, session: Session, player: str | None) -> Record:
    """Return what became of what somebody sent, and what others did to them.

    That is `refused` (acts on record, and why), `answers` (what else the referee said of it, see `answers_kept`),
    `refused_of_others`, `accepted`, `decided` and `done_to` (see `came_of`); and where the person sits at this clone,
    `waiting` and `ignored` (letters).
    """
    forge = forge_kind(session.document("game")) or "local"
    entry = session.document("roster").get(player or "") or {}
    account = str(((entry.get("handles") or {}).get(forge) or {}).get("id") or entry.get("email") or "").lower()
    mine = player is None or player == player_of(roster_of(session), "local", meeting.person)
    kept = answers_kept(meeting, session, filter(None, [account, meeting.person.id if mine else ""]))
    answers = [answer for answer in kept if answer["state"] != "ignored"]
    refused = refused_acts(session, player, answers)
    told = {act["entry"] for act in refused}
    changed = list(_changed_later(meeting, session)) if mine else []
    for answer in answers:
        if answer["state"] == "told":
            answer["lines"] = _lines_told(session, str(answer["what"]))
    return {
        "refused": refused,
        "answers": [*(answer for answer in answers if answer.get("seq") not in told), *changed],
        "refused_of_others": refused_of_others(session, player),
        "accepted": accepted_acts(session, player) if player else [],
        "decided": outcomes(session, player) if player else [],
        "done_to": done_to(session, player) if player else [],
        "waiting": [*_not_judged(meeting, session, kept), *map(letter_told, meeting.letters())] if mine else [],
        "ignored": list(_ignored(meeting, session, kept)) if mine else [],
    }


def _changed_later(meeting: RemoteView, session: Session) -> Iterator[Record]:
    """Yield what became of letters of the person's own that were edited, deleted or dismissed after they were seen."""
    for number in (0, *meeting.seen.listed):
        count = (meeting.seen.pull(number) or {"remarks": 0})["remarks"]
        for record in meeting.seen.remarks(number, max(0, count - MOST_CHANGED)):
            remark = remark_of(number, record)
            what = _change_of(remark)
            if remark.author.id != meeting.person.id or not what:
                continue
            letter = meeting.letter(remark.id)
            says = letter_told(letter)["says"] if letter is not None else remark.kind.replace("_", " ")
            about = {"fact": remark.id, "place": f"pull {number}" if number else "thread", "at": remark.at}
            told = {**about, "what": says, "game": session.record.name}
            again = f" To say something else: {f'`moot vote {number} …`' if number else '`moot comment …`'}"
            if is_recorded(meeting, session, about):
                yield {
                    **told,
                    "state": "told",
                    "why": f"{what}: it was recorded before, and stands as recorded.{again}",
                }


def _not_judged(meeting: RemoteView, session: Session, kept: list[Record]) -> Iterator[Record]:
    """Yield the person's commands and withdrawals that a referee has seen, and neither recorded nor answered yet."""
    heard = {str(each["fact"]).partition("/")[0] for each in kept}
    for number in (0, *meeting.seen.listed):
        pull = meeting.seen.pull(number) or {"remarks": 0, "settled": 0}
        start = max(0 if number else pull["settled"], pull["remarks"] - MOST_CHANGED)
        for record in meeting.seen.remarks(number, start):
            remark = remark_of(number, record)
            about = {"fact": remark.id, "place": f"pull {number}" if number else "thread", "at": remark.at}
            mine = remark.author.id == meeting.person.id and remark.kind == "comment" and remark.id not in heard
            told = number and _votes_in(remark.body)  # among the ballots
            if mine and not told and commands_in(remark.body) and not is_recorded(meeting, session, about):
                yield {**letter_told(Letter(pull=number, kind="comment", body=remark.body)), "seen": True}
        if (pull.get("closed_by") or {}).get("id") == meeting.person.id and pull["changes"] > pull["settled"]:
            yield {**letter_told(Letter(pull=number, kind="close")), "seen": True}


def _change_of(remark: Remark) -> str:
    """Return what was done to something that was said, "" where nothing was."""
    if remark.dismissed_by is not None:
        return f"dismissed by {remark.dismissed_by.handle}"
    return "deleted" if remark.deleted else "edited" if remark.edited else ""


def _lines_told(session: Session, what: str) -> list[str]:
    """Return what a question of a comment was answered with, as it would be now: the text of a rule, and the like."""
    name, _, words = what.removeprefix("/").partition(" ")
    return list(QUESTIONS[name](words, session).lines) if name in QUESTIONS else []


def _ignored(meeting: RemoteView, session: Session, kept: list[Record]) -> Iterator[Record]:
    """Yield the person's letters that were ignored, what they say, and the command that sends each again."""
    notes = {str(each["fact"]): each for each in kept if each["state"] == "ignored"}
    for note in meeting.ignored():
        letter = meeting.letter(note.commit)
        place = f"pull {letter.pull}" if letter is not None and letter.pull else "thread"
        about = {"fact": note.commit, "place": place, "at": note.at, "why": note.why}
        if note.commit not in notes and not is_recorded(meeting, session, about):
            notes[note.commit] = about
    for name, note_ in sorted(notes.items(), key=lambda each: each[1]["at"]):
        letter = meeting.letter(name)
        told = letter_told(letter) if letter is not None else _unread_letter(meeting, name, note_)
        yield {**told, "letter": name, "why": note_["why"], "at": note_["at"], "again": _again(letter)}


def _unread_letter(meeting: RemoteView, name: str, note: Record) -> Record:
    return {"pull": 0, "kind": "", "says": note.get("what") or meeting.gist(name)}


def _again(letter: Letter | None) -> str:
    """Return the command that sends a letter anew, "" where only its author knows."""
    if letter is None or letter.kind in ("edit", "delete", "dismiss", "describe", "reopen"):
        return ""
    if letter.kind == "close":
        return f"`moot withdraw {letter.pull}`"
    if letter.kind != "comment":
        return f"`moot vote {letter.pull} {'for' if letter.kind == 'approve' else 'against'}`"
    if len(letter.body) > LONGEST_AGAIN:  # a part of it would say something else
        return ""
    on = f"--on {letter.pull} " if letter.pull else ""
    return f"`moot comment {on}{shlex.quote(letter.body)}`"


def roster_of(session: Session) -> Record:
    """Return the roster of a game."""
    return session.document("roster")


# -- pull requests


def _proposals(session: Session) -> dict[int, Record]:
    """Return the proposals that are not resolved by the pull requests that they came by."""
    found = [session.proposal(identifier) for identifier in session.document("game").get("open") or ()]
    return {(proposal.get("via") or {}).get("pull") or 0: proposal for proposal in found}


def _going_on(session: Session, proposals: Mapping[int, Record], player: str | None, opened: set[int]) -> list[Record]:
    """Return the person's undecided proposals (`proposal`, `pull`) whose pull requests are closed, and why."""
    why = "" if "withdraw" in session.actions() else ": the rules know no withdrawing"
    return [
        {"proposal": proposal["id"], "pull": pull, "why": why}
        for pull, proposal in proposals.items()
        if pull
        and pull not in opened
        and player
        and proposal["author"] == player
        and (proposal.get("via") or {}).get("forge") == "local"
    ]


def _pull(
    meeting: RemoteView,
    pull: PullSeen,
    session: Session,
    proposals: Mapping[int, Record],
    player: str | None,
    forge: str,
) -> Record:
    proposal = proposals.get(pull.number)
    author = whose(pull.author, roster_of(session), forge)
    ballot = (proposal or {}).get("ballots", {}).get(player) if player else None
    return {
        "number": pull.number,
        "title": pull.title,
        "author": author,
        "own": pull.author.id == meeting.person.id or (player is not None and author == player),
        "head": pull.head,
        "observed": pull.observed,
        "proposal": proposal["id"] if proposal else None,
        "state": proposal["state"] if proposal else "seen" if pull.observed else "new",
        "choice": ballot["choice"] if ballot else None,
        "flaws": flaws_said(meeting, pull.number),
        "why": [] if proposal else obstacles_said(meeting, pull.number),
    }


# -- what is owed


def owed_by(session: Session, player: str, sent: list[Letter], opened: Container[int] | None = None) -> list[Record]:
    """Return what a player owes: votes that are not on their way, and what the rules ask for.

    `opened` are the pull requests that are open: a vote whose pull request was closed goes on by the proposal's number.
    """
    return [*_votes(session, player, sent, opened), *_duties(session, player)]


def _there(meeting: RemoteView, owed: Record) -> Record:
    """Return something owed with how it is done where the game is played: on the web by a comment."""
    words = str(owed["command"]).split()
    if not meeting.web or words[:2] not in (["moot", "vote"], ["moot", "act"]):
        return owed
    number = int(words[2]) if words[2].isdigit() else 0
    on = [word.removeprefix("--") for word in words[2:3] if word.startswith("--")]
    line = f"/do {' '.join(words[2:])}" if words[1] == "act" else f"/vote {words[-1]}"
    line += f" {on[0]}={words[3]}" if on else ""
    where = meeting.link(number) or (f"pull request {number}" if number else "the game's thread")
    return {**owed, "command": f"comment `{line}` on {where}"}


def _votes(
    session: Session, player: str | None, sent: list[Letter], opened: Container[int] | None = None
) -> Iterator[Record]:
    """Yield the votes that are missing, but for those that are on their way."""
    coming = {letter.pull for letter in sent if letter.kind in ("approve", "request_changes") or _votes_in(letter.body)}
    for open_ in status_of(session, player)["open"]:
        proposal = session.proposal(open_["id"])
        pull = (proposal.get("via") or {}).get("pull")
        if pull and pull in coming:
            continue
        pull = pull if opened is None or pull in opened else None
        if open_["judge"]:
            yield _decision(open_, pull)
            continue
        choices = session.ask_about("choices", open_["id"])
        words = [str(choice) for choice in choices] if isinstance(choices, list) and choices else list(USUAL)
        target = str(pull) if pull else f"--{proposal['kind']} {proposal['number']}"
        yield {
            "what": f"vote on {open_['id'].replace('/', ' ')}, “{open_['title']}”",
            "by": open_["until"],
            "command": f"moot vote {target} {words[0]}",
            "choices": words,
        }


def _decision(open_: Record, pull: int | None) -> Record:
    """Return what somebody owes whose decision a proposal awaits."""
    return {
        "what": f"decide on {open_['id'].replace('/', ' ')}, “{open_['title']}”",
        "by": open_["until"],
        "command": f"moot vote {pull} for" if pull else f"moot act {open_['judge']['do']}",
        "choices": ["for", "against"] if pull else [],
    }


def _votes_in(body: str) -> bool:
    return any(command.name == "vote" for command in commands_in(body))


def _duties(session: Session, player: str | None) -> Iterator[Record]:
    """Yield what is owed by the rules; votes on what is open are told already."""
    actions = session.actions()
    told = {f"vote on {open_['id'].replace('/', ' ')}" for open_ in status_of(session)["open"]}
    duties = status_of(session, player)["duties"]
    asked = [do for duty in duties for do in asked_of(duty, actions)[:1]]
    for duty in duties:
        if duty["what"] not in told:
            commands = [_command(do, actions, _about(duty, do, asked, actions)) for do in asked_of(duty, actions)]
            yield {"what": duty["what"], "by": duty["by"], "command": "".join(commands[:1]), "choices": commands}


def _about(duty: Mapping[str, Any], do: str, asked: list[str], actions: Mapping[str, Any]) -> dict[str, str]:
    """Return the argument that says which proposal a duty is about, where several duties ask for the same action."""
    declared = (actions.get(do) or {}).get("arguments") or {}
    taking = [name for name, spec in declared.items() if spec.get("type") == "proposal"]
    named = re.search(r"\bproposal[ /](\w+)", f"{duty['key']} {duty['what']}")
    needed = taking and (asked.count(do) > 1 or not declared[taking[0]].get("optional"))
    return {taking[0]: named[1]} if needed and named else {}


def _command(do: str, actions: Mapping[str, Any], about: Mapping[str, str]) -> str:
    """Return the command for an action that is owed, `about` what is known; `…` stands for what is to be filled in."""
    declared = (actions.get(do) or {}).get("arguments") or {}
    needed = [name for name, spec in declared.items() if not spec.get("optional") and "default" not in spec]
    if any(declared[name].get("type") == "changes" for name in needed):
        return "moot propose"
    words = {**dict.fromkeys(needed, "…"), **about}
    return " ".join(["moot act", do, *(f"{name}={word}" for name, word in words.items())])


# -- what became of what was sent


def _recorded(session: Session, player: str | None) -> Iterator[Record]:
    """Yield the ballots on record for what is still voted on."""
    for identifier in session.document("game").get("open") or ():
        ballot = session.proposal(identifier)["ballots"].get(player) if player else None
        if ballot:
            state = "counts" if ballot["counts"] else "does not count"
            yield {
                "on": identifier.replace("/", " "),
                "choice": ballot["choice"],
                "state": state,
                "why": ballot["why"] or "",
            }


def _not_counted(
    meeting: RemoteView,
    session: Session,
    pulls: list[PullSeen],
    proposals: Mapping[int, Record],
    told: Mapping[str, Record],
) -> Iterator[Record]:
    """Yield the newest of the person's ballots on each pull request that a referee saw and did not record.

    `told` are the referee's answers by what they are about: a ballot without one was not judged yet.
    """
    for pull in pulls:
        mine = [remark for remark in _remarks(meeting, pull.number) if remark.author.id == meeting.person.id]
        if not mine or _is_recorded(session, pull.number, mine[-1]):
            continue
        answer = told.get(mine[-1].id, {})
        waits = answer.get("state", "waiting") == "waiting"
        yield {
            "on": f"pull request {pull.number}",
            "choice": _choice(mine[-1]),
            "state": "waits" if waits else "is not counted",
            "why": str(answer.get("why") or "") or _what_for(proposals.get(pull.number)),
            "fact": mine[-1].id,
        }


def _what_for(proposal: Record | None) -> str:
    """Return what a ballot waits for of which the referee has said nothing yet."""
    if proposal is not None and proposal["state"] == "pending":
        return f"the vote on {proposal['id'].replace('/', ' ')} is not open yet; it is counted when it opens"
    if proposal is None:
        return "nothing that this pull request asks for is open to votes yet; it is counted when a vote on it opens"
    return "a referee has seen it and not judged it yet; it is counted as of when it arrived"


def _remarks(meeting: RemoteView, number: int) -> Iterator[Remark]:
    """Yield what was seen of a pull request that votes."""
    if meeting.seen.pull(number) is None:
        return
    for record in meeting.seen.remarks(number):
        remark = remark_of(number, record)
        if remark.kind != "comment" or _votes_in(remark.body):
            yield remark


def _choice(remark: Remark) -> str:
    if remark.kind != "comment":
        return "for" if remark.kind == "approve" else "against"
    return next(command.rest for command in commands_in(remark.body) if command.name == "vote").split(" ")[0]


def _is_recorded(session: Session, number: int, remark: Remark) -> bool:
    facts = session.document(facts_key({"forge": "local", "pull": number, "fact": "any"}) or "").get("facts") or {}
    return any(fact.partition("/")[0] == remark.id for fact in facts)


def letter_told(letter: Letter) -> Record:
    """Return a letter as it is shown to who sent it: where (`pull`, 0 for the game), its `kind`, and what it `says`."""
    commands = [f"/{command.name} {command.rest}".strip() for command in commands_in(letter.body)]
    words = "; ".join(commands) or letter.kind.replace("_", " ")
    return {"pull": letter.pull, "kind": letter.kind, "says": words}
