"""`moot wait`: wait until something is asked of the person, or what they sent is answered."""

from __future__ import annotations

from typing import Any

import click

from folkmoot.cli.clones import SECONDS
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.notifications import DESKTOP, notifier, notify
from folkmoot.cli.options import game_name_option, json_option, remote_option, timeout_option
from folkmoot.cli.person_status import owed_in_words, show_owed, show_sent
from folkmoot.cli.sending import played_game, remote_view_of
from folkmoot.cli.terminal import Terminal, stamped
from folkmoot.player.person_status import person_status
from folkmoot.player.remote_view import RemoteView
from folkmoot.player.waiting import wait_until
from folkmoot.wording.law_sentence import quotation

Record = dict[str, Any]
NEWS = ("refused", "answers", "decided", "ignored")


@click.command("wait")
@click.option(
    "--for",
    "what",
    type=click.Choice(["anything", "duty", "answer"]),
    default="anything",
    show_default=True,
    help="Something that you owe, an answer to what you sent, or whichever comes first.",
)
@timeout_option
@click.option(
    "--notify",
    "wanted",
    is_flag=False,
    flag_value=DESKTOP,
    metavar="[COMMAND]",
    help="Show a notice on the desktop, or run COMMAND with a title and a text as its last two words.",
)
@game_name_option
@remote_option
@json_option
@click.pass_obj
def command(
    terminal: Terminal, what: str, timeout: float | None, wanted: str | None, game: str | None, remote: str | None
) -> int:
    """Wait until you owe something, or until what you sent is answered.

    It ends at once where you owe something already; with `--for answer` also where all that you sent is answered. The
    repository where players meet is asked with longer and longer pauses, up to half a minute. Exits with 0 when it
    came, with 6 where it did not come in time.

    \b
      moot wait && moot status
      moot wait --for answer --timeout 60
      moot wait --notify
    """  # noqa: D301 (the mark keeps lines apart in the help)
    words = notifier(wanted) if wanted is not None else []
    view = remote_view_of(terminal, remote, SECONDS)
    name = played_game(view.look(), game)
    waiting = _Waiting(name, what)
    found = wait_until(view, waiting.found, timeout)
    if found is None:
        terminal.record({"game": name, "came": None})
        terminal.note("Nothing came in time.")
        return Exit.LATE
    came, status = found
    terminal.record(stamped({"game": name, "came": came, **{key: status[key] for key in ("owed", "over", *NEWS)}}))
    text = _tell(terminal, came, status)
    failed = notify(words, f"{status['title']} ({name})", text) if words else ""
    if failed:
        terminal.note(f"The notice could not be shown: {failed}.")
    return Exit.OK


class _Waiting:
    """What is waited for; it is noted at first whether there is anything that could be answered."""

    def __init__(self, game: str, what: str) -> None:
        self.game, self.what = game, what
        self.sent: bool | None = True if what == "answer" else False if what == "duty" else None

    def found(self, view: RemoteView) -> tuple[str, Record] | None:
        """Return what came (`duty`, `answer`, or `over`) and how the game stands; None where nothing did."""
        with view.session(self.game) as session:
            status = person_status(view, session)
        pending = is_pending(status)
        self.sent = pending if self.sent is None else self.sent
        if status["over"]:
            return "over", status
        if status["owed"] and self.what != "answer":
            return "duty", status
        return ("answer", status) if self.sent and not pending else None


def is_pending(status: Record) -> bool:
    """Say whether a referee has still to look at something that the person sent."""
    return bool(status["waiting"]) or any(pull["own"] and pull["state"] == "new" for pull in status["pulls"])


def _tell(terminal: Terminal, came: str, status: Record) -> str:
    """Say what came, and return it in one line."""
    if came == "over":
        said = f"The game is over: {', '.join(status['over']['winner'])} won. {quotation(status['over']['why'])}"
        terminal.say(said)
        return said
    if came == "duty":
        show_owed(terminal, status)
        return "; ".join(owed_in_words(owed) for owed in status["owed"])
    terminal.say("All that you sent is answered.")
    show_sent(terminal, status)
    return "What you sent is answered: `moot status`"
