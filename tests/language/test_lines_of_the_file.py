"""Errors of scripts were counted in lines of the script; people edit a file, in which that is another line.

Also here: `try` called a new rule by a number that it would not have, and what a second `join` is told.
"""

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


def test_try_gives_a_new_rule_the_number_that_it_would_have(gathering: Gathering) -> None:
    tea = gathering.file("tea.yaml")
    assert "Enacted rule 301" in gathering.moot("ann", "try", tea).out
    gathering.moot("ann", "propose", "--rule", tea)
    gathering.referee()
    assert "Enacted rule 302" in gathering.moot("bob", "try", tea).out


def test_a_second_join_says_that_one_is_there_already_or_has_asked(gathering: Gathering) -> None:
    assert "you are bob in moor already" in gathering.moot("bob", "join", code=1).err
    assert "you are bob in moor already" in gathering.moot("bob", "join", "--comment", code=1).err
    gathering.moot("eve", "join", "eve", "--with", "surname=Ernst")
    said = gathering.moot("eve", "join", "eva", code=1)
    assert "you asked already, by pull request 1" in said.err
    gathering.referee()
    assert "you are eve in moor already" in gathering.moot("eve", "join", code=1).err
    gathering.say("eve", 0, "/do join id=eva surname=Ernst")
    gathering.referee()
    assert gathering.document("roster").keys() == {"ann", "bob", "cid", "dee", "eve"}
    assert gathering.game().head.seq == 2, "what changes nothing is answered, not recorded"
    assert "you are eve in this game already" in gathering.moot("eve", "status").out
