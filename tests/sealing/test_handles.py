"""What stands for a sealed value says nothing of it: what can be refused of it is refused, and no order is told."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.sealed_law import SECRET
from tests.support.table import VOTING, Table, effects, rule, script

REFUSED = """h + 1|1 + h|h + g|h - g|-h|h * 2|h % 2|h // 2|h < g|h < 3|h >= g|sorted([g, h])|max(h, g)|min([g, h])|h()|h[0]
h[0:1]|0 in h|[x for x in h]|len(h)|"%d" % h|"x" + h|int(h)|list(h)|dict(h)|any(h)|enumerate(h)|(h, 1) < (g, 1)
sorted([1, 2], key = lambda n: h if n == 1 else g)|roll(h)|announce(h)|award("ann", "score", h)|put("game", "n", h)
add("game", "n", h)|get("game", h)|get(h, "n")|things(h)|range(h)|h & g|[1] * h|now() + h|h.value""".replace("\n", "|")
WHICH = {
    "h == h": True, "h == cards[0]": True, "h == g": False, "h != g": True, "h == 8": False, "h == [8]": False, "h in cards": True,
    "h in [g, 7, 8, 9]": False, "[h] == [g]": False, "bool(h)": True, "not h": False, "cards.index(g)": 1, "{h: 5}[cards[0]]": 5,
}  # fmt: skip
MADE_OF_IT = (
    "type(h)",
    "h == None",
    "len(cards)",
    "1 if cards else 2",
    "str(h)",
    "dir(h)",
    '"%s" % [h]',
    'f"{h}"',
    *WHICH,
)


def said(expression: str, order: list[int]) -> Any:
    """Return what a script makes of two sealed values: what it announces, or the code of why it failed."""
    body = f"""
    def do_go(a):
        cards = shuffle_sealed([7, 8, 9])
        h, g = cards[0], cards[1]
        announce("%s" % [{expression}])
    """
    defines = {"game": {"n": {"type": "integer"}}, "currencies": {"score": {}}}
    table = Table(rule("1", body, defines=defines, actions={"go": {}}))
    outcome = table.act("ann", "go", dice=[order])
    told = [each["text"] for each in effects(outcome, "announce")]
    return [failure.get("code") for failure in outcome.failures] or told


@pytest.mark.threat("T-82")
@pytest.mark.parametrize("expression", REFUSED.split("|"))
def test_what_can_be_refused_is_refused(expression: str) -> None:
    assert said(expression, [0, 1, 2]) == ["E-SEALED"]


@pytest.mark.threat("T-82")
@pytest.mark.parametrize("expression", MADE_OF_IT)
def test_what_cannot_be_refused_is_the_same_whatever_is_sealed(expression: str) -> None:
    found = [said(expression, order) for order in ([0, 1, 2], [2, 1, 0])]
    assert found[0] == found[1]


@pytest.mark.parametrize("expression", WHICH)
def test_comparing_compares_which_one_it_is(expression: str) -> None:
    assert said(expression, [0, 1, 2]) == [f"[{WHICH[expression]}]"]


FORGED = 'struct(**{"$sealed": 1})'
USES = ("reveal(%s)", "declassify(%s, 'why')", "sealed('same', %s)", "put('cid', 'hand', %s)", "disclose(%s, 'cid')")


@pytest.mark.threat("T-88")
@pytest.mark.parametrize("use", USES)
def test_no_rule_opens_a_ballot_before_the_count_or_hands_it_on(use: str) -> None:
    """A script can say the number of a ballot although no rule is given what stands for it."""
    prying = rule(
        "3",
        f"def same(x):\n    return x\n\ndef do_pry(a):\n    {use % FORGED}\n",
        sealed={"same": "The same"},
        defines={"player": {"hand": {"type": "any", "sealed": "owner"}}},
        actions={"pry": {}},
    )
    table = Table(VOTING, SECRET, prying)
    number = table.propose("ann", {"enact": {"title": "Tea", "text": "Tea is served."}})
    table.ok("ann", "vote", proposal=number, choice="against")
    outcome = table.act("cid", "pry")
    assert "against" not in str(table.entries[-1])
    assert [each for each in outcome.confided if "cid" in each["to"]] == []
    assert effects(outcome, "disclose") == []


def test_what_was_drawn_and_undone_is_not_drawn_again() -> None:
    """A rule shows what it drew and fails; an older revision of it then draws for the same act."""
    text = """
    def do_deal(a):
        cards = shuffle_sealed(["a", "b", "c", "d"])
        put("game", "vault", cards)
        %s
    """
    vault = {"game": {"vault": {"type": "list", "sealed": "nobody"}}}
    table = Table(rule("1", text % "pass", defines=vault, actions={"deal": {}}), VOTING)
    table.adopt({"amend": "1", "script": script(text % "return [reveal(cards)][1]")})
    outcome = table.ok("ann", "deal")
    assert len([each for each in outcome.sealed if "opened" in each]) == 4
    assert [each["seed"] for each in outcome.sealed if "seed" in each] == [1, 2]
    table.replay_all()
