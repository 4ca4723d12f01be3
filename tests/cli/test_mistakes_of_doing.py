"""Twenty mistakes of those who act, vote and propose: each is told with what to type, and nothing is sent.

They are those of `test_mistakes` that trying before sending finds, and those of the words of these commands.
"""

from __future__ import annotations

import re

import pytest
from msgspec import Struct

from tests.support.gathering import TEA, Gathering
from tests.support.moot import Moot
from tests.support.slips import withdrawn

EXAMPLE = "examples:\n  - {scenario: It pays, steps: [], expect: [{player: ann, score: 5}]}\n"


class Slip(Struct, frozen=True):
    """What bob types at a table where ann's proposal of tea is debated, the exit code, and what is said."""

    words: str
    wanted: tuple[str, ...]
    code: int = 3


SLIPS = (
    Slip("act finalise", ("rule 111: “you have no proposal that is being debated”", "[E-ORDER]", "--anyway")),
    Slip("act finalise porposal=301", ("takes no argument porposal, did you mean proposal?",)),
    Slip("act notify mentions=of", ("mentions is one of (all, reminders, off); did you mean off?",)),
    Slip("act remind hours=many", ("hours is a whole number, and 'many' is none",)),
    Slip("act remind hours=3", ("[E-NOT-ADMINISTRATOR]",)),
    Slip("act join id=ann", ("you are bob in this game already", "[E-DUP]")),
    Slip("act state x + finalise", ("As the game stands here", "no proposal that is being debated")),
    Slip("act state x + finalize", ("did you mean finalise?",), 1),
    Slip("act state one two", ("means nothing here", 'moot act state "…"'), 2),
    Slip("act vote choice=for proposal=310", ("310", "Nothing was sent")),
    Slip("act admit player=zed attributes=tall", ("tall is not read as a map", 'write it as {"ann": 5}'), 1),
    Slip("vote 302 for", ("there is no pull request 302", "open: 1 (Tea)"), 1),
    Slip("vote --proposal 301 for", ("the vote on proposal 301 is not open yet", "--anyway")),
    Slip("vote for", ("No vote is open", "`moot vote 1 for` (Tea)"), 2),
    Slip("act vote choice=for choice=against", ("choice is given twice: as 'for' and as 'against'",), 2),
    Slip("act state x +", ("A + stands between two acts",), 2),
    Slip("act + finalise", ("A + stands between two acts",), 2),
    Slip("comment --on 1 /vote for proposal=301 proposal=302", ("proposal is given twice",)),
    Slip("propose --rule tea.yaml --do dance", ("no action dance takes rule-changes", "Nothing was sent."), 1),
    Slip("try tea.yaml --show scroes", ("there are turn, scores",), 2),
    Slip("try", ("moot try 7", "moot try tea.yaml"), 1),
    Slip("init --forge github --home https://git.example/a/b", ("is played on plain git", "moot init --move --forge github --home https://git.example/a/b"), 1),
    Slip("log --by bbo", ("nobody here is called bbo", "did you mean bob?"), 1),
    Slip("log --pull-request 99", ("there is no pull request 99", "open: 1 (Tea)"), 1),
    Slip("show 0", ("there is no pull request 0", "open: 1 (Tea)"), 1),
    Slip("show --open 99", ("there is no pull request 99", "open: 1 (Tea)"), 1),
    Slip("status --wait --timeout soon", ("'soon' is no number of seconds, such as 60",), 2),
    Slip("status --wait --timeout nan", ("'nan' is no number of seconds",), 2),
    Slip("explain ballot 301", ("`moot explain ballot 305 ann`",), 2),
    Slip("explain proposal 99", ("there is no proposal 99", "`moot log`"), 1),
    Slip("explain setting compond", ("did you mean `compound`?",), 1),
    Slip("explain office judge", ("`moot explain office/judge holder`",), 1),
    Slip("new x -p ann,surname=A,surname=B", ("surname is given twice",), 2),
    Slip("new x -p ann,email=ann", ("'ann' is no e-mail address of ann", "ann,email=ann@example.org"), 1),
    Slip("new x -p ann,email=a@x.org -p bob,email=A@x.org", ("ann and bob have the same address, a@x.org",), 1),
    Slip("init --pin 0.9.0 --check", ("it takes no engine",), 2),
    Slip("vote 1 fro", ("did you mean for?",), 1),
    Slip("vote 1 for --proposal 309", ("1 would be a pull request, which is proposal 301", "moot vote --proposal 309"), 2),
    Slip("comment /do finalise", ("no proposal that is being debated", "Nothing was sent")),
    Slip("comment --on 1 /vot for", ("did you mean /vote?",)),
    Slip("withdraw 301", ("Proposal 301 is pull request 1.", "Ann's, not yours", "moot vote 1 against"), 1),
    Slip("propose --rule tea.yaml", ("The referee would refuse it", "[E-ORDER]", "Nothing was sent")),
    Slip("propose --rule failing.yaml", ("failing.yaml:6:5", "[E-EXAMPLE]", "--anyway"), 1),
    Slip("propose --rule tea.yaml --then dance", ("there is no action dance",), 1),
    Slip("propose --rule tea.yaml --vote perhaps", ("'perhaps' is no choice", "for, against, abstain"), 1),
)  # fmt: skip


@pytest.fixture(scope="module")
def slips() -> dict[str, Slip]:
    """Return all slips by what is typed."""
    return {slip.words: slip for slip in SLIPS}


def test_each_slip_says_what_to_type_and_sends_nothing(
    gathering: Gathering, slips: dict[str, Slip], monkeypatch: pytest.MonkeyPatch
) -> None:
    gathering.tea()
    gathering.referee()
    gathering.file("failing.yaml", TEA + EXAMPLE)
    monkeypatch.chdir(gathering.folder)
    before = gathering.refs()
    for slip in slips.values():
        said = gathering.moot("bob", *slip.words.split(), code=slip.code)
        for words in slip.wanted:
            assert words in said.out + said.err, (slip.words, words, said.out, said.err)
        assert gathering.refs() == before, slip.words
        assert max(map(len, said.out.splitlines()), default=0) <= 200


def test_a_vote_that_is_over_is_not_sent(gathering: Gathering) -> None:
    withdrawn(gathering)
    said = gathering.moot("bob", "vote", "for")
    assert "The open vote is that on proposal 301" in said.out, "it goes on without its pull request"
    assert "Voted for on proposal 301" in said.out


def test_files_are_those_beside_the_repository_that_is_named(gathering: Gathering) -> None:
    clone = gathering.clone("ann")
    (clone / "rum.yaml").write_text(TEA.replace("Tea", "Rum"))
    assert "Enact a new rule: Rum" in gathering.moot("ann", "propose", "--rule", "rum.yaml", "--dry-run").out
    assert "enacts a new rule · Rum" in gathering.moot("ann", "try", "--comment", "rum.yaml").out
    assert "1 file checked" in gathering.moot("ann", "check", "rum.yaml").out
    gathering.file("tea.yaml")
    assert "Enact a new rule: Tea" in gathering.moot("ann", "propose", "--rule", "tea.yaml", "--dry-run").out


def test_a_rule_is_tried_as_a_proposal_of_somebodys(gathering: Gathering) -> None:
    tea = gathering.file("tea.yaml")
    said = gathering.moot("ann", "try", tea, "--as-proposal").out
    for wanted in (
        "As proposal 301 of ann:",
        "It is proper, can be proposed now",
        " once the vote on it opens.",
        "Then, as law:",
        "Enacted rule 301",
    ):
        assert wanted in said, (wanted, said)
    said = gathering.moot("ann", "try", tea, "--as-proposal", "--by", "bob", code=1).out
    assert "Proposing it now would be refused, by rule 201: “it is the turn of ann” [E-ORDER]." in said
    record = gathering.moot("bob", "try", tea, "--as-proposal", "--json", code=1).record
    assert record["proposal"]["proposing"]["code"] == "E-ORDER"
    assert "Who proposes it is not known here" in gathering.moot("eve", "try", tea, "--as-proposal", code=1).out


def test_misspelt_acts_of_a_game_that_one_person_keeps_are_not_recorded(table: Moot) -> None:
    head = table("status", "--json").record["seq"]
    for words, wanted in (
        (("dance",), "there is no action dance"),
        (("finalize",), "did you mean finalise?"),
        (("finalise", "porposal=301"), "did you mean proposal?"),
        (("vote", "choice=for", "proposal=999"), "there is no proposal 999"),
    ):
        said = table("act", *words, "--by", "ann")
        assert (said.code, wanted in said.err) == (1, True), said.err
    assert "Nothing was recorded" in table("act", "state", "Hear me.", "--by", "ann", "--dry-run").err
    assert table("status", "--json").record["seq"] == head
    said = table("act", "state", "one", "+", "state", "two", "+", "finalise", "+", "state", "three", "--by", "ann")
    assert (said.code, table("status", "--json").record["seq"]) == (3, head + 3)
    assert "Not done, because it comes after that: state." in said.err


def test_who_votes_last_does_not_learn_how_the_others_voted(gathering: Gathering) -> None:
    gathering.tea()
    gathering.referee()
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    for person in ("ann", "bob", "cid"):
        gathering.moot(person, "vote", "for")
    gathering.referee()
    for words in (("vote", "for"), ("vote", "against"), ("act", "vote", "choice=for")):
        said = gathering.moot("dee", *words, "--dry-run")
        assert "dee’s ballot on proposal 301" in said.out
        assert not re.search(r"closed|Enacted|adopted|defeated|score|more change", said.out), words
        foreseen = gathering.moot("dee", *words, "--dry-run", "--json").record["foreseen"]
        assert [len(each["effects"]) for each in foreseen] == [1], words
