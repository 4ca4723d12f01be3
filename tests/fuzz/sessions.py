"""The grammar of what programs put before a session: names, arguments and ways of any kind."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from tests.fuzz.comments import ARGUMENT_NAMES
from tests.fuzz.inputs import Act, Wait
from tests.fuzz.values import NAMES, PEOPLE, PLAIN, TEXTS

DONE = sorted(
    {*KERNEL_DECLARATIONS, "give", "roll", "leave", "withdraw", "propose", "found", "tick"}
    - {"use_forge", "change_forge"}
)
FITTING: dict[str, Any] = {
    "seq": [1, 0, 2, -1, 999, "1", 2**70],
    "path": ["with.text", "with", "with.title", "with.rules.0.text", "", ".", "with..x", "seq", "prev", "effects"],
    "changes": [
        [{"repeal": "3"}],
        [{"enact": {"title": "x", "text": "y"}}],
        [{"amend": "2", "script": "def"}],
        [{}],
        [5],
    ],
    "versions": [{}, {"folkmoot": "0"}, {"python": 3}],
    "hours": [0, 24, 721, -1],
    "mentions": ["all", "off", "none"],
    "of": ["ann", "game", "settings", "rule/1", "office/x", "proposal/301", "x/y"],
    "to": ["bob", 5, None, "x"],
    "key": ["ssh-ed25519 AAAA", "x", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPHYSICAL"],
    "commitment": ["0" * 64, "x"],
    "secret": ["0" * 64, "x"],
    "mood": [1],
    "amount": [1, -1, 10**30],
    "timer": ["strike", "x"],
}


@st.composite
def acts(draw: st.DrawFn) -> Act:
    """Return an act, most of whose arguments are those that it is declared with."""
    do = draw(st.one_of(st.sampled_from(DONE), st.sampled_from(DONE), TEXTS))
    declared = list((KERNEL_DECLARATIONS.get(do) or {}).get("arguments") or {})
    args: dict[Any, Any] = {}
    for name in declared + draw(st.lists(st.one_of(st.sampled_from(ARGUMENT_NAMES), TEXTS), max_size=1)):
        if draw(st.integers(0, 4)):
            fitting = st.sampled_from(FITTING[name]) if name in FITTING else NAMES
            args[name] = draw(st.one_of(fitting, fitting, PLAIN))
    by = draw(st.one_of(st.sampled_from(["ann", "ann", *PEOPLE]), st.none(), NAMES))
    as_ = draw(st.one_of(st.none(), st.none(), st.none(), NAMES))
    way = {
        "forge": "local",
        "pull": draw(st.integers(0, 3)),
        "fact": draw(st.sampled_from(["ab", "cd/1"])),
        "arrived": 1,
    }
    via = draw(st.one_of(st.none(), st.just(way)))
    return Act(by, do, args, as_, via)


ACTS = st.lists(
    st.one_of(acts(), acts(), acts(), acts(), st.sampled_from([Wait(1), Wait(90_000)])), min_size=1, max_size=8
)
