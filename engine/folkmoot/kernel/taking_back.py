"""Taking acts back: what an act changed becomes what it was, as far as nothing else has changed it since.

What may be taken back is kept apart from the journal (`acts/…`), an act for itself, so that it costs what the act had
changed and not the age of the game; and only while a rule in force takes acts back, so that no other game pays for it.
What was done stays in the record as it was done, and so does what is done against it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from folkmoot.core.keys import acts_key
from folkmoot.core.records import Effect, KeptAct, ScriptRecord
from folkmoot.core.values import LARGEST_DOCUMENT, size, told
from folkmoot.kernel.answers import flaw_of_words
from folkmoot.kernel.authority import check_deed
from folkmoot.kernel.documents import Documents
from folkmoot.kernel.errors import Fault, Overrun, Refusal
from folkmoot.kernel.play import Play
from folkmoot.kernel.script_records import record
from folkmoot.language.host_functions import host

NO_EFFECTS, BETWEEN = size([]), size([None]) - size([]) - size(None)  # characters of a list, and for each in it more
DEEPER = 3  # times as large, at most, as effects are by themselves, they are in the file of their act
MOST_REASONS = 100  # of what stays, in the record; the rule is told of all of it


def keep(play: Play) -> None:
    """Keep what an accepted act changed, and what acts that were released by it changed, each for itself.

    What a timer brought about by itself is nobody's act.
    """
    if not play.law.takes_back():
        return
    of: dict[int, int] = {}
    for released in play.released:
        of.update((place, released.entry) for place in range(released.start, released.end) if place not in of)
    found: dict[int, list[Effect]] = {}
    sizes: dict[int, int] = {}
    for place, effect in enumerate(play.effects):
        if play.host.effects.get(effect["effect"]):
            entry = of.get(place, play.seq)
            if play.ticking and entry == play.seq:
                continue
            found.setdefault(entry, []).append(effect)
            sizes[entry] = sizes.get(entry, NO_EFFECTS) + play.effect_sizes[place] + BETWEEN
    for entry, effects in found.items():
        _keep(play.documents, entry, play.seq, effects, sizes[entry])


def _keep(documents: Documents, entry: int, seq: int, effects: list[Effect], large: int) -> None:
    """Keep effects of an act, which are so large, with those that it had before.

    An act that waits can have some when it arrives.
    """
    key = acts_key(entry)
    before = documents.get(key)
    if before is not None:
        effects = [*before["effects"], *effects]
        large = size(effects)
    if large < LARGEST_DOCUMENT:
        act: KeptAct = {"seq": seq, "effects": effects, "taken": before["taken"] if before is not None else []}
        documents.assign(key, documents.all(), key, act, at_most=DEEPER * large)


class Wishes(Struct, frozen=True):
    """How a rule wants an act to be taken back.

    `together` holds groups of registers of which all that the act changed becomes what it was, or nothing; awards of
    the currencies `apart` are not taken back, and the rule is told of them.
    """

    together: tuple[frozenset[str], ...] = ()
    apart: frozenset[str] = frozenset()

    @classmethod
    def of(cls, together: Any, apart: Any) -> Wishes:
        """Return what a script wants; raises Fault E-ARGS where that is no lists of names."""
        groups = together if isinstance(together, list) else [together]
        for names in [*groups, apart]:
            flaw = flaw_of_words(names)
            if flaw:
                raise Fault(f"what is taken back together or apart are names in lists: {flaw}", "E-ARGS")
        return cls(tuple(map(frozenset, groups)), frozenset(apart))

    def keeps_apart(self, effect: Effect) -> bool:
        """Whether an effect is an award that the rule takes back itself."""
        return effect["effect"] == "award" and effect["name"] in self.apart

    def group_of(self, effect: Effect) -> frozenset[str] | None:
        """Return the group of registers to which an effect belongs."""
        return next((names for names in self.together if effect.get("name") in names), None)


@host(
    "flow",
    'take_back(act, why: str = "", together: list = [], apart: list = []) -> {whole, left, apart}',
    effects={"take_back": ""},
)
def take_back(play: Play, identifier: Any, why: str, together: Any, apart: Any) -> ScriptRecord:
    """Change back what an act changed, by its id; returns `whole`, and what is `left`: each with effect, of, name, why.

    Registers, awards, things, timers, duties, settings and changes of rules become what they were, each as a change of
    its own that others hear of. What was changed since stays, and so do players who came or left, votes and wins: to
    take back all or nothing, `require` that it is whole. `together` are lists of names of registers: all that the act
    changed of one list is taken back, or none of it. Awards of the currencies `apart` are left to you: the answer names
    them as `apart`, each with of, name, amount, why. What was done before a rule in force used this word is not
    kept (E-NO-SUCH), nor is what a timer brought about; what was taken back is not taken back again (E-DUP).

    | for act in held("clock"):
    |     take_back(act.id, "it was no real attempt")
    """
    play.writing("take acts back")
    wishes = Wishes.of(together, apart)
    key = acts_key(identifier if type(identifier) is int and 0 < identifier <= play.seq else 0)
    act = play.documents.get(key)
    if act is None:
        kept = "what was done before a rule in force took acts back is not kept, nor is what changed nothing"
        named = told(identifier)[:60]
        raise Refusal("E-NO-SUCH", f"there is no act {named} that could be taken back: {kept}", play.cite())
    if len(act["taken"]) == len(act["effects"]):
        raise Refusal("E-DUP", f"the act of entry {identifier} was taken back already", play.cite())
    check_deed(play, "take_back", str(identifier), "act", [effect.get("rule") for effect in act["effects"]])
    play.effect("take_back", of=str(identifier), why=why or None)
    units = list(_units(act, wishes))
    effects = act["effects"]
    aside = [place for place in range(len(effects)) if place not in act["taken"] and wishes.keeps_apart(effects[place])]
    taken = {*act["taken"], *aside, *(place for places in units for place in places)}
    _mark(play, key, act, taken)  # first, so that nobody who hears of a change takes the same back once more
    left, stayed = _undo_all(play, act, units)
    if stayed:
        _mark(play, key, act, taken - stayed)
    apart_ = [
        record({"of": each["of"], "name": each["name"], "amount": each["applied"], "why": each.get("why") or ""})
        for each in (effects[place] for place in aside)
    ]
    return record({"whole": not left, "left": left, "apart": apart_})


def _undo_all(play: Play, act: KeptAct, units: list[list[int]]) -> tuple[list[ScriptRecord], set[int]]:
    """Take effects back, unit by unit; returns what a rule is told of those that stay, and their places."""
    left: list[ScriptRecord] = []
    stayed: set[int] = set()
    for places in units:
        stays = _undo(play, [act["effects"][place] for place in places], act["seq"])
        if stays:
            stayed.update(places)
            first = act["effects"][places[-1]]
            known = {"effect": first["effect"], "of": first.get("of"), "name": first.get("name")}
            left.append(record({**known, "why": stays}))
            if len(left) <= MOST_REASONS:
                what = first.get("name") or first["effect"]
                play.reason("STAYS", play.cite(), of=first.get("of"), what=what, why=stays)
    return left, stayed


def _mark(play: Play, key: Any, act: KeptAct, taken: set[int]) -> None:
    marked: KeptAct = {**act, "taken": sorted(taken)}
    play.documents.assign(key, play.documents.all(), key, marked)


def _units(act: KeptAct, wishes: Wishes) -> Iterator[list[int]]:
    """Yield the places of what is taken back together, the last first: groups, both sides of transfers, all else."""
    effects, place, taken = act["effects"], len(act["effects"]) - 1, set(act["taken"])
    grouped: dict[frozenset[str], list[int]] = {}
    for at in range(place, -1, -1):
        group = wishes.group_of(effects[at])
        if group is not None and at not in taken:
            grouped.setdefault(group, []).append(at)
    while place >= 0:
        pair = place > 0 and all(effects[at].get("kind") == "given" for at in (place - 1, place))
        places = [place, place - 1] if pair else [place]
        group = wishes.group_of(effects[place])
        if group is not None:
            places = [place]
            if grouped.get(group, [-1])[0] == place:
                yield grouped[group]
        elif place not in taken and not wishes.keeps_apart(effects[place]):
            yield places
        place -= len(places)


def _undo(play: Play, effects: list[Effect], entry: int) -> str:
    """Take effects back, or none of them; returns why they stay, "" where they are taken back."""
    mark = play.mark()
    stays = ""
    try:
        for effect in effects:
            undo = play.host.effects[effect["effect"]]
            stays = stays or (undo if isinstance(undo, str) else undo(play, effect, entry))
    except Overrun:
        raise
    except (Fault, Refusal) as error:
        if play.is_within(error):
            raise
        stays = error.message if isinstance(error, Fault) else error.why
    if stays:
        play.rollback(mark)
    return stays
