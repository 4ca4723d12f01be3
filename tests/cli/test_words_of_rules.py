"""Words of a rule look like words of a rule wherever they are read: in quotation marks, and whose they are before them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.moot import Moot
from tests.support.sites import lay_small_site

FORGED = "entry 7 was redacted by the administrator ann"
LINES = f"{FORGED}\\n99  bob owes: pay at https://evil.example ” by rule 104\\n    ann put a statement on record"
RULE = f"""rule: "1"
title: Spoof
text: Whoever does anything hears of it.
defines: {{currencies: {{score: {{}}}}}}
actions:
  spoof: {{summary: "{FORGED}", told: "{FORGED}"}}
  never: {{summary: "{FORGED}"}}
  rest: {{summary: "{FORGED}"}}
  propose: {{told: "{FORGED}", takes: pull_requests, arguments: {{changes: {{type: changes}}}}}}
  close: {{}}
timers: {{bell: {{summary: "{FORGED}"}}}}
settings: {{mode: {{question: "{FORGED}", default: a, alternatives: {{a: One, b: Two}}}}}}
script: |
  def do_spoof(a):
      announce("{LINES}")
      emit("redacted", player = a.by)
      emit("voted", player = a.by)
      owe(a.by, "{LINES}")
      award(a.by, "score", 1, "{LINES}")
      after(3600, "bell")
      after(7200, "gong", key = "{LINES}")
      suspend(rule("2"), "{LINES}")

  def do_rest(a):
      pass

  def allow_rest(a):
      return hold("{LINES}", "{LINES}")

  def do_propose(a):
      open_voting(submit("Tea", a.args.changes))

  def do_close(a):
      for p in proposals("open"):
          resolve(p, "adopted", "{LINES}")

  def decide_number(p):
      return 1

  def decide_electorate(p):
      return things("player")

  def decide_choices(p):
      return ["for", "against"]

  def decide_ballot_counts(p, b):
      return "{LINES}"

  def on_bell(e):
      win("ann", "{LINES}", play_on = True)

  def do_never(a):
      pass

  def forbid_never(a):
      return refuse("E-REDACTED", "{LINES}")

  def decide_coming(key):
      return "{LINES}" if key == "bell" else None

  def decide_headline():
      return "{LINES}"
"""


@pytest.fixture
def spoof(moot: Moot, tmp_path: Path) -> Moot:
    """Return `moot` in a game whose rule says what the engine would say, after it has said all of it."""
    (tmp_path / "tea/rules").mkdir(parents=True)
    (tmp_path / "tea/ruleset.yaml").write_text("ruleset: tea\ntitle: Tea\npeople: [{id: ann}, {id: bob}]\n", "utf-8")
    (tmp_path / "tea/rules/1.yaml").write_text(RULE, "utf-8")
    (tmp_path / "tea/rules/2.yaml").write_text('rule: "2"\ntitle: Two\ntext: It can sleep.\n', "utf-8")
    assert moot("new", "tea", "-r", "./tea", "-a", "ann").code == 0
    assert moot("act", "spoof", "--by", "ann").code == 0
    assert moot("act", "never", "--by", "ann").code == 3
    return moot


def faults(text: str) -> list[str]:
    """Return the places where somebody would take the rule's words for the engine's."""
    before = [found.string[max(0, found.start() - 120) : found.start()] for found in re.finditer(FORGED, text)]
    named = re.compile(r"([Rr]ule \d|[Tt]he law|[Tt]imer|owes|must|for|since|ann:|Topic|SUMMARY)[^\n”]*“$")
    lines = [line for line in text.splitlines() if re.match(r"\s*(99 |entry 7 was|ann put a statement)", line)]
    return [each for each in before if not named.search(" ".join(each.split()))] + lines


@pytest.mark.threat("T-150")
def test_lines_of_the_terminal_say_whose_they_are(spoof: Moot) -> None:
    shown = [spoof(*words) for words in (("log",), ("act", "spoof", "--by", "bob"), ("act", "never", "--by", "bob"))]
    for said in shown:
        assert FORGED in said.out + said.err
        assert faults(said.out + said.err) == []
    head = " ".join(spoof("status").out.partition("\n\n")[0].split())
    assert (FORGED in head, faults(head)) == (True, [])
    assert "raised" not in shown[1].out, "what players care for, and no more"
    text = " ".join(spoof("explain", "entry", shown[1].out.split()[0]).out.split())
    assert "Rule 1 raised “redacted”, “voted”" in text
    assert not re.search(r"(?<![“])\b(redacted|voted)\b", text.replace(FORGED, "")), "events of rules are named as such"


LOOKS = (
    *(("status",), ("log",), ("act", "--list"), ("act", "spoof", "--help"), ("show",)),
    *(("explain", *of) for of in (("ann", "score"), ("rule", "2"), ("setting", "mode"), ("proposal", "1"))),
    *(("explain", "entry", seq) for seq in ("2", "3", "4", "5")),
)


@pytest.mark.threat("T-150")
def test_whatever_is_looked_at_quotes_all_that_a_rule_says(
    spoof: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "4000")
    (tmp_path / "new.yaml").write_text("title: New\ntext: New.\n", "utf-8")
    acts = (("rest",), ("propose", "--rule", "new.yaml"), ("vote", "choice=for", "proposal=1"))
    ran = [spoof("act", *words, "--by", "ann") for words in acts]
    looks = [*LOOKS, ("act", "close", "--by", "ann"), ("referee", "--until", "+3h"), *LOOKS]
    shown = [*((acts[n], said) for n, said in enumerate(ran)), *((words, spoof(*words)) for words in looks)]
    assert [words for words, said in shown if said.code != 0] == []
    lay_small_site(tmp_path)
    assert spoof("serve", "--build", "--trust").code == 0
    pages = [path for path in (tmp_path / "site/tea").rglob("*.html") if path.parent.name not in ("law", "law-text")]
    assert any(FORGED in bare(path) for path in pages)
    texts = [(words, said.out + said.err) for words, said in shown] + [(path, bare(path)) for path in pages]
    seen = 0
    for where, text in texts:
        for found in re.finditer(FORGED, " ".join(text.split())):
            seen += 1
            before = found.string[: found.start()]
            assert before.rfind("“") > before.rfind("”"), (where, before[-120:])
        assert not [line for line in text.splitlines() if re.match(r"\s*(99 |ann put a statement)", line)], where
    assert seen > 40


def test_programs_are_given_the_bare_words(spoof: Moot) -> None:
    """Quotation marks are for people: no field of a record is a quotation."""
    looks = [words for words in LOOKS if words[:2] != ("explain", "proposal") and words[-1] != "5"]
    shown = [(words, text) for words in looks for text in strings(spoof(*words, "--json").record)]
    assert [text for _words, text in shown if FORGED in text]
    assert [(words, text) for words, text in shown if re.fullmatch(r"“.*”", text, re.DOTALL)] == []


def strings(value: object) -> Iterator[str]:
    """Yield every text in a record."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for pair in value.items() for each in pair for text in strings(each))
    elif isinstance(value, list):
        yield from (text for each in value for text in strings(each))


def bare(path: Path) -> str:
    """Return the words of a page."""
    return re.sub(r"<[^>]*>", "", path.read_text("utf-8"))
