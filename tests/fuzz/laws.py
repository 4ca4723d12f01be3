"""The grammar of rules that are adopted: scripts that call every host function with what they expect, and with more."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import strategies as st

from folkmoot.kernel.host import HOST
from folkmoot.language.declarations import Declaration, catalogue, library, library_modules, library_names
from tests.fuzz.contents import block
from tests.fuzz.inputs import Input, Pull, Say, Wait
from tests.fuzz.letters import escaped
from tests.fuzz.values import ODD_TEXTS

HOSTS = sorted(name for name in HOST.words if not name.endswith("__"))
EVENTS = sorted(name.removeprefix("on_") for name in catalogue("events") if not name.endswith("REGISTER"))
QUESTIONS = sorted(name.removeprefix("decide_") for name in catalogue("questions"))
BLOCKS = ("heading", "paragraph", "table", "board", "chart", "log", "history", "frames")
TIMES = st.sampled_from(["now() + 1", "now()", "0", "now() + 60", "2000000000", "-1", "10000000000000"])


def text(value: str) -> str:
    r"""Return a text as a literal of the law language, which knows halves of characters as little as files do."""
    whole = value.encode("utf-8", "replace").decode()
    written = (c if c not in '"\\' and c >= " " else f"\\{ord(c):03o}" if c < " " else f"\\{c}" for c in whole)
    return f'"{"".join(written)}"'


ORDINARY: dict[str, list[str]] = {
    "owner": ['"game"', '"ann"', '"bob"', '"fuzz-1"', 'rule("1")', "me()", 'office("scribe")', "proposal(301)"],
    "name": ['"score"', '"tally"', '"notes"', '"title"', '"at"', '"next_number"', '"holder"', '"handles"', '"since"'],
    "to": ['"ann"', '"bob"', '"game"'],
    "giver": ['"ann"', '"bob"'],
    "player": ['"ann"', '"bob"', '"dee"', '["ann", "bob"]'],
    "by": ['"ann"', '"bob"', "now() + 60"],
    "currency": ['"score"', '"luck"'],
    "amount": ["1", "-1", "1000"],
    "kind": ['"player"', '"stone"', '"proposal"', '"award"', '"gift"'],
    "id": ['"fuzz-1"', '"ann"', "None", '"con"'],
    "rule": ['rule("1")', '"2"', "me()", 'rule("3")', '"301"'],
    "ref": ['"1"', '"301"', "me()"],
    "proposal": ["proposal(301)", "proposals()[0]", "301"],
    "number": ["301", '"301"', '"77"', "None", '"ask"'],
    "state": ['"open"', "None", '"pending"'],
    "changes": ['[{"repeal": "3"}]', '[{"enact": {"title": "x", "text": "y"}}]', "[]"],
    "requests": ["[]", '[{"give": {"to": "ann"}}]'],
    "choice": ['"for"', '"against"'],
    "outcome": ['"adopted"', '"defeated"', '"withdrawn"'],
    "event": ['"noise"', '"acted"'],
    "question": ['"mover"', '"electorate"', '"fuzz"'],
    "action": ['"give"', '"roll"', '"fuzz"', '"vote"', '"pause"', '"state"', '"add_key"', '"repair"', '"leave"'],
    "args": ["{}", '{"to": "bob", "amount": 1}', '{"text": "hi"}', '{"mentions": "off"}'],
    "timer": ['"bell"', '"strike"'],
    "key": ['"bell"', "None", '"k"'],
    "seconds": ["1", "60", "86400", "0", "3600"],
    "sides": ["6", "1", "0"],
    "count": ["None", "3"],
    "items": ["[1, 2]", 'things("player")', "[]"],
    "title": ['"A title"'],
    "text": ['"Some text"'],
    "columns": ['["a", "b"]'],
    "rows": ['[[1, "x"]]', "[]"],
    "grid": ['{"rows": 2, "columns": 2}', '{"areas": {"A": {"x": 1, "y": 2, "adj": []}}}', 'declared_board("go")', "5"],
    "pieces": ['[{"at": "a1", "label": "x", "owner": "ann"}]', '[struct(at = "a1", label = "x", owner = "ann")]'],
    "zones": ['{"a1": "home"}'],
    "series": ['{"ann": [[1, 2], [3, 4]]}', '[["ann", [[1, 2]]]]'],
    "lines": ['["a", "b"]'],
    "pages": ['[struct(title = "1", blocks = [heading("x")])]'],
    "register": ['"score"'],
    "when": ["now() + 5"],
    "condition": ["True", "False"],
    "code": ['"E-STATUS"'],
    "thing": ['"fuzz-1"', '"ann"'],
    "amounts": ['[["ann", 1], ["bob", 2]]'],
    "as_of": ["None", "proposal(301)", "1"],
    "label": ['"x"'],
}
ANY_ORDINARY = [each for some in ORDINARY.values() for each in some]
EXTRAORDINARY = [
    *map(text, ODD_TEXTS),
    "None", "True", "[]", "{}", "()", "-1", "0", "struct()", "len", "fuzz", "lambda: 1", "struct(refused = 1)",
    "1 << 3", "10000000000 * 10000000000", '"k" * 3000', '"x" * 100000', '{"k" * 3000: 1}', "{1: 2}", "{None: 1}",
    "[[]] * 1000", "range(5)", "(1, 2)", "[range(3)]", "deep(45)", "deep(20)", "deep(200)", "[deep(45)]",
    "big(300)", "big(20)", "-big(12)", '{"a": big(200)}', "struct(uid = 1, number = 2)", 'struct(id = "proposal/301", submitted_at = 1)',
    'struct(uid = "1", number = {})', "struct(office = 5)", '{"$": 1}', '{"$": 4, "uid": "1"}', '{"$int": "9"}', '{"$int": 5}',
    '"\\001[1]"', "cause()", "rules()", "proposals()", 'things("player")', "[now()] * 5000", '{"a": 1, "b": {"c": [None, True]}}',
    '["a"] * 20000', "bytes([1])", 'b"x"', "dir", "set([1])",
]  # fmt: skip


@st.composite
def arguments(draw: st.DrawFn, parameter: str) -> str:
    """Return an expression for a parameter: one of its own domain, else anything."""
    own = ORDINARY.get(parameter)
    if own and draw(st.integers(0, 3)):
        return draw(st.sampled_from(own))
    if draw(st.integers(0, 4)) == 0:
        return draw(st.sampled_from(ANY_ORDINARY))
    return draw(st.sampled_from(EXTRAORDINARY))


@st.composite
def calls(draw: st.DrawFn, name: str, declared: Declaration | None = None) -> str:
    """Return a call of a host function, with arguments left out, given by name, or too many now and then."""
    made = declared or HOST.words[name]
    words = []
    for parameter in [part.strip() for part in made.parameters.split(",") if part.strip()]:
        plain = re.split(r"[:=]", parameter)[0].strip()
        if plain.startswith("**"):
            extra = draw(st.sampled_from("at tally key text number examples script defines handles".split()))
            words += [f"{extra} = {draw(arguments(extra))}"] if draw(st.booleans()) else []
        elif plain.startswith("*"):
            words += [draw(arguments("value")) for _ in range(draw(st.integers(0, 3)))]
        elif "=" in parameter:
            words += [f"{plain} = {draw(arguments(plain))}"] if draw(st.booleans()) else []
        else:
            words.append(draw(arguments(plain)))
    return f"{name}({', '.join(words)})"


CALL = st.sampled_from(HOSTS).flatmap(calls)
SHOWN = st.sampled_from(BLOCKS).flatmap(calls)


@st.composite
def library_calls(draw: st.DrawFn) -> tuple[str, str]:
    """Return what to load, and a call of it."""
    module = draw(st.sampled_from(library_modules()))
    declared = library(module)
    name = draw(st.sampled_from(sorted(set(declared) & library_names(module))))
    return f'load("{module}", "{name}")', draw(calls(name, declared[name]))


@st.composite
def statements(draw: st.DrawFn) -> list[str]:
    """Return the lines of a body."""
    lines = draw(st.lists(st.one_of(CALL, CALL, CALL.map("x = {}".format)), min_size=1, max_size=4))
    shape = draw(st.integers(0, 9))
    if shape == 0:
        return ["for i in range(200):", *(f"    {line}" for line in lines)]
    if shape == 1:
        return [*lines, f"return {draw(CALL)}"]
    return lines


HEARD = ["acted", "stated", "bell", "strike", "noise", "changed_score"]
ANSWERS = ["decide_fuzz(*a)", "forbid(a)", "forbid_give(a)", "permit_give(a)", "adjust_award(a)", "adjust_score(a)"]
HOOK = st.one_of(
    st.just("do_fuzz(a)"),
    st.just("do_fuzz(a)"),
    st.sampled_from(EVENTS).map("on_{}(e)".format),
    st.sampled_from(HEARD).map("on_{}(e)".format),
    st.sampled_from(QUESTIONS).map("decide_{}(*a)".format),
    st.sampled_from(ANSWERS),
)
HELPERS = """def deep(n):
    v = 1
    for i in range(n):
        v = [v] if i % 2 else {"a": v}
    return v

def big(n):
    v = 1
    for i in range(n):
        v = v * 1000000000000
    return v

def fuzz(*a):
    return 1
"""


@st.composite
def scripts(draw: st.DrawFn) -> str:
    """Return a script of some hooks and pages."""
    loads, hooks = [], []
    for hook in draw(st.lists(HOOK, min_size=1, max_size=3, unique=True)):
        body = draw(statements())
        if hook.startswith(("decide_", "forbid", "permit", "adjust")):
            body = [*body[:1], f"return {draw(st.one_of(CALL, arguments('value'), arguments('choice')))}"]
        hooks.append((hook, body))
    for _ in range(draw(st.sampled_from([0, 0, 1, 2]))):
        page = draw(st.sampled_from(["scores", "board", "con", "index", "journal", "x" * 80]))
        blocks = draw(st.lists(st.one_of(SHOWN, SHOWN, SHOWN, arguments("blocks")), max_size=3))
        hooks.append((f"show_{page}()", [f"return [{', '.join(blocks)}]"]))
    if draw(st.integers(0, 4)) == 0:
        load, call = draw(library_calls())
        loads.append(load)
        hooks.append(("on_stated(e)", [f"announce(str({call}))"]))
    if draw(st.integers(0, 14)) == 0:
        loads.append(f"top = {draw(st.one_of(CALL, arguments('value')))}")
    chosen = dict(hooks)
    text = "\n\n".join("\n    ".join([f"def {hook}:", *body]) for hook, body in chosen.items())
    return "\n".join([*loads, HELPERS, text]) + "\n"


TIMERS = st.sampled_from([
    {"bell": {}},
    {"bell": {"edge": "start"}, "strike": {"every": "day"}},
    {"bell": {"every": "hour"}},
    {"strike": {"every": "month", "day": 31, "time": "23:59"}},
])  # fmt: skip
DEFINES: dict[str, Any] = {
    "game": {"tally": {"type": "integer"}, "notes": {"type": "list", "optional": True}, "mood": {"type": "map", "optional": True}},
    "player": {"tally": {"type": "integer", "minimum": 0, "maximum": 9}},
    "kinds": {"stone": {"registers": {"at": {"type": "square", "optional": True}, "tally": {"type": "integer"}}}, "motion": {"votable": True}},
    "offices": {"scribe": {}},
    "boards": {"go": {"rows": 9, "columns": 9}},
}  # fmt: skip


@st.composite
def rule_files(draw: st.DrawFn) -> bytes:
    """Return a rule file with a script."""
    script = draw(scripts())
    lines = ["title: Fuzz", "text: Some text.", f"timers: {block(draw(TIMERS))}", f"defines: {block(DEFINES)}"]
    lines.append(f"actions: {block({'fuzz': {'arguments': {'a': {'type': 'any', 'optional': True}}}})}")
    if draw(st.booleans()):
        lines += ["script: |", *(f"  {line}" if line else "" for line in script.split("\n"))]
    else:
        lines.append(f"script: {escaped(script)}")
    return "\n".join(lines).encode() + b"\n"


AFTERWARDS: st.SearchStrategy[Input] = st.one_of(
    st.builds(lambda who, args: Say(who, 0, f"/game moor\n/do fuzz {args}"), st.sampled_from(["ann", "bob"]),
              st.sampled_from(["", "a=1", "a=[1,2]", 'a="x y"'])),
    st.builds(lambda who: Say(who, 0, "/game moor\n/do give to=cid amount=1"), st.sampled_from(["ann", "bob"])),
    st.just(Say("cid", 0, "/game moor\n/do state text=hello")),
    st.just(Say("bob", 0, "/game moor\n/do roll")),
    st.just(Say("mallory", 0, "/game moor\n/join")),
    st.sampled_from([Wait(1), Wait(3_700), Wait(90_000), Wait(86_400 * 40)]),
    st.sampled_from([Say("ann", 0, "/game moor\n/do pause"), Say("ann", 0, "/game moor\n/do suspend rule=301")]),
)  # fmt: skip


@st.composite
def lawful_runs(draw: st.DrawFn) -> tuple[tuple[Input, ...], ...]:
    """Return a rule that is voted in, or two, and what is done under it."""
    files: dict[str, bytes | None] = {"rules/fuzz.yaml": draw(rule_files())}
    if draw(st.integers(0, 4)) == 0:
        files["rules/more.yaml"] = draw(rule_files())
    adopted: tuple[Input, ...] = (Pull("bob", "Fuzz", files, voted=True),)
    later = draw(st.lists(st.lists(AFTERWARDS, min_size=1, max_size=3).map(tuple), min_size=1, max_size=3))
    return adopted, *later


LAWFUL = lawful_runs()
