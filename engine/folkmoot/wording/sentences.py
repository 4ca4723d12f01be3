"""Acts of the journal, what came of them, and why they were refused, as sentences with links.

They are one set of words for the site, the terminal and pull requests. Where the law has words for what somebody did
(`told` of an action), these stand there, else the action's summary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

from folkmoot.core.ballot_display import public_arguments, voted_on
from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.core.documents import Document
from folkmoot.core.game_location import played_at
from folkmoot.core.keys import forge_home, forge_kind, number_key, sealed_key
from folkmoot.core.limits import LIMITS
from folkmoot.core.records import Effect, Entry, PlayedAt, Reason
from folkmoot.core.told_patterns import Named, arguments_in, flaw, parts
from folkmoot.core.values import SEALED
from folkmoot.files.fast_reader import load_own
from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from folkmoot.kernel.names import shown_login
from folkmoot.wording.catalogue import hidden, keys, quoted, say
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, el, escape, join, shortened
from folkmoot.wording.page_links import Here, humane, in_sentence, of_amount
from folkmoot.wording.prose import phrase

GIST, LONGEST_SUMMARY = 90, 120
"""How many characters of a text, and of the summary of an action, stand in a sentence."""


def act(here: Here, entry: Entry) -> Html:
    """Return what somebody did as a sentence."""
    what, given, kept_back = str(entry.get("do") or ""), entry.get("with") or {}, here.view.keeps_back(entry)
    who = say(here, "actor", entry) if entry.get("by") else None
    fields = {**given, "who": who, "do": what, "as": entry.get("as"), "on": voted_on(entry), "hidden": hidden()}
    own = f"act {what}"
    if own not in keys() or (who and what in ("tick", "clock")):
        public = [value for value in public_arguments(entry).values() if isinstance(value, str)] if kept_back else []
        subject = ", ".join(public) if kept_back else given.get("title") or given.get("name")
        fields["subject"] = subject if isinstance(subject, str) else None
        own = "act"
        about = _telling(here, entry) if who else None
        said = _told(here, about, entry, kept_back=kept_back) if about else None
        if about and said is not None:
            words = quoted(here, said)
            return say(here, "act told", {**fields, "rule": about.rule, "words": words, "kept": kept_back})
        known = about.summary if about else str(KERNEL_DECLARATIONS.get(what, {}).get("summary") or "")
        summary = shortened(known.rstrip("."), LONGEST_SUMMARY)
        if who and summary:
            words = escape(in_sentence(summary))
            words, rule = (quoted(here, words), about.rule) if about else (words, "")
            return say(here, "act summary", {**fields, "rule": rule, "words": words, "kept": kept_back})
    if what == "tick" and (timer := _timer(here, str(given.get("timer") or ""))) is not None:
        rule, summary = timer
        return say(here, "act tick told", {"rule": rule, "words": quoted(here, escape(summary.rstrip(".")))})
    if what == "state":
        text = " ".join(str(given.get("text") or "").split())
        fields["text"] = text if len(text) <= GIST else text[:GIST] + "…"
    return say(here, own + " kept back" if kept_back and own in ("act", "act vote") else own, fields)


def _timer(here: Here, key: str) -> tuple[str, str] | None:
    """Return which rule declares the timer of a key, and as what; None where no rule, or no single one, says that.

    Rules name the key of a timer after its name: `votes-due` fires as `votes/7`.
    """
    declared, head = here.view.declared("timers"), key.partition("/")[0]
    names = [head] if head in declared else [name for name in declared if name.startswith(f"{head}-")]
    rule, about = declared[names[0]] if len(names) == 1 else ("", {})
    return (rule, str(about["summary"])) if about.get("summary") else None


class Telling(NamedTuple):
    """How a rule tells an action: after which entry and up to which (None: until now), and what it declares."""

    after: int
    until: int | None
    number: str
    rule: str
    told: str
    summary: str
    arguments: dict[str, Document]


def told_actions(view: GameView) -> dict[str, list[Telling]]:
    """Return how rules tell, or told, actions, by the name of the action; what only held on stands there once."""
    found: dict[str, list[Telling]] = {}
    for uid in (*view.ranked, *view.repealed):
        revisions = view.revisions(uid)
        for revision, later in zip(revisions, [*revisions[1:], None], strict=False):  # a rule may have none
            after, until = int(revision.get("seq") or 0), int(later.get("seq") or 0) if later else None
            for name, about in ({} if revision.get("repealed") else revision.get("actions") or {}).items():
                told, summary = (str((about or {}).get(part) or "") for part in ("told", "summary"))
                arguments = {key: each or {} for key, each in ((about or {}).get("arguments") or {}).items()}
                telling = Telling(after, until, str(revision.get("rule") or uid), uid, told, summary, arguments)
                known = found.setdefault(name, [])
                if known and known[-1].until == after and known[-1][2:] == telling[2:]:
                    known[-1] = known[-1]._replace(until=until)
                else:
                    known.append(telling)
    return found


def _telling(here: Here, entry: Entry) -> Telling | None:
    """Return how the law of then tells an action, None where no rule declared it."""
    seq = int(entry.get("seq") or 0)
    known = here.view.index(told_actions).get(str(entry.get("do") or "")) or ()
    held = [each for each in known if each.after < seq and (each.until is None or seq <= each.until)]
    # What is tried is numbered as the entry after which it is tried: as the founding, where that was the last.
    held = held or [each for each in known if each.after == seq]
    return min(held, key=lambda each: number_key(each.number), default=None)


def _told(here: Here, about: Telling, entry: Entry, *, kept_back: bool) -> Html | None:
    """Return an act in the words of a rule, None where it has none, or they name an argument that was not given.

    Where what it says is `kept_back`, only what is public of its arguments stands there.
    """
    if entry.get("code") or not about.told or flaw(about.told):
        return None
    usual = {name: each["default"] for name, each in about.arguments.items() if each.get("default") is not None}
    given = public_arguments(entry) if kept_back else {**usual, **(entry.get("with") or {})}
    said: list[Html] = []
    for part in parts(about.told):
        usable = [each for each in part.wordings if arguments_in(each) or not (kept_back and part.may_fail)]
        wording = next((each for each in usable if all(_holds(piece, given) for piece in each)), None)
        if wording is None and not part.may_fail:
            return None
        said += [_piece(here, about.arguments, piece, given) for piece in wording or ()]
    return join(said)


def _holds(piece: str | Named, given: Mapping[str, Any]) -> bool:
    """Say whether a piece of a wording can stand there."""
    if isinstance(piece, str):
        return True
    value = given.get(piece.name)
    return value not in (None, "", [], {}) and not (piece.holds and value in (False, 0))


def _piece(here: Here, arguments: Mapping[str, Document], piece: str | Named, given: Mapping[str, Any]) -> Html:
    """Return a piece of a wording: text, nothing, one of two words by a number, or an argument by its declared type."""
    if isinstance(piece, str) or piece.holds:
        return escape(piece) if isinstance(piece, str) else Html("")
    value, declared = given[piece.name], str(arguments.get(piece.name, {}).get("type") or "")
    if piece.words is not None:
        number = len(value) if isinstance(value, (list, tuple, dict)) else value
        return escape(piece.words[str(number) != "1"])
    if declared == "proposal":  # which may be named by its number where the argument is called as its kind
        meant, known = str(value), here.view.proposals
        named = (meant, f"{piece.name}/{meant}", f"{PROPOSAL}/{meant}")
        return here.proposal(next((each for each in named if each in known), meant if "/" in meant else named[2]))
    if declared == "office":
        return here.owner(f"office/{value}")
    if declared == "text" and isinstance(value, str):
        return phrase(shortened(value, GIST))
    return here.value(value, declared)


# -- what came of it

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
    kind = str(what.get("effect") or "")
    if what.get("name") == "email" and ("from" in what or "to" in what):  # addresses stay off the site
        return say(here, "effect put address", {**what, "register": _register(here, what)})
    choose = _CHOOSES.get(kind)
    if choose and (chosen := choose(here, entry, what)) is not None:
        key, more = chosen
        return say(here, key, {**what, **more})
    for key in (f"effect {kind} {what.get(_VALUE_OF.get(kind, ''))}", f"effect {kind}"):
        if key in keys():
            return say(here, key, what)
    shown = (join([humane(name), " ", here.value(value)]) for name, value in what.items() if name not in _NOT_SHOWN)
    return say(here, "effect", {**what, "fields": join(shown, ", ")})


def of_effects(here: Here, changed: Iterable[Effect]) -> list[Html]:
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
    if (what.get("of"), what.get("name")) == ("game", "mover") and what.get("to") in here.view.players:
        return "effect put next", {}
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
            return "effect settle", {"done": here.view.duties_settled.get((int(entry.get("seq") or 0), of), of)}
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


_CHOOSES: dict[str, Callable[[Here, Entry, Effect], Chosen | None]] = {
    **dict.fromkeys("put append correct award renumber".split(), _of_register),
    **dict.fromkeys("ballot strike weigh win".split(), _of_vote),
    **dict.fromkeys("seal disclose unseal owe settle".split(), _of_seal_or_duty),
    **dict.fromkeys("engine identify apply forge rehouse maintain limit".split(), _of_administration),
}


# -- why it was refused

GROUPS: dict[str, dict[str, str]] = load_own(Path(__file__).with_name("reason_codes.yaml"))
"""The meanings by code: notes in the record, refusals, what goes wrong around a game, and in the reading of a file."""
CODES = {code: meaning for group in GROUPS.values() for code, meaning in group.items()}
"""Every code of the engine with its meaning; the law of a game may add its own E- codes."""


def reason(here: Here, why: Reason) -> Html:
    """Return one reason: its code, its sentence and the rule it rests on."""
    return join([el("code", why["code"]), " ", refusal(here, why)])


def refusal(here: Here, why: Reason) -> Html:
    """Return one reason as a sentence without code and full stop, citing its rule."""
    code, given = why["code"], why.get("args") or {}
    fields = {**given, "rule": why.get("rule")}
    for key in (f"reason {code} {given.get('question')}", f"reason {code}"):
        if key in keys():
            return say(here, key, fields)
    known = next((given[name] for name in ("why", "message", "text") if given.get(name)), None)
    words, ruled = str(known or "").rstrip("."), bool(known and why.get("rule"))
    sentence = quoted(here, words) if ruled else phrase(words) if known else _meaning(here, code, given)
    about = given.get("of") if not words.startswith(str(given.get("of") or "")) else None
    key = "rule and reason" if ruled else "reason"
    return say(here, key, {"about": about, "said": sentence, "rule": why.get("rule")})


def _meaning(here: Here, code: str, given: Document) -> Html:
    """Return what a code means where nothing more is recorded, else what is recorded."""
    rest = {name: value for name, value in given.items() if name != "of"}
    if rest or not code.startswith("E-"):
        return join((join([humane(name), " ", here.value(value)]) for name, value in rest.items()), ", ")
    return escape(CODES[code].rstrip(".")) if code in CODES else say(here, "refused", {"code": code})
