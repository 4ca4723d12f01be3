"""Rules, votes and people of before a game: kept with what is known of them and what is not, shown, and proved by nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.scenarios import checked_law
from tests.past.folders import POND, founded, words_of, write
from tests.support.moot import Moot
from tests.support.sites import lay_small_site


def revisions(moot: Moot, rule: str) -> list[dict[str, object]]:
    known: list[dict[str, object]] = moot("explain", "rule", rule, "--json").record["revisions"]
    return known


def test_each_revision_keeps_what_is_known_of_it(moot: Moot) -> None:
    assert moot("check", str(write(Path("pond")))).code == 0
    assert founded(moot).code == 0
    known = revisions(moot, "1")
    assert [each["change"] for each in known] == ["enactment", "power change", "repeal", "re-enactment", "amendment"]
    assert [each["dated"] for each in known] == ["about 1994", "1995-09", "1996-02-29", "2001", "2026-07-26"]
    assert [each["unknown"] for each in known] == [False, True, False, False, False]
    assert [each["revision"] for each in known] == [1, 2, None, 3, 4]
    assert (known[1]["called"], known[4]["called"], known[3]["note"]) == ("1/2", "1/5", "by request")
    assert all(each["taken_over"] for each in known)
    gone = moot("explain", "rule", "3", "--json").record
    assert not gone["in_force"]
    assert [each["at"] for each in gone["revisions"]] == ["2012-05-01T10:00:00Z"] * 2
    assert gone["revisions"][0]["dated"] == "unknown"


def test_a_vote_is_kept_as_it_was_and_the_record_says_how_much_it_does_not_prove(moot: Moot) -> None:
    founded(moot)
    vote = moot("explain", "proposal", "17", "--json").record
    assert (vote["outcome"], vote["author"], vote["title"]) == ("adopted", "zed", "Power to the frogs")
    assert {voter: ballot["choice"] for voter, ballot in vote["ballots"].items()} == {
        "zed": "for",
        "Old Nick": "against",
    }
    dated = {"submitted": "1995", "decided": "1995-09"}
    assert vote["taken_over"] == {"dated": dated, "text": "Frogs have power three."}
    unproved = "10 records from before the game were taken over, and not played: that is not proved."
    assert unproved in moot("verify").out
    assert moot("verify", "--json").record["taken_over"] == 10


def test_terminal_pages_and_files_mark_what_was_taken_over(moot: Moot) -> None:
    founded(moot)
    told = moot("explain", "rule", "1").out
    assert [
        each for each in ("taken over", "about 1994", "(unknown)", "Case 7", "A toad is no frog.") if each not in told
    ] == []
    assert "taken over" not in moot("explain", "rule", "2").out
    lay_small_site(Path())
    assert moot("serve", "--build", "--trust").code == 0
    for page, words in {
        "law/1": ["about 1994", "taken over, not played", "What it said then is not known.", "Case 7"],
        "proposals/17": ["taken over, not played", "1995-09", "Frogs have power three.", "Old Nick", "They croak."],
        "players/index": ["about 1994", "1996-03-01"],
        "proposals/index": ["1995-09"],
    }.items():
        assert [each for each in words if each not in words_of(page)] == [], page
    assert '"text": null' in Path("site/g/law.json").read_text()


def test_a_change_in_play_ends_what_was_taken_over(moot: Moot) -> None:
    amend = 'title: Amending\nrule: "9"\ntext: Amend.\nactions: {mend: {}}\nscript: |\n'
    amend += "  def do_mend(a):\n      amend('1', text = 'There are no frogs.')\n"
    founded(moot, POND | {"rules/9.yaml": amend})
    assert moot("act", "mend", "--by", "ann", "--no-commit").code == 0
    before, last = revisions(moot, "1")[-2:]
    assert (last["taken_over"], last["dated"], last["called"]) == (False, None, None)
    assert (before["taken_over"], before["dated"], before["called"]) == (True, "2026-07-26", "1/5")
    assert moot("verify").code == 0


def test_somebody_who_had_left_comes_back(moot: Moot) -> None:
    founded(moot)
    assert moot("act", "admit", "--by", "ann", "player=zed", "--no-commit").code == 0
    entry = Path("state/g/roster.yaml").read_text()
    assert "earlier:" in entry
    assert "about 1994" not in entry
    assert moot("verify").code == 0


VOTE, HEAD = POND["proposals/17.yaml"], POND["ruleset.yaml"]
WRONG = {
    "a rule in force whose past ends with its repeal": (
        "history/2.yaml", "revisions:\n  - {at: 2001, text: One.}\n  - {at: 2002, repealed: true}\n",
        "history/2.yaml:3:5", "rule 2 is in force, so that its past cannot end with its repeal",
    ),
    "a rule that is no more and was never repealed": (
        "history/7.yaml", "revisions:\n  - {at: 2001}\n",
        "history/7.yaml:2:5", "rule 7 is not in `rules/`, so that its past ends with its repeal",
    ),
    "two pasts of one rule": (
        "ruleset.yaml", HEAD + 'history:\n  "1":\n    - {at: 2001}\n', "history/1.yaml:1", "has the past of rule 1 too",
    ),
    "an outcome that nobody knows": (
        "proposals/17.yaml", VOTE.replace("outcome: adopted", "outcome: adoptd"), "proposals/17.yaml:", "'adoptd' is no outcome",
    ),
    "a kind that nobody declares": (
        "proposals/17.yaml", VOTE.replace("author: zed", "kind: petition"), "proposals/17.yaml:", "votable kind 'petition'",
    ),
    "decided before it was made": (
        "proposals/17.yaml", VOTE.replace("submitted: 1995", "submitted: 1996"), "proposals/17.yaml:", "decided on 1995-09",
    ),
    "left before they came": ("ruleset.yaml", HEAD.replace("until: 1996-03-01", "until: 1991"), "ruleset.yaml:", "until 1991"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_a_past_that_cannot_be_is_told_with_its_place(moot: Moot, case: str) -> None:
    name, text, place, why = WRONG[case]
    files = POND | {name: text}
    assert files != POND
    write(Path("pond"), files)
    told = moot("check", "pond")
    assert (told.code, f"pond/{place}" in told.err) == (1, True), told
    assert why in " ".join(told.err.split()), told
    assert founded(moot, files).code != 0
    assert not Path("state/g").exists()


def test_a_date_after_the_founding_is_told_by_it(moot: Moot) -> None:
    told = founded(moot, POND | {"history/2.yaml": "revisions:\n  - {at: 2001, text: One.}\n  - {at: 2099}\n"})
    assert told.code != 0
    assert "2099 is later than the founding" in told.out + told.err


def test_all_that_is_wrong_is_found_by_one_founding(monkeypatch: pytest.MonkeyPatch) -> None:
    foundings: list[object] = []
    begin = checked_law._begin
    monkeypatch.setattr(checked_law, "_begin", lambda *given: foundings.append(given) or begin(*given))
    rules = [{"rule": "1", "uid": "1", "title": "One"}]
    law = {"rules": rules, "history": {f"{n}": [{"at": "2001"}] for n in range(2, 90)}}
    told = checked_law.try_founding(law, lambda _kernel: None)  # type: ignore[arg-type]
    assert len(foundings) == 2  # the law alone, and with people on trial for what its scripts do
    assert [each["path"] for each in told] == [["history", f"{n}"] for n in range(2, 90)]
