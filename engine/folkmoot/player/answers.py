"""What came of what a person sent, and why: from the record, and from what the referee said where it was sent."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Any

from folkmoot.core.keys import facts_key, forge_kind
from folkmoot.core.problems import Problem
from folkmoot.forges.cache.trees import find_commit
from folkmoot.game.session import Entry, Session
from folkmoot.player.remote_view import RemoteView
from folkmoot.referee.comment_reading import flaws_in, obstacles_in
from folkmoot.referee.hand_edits import hand_edits
from folkmoot.wording import reasons, sentences
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here

Record = dict[str, Any]
LOOKED_AT = 200  # of the last entries of the journal
_MARKS = re.compile(r"<[^>]*>|(?<!\\)[*`]")
_ESCAPE = re.compile(r"\\(?=[^\w\s])")


def refused_acts(session: Session, player: str | None, told: Iterable[Record] = ()) -> list[Record]:
    """Return the newest acts of a player that were refused: `entry`, `at`, `do`, `act`, `code` and `why`.

    They are those among the last entries, and those of which the referee `told` them: no flood of others hides them.
    """
    if player is None:
        return []
    last = {entry["seq"]: entry for entry in lately(session, [player, "code"])}
    known = {int(answer["seq"]) for answer in told if answer.get("state") == "refused" and answer.get("seq")}
    older = [session.record.entry(seq) for seq in sorted(known) if seq not in last and seq <= session.head.seq]
    here = Here(GameView(slug=session.record.name, documents=session.documents), "index.md")
    found = [entry for entry in [*older, *last.values()] if entry.get("by") == player and sentences.refused(entry)]
    return [_refused(here, entry) for entry in sorted(found, key=lambda entry: entry["seq"])]


def refused_of_others(session: Session, player: str | None) -> Record:
    """Return how many acts of others among the last entries were refused (`count`), and the `newest` such entry."""
    others = [e["seq"] for e in lately(session, ["code"]) if e.get("by") not in (player, None) and sentences.refused(e)]
    return {"count": len(others), "newest": max(others, default=None)}


def lately(session: Session, having: list[str]) -> list[Entry]:
    """Return those of the last entries that hold all of some words, oldest first."""
    return list(session.record.entries(max(1, session.head.seq - LOOKED_AT + 1), having=having))


def _refused(here: Here, entry: Entry) -> Record:
    reason = sentences.refusal(entry)
    given = next((each for each in entry.get("reasons") or () if each.get("code") == reason.get("code")), reason)
    kept = {name: entry.get(name) for name in ("at", "do")}
    choice = (entry.get("with") or {}).get("choice")  # one's own, which one may see
    act = f"vote {choice}" if entry.get("do") == "vote" else strip(sentences.act(here, entry))
    why = strip(reasons.said(here, given))
    return {"entry": entry["seq"], **kept, "act": act, "code": reason.get("code"), "why": why}


def answers_kept(meeting: RemoteView, session: Session, accounts: Iterable[str]) -> list[Record]:
    """Return what a referee said became of things that somebody sent, oldest first, apart from what is recorded.

    `accounts` are their ids on the forge. Each has `fact`, `place`, `at` (Unix seconds), `what`, `state` (`refused`,
    `waiting`, `void`, `ignored` or `told`), and, where known, `code`, `why`, `rule` and `seq`.
    """
    kept = [record for account in dict.fromkeys(accounts) for record in meeting.seen.answers(account)]
    here = [record for record in kept if record.get("game", session.record.name) == session.record.name]
    open_ = [record for record in here if record["state"] in ("waiting", "void", "ignored", "told")]
    found = [record for record in open_ if not is_recorded(meeting, session, record)]
    refused = [record for record in here if record["state"] == "refused"]
    return sorted([*found, *refused], key=lambda record: record["at"])


def is_recorded(meeting: RemoteView, session: Session, answer: Record) -> bool:
    """Say whether something was recorded before it was answered otherwise, as what is read a second time is.

    `answer` has `fact`, `place` and `at`; what was said in the game's thread is looked for on the day that it names.
    """
    kind, _, number = str(answer["place"]).partition(" ")
    place = {kind: int(number)} if number.isdigit() else {"pull": 0}
    forge = forge_kind(session.document("game")) or "local"
    fact = str(answer["fact"])
    for at in {answer["at"], _sent_at(meeting, fact)}:
        key = facts_key({"forge": forge, **place, "fact": "any", "arrived": at})
        known = session.document(key or "").get("facts") or {}
        if fact in known or ("/" not in fact and any(each.partition("/")[0] == fact for each in known)):
            return True
    return False


def _sent_at(meeting: RemoteView, fact: str) -> int:
    """Return when a letter says that it was sent, 0 for what is no letter."""
    found = find_commit(meeting.repo, fact.partition("/")[0])
    return int(found.commit_time) if found is not None else 0


def changed_by_hand(meeting: RemoteView, game: str) -> list[Problem]:
    """Return what other hands than a referee's changed in a game since a referee last looked at it."""
    known = meeting.seen.known
    if not known or known == meeting.main or known not in meeting.repo:
        return []
    return list(hand_edits(meeting.repo, known, meeting.main, game))


def flaws_said(meeting: RemoteView, number: int) -> list[str]:
    """Return what the referee's comment on a pull request says is wrong with its scripts and examples, a line each."""
    return [plain(line) for line in flaws_in(meeting.seen.said(number) or "")]


def obstacles_said(meeting: RemoteView, number: int) -> list[str]:
    """Return why a pull request was not taken in, as the referee's comment on it says, a line each."""
    return [plain(line) for line in obstacles_in(meeting.seen.said(number) or "")]


def plain(line: str) -> str:
    r"""Return a line of the referee's comment without its Markdown.

    >>> plain(r"It is **not proper**: \*no\* &amp; never (`E-ORDER`).")
    'It is not proper: *no* & never (E-ORDER).'
    """
    return html.unescape(_ESCAPE.sub("", _MARKS.sub("", line))).rstrip()
