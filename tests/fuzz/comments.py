"""The grammar of what people say: comments with commands, and Markdown around them; reviews."""

from __future__ import annotations

from hypothesis import strategies as st

from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from tests.fuzz.inputs import Say
from tests.fuzz.values import ACTIONS, MANY_TEXTS, NAMES, PEOPLE, STRANGERS, TEXTS, WRITTEN

WHO = st.sampled_from([*PEOPLE * 3, *STRANGERS])
WHERE = st.sampled_from([1, 1, 0])
MOVES_THE_GAME = ("use_forge", "change_forge")
"""What administrators may do after which this forge is rightly not heard any more; others may try it."""
KNOWN = {**ACTIONS, **KERNEL_DECLARATIONS}
ACTION_NAMES = sorted(KNOWN)
ARGUMENT_NAMES = sorted({name for each in KNOWN.values() for name in each.get("arguments") or {}})


def _mistyped(word: str, place: int) -> str:
    return (
        word[:place] + word[place + 1 :] if place % 2 else f"{word[:place]}{word[place : place + 1] * 2}{word[place:]}"
    )


def quoted(word: str, way: int) -> str:
    """Return a word as people quote it, rightly or not."""
    return [word, f"'{word}'", f'"{word}"', f'"{word}', f"\\{word}", f"`{word}`"][way]


ACT_NAME = st.one_of(
    st.sampled_from(ACTION_NAMES),
    st.sampled_from(ACTION_NAMES),
    st.builds(_mistyped, st.sampled_from(ACTION_NAMES), st.integers(0, 9)),
    TEXTS,
)
VALUE = st.one_of(st.sampled_from(["ann", "bob", "1", "3", "301", "for", "x", "true"]), NAMES, WRITTEN, MANY_TEXTS)
PAIR = st.builds(
    lambda name, value, way: f"{name}={quoted(value, way)}",
    st.one_of(st.sampled_from([*ARGUMENT_NAMES, "as"]), TEXTS),
    VALUE,
    st.integers(0, 5),
)


@st.composite
def acts(draw: st.DrawFn) -> str:
    """Return an act with the arguments it is declared with, most of them, and some that it is not."""
    name = draw(ACT_NAME)
    declared = list((KNOWN.get(name) or {}).get("arguments") or {})
    words = [f"{each}={quoted(draw(VALUE), draw(st.integers(0, 5)))}" for each in declared if draw(st.integers(0, 4))]
    words += draw(st.lists(PAIR, max_size=1 if words else 2))
    opening = draw(st.sampled_from(["/do ", "/do ", "/", "/DO ", "/do  "]))
    return " ".join([f"{opening}{name}", *words])


VOTE = st.builds(
    lambda name, choice, rest: f"/{name} {choice} {rest}",
    st.sampled_from(["vote", "vote", "Vote", "vot"]),
    st.one_of(st.sampled_from(["for", "against", "abstain", "for:", "FOR", "fro", "yes"]), VALUE),
    st.one_of(st.just(""), PAIR, st.builds("because {}".format, MANY_TEXTS)),
)
OTHER = st.builds(
    lambda name, rest: f"/{name} {rest}",
    st.sampled_from(["help", "rule", "game", "ignore", "propose", "withdraw", "join", "state", "give", "roll"]),
    st.one_of(st.just(""), VALUE, PAIR),
)
COMMAND = st.one_of(acts(), acts(), VOTE, OTHER)
AROUND = st.sampled_from(
    ["{}", "{}", "{}", "{}", "> {}", "```\n{}\n```", "<!--\n{}\n-->", "    {}", "- {}", "text\n{}", "{}\r\n", "<pre>\n{}",
     "~~~\n{}", "{}\n\n---\n", "**{}**", "\u200b{}", "<details>\n\n{}\n\n</details>", "|a|\n|-|\n|{}|", "{}\u2028/vote for"]
)  # fmt: skip
LINE = st.one_of(
    st.builds(lambda around, command: around.replace("{}", command), AROUND, COMMAND),
    st.builds(lambda around, command: around.replace("{}", command), AROUND, COMMAND),
    MANY_TEXTS,
)
BODY = st.lists(LINE, min_size=1, max_size=4).map("\n".join)
ADDRESSED = st.sampled_from(["/game moor\n", "/game moor\n", "/game moor\n", "", "/game nowhere\n", "/game fen\n"])


def _say(person: str, where: int, kind: str, body: str, addressed: str) -> Say:
    if person == "ann":  # an administrator may; what comes of it is another story
        for name in MOVES_THE_GAME:
            body = body.replace(name, "use_nothing")
    return Say(person, where, (addressed if where == 0 else "") + body, kind if where else "comment")


SAYINGS = st.builds(
    _say, WHO, WHERE, st.sampled_from(["comment"] * 5 + ["approve", "request_changes"]), BODY, ADDRESSED
)
