"""`moot propose` at a table: files, branches, the editor, recipes; what is sent, what stays, and whose a number is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from folkmoot.core.fault_points import fault_hook
from folkmoot.files.schema import json_schema
from folkmoot.player.proposing import TEMPLATE
from tests.support.gathering import TEA, Gathering, state_of
from tests.support.meeting import GAME, git
from tests.support.meeting import rule as rule_file

COFFEE = TEA.replace("tea", "coffee").replace("Tea", "Coffee")


def editor(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Let the editor be a script, to which the file is `$1`."""
    path = folder / "editor.sh"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(path))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)


def test_a_file_is_proposed_and_work_tree_index_and_branches_stay_as_they_are(gathering: Gathering) -> None:
    clone = gathering.clone("ann")
    (clone / "notes.txt").write_text("mine")
    git(clone, "add", "notes.txt")
    (clone / f"state/{GAME}/rules/203.yaml").write_text("title: half written\n")
    before = state_of(clone)
    said = gathering.moot("ann", "propose", "--rule", gathering.file("tea.yaml"), "--message", "It is cold.")
    assert "Enact a new rule: Tea" in said.out
    for wanted in ("Opened pull request 1.", "`moot status` what it waits for"):
        assert wanted in said.out
    assert f"Left out of the proposal, because it is not committed: state/{GAME}/rules/203.yaml" in said.err
    assert state_of(clone) == before
    assert (
        git(gathering.bare, "log", "-1", "--format=%an|%ae|%s|%b", "refs/pull/1/head")
        == "Ann|ann@x.org|Tea|It is cold."
    )
    assert git(gathering.bare, "diff", "--name-status", "main", "refs/pull/1/head") == f"A\tstate/{GAME}/rules/tea.yaml"
    gathering.referee()
    assert gathering.document("proposals/300/301")["author"] == "ann"


def test_rules_are_repealed_transmuted_and_amended_in_one_pull_request(gathering: Gathering) -> None:
    same = gathering.file("203.yaml", gathering.rule("203"))
    assert "this is rule 203 as it is in force" in gathering.moot("ann", "propose", "--rule", same, code=1).err
    amended = gathering.file("202.yaml", gathering.rule("202").replace("text: |\n", "text: |\n  First of all:\n", 1))
    words = ("--repeal", "206", "--transmute", "207=immutable", "--rule", amended, "--json", "--anyway")
    record = gathering.moot("ann", "propose", *words).record
    assert record["games"][0]["does"] == ["Amend rule 202 (text)", "Repeal rule 206", "Make rule 207 immutable"]
    changed = git(gathering.bare, "diff", "--name-status", "main", "refs/pull/1/head").split()
    rules = [f"state/{GAME}/rules/{number}.yaml" for number in (202, 206, 207)]
    assert changed == ["M", rules[0], "D", rules[1], "M", rules[2]]


def test_the_checked_out_branch_is_proposed_as_it_is(gathering: Gathering) -> None:
    clone = gathering.clone("ann")
    git(clone, "switch", "--quiet", "--create", "tea")
    (clone / f"state/{GAME}/rules/tea.yaml").write_text(TEA)
    git(clone, "add", ".")
    git(clone, "commit", "--quiet", "-m", "Tea for all")
    before = state_of(clone)
    said = gathering.moot("ann", "propose")
    assert "Opened pull request 1." in said.out
    assert state_of(clone) == before
    assert gathering.head(1) == git(clone, "rev-parse", "HEAD")
    assert "Opened pull request 1." in gathering.moot("ann", "propose").out  # the same again is the same pull request


def test_files_are_those_beside_the_repository_or_where_one_stands(gathering: Gathering) -> None:
    clone = gathering.clone("ann")
    (clone / "rum.yaml").write_text(TEA.replace("Tea", "Rum"))
    for words in (
        ("propose", "--rule", "rum.yaml", "--dry-run"),
        ("try", "--comment", "rum.yaml"),
        ("check", "rum.yaml"),
    ):
        gathering.moot("ann", *words)
    path = clone / f"state/{GAME}/rules/203.yaml"
    path.write_text(path.read_text().replace("text: |\n", "text: |\n  First:\n", 1))
    said = gathering.moot("ann", "propose", "--rule", str(path))
    assert "Amend rule 203 (text)" in said.out
    assert "Left out" not in said.err
    words = ("propose", "--update", "#1", "--rule", gathering.file("coffee.yaml", COFFEE), "--title", "Coffee, rather")
    assert "Pushed to pull request 1." in gathering.moot("ann", *words).out
    assert "coffee for everybody" in git(gathering.bare, "show", f"refs/pull/1/head:state/{GAME}/rules/coffee.yaml")
    gathering.referee()
    assert gathering.document("proposals/300/301")["title"] == "Coffee, rather"


def test_what_somebody_else_was_quicker_with_is_left_to_them(gathering: Gathering) -> None:
    taken = list[int]()
    moved = gathering.change("ann", {f"state/{GAME}/rules/milk.yaml": rule_file("Milk")}, "Milk")

    def open_first(point: str) -> None:
        if point == "before-push" and not taken:
            taken.append(0)
            taken[0] = gathering.propose("bob")

    def push(point: str) -> None:
        if point == "before-push":
            gathering.put("refs/pull/2/head", moved)

    with fault_hook(open_first):
        assert gathering.tea() == 2
    assert taken == [1]
    assert git(gathering.bare, "log", "-1", "--format=%an", "refs/pull/1/head") == "Bob"
    with fault_hook(push):
        said = gathering.moot("ann", "propose", "--update", "2", "--repeal", "206", code=5)
    assert "moved on meanwhile" in said.err
    assert gathering.head(2) == moved


# -- the editor


def test_a_rule_is_written_or_amended_in_the_editor(gathering: Gathering, monkeypatch: pytest.MonkeyPatch) -> None:
    script = """sed -i -e 's/^title: .*/title: Tea/' -e 's/^text: |$/text: |\\n  There is tea./' -e '$a # mine' "$1" """
    editor(gathering.folder, monkeypatch, script)
    clone = gathering.clone("ann")
    before = state_of(clone)
    assert "Opened pull request 1." in gathering.moot("ann", "propose", "--new").out
    assert state_of(clone) == before
    text = git(gathering.bare, "show", f"refs/pull/1/head:state/{GAME}/rules/tea.yaml")
    assert [words in text for words in ("There is tea.", "# mine")] == [True, True]
    assert [words in text for words in ("A new rule. Fill it in", "yaml-language-server")] == [False, False]
    assert not list((clone / ".git/folkmoot/drafts").iterdir())
    editor(gathering.folder, monkeypatch, """cp "$1" seen; sed -i 's/^text: |$/text: |\\n  Mind you:/' "$1" """)
    assert "Amend rule 203 (text)" in gathering.moot("ann", "propose", "--amend", "203", "--anyway").out
    assert "yaml-language-server" not in git(gathering.bare, "show", f"refs/pull/2/head:state/{GAME}/rules/203.yaml")
    line = (gathering.folder / "seen").read_text("utf-8").splitlines()[0]
    schema = clone / ".git/folkmoot/drafts" / line.removeprefix("# yaml-language-server: $schema=")
    assert json.loads(schema.read_text("utf-8")) == json_schema("rule")
    assert TEMPLATE.startswith(f"{line}\n")


def test_an_invalid_text_is_kept_and_gone_on_with(gathering: Gathering, monkeypatch: pytest.MonkeyPatch) -> None:
    before = gathering.refs()
    editor(gathering.folder, monkeypatch, ":")
    for words in ((), ("--new",), ("--amend", "203")):
        assert "nothing is proposed" in gathering.moot("ann", "propose", *words, code=1).err
    editor(gathering.folder, monkeypatch, """printf 'title: Tea\\ntext: There is tea.\\nodd: 1\\n' > "$1" """)
    said = gathering.moot("ann", "propose", "--new", code=1)
    draft = gathering.clone("ann") / f".git/folkmoot/drafts/{GAME}-new.yaml"
    assert f"{draft}:3:1: " in said.err
    assert f"your text is kept in {draft}" in said.err
    assert gathering.refs() == before
    editor(gathering.folder, monkeypatch, """sed -i '/^odd/d' "$1" """)
    assert "Opened pull request 1." in gathering.moot("ann", "propose", "--new").out
    assert not draft.exists()


def test_a_recipe_is_proposed_as_it_is_or_as_it_was_edited(
    gathering: Gathering, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "newspaper     A page on which players write" in gathering.moot("ann", "propose", "--from").out
    gathering.moot("ann", "propose", "--from", "market")
    assert git(gathering.bare, "show", f"refs/pull/1/head:state/{GAME}/rules/the-market.yaml").startswith("title: ")
    editor(gathering.folder, monkeypatch, """cp "$1" seen; sed -i 's/five sacks/six sacks/' "$1" """)
    gathering.moot("bob", "propose", "--from", "market", "--anyway")
    assert "# - The goods: write wood" in Path("seen").read_text()
    written = git(gathering.bare, "show", f"refs/pull/2/head:state/{GAME}/rules/the-market.yaml")
    assert written.startswith("title: The market")
    assert "six sacks" in written
    editor(gathering.folder, monkeypatch, """: > "$1" """)
    assert "nothing is proposed" in gathering.moot("cid", "propose", "--from", "bank", code=1).err


# -- what follows a proposal


def test_a_proposal_and_the_vote_in_one_command(gathering: Gathering) -> None:
    tea = gathering.file("tea.yaml")
    words = ("propose", "--rule", tea, "--vote", "for 'my own'")
    record = gathering.moot("ann", *words, "--dry-run", "--json").record
    assert [each["what"] for each in record["foreseen"]] == ["propose", "a ballot"]
    assert not record["sent"]
    said = gathering.moot("ann", *words).out
    for wanted in ("Opened pull request 1.", "Sent to it: approve"):
        assert wanted in said
    gathering.referee()
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    proposal = gathering.document("proposals/300/301")
    assert (proposal["state"], proposal["ballots"]["ann"]["reason"]) == ("open", "my own")


def test_content_of_a_refused_pull_request_replaces_no_other_proposal(gathering: Gathering) -> None:
    gathering.tea()
    rum = gathering.file("rum.yaml", TEA.replace("tea", "rum"))
    gathering.moot("ann", "propose", "--rule", rum, "--title", "Rum", "--anyway")
    said = gathering.moot("ann", "act", "finalise", "--on", "2", "--anyway")
    assert "no proposal of this pull request is undecided; say it on that which you mean" in said.err
    gathering.referee()
    status = gathering.moot("ann", "status").out
    assert "no proposal of this pull request is undecided" in status
    assert "tea for everybody" in gathering.moot("bob", "show", "1").out
    assert "not open yet" in status
    gathering.moot("ann", "act", "finalise", "proposal=301", "--on", "2")
    gathering.referee()
    assert "rum for everybody" in gathering.moot("bob", "show", "1").out, "whoever names it means it"


def test_what_is_sent_anyway_is_shown_to_everybody_and_adopted_with_the_failure_on_record(gathering: Gathering) -> None:
    path = gathering.file("tea.yaml", TEA + 'script: |\n  def on_joined(e)\n      award(e.player, "score", 1)\n')
    record = gathering.moot("ann", "propose", "--rule", path, "--json", code=1).record
    assert (record["sent"], [each["code"] for each in record["problems"]]) == (False, ["E-SCRIPT"])
    assert "Opened pull request 1." in gathering.moot("ann", "propose", "--anyway", "--rule", path).out
    gathering.referee()
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    assert "E-SCRIPT" in gathering.said(1)
    assert gathering.moot("bob", "status", "--json").record["pulls"][0]["flaws"]
    assert "Mind: its script or examples are faulty" in gathering.moot("bob", "vote", "1", "for").err
    for person in ("ann", "cid", "dee"):
        gathering.moot(person, "vote", "1", "for")
    gathering.referee()
    failures = [failure for entry in gathering.game().entries() for failure in entry.get("failures") or ()]
    assert ("301", "load") in [(each["rule"], each["hook"]) for each in failures]
    assert "load failed" in gathering.said(1)
