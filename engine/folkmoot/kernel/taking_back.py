"""Taking acts back: what an act changed becomes what it was, as far as nothing else has changed it since.

What may be taken back is kept apart from the journal (`acts/…`), an act for itself, so that it costs what the act had
changed and not the age of the game; and only while a rule in force takes acts back, so that no other game pays for it.
What was done stays in the record as it was done, and so does what is done against it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from folkmoot.core.keys import acts_key
from folkmoot.core.records import Effect, KeptAct, ScriptRecord
from folkmoot.core.values import LARGEST_DOCUMENT, size, told
from folkmoot.kernel.answers import check_deed, flaw_of_words
from folkmoot.kernel.documents import Documents
from folkmoot.kernel.errors import Fault, Overrun, Refusal
from folkmoot.kernel.play import Play
from folkmoot.kernel.script_records import record
from folkmoot.language.declarations import host

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
    together = together if isinstance(together, list) else [together]
    for names in [*together, apart]:
        if flaw := flaw_of_words(names):
            raise Fault(f"what is taken back together or apart are names in lists: {flaw}", "E-ARGS")
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
    effects = act["effects"]
    left_alone = [each["effect"] == "award" and each["name"] in apart for each in effects]
    aside = [place for place, is_apart in enumerate(left_alone) if is_apart and place not in act["taken"]]
    units = list(_units(act, together, left_alone))
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


def _units(act: KeptAct, together: list[list[str]], left_alone: list[bool]) -> Iterator[list[int]]:
    """Yield the places of what is taken back together, the last first: groups, both sides of transfers, all else.

    `together` are the groups, each of names of registers; what is `left_alone` is in none but those.
    """
    effects, place, taken = act["effects"], len(act["effects"]) - 1, set(act["taken"])
    sets = [frozenset(names) for names in together]
    groups = [next((names for names in sets if each.get("name") in names), None) for each in effects]
    grouped: dict[frozenset[str], list[int]] = {}
    for at in range(place, -1, -1):
        group = groups[at]
        if group is not None and at not in taken:
            grouped.setdefault(group, []).append(at)
    while place >= 0:
        pair = place > 0 and all(effects[at].get("kind") == "given" for at in (place - 1, place))
        places = [place, place - 1] if pair else [place]
        group = groups[place]
        if group is not None:
            places = [place]
            if grouped.get(group, [-1])[0] == place:
                yield grouped[group]
        elif place not in taken and not left_alone[place]:
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
