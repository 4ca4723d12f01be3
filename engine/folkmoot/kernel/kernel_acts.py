"""Acts that exist without any rule: voting, stating, and what administrators do."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec import Struct, field

from folkmoot.core.declared_kinds import named_in, the_open_one
from folkmoot.core.documents import Epochs
from folkmoot.core.keys import GAME
from folkmoot.core.limits import LIMITS
from folkmoot.core.records import Arguments, PastEpoch, ScriptRecord
from folkmoot.core.rule_blocks import ActionSpec
from folkmoot.kernel import clock, forge_change, proposals, registers, roster_acts, rule_changes, sealed_data
from folkmoot.kernel.act_declarations import ADMINISTRATIVE, KERNEL_DECLARATIONS, VOTE, kinds_named, vote_declaration
from folkmoot.kernel.answers import find_proposal, proposal_of
from folkmoot.kernel.arguments import flaw_of_sealed
from folkmoot.kernel.awards import award
from folkmoot.kernel.chance import commitment
from folkmoot.kernel.errors import Fault, Refusal
from folkmoot.kernel.play import Play
from folkmoot.kernel.registers import kinds_voted_on
from folkmoot.kernel.roster import begin_no_later, maker_of
from folkmoot.kernel.voting import content_digest, flaw_of_sealed_ballot, vote

BY_ADMINISTRATOR = "suspended by an administrator"
DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


class KernelAct(Struct, frozen=True):
    """An act of the kernel: its declaration and how it is carried out."""

    run: Callable[[Play, ScriptRecord], None]
    declaration: ActionSpec = field(default_factory=ActionSpec)
    administrative: bool = False


def _vote(play: Play, action: ScriptRecord) -> None:
    args = action["args"]
    meant = _voted_on(play, args)
    if meant is None:
        raise Refusal("E-ARGS", "say which proposal the vote is on")
    kind, number = meant
    deemed = maker_of(play.via) is not None
    vote(play, action["by"], number, kind, args["choice"], args["reason"] or "", deemed=deemed)


def _voted_on(play: Play, args: Arguments) -> tuple[str, Any] | None:
    """Return kind and number of what a vote is on: named, else the only one that is not resolved yet."""
    kinds = kinds_named(kinds_voted_on(play))
    return named_in(args, kinds) or the_open_one(play.documents[GAME]["open"], args["kind"] or "")


def name_kind(play: Play, args: Arguments) -> None:
    """Put kind and number of what a vote is on into its arguments, however it was named."""
    meant = _voted_on(play, args)
    args["kind"] = meant[0] if meant else args["kind"]
    known = proposal_of(play, meant[1], meant[0]) if meant else None
    if known is not None:
        args.setdefault("number", known["id"].partition("/")[2] if known["number"] is None else known["number"])
    else:
        args.setdefault("number", None)


def take_ballot(play: Play, args: Arguments, box: Any) -> Any:
    """Take in a sealed ballot; returns what stands for it. Raises Refusal where nobody can tell what it is on."""
    meant = _voted_on(play, args)
    try:
        proposal = find_proposal(play, meant[1], meant[0]) if meant else None
    except Fault as fault:
        raise Refusal("E-NO-SUCH", fault.message) from None
    if proposal is None:
        raise Refusal("E-ARGS", "say which proposal the vote is on")
    accepted = partial(flaw_of_sealed_ballot, play, proposal)
    about = proposal["id"], content_digest(proposal)
    return sealed_data.values.take_argument(play, "choice", {"type": "any", "sealed": "nobody"}, box, accepted, about)


def declaration_of(play: Play, do: str) -> ActionSpec:
    """Return the declaration of an act of the kernel; a vote may name what it is on by any votable kind."""
    return vote_declaration(kinds_voted_on(play)) if do == VOTE else KERNEL_ACTS[do].declaration


def _state(play: Play, action: ScriptRecord) -> None:
    play.effect("state", of=action["by"], text=action["args"]["text"])
    play.emit("stated", {"player": action["by"], "text": action["args"]["text"]})


def _pause(play: Play, _action: ScriptRecord) -> None:
    game = play.documents[GAME]
    if game.get("paused") is not None:
        raise Refusal("E-DUP", "the game is paused already")
    play.documents.assign(GAME, game, "paused", play.now)
    play.effect("pause")
    play.emit("paused", {})


def _resume(play: Play, _action: ScriptRecord) -> None:
    game = play.documents[GAME]
    since = game["paused"]
    if since is None:
        raise Refusal("E-DUP", "the game is not paused")
    clock.shift(play, play.now - since)
    play.documents.assign(GAME, game, "paused", None)
    play.effect("resume")
    play.emit("resumed", {"seconds": play.now - since})


def _set_clock(play: Play, action: ScriptRecord) -> None:
    """Take the clock back: what is left of timers and deadlines stays, and who has come in is in."""
    seconds, game = action["args"]["seconds"] or 0, play.documents[GAME]
    if seconds <= 0:
        raise Refusal("E-TIME", "the clock of the game is not ahead of the time at which this arrived")
    clock.shift(play, -seconds)
    begin_no_later(play)
    if (since := game["paused"]) is not None:
        play.documents.assign(GAME, game, "paused", min(since, play.now))
    play.effect("clock", **{"from": play.now + seconds, "to": play.now})


def _correct(play: Play, action: ScriptRecord) -> None:
    of, name, to, why = (action["args"][part] for part in ("of", "name", "to", "why"))
    try:
        if of == "settings":
            play.effect("correct", of=of, name=name, why=why)
            registers.put_setting(play, name, to)
            return
        ref = registers.named_owner(of)
        if name == "outcome" and "/" in of and "id" in ref:
            play.effect("correct", of=of, name=name, why=why)
            proposals.correct_outcome(play, of, to, why)
            return
        register = registers.find_register(play, ref, name)
        registers.check_value(play, register, to)
        play.effect("correct", of=of, name=name, why=why)
        if register.declared.get("currency"):
            award(play, [[ref, to - int(register.owner.values.get(name, 0) or 0)]], name, why, "correction", None)
        else:
            registers.write(play, register, to)
    except Fault as fault:
        raise Refusal("E-ARGS", fault.message) from None


def _set_suspended(play: Play, action: ScriptRecord, why: str | None) -> None:
    uid = play.law.resolve(action["args"]["rule"])
    if uid is None:
        raise Refusal("E-NO-SUCH", f"no rule {action['args']['rule']} is in force")
    rule_changes.set_suspended(play, uid, why)


def _redact(play: Play, action: ScriptRecord) -> None:
    args = action["args"]
    if args["seq"] >= play.seq:
        raise Refusal("E-ARGS", "only an earlier entry can be redacted")
    play.effect("redact", of=str(args["seq"]), path=args["path"], digest=args["digest"], why=args["why"])


def _engine(play: Play, action: ScriptRecord) -> None:
    """Have another engine judge from now on; `state` is the digest of all that it takes over, which a proof checks."""
    args, game = action["args"], play.documents[GAME]
    if not DIGEST.fullmatch(args["state"]):
        raise Refusal("E-ARGS", "a state is named by its SHA-256, 64 hexadecimal digits")
    play.documents.assign(GAME, game, "engine", dict(args["versions"]))
    play.effect("engine", to=args["versions"], state=args["state"])


def _open_epoch(play: Play, action: ScriptRecord) -> None:
    chance = play.documents[GAME]["chance"]
    if chance.get("commitment"):
        raise Refusal("E-DUP", f"chance epoch {chance['epoch']} is open; close it first")
    if not DIGEST.fullmatch(action["args"]["commitment"]):
        raise Refusal("E-ARGS", "a commitment is the SHA-256 of the secret, 64 hexadecimal digits")
    opened: Epochs = {**chance, "epoch": chance["epoch"] + 1, "commitment": action["args"]["commitment"]}
    _set_chance(play, opened, commitment=opened["commitment"])


def _close_epoch(play: Play, action: ScriptRecord) -> None:
    chance = play.documents[GAME]["chance"]
    if not chance.get("commitment"):
        raise Refusal("E-ORDER", "no chance epoch is open")
    secret = action["args"]["secret"]
    if not DIGEST.fullmatch(secret) or commitment(bytes.fromhex(secret)) != chance["commitment"]:
        raise Refusal("E-ARGS", f"this is not the secret that chance epoch {chance['epoch']} was opened with")
    past: PastEpoch = {"epoch": chance["epoch"], "commitment": chance["commitment"], "secret": secret}
    _set_chance(play, {**chance, "commitment": None, "opened": [*chance.get("opened", ()), past]}, secret=secret)


def _set_chance(play: Play, epochs: Epochs, **noted: Any) -> None:
    play.documents.assign(GAME, play.documents[GAME], "chance", epochs)
    play.effect("epoch", of=str(epochs["epoch"]), **noted)


def _abandon_epoch(play: Play, action: ScriptRecord) -> None:
    """End an epoch that nobody can close: its throws stay as they are recorded, and unproved."""
    chance = play.documents[GAME]["chance"]
    if not chance.get("commitment"):
        raise Refusal("E-ORDER", "no chance epoch is open")
    past: PastEpoch = {"epoch": chance["epoch"], "commitment": chance["commitment"], "why": action["args"]["why"]}
    ended: Epochs = {**chance, "commitment": None, "lost": [*chance.get("lost", ()), past]}
    _set_chance(play, ended, lost=True, why=past["why"])


def _maintain(play: Play, action: ScriptRecord) -> None:
    """Name who may approve changes that are no game's; nobody named means the administrators again."""
    named = roster_acts.maintainers_in(play, action["args"]["maintainers"])
    play.documents.assign(GAME, play.documents[GAME], "maintainers", named or None)
    play.effect("maintain", to=named or None)


def _remind(play: Play, action: ScriptRecord) -> None:
    """Say how long before a deadline those are reminded who still owe something."""
    play.documents.assign(GAME, play.documents[GAME], "reminders", action["args"]["hours"])
    play.effect("remind", to=action["args"]["hours"])


def _set_limit(play: Play, action: ScriptRecord) -> None:
    """Set a limit of the game, or the usual one again; what is beyond it already stays as it is."""
    name, value = action["args"]["name"], action["args"]["value"]
    flaw = "" if value is None else LIMITS[name].flaw(name, value)
    if flaw:
        raise Refusal("E-BOUNDS", flaw)
    game = play.documents[GAME]
    others = {known: kept for known, kept in (game.get("limits") or {}).items() if known != name}
    play.documents.assign(GAME, game, "limits", others if value is None else {**others, name: value})
    play.effect("limit", of=name, to=LIMITS[name].default if value is None else value)


def _repair(play: Play, action: ScriptRecord) -> None:
    """Change rules without a vote: what was changed by hand is put on record, or a law that stands still is freed."""
    args = action["args"]
    play.effect("repair", why=args["why"])
    for change in rule_changes.normalise(play, args["changes"]):
        rule_changes.make(play, change)


RUNS: dict[str, Callable[[Play, ScriptRecord], None]] = {
    "vote": _vote,
    "state": _state,
    "join": roster_acts.take_in,
    "withdraw_application": roster_acts.stay_out,
    "add_key": roster_acts.add_key,
    "revoke_key": roster_acts.revoke_key,
    "admit": roster_acts.admit,
    "identify": roster_acts.identify,
    "repair": _repair,
    "use_forge": forge_change.use_forge,
    "change_forge": forge_change.change_forge,
    "rehouse": forge_change.rehouse,
    "notify": roster_acts.notify,
    "maintain": _maintain,
    "remind": _remind,
    "set_limit": _set_limit,
    **dict.fromkeys(("open_sealing", "open_seed", "use_sealing_key", "confirm_sealing_key"), sealed_data.act),
    "open_sealed": lambda play, action: sealed_data.act(play, action, flaw_of_sealed),
    "pause": _pause,
    "resume": _resume,
    "set_clock": _set_clock,
    "correct": _correct,
    "suspend": lambda play, action: _set_suspended(play, action, action["args"]["why"] or BY_ADMINISTRATOR),
    "wake": lambda play, action: _set_suspended(play, action, None),
    "redact": _redact,
    "open_epoch": _open_epoch,
    "close_epoch": _close_epoch,
    "abandon_epoch": _abandon_epoch,
    "succeed": roster_acts.succeed,
    "oppose_succession": roster_acts.oppose,
    "engine": _engine,
}
KERNEL_ACTS = {
    name: KernelAct(RUNS[name], declaration, name in ADMINISTRATIVE)
    for name, declaration in KERNEL_DECLARATIONS.items()
}
