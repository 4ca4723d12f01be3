"""The grammar of what pull requests hold: rule files and their mutations, inbox files, odd names and modes."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.fuzz.comments import ACT_NAME, ARGUMENT_NAMES
from tests.fuzz.inputs import Pull
from tests.fuzz.letters import BLOB, FIELD, LINK, MODULE, ODD_AUTHORS, PROGRAM, escaped
from tests.fuzz.values import MANY_TEXTS, NAMES, PEOPLE, PLAIN, RULE_FILES, TEXTS, WRITTEN, written

PART = {
    "defines": ["game", "player", "rule", "proposal", "kinds", "currencies", "offices", "outcomes", "boards"],
    "actions": ["give", "roll", "fuzz", "propose"],
    "timers": ["strike", "bell", "con"],
    "settings": ["mode", "T-01"],
    "precedence": ["over", "defers_to"],
}
WORDS = sorted(
    "type initial of minimum maximum optional derived summary votable registers owners fill effective who as arguments "
    "travels told despite every weekday day time edge question default name alternatives title rule uid labels text script "
    "examples defines actions timers settings precedence kind scenario steps expect players integer boolean string "
    "choice player thing list map time square any changes".split()
)
WORD = st.one_of(st.sampled_from(WORDS), NAMES)


def block(value: Any, indent: int = 1) -> str:
    """Return nested data as YAML in flow form, which is JSON with odd texts escaped."""
    if isinstance(value, dict):
        inner = "".join(f"\n{'  ' * indent}{escaped(str(k))}: {block(v, indent + 1)}" for k, v in value.items())
        return inner if inner and indent < 9 else "{}"
    if isinstance(value, list):
        return f"[{', '.join(block(each, 9) for each in value)}]"
    return escaped(value) if isinstance(value, str) else written(value)


LEAF = st.one_of(WORD, PLAIN, st.booleans(), st.integers(-1, 9))
TREE = st.recursive(
    LEAF, lambda inner: st.dictionaries(WORD, inner, max_size=3) | st.lists(inner, max_size=2), max_leaves=5
)


@st.composite
def made_rules(draw: st.DrawFn) -> bytes:
    """Return a rule file from the keys of the schema, with values that are right now and then."""
    lines = [f"title: {escaped(draw(st.one_of(st.just('A dragon'), MANY_TEXTS)))}"]
    names = ["text", "labels", "script", "examples", "rule", "uid"]
    parts = draw(st.lists(st.sampled_from(names), unique=True, max_size=3))
    lines += [f"{name}: {draw(FIELD)}" for name in parts]
    for name in draw(st.lists(st.sampled_from(sorted(PART)), unique=True, max_size=2)):
        tree = draw(st.dictionaries(st.one_of(st.sampled_from(PART[name]), WORD), TREE, max_size=3))
        lines.append(f"{name}: {block(tree)}")
    if draw(st.integers(0, 7)) == 0:
        lines.append(f"{escaped(draw(WORD))}: {draw(FIELD)}")
    return "\n".join(lines).encode("utf-8", "surrogatepass") + b"\n"


@st.composite
def mutated_bytes(draw: st.DrawFn) -> bytes:
    """Return a packaged rule file of which some bytes are others."""
    data = bytearray(RULE_FILES[draw(st.sampled_from(sorted(RULE_FILES)))])
    signs = st.sampled_from([b"\n", b"\t", b": ", b"\x00", b"\xff", b"- ", b"'"])
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(data) - 1))
        new = draw(st.one_of(st.binary(max_size=3), signs))
        data[place : place + draw(st.integers(0, 40))] = new
    return bytes(data)


@st.composite
def mutated_lines(draw: st.DrawFn) -> bytes:
    """Return a packaged rule file of which lines were lost, doubled, moved or given another value."""
    lines = RULE_FILES[draw(st.sampled_from(sorted(RULE_FILES)))].decode().splitlines()
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, max(0, len(lines) - 1)))
        head, colon, _ = (lines[place] if lines else "").partition(": ")
        way = draw(st.integers(0, 4))
        if way == 0:
            del lines[place:][:1]
            lines = lines[:place] + lines[place + 1 :]
        elif way == 1:
            lines[place:place] = lines[place : place + draw(st.integers(1, 5))]
        elif way == 2:
            lines[place : place + 1] = [f"{head}: {draw(st.one_of(FIELD, WORD.map(escaped)))}"] if colon else []
        elif way == 3:
            other = RULE_FILES[draw(st.sampled_from(sorted(RULE_FILES)))].decode().splitlines()
            lines[place:place] = other[: draw(st.integers(1, 12))]
        else:
            lines[place:place] = [f"{' ' * draw(st.integers(0, 6))}{draw(WORD.map(escaped))}: {draw(FIELD)}"]
    return "\n".join(lines).encode("utf-8", "surrogatepass") + b"\n"


RULE = st.one_of(
    made_rules(),
    made_rules(),
    mutated_bytes(),
    mutated_lines(),
    mutated_lines(),
    st.sampled_from(sorted(RULE_FILES)).map(lambda name: RULE_FILES[name]),
    st.binary(max_size=40),
    st.builds(lambda t: f"title: A\ntext: {t}\n".encode("utf-8", "surrogatepass"), FIELD),
)


@st.composite
def inbox_files(draw: st.DrawFn) -> bytes:
    """Return a file that asks for an act, rightly or not."""
    done = st.one_of(ACT_NAME.map(escaped), FIELD)
    lines = [f"do: {draw(done)}" if draw(st.booleans()) else f"vote: {draw(FIELD)}"]
    if draw(st.booleans()):
        names = st.one_of(st.sampled_from(ARGUMENT_NAMES), NAMES)
        lines.append(f"args: {block(draw(st.dictionaries(names, st.one_of(LEAF, PLAIN), max_size=3)))}")
    beside = ["as", "by", "with", "proposal", "motion", "reason"]
    parts = draw(st.lists(st.sampled_from(beside), unique=True, max_size=2))
    lines += [f"{name}: {draw(st.one_of(FIELD, NAMES.map(escaped), WRITTEN))}" for name in parts]
    if draw(st.integers(0, 6)) == 0:
        lines.append(f"{escaped(draw(WORD))}: {draw(FIELD)}")
    return "\n".join(lines).encode("utf-8", "surrogatepass") + b"\n"


STEMS = [
    "x", "dragon", "1", "2", "3", "X", "Dragon", "con", "nul.x", "1 2", "a.b", "é", "ſ", "-x", "x.", "..", "a" * 200,
]  # fmt: skip
STEM = st.one_of(st.sampled_from(STEMS), TEXTS)
ENDING = st.sampled_from([".yaml", ".yaml", ".yaml", ".yml", ".YAML", "", ".yaml.yaml"])
FOLDER = st.sampled_from(
    ["rules"] * 6 + ["inbox"] * 3 + ["Rules", "rules/a/b/c/d/e", "journal/000", "things", ".", "inbox/.git"]
)


def _path(folder: str, stem: str, ending: str) -> str:
    parts = [part for part in f"{folder}/{stem}{ending}".split("/") if part not in ("", ".", "..")]
    return "/".join(parts).replace("\x00", "0") or "rules/x.yaml"


PATH = st.builds(_path, FOLDER, STEM, ENDING)
GOOD_PATH = st.sampled_from(["rules/dragon.yaml", "rules/x.yaml", "rules/1.yaml", "rules/2.yaml", "rules/3.yaml"])
OUTSIDE = st.sampled_from(
    ["/README.md", "/state/fen/rules/x.yaml", "/State/moor/rules/x.yaml", "/.gitattributes", "/mkdocs.yml"]
)


@st.composite
def pulls(draw: st.DrawFn) -> Pull:
    """Return a pull request of a few files, most of which lie where they should."""
    held: dict[str, bytes | None] = {}
    for _ in range(draw(st.sampled_from([1, 1, 1, 2, 3]))):
        kind = draw(st.integers(0, 9))
        if kind < 5:
            held[draw(st.one_of(GOOD_PATH, GOOD_PATH, PATH))] = draw(st.one_of(RULE, RULE, st.none()))
        elif kind < 9:
            name = draw(st.one_of(st.just("inbox/x.yaml"), st.just("inbox/y.yaml"), PATH))
            held[name] = draw(inbox_files())
        else:
            held[draw(OUTSIDE)] = draw(RULE)
    nodes: dict[str, tuple[int, bytes]] = {}
    if draw(st.integers(0, 9)) == 0:
        nodes[draw(st.one_of(GOOD_PATH, PATH))] = (draw(st.sampled_from([LINK, MODULE, PROGRAM, BLOB])), b"/etc/passwd")
    title = draw(st.one_of(st.just("A change"), MANY_TEXTS))
    who = draw(st.sampled_from([*PEOPLE, "mallory"]))
    voted, author, below = draw(st.booleans()), draw(st.sampled_from([b""] * 20 + ODD_AUTHORS)), draw(st.booleans())
    return Pull(who, title, held, nodes, voted, author, below)


CONTENTS = pulls()
