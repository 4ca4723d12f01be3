"""The grammar of letters made by hand: malformed YAML, wrong writers, signatures and trees."""

from __future__ import annotations

from typing import get_args

from hypothesis import strategies as st

from folkmoot.forges.local.letters import Kind, Letter
from tests.fuzz.comments import BODY
from tests.fuzz.inputs import Raw
from tests.fuzz.values import MANY_TEXTS, PEOPLE, PLAIN, TEXTS, WRITTEN, written

BLOB, PROGRAM, LINK, MODULE = 0o100644, 0o100755, 0o120000, 0o160000
MAILS = [*[f"{who.capitalize()} <{who}@x.org>" for who in PEOPLE], "Mallory <mallory@evil.org>"]
ODD_MAILS = ["X <>", "<@>", "ann <ANN@X.ORG>", "a\u202eb <bob@x.org>", "ann@x.org <ann @x.org>", "Ann <ann@x.org\n>"]


def escaped(text: str) -> str:
    r"""Return a text as YAML in double quotes, halves of characters too.

    >>> escaped('a"\ud800')
    '"a\\"\\ud800"'
    """
    return '"' + "".join(map(_escape, text)) + '"'


def _escape(character: str) -> str:
    number = ord(character)
    if character in '"\\':
        return f"\\{character}"
    if " " <= character <= "~":
        return character
    return f"\\U{number:08x}" if number > 0xFFFF else f"\\u{number:04x}"


ODD_AUTHORS = [
    b"Ann <ann@x.org> 99999999999999999999 +9999",
    b"Ann",
    b"",
    b"\xff <ann@x.org> 1 +0000",
    b"<@> -1 -0",
    b"Bob <bob@x.org>\nauthor Ann <ann@x.org> 1 +0000",
]
"""What commits may name as their author, though no git would make such ones."""
ODD_ESCAPES = ["\\UFFFFFFFF", "\\U00110000", "\\ud800", "\\x00", "\\0", "\\q", "\\N", "\\u12"]
FIELD = st.one_of(
    MANY_TEXTS.map(escaped),
    BODY.map(escaped),
    WRITTEN,
    PLAIN.map(written),
    st.sampled_from([f'"{odd}"' for odd in ODD_ESCAPES]),
    st.sampled_from(["1", "0", "-1", "99999999999999999999", "!!python/object:x {}", "&a [*a]", "*x", "2026-01-01"]),
    st.sampled_from(["0" * 40, "f" * 40, "f" * 64]),
)
NAME = st.one_of(st.sampled_from(["pull", "kind", "head", "seen", "body"]), TEXTS.map(escaped))


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Return what may be the file of a letter."""
    if draw(st.integers(0, 3)) == 0:
        return draw(st.one_of(st.binary(max_size=60), MANY_TEXTS.map(lambda t: t.encode("utf-8", "surrogatepass"))))
    given = {"pull": draw(st.sampled_from(["0", "1", "1", "2", "7"])), "kind": draw(st.sampled_from(get_args(Kind)))}
    if draw(st.booleans()):
        given["body"] = escaped(draw(BODY))
    if given["kind"] in ("approve", "request_changes"):
        given["head"] = "HEAD1"
    for name in draw(st.lists(NAME, max_size=2)):
        given[name] = draw(FIELD)
    lines = [f"{name}: {value}" for name, value in given.items()]
    if draw(st.integers(0, 6)) == 0:
        lines.insert(
            draw(st.integers(0, len(lines))), draw(st.sampled_from(["\t", "- a", "---", "...", "pull: 1", "a: {"]))
        )
    return "\n".join(lines).encode("utf-8", "surrogatepass") + b"\n"


@st.composite
def raw_letters(draw: st.DrawFn) -> Raw:
    """Return a commit in somebody's chain, or somebody else's."""
    author = draw(st.sampled_from([*MAILS, *MAILS, *ODD_MAILS]))
    chain = draw(st.one_of(st.just("own"), st.just("own"), st.sampled_from(["dee", "x/y", "con", "a" * 200])))
    mode = draw(st.sampled_from([BLOB] * 12 + [PROGRAM, LINK, MODULE]))
    held = {"letter.yaml": (mode, draw(files()))}
    odd = draw(st.integers(0, 14))
    if odd == 0:
        held[draw(st.sampled_from(["a", "letter.YAML", "x/y"]))] = (BLOB, b"x")
    elif odd == 1:
        held = {f"file-{n}": (BLOB, b"") for n in range(draw(st.sampled_from([0, 1, 2_000])))}
    elif odd == 2:
        held = {"letter.yaml": (BLOB, b"body: x\n" * 20_000)}
    return Raw(
        author,
        chain,
        held,
        message=draw(st.sampled_from(["comment", "", "x" * 100_000, "\x00"])),
        parents=draw(st.sampled_from([1, 1, 1, 1, 0, 2])),
        signature=draw(
            st.sampled_from([""] * 6 + ["-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----", "x"])
        ),
        raw_author=draw(st.sampled_from([b""] * 12 + ODD_AUTHORS)),
    )


LETTERS = raw_letters()


def plain_letter(person: str, where: int, body: str, kind: str, head: str) -> bytes:
    """Return an ordinary letter as bytes, whatever its body holds."""
    made = Letter(pull=where, kind=kind, head=head, body="@")  # type: ignore[arg-type]
    text = made.as_file()
    assert text.count('"@"') == 1, text
    return text.replace('"@"', escaped(body)).encode()
