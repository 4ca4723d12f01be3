"""What a form made of an issue, read back as exactly the act that was filled in; nothing in a field is a command.

A field's value may hold anything, lines that look like the heading of a field too: where the headings are not exactly
those of the form in their order, it is refused rather than guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.core.documents import Request
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Arguments, Taken
from folkmoot.core.values import told
from folkmoot.files.fast_reader import load_yaml
from folkmoot.files.issue_forms import BLANK, CHANGES, FORMS, GAME, NO_CHOICE, QUESTION, SPARED, STATEMENT, FormField
from folkmoot.files.typed_words import VERBATIM
from folkmoot.kernel.act_declarations import joining_action
from folkmoot.referee.commands import Asked, action_asked, bare_argument, fitting, no_action
from folkmoot.referee.content import with_changes

Record = Mapping[str, Any]


_NAMED = re.compile(r"(?P<name>[A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(?P<rest>.*)|[ \t]*)")
_BLOCK = re.compile(r"[|>][+-]?")
_QUOTED = re.compile(r"""'[^'\n]*'|"[^"\n]*\"""")


def read_arguments(do: str, text: str, declared: Record, *, free: bool = False) -> tuple[Arguments, str]:
    r"""Return arguments written as `name: value`, each beginning a line, and what is wrong with them.

    A text may go on in the lines below it. Where the action needs its one text and no name stands in front, all is
    that text; `free` allows any name.

    >>> read_arguments("x", "to: bob\nfor: a horse\n  and a cart", {"to": {"type": "player"}, "for": {}})[0]
    {'to': 'bob', 'for': 'a horse\n  and a cart'}
    """
    kinds = {name: str((spec or {}).get("type") or "text") for name, spec in declared.items()} | {"as": "text"}
    found: dict[str, list[str]] = {}
    name = ""
    for line in text.strip("\n").split("\n"):
        begun = _NAMED.fullmatch(line.rstrip())
        if begun and (free or begun["name"] in kinds):
            name = begun["name"]
            if name in found:
                return {}, f"{do}: {name} is given twice"
            found[name] = [begun["rest"] or ""]
        elif name and (kinds.get(name, "text") in ("text", "string") or line[:1] in (" ", "\t", "-", "]", "}")):
            found[name].append(line.rstrip())
        elif line.strip() and not line.startswith("#"):
            if not found and (bare := bare_argument(declared)):
                return {bare: text.strip()}, ""
            takes = ", ".join(declared) or "no arguments"
            return {}, f"{do} takes {takes}: each is written `name: value`, on a line of its own"
    try:
        values = {name: _typed(lines, kinds.get(name, "any")) for name, lines in found.items()}
    except ProblemError as error:
        return {}, f"{do}: a value cannot be read: {error.problems[0].message}"
    return {name: value for name, value in values.items() if value is not None}, ""


def _typed(lines: list[str], kind: str) -> Any:
    """Return a value of a declared type, None for an empty one; raises ProblemError for YAML that cannot be read."""
    text = "\n".join(lines).strip()
    if not text or (kind not in ("text", "string") and text.startswith("#")):
        return None
    if kind not in VERBATIM or _BLOCK.fullmatch(lines[0].strip()):
        value = load_yaml("\n".join(["value: " + lines[0], *(f"  {line}" for line in lines[1:])]), "the form")["value"]
        return value.strip("\n") if kind in VERBATIM else value
    return text[1:-1] if _QUOTED.fullmatch(text) else text


Taking = Callable[[str, list[Any]], Taken]
MOST_CHARACTERS = 200_000

_FENCE = re.compile(r"(`{3,}|~{3,})[^`\n]*")


class Filled(Struct, frozen=True):
    """A form as it was filled in: its name and the values by the ids of their fields; `flaw` says why it is none."""

    form: str
    values: dict[str, str] = field(default_factory=dict)
    flaw: str = ""

    def __getitem__(self, id_: str) -> str:
        return self.values.get(id_, "")


def read_form(body: str) -> Filled | None:
    r"""Return the form that an issue's text was made of, None where it was made of none.

    >>> read_form("### What this is\n\nA statement, for the record\n\n### Text\n\n/vote for").values
    {'what': 'A statement, for the record', 'text': '/vote for'}
    >>> read_form("### My thoughts\n\n/vote for") is None
    True
    """
    lines = body.replace("\r\n", "\n").strip("\n").split("\n")
    begun = [line.rstrip() for line in lines if line.startswith("### ")][:2]
    games = [GAME] if begun[:1] == [_heading(GAME)] else []
    name = next((name for name, each in FORMS.items() if begun[len(games) :][:1] == [_heading(each[0])]), "")
    if not name or lines[0].rstrip() != begun[0]:
        return None
    if len(body) > MOST_CHARACTERS:
        return Filled(name, flaw=f"the form holds more than {MOST_CHARACTERS:,} characters")
    headings = {_heading(each): each for each in (*games, *FORMS[name])}
    places = [number for number, line in enumerate(lines) if line.rstrip() in headings]
    found = [lines[place].rstrip() for place in places]
    if twice := next((heading for heading in found if found.count(heading) > 1), ""):
        flaw = f"a text in it holds the line {told(twice)}; write that line otherwise, with one # more perhaps"
        return Filled(name, flaw=f"the form can be read in two ways, because {flaw}")
    texts = ("\n".join(lines[place + 1 : end]) for place, end in zip(places, [*places[1:], len(lines)], strict=True))
    values = {headings[heading].id: _value(headings[heading], text) for heading, text in zip(found, texts, strict=True)}
    if found != [heading for heading, each in headings.items() if heading in found or each.id not in SPARED]:
        return Filled(name, flaw="parts of the form are missing, or stand in another order; fill it in anew")
    if None in values.values():
        return Filled(name, flaw="parts of the form hold what they cannot; fill it in anew")
    return Filled(name, {each.id: values.get(each.id) or "" for each in headings.values()})


def _heading(each: FormField) -> str:
    return f"### {each.label}"


def _value(each: FormField, text: str) -> str | None:
    """Return what stands below a heading, None where that field cannot hold it."""
    text = text.strip("\n")
    if not text or text.strip() == BLANK:
        return ""
    if each.renders:
        lines = text.split("\n")
        fence = _FENCE.fullmatch(lines[0].rstrip())
        return "\n".join(lines[1:-1]) if fence and len(lines) > 1 and lines[-1].rstrip() == fence[1] else None
    if each.kind == "area":
        return text
    line = text.strip()
    if each.kind == "choice" and line in NO_CHOICE:
        return ""
    return line if "\n" not in line else None


def form_asked(filled: Filled, title: str, actions: Record, taking: Taking, rules: Iterable[Record] = ()) -> Asked:
    """Return the act that a form asks for; the issue's `title` names a proposal.

    `taking` says of a title and rule-changes by which action they are taken in, or why by none. What a form repeats of
    one of the `rules` in force, as a link has filled it in, is no change.
    """

    def read() -> Asked:
        if filled.form == "propose":
            return _propose(_without_repeated(filled, rules), title, actions, taking)
        return {"act": _act, "say": _say, "join": _join}[filled.form](filled, actions)

    return Asked(flaw=filled.flaw) if filled.flaw else fitting(filled.form, read)


def _act(filled: Filled, actions: Record) -> Asked:
    chosen, named = filled["choice"].partition(":")[0].strip(), filled["action"].removeprefix("/")
    if chosen and named and chosen != named:
        return Asked(flaw=f"two actions are given, {chosen} in the menu and {named} by name: give the one you mean")
    do = chosen or named
    if do not in actions:
        return Asked(flaw=no_action(do, actions))
    declared = actions[do].get("arguments") or {}
    args, flaw = read_arguments(do, filled["arguments"], declared)
    as_ = str(args.pop("as", "") or "") if "as" not in declared else ""
    return Asked(do, args, as_ or None, flaw)


_PARTS = ("rule", "to", "title", "text", "script")
_TAKES = {
    "enact": (("title", "text"), ("script",)),
    "amend": (("rule",), ("title", "text", "script")),
    "repeal": (("rule",), ()),
    "transmute": (("rule", "to"), ()),
}
"""Which fields each kind of rule-change needs, and which it may have besides."""
_LABELS = {each.id: each.label for each in FORMS["propose"]}


def _without_repeated(filled: Filled, rules: Iterable[Record]) -> Filled:
    """Return a rule-change without the parts that are those of the rule as it is."""
    number = _number(filled)
    named = [rule for rule in rules if number and number in (str(rule.get("rule")), str(rule.get("uid")))]
    present = next((rule for rule in named if str(rule.get("rule")) == number), named[0] if named else {})
    words = ("title", "text", "script")
    same = {name for name in words if filled[name].strip() == str(present.get(name) or "").strip()}
    return replace(filled, values={name: filled[name] for name in filled.values if name not in same})


def _number(filled: Filled) -> str:
    return re.sub(r"^(?:rule\s+|#)", "", filled["rule"].strip(), flags=re.IGNORECASE)


def _propose(filled: Filled, title: str, actions: Record, taking: Taking) -> Asked:
    change = _change(filled)
    if isinstance(change, str):
        return Asked(flaw=change)
    called = title.strip() or filled["title"]
    if "do" not in (taken := taking(called, [change])):
        return Asked(flaw=taken["why"])
    requests, flaw = _requests(filled["requests"], actions)
    taken = with_changes(taken, actions, called, [change], requests)
    args = {name: value for name, value in taken["args"].items() if name != "title" or value}
    return Asked(taken["do"], args, flaw=flaw)


def _change(filled: Filled) -> dict[str, Any] | str:
    """Return the rule-change that was filled in, or what is wrong with it."""
    given = [name for name in _PARTS if filled[name].strip()]
    kinds = [kind for kind, words in CHANGES.items() if words == filled["change"]]
    if not filled["change"]:  # then what was filled in may say it, but for a repeal, which says nothing else
        kinds = [kind for kind in _TAKES if given != ["rule"] and not _flaw(kind, given)]
    if len(kinds) != 1:
        return f"choose the kind of rule-change: {', '.join(CHANGES.values())}"
    if flaw := _flaw(kinds[0], given):
        return flaw
    number = _number(filled)
    parts = {name: filled[name] for name in given if name == "title"}
    parts |= {name: f"{filled[name].rstrip()}\n" for name in given if name in ("text", "script")}
    match kinds[0]:
        case "enact":
            return {"enact": parts}
        case "repeal":
            return {"repeal": number}
        case "transmute":
            return {"transmute": number, "to": filled["to"]}
    return {"retitle": number, "to": parts["title"]} if [*parts] == ["title"] else {"amend": number, **parts}


def _flaw(kind: str, given: Sequence[str]) -> str:
    """Return which field a kind of rule-change needs, or does not take, "" where all is well."""
    needs, more = _TAKES[kind]
    for name in needs:
        if name not in given:
            return f"to {kind} a rule, fill in the field {_LABELS[name]}"
    for name in given:
        if name not in (*needs, *more):
            return f"to {kind} a rule, leave the field {_LABELS[name]} empty"
    if kind == "amend" and given == ["rule"]:
        return "an amendment needs another text, script or title than the rule has"
    return ""


def _requests(text: str, actions: Record) -> tuple[list[Request], str]:
    """Return the requests that travel with a proposal, one a line as after `/do`, and what is wrong with one."""
    found: list[Request] = []
    for line in filter(None, (line.strip() for line in text.split("\n"))):
        if line.startswith("#"):
            continue
        do, _, rest = line.removeprefix("/do ").removeprefix("/").partition(" ")
        wanted = action_asked(do, rest.strip(), actions)
        if wanted.flaw:
            return [], wanted.flaw
        found.append({"name": do, "args": wanted.args})
    return found, ""


def _say(filled: Filled, _actions: Record) -> Asked:
    if filled["what"] not in (STATEMENT, QUESTION) or not filled["text"].strip():
        return Asked(flaw=f"choose {STATEMENT}, or {QUESTION}, and write a text")
    return Asked("state", {"text": filled["text"]})


def _join(filled: Filled, actions: Record) -> Asked:
    declared = (actions.get(joining_action(actions)) or {}).get("arguments") or {}
    more, flaw = read_arguments("join", filled["more"], declared, free=True)
    return Asked("join", {**more, **{name: filled[name] for name in ("id", "name") if filled[name]}}, flaw=flaw)
