"""What a player says in a game on a forge on the web, said there for them: a comment by their own token."""

from __future__ import annotations

from folkmoot.cli.forges import HEADERS, SCHEMES, api_of
from folkmoot.cli.pull_requests import home_of
from folkmoot.cli.tokens import players_token
from folkmoot.core.problems import ProblemError, fail
from folkmoot.forges.local.letters import Letter
from folkmoot.forges.web.client import Client
from folkmoot.forges.web.credentials import how_to_give
from folkmoot.kernel.ballot_words import review_said
from folkmoot.player.dry_run import FORGES
from folkmoot.player.remote_view import RemoteView
from folkmoot.player.voting import vote_line

REVIEWS = ("approve", "request_changes")
SAID = ("comment", "close", *REVIEWS)
"""What can be said there: a review is said in words, because nobody may review what they opened themselves."""


def say_there(view: RemoteView, letter: Letter, where: str) -> str:
    """Say on the forge what a letter says; returns by which name a referee knows it, "" where it has none.

    Raises E-STATUS, with `where` one says it oneself, where there is no token or the forge takes no such thing from
    here, and E-FORGE.
    """
    place = home_of(view)
    number = letter.pull or view.seen.standing.thread
    if letter.kind not in SAID or not number:
        raise _unsaid(view, where)
    token = players_token(view.web, place.host)
    if not token:
        raise _unsaid(view, f"{where}; or {how_to_give(view.web, place.host)}, and it is said there for you")
    headers = {**HEADERS[view.web], "Authorization": f"{SCHEMES[view.web]} {token}"}
    client = Client(api_of(view.web, place.host), headers)
    try:
        if letter.kind == "close":
            client.write("PATCH", f"repos/{place.repository}/pulls/{number}", {"state": "closed"})
            return ""
        body = vote_line(review_said(letter.kind), {}, letter.body) if letter.kind in REVIEWS else letter.body
        made = client.write("POST", f"repos/{place.repository}/issues/{number}/comments", {"body": body}).data
        return f"c{made['id']}" if isinstance(made, dict) and isinstance(made.get("id"), int) else ""
    finally:
        client.close()


def _unsaid(view: RemoteView, hint: str) -> ProblemError:
    message = f"nothing was sent: the game is played on {FORGES[view.web]}, where you say it yourself"
    return fail("E-STATUS", message, None, hint)
