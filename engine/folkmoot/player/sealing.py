"""What of an act is sealed before it is sent: how it is, `folkmoot.player.hand` knows, which is loaded for it alone."""

from __future__ import annotations

from folkmoot.core.ballot_display import named_on
from folkmoot.core.declared_kinds import the_open_one
from folkmoot.core.documents import Proposal
from folkmoot.core.keys import GAME
from folkmoot.core.misspelt import did_you_mean
from folkmoot.core.problems import fail
from folkmoot.core.records import Arguments
from folkmoot.core.sealed_data import read_box
from folkmoot.game.session import Session
from folkmoot.kernel.act_declarations import OPEN_SEALED, VOTE

NAMING_KEYS = ("use_sealing_key", "open_sealing")
"""Acts by which public keys are named."""


def seal_arguments(session: Session, by: str, do: str, given: Arguments) -> Arguments:
    """Return the arguments of an act, those that its action declares as sealed as one word each."""
    if do == VOTE:
        return _with_sealed_ballot(session, by, given)
    declared = (session.actions().get(do) or {}).get("arguments") or {}
    clear = [name for name, value in given.items() if (declared.get(name) or {}).get("sealed") and not read_box(value)]
    if not clear and do not in (*NAMING_KEYS, OPEN_SEALED):
        return given
    from folkmoot.player import hand
    from folkmoot.sealing.keys import read_recipient

    if do in NAMING_KEYS and given.get("key"):
        read_recipient(str(given["key"]))  # a private one by mistake, above all, is not sent
    if do == OPEN_SEALED:
        return given if "salt" in given else hand.own_opening(session, by, given)
    return given | {name: hand.seal_argument(session, by, do, name, declared[name], given[name]) for name in clear}


def _with_sealed_ballot(session: Session, by: str, given: Arguments) -> Arguments:
    """Return the arguments of a vote, with choice and reason sealed where the ballots on what it is on are.

    Raises as `require_open_ballots` does.
    """
    only = the_open_one(session.kept(GAME)["open"])
    on = named_on(given) or (f"{only[0]}/{only[1]}" if only else "")
    proposal = session.proposal(on) if on else None
    if not on or read_box(given.get("choice")):
        return given
    if not proposal or not proposal.get("sealed"):
        require_open_ballots(session, proposal or None)
        return given
    rest = {name: value for name, value in given.items() if name not in ("choice", "reason")}
    known = ("proposal", "kind", *session.votable())
    strange = next((name for name in rest if name not in known), "")
    if strange or not given.get("choice"):  # what is misspelt would stand in clear beside it
        near = did_you_mean(strange, ("choice", "reason", *known)) or "write choice=…, and reason=… where you give one"
        message = f"vote takes no argument {strange[:40]}" if strange else "a vote has a choice"
        raise fail("E-ARGS", message, None, f"nothing was sent; {near}")
    from folkmoot.player.hand import seal_ballot

    choice, reason = str(given.get("choice")), str(given.get("reason") or "")
    return {**rest, "choice": seal_ballot(session, by, proposal, choice, reason)}


def require_open_ballots(session: Session, proposal: Proposal | None) -> None:
    """Raise E-SEALED where the vote is not open yet and the law may have ballots on it sealed: a choice would be seen.

    `proposal` is None where the referee has not taken it in.
    """
    if (proposal is not None and proposal.get("opened_at") is not None) or not session.decides("ballots_sealed"):
        return
    if proposal is not None and not session.ask("ballots_sealed", about=proposal["id"]):
        return
    if proposal is None and session.ask("ballots_sealed", None) is False:  # whatever is proposed, then
        return
    hint = "nothing was sent; vote when the vote is open, then your ballot is sealed here"
    raise fail("E-SEALED", "ballots on this may be sealed, and its vote is not open yet", None, hint)
