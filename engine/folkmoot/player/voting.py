"""What a person says as letters: acts and ballots as the lines of a comment, and which content a ballot is on."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct

from folkmoot.core.documents import Proposal
from folkmoot.core.keys import GAME, facts_key, place_here, proposal_key
from folkmoot.core.problems import fail
from folkmoot.core.records import Arguments
from folkmoot.core.rule_blocks import ActionSpec
from folkmoot.files.typed_words import VERBATIM, read_word
from folkmoot.forges.local.letters import MAXIMUM_SIZE, Kind, Letter, NoLetterError, parse
from folkmoot.game.session import Session
from folkmoot.kernel.ballot_words import CHOICES, SAID, choice_of_review, plain, typed_choice
from folkmoot.player.remote_view import PullSeen, RemoteView
from folkmoot.referee.commands import Asked, asked, commands_in, read_ballot

if TYPE_CHECKING:
    from folkmoot.referee.content import Content

REVIEWS = cast("dict[str, Kind]", SAID)
"""By which word one asks for which review by `moot vote`."""


class Ballot(Struct, frozen=True, kw_only=True):
    """A letter that votes, and the content it is on: `head` (hex), and whether a newer one is not voted on."""

    letter: Letter
    head: str
    newer: bool = False


def ballot_on(view: RemoteView, pull: PullSeen, choice: str, reason: str, choices: Sequence[str] = CHOICES) -> Ballot:
    """Return the ballot for a choice on a pull request, of the `choices` of the vote on it.

    `for` and `against` are reviews of its present content, or of what is voted on where the author pushed something
    else since; any other choice is a comment. Raises E-ARGS where the reason would be read as a command.
    """
    head, newer = voted_on(view, pull)
    kind = review_for(choice, choices)
    if kind is not None:
        if commands_in(reason):
            hint = "begin none of its lines with a slash"
            raise fail("E-ARGS", "a line of the reason would be read as a command", None, hint)
        letter = Letter(pull=pull.number, kind=kind, head=head, body=reason)
    else:
        letter = Letter(pull=pull.number, kind="comment", body=vote_line(choice, {}, reason, choices))
    return Ballot(letter=letter, head=head, newer=newer)


def decisions(session: Session, proposal: Proposal, player: str) -> list[str]:
    """Return the commands by which whoever a proposal awaits decides on it, without a review."""
    given = (session.sandbox.read_review(proposal["id"], [player, kind, ""], session.at) for kind in REVIEWS.values())
    acts = [(act["do"], act.get("args") or {}) for act in given if act is not None and "do" in act]
    return [shlex.join(["moot", "act", do, *(f"{name}={word}" for name, word in args.items())]) for do, args in acts]


def review_for(choice: str, choices: Sequence[str]) -> Kind | None:
    """Return the review that says `for` or `against`, in whatever case; None for any other choice.

    Of a review the law makes what it likes, so these may be said where they are no choices, too.

    >>> [review_for(said, ["FOR", "against all"]) for said in ("FOR", "against", "against all")]
    ['approve', 'request_changes', None]
    """
    kind = REVIEWS.get(plain(choice))
    others = [known for known in choices if plain(known) == plain(choice) and known != choice]
    stands_for = choice_of_review(kind, choices) if kind is not None else ""
    return None if kind is None or others or (choice in choices and stands_for != choice) else kind


def voted_on(view: RemoteView, pull: PullSeen) -> tuple[str, bool]:
    """Return the commit whose content is voted on, and whether the pull request's own content is another one."""
    proposal = proposal_of(view, pull.number)
    if proposal is None or proposal.get("outcome"):
        return pull.head, False
    via = proposal.get("via") or {}
    frozen = str(via.get("head") or "")
    if frozen in ("", pull.head) or _content(view, pull).digest == via.get("digest"):
        return pull.head, False
    return frozen, True


def game_of(view: RemoteView, identifier: str, proposal: Proposal) -> str:
    """Return the game whose undecided proposal of that id it is, "" where it is decided, or of none."""
    for name in view.games():
        record = view.record(name)
        open_ = record.kept(GAME).get("open") or ()
        if identifier in open_ and record.archive(proposal_key(identifier)) == proposal:
            return name
    return ""


def _content(view: RemoteView, pull: PullSeen) -> Content:
    """Return what a pull request changes."""
    from folkmoot.referee.content import read_content  # all that files may hold comes with it

    return read_content(view.repo, view.main, pull.head)


def game_of_pull(view: RemoteView, pull: PullSeen, named: str | None = None) -> str:
    """Return to which game a pull request is, "" where that is not known here."""
    proposal = proposal_of(view, pull.number)
    found = game_of(view, proposal["id"], proposal) if proposal else ""
    if found or proposal:
        return found
    changed = [content.game for content in _content(view, pull).games]
    known = [name for name in changed if name in view.games() and view.forge_of(name) is not None]
    return known[0] if known else named or ""


def proposal_of(view: RemoteView, number: int, forge: str = "", game: str = "") -> Proposal | None:
    """Return the newest proposal that a pull request was recorded as, in a game or whichever, None if none was.

    Without `forge` that is a pull request where each game is played.
    """
    for name in ([game] if game else view.games()) if number else ():
        record = view.record(name)
        here = place_here(record.kept(GAME), "local")
        key = facts_key({**here, "forge": forge or here["forge"], "pull": number, "fact": "any"})
        made = (record.archive(key or "") or {}).get("proposals")
        if made:
            found: Proposal | None = record.archive(proposal_key(str(made[-1])))
            return found
    return None


# -- acts and ballots as the lines of a comment


def act_line(do: str, args: Arguments, as_: str | None, actions: Mapping[str, ActionSpec]) -> str:
    """Return `/do ACTION NAME=VALUE…` for an act, in an office `as_` if one is given.

    Raises E-NO-SUCH for an unknown action, E-ARGS where no line of a comment says that.
    """
    declared = (actions.get(do) or {}).get("arguments") or {}
    pairs = [(name, _word(value, (declared.get(name) or {}).get("type", ""))) for name, value in args.items()]
    pairs += [("as", as_)] if as_ else []
    line = " ".join(["/do", do, *(f"{name}={shlex.quote(word)}" for name, word in pairs)])
    return _read_back(line, Asked(do, dict(args), as_), [asked(command, actions) for command in commands_in(line)])


def vote_line(choice: str, on: Arguments, reason: str, choices: Sequence[str] = CHOICES) -> str:
    """Return `/vote CHOICE [NAME=NUMBER] [because REASON]` for a ballot, whose reason goes onto one line.

    `on` names what the vote is on (`{motion: 34}`), where the place of the comment does not; `choices` are those of
    that vote, as a referee will read it. Raises E-ARGS.
    """
    said = " ".join(reason.split())
    words = ["/vote", typed_choice(choice, choices), *(f"{name}={number}" for name, number in on.items())]
    line = " ".join([*words, *(["because", said] if said else [])])
    meant = Asked("vote", {"choice": choice, **on, **({"reason": said} if said else {})})
    return _read_back(line, meant, [read_ballot(command.rest, lambda _named: choices) for command in commands_in(line)])


def utf8(text: str) -> bytes:
    """Return a text as UTF-8; raises E-UTF8 for one that a terminal gave us broken."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise fail("E-UTF8", f"{text[:40]!r} is not UTF-8", None, "write it in UTF-8") from None


def checked_letter(letter: Letter) -> Letter:
    """Return a letter that everybody can read; raises E-ARGS, or E-UTF8, for one that nobody would."""
    utf8(letter.body)
    try:
        read = parse(letter.as_file())
    except NoLetterError as error:
        raise fail("E-ARGS", f"this cannot be sent: {error}", None, "say it otherwise") from None
    if read != letter or len(letter.as_file().encode()) > MAXIMUM_SIZE:
        raise fail("E-ARGS", f"this cannot be sent: it has over {MAXIMUM_SIZE:,} bytes, or is no plain text", None)
    return letter


def _word(value: Any, kind: str) -> str:
    if isinstance(value, str) and (kind in VERBATIM or read_word(value) == value):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _read_back(line: str, meant: Asked, read: Sequence[Asked]) -> str:
    """Return a line if it is read as what was meant."""
    if len(read) == 1 and read[0].flaw.startswith("there is no action"):
        raise fail("E-NO-SUCH", read[0].flaw, None, "`moot status` lists the actions of the game")
    if len(read) != 1 or _bytes(read[0]) != _bytes(meant):
        by_file = "send it by an action file: `moot propose --with FILE`"
        hint = "use plain words on one line" if meant.do == "vote" else by_file
        raise fail("E-ARGS", f"no line of a comment says exactly this `{meant.do}`", None, hint)
    return line


def _bytes(act: Asked) -> str:
    """Return an act so that two are the same text only if they are the same act: 1 is not true here."""
    return json.dumps([act.do, act.args, act.as_, act.flaw], sort_keys=True)
