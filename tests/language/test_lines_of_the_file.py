"""Errors of scripts are counted in lines of the file that people edit, not of the script."""

from __future__ import annotations

import re

from tests.support.gathering import Gathering

FAILS = """\
# A comment of its author's.
title: Fails
labels: {status: mutable}
text: |
  It fails when it becomes law.
script: |

  # Before everything else.
  def on_rule_enacted(e):
      given = {}
      award("ann", "score",
            given["nope"])
  def show_mine():
      return [heading(str(1 // len({})))]
  def do_dance(a):
      fail("no dance")
actions:
  dance: {summary: Dance}
"""
EXAMPLE = FAILS + "examples:\n  - scenario: It dances\n    steps:\n      - {by: ann, do: dance}\n"
UNLOADABLE = "title: List\ntext: |\n  One.\nscript: |\n  FIRST = [1,\n    2]\n  LAST = FIRST[5]\n"
STEPS = "- {by: ann, do: dance}\n"
OF_SCRIPT = re.compile(r"line \d+ of (its|the) script|\(line")


def test_every_command_names_file_line_and_column(gathering: Gathering) -> None:
    fails, steps = gathering.file("fails.yaml", FAILS), gathering.file("steps.yaml", STEPS)
    said = gathering.moot("ann", "try", fails, "--steps", steps, code=1)
    assert f"rule 301: on_rule_enacted failed at {fails}:12:13: Key" in said.err
    assert f"the page mine cannot be shown at {fails}:14:" in said.err
    assert f"rule 301: do_dance failed at {fails}:16:7: fail: no dance" in said.out
    assert f"do_dance at {fails}:16:7: fail: no dance" in said.err, "the step that goes otherwise"
    shown = gathering.moot("ann", "try", "--comment", fails)
    assert f"on_rule_enacted failed at {fails}:12:13" in shown.out
    assert f"cannot be shown at {fails}:14:" in shown.out
    example = gathering.file("example.yaml", EXAMPLE)
    listed = gathering.file("list.yaml", UNLOADABLE)
    for words in (("check",), ("propose", "--rule")):
        found = gathering.moot("ann", *words, example, code=1)
        assert f"{example}:20:5: It dances: step 1" in found.err
        assert f"do_dance at {example}:16:7: fail: no dance" in found.err
        found = gathering.moot("ann", *words, listed, code=1)
        assert f"{listed}:7:10: the script does not load: Index `5`" in found.err, "what runs while it loads"
    for each in (said, shown, found):
        assert not OF_SCRIPT.search(each.out + each.err)


def test_what_a_script_debugs_is_shown_with_its_place(gathering: Gathering) -> None:
    debugging = EXAMPLE.replace('      fail("no dance")', '      debug("dancing", a.by)')
    file = gathering.file("debug.yaml", re.sub(r"  def on_rule_enacted(.|\n)*(?=  def do_)", "", debugging))
    assert f"debug, do_dance at {file}:10: dancing" in gathering.moot("ann", "try", file).out
    found = gathering.moot("ann", "check", file)
    assert f"{file}:10:7: `debug` is seen by nobody in play" in found.err
    assert f"{file}:10:3: It dances: debug, do_dance: dancing ann" in found.err


def test_a_comment_names_the_proposed_file(gathering: Gathering) -> None:
    record = gathering.moot(
        "ann", "propose", "--rule", gathering.file("fails.yaml", FAILS), "--json", "--anyway"
    ).record
    gathering.referee()
    said = gathering.said(record["pull"])
    assert "on_rule_enacted failed at state/moor/rules/fails.yaml:12:13" in said
    assert "cannot be shown at state/moor/rules/fails.yaml:14:" in said
    amended = gathering.rule("206").replace("text: |", "# Mine.\ntext: |", 1)
    script = "  def on_proposal_adopted(e):\n      award(e.proposal.author, 'score', {}['x'])\n"
    text = amended[: amended.index("script: |\n")] + "script: |\n" + script
    line = text.count("\n")
    record = gathering.moot("bob", "propose", "--rule", gathering.file("206.yaml", text), "--json", "--anyway").record
    gathering.referee()
    assert f"failed at state/moor/rules/206.yaml:{line}:" in gathering.said(record["pull"])
    assert "Enacted rule 302" in gathering.moot("cid", "try", gathering.file("tea.yaml")).out, (
        "the number it would have"
    )
