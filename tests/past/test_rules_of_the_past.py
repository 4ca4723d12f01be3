"""What rules were before a game: one file for each, with what is known and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.past.folders import POND, words_of, write
from tests.past.founded import founded
from tests.support.moot import Moot


def revisions(moot: Moot, rule: str) -> list[dict[str, object]]:
    said: list[dict[str, object]] = moot("explain", "rule", rule, "--json").record["revisions"]
    return said


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
    assert moot("verify").code == 0


def test_a_rule_that_is_no_more_is_shown_with_its_past(moot: Moot) -> None:
    founded(moot)
    record = moot("explain", "rule", "3", "--json").record
    assert not record["in_force"]
    assert [each["at"] for each in record["revisions"]] == ["2012-05-01T10:00:00Z"] * 2
    assert record["revisions"][0]["dated"] == "unknown"


def test_the_terminal_says_what_is_unknown_and_taken_over(moot: Moot) -> None:
    founded(moot)
    said = moot("explain", "rule", "1").out
    for words in (
        "taken over",
        "about 1994",
        "(unknown)",
        "Case 7",
        "A toad is no frog.",
    ):
        assert words in said
    assert "taken over" not in moot("explain", "rule", "2").out


def test_a_change_in_play_ends_what_was_taken_over(moot: Moot) -> None:
    amend = 'title: Amending\nrule: "9"\ntext: Amend.\nactions: {mend: {}}\nscript: |\n'
    amend += "  def do_mend(a):\n      amend('1', text = 'There are no frogs.')\n"
    founded(moot, POND | {"rules/9.yaml": amend})
    assert moot("act", "mend", "--by", "ann", "--no-commit").code == 0
    last, before = revisions(moot, "1")[-1], revisions(moot, "1")[-2]
    assert (last["taken_over"], last["dated"], last["called"]) == (False, None, None)
    assert (before["taken_over"], before["dated"], before["called"]) == (True, "2026-07-26", "1/5")
    assert moot("verify").code == 0


def test_the_pages_of_a_rule_and_its_files_say_the_same(moot: Moot) -> None:
    founded(moot)
    assert moot("serve", "--build").code == 0
    page = words_of("law/1")
    for words in ("about 1994", "taken over, not played", "What it said then is not known.", "Case 7"):
        assert words in page
    assert '"text": null' in Path("site/g/law.json").read_text()


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
        "ruleset.yaml", POND["ruleset.yaml"] + 'history:\n  "1":\n    - {at: 2001}\n',
        "history/1.yaml:1", "has the past of rule 1 too",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_a_past_that_cannot_be_is_told_with_its_place(moot: Moot, case: str) -> None:
    name, text, place, why = WRONG[case]
    files = POND | {name: text}
    write(Path("pond"), files)
    told = moot("check", "pond")
    assert told.code == 1
    assert place in told.err, told
    assert why in " ".join(told.err.split()), told
    assert founded(moot, files).code != 0
    assert not Path("state/g").exists()


def test_a_date_after_the_founding_is_told_by_it(moot: Moot) -> None:
    told = founded(moot, POND | {"history/2.yaml": "revisions:\n  - {at: 2001, text: One.}\n  - {at: 2099}\n"})
    assert told.code != 0
    assert "2099 is later than the founding" in told.out + told.err


def test_all_that_is_wrong_is_found_by_one_founding(moot: Moot, monkeypatch: pytest.MonkeyPatch) -> None:
    from folkmoot.scenarios import checked_law

    foundings: list[object] = []
    begin = checked_law._begin
    monkeypatch.setattr(checked_law, "_begin", lambda *given: foundings.append(given) or begin(*given))
    law = {
        "rules": [{"rule": "1", "uid": "1", "title": "One"}],
        "history": {f"{n}": [{"at": "2001"}] for n in range(2, 90)},
    }
    told = checked_law.try_founding(law, lambda _kernel: None)  # type: ignore[arg-type]
    assert len(foundings) == 2  # the law alone, and with people on trial for what its scripts do
    assert [each["path"] for each in told] == [["history", f"{n}"] for n in range(2, 90)]
