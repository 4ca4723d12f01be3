"""Sending what a person says: a letter, or in games on a forge on the web a comment there by their own token."""

from __future__ import annotations

from folkmoot.core.keys import GAME, forge_home
from folkmoot.core.problems import ProblemError, fail
from folkmoot.forges.local.letters import Letter
from folkmoot.player.remote_view import ELSEWHERE, RemoteView

REVIEWS = ("approve", "request_changes")
SAID = ("comment", "close", *REVIEWS)
"""What can be said there: a review is said in words, because nobody may review what they opened themselves."""


def send(view: RemoteView, letter: Letter) -> str:
    """Send a letter as the person; returns its id (hex), on a forge on the web the name of the comment that says it.

    Raises E-ARGS for one that nobody could read, E-STATUS where the person has to say it there themselves, and E-FORGE.
    """
    if view.web:
        if view.moved:
            raise fail("E-STATUS", view.moved, None, ELSEWHERE)
        return _posted(view, letter)
    from folkmoot.player.voting import checked_letter  # and how all that can be sent is read

    return view.repository.send(checked_letter(view.bound(letter)), view.author)


def _posted(view: RemoteView, letter: Letter) -> str:
    """Say on a forge what a letter says; returns by which name a referee knows it, "" where it has none."""
    from folkmoot.cli.pull_requests import home_of, players_client  # all forges come with these
    from folkmoot.forges.web.credentials import how_to_give
    from folkmoot.kernel.ballot_words import review_said
    from folkmoot.player.voting import vote_line

    number = letter.pull or view.seen.standing.thread
    if letter.kind not in SAID or not number:
        raise _unsaid(view, letter)
    try:
        place = home_of(view)
    except ProblemError:  # nothing says where that is
        raise _unsaid(view, letter) from None
    client = players_client(view.web, place.host)
    if client is None:
        raise _unsaid(view, letter, f"; or {how_to_give(view.web, place.host)}, and it is said there for you")
    try:
        if letter.kind == "close":
            client.write("PATCH", f"repos/{place.repository}/pulls/{number}", {"state": "closed"})
            return ""
        body = vote_line(review_said(letter.kind), {}, letter.body) if letter.kind in REVIEWS else letter.body
        made = client.write("POST", f"repos/{place.repository}/issues/{number}/comments", {"body": body}).data
        return f"c{made['id']}" if isinstance(made, dict) and isinstance(made.get("id"), int) else ""
    finally:
        client.close()


def _unsaid(view: RemoteView, letter: Letter, more: str = "") -> ProblemError:
    """Return that something is not said from here, and how a person says it on the forge."""
    from folkmoot.player.dry_run import FORGES

    message = f"nothing was sent: the game is played on {FORGES[view.web]}, where you say it yourself"
    return fail("E-STATUS", message, None, _said_there(view, letter) + more)


def _said_there(view: RemoteView, letter: Letter) -> str:
    """Return how a letter's words are said on a forge on the web."""
    link = view.link(letter.pull)
    home = next(filter(None, (forge_home(view.record(game).kept(GAME)) for game in view.games())), "")
    thread = "the issue that is the game's thread" + (f" ({home}/issues)" if home else "")
    where = link or (f"pull request {letter.pull}" if letter.pull else thread)
    if letter.kind == "comment":
        return f"comment there, on {where}: `{letter.body}`"
    done = {"approve": "approve it", "request_changes": "request changes", "close": "close it"}
    return f"{done.get(letter.kind, 'do it')} there: {where}"
