"""Acts that exist without any rule: voting, stating, coming in, and what administrators do.

Each is carried out by a function of its name: here, or, where it is about what is sealed, behind the door to that.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any, cast

from folkmoot.core.declared_kinds import named_in, the_open_one
from folkmoot.core.documents import Claim, Epochs, Succession
from folkmoot.core.keys import (
    DUTIES,
    FORGE,
    GAME,
    HOME,
    ROSTER,
    came_here,
    claim_of,
    facts_key,
    forge_home,
    forge_kind,
    place_here,
    proposal_key,
)
from folkmoot.core.limits import LIMITS, limit_of
from folkmoot.core.records import (
    Account,
    Arguments,
    ForgeHome,
    LeftForge,
    PastEpoch,
    PlayedAt,
    ScriptRecord,
    SigningKey,
    Via,
)
from folkmoot.core.rule_blocks import ActionSpec, ArgumentSpec
from folkmoot.core.values import in_a_row
from folkmoot.kernel import clock, proposals, registers, roster, rule_changes, sealed_data, things, voting
from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS, OPEN_SEALED, VOTE, kinds_named, vote_declaration
from folkmoot.kernel.answers import find_proposal, proposal_of
from folkmoot.kernel.arguments import flaw_of_sealed
from folkmoot.kernel.chance import commitment
from folkmoot.kernel.errors import Refusal, refusing
from folkmoot.kernel.play import Play
from folkmoot.kernel.proposals import set_fields
from folkmoot.kernel.registers import award, kinds_voted_on
from folkmoot.kernel.roster import is_player, maker_of, put, the_player

BY_ADMINISTRATOR = "suspended by an administrator"
UNSAID = "say which proposal the vote is on"
DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


def carry_out(play: Play, action: ScriptRecord) -> None:
    """Carry out an act that `KERNEL_DECLARATIONS` has."""
    do = action["name"]
    if do in globals():
        globals()[do](play, action)
    else:
        sealed_data.act(play, action, *((flaw_of_sealed,) if do == OPEN_SEALED else ()))


def vote(play: Play, action: ScriptRecord) -> None:
    """Cast a ballot."""
    args = action["args"]
    meant = _voted_on(play, args)
    if meant is None:
        raise Refusal("E-ARGS", UNSAID)
    (kind, number), deemed = meant, maker_of(play.via) is not None
    voting.vote(play, action["by"], number, kind, args["choice"], args["reason"] or "", deemed=deemed)


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
    with refusing(code="E-NO-SUCH"):
        proposal = find_proposal(play, meant[1], meant[0]) if meant else None
    if proposal is None:
        raise Refusal("E-ARGS", UNSAID)
    accepted = partial(voting.flaw_of_sealed_ballot, play, proposal)
    wanted = sealed_data.vaults.Wanted("choice", proposal["id"], proposals.content_digest(proposal))
    spec: ArgumentSpec = {"type": "any", "sealed": "nobody"}
    return sealed_data.values.take_argument(play, VOTE, wanted, spec, box, accepted)


def declaration_of(play: Play, do: str) -> ActionSpec:
    """Return the declaration of an act of the kernel; a vote may name what it is on by any votable kind."""
    return vote_declaration(kinds_voted_on(play)) if do == VOTE else KERNEL_DECLARATIONS[do]


def state(play: Play, action: ScriptRecord) -> None:
    """Say something for the record."""
    play.effect("state", of=action["by"], text=action["args"]["text"])
    play.emit("stated", {"player": action["by"], "text": action["args"]["text"]})


def pause(play: Play, action: ScriptRecord) -> None:
    """Stop every timer."""
    game = play.documents[GAME]
    if game.get("paused") is not None:
        raise Refusal("E-DUP", "the game is paused already")
    play.documents.assign(GAME, game, "paused", play.now)
    play.effect("pause")
    play.emit("paused", {})


def resume(play: Play, action: ScriptRecord) -> None:
    """Let the timers run again, each as much later as the pause was long."""
    game = play.documents[GAME]
    since = game["paused"]
    if since is None:
        raise Refusal("E-DUP", "the game is not paused")
    clock.shift(play, play.now - since)
    play.documents.assign(GAME, game, "paused", None)
    play.effect("resume")
    play.emit("resumed", {"seconds": play.now - since})


def set_clock(play: Play, action: ScriptRecord) -> None:
    """Take the clock back: what is left of timers and deadlines stays, and who has come in is in."""
    seconds, game = action["args"]["seconds"] or 0, play.documents[GAME]
    if seconds <= 0:
        raise Refusal("E-TIME", "the clock of the game is not ahead of the time at which this arrived")
    clock.shift(play, -seconds)
    roster.begin_no_later(play)
    if (since := game["paused"]) is not None:
        play.documents.assign(GAME, game, "paused", min(since, play.now))
    play.effect("clock", **{"from": play.now + seconds, "to": play.now})


def correct(play: Play, action: ScriptRecord) -> None:
    """Set a register, a switch or the outcome of a proposal right."""
    of, name, to, why = (action["args"][part] for part in ("of", "name", "to", "why"))
    with refusing(code="E-ARGS"):
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


def suspend(play: Play, action: ScriptRecord) -> None:
    """Let a rule's script sleep, or (`wake`) work again."""
    args = action["args"]
    uid = play.law.resolve(args["rule"])
    if uid is None:
        raise Refusal("E-NO-SUCH", f"no rule {args['rule']} is in force")
    rule_changes.set_suspended(play, uid, args["why"] or BY_ADMINISTRATOR if action["name"] == "suspend" else None)


wake = suspend


def redact(play: Play, action: ScriptRecord) -> None:
    """Note that text of an earlier entry is replaced by its digest."""
    args = action["args"]
    if args["seq"] >= play.seq:
        raise Refusal("E-ARGS", "only an earlier entry can be redacted")
    play.effect("redact", of=str(args["seq"]), path=args["path"], digest=args["digest"], why=args["why"])


def engine(play: Play, action: ScriptRecord) -> None:
    """Have another engine judge from now on; `state` is the digest of all that it takes over, which a proof checks."""
    args, game = action["args"], play.documents[GAME]
    if not DIGEST.fullmatch(args["state"]):
        raise Refusal("E-ARGS", "a state is named by its SHA-256, 64 hexadecimal digits")
    play.documents.assign(GAME, game, "engine", dict(args["versions"]))
    play.effect("engine", to=args["versions"], state=args["state"])


def open_epoch(play: Play, action: ScriptRecord) -> None:
    """Commit to a secret for the dice."""
    chance = play.documents[GAME]["chance"]
    if chance.get("commitment"):
        raise Refusal("E-DUP", f"chance epoch {chance['epoch']} is open; close it first")
    if not DIGEST.fullmatch(action["args"]["commitment"]):
        raise Refusal("E-ARGS", "a commitment is the SHA-256 of the secret, 64 hexadecimal digits")
    opened: Epochs = {**chance, "epoch": chance["epoch"] + 1, "commitment": action["args"]["commitment"]}
    _set_chance(play, opened, commitment=opened["commitment"])


def close_epoch(play: Play, action: ScriptRecord) -> None:
    """Publish the secret of the dice."""
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


def abandon_epoch(play: Play, action: ScriptRecord) -> None:
    """End an epoch that nobody can close: its throws stay as they are recorded, and unproved."""
    chance = play.documents[GAME]["chance"]
    if not chance.get("commitment"):
        raise Refusal("E-ORDER", "no chance epoch is open")
    past: PastEpoch = {"epoch": chance["epoch"], "commitment": chance["commitment"], "why": action["args"]["why"]}
    ended: Epochs = {**chance, "commitment": None, "lost": [*chance.get("lost", ()), past]}
    _set_chance(play, ended, lost=True, why=past["why"])


def maintain(play: Play, action: ScriptRecord) -> None:
    """Name who may approve changes that are no game's; nobody named means the administrators again."""
    named = maintainers_in(play, action["args"]["maintainers"])
    play.documents.assign(GAME, play.documents[GAME], "maintainers", named or None)
    play.effect("maintain", to=named or None)


def remind(play: Play, action: ScriptRecord) -> None:
    """Say how long before a deadline those are reminded who still owe something."""
    play.documents.assign(GAME, play.documents[GAME], "reminders", action["args"]["hours"])
    play.effect("remind", to=action["args"]["hours"])


def set_limit(play: Play, action: ScriptRecord) -> None:
    """Set a limit of the game, or the usual one again; what is beyond it already stays as it is."""
    name, value = action["args"]["name"], action["args"]["value"]
    flaw = "" if value is None else LIMITS[name].flaw(name, value)
    if flaw:
        raise Refusal("E-BOUNDS", flaw)
    game = play.documents[GAME]
    others = {known: kept for known, kept in (game.get("limits") or {}).items() if known != name}
    play.documents.assign(GAME, game, "limits", others if value is None else {**others, name: value})
    play.effect("limit", of=name, to=LIMITS[name].default if value is None else value)


def repair(play: Play, action: ScriptRecord) -> None:
    """Change rules without a vote: what was changed by hand is put on record, or a law that stands still is freed."""
    args = action["args"]
    play.effect("repair", why=args["why"])
    for change in rule_changes.normalise(play, args["changes"]):
        rule_changes.make(play, change)


# -- people: who somebody is outside of the game, how they come in without a rule, and who administers it


ACCOUNT = re.compile(rf"{FORGE.pattern}:[^\s:,]{{1,254}}")
MOST_MAINTAINERS = 50
KEY = re.compile(r"(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp\d{3}|sk-[a-z0-9@.-]+) [A-Za-z0-9+/]{20,1000}={0,3}")


def join(play: Play, action: ScriptRecord) -> None:
    """Let somebody join by themselves, where no rule says how one joins and the game is open."""
    player, args = action["by"], action["args"]
    if player is None:
        raise Refusal("E-ARGS", "somebody joins, not the clock")
    if play.documents[GAME].get("joining", "open") != "open":
        raise Refusal("E-STATUS", "this game is closed to newcomers; an administrator can `admit` you")
    _enter(play, player, args)


def withdraw_application(play: Play, action: ScriptRecord) -> None:
    """Let somebody take back that they asked to come in."""
    if not roster.withdraw_application(play, str(action["by"])):
        raise Refusal("E-NO-SUCH", f"{action['by']} has not asked to come in, or is in already")


def admit(play: Play, action: ScriptRecord) -> None:
    """Let an administrator bring somebody in."""
    args = action["args"]
    _enter(play, args["player"], args)
    if args["forge"] and args["id"]:
        link(play, args["player"], args["forge"], {"id": args["id"], "login": args["login"] or args["id"]})


def _enter(play: Play, player: str, args: Arguments) -> None:
    attributes = {**(args["attributes"] or {}), **({"name": args["name"]} if args["name"] else {})}
    with refusing():
        things.check_identifier(player)
        things.join(play, player, attributes)
        if args["key"]:
            put_key(play, player, args["key"])


def identify(play: Play, action: ScriptRecord) -> None:
    """Say who a player is on a forge; for administrators, because a claim proves nothing."""
    args = action["args"]
    account: Account = {"id": args["id"], "login": args["login"] or args["id"]}
    link(play, the_player(play, args["player"]), args["forge"], account)


def welcome(play: Play, player: str, forge: str, person: Account) -> None:
    """Keep who somebody is on the forge by which they have just come in, or asked to."""
    entry = play.documents[ROSTER].get(player)
    if entry is None:
        roster.keep_applicant(play, player, play.via, person)
    elif entry["since"] == play.now and roster.whom_forge_knows(play, forge, person["id"]) is None:
        link(play, player, forge, person)


def link(play: Play, player: str, forge: str, person: Account) -> None:
    """Keep who a player is on a forge; raises Refusal E-DUP where that is somebody else."""
    entry, known = play.documents[ROSTER][player], roster.whom_forge_knows(play, forge, person["id"])
    if known not in (None, player):
        raise Refusal("E-DUP", f"{person['id']} is {known} already")
    account: Account = {"id": str(person["id"]), "login": str(person["login"])}
    handles = {**entry.get("handles", {}), forge: account}
    if handles != entry.get("handles"):
        put(play, player, "handles", handles)
        play.effect("identify", of=player, forge=forge, to=handles[forge])


def add_key(play: Play, action: ScriptRecord) -> None:
    """Let a player, or an administrator for one, name a key with which what they send is signed from now on."""
    put_key(play, _own(play, action), action["args"]["key"])


def put_key(play: Play, player: str, key: str) -> None:
    """Keep an SSH public key of a player; raises Refusal E-ARGS for what is none, E-DUP where it is known."""
    words = " ".join(key.split()[:2])
    if not KEY.fullmatch(words):
        raise Refusal("E-ARGS", "a key is the public half of an SSH key, as in `ssh-ed25519 AAAA…`")
    for other, entry in play.documents[ROSTER].items():
        if any(kept["key"] == words for kept in entry.get("keys") or ()):
            raise Refusal("E-DUP", f"this key is {other}'s already")
    put(play, player, "keys", [*_keys(play, player), {"key": words, "since": play.now, "until": None}])
    play.effect("key", of=player, to=words)


def revoke_key(play: Play, action: ScriptRecord) -> None:
    """Let a player, or an administrator for one, withdraw a key: what arrives from now on with it does not count."""
    player = _own(play, action)
    words = " ".join(action["args"]["key"].split()[:2])
    kept = _keys(play, player)
    if not any(entry["key"] == words and entry["until"] is None for entry in kept):
        raise Refusal("E-NO-SUCH", f"{player} has no such key")
    ended = [{**e, "until": play.now} if e["key"] == words and e["until"] is None else e for e in kept]
    put(play, player, "keys", ended)
    play.effect("revoke", of=player, to=words)


def notify(play: Play, action: ScriptRecord) -> None:
    """Let a player say of what a forge is to notify them: of everything, before deadlines only, or of nothing."""
    player, mentions = the_player(play, action["by"]), action["args"]["mentions"]
    put(play, player, "mentions", mentions)
    play.effect("notify", of=player, to=mentions)


def maintainers_in(play: Play, given: Any) -> list[str]:
    """Return whom a list or text names: people of the game, or accounts as `github:12345`; raises Refusal E-NO-SUCH."""
    names = given.replace(",", " ").split() if isinstance(given, str) else given or []
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names) or len(names) > MOST_MAINTAINERS:
        raise Refusal("E-ARGS", f"maintainers are a list of at most {MOST_MAINTAINERS} names")
    known = {*play.documents[ROSTER], *play.documents[GAME]["administrators"]}
    for name in names:
        if name not in known and not ACCOUNT.fullmatch(name):
            hint = "name a player, an administrator, or an account by its numeric id, as in github:12345"
            raise Refusal("E-NO-SUCH", f"nobody here is called {name}; {hint}")
    return list(dict.fromkeys(names))


def _own(play: Play, action: ScriptRecord) -> str:
    """Return whose key is meant: one's own, or another's for administrators."""
    player = action["args"]["player"] or action["by"]
    if player != action["by"] and action["by"] not in play.documents[GAME]["administrators"]:
        raise Refusal("E-NOT-ADMINISTRATOR", f"only {player} and the administrators of this game may do that")
    return the_player(play, player)


def _keys(play: Play, player: str) -> list[SigningKey]:
    return list(play.documents[ROSTER][player].get("keys") or ())


# -- who administers a game whose administrators are gone: a player asks, everybody sees it, time passes, and they do
#
# No rule takes part: a law that could stop it could keep a game without administrators for ever. No timer does either,
# because a paused game has none: who asked comes back after the wait, and what counts is when they do.

DAY = 86_400


def succeed(play: Play, action: ScriptRecord) -> None:
    """Ask to become an administrator, or, after the wait, become one."""
    game, player = play.documents[GAME], str(action["by"])
    if player in game["administrators"]:
        raise Refusal("E-DUP", f"{player} is an administrator already")
    claim = _running(play)
    if claim is None:
        _claim(play, player)
    elif claim["by"] != player:
        raise Refusal("E-DUP", f"{claim['by']} has asked already; `oppose_succession` objects")
    elif play.now < claim["due"]:
        left = _told(claim["due"] - play.now)
        raise Refusal("E-TIME", f"{player} has asked already, and can take the office in {left}")
    else:
        _end(play, "taken", player)
        play.documents.assign("game", game, "administrators", [*game["administrators"], player])


def oppose_succession(play: Play, action: ScriptRecord) -> None:
    """Object to the claim that runs; when most of those who may have objected, it is refused."""
    claim, player = _running(play), str(action["by"])
    if claim is None:
        raise Refusal("E-ORDER", "nobody asks to become an administrator")
    latest = claim["at"] - _seconds(play, "succession_wait")  # who had played as long before the claim as its maker
    others = ((who, each) for who, each in play.documents[ROSTER].items() if who != claim["by"])
    voices = [who for who, each in others if each["until"] is None and each["since"] <= latest]
    if player not in voices:
        why = "who asks does not object" if player == claim["by"] else f"{player} plays for too short a time"
        raise Refusal("E-STATUS", why)
    if player in claim["against"]:
        raise Refusal("E-DUP", f"{player} has objected already")
    against = [*claim["against"], player]
    _keep(play, {"claim": {**claim, "against": against}})
    play.effect("succession", of=claim["by"], to="opposed", by=player)
    if 2 * len([each for each in against if each in voices]) > len(voices):
        _end(play, "refused", player)
        until = play.now + _seconds(play, "administrators_silent")
        _keep(play, {"refused": {**_kept(play).get("refused", {}), claim["by"]: until}})


def note_act(play: Play, by: str | None) -> None:
    """End the claim that runs where an administrator acts: they are there."""
    game = play.documents.get(GAME)
    claim = claim_of(game) if game is not None else None
    if game is not None and claim is not None and by in game["administrators"] and by != claim["by"]:
        _end(play, "ended", str(by))


def _claim(play: Play, player: str) -> None:
    tenure = _seconds(play, "succession_wait")
    since = play.documents[ROSTER][player]["since"]
    if since > play.now - tenure:
        raise Refusal("E-STATUS", f"who asks must have played for {_told(tenure)}, and {player} has not")
    barred = _kept(play).get("refused", {}).get(player, 0)
    if play.now < barred:
        raise Refusal("E-STATUS", f"the players refused {player}, who can ask again in {_told(barred - play.now)}")
    here, people = play.documents[GAME]["administrators"], play.documents[ROSTER]
    is_there = any(who not in people or is_player(play, who) for who in here)  # who never played may be there too
    due = play.now + _seconds(play, "administrators_silent" if is_there else "succession_wait")
    claim: Claim = {"by": player, "at": play.now, "due": due, "until": due + tenure, "against": []}
    _keep(play, {"claim": claim})
    play.effect("succession", of=player, to="asked", due=due)
    for administrator in [who for who in here if is_player(play, who)]:
        what = f"show by any act that you still administer this game, or {player} does"
        clock.owe(play, administrator, what, due, f"succession/{administrator}", "oppose_succession", None)


def _running(play: Play) -> Claim | None:
    """Return the claim that runs; one that nobody made use of in time, or whose maker has left, runs no more."""
    claim = claim_of(play.documents[GAME])
    if claim is not None and play.now <= claim["until"] and is_player(play, claim["by"]):
        return claim
    if claim is not None:
        _end(play, "lapsed", claim["by"])
    return None


def _end(play: Play, how: str, by: str) -> None:
    """End the claim: taken, refused, ended (an administrator acts) or lapsed."""
    claim = claim_of(play.documents[GAME])
    assert claim is not None
    _keep(play, {"claim": None})
    duties = play.documents[DUTIES]
    for key in [f"succession/{who}" for who in play.documents[GAME]["administrators"]]:
        if key in duties:
            play.documents.remove("things/duty", duties, key)
    play.effect("succession", of=claim["by"], to=how, by=by)


def _kept(play: Play) -> Succession:
    return play.documents[GAME].get("succession", {})


def _keep(play: Play, parts: Succession) -> None:
    play.documents.assign("game", play.documents[GAME], "succession", {**_kept(play), **parts})


def _seconds(play: Play, limit: str) -> int:
    return limit_of(play.documents[GAME], limit) * DAY


def _told(seconds: int) -> str:
    days = -(-seconds // DAY)
    return f"{days} day{'s' if days != 1 else ''}"


# -- a game goes to another forge: where it was before, who is who there, and where what is voted on goes on


LOCAL = "local"
LONGEST = 254  # characters of an account's number, address or name
HEX = frozenset("0123456789abcdef")


def read_forge(given: Any) -> str | ForgeHome | None:
    """Return the forge of a game as game.yaml keeps it: its kind, or kind and home; raises Refusal for neither."""
    kind, home = (given.get("kind"), given.get("home")) if isinstance(given, dict) else (given, None)
    if kind is None and home is None:
        return None
    if not isinstance(kind, str) or not FORGE.fullmatch(kind):
        raise Refusal("E-ARGS", "a forge is named in small letters: local, github, gitea")
    if home is None:
        return kind
    if not isinstance(home, str) or len(home) > 200 or not HOME.fullmatch(home):
        raise Refusal("E-ARGS", "the home of a game is the address of its repository: https://HOST/OWNER/NAME")
    return {"kind": kind, "home": home}


def use_forge(play: Play, action: ScriptRecord) -> None:
    """Say by which forge acts come, and where that is; without one the game is kept by one person."""
    wanted = read_forge({"kind": action["args"]["forge"], "home": action["args"]["home"]})
    _put(play, wanted)
    play.effect("forge", to=wanted)


def change_forge(play: Play, action: ScriptRecord) -> None:
    """Take the game to another forge: who is who there, and which proposals await their new pull requests."""
    args, game = action["args"], play.documents[GAME]
    wanted = read_forge({"kind": args["forge"], "home": args["home"]})
    accounts = _accounts(play, args["accounts"] or {})
    _check(game, wanted)
    kind, before = forge_kind({"forge": wanted}), game.get("forge")
    moving = [identifier for identifier in game.get("open") or () if _was_met(play, identifier)]
    _forget(play, kind, forge_home({"forge": wanted}), accounts)
    left: LeftForge = {**_place_of(game), "until": play.now}
    play.documents.assign(GAME, game, "left", [*(game.get("left") or ()), left])
    _put(play, wanted)
    if moving:
        play.documents.assign(GAME, game, "moving", moving)
    play.effect("forge", to=wanted, was=before)
    for player, account in accounts.items():
        link(play, player, kind, account)


def rehouse(play: Play, action: ScriptRecord) -> None:
    """Say in which pull requests of the new forge the undecided proposals go on, and let the game be played there."""
    game, places = play.documents[GAME], action["args"]["places"]
    moving = game.get("moving") or []
    if not moving:
        raise Refusal("E-ORDER", "no proposal of this game awaits its place on a new forge")
    if set(places) != set(moving):
        raise Refusal("E-ARGS", f"say of each where it goes on: {in_a_row(moving)}")
    taken = {identifier: _place(places[identifier]) for identifier in moving if places[identifier] is not None}
    if len({place["pull"] for place in taken.values()}) < len(taken):
        raise Refusal("E-ARGS", "two proposals cannot go on in one pull request")
    for identifier, place in taken.items():
        _move(play, identifier, place)
    play.documents.assign(GAME, game, "moving", [])


# -- the forge


def _check(game: PlayedAt, wanted: str | ForgeHome | None) -> None:
    kind, before = forge_kind({"forge": wanted}), forge_kind(game)
    if not before:
        raise Refusal("E-ORDER", "acts come by no forge yet; `use_forge` says by which")
    if not kind:
        raise Refusal("E-ARGS", "say to which forge the game goes")
    if game.get("moving"):
        raise Refusal("E-ORDER", "the game is on its way to another forge already; `rehouse` ends that")
    if kind == before == LOCAL:
        raise Refusal("E-ARGS", "a table of plain git is moved as it stands, by copying its repository")
    if kind == before and (not forge_home(game) or forge_home(game) == forge_home({"forge": wanted})):
        raise Refusal("E-DUP", f"the game is played on {kind} already, and nothing says that this is another place")
    if kind != LOCAL and not forge_home({"forge": wanted}):
        raise Refusal("E-ARGS", "say where its repository lies there: home=https://HOST/OWNER/NAME")


def _put(play: Play, wanted: str | ForgeHome | None) -> None:
    """Keep by which forge acts come from now on, and on how many of its kind the game was before, as its `stay`."""
    kind = forge_kind({"forge": wanted})
    stay = sum(left["kind"] == kind for left in play.documents[GAME].get("left") or ())
    kept = wanted if not stay or wanted is None else {**_place_of({"forge": wanted}), "stay": stay}
    play.documents.assign(GAME, play.documents[GAME], "forge", kept)


def _place_of(game: Mapping[str, Any]) -> ForgeHome:
    """Return the forge of a game as a map, whatever of it the game says."""
    forge = game.get("forge")
    return cast(ForgeHome, dict(forge)) if isinstance(forge, Mapping) else {"kind": str(forge or "")}


def host_of(home: str) -> str:
    """Return the host of a home in small letters, which is where accounts and their numbers are.

    >>> host_of("https://Codeberg.org/ann/game"), host_of("")
    ('codeberg.org', '')
    """
    return home.partition("://")[2].partition("/")[0].lower()


# -- people


def _accounts(play: Play, given: Any) -> dict[str, Account]:
    flaw = "say who players are there as a map: {ann: {id: '583231', login: annabel}}"
    if not isinstance(given, dict):
        raise Refusal("E-ARGS", flaw)
    accounts: dict[str, Account] = {}
    for player, account in given.items():
        if not isinstance(account, dict) or set(account) - {"id", "login"} or not account.get("id"):
            raise Refusal("E-ARGS", flaw)
        words = [account["id"], account.get("login") or account["id"]]
        if not all(isinstance(word, str) and 0 < len(word) <= LONGEST for word in words):
            raise Refusal("E-ARGS", flaw)
        if player not in play.documents[ROSTER]:
            raise Refusal("E-NO-SUCH", f"nobody in this game is or was called {player}")
        accounts[player] = {"id": words[0], "login": words[1]}
    numbers = [account["id"] for account in accounts.values()]
    if len(set(numbers)) < len(numbers):
        raise Refusal("E-DUP", "two players cannot be one account")
    return accounts


def _forget(play: Play, kind: str, home: str, accounts: Mapping[str, Account]) -> None:
    """Forget who was who on another host of this kind, where numbers are somebody else's, and who asked to come in."""
    game = play.documents[GAME]
    if game.get("applications"):
        play.documents.assign(GAME, game, "applications", {})
    known = [each for each in (_place_of(game), *(game.get("left") or ())) if each.get("kind") == kind]
    if kind == LOCAL or not known or all(host_of(each.get("home") or "") == host_of(home) for each in known):
        names = set(accounts)  # whose account another is named as, they are not
    else:
        names = set(play.documents[ROSTER])
        kept = [name for name in game.get("maintainers") or () if not name.startswith(f"{kind}:")]
        if kept != (game.get("maintainers") or []):
            play.documents.assign(GAME, game, "maintainers", kept or None)
    for player in [each for each in play.documents[ROSTER] if each in names]:
        handles = play.documents[ROSTER][player].get("handles") or {}
        if kind in handles and handles[kind] != accounts.get(player):
            put(play, player, "handles", {name: each for name, each in handles.items() if name != kind})
            play.effect("identify", of=player, forge=kind)


# -- proposals


def _was_met(play: Play, identifier: str) -> bool:
    """Say whether a proposal was met in a pull request, or in an issue with changes that a pull request can show."""
    proposal = play.documents[proposal_key(identifier)]
    via = proposal["via"]
    met = via.get("pull") or (via.get("issue") and proposal["changes"])
    return bool(met) and came_here(via, play.documents[GAME])


def _place(given: Any) -> dict[str, Any]:
    named = given if isinstance(given, dict) else {}
    pull, head, digest = named.get("pull"), named.get("head"), named.get("digest")
    good = type(pull) is int and pull > 0 and isinstance(head, str) and isinstance(digest, str)
    if not good or set(named) != {"pull", "head", "digest"} or {*str(head), *str(digest)} - HEX:
        raise Refusal("E-ARGS", "a place is the number of a pull request (pull), its commit (head) and its digest")
    return named


def _move(play: Play, identifier: str, place: Mapping[str, Any]) -> None:
    """Let a proposal go on in a pull request of the forge on which the game is now; its content is recorded already."""
    proposal = play.documents[proposal_key(identifier)]
    before = proposal["via"]
    here = place_here(play.documents[GAME])
    via: Via = {**here, "pull": place["pull"], "fact": place["head"], "arrived": play.now}
    via["head"], via["digest"] = place["head"], place["digest"]
    if "revised" in before:
        via["revised"] = before["revised"]
    key = facts_key(via)
    assert key is not None
    document = play.documents[key]
    if document.get("proposals"):
        raise Refusal("E-DUP", f"pull request {place['pull']} is that of {document['proposals'][-1]} already")
    play.documents.assign(key, document, "facts", {**document.get("facts", {}), place["head"]: play.seq})
    play.documents.assign(key, document, "proposals", [identifier])
    set_fields(play, proposal, via=via, came=[*(proposal.get("came") or ()), before])
    play.effect("rehouse", of=identifier, to=place["pull"], was=before)
