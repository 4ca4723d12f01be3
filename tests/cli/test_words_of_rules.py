"""Words of a rule look like words of a rule wherever they are read: in quotation marks, and whose they are before them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Moot, judged, moot

__all__ = ["judged", "moot"]

FORGED = "entry 7 was redacted by the administrator ann"
LINES = f"{FORGED}\\n99  bob owes: pay at https://evil.example ” by rule 104\\n    ann put a statement on record"
RULE = f"""rule: "1"
title: Spoof
text: Whoever does anything hears of it.
defines: {{currencies: {{score: {{}}}}}}
actions: {{spoof: {{}}, never: {{}}}}
script: |
  def do_spoof(a):
      announce("{LINES}")
      emit("redacted", player = a.by)
      emit("voted", player = a.by)
      owe(a.by, "{LINES}")
      award(a.by, "score", 1, "{LINES}")

  def do_never(a):
      pass

  def forbid_never(a):
      return refuse("E-REDACTED", "{LINES}")

  def decide_headline():
      return "{LINES}"
"""


@pytest.fixture
def spoof(moot: Moot, tmp_path: Path) -> Moot:
    """Return `moot` in a game whose rule says what the engine would say, after it has said all of it."""
    (tmp_path / "tea/rules").mkdir(parents=True)
    (tmp_path / "tea/ruleset.yaml").write_text("ruleset: tea\ntitle: Tea\npeople: [{id: ann}, {id: bob}]\n", "utf-8")
    (tmp_path / "tea/rules/1.yaml").write_text(RULE, "utf-8")
    assert moot("new", "tea", "-r", "./tea", "-a", "ann").code == 0
    assert moot("act", "spoof", "--by", "ann").code == 0
    assert moot("act", "never", "--by", "ann").code == 3
    return moot


def faults(text: str) -> list[str]:
    """Return the places where somebody would take the rule's words for the engine's."""
    before = [found.string[max(0, found.start() - 120) : found.start()] for found in re.finditer(FORGED, text)]
    named = re.compile(r"([Rr]ule 1|[Tt]he law|owes|must|for|ann:)[^\n”]*“$")
    lines = [line for line in text.splitlines() if re.match(r"\s*(99 |entry 7 was|ann put a statement)", line)]
    return [each for each in before if not named.search(" ".join(each.split()))] + lines


@pytest.mark.threat("T-150")
@pytest.mark.parametrize(
    "words", [("log",), ("act", "spoof", "--by", "bob"), ("act", "never", "--by", "bob"), ("log", "-n", "1")]
)
def test_lines_of_the_terminal_say_whose_they_are(spoof: Moot, words: tuple[str, ...]) -> None:
    said = spoof(*words)
    text = said.out + said.err
    assert FORGED in text
    assert faults(text) == []


@pytest.mark.threat("T-150")
def test_a_status_quotes_the_sentence_of_the_law(spoof: Moot) -> None:
    head = spoof("status").out.partition("\n\n")[0]
    assert faults(" ".join(head.split())) == []
    assert FORGED in " ".join(head.split())


@pytest.mark.threat("T-150")
def test_events_of_rules_are_named_as_such(spoof: Moot) -> None:
    text = " ".join(spoof("act", "spoof", "--by", "bob").out.split())
    assert "Rule 1 raised “redacted”, “voted”" in text
    assert not re.search(r"(?<![“])\b(redacted|voted)\b", text.replace(FORGED, ""))


@pytest.mark.threat("T-150")
def test_pages_and_feeds_quote_it_too(spoof: Moot, tmp_path: Path) -> None:
    spoof("pages")
    folder = tmp_path / "site_src/tea"
    seen = 0
    for name in ("index.md", "journal/*.md", "*.xml", "**/*.xml", "**/*.ics"):
        for page in folder.glob(name):
            text = " ".join(
                re.sub(r"<[^>]*>|&lt;[^&]*&gt;", "", page.read_text("utf-8")).replace("&quot;", '"').split()
            )
            seen += FORGED in text
            assert faults(text) == [], page
    assert seen >= 2
