"""The person's side of a game that is played by pull requests, each command against real repositories."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from folkmoot.cli.voting import checked_choice
from folkmoot.core.fault_points import fault_hook
from folkmoot.core.problems import ProblemError
from folkmoot.files.schema import json_schema
from folkmoot.journal.tree import GameTree
from folkmoot.player.proposing import TEMPLATE
from tests.forges.smart_http import serving
from tests.support.gathering import TEA, Gathering
from tests.support.meeting import GAME, git, identity
from tests.support.meeting import rule as rule_file
from tests.support.moot import Moot

BROKEN = "title: Tea\nlabels: {status: mutable}\ntext: There is tea.\nscript: |\n  def on_proposal_adopted(e:\n      pass\nodd: 1\n"


def state_of(clone: Path) -> tuple[str, ...]:
    """Return everything of a clone that a person works with: files, index, branches, configuration."""
    files = [
        f"{path}: {path.read_bytes()!r}"
        for path in sorted(clone.rglob("*"))
        if path.is_file() and ".git" not in path.parts
    ]
    index = (clone / ".git" / "index").read_bytes().hex()
    return (
        *files,
        index,
        git(clone, "for-each-ref", "refs/heads", "refs/remotes"),
        (clone / ".git" / "HEAD").read_text(),
    )


def editor(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Let the editor be a script, to which the file is `$1`."""
    path = folder / "editor.sh"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(path))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)


# -- proposing


def test_a_file_is_proposed_and_work_tree_index_and_branches_stay_as_they_are(gathering: Gathering) -> None:
    clone = gathering.clone("ann")
    (clone / "notes.txt").write_text("mine")
    git(clone, "add", "notes.txt")
    (clone / f"state/{GAME}/rules/203.yaml").write_text("title: half written\n")
    before = state_of(clone)
    said = gathering.moot("ann", "propose", "--rule", gathering.file("tea.yaml"), "--message", "It is cold.")
    assert "Enact a new rule: Tea" in said.out
    assert "Opened pull request 1." in said.out
    assert "how you vote where your ballot is missing" in said.out
    assert f"Left out of the proposal, because it is not committed: state/{GAME}/rules/203.yaml" in said.err
    assert state_of(clone) == before
    assert (
        git(gathering.bare, "log", "-1", "--format=%an|%ae|%s|%b", "refs/pull/1/head")
        == "Ann|ann@x.org|Tea|It is cold."
    )
    assert git(gathering.bare, "diff", "--name-status", "main", "refs/pull/1/head") == f"A\tstate/{GAME}/rules/tea.yaml"
    gathering.referee()
    assert gathering.document("proposals/300/301")["author"] == "ann"


def test_a_dry_run_sends_nothing(gathering: Gathering) -> None:
    before = gathering.refs()
    said = gathering.moot("ann", "propose", "--rule", gathering.file("tea.yaml"), "--dry-run", "--json").record
    assert said["sent"] is False
    assert said["games"][0]["does"] == ["Enact a new rule: Tea"]
    assert gathering.refs() == before


def test_every_problem_of_a_file_is_said_at_its_place_before_anything_is_sent(gathering: Gathering) -> None:
    before = gathering.refs()
    path = gathering.file("tea.yaml", BROKEN)
    said = gathering.moot("ann", "propose", "--rule", path, code=1)
    assert f"{path}:7:1: " in said.err
    assert gathering.refs() == before


@pytest.mark.parametrize(
    ("words", "code", "wanted"),
    [
        (["--repeal", "999"], 1, "no rule 999 is in force"),
        (["--transmute", "203"], 2, "is written NAME=VALUE"),
        (["--transmute", "203=mutable"], 1, "rule 203 is mutable already"),
        (["--repeal", "203", "--transmute", "203=immutable"], 1, "cannot be repealed and transmuted"),
        (["--repeal", "203", "--repeal", "203"], 1, "changed twice"),
        (["--rule", "no-such-file.yaml"], 2, "does not exist"),
        (["--update", "7", "--repeal", "203"], 1, "there is no pull request 7"),
        (["--update", "0", "--repeal", "203"], 2, "is no number of a pull request"),
    ],
)
def test_what_cannot_be_proposed_is_refused_and_nothing_is_sent(
    gathering: Gathering, words: list[str], code: int, wanted: str
) -> None:
    before = gathering.refs()
    said = gathering.moot("ann", "propose", *words, code=code)
    assert wanted in said.err
    assert gathering.refs() == before


def test_a_rule_as_it_is_in_force_is_no_proposal(gathering: Gathering) -> None:
    said = gathering.moot("ann", "propose", "--rule", gathering.file("203.yaml", gathering.rule("203")), code=1)
    assert "this is rule 203 as it is in force" in said.err


def test_rules_are_repealed_transmuted_and_amended_in_one_pull_request(gathering: Gathering) -> None:
    amended = gathering.file("202.yaml", gathering.rule("202").replace("text: |\n", "text: |\n  First of all:\n", 1))
    record = gathering.moot(
        "ann", "propose", "--repeal", "206", "--transmute", "207=immutable", "--rule", amended, "--json", "--anyway"
    ).record
    assert record["games"][0]["does"] == ["Amend rule 202 (text)", "Repeal rule 206", "Make rule 207 immutable"]
    changed = git(gathering.bare, "diff", "--name-status", "main", "refs/pull/1/head").splitlines()
    assert changed == [
        f"M\tstate/{GAME}/rules/202.yaml",
        f"D\tstate/{GAME}/rules/206.yaml",
        f"M\tstate/{GAME}/rules/207.yaml",
    ]


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


def test_a_branch_with_anything_else_in_it_is_refused_with_the_file(gathering: Gathering) -> None:
    clone = gathering.clone("ann")
    (clone / f"state/{GAME}/rules/tea.yaml").write_text(TEA)
    (clone / f"state/{GAME}/game.yaml").write_text("title: mine\n")
    git(clone, "add", ".")
    git(clone, "commit", "--quiet", "-m", "Tea for all")
    before = gathering.refs()
    said = gathering.moot("ann", "propose", code=1)
    assert f"state/{GAME}/game.yaml" in said.err
    assert gathering.refs() == before


def test_changed_rule_files_that_are_not_committed_are_pointed_out_with_the_command(gathering: Gathering) -> None:
    path = gathering.clone("ann") / f"state/{GAME}/rules/203.yaml"
    path.write_text(path.read_text().replace("text: |\n", "text: |\n  First:\n", 1))
    said = gathering.moot("ann", "propose", code=1)
    assert f"moot propose --rule state/{GAME}/rules/203.yaml" in said.err
    said = gathering.moot("ann", "propose", "--rule", str(path))
    assert "Amend rule 203 (text)" in said.out
    assert "Left out" not in said.err


def test_an_update_pushes_to_ones_own_pull_request_and_to_nobody_elses(gathering: Gathering) -> None:
    gathering.tea()
    other = gathering.file("coffee.yaml", TEA.replace("tea", "coffee").replace("Tea", "Coffee"))
    said = gathering.moot("bob", "propose", "--update", "1", "--rule", other, code=1)
    assert "is Ann's, not yours" in said.err
    said = gathering.moot("ann", "propose", "--update", "#1", "--rule", other, "--title", "Coffee, rather")
    assert "Pushed to pull request 1." in said.out
    assert "coffee for everybody" in git(gathering.bare, "show", f"refs/pull/1/head:state/{GAME}/rules/coffee.yaml")
    gathering.referee()
    assert gathering.document("proposals/300/301")["title"] == "Coffee, rather"


def test_an_update_that_somebody_else_was_quicker_with_is_refused(gathering: Gathering) -> None:
    gathering.tea()
    moved = gathering.change("ann", {f"state/{GAME}/rules/milk.yaml": rule_file("Milk")}, "Milk")

    def push(point: str) -> None:
        if point == "before-push":
            git(
                gathering.folder / "seat-ann",
                "push",
                "--quiet",
                "--force",
                str(gathering.bare),
                f"{moved}:refs/pull/1/head",
            )

    with fault_hook(push):
        said = gathering.moot("ann", "propose", "--update", "1", "--repeal", "206", code=5)
    assert "moved on meanwhile" in said.err
    assert gathering.head(1) == moved


def test_a_number_that_somebody_else_took_first_is_left_to_em(gathering: Gathering) -> None:
    taken: list[int] = []

    def open_first(point: str) -> None:
        if point == "before-push" and not taken:
            taken.append(0)
            taken[0] = gathering.propose("bob")

    with fault_hook(open_first):
        assert gathering.tea() == 2
    assert taken == [1]
    assert git(gathering.bare, "log", "-1", "--format=%an", "refs/pull/1/head") == "Bob"


@pytest.mark.parametrize(
    ("setting", "value", "wanted"),
    [
        ("user.email", "", "git does not know who you are"),
        ("user.name", "", "git does not know who you are"),
        ("user.email", "ann", "your e-mail address is 'ann', which is none"),
        ("user.email", "ann @x.org", "which is none"),
    ],
)
@pytest.mark.parametrize("words", [["propose", "--repeal", "206"], ["vote", "1", "for"], ["act", "finalise"], ["join"]])
def test_nobody_acts_without_an_identity(
    gathering: Gathering, setting: str, value: str, wanted: str, words: list[str]
) -> None:
    gathering.propose("bob")
    before = gathering.refs()
    git(gathering.clone("ann"), "config", setting, value)
    said = gathering.moot("ann", *words, code=5)
    assert wanted in said.err
    assert "git config user." in said.err
    assert gathering.refs() == before


def test_a_stranger_is_told_that_e_is_no_player(gathering: Gathering) -> None:
    gathering.tea()
    said = gathering.moot("eve", "vote", "1", "for", code=3)
    assert "Eve is no player of this game" in said.err
    assert "`moot join`" in said.err
    assert gathering.letters("eve") == []


# -- the editor


def test_a_new_rule_is_written_in_the_editor_without_the_comments_of_the_template(
    gathering: Gathering, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = """sed -i -e 's/^title: .*/title: Tea/' -e 's/^text: |$/text: |\\n  There is tea./' -e '$a # mine' "$1" """
    editor(gathering.folder, monkeypatch, script)
    before = state_of(gathering.clone("ann"))
    said = gathering.moot("ann", "propose", "--new")
    assert "Opened pull request 1." in said.out
    assert state_of(gathering.clone("ann")) == before
    text = git(gathering.bare, "show", f"refs/pull/1/head:state/{GAME}/rules/tea.yaml")
    assert "There is tea." in text
    assert "# mine" in text
    assert "A new rule. Fill it in" not in text
    assert "yaml-language-server" not in text
    assert not list((gathering.clone("ann") / ".git/folkmoot/drafts").iterdir())


@pytest.mark.parametrize("words", [[], ["--new"], ["--amend", "203"]])
def test_a_rule_that_is_left_as_it_was_is_not_proposed(
    gathering: Gathering, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    editor(gathering.folder, monkeypatch, ":")
    before = gathering.refs()
    said = gathering.moot("ann", "propose", *words, code=1)
    assert "nothing is proposed" in said.err
    assert gathering.refs() == before


def test_an_invalid_text_is_kept_and_gone_on_with(gathering: Gathering, monkeypatch: pytest.MonkeyPatch) -> None:
    editor(gathering.folder, monkeypatch, """printf 'title: Tea\\ntext: There is tea.\\nodd: 1\\n' > "$1" """)
    before = gathering.refs()
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
    listed = gathering.moot("ann", "propose", "--from")
    assert "newspaper     A page on which players write" in listed.out
    assert "did you mean market?" in gathering.moot("ann", "propose", "--from", "markt", code=1).err
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


def test_a_rule_in_force_is_amended_in_the_editor(gathering: Gathering, monkeypatch: pytest.MonkeyPatch) -> None:
    editor(gathering.folder, monkeypatch, """cp "$1" seen; sed -i 's/^text: |$/text: |\\n  Mind you:/' "$1" """)
    said = gathering.moot("ann", "propose", "--amend", "203")
    assert "Amend rule 203 (text)" in said.out
    assert "yaml-language-server" not in git(gathering.bare, "show", f"refs/pull/1/head:state/{GAME}/rules/203.yaml")
    line = (gathering.folder / "seen").read_text("utf-8").splitlines()[0]
    schema = gathering.clone("ann") / ".git/folkmoot/drafts" / line.removeprefix("# yaml-language-server: $schema=")
    assert json.loads(schema.read_text("utf-8")) == json_schema("rule")
    assert TEMPLATE.startswith(f"{line}\n")


# -- voting


@pytest.mark.parametrize(("choice", "kind"), [("for", "approve"), ("against", "request_changes")])
def test_a_review_votes_on_the_content_as_it_is(gathering: Gathering, choice: str, kind: str) -> None:
    gathering.tea()
    before = state_of(gathering.clone("bob"))
    record = gathering.moot("bob", "vote", "1", choice, "It", "was", "time.", "--json").record
    assert record["head"] == gathering.head(1)
    assert record["title"] == "Tea"
    letter = gathering.letters("bob")[0]
    assert f"kind: {kind}" in letter
    assert gathering.head(1) in letter
    assert "It was time." in letter
    assert state_of(gathering.clone("bob")) == before


def test_other_words_vote_by_a_comment(gathering: Gathering) -> None:
    gathering.tea()
    gathering.moot("bob", "vote", "1", "abstain", "I take no tea.")
    assert "/vote abstain because I take no tea." in gathering.letters("bob")[0]
    assert "there is no motion 34" in gathering.moot("bob", "vote", "--motion", "34", "yes", code=1).err
    gathering.referee()
    assert "is not open yet" in gathering.moot("bob", "vote", "--proposal", "301", "for", code=3).err
    gathering.moot("bob", "vote", "--proposal", "301", "for", "--anyway")
    assert "/vote for proposal=301" in gathering.letters("bob")[0]
    assert "pull: 0" in gathering.letters("bob")[0]


@pytest.mark.parametrize(
    ("words", "code", "wanted"),
    [
        (["7", "for"], 1, "open: 1 (Tea)"),
        (["1"], 2, "Say PULL and CHOICE"),
        (["--motion", "34"], 2, "Say CHOICE"),
        (["--motion", "34", "--proposal", "3", "yes"], 2, "one thing at a time"),
        (["tea", "for"], 2, "is no number of a pull request"),
        (["1", "for", "fine\n/do forfeit"], 1, "would be read as a command"),
        (["1", "not sure"], 1, "is no choice of vote here"),
        (["1", "yes\n/do forfeit"], 1, "is no choice of vote here"),
        (["1", "for", "\udcff"], 1, "is not UTF-8"),
        (["1", "for", "x" * 80_000], 1, "cannot be sent"),
    ],
)
def test_what_is_no_vote_is_not_sent(gathering: Gathering, words: list[str], code: int, wanted: str) -> None:
    gathering.tea()
    assert wanted in gathering.moot("bob", "vote", *words, code=code).err
    assert gathering.letters("bob") == []


def test_of_very_many_choices_some_are_told_and_how_many_more_there_are() -> None:
    choices = ["FOR", *(f"ENDORSE {letter}{n}" for letter in "ab" for n in range(10))]
    with pytest.raises(ProblemError) as told:
        checked_choice(["ENDORSE", "b77"], choices)
    assert str(told.value).count("ENDORSE") < 15
    assert "and 9 more" in str(told.value)
    assert "did you mean ENDORSE b7?" in told.value.problems[0].hint
    with pytest.raises(ProblemError) as few:
        checked_choice(["maybe"], choices[:12])
    assert choices[11] in str(few.value)
    assert "more" not in str(few.value)


def test_a_vote_on_what_is_over_is_not_sent(gathering: Gathering) -> None:
    gathering.tea()
    gathering.moot("ann", "withdraw", "1")
    gathering.referee()
    assert "pull request 1 (Tea) is closed already" in gathering.moot("bob", "vote", "1", "for", code=1).err


def test_what_is_over_can_be_talked_about(gathering: Gathering) -> None:
    gathering.tea()
    gathering.moot("ann", "withdraw", "1")
    gathering.referee()
    assert "Said on pull request 1, “Tea”." in gathering.moot("bob", "comment", "--on", "1", "A pity.").out
    gathering.referee(60)
    assert "A pity." in gathering.moot("ann", "log", "--talk").out


def test_a_vote_is_on_what_is_voted_on_where_something_else_was_pushed_since(gathering: Gathering) -> None:
    gathering.tea()
    gathering.referee()
    voted_on = gathering.head(1)
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    gathering.moot("ann", "propose", "--update", "1", "--repeal", "206")
    said = gathering.moot("bob", "vote", "1", "for")
    assert voted_on[:12] in said.out
    assert "newer content was pushed" in said.err
    assert voted_on in gathering.letters("bob")[0]
    gathering.referee()
    assert "bob" in gathering.document("proposals/300/301")["ballots"]


# -- acting


def test_an_act_is_a_comment_on_the_games_thread(gathering: Gathering) -> None:
    nasty = "It's \"5 o'clock\" $(touch x) `touch y` \\ ; rm -rf / && as=judge"
    said = gathering.moot("ann", "act", "state", f"text={nasty}")
    assert f"Sent to the thread of {GAME}: /do state" in said.out
    gathering.referee()
    entry = gathering.game().entry(gathering.game().head.seq)
    assert (entry["by"], entry["do"], entry["with"]) == ("ann", "state", {"text": nasty})
    assert not list(gathering.folder.rglob("x"))


@pytest.mark.parametrize(
    ("words", "code", "wanted"),
    [
        (["state", "text=x", "--by", "ann"], 2, "--by has no place"),
        (["state", "text=x", "--at", "+1h"], 2, "--at has no place"),
        (["state", "text=x", "--no-commit"], 2, "--no-commit has no place"),
        (["propose", "--repeal", "206"], 2, "moot propose --repeal NUMBER"),
        (["stat", "text=x"], 1, "did you mean state?"),
        (["state", "text=one\ntwo"], 1, "--pull"),
        (["stat", "text=x", "--pull"], 1, "did you mean state?"),
        (["state", "text=x", "--on", "9"], 1, "there is no pull request 9"),
        ([], 2, "Say what to do"),
    ],
)
def test_what_is_no_act_of_ones_own_is_not_sent(gathering: Gathering, words: list[str], code: int, wanted: str) -> None:
    before = gathering.refs()
    assert wanted in gathering.moot("ann", "act", *words, code=code).err
    assert gathering.refs() == before


def test_an_act_of_several_lines_comes_by_a_pull_request(gathering: Gathering) -> None:
    said = gathering.moot("ann", "act", "state", "text=one\n/vote against\n: two", "--pull")
    assert "Opened pull request 1: State." in said.out
    gathering.referee()
    entry = gathering.game().entry(gathering.game().head.seq)
    assert (entry["by"], entry["with"]) == ("ann", {"text": "one\n/vote against\n: two"})


def test_an_act_may_stand_on_a_pull_request(gathering: Gathering) -> None:
    gathering.tea()
    gathering.moot("ann", "act", "state", "Hear me.", "--on", "1")
    assert "pull: 1" in gathering.letters("ann")[0]


def test_of_several_games_the_one_that_is_meant_is_named(gathering: Gathering, moot: Moot) -> None:
    clone = gathering.clone("ann")
    people = ["-p", "ann,email=ann@x.org", "-p", "zoe", "--at", "2026-01-05T12:00:00Z"]
    assert moot("-C", str(clone), "new", "other", "-r", "suber", "--forge", "local", *people).code == 0
    git(clone, "push", "--quiet", "origin", "HEAD:main")
    assert "which game?" in gathering.moot("ann", "act", "state", "Hear me.", code=2).err
    gathering.moot("ann", "act", "state", "Hear me.", "--game", "other")
    assert "/game other\n" in gathering.letters("ann")[0]
    gathering.referee()
    assert [entry["do"] for entry in GameTree(gathering.repo, gathering.game().commit_id, "other").entries()] == [
        "found",
        "state",
    ]


def test_a_game_that_one_person_keeps_knows_no_pull_requests(table: Moot) -> None:
    assert "kept by one person" in table("act", "state", "x", "--by", "ann", "--pull").err
    said = table("vote", "1", "for")
    assert said.code != 0


def test_the_dice_are_opened_and_closed_with_a_secret_of_the_referees(gathering: Gathering) -> None:
    for epoch in (1, 2):
        gathering.moot("ann", "act", "open_epoch")
        gathering.referee()
        chance = gathering.document("game")["chance"]
        assert chance["epoch"] == epoch
        secret = next((gathering.referee_folder / "folkmoot").glob("*.secret")).read_text()
        assert secret not in git(gathering.bare, "log", "--all", "-p")
        gathering.moot("ann", "act", "close_epoch")
        gathering.referee()
        assert gathering.document("game")["chance"]["opened"][-1]["secret"] == secret


# -- joining, keys, talk, withdrawing


@pytest.mark.parametrize("how", [[], ["--comment"]])
def test_somebody_joins_and_plays(gathering: Gathering, how: list[str]) -> None:
    before = state_of(gathering.clone("eve"))
    said = gathering.moot("eve", "join", "evi", "--name", "Eve Ernst", "--with", "surname=Ernst", *how)
    assert f"join {GAME} as evi" in said.out
    assert state_of(gathering.clone("eve")) == before
    gathering.referee()
    entry = gathering.document("roster")["evi"]
    assert (entry["name"], entry["surname"], entry["handles"]["local"]["id"]) == ("Eve Ernst", "Ernst", "eve@x.org")
    assert "You are evi (eve@x.org)." in gathering.moot("eve", "status").out
    assert f"you are evi in {GAME} already" in gathering.moot("eve", "join", code=1).err


def test_without_an_id_one_is_made_and_a_taken_one_is_refused(gathering: Gathering) -> None:
    assert "there is a player bob" in gathering.moot("eve", "join", "bob", code=1).err
    assert f"join {GAME} as Eve" in gathering.moot("eve", "join").out


def keys(folder: Path, name: str) -> Path:
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "secret comment", "-f", str(folder / name)], check=True
    )
    return folder / name


def test_a_key_is_named_and_from_then_on_what_is_not_signed_does_not_count(gathering: Gathering) -> None:
    private = keys(gathering.folder, "key")
    said = gathering.moot("bob", "key", "add", f"{private}.pub")
    assert "git does not sign yet" in said.err
    gathering.referee()
    kept = gathering.document("roster")["bob"]["keys"]
    assert [key["key"] for key in kept] == [" ".join(Path(f"{private}.pub").read_text().split()[:2])]
    assert "secret comment" not in gathering.letters("bob")[0]
    assert "no good signature" in gathering.moot("bob", "act", "state", "Unsigned.", code=3).err
    gathering.moot("bob", "act", "state", "Unsigned.", "--anyway")
    gathering.referee(60)
    clone = gathering.clone("bob")
    for name, value in (("gpg.format", "ssh"), ("user.signingkey", str(private)), ("commit.gpgsign", "true")):
        git(clone, "config", name, value)
    gathering.moot("bob", "act", "state", "Signed.")
    gathering.referee(60)
    said_on_record = [entry["with"]["text"] for entry in gathering.game().entries() if entry["do"] == "state"]
    assert said_on_record == ["Signed."]
    gathering.moot("bob", "key", "revoke", f"{private}.pub", "--anyway")
    gathering.referee(60)
    assert gathering.document("roster")["bob"]["keys"][0]["until"] is not None


def test_a_private_key_is_refused_loudly_and_not_shown(gathering: Gathering) -> None:
    private = keys(gathering.folder, "key")
    for words in (["key", "add", str(private)], ["join", "--key", str(private)]):
        said = gathering.moot("eve", *words, code=1)
        assert "PRIVATE key; nothing of it was shown or sent" in said.err
        assert f"give {private}.pub" in said.err
        inner = private.read_text().splitlines()[1:-1]
        assert not any(line in said.err + said.out for line in inner)
    assert gathering.letters("eve") == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello\n",
        "ssh-ed25519\n",
        "ssh-ed25519 AAAA$(touch x)\n",
        "ssh-ed25519 " + "A" * 40 + "\nssh-ed25519 " + "B" * 40,
    ],
)
def test_what_is_no_public_key_is_refused(gathering: Gathering, text: str) -> None:
    said = gathering.moot("bob", "key", "add", gathering.file("odd.pub", text), code=1)
    assert "not the public half of an SSH key" in said.err


def test_only_the_author_withdraws(gathering: Gathering) -> None:
    gathering.tea()
    assert "is Ann's, not yours" in gathering.moot("bob", "withdraw", "1", code=1).err
    assert "Asked to close pull request 1, “Tea”." in gathering.moot("ann", "withdraw", "1").out
    assert "kind: close" in gathering.letters("ann")[0]


def test_talk_is_told_from_commands(gathering: Gathering) -> None:
    gathering.tea()
    assert gathering.moot("bob", "comment", "--on", "1", "Nice", "one.").out.strip() == "Said on pull request 1, “Tea”."
    assert "It asks for /vote." in gathering.moot("bob", "comment", "--on", "1", "Well.\n/vote abstain").out
    assert gathering.moot("bob", "comment", "  ", code=2).err


# -- looking


def test_status_tells_what_is_owed_with_the_command_for_it(gathering: Gathering) -> None:
    status = gathering.moot("ann", "status", "--json").record
    assert [(owed["what"], owed["command"]) for owed in status["owed"]] == [("propose a rule-change", "moot propose")]
    assert status["you"]["player"] == "ann"
    gathering.tea()
    assert gathering.moot("bob", "status", "--json").record["pulls"][0]["state"] == "new"
    gathering.referee()
    status = gathering.moot("ann", "status", "--json").record
    assert "moot act finalise proposal=301" in [owed["command"] for owed in status["owed"]]
    assert status["behind"] == 1
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    status = gathering.moot("bob", "status", "--json").record
    assert [owed["command"] for owed in status["owed"]] == ["moot vote 1 for"]
    assert status["owed"][0]["choices"] == ["for", "against", "abstain"]
    assert "moot vote 1 for   (or against, abstain)" in gathering.moot("bob", "status").out


def test_status_tells_what_is_on_its_way(gathering: Gathering) -> None:
    gathering.tea()
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    gathering.moot("bob", "vote", "1", "against")
    status = gathering.moot("bob", "status", "--json").record
    assert status["owed"] == []
    assert status["waiting"] == [{"pull": 1, "kind": "request_changes", "says": "request changes"}]
    gathering.referee()
    status = gathering.moot("bob", "status", "--json").record
    assert status["waiting"] == []
    assert [(ballot["on"], ballot["choice"], ballot["state"]) for ballot in status["ballots"]] == [
        ("proposal 301", "against", "counts")
    ]


def test_status_tells_which_votes_wait_or_do_not_count(gathering: Gathering) -> None:
    gathering.tea()
    gathering.referee()
    old = gathering.head(1)
    gathering.moot("bob", "vote", "1", "for")
    gathering.referee()
    ballot = gathering.moot("bob", "status", "--json").record["ballots"][0]
    assert (ballot["on"], ballot["choice"], ballot["state"]) == ("pull request 1", "for", "waits")
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    gathering.moot("ann", "propose", "--update", "1", "--repeal", "206")
    gathering.approve("cid", 1)
    gathering.referee()
    assert gathering.head(1) != old
    ballot = gathering.moot("cid", "status", "--json").record["ballots"][0]
    assert (ballot["choice"], ballot["state"]) == ("for", "is not counted")
    assert "other content" in ballot["why"]


def test_a_letter_that_was_ignored_is_told(gathering: Gathering) -> None:
    gathering.tea()
    gathering.say("bob", 1, "", "close")
    gathering.referee()
    said = gathering.moot("bob", "status")
    assert "only Ann may close that" in said.out


def test_looking_writes_nothing_and_observes_nothing(gathering: Gathering) -> None:
    gathering.tea()
    before, mine = gathering.refs(), state_of(gathering.clone("bob"))
    gathering.moot("bob", "status")
    gathering.moot("bob", "try", "1")
    assert gathering.refs() == before
    assert state_of(gathering.clone("bob")) == mine


def test_without_the_network_the_last_look_is_shown(gathering: Gathering) -> None:
    gathering.tea()
    gathering.referee()
    gathering.moot("bob", "status")
    gathering.bare.rename(gathering.folder / "away.git")
    said = gathering.moot("bob", "status")
    assert "Not up to date: " in said.err
    assert "Tea" in said.out
    said = gathering.moot("bob", "status", "--offline")
    assert "Offline" in said.err
    assert "proposal 301" in said.out


def test_a_clone_that_never_fetched_says_so(gathering: Gathering) -> None:
    gathering.clone("dee")
    gathering.bare.rename(gathering.folder / "away.git")
    assert "does not appear to be a git repository" in gathering.moot("dee", "status", code=5).err


def test_a_preview_shows_a_pull_request_a_file_and_a_branch(gathering: Gathering) -> None:
    gathering.tea()
    wanted = "There is tea for everybody."
    assert wanted in gathering.moot("bob", "try", "1").out
    assert wanted in gathering.moot("bob", "try", "--comment", gathering.file("tea.yaml")).out
    assert "your checked-out branch changes no rule" in gathering.moot("bob", "try", code=1).err
    clone = gathering.clone("bob")
    (clone / f"state/{GAME}/rules/tea.yaml").write_text(TEA)
    git(clone, "add", ".")
    git(clone, "commit", "--quiet", "-m", "Tea")
    assert wanted in gathering.moot("bob", "try").out
    assert "has not said anything" in gathering.moot("bob", "try", "1", "--said").out
    gathering.referee()
    assert "Proposal 301" in gathering.moot("bob", "try", "1", "--said").out


def test_the_preview_of_a_refused_pull_request_says_why_and_ends_with_1(gathering: Gathering) -> None:
    gathering.open("bob", {"game.yaml": b"title: mine\n"})
    said = gathering.moot("ann", "try", "1", code=1)
    assert f"state/{GAME}/game.yaml" in said.out


# -- where the table is


def test_the_table_is_named_by_an_option_a_variable_or_nothing(
    gathering: Gathering, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = gathering.clone("ann")
    git(clone, "remote", "rename", "origin", "club")
    assert gathering.moot("ann", "status", "--json").record["place"] == str(gathering.bare), "the only one there is"
    assert gathering.moot("ann", "status", "--remote", "club", "--json").record["place"] == str(gathering.bare)
    monkeypatch.chdir(gathering.folder)
    assert gathering.moot("ann", "status", "--remote", "table.git", "--json").record["place"] == str(gathering.bare)
    git(clone, "remote", "remove", "club")
    assert gathering.moot("ann", "status", "--json").record["place"] == str(clone), "there is none"
    monkeypatch.setenv("MOOT_REMOTE", str(gathering.bare))
    assert gathering.tea() == 1
    assert gathering.head(1)


def test_players_of_one_repository_meet_in_it(gathering: Gathering) -> None:
    clone = gathering.clone("ann")
    git(clone, "remote", "remove", "origin")
    before = state_of(clone)
    assert gathering.tea() == 1
    gathering.moot("ann", "vote", "1", "for")
    assert state_of(clone) == before
    assert git(clone, "rev-parse", "refs/pull/1/head")


def test_a_bare_clone_is_a_seat_too(gathering: Gathering, moot: Moot) -> None:
    path = gathering.folder / "bare-seat.git"
    git(gathering.folder, "clone", "--quiet", "--bare", str(gathering.bare), str(path))
    identity(path, "ann")
    assert "It is ann's turn" in moot("-C", str(path), "status").out
    assert "Opened pull request 1" in moot("-C", str(path), "propose", "--rule", gathering.file("tea.yaml")).out
    assert "Sent to the thread" in moot("-C", str(path), "act", "state", "Hear me.").out


def test_outside_of_a_repository_it_says_so(moot: Moot) -> None:
    for words in (["propose"], ["vote", "1", "for"], ["join"], ["try", "1"], ["withdraw", "1"]):
        said = moot(*words)
        assert said.code == 5, words
        assert "there is no git repository here" in said.err


def test_everything_works_over_smart_http(moot: Moot, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        gathering = Gathering(tmp_path, moot, f"{server.address}/table.git")
        assert gathering.tea() == 1
        gathering.moot("ann", "act", "finalise")
        for person in ("ann", "bob", "cid", "dee"):
            gathering.moot(person, "vote", "1", "for")
        assert "not looked at yet" in gathering.moot("bob", "status").out
        gathering.referee()
        assert gathering.document("proposals/300/301")["outcome"] == "adopted"
        assert "You owe" in gathering.moot("bob", "status").out


# -- founding


def test_a_founder_is_told_how_e_is_recognised(moot: Moot, tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--initial-branch=main", str(tmp_path))
    identity(tmp_path, "ann")
    said = moot("new", "open", "-r", "suber", "--forge", "local", "-p", "ann,email=Ann@x.org", "-p", "bob")
    assert "You are ann: git says that you are ann@x.org." in said.out
    said = moot("new", "shut", "-r", "suber", "--forge", "local", "--closed", "-p", "zoe", "-p", "bob")
    assert "git says that you are ann@x.org, which is no player here" in said.err
    assert "email=ADDRESS" in said.err
    game = (tmp_path / "state/shut/game.yaml").read_text()
    assert "forge: local" in game
    assert "joining: closed" in game
    assert "is kept by one person" not in moot("status", "--game", "shut").err


def test_whatever_is_opened_is_on_the_site(table: Moot, tmp_path: Path) -> None:
    from folkmoot.cli.show import PAGES
    from folkmoot.site.preparation import lay_site

    table("act", "propose", "--by", "ann", "--repeal", "206", "title=No more", "--at", "2026-01-05T12:00:30Z")
    lay_site(tmp_path)
    config = tmp_path / "mkdocs.yml"
    config.write_text(f"site_url: https://ann.example/\n{config.read_text('utf-8')}", "utf-8")
    assert table("serve", "--build").code == 0
    words = [*([name] for name in PAGES), ["bob"], ["rule", "206"], ["proposal", "301"], ["entry", "2"], ["turn"]]
    for each in words:
        said = table("show", "--address", *each)
        page = said.out.strip().removeprefix("https://ann.example/").partition("#")[0].removesuffix(".html")
        assert said.code == 0, said
        assert (tmp_path / "site" / f"{page}.html").is_file(), (each, said.out)
    several = table("show", "--open", "board")
    assert several.code == 1
    assert "`moot show` lists what there is" in several.err
