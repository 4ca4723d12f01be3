"""Effects as sentences with links: one set of words for the site, the terminal and pull requests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import cast

from folkmoot.core.documents import Document
from folkmoot.core.game_location import played_at
from folkmoot.core.keys import forge_home, forge_kind, sealed_key
from folkmoot.core.limits import LIMITS
from folkmoot.core.records import Effect, Entry, PlayedAt
from folkmoot.core.values import SEALED
from folkmoot.kernel.names import shown_login
from folkmoot.wording.catalogue import hidden, keys, quoted, say
from folkmoot.wording.markup import Html, join
from folkmoot.wording.page_links import Here, humane, of_amount
from folkmoot.wording.prose import phrase

_PREPOSITIONS = frozenset("at by for from in of on to with".split())
_NOT_SHOWN = frozenset({"effect", "rule"})
QUIET = frozenset({"settle", "resolve", "event", "timer", "cancel", "hold", "release"})
FIRST = ("win", "enact", "amend", "repeal", "transmute", "retitle", "renumber", "award")
TRIED = cast(Entry, {})
"""What stands for the entry of what was only tried."""
ON_DICE = "{} (depends on dice: in {} of {} tries)"
MOST = 200  # sentences about what was tried
_VALUE_OF = {"create": "kind", "destroy": "kind", "notify": "to", "succession": "to"}
Chosen = tuple[str, Document]
"""The key of a sentence, and fields for it beside those of the effect."""


def effect(here: Here, entry: Entry, what: Effect) -> Html:
    """Return what one effect of an entry changed, with the rule behind it."""
    said, rule = changed(here, entry, what), ruled_by(what)
    return say(here, "by a rule", {"said": said, "rule": rule}) if rule else said


def ruled_by(what: Effect) -> str:
    """Return the rule that has to be named beside an effect; an announcement begins with whose it is."""
    return "" if what.get("effect") == "announce" else str(what.get("rule") or "")


def changed(here: Here, entry: Entry, what: Effect) -> Html:
    """Return what one effect of an entry changed."""
    for choose in (_of_register, _of_vote, _of_seal_or_duty, _of_administration):
        if (chosen := choose(here, entry, what)) is not None:
            key, more = chosen
            return say(here, key, {**what, **more})
    kind = str(what.get("effect") or "")
    for key in (f"effect {kind} {what.get(_VALUE_OF.get(kind, ''))}", f"effect {kind}"):
        if key in keys():
            return say(here, key, what)
    shown = (join([humane(name), " ", here.value(value)]) for name, value in what.items() if name not in _NOT_SHOWN)
    return say(here, "effect", {**what, "fields": join(shown, ", ")})


def sentences(here: Here, changed: Iterable[Effect]) -> list[Html]:
    """Return what effects changed, a sentence each: winning first, then the law, then points, then the rest."""
    kept = [each for each in changed if each["effect"] not in QUIET and not here.view.is_bookkeeping(dict(each))]
    kept.sort(key=lambda effect: FIRST.index(effect["effect"]) if effect["effect"] in FIRST else len(FIRST))
    return [effect(here, TRIED, each) for each in kept[:MOST]]


def tried(
    tell: Callable[[Sequence[Effect]], list[Html]], changed: Sequence[Effect], trials: Sequence[Sequence[Effect]]
) -> list[Html]:
    """Return what is to `tell` of effects; of what dice decide over, with how often that came of tries."""
    if not trials:
        return tell(changed)
    tales = [tell(trial) for trial in trials]
    times = Counter(said for tale in tales for said in dict.fromkeys(tale))
    certain = [said for said in tales[0] if times[said] == len(tales)]
    hanging = [Html(ON_DICE.format(said, n, len(tales))) for said, n in times.items() if n < len(tales)]
    return [*certain, *hanging][:MOST]


def changes(entry: Entry) -> list[Effect]:
    """Return what an entry changed: its effects without the events by which rules told each other of it."""
    return [each for each in entry.get("effects") or () if each.get("effect") != "event"]


def events(here: Here, entry: Entry) -> Html:
    """Return the events that each rule raised in an entry, each once, as one sentence; nothing where there was none."""
    raised: dict[str | None, dict[Html, None]] = {}
    for each in entry.get("effects") or ():
        if each.get("effect") == "event":
            raised.setdefault(each.get("rule"), {})[quoted(here, humane(each.get("name")))] = None
    by_rule = (say(here, "raised", {"rule": rule, "names": join(names, ", ")}) for rule, names in raised.items())
    return join(by_rule, "; ")


# -- effects whose sentence is chosen by more than one field, or needs what they do not say themselves


def _of_register(here: Here, _entry: Entry, what: Effect) -> Chosen | None:
    whole = what.get("of") in (None, "game")
    if what.get("name") == "email" and ("from" in what or "to" in what):  # addresses stay off the site
        return "effect put address", {"register": _register(here, what)}
    match what.get("effect"):
        case "put":
            return _put(here, what)
        case "append":
            return "effect append", {"register": say(here, "register" if whole else "register of", what)}
        case "correct":
            return "effect correct", {"change": say(here, "register of", what)}
        case "award":
            asked = what.get("asked")
            unit = of_amount(here.view, str(what.get("name")), what.get("applied"))
            return "effect award", {"unit": unit, "turned": None if asked == what.get("applied") else asked}
        case "renumber":
            return "effect renumber", {"former": here.rule(str(what.get("of")), say(here, "former number", what))}
    return None


def _put(here: Here, what: Effect) -> Chosen:
    register, before, after = _register(here, what), what.get("from"), what.get("to")
    if "key" in what:
        before, after = ({str(what["key"]): value} if value is not None else {} for value in (before, after))
    if isinstance(before, dict) and isinstance(after, dict) and ("key" in what or not {SEALED} & {*before, *after}):
        return "effect put differences", {"register": register, "differences": _differences(here, before, after)}
    kind = here.view.register_type(str(what.get("name")))
    before, after = (here.value([] if value == "" else value, kind) for value in (before, after))  # "" reads "empty"
    return "effect put", {"register": register, "before": before, "after": after}


def _register(here: Here, what: Effect) -> Html:
    """Return a register and whose it is; one whose name ends in a preposition takes no other behind it."""
    if what.get("of") in (None, "game"):
        return say(here, "register", what)
    open_end = humane(what.get("name")).rpartition(" ")[2] in _PREPOSITIONS
    return say(here, "register at" if open_end else "register of", what)


def _differences(here: Here, before: Document, after: Document) -> Html:
    """Return which parts of a map came, changed and went; the rest of it stays unsaid."""
    kept = {key: value for key, value in after.items() if key in before and before[key] != value}
    said = [say(here, "key turned", {"key": key, "from": before[key], "to": value}) for key, value in kept.items()]
    said += [say(here, "key came", {"key": key, "to": after[key]}) for key in after if key not in before]
    said += [say(here, "key went", {"key": key}) for key in before if key not in after]
    return join(said, ", ")


def _of_vote(here: Here, _entry: Entry, what: Effect) -> Chosen | None:
    uncounted = what.get("counts") is False
    match what.get("effect"):
        case "ballot" if "sealed" in what:
            return "effect ballot sealed", {}
        case "ballot" if not here.view.displays(str(what.get("of"))):
            return "effect ballot kept back", {"hidden": hidden()}
        case "ballot" if uncounted:
            return "effect ballot idle", {}
        case "strike" if uncounted:
            return "effect strike ballot", {}
        case "weigh":
            values = (what.get("values") or {}).items()
            weights = (join([here.player(voter), " ", here.value(weight)]) for voter, weight in values)
            return "effect weigh", {"weights": join(weights, ", ")}
        case "win":
            winners = list(what.get("players") or [str(what.get("of"))])
            more = {"winners": winners, "over": what.get("ends"), "more": "ends" in what and not what["ends"]}
            return "effect win" if len(winners) == 1 else "effect win together", more
    return None


def _of_seal_or_duty(here: Here, entry: Entry, what: Effect) -> Chosen | None:
    of = str(what.get("of"))
    match what.get("effect"):
        case "seal" | "disclose":  # nobody can read it where only the keeper can
            readers = join((here.owner(str(reader)) for reader in what.get("to") or ()), ", ")
            return f"effect {what['effect']}", {"readers": readers or say(here, "nobody yet", what)}
        case "unseal":  # with what commits to it, and where that stands
            known = (here.view.document(sealed_key(int(of))) or {}).get(of) or {} if of.isdecimal() else {}
            return "effect unseal", {"sealed": known.get("seq"), "commitment": known.get("commitment")}
        case "owe" if "players" in what:
            return "effect owe all", {}
        case "settle":
            return "effect settle", {"done": here.view.settled_as(int(entry.get("seq") or 0), of)}
    return None


def _of_administration(here: Here, _entry: Entry, what: Effect) -> Chosen | None:
    of, to, was = str(what.get("of")), what.get("to"), what.get("was")
    match what.get("effect"):
        case "engine":
            versions = to.items() if isinstance(to, dict) else [("engine", to)]
            return "effect engine", {"versions": join((phrase(f"{name} {each}") for name, each in versions), ", ")}
        case "identify" if not to:
            return "effect identify nobody", {}
        case "identify" | "apply":
            return f"effect {what['effect']}", {"login": shown_login(of, to, here.view.outlines)}
        case "forge":
            at: PlayedAt = {"forge": to}
            more = {"kind": forge_kind(at), "home": forge_home(at), "before": played_at({"forge": was})}
            return "effect forge moved" if "was" in what else "effect forge", more
        case "rehouse":
            places = {"pull": "pull request", "issue": "issue"}
            found = (f"{name} {was[key]}" for key, name in places.items() if was and was.get(key))
            return "effect rehouse", {"before": next(found, "in the game's thread")}
        case "maintain":
            return "effect maintain", {"names": ", ".join(map(str, to or ()))}
        case "limit":
            return "effect limit", {"amount": f"{to:,} {LIMITS[of].unit}" if of in LIMITS else str(to)}
    return None
