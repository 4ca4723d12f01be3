"""Sealed values: kept by a number that stands for what only some may see, until it is opened.

Scripts hold the number as a struct that says nothing. What a value is becomes known to its readers by boxes, which are
made outside of the kernel, and to everybody where a rule opens it. Sealed functions look into values: they see nothing
else, and nothing but their answer comes out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from folkmoot.core.calendar import write_stamp
from folkmoot.core.canonical_json import canonical_bytes
from folkmoot.core.documents import KeeperKey, ReaderKey, SealedValue
from folkmoot.core.events import Event, Outcome
from folkmoot.core.keys import GAME, OFFICES, ROSTER, boxes_key, sealed_key, sealed_keys
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Arguments, Confided, Effect, ScriptRecord
from folkmoot.core.rule_blocks import ArgumentSpec, RegisterSpec
from folkmoot.core.sealed_data import (
    AUTHOR,
    DEPENDS,
    OFFICE,
    filled,
    holds_box,
    holds_sealed,
    numbers_in,
    read_box,
    readers_of,
    with_contents,
)
from folkmoot.core.values import SEALED, flaw_of, sealed_number, size, told
from folkmoot.kernel import roster
from folkmoot.kernel.chance import Specification
from folkmoot.kernel.documents import is_archived
from folkmoot.kernel.errors import Fault, Overrun, PlayEnds, Refusal
from folkmoot.kernel.play import RUNNING, Frame, Play, note_running
from folkmoot.kernel.roster import is_player, the_player
from folkmoot.kernel.sealed_data.vaults import (
    DETAIL,
    LARGEST_CONTENT,
    Accepted,
    Computation,
    Content,
    KeptVault,
    OwnOpening,
    Unreadable,
    Vault,
    Wanted,
    content_of,
    flaw_of_size,
)
from folkmoot.language.binding import ScriptError
from folkmoot.sealing.public_keys import is_private, read_public

COUNTER, SEEDS = "sealed", "sealed draws"


def vault_of(play: Play) -> Vault:
    """Return the vault of the event, which is opened when something of it is first asked."""
    if play.vault is None:
        play.vault = (play.open_vault or Vault)()
    found: Vault = play.vault
    return found


# -- the values


def known_value(play: Play, number: int) -> SealedValue | None:
    """Return what is known of a sealed value, None where there is none of this number."""
    return (play.documents.get(sealed_key(number)) or {}).get(str(number))


def find(play: Play, number: int) -> SealedValue:
    """Return what is known of a sealed value; raises Fault where there is none of this number."""
    found = known_value(play, number)
    if found is None:
        raise Fault(f"there is no sealed value {number}", "E-NO-SUCH")
    return found


def assign(play: Play, number: int, value: SealedValue) -> None:
    """Keep what is known of a sealed value."""
    play.documents.assign(sealed_key(number), play.documents[sealed_key(number)], str(number), value)


def _next(play: Play, counter: str) -> int:
    counters = play.documents[GAME]["counters"]
    number = int(counters.get(counter, 0)) + 1
    play.documents.assign(GAME, counters, counter, number)
    return number


def is_own(known: SealedValue) -> bool:
    """Whether the author of a sealed value alone can open it."""
    return "own" in known


def look_into(play: Play, number: int) -> SealedValue:
    """Return what is known of a sealed value that a rule looks into; raises Fault where its author alone can."""
    known = find(play, number)
    if "ballot" in known and "opened" not in known:
        raise Fault("this is a ballot, which is opened at the count and not before", "E-SEALED")
    if is_own(known) and "opened" not in known:
        raise Fault(f"what {known.get('by')} sealed here is opened by nobody else; see is_open()", "E-SEALED")
    return known


def keep(play: Play, readers: list[str], contents: Iterable[Computation], draws: Iterable[int] = ()) -> list[Arguments]:
    """Keep new contents for the same readers, resting on the same sealed draws; returns what stands for each."""
    made = []
    for compute in contents:
        number = _next(play, COUNTER)
        vault_of(play).rests_on.pop(number, None)  # what was undone in this event had the number before
        place = len(vault_of(play).records)
        try:
            commitment = vault_of(play).keep(number, compute)
        except Unreadable:
            raise Refusal("E-SEALED", DEPENDS) from None
        value: SealedValue = {"readers": readers, "commitment": commitment, "seq": play.seq, "place": place}
        resting = vault_of(play).rest(list(draws))
        assign(play, number, {**value, "draws": resting} if resting else value)
        made.append({SEALED: number})
    if made:
        first = int(made[0][SEALED])
        play.effect("seal", of=str(first), to=readers, count=len(made) if len(made) > 1 else None)
    return made


def draws_under(play: Play, numbers: Iterable[int]) -> list[int]:
    """Return on which sealed draws rests what is made of some sealed values; what is open tells nothing new."""
    found = (find(play, number) for number in numbers)
    return sorted({draw for known in found if "opened" not in known for draw in known.get("draws") or ()})


def add_readers(play: Play, value: Any, readers: list[str]) -> None:
    """Add readers to the sealed values in a value, but none to ballots and to what its author opens."""
    for number in numbers_in(value):
        known = find(play, number)
        new = [reader for reader in readers if reader not in known["readers"]]
        if new and "opened" not in known and not is_own(known) and "ballot" not in known:
            assign(play, number, {**known, "readers": [*known["readers"], *new]})
            play.effect("disclose", of=str(number), to=new)


def closed_values(play: Play) -> list[tuple[int, SealedValue]]:
    """Return all sealed values that nobody opened, by number; those that their author alone can open among them."""
    last = int(play.documents[GAME]["counters"].get(COUNTER, 0))
    blocks = (play.documents.get(key) or {} for key in sealed_keys(last))
    return [(int(number), known) for block in blocks for number, known in block.items() if "opened" not in known]


def kept_values(play: Play) -> list[tuple[int, SealedValue]]:
    """Return all sealed values that the keeper has and nobody opened, by number."""
    return [(number, known) for number, known in closed_values(play) if not is_own(known)]


# -- opening


def reveal(play: Play, value: Any) -> Any:
    """Open a sealed value to everybody, or each in a list; returns what was sealed."""
    play.writing("reveal")
    return with_contents(value, lambda number: open_to_all(play, number, look_into(play, number)))


def declassify(play: Play, value: Any, why: Any) -> Any:
    """Open what a sealed function answered, so that the game goes on by it, and say why."""
    play.writing("declassify")
    number = sealed_number(value)
    if number is None:
        raise Fault("declassify() takes what is sealed; this is open already", "E-ARGS")
    if not isinstance(why, str) or not why.strip():
        raise Fault("say why this becomes public: declassify(value, why)", "E-ARGS")
    return open_to_all(play, number, look_into(play, number), why)


def open_to_all(play: Play, number: int, known: SealedValue, why: str | None = None) -> Any:
    """Open what is `known` as a sealed value, and return what was sealed."""
    if "opened" in known:
        return known["opened"]
    vault = vault_of(play)
    try:
        value = vault.open(number)
    except Unreadable:
        raise Refusal("E-SEALED", DEPENDS) from None
    assign(play, number, {**known, "opened": value})
    play.effect("unseal", of=str(number), to=value, why=why)
    return value


def shown(play: Play, value: Any) -> Any:
    """Return a value with what was opened in the place of what stood for it."""
    return with_contents(value, lambda number: find(play, number).get("opened", {SEALED: number}))


def seen_by(play: Play, value: Any, viewer: str | None) -> Any:
    """Return a value as a player sees it (None: whoever sees everything), with "sealed" for what they cannot read."""

    def seen(number: int) -> Any:
        known = find(play, number)
        if "opened" in known:
            return known["opened"]
        content = play.contents(number) if viewer is None or _reads(play, known, viewer) else None
        return "sealed" if content is None else seen_by(play, content.value, viewer)

    return with_contents(value, seen)


def may_read(play: Play, numbers: Iterable[int], viewer: str) -> bool:
    """Whether a player reads all of some sealed values as they stand now; what was opened everybody reads."""
    found = (known_value(play, number) for number in numbers)
    return all(known is not None and ("opened" in known or _reads(play, known, viewer)) for known in found)


def _reads(play: Play, known: SealedValue, viewer: str) -> bool:
    """Whether a player reads a sealed value: by name, as the holder of an office, or because they sealed it."""
    offices = play.documents.get(OFFICES) or {}
    held = [f"{OFFICE}{office}" for office, values in offices.items() if values.get("holder") == viewer]
    return known.get("by") == viewer or not set(known["readers"]).isdisjoint([viewer, *held])


# -- drawing


def draw(play: Play, items: list[Any], label: str, *, order: bool) -> list[Arguments]:
    """Draw one of some items that nobody sees, or an `order` of them; returns what stands for the first and so on."""
    if not (items or order):
        raise Fault("there is nothing to draw from", "E-BOUNDS")
    count = len(items) if order else 1
    specification = Specification("permutation", 0, count) if order else Specification("integer", 0, len(items) - 1)
    for item in items:
        _require_small(item)
    seed, used = _next(play, SEEDS), {each.get("seed") for each in vault_of(play).records}
    while seed in used:
        seed = _next(play, SEEDS)
    drawn = vault_of(play).draw(seed, specification, label)

    def item_at(place: int) -> Content:
        if drawn is None:
            raise Unreadable(place)
        return Content(items[drawn[place] if isinstance(drawn, list) else drawn])

    contents = [partial(item_at, place) for place in range(count)]
    return keep(play, [], contents, [*draws_under(play, numbers_in(items)), seed])


def _require_small(value: Any) -> None:
    if flaw := flaw_of_size(value):
        raise Fault(f"what is to be sealed holds {flaw}", "E-BOUNDS")


# -- registers


def fit(play: Play, declared: RegisterSpec, owner: str | None, value: Any) -> Any:
    """Return what a sealed register keeps of a value: what is open becomes sealed, and its readers read it."""
    readers = readers_of(declared, owner)
    if not holds_sealed(value) and value not in ([], {}):
        _require_small(value)
        return keep(play, readers, [lambda: Content(value)])[0]
    add_readers(play, value, readers)
    return value


# -- arguments


def take_argument(play: Play, do: str, wanted: Wanted, spec: ArgumentSpec, given: Any, accepted: Accepted) -> Arguments:
    """Take in an argument that somebody sealed; raises Refusal for one in clear, or no box that opens."""
    name, box = wanted.argument, read_box(given)
    if box is None:
        raise Refusal("E-SEALED", f"{name} must be sealed: what is said in clear counts for nothing")
    own, commitment = spec.get("sealed") == AUTHOR, box["commitment"]
    entry = play.documents[boxes_key(commitment)].get(f"{commitment} {play.actor}" if own else commitment)
    if entry is not None:
        came = f"has come before, in entry {entry}"
        if not own:
            vault_of(play).note(f"{name}: this {came}, and counts once; seal it anew to do it again")
        raise Refusal("E-DUP", f"what is sealed as {name} {came}")
    number, place = _next(play, COUNTER), len(vault_of(play).records)
    known: SealedValue = {
        "readers": [] if own else readers_of(spec, play.actor), "commitment": commitment, "seq": play.seq,
        "place": place, "by": play.actor,
    }  # fmt: skip
    if own:
        vault_of(play).take(number, box)
        return _take(play, number, {**known, "own": {"act": do, "argument": name}})
    vault_of(play).accept(number, box, wanted, accepted)
    vault_of(play).rests_on[number] = frozenset()
    return _take(play, number, {**known, "ballot": wanted.target} if wanted.target else known)


def _take(play: Play, number: int, known: SealedValue) -> Arguments:
    """Keep what somebody sealed, and that it came; returns what stands for it."""
    key, name = boxes_key(known["commitment"]), known["commitment"]
    play.documents.assign(key, play.documents[key], f"{name} {known['by']}" if is_own(known) else name, play.seq)
    assign(play, number, known)
    play.effect("seal", of=str(number), to=known["readers"], by=known["by"])
    return {SEALED: number}


def taken_in(play: Play, args: Mapping[str, Any]) -> list[SealedValue]:
    """Return what was taken in of the sealed arguments of an act, in the order in which it came."""
    return [known for number in sorted(numbers_in(dict(args))) if (known := find(play, number))["seq"] == play.seq]


def take_in_again(play: Play, taken: list[SealedValue]) -> None:
    """Keep what was taken in of an act that waits, though nothing else of the act stands: a box is taken in once."""
    for known in taken:
        _take(play, _next(play, COUNTER), known)


# -- letting somebody more read: players, and whoever holds an office


def disclose(play: Play, value: Any, to: Any) -> None:
    """Let somebody more read a sealed value, or each in a list: players, or offices as `office/scribe`."""
    play.writing("disclose what is sealed")
    readers = [str(each) for each in (to if isinstance(to, list) else [to])]
    for reader in readers:
        office = reader.removeprefix(OFFICE) if reader.startswith(OFFICE) else ""
        if not is_player(play, reader) and office not in (play.documents.get(OFFICES) or {}):
            raise Fault(f"{told(reader)} is no player and no office to disclose anything to", "E-NO-SUCH")
        declared = play.law.declared("defines.offices", play.view).get(office)
        if declared is not None and declared[1].get("fill") == "by_rule":
            raise Fault(f"who holds {reader} the rules say anew each time; disclose it to whoever that is", "E-ARGS")
    add_readers(play, value, readers)


# -- sealed functions


TICKS = 2_000  # of the interpreter, whatever the rest of the event has spent
LONGEST_ERROR = 500
LONGEST_ANSWER = 200
MUTE = ("a sealed function computes with what it is given, and asks nothing of the engine", "E-SEALED")
CALL_COST = 20
"""Host calls that a sealed function counts as, whatever it does: what it costs must not tell what it saw."""


def compute(play: Play, function: Any, arguments: list[Any]) -> Arguments:
    """Have a sealed function of the rule that runs look into values; returns what stands for its answer."""
    frame = play.writing("compute with what is sealed")
    if frame is None or not isinstance(function, str):
        raise Fault("say by its name which function is to look into what is sealed", "E-ARGS")
    rule = _declaring(play, frame, function)
    play.budget.spend("host calls", CALL_COST)
    numbers = list(dict.fromkeys(numbers_in(arguments)))
    for number in numbers:
        look_into(play, number)
    rests_on = _rests_on(play, numbers)

    def answer() -> Content:
        content = _answer_of(play, frame, function, _plain(play, arguments))
        given = canonical_bytes(content.value).decode()
        short = given if len(given) <= LONGEST_ANSWER else f"{given[:LONGEST_ANSWER]}…"
        came = f"failed: {content.error}" if content.error else f"gave {short}"
        vault_of(play).note(f"{function} of rule {rule} {came}", rests_on)
        return content

    first, *others = [found["readers"] for each in numbers if "opened" not in (found := find(play, each))] or [[]]
    readers = [reader for reader in first if all(reader in known for known in others)]
    made = keep(play, readers, [answer], draws_under(play, numbers))[0]
    vault_of(play).rests_on[int(made[SEALED])] = rests_on
    return made


def _rests_on(play: Play, numbers: list[int]) -> frozenset[int] | None:
    """Return on which values from before this event some values rest; None where on one that nobody may read."""
    found: set[int] = set()
    for number in numbers:
        new = find(play, number)["seq"] == play.seq
        rest = vault_of(play).rests_on.get(number) if new else {number}
        if rest is None:
            return None
        found |= rest
    return frozenset(found)


def _plain(play: Play, value: Any) -> Any:
    """Return a value with contents in the place of what stands for them; raises Unreadable."""

    def content(number: int) -> Any:
        known = find(play, number)
        return known["opened"] if "opened" in known else vault_of(play).look(number).value

    return with_contents(value, content)


def _declaring(play: Play, frame: Frame, function: str) -> str:
    """Return the number of the rule that runs; raises Fault unless it declares a function as sealed, and has it."""
    version = play.law.in_force(play.view).get(frame.uid)
    if version is None or function not in (version[0].get("sealed") or {}):
        raise Fault(f"this rule declares no sealed function {function}; name it under `sealed:`", "E-NO-SUCH")
    if frame.program is None or function not in frame.program.names:
        raise Fault(f"this rule's script has no function {function}", "E-NO-SUCH")
    return version[0]["rule"]


def _answer_of(play: Play, frame: Frame, function: str, arguments: list[Any]) -> Content:
    """Return what a sealed function answers, or nothing and why it failed; whatever it does, it costs the same."""
    assert frame.program is not None
    fuel = iter(range(TICKS))
    play.frames.append(Frame(frame.uid, function, "a sealed function", frame.program, MUTE))
    note_running(play, frame.uid, f"sealed {function}")
    RUNNING.plays.append(play)
    try:
        return content_of(frame.program.call(function, arguments, lambda: next(fuel, None) is None))
    except (ScriptError, Fault, Refusal, Overrun, PlayEnds) as error:
        cause, line = play.stashed or error, error.line if isinstance(error, ScriptError) else 0
        why = f"{f'line {line}: ' if line else ''}{getattr(cause, 'message', cause)}"
        return Content(None, error=why[:LONGEST_ERROR])
    finally:
        play.stashed = None
        RUNNING.plays.pop()
        play.frames.pop()
        note_running(play, frame.uid, frame.hook)


# -- acts about sealed data: keys, seeds of draws, opening what is one's own; and who may read what after an event


ROOT = re.compile(r"[0-9a-f]{64}", re.ASCII)
STEPS = 12
"""How many digests prove that a seed is one of those that the keeper committed to."""
Flaw = Callable[[Play, str, ArgumentSpec, Any], str]
WAIT = 86_400
"""Seconds for which everybody sees that a key is to be replaced, before an administrator may confirm it."""


def open_sealing(play: Play, action: ScriptRecord) -> None:
    """Name the key of the keeper, to which players seal, and what commits to the seeds of sealed draws."""
    args, game = action["args"], play.documents[GAME]
    if _key(args["key"] or "")[0] != "age":
        raise Refusal("E-RECIPIENT", "the keeper's key is native to age: age1…; `moot key --keeper` makes one")
    if not ROOT.fullmatch(args["seeds"] or ""):
        raise Refusal("E-ARGS", "what commits to the seeds has 64 hexadecimal digits; `moot key --keeper` says it")
    known: list[KeeperKey] = list(game.get("sealing") or ())
    if any(args["key"] == each["key"] or args["seeds"] == each["seeds"] for each in known):
        raise Refusal("E-DUP", "this key was the keeper's before; make a new one")
    if known:
        vault_of(play).take_key()
    drawn = int(game["counters"].get("sealed draws", 0))
    opened: KeeperKey = {
        "number": len(known) + 1, "key": args["key"], "seeds": args["seeds"], "since": play.now, "after": drawn,
    }  # fmt: skip
    play.documents.assign(GAME, game, "sealing", [*known, opened])
    play.effect("sealing", of=str(opened["number"]), to=opened["key"], commitment=opened["seeds"])
    for number, value in kept_values(play):
        assign(play, number, {**value, "held": play.seq})  # the keeper's box of it is in this entry from now on


def open_seed(play: Play, action: ScriptRecord) -> None:
    """Open the seed of a sealed draw: while what rests on it is closed, only for an administrator who insists."""
    args, game = action["args"], play.documents[GAME]
    if not 1 <= args["draw"] <= int(game["counters"].get("sealed draws", 0)):
        raise Refusal("E-NO-SUCH", f"there is no sealed draw {args['draw']}")
    closed = list(dict.fromkeys(_still_closed(play, args["draw"])))
    if closed and not args["insist"]:
        more = f", and {len(closed) - MOST_NAMED} more" if len(closed) > MOST_NAMED else ""
        told = f"sealed draw {args['draw']} dealt what is still closed ({', '.join(closed[:MOST_NAMED])}{more})"
        raise Refusal("E-SEALED", f"{told}; `insist=true` has everybody see it all the same")
    digests = [args["seed"], *(args["proof"] or ())]
    if len(digests) != STEPS + 1 or not all(isinstance(each, str) and ROOT.fullmatch(each) for each in digests):
        raise Refusal("E-ARGS", "a seed and the twelve digests of its proof have 64 hexadecimal digits each")
    play.effect("seed", of=str(args["draw"]), secret=args["seed"])


def use_sealing_key(play: Play, action: ScriptRecord) -> None:
    """Let a player name the key to which what they may read is sealed; one that replaces another waits."""
    player, key = the_player(play, action["by"]), _key(action["args"]["key"])[1]
    known = play.documents[ROSTER][player].get("sealing")
    if known is None:
        _use(play, player, key)
    elif known["key"] == key:
        raise Refusal("E-DUP", "this is your key already")
    else:
        asked: ReaderKey = {**known, "asked": {"key": key, "since": play.now}}
        roster.put(play, player, "sealing", asked)
        play.effect("sealing_asked", of=player, to=key, due=play.now + WAIT)


def confirm_sealing_key(play: Play, action: ScriptRecord) -> None:
    """Let an administrator confirm that a player has another key, when everybody could see it for a day."""
    player = the_player(play, action["args"]["player"])
    named = play.documents[ROSTER][player].get("sealing")
    asked = named.get("asked") if named is not None else None
    if asked is None:
        raise Refusal("E-NO-SUCH", f"{player} has not asked for another key")
    if play.now < asked["since"] + WAIT:
        time = write_stamp(asked["since"] + WAIT)
        raise Refusal("E-TIME", f"this can be confirmed from {time} on: until then all see it")
    _use(play, player, asked["key"])


def _use(play: Play, player: str, key: str) -> None:
    roster.put(play, player, "sealing", {"key": key, "since": play.now})
    play.effect("sealing", of=player, to=key)


def _key(given: str) -> tuple[str, str]:
    if is_private(given):
        why = "this is a PRIVATE key, and everybody can read it here: make another, use it no more"
        raise Refusal("E-RECIPIENT", why)
    try:
        return read_public(given)
    except ProblemError as error:
        raise Refusal("E-RECIPIENT", error.problems[0].message) from None


def open_sealed(play: Play, action: ScriptRecord, flaw_of_argument: Flaw) -> None:
    """Let somebody open what they sealed to themselves: content and salt have to give what they committed to."""
    args, by = action["args"], action["by"]
    number = args["number"]
    known = known_value(play, number) if number > 0 else None
    if known is None or not is_own(known) or known.get("by") != by:
        raise Refusal("E-NO-SUCH", f"{number} is nothing that you sealed and open yourself")
    if "opened" in known:
        raise Refusal("E-DUP", f"what you sealed as {number} is open already")
    own = known["own"]
    bound = {"author": str(by), **own, "nonce": args["nonce"]}
    opening = OwnOpening(args["value"], args["salt"], bound, known["commitment"])
    value = vault_of(play).open_own(number, opening, partial(_flaw, play, own, flaw_of_argument))
    assign(play, number, {**known, "opened": value})
    play.effect("unseal", of=str(number), to=value)
    play.emit("unsealed", {"player": by, "action": own["act"], "argument": own["argument"], "value": value})


def _flaw(play: Play, own: dict[str, str], flaw_of_argument: Flaw, value: Any) -> str:
    """Return why a value cannot be what was asked for when it was sealed, as the law declares that now."""
    if flaw_of(value) or size(value) > LARGEST_CONTENT:
        return "it cannot be kept"
    declared = play.law.declared("actions").get(own["act"])
    specs: dict[str, ArgumentSpec] = (declared[1].get("arguments") or {}) if declared else {}
    spec = specs.get(own["argument"])
    return flaw_of_argument(play, own["argument"], spec, value) if spec is not None else ""


# -- when the seed of a sealed draw may be opened


MOST_NAMED = 3


def _still_closed(play: Play, draw: int) -> Iterator[str]:
    """Yield where something is kept that rests on a sealed draw and is closed: then the seed tells what it is."""
    resting = {number for number, known in kept_values(play) if draw in (known.get("draws") or ())}
    for owner, values in _owners(play) if resting else ():
        parts = values.items() if isinstance(values, dict) else [("what is kept", values)]
        yield from (f"{name} of {owner}" for name, value in parts if resting & {*numbers_in(value)})


def _owners(play: Play) -> Iterator[tuple[str, Any]]:
    """Yield who or what keeps values, with these; of proposals and motions those that are open."""
    for key in play.documents.keys("things/"):
        yield from (play.documents.find(key) or {}).items()
    for key in (*play.documents.keys("proposals/"), *play.documents.keys("votes/")):
        proposal = play.documents.find(key) or {}
        if not is_archived(key, proposal):
            yield str(proposal["id"]), proposal["registers"]


# -- what an event leaves: what its author is told, and who may read which contents from now on


def conclude(play: Play, event: Event, outcome: Outcome) -> None:
    """Note what was asked of what is sealed, and what boxes are to be made of it."""
    vault = vault_of(play)
    if not outcome.accepted:
        tell_detail(play, event)
    outcome.sealed = vault.records
    if isinstance(vault, KeptVault) and (vault.records or play.effects):
        outcome.confided = [*_confided_values(play, vault)]
        if vault.detail is not None and event.by is not None:  # it goes to the keeper where its author named no key
            named = "sealing" in play.documents[ROSTER][event.by]
            to = [event.by] if named else []
            outcome.confided.append(_confided(vault.detail, [play.seq, DETAIL], to, keeper=not named))


GRANTING = frozenset(["seal", "disclose", "put", "sealing"])  # effects by which somebody may read more than before


def _confided_values(play: Play, vault: KeptVault) -> Iterator[Confided]:
    """Yield the contents that somebody may read from now on who could not before, each with who that is."""
    granted: dict[int, set[str]] = {}
    for effect in play.effects:
        for number, reader in _granted(play, effect) if effect["effect"] in GRANTING else ():
            granted.setdefault(number, set()).add(reader)
    for number in sorted({*granted, *_made(play, vault)}):
        known = known_value(play, number)
        if known is None or "opened" in known or is_own(known):
            continue
        readers = {_holder(play, reader) for reader in granted.get(number, ())} - {None}
        is_new = number in vault.made and known["seq"] == play.seq and not known.get("by")
        keeper = is_new or known.get("held") == play.seq
        if readers or keeper:
            place: list[int | str] = [known["seq"], known["place"]]
            yield _confided(vault.look(number), place, sorted(map(str, readers)), keeper=keeper, number=number)


def _confided(content: Content, place: list[int | str], to: list[str], *, keeper: bool, number: int = 0) -> Confided:
    return {
        "number": number, "value": content.value, "salt": content.salt, "error": content.error,
        "context": content.context, "place": place, "to": to, "keeper": keeper,
    }  # fmt: skip


def _made(play: Play, vault: KeptVault) -> list[int]:
    """Return the numbers of values that rules made in this event and that stand, or that the keeper has anew."""
    new = [number for number in vault.made if (known := known_value(play, number)) and known["seq"] == play.seq]
    anew = any(effect["effect"] == "sealing" and "commitment" in effect for effect in play.effects)
    return [*new, *(number for number, _ in kept_values(play))] if anew else new


def _granted(play: Play, effect: Effect) -> Iterator[tuple[int, str]]:
    """Yield which values whom an effect lets read: by name, or as the holder of an office."""
    kind, of = effect["effect"], str(effect.get("of"))
    if kind == "seal":
        for number in range(int(of), int(of) + effect.get("count", 1)):
            readers = (*(effect.get("to") or ()), *_authors(known_value(play, number)))
            yield from ((number, reader) for reader in readers)
    elif kind == "disclose":
        yield from ((int(of), reader) for reader in effect.get("to") or ())
    elif kind == "put" and of.startswith(OFFICE) and effect.get("name") == "holder":
        yield from ((number, of) for number, known in kept_values(play) if of in known["readers"])
    elif kind == "sealing" and of in play.documents[ROSTER]:
        for number, known in kept_values(play):
            if of in (*_authors(known), *(_holder(play, reader) for reader in known["readers"])):
                yield number, of


def _authors(known: SealedValue | None) -> list[str]:
    """Return who sealed a value and reads it therefore; nobody keeps a ballot in the record to show it."""
    author = known.get("by") if known is not None and "ballot" not in known else None
    return [author] if author else []


def _holder(play: Play, reader: str) -> str | None:
    """Return who reads for a reader: themselves, or who holds the office."""
    if not reader.startswith(OFFICE):
        return reader
    holder = ((play.documents.get(OFFICES) or {}).get(reader[len(OFFICE) :]) or {}).get("holder")
    return str(holder) if holder is not None else None


DETAIL_BYTES = 832
"""How long a detail is in a box, quotation marks included, whatever it says: with all around it 1,024 bytes."""


def tell_detail(play: Play, event: Event) -> None:
    """Tell the author of a refused act in secret what it was refused for, as far as that rests on what they read."""
    vault, author = vault_of(play), str(event.by)
    met = any("refused" not in each for each in vault.records) or holds_box(event.with_)
    if met and event.by in (play.documents.get(ROSTER) or {}):
        told = (text for text, rests in vault.notes if rests is not None and may_read(play, rests, author))
        vault.tell(filled("\n".join(dict.fromkeys(told)), DETAIL_BYTES))
