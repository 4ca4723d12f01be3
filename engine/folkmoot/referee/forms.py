"""What a form made of an issue, read back as exactly the act that was filled in; nothing in a field is a command.

A field's value may hold anything, headings that look like a field's too. A text is therefore cut in the one way in
which all its parts are what their fields allow; where there are two such ways it is refused rather than guessed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.core.documents import Request
from folkmoot.core.misspelt import meant_by
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Taken
from folkmoot.core.values import told
from folkmoot.files.fast_reader import load_yaml
from folkmoot.files.issue_forms import BLANK, CHANGES, FORMS, GAME, NO_CHOICE, QUESTION, SPARED, STATEMENT, FormField
from folkmoot.files.typed_words import VERBATIM
from folkmoot.kernel.act_declarations import joining_action
from folkmoot.referee.commands import Asked, action_asked, bare_argument, fitting, no_action
from folkmoot.referee.content import with_changes

Record = Mapping[str, Any]


# -- arguments written as `name: value`, line by line


_NAMED = re.compile(r"(?P<name>[A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(?P<rest>.*)|[ \t]*)")
_BLOCK = re.compile(r"[|>][+-]?")


class Arguments(Struct):
    """Arguments as they were read, and what is wrong with them."""

    values: dict[str, Any] = field(default_factory=dict)
    flaw: str = ""


def read_arguments(do: str, text: str, declared: Record, *, free: bool = False) -> Arguments:
    r"""Return arguments written as `name: value`, each beginning a line; a text may go on in the lines below.

    Where the action needs its one text and no name stands in front, all is that text; `free` allows any name.

    >>> read_arguments("x", "to: bob\nfor: a horse\n  and a cart", {"to": {"type": "player"}, "for": {}}).values
    {'to': 'bob', 'for': 'a horse\n  and a cart'}
    """
    known = [*declared, "as"]
    lines = [line.rstrip() for line in text.strip("\n").split("\n")]
    first = next((line for line in lines if line and not line.startswith("#")), "")
    if not first:
        return Arguments()
    bare = bare_argument(declared)
    begun = _NAMED.fullmatch(first)
    if (begun is None or (begun["name"] not in known and not free)) and bare and not _near(begun, known):
        return Arguments({bare: text.strip()})
    found, flaw = _parted(do, lines, declared, free=free)
    if flaw:
        return Arguments(flaw=flaw)
    read = Arguments()
    for name, value in found.items():
        try:
            typed = _typed(value, str((declared.get(name) or {}).get("type") or ("any" if free else "text")))
        except ProblemError as error:
            return Arguments(flaw=f"{do}: the value of {name} cannot be read: {error.problems[0].message}")
        if typed is not None:
            read.values[name] = typed
    return read


def _near(begun: re.Match[str] | None, known: list[str]) -> str:
    return meant_by(begun["name"], known, 0.75) if begun else ""


def _parted(do: str, lines: list[str], declared: Record, *, free: bool) -> tuple[dict[str, list[str]], str]:
    """Return the lines of each argument, and what is wrong with the names."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in lines:
        begun = _NAMED.fullmatch(line)
        word = begun["name"] if begun else ""
        if begun and (free or word in declared or word == "as"):
            if word in found:
                return {}, f"{do}: {word} is given twice"
            name = word
            found[name] = [begun["rest"] or ""]
        elif begun and (near := _near(begun, [*declared, "as"])) and near not in found:
            return {}, f"{do} takes no argument {word}, did you mean {near}?"
        elif name and _goes_on(line, (declared.get(name) or {}).get("type", "text")):
            found[name].append(line)
        elif line and not line.startswith("#"):
            takes = f"it takes {', '.join(declared) or 'none'}"
            if begun:
                return {}, f"{do} takes no argument {word}; {takes}"
            return {}, f"{do}: arguments are written `name: value`, each on a line of its own; {takes}"
    return found, ""


def _goes_on(line: str, kind: str) -> bool:
    """Say whether a line may be more of a value of a type."""
    return kind in ("text", "string") or line[:1] in (" ", "\t", "-", "]", "}")


def _typed(lines: list[str], kind: str) -> Any:
    """Return a value of a declared type, None for an empty one; raises ProblemError for YAML that cannot be read."""
    text = "\n".join(lines).strip()
    if not text or (kind not in ("text", "string") and text.startswith("#")):
        return None
    if kind not in VERBATIM:
        return load_yaml("\n".join(["value: " + lines[0], *(f"  {line}" for line in lines[1:])]), "the form")["value"]
    if _BLOCK.fullmatch(lines[0].strip()):
        return "\n".join(_dedented(lines[1:])).strip("\n")
    return _unquoted(text)


def _dedented(lines: list[str]) -> Iterator[str]:
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return (line[margin:] for line in lines)


def _unquoted(text: str) -> str:
    """Return a text without the quotation marks around all of it."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" and text[0] not in text[1:-1] and "\n" not in text:
        return text[1:-1]
    return text


# -- the form


Taking = Callable[[str, list[Any]], Taken]
MOST_HEADINGS = 200
MOST_CHARACTERS = 200_000

_FENCE = re.compile(r"(`{3,}|~{3,})[^`\n]*")
_PAIR = re.compile(r"(?P<name>[A-Za-z_]\w*)=")


class Filled(Struct, frozen=True):
    """A form as it was filled in: its name and the values by the ids of their fields; `flaw` says why it is none."""

    form: str
    values: dict[str, str] = field(default_factory=dict)
    flaw: str = ""

    def __getitem__(self, id_: str) -> str:
        return self.values.get(id_, "")

    @property
    def asks(self) -> bool:
        """Say whether it is a question, which stays open when it is recorded."""
        return self.form == "say" and self["what"] == QUESTION


def read_form(body: str) -> Filled | None:
    r"""Return the form that an issue's text was made of, None where it was made of none.

    >>> read_form("### What this is\n\nA statement, for the record\n\n### Text\n\n/vote for").values
    {'what': 'A statement, for the record', 'text': '/vote for'}
    >>> read_form("### My thoughts\n\n/vote for") is None
    True
    """
    lines = body.replace("\r\n", "\n").strip("\n").split("\n")
    name = _form_of(lines)
    if not name:
        return None
    if len(body) > MOST_CHARACTERS:
        return Filled(name, flaw=f"the form holds more than {MOST_CHARACTERS:,} characters")
    fields = (GAME, *FORMS[name]) if lines[0].rstrip() == _heading(GAME) else FORMS[name]
    places = [n for n, line in enumerate(lines) if line.rstrip() in {_heading(each) for each in fields}]
    if len(places) > MOST_HEADINGS:
        return Filled(name, flaw="the text holds too many lines that look like the headings of the form")
    ways = [way for some in _as_offered(fields) for way in _cuts(lines, places, some)]
    if len(ways) == 1:
        return Filled(name, {**{each.id: "" for each in fields}, **ways[0]})
    return Filled(name, flaw=_ambiguous(lines, places) if ways else _unreadable(lines, fields))


def _as_offered(fields: Sequence[FormField]) -> Iterator[list[FormField]]:
    """Yield the fields that a form may have been offered with: all, or without some that not every game uses."""
    spared = [each.id for each in fields if each.id in SPARED]
    for count in range(len(spared) + 1):
        for left_out in combinations(spared, count):
            yield [each for each in fields if each.id not in left_out]


def _form_of(lines: list[str]) -> str:
    """Return which form a text begins like: with the heading of its first field, or with the game's and then that."""
    headings = [line.rstrip() for line in lines if line.startswith("### ")][:2]
    if not headings or lines[0].rstrip() != headings[0]:
        return ""
    if headings[0] == _heading(GAME):
        headings = headings[1:]
    return next((name for name, fields in FORMS.items() if headings[:1] == [_heading(fields[0])]), "")


def _heading(each: FormField) -> str:
    return f"### {each.label}"


def _cuts(lines: list[str], places: list[int], fields: Sequence[FormField]) -> list[dict[str, str]]:
    """Return the ways, at most two, to cut a text into a value for each of the fields, in their order."""
    ends = [*places, len(lines)]

    @cache
    def ways(place: int, number: int) -> tuple[tuple[str, ...], ...]:
        """Return the ways to read the rest from a heading on, as values of the fields from a number on."""
        if place == len(lines) or number == len(fields):
            return ((),) if place == len(lines) and number == len(fields) else ()
        if lines[place].rstrip() != _heading(fields[number]):
            return ()
        found: list[tuple[str, ...]] = []
        for end in (end for end in ends if end > place):
            rest = ways(end, number + 1)
            value = _value(fields[number], lines[place + 1 : end]) if rest else None
            if value is not None:
                found += [(value, *each) for each in rest]
            if len(found) > 1:
                break
        return tuple(found[:2])

    return [dict(zip((each.id for each in fields), way, strict=True)) for way in ways(0, 0)]


def _value(each: FormField, lines: list[str]) -> str | None:
    """Return what stands below a heading, None where that field cannot hold it."""
    text = "\n".join(lines).strip("\n")
    if text.strip() == BLANK:
        return ""
    if each.renders:
        return _fenced(text.split("\n"))
    if each.kind == "area":
        return text
    line = text.strip()
    if each.kind == "choice" and line in NO_CHOICE:
        return ""
    return line if "\n" not in line else None


def _fenced(lines: list[str]) -> str | None:
    """Return what stands in a fence, None where the lines are none from the first to the last."""
    if lines == [""]:
        return ""
    opened = _FENCE.fullmatch(lines[0].rstrip())
    if opened is None or len(lines) < 2 or lines[-1].rstrip() != opened[1]:
        return None
    return "\n".join(lines[1:-1])


def _ambiguous(lines: list[str], places: list[int]) -> str:
    written = [lines[place].rstrip() for place in places]
    twice = next((line for line in written if written.count(line) > 1), written[-1])
    return (
        f"the form can be read in two ways, because a text in it holds the line {told(twice)}; write that line "
        "otherwise, with one # more perhaps"
    )


def _unreadable(lines: list[str], fields: Sequence[FormField]) -> str:
    missing = [each.label for each in fields if _heading(each) not in lines]
    if missing:
        return f"the form lacks its part {told(missing[0])}; fill it in anew"
    return "the form's parts stand in another order, or hold what they cannot; fill it in anew"


# -- what is asked


def form_asked(filled: Filled, title: str, actions: Record, taking: Taking, rules: Iterable[Record] = ()) -> Asked:
    """Return the act that a form asks for; the issue's `title` names a proposal.

    `taking` says of a title and rule-changes by which action they are taken in, or why by none. What a form repeats of
    one of the `rules` in force, as a link has filled it in, is no change.
    """
    if filled.flaw:
        return Asked(flaw=filled.flaw)
    return fitting(filled.form, lambda: _asked(filled, title, actions, taking, rules))


def _asked(filled: Filled, title: str, actions: Record, taking: Taking, rules: Iterable[Record]) -> Asked:
    if filled.form == "act":
        return _act(filled, actions)
    if filled.form == "propose":
        return _propose(_without_repeated(filled, rules), title, actions, taking)
    return _say(filled, actions) if filled.form == "say" else _join(filled, actions)


def _act(filled: Filled, actions: Record) -> Asked:
    chosen, named = filled["choice"].partition(":")[0].strip(), filled["action"].removeprefix("/")
    if chosen and named and chosen != named:
        mend = f"if you mean {named}, choose it in the menu, too (some servers choose the first one by themselves)"
        return Asked(flaw=f"two actions are given, {chosen} and {named}; {mend}, or leave the name empty")
    return _with_arguments(chosen or named, filled["arguments"], actions)


def _with_arguments(do: str, text: str, actions: Record) -> Asked:
    if do not in actions:
        return Asked(flaw=no_action(do, actions))
    declared = actions[do].get("arguments") or {}
    paired = _PAIR.match(text.strip())
    if paired is not None and paired["name"] in (*declared, "as"):
        return action_asked(do, text.strip(), actions)
    read = read_arguments(do, text, declared)
    as_ = str(read.values.pop("as", "") or "") if "as" not in declared else ""
    return Asked(do, read.values, as_ or None, read.flaw)


def _without_repeated(filled: Filled, rules: Iterable[Record]) -> Filled:
    """Return a rule-change without the parts that are those of the rule as it is."""
    number = _number(filled)
    named = [rule for rule in rules if number and number in (str(rule.get("rule")), str(rule.get("uid")))]
    present = next((rule for rule in named if str(rule.get("rule")) == number), named[0] if named else {})
    same = {name for name, _ in _WORDING if filled[name].strip() == str(present.get(name) or "").strip()}
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
    number = _number(filled)
    parts = {name: filled[name] for name in ("title", "text", "script") if filled[name].strip()}
    kind = next((kind for kind, words in CHANGES.items() if words == filled["change"]), "")
    kind = kind or ("" if filled["change"] else _evident(number, parts, filled["to"]))
    if not kind:
        what = f"{told(filled['change'])} is no kind of rule-change" if filled["change"] else "no rule-change is chosen"
        return f"{what}; choose {', '.join(CHANGES.values())}"
    parts |= {name: f"{parts[name].rstrip()}\n" for name in ("text", "script") if name in parts}
    if kind == "enact":
        if number:
            return (
                f"the field Rule names rule {number}. Amend it? Choose {CHANGES['amend']}; a new rule has no number yet"
            )
        wrong = _unwanted(filled, "Status", filled["to"])
        missing = [label for name, label in (("title", "title"), ("text", "text")) if name not in parts]
        return wrong or (f"a new rule needs a {missing[0]}" if missing else {"enact": parts})
    if not number:
        return f"say in the field Rule which rule to {kind}, by its number"
    if kind == "amend":
        wrong = _unwanted(filled, "Status", filled["to"])
        changed = {"retitle": number, "to": filled["title"]} if set(parts) == {"title"} else {"amend": number, **parts}
        return wrong or (changed if parts else "an amendment needs another text, script or title than the rule has")
    wrong = next((_unwanted(filled, label, filled[name]) for name, label in _WORDING if filled[name].strip()), "")
    if wrong or kind == "repeal":
        return wrong or _unwanted(filled, "Status", filled["to"]) or {"repeal": number}
    return {"transmute": number, "to": filled["to"]} if filled["to"] else "choose the status to transmute the rule to"


def _evident(number: str, parts: Record, status: str) -> str:
    """Return the only kind of rule-change that takes what was filled in, "" where there are several or none."""
    if number:
        return "amend" if parts and not status else "transmute" if status and not parts else ""
    return "enact" if {"title", "text"} <= set(parts) and not status else ""


_WORDING = (("title", "Title of the rule"), ("text", "Text"), ("script", "Script"))


def _unwanted(filled: Filled, label: str, value: str) -> str:
    """Return that a field must stay empty, "" where it is."""
    kind = filled["change"].lower()
    return f"to {kind}, leave the field {label} empty" if value.strip() else ""


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


def _say(filled: Filled, actions: Record) -> Asked:
    what, text = filled["what"], filled["text"]
    if not what:
        return Asked(
            flaw=f"the field What this is says nothing; choose {STATEMENT}, {QUESTION}, or what your rules have"
        )
    if not text.strip():
        return Asked(flaw="the field Text is empty: nothing was said")
    if what in (STATEMENT, QUESTION):
        return Asked("state", {"text": text})
    do = what.partition(":")[0].strip()
    texts = saying(actions.get(do) or {})
    if not texts:
        return Asked(flaw=no_action(do, actions) if do not in actions else f"{do} takes more than a text")
    return Asked(do, {texts: text})


def saying(declared: Record) -> str:
    """Return the argument of an action that says something: the only one that it needs, a text; "" for any other."""
    needed = [
        (name, spec)
        for name, spec in (declared.get("arguments") or {}).items()
        if not spec.get("optional") and spec.get("default") is None
    ]
    return needed[0][0] if len(needed) == 1 and needed[0][1].get("type") == "text" else ""


def _join(filled: Filled, actions: Record) -> Asked:
    declared = (actions.get(joining_action(actions)) or {}).get("arguments") or {}
    read = read_arguments("join", filled["more"], declared, free=True)
    named = {name: filled[name] for name in ("id", "name") if filled[name]}
    return Asked("join", {**read.values, **named}, flaw=read.flaw)
