"""Why something is as it is: every change of a register, a rule or a ballot, back to entry and rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from folkmoot.core.ballot_display import is_kept_back, shown_ballot, shown_entry, shown_proposal, voted_on
from folkmoot.core.calendar import write_stamp
from folkmoot.core.documents import OF_A_REVISION, Document, Proposal, RuleMeta
from folkmoot.core.keys import GAME, LAW, OFFICES, ROSTER, history_key, rule_key
from folkmoot.core.limits import limits_told
from folkmoot.core.misspelt import did_you_mean, meant_by
from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.proposal_numbers import called
from folkmoot.core.records import Effect, Entry, Shown
from folkmoot.core.rule_blocks import RULE_PARTS, SettingSpec
from folkmoot.core.rule_pasts import is_taken_over, kind_of_change
from folkmoot.core.values import in_a_row
from folkmoot.game.session import Session
from folkmoot.game.status import undecided

OPEN_OR_DECIDED = "`moot status` shows what is open, `moot log` what was decided"
CHANGES = frozenset({"append", "award", "put", "correct", "create"})


def explain_register(session: Session, owner: str, register: str) -> Shown:
    """Return each change of a register of somebody or something, oldest first; raises E-NO-SUCH where there is none."""
    if _kept_under(session, owner) == OFFICES:
        owner = f"office/{owner}"
    owned = _owned(session, owner)
    now = owned.get(register)
    changes = [
        change for entry in session.record.entries(having=[owner, register]) for change in _of(entry, owner, register)
    ]
    if not changes and register not in owned:
        raise _no_register(session, owner, register)
    currency = register in session.currencies()
    opening = now if not changes else None if "key" in changes[0] else changes[0].get("from")
    told = {"owner": owner, "register": register, "now": now, "opening": opening, "currency": currency}
    return {**told, "changes": changes}


KINDS = ("rules", "proposals", "settings", "actions")
"""What is explained by its kind, in the plural that people type."""


def _no_register(session: Session, owner: str, register: str) -> ProblemError:
    """Return the error for a register that nobody has, with what may be meant."""
    known, thing, owners = sorted(_owned(session, owner)), f"{owner}/{register}", ["game", *session.kept(ROSTER)]
    message = f"nobody here is called {owner}, nor is anything"
    if known:
        near = meant_by(register, known)
        message = f"{owner} has no {register}, and never had"
        hint = f"{f'did you mean {near}? ' if near else ''}{owner} has {in_a_row(known)}"
    elif inner := sorted(_owned(session, thing)):
        message, hint = f"say what of {thing} is to be explained", f"`moot explain {thing} {inner[0]}`"
    elif swapped := meant_by(owner, _owned(session, register)):
        hint = f"the owner stands first: `moot explain {register} {swapped}`"
    elif owner in ("pull", "pr"):
        hint = f"`moot show {register}`"
    elif owner in KINDS:
        hint = f"`moot explain {owner.removesuffix('s')} {register}`"
    else:
        near = meant_by(owner, owners) or meant_by(owner.lower(), owners) or (owners[1:2] or owners)[0]
        hint = f"`moot explain {near} {register}`, or a thing by kind and name, as in office/scribe"
    return fail("E-NO-SUCH", message, None, hint)


def registers_of(session: Session, owner: str) -> list[str]:
    """Return the names of an owner's registers, none where there is no such owner."""
    return sorted(_owned(session, owner))


def _of(entry: Entry, owner: str, register: str) -> Iterator[Shown]:
    of_owner = (effect for effect in entry.get("effects") or () if effect.get("of") == owner)
    named = [each for each in of_owner if each.get("name") == register or register in (each.get("values") or {})]
    notes = [effect for effect in named if effect["effect"] == "correct" and "to" not in effect]
    changed = [effect for effect in named if effect["effect"] in CHANGES and effect not in notes]
    why = {"why": f"a correction: {notes[0]['why']}"} if notes else {}
    for effect in changed or notes[:1]:
        if effect["effect"] in CHANGES:
            yield {**_brief(entry), **_change(effect, register), **why}


def _brief(entry: Entry) -> Shown:
    return {"seq": entry["seq"], "at": entry["at"], "do": entry["do"], "by": entry.get("by")}


def _change(effect: Effect, register: str) -> Shown:
    noted: Document = effect
    if effect["effect"] == "create":
        return {"effect": "create", "to": effect["values"][register], "rule": effect.get("rule")}
    keys = ("effect", "key", "from", "to", "asked", "applied", "kind", "why", "rule", "credit", "cause")
    return {key: noted[key] for key in keys if key in noted}


def _owned(session: Session, owner: str) -> Document:
    """Return the registers of an owner, empty where there is no such owner."""
    kind, slash, name = owner.partition("/")
    if slash and kind == "office":
        return dict(session.kept(OFFICES).get(name) or {})
    if slash:
        return dict(session.proposal(owner).get("registers") or {})
    key = _kept_under(session, owner)
    return dict(session.documents[key][owner]) if key else {}


def _kept_under(session: Session, thing: str) -> str:
    """Return the key of the document that holds the registers of something, "" where there is none."""
    things = ((key, doc) for key, doc in session.documents.items() if key.startswith("things/"))
    return next((key for key, doc in things if isinstance(doc.get(thing), dict)), "")


def explain_rule(session: Session, reference: str) -> Shown:
    """Return the life of a rule by uid or number: each revision with entry, time, cause and what it changed."""
    metas = session.kept(LAW).get("rules") or {}
    uid = _uid(metas, reference)
    if uid is None:
        message, hint = f"there is no rule {reference}, and never was", "`moot show rules` lists those in force"
        raise fail("E-NO-SUCH", message, None, hint)
    meta, history = metas[uid], session.kept(history_key(uid))
    revisions: list[Document] = list(history.get("revisions", ()))
    if meta["in_force"]:
        revisions.append({**session.kept(rule_key(uid)), **{key: meta.get(key) for key in OF_A_REVISION}})
    founded = session.kept(GAME).get("founded_at") or 0
    keys = ("number", "in_force", "former_numbers", "suspended", "asleep_since", "failures")
    return {
        "uid": uid,
        **{key: meta.get(key) for key in keys},
        "title": next((str(each["title"]) for each in reversed(revisions) if each.get("title")), ""),
        "revisions": [
            {**_revision(before, after), "taken_over": is_taken_over(after, founded)}
            for before, after in pairwise([{}, *revisions])
        ],
        "rulings": list(history.get("rulings", ())),
    }


def _uid(metas: Mapping[str, RuleMeta], reference: str) -> str | None:
    numbered = {str(meta["number"]): uid for uid, meta in metas.items() if meta["in_force"]}
    former = {str(n): uid for uid, meta in metas.items() for n in (*(meta.get("former_numbers") or ()), meta["number"])}
    return numbered.get(reference) or (reference if reference in metas else former.get(reference))


def _revision(before: Document, after: Document) -> Shown:
    unknown = bool(before.get("unknown") or after.get("unknown"))
    changed = [part for part in RULE_PARTS if before.get(part) != after.get(part) and not (unknown and part == "text")]
    keys = ("revision", "called", "seq", "at", "dated", "cause", "note")
    kept = {**{key: after.get(key) for key in keys}, "unknown": bool(after.get("unknown"))}
    first = not before
    kept["change"] = kind_of_change(after, in_force=not first and not before.get("repealed"), first=first)
    if after.get("repealed"):
        return {**kept, "revision": None, "repealed": True, "because": after.get("because"), "changed": []}
    return {**kept, "repealed": False, "changed": changed, "title": after.get("title"), "text": after.get("text")}


def _voted_on(session: Session, identifier: str) -> Proposal:
    """Return what is voted on, by its kind and number; raises E-NO-SUCH."""
    proposal = session.proposal(identifier)
    if not proposal:
        raise fail("E-NO-SUCH", f"there is no {identifier.replace('/', ' ')}", None, OPEN_OR_DECIDED)
    return proposal


def explain_proposal(session: Session, identifier: str) -> Shown:
    """Return a proposal or motion with its ballots, what was decided by which rule, and the entries that concern it."""
    proposal = _voted_on(session, identifier)
    identifier = proposal["id"]
    entries = [
        _brief(entry)
        for entry in session.record.entries(start=proposal["seq"], having=[identifier])
        if any(effect.get("of") == identifier for effect in entry.get("effects") or ())
    ]
    return {**shown_proposal(proposal), "entries": entries}


def explain_ballot(session: Session, identifier: str, player: str) -> Shown:
    """Return a ballot, whether it counts and why not, and each entry that cast it; raises E-NO-SUCH."""
    proposal = _voted_on(session, identifier)
    identifier = proposal["id"]
    ballot, open_ = proposal["ballots"].get(player), {identifier: proposal}
    tries = [
        {
            "seq": e["seq"],
            "at": e["at"],
            "choice": None if is_kept_back(e, open_) else e["with"].get("choice"),
            "code": e.get("code", ""),
            "reasons": e.get("reasons", []),
        }
        for e in session.record.entries(start=proposal["seq"], having=[player])
        if e.get("by") == player and e["do"] == "vote" and voted_on(e) == identifier
    ]
    if ballot is None and not tries and player not in session.kept(ROSTER):
        raise fail("E-NO-SUCH", f"nobody here is called {player}", None, f"there are {in_a_row(session.kept(ROSTER))}")
    if ballot is None and not tries:
        may = "were not in its electorate" if player not in (proposal["electorate"] or [player]) else "cast none"
        raise fail("E-NO-SUCH", f"{player} has no ballot on {identifier.replace('/', ' ')}: they {may}")
    shown = None if ballot is None else shown_ballot(ballot, proposal)
    named = {"proposal": identifier, "called": called(proposal), "player": player}
    return {**named, "ballot": shown, "tries": tries, "verdict": proposal["verdict"]}


def explain_setting(session: Session, name: str) -> Shown:
    """Return a switch by id or plain name: its question, its value, the alternatives, and who flipped it when."""
    for rule in session.rules():
        for switch, declared in (rule.get("settings") or {}).items():
            if name in (switch, declared.get("name")):
                return _setting(session, rule["uid"], switch, declared)
    known = [each["name"] for each in explain_settings(session)]
    hint = did_you_mean(name, known) or (f"there are {in_a_row(sorted(known))}" if known else "no rule has any")
    raise fail("E-NO-SUCH", f"no rule in force has a setting {name!r}", None, hint)


def explain_settings(session: Session) -> list[Shown]:
    """Return every switch of the rules in force: id, plain name, rule, question and value."""
    flipped = session.kept(GAME).get("settings") or {}
    return [
        {
            "setting": switch,
            "name": str(declared.get("name") or switch),
            "rule": rule["uid"],
            "question": declared["question"],
            "value": flipped.get(switch, declared["default"]),
        }
        for rule in session.rules()
        for switch, declared in (rule.get("settings") or {}).items()
    ]


def _setting(session: Session, uid: str, switch: str, declared: SettingSpec) -> Shown:
    flips = [
        {"seq": entry["seq"], "at": entry["at"], "by": entry.get("by"), "vote": vote, **_change(effect, switch)}
        for entry in session.record.entries(having=[switch])
        for vote, effect in _with_votes(session, entry)
        if effect["effect"] == "setting" and effect.get("name") == switch
    ]
    flips = sorted([*flips, *_defaults(session, uid, switch)], key=lambda flip: flip["seq"])
    value = (session.kept(GAME).get("settings") or {}).get(switch, declared["default"])
    return {"setting": switch, "rule": uid, **declared, "value": value, "flips": flips}


def _defaults(session: Session, uid: str, switch: str) -> Iterator[Shown]:
    """Yield the changes of a switch's default, each with the proposal that amended its rule so."""
    revisions: list[Document] = list(session.kept(history_key(uid)).get("revisions", ()))
    revisions.append({**session.kept(rule_key(uid)), **(session.kept(LAW).get("rules") or {})[uid]})
    defaults = [((each.get("settings") or {}).get(switch) or {}).get("default") for each in revisions]
    for revision, (before, default) in zip(revisions[1:], pairwise(defaults), strict=True):
        if None not in (before, default) and before != default:
            cause = str(revision.get("cause") or "")
            vote = called(session.proposal(cause)) if cause.partition("/")[0] in session.votable() else cause
            known = {"seq": revision["seq"], "at": write_stamp(revision["at"]), "by": None, "vote": vote}
            yield {**known, "effect": "default", "from": before, "to": default}


def _with_votes(session: Session, entry: Entry) -> Iterator[tuple[str, Effect]]:
    """Yield the effects of an entry, each with the proposal by whose resolution it came about, "" where by none."""
    vote = ""
    for effect in entry.get("effects") or ():
        if effect["effect"] == "resolve":
            vote = called(session.proposal(str(effect["of"])))
        yield vote, effect


def explain_entry(session: Session, seq: int) -> Shown:
    """Return one entry of the journal; raises E-NO-SUCH where the journal does not reach so far."""
    if not 1 <= seq <= session.head.seq:
        raise fail("E-NO-SUCH", f"there is no entry {seq}; the journal has 1 to {session.head.seq}")
    return shown_entry(session.record.entry(seq), {proposal["id"]: proposal for proposal in undecided(session)})


def explain_limits(session: Session) -> list[Shown]:
    """Return every limit of the game, with who changed it when (see `folkmoot.core.limits.limits_told`)."""
    changed = [
        {"seq": entry["seq"], "at": entry["at"], "by": entry.get("by"), "name": effect["of"], "to": effect["to"]}
        for entry in session.record.entries(having=["set_limit"])
        for effect in entry.get("effects") or ()
        if effect["effect"] == "limit"
    ]
    told = limits_told(session.kept(GAME))
    return [{**each, "changes": [change for change in changed if change["name"] == each["name"]]} for each in told]
