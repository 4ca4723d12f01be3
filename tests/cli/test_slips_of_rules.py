"""What is typed wrongly by those who propose, check and try rules, options too, and what is wrong in their files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.gathering import TEA, Gathering, Slip, not_told, slip, tea
from tests.support.meeting import GAME, git
from tests.support.moot import Moot

EXAMPLE = "examples:\n  - {scenario: It pays, steps: [], expect: [{player: ann, score: 5}]}\n"
FILES: dict[str, str | bytes] = {
    "empty.yaml": "",
    "crlf.yaml": TEA.replace("text:", "txet:").replace("\n", "\r\n"),
    "act.yaml": "do: state\nwith: {text: Hear me.}\n",
    "list.yaml": "- title: Tea\n",
    "twice.yaml": "title: Tea\ntitle: Coffee\ntext: Both.\n",
    "quote.yaml": 'title: "Tea\ntext: All.\n',
    "key.yaml": TEA.replace("text:", "txet:"),
    "number.yaml": "title: 5\ntext: Five.\n",
    "late.yaml": TEA + "script: |\n  def on_joned(e):\n      pass\n",
    "curly.yaml": TEA + "script: |\n  def on_joined(e):\n      award(e.player, “score”, 5)\n",
    "tabs.yaml": TEA + "script: |\n  def on_joined(e):\n  \tpass\n",
    "colon.yaml": "title: Tea\ntext: Tea: for all\n",
    "failing.yaml": TEA + EXAMPLE,
    "broken.yaml": TEA + "script: |\n  def on_joined(e)\n      pass\n",
    "tea.yaml": TEA,
    "utf16.yaml": TEA.encode("utf-16"),
    "latin.yaml": "title: Tea\ntext: Café\n".encode("latin-1"),
    "program.yaml": Path(sys.executable).read_bytes()[:200],
    "mark.yaml": TEA.encode("utf-8-sig"),
    "tab.yaml": "title: Tea\ntext: |\n\tTea.\n",
    "page.md": "# Tea\n\nThere is tea.\n",
    "open.json": '{"title": "Tea",',
}
PROPOSING: tuple[Slip, ...] = (
    ("propose tea.yaml", 2, "`moot propose --rule tea.yaml`"),
    ("propose 'Tea for all'", 2, "`moot propose --title 'Tea for all'`"),
    ("propose --repeal 206 --force", 2, "`--anyway`"),
    ("propose --repael 206", 2, "Did you mean one of: '--remote', '--repeal'"),
    ("propose --repeal 206 --repeal 206", 1, "changed twice"),
    ("propose --repeal 206 --transmute 206=immutable", 1, "cannot be repealed and transmuted"),
    ("propose --repeal 201 202", 2, "`--repeal 202`"),
    ("propose --repeal 206,207", 1, "no rule 206,207 is in force", "in force: "),
    ("propose --repeal 999", 1, "no rule 999", "in force: "),
    ("propose --transmute 101", 2, "is written NAME=VALUE"),
    ("propose --transmute 207", 2, "as in `207=immutable`"),
    ("propose --transmute '207 = mutabel'", 1, "they are immutable or mutable"),
    ("propose --transmute 203=mutable", 1, "rule 203 is mutable already"),
    ("propose --update 1 --repeal 206", 1, "Ann's, not yours", "moot propose"),
    ("propose --update 7 --repeal 206", 1, "there is no pull request 7"),
    ("propose --update 0 --repeal 206", 2, "is no number of a pull request"),
    ("propose --rule tea.yaml", 3, "The referee would refuse it: ", "[E-ORDER]", "Nothing was sent", "--anyway"),
    ("propose --rule tea.yaml --do dance", 3, "a description commands nothing", "Nothing was sent."),
    ("propose --rule tea.yaml --vote perhaps", 1, "'perhaps' is no choice", "for, against, abstain"),
    ("propose --rule teas.yaml", 2, "teas.yaml", "does not exist"),
    ("propose --rule bob", 2, "'bob' is a directory"),
    ("propose --from markt", 1, "did you mean market?"),
    ("propose", 1, "no terminal here", "moot propose --rule FILE"),
    ("propose --amend 203", 1, "no terminal here", "moot propose --rule FILE"),
    ("propose --new", 1, "no terminal here", "moot propose --rule FILE"),
    ("try", 1, "moot try 7", "moot try tea.yaml"),
    ("try 7", 1, "no pull request 7", "open: 1 (Tea)"),
    ("try --repeal 999", 1, "no rule 999 is in force [E-NO-SUCH]"),
    ("try tea.yaml --show scroes", 2, "there are turn, scores"),
    ("check nowhere/", 2, "nowhere"),
)
IN_FILES: tuple[Slip, ...] = (
    ("propose --rule empty.yaml", 1, "empty.yaml:1:1: ", "not nothing"),
    ("propose --rule list.yaml", 1, "list.yaml:1"),
    ("propose --rule twice.yaml", 1, "twice.yaml:2:", "title"),
    ("propose --rule quote.yaml", 1, "quote.yaml:"),
    ("propose --rule key.yaml", 1, "key.yaml:3:", "did you mean `text`?"),
    ("propose --rule crlf.yaml", 1, "crlf.yaml:3:", "did you mean `text`?"),
    ("propose --rule number.yaml", 1, "number.yaml:1:"),
    ("propose --rule act.yaml", 1, "act.yaml:1:"),
    ("propose --rule failing.yaml", 1, "failing.yaml:6:5", "[E-EXAMPLE]", "--anyway"),
    ("propose --rule broken.yaml", 1, "broken.yaml:6:", "[E-SCRIPT]", "Nothing was sent", "--anyway"),
    ("check failing.yaml", 1, "It pays: expected {player: ann, score: 5}, but score is 0 [E-EXAMPLE]"),
    ("check late.yaml", 0, "late.yaml:6:", "did you mean `joined`?"),
    ("check curly.yaml", 1, "curly.yaml:7:", "straight quotation marks"),
    ("check tabs.yaml", 1, "tabs.yaml:", "write blanks"),
    ("check colon.yaml", 1, "colon.yaml:2:", "below `text: |`"),
    ("check utf16.yaml", 1, "utf16.yaml:1: the file is UTF-16", "save it as UTF-8"),
    ("check --json utf16.yaml", 1, "E-UTF8"),
    ("try utf16.yaml", 1, "the file is UTF-16"),
    ("try --comment utf16.yaml", 1, "the file is UTF-16"),
    ("propose --rule latin.yaml", 1, "latin.yaml:2: the file is not UTF-8", "save it"),
    ("try program.yaml", 1, "program.yaml:", "save it as UTF-8"),
    ("check mark.yaml", 1, "mark.yaml:1:1: ", "without a byte-order mark"),
    ("propose --rule tab.yaml", 1, "tab.yaml:3:1: a tab stands here", "write blanks"),
    ("try page.md", 1, "page.md:3:1: the rule must be a map of keys", "keys and values"),
    ("propose --rule open.json", 1, "open.json:1:", "this is not YAML"),
)


def test_each_slip_of_whoever_proposes_is_told(gathering: Gathering, monkeypatch: pytest.MonkeyPatch) -> None:
    tea(gathering)
    for name, text in FILES.items():
        (gathering.folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    slip(gathering, PROPOSING)
    slip(gathering, IN_FILES)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    for editor in ("/nowhere/editor", "'vi"):
        monkeypatch.setenv("EDITOR", editor)
        slip(gathering, (("propose --new", 1, "your editor failed", "set EDITOR"),))


def test_in_a_game_that_one_person_keeps(table: Moot) -> None:
    Path("tea.yaml").write_text(TEA)
    Path("steps.yaml").write_text("by: ann\ndo: propose\n")
    Path("mutabel.yaml").write_text(TEA.replace("mutable", "mutabel"))
    slips: tuple[Slip, ...] = (
        ("try --comment tea.yaml", 1, "`moot try FILE` shows what a rule would do"),
        ("try tea.yaml --steps steps.yaml", 1, "steps.yaml:1:1: the steps must be a list"),
        ("check --schemas", 2, "requires an argument"),
        ("check mutabel.yaml", 0, "mutabel.yaml:2:", "no rule has the status 'mutabel'; did you mean mutable?"),
    )
    wrong = not_told(table, slips)
    assert not wrong, "\n\n".join(wrong)


def amend(clone: Path, words: str, branch: str = "") -> None:
    """Change a rule and commit it, on a new branch if one is named."""
    if branch:
        git(clone, "checkout", "--quiet", "-b", branch)
    path = clone / f"state/{GAME}/rules/203.yaml"
    path.write_text(path.read_text().replace("text: |\n", f"text: |\n  {words}\n", 1))
    git(clone, "commit", "--quiet", "--all", "--message", words)


def test_git_is_midway_through_something(gathering: Gathering) -> None:
    clone = gathering.clone("ann")
    amend(clone, "One.", "aside")
    git(clone, "checkout", "--quiet", "main")
    amend(clone, "Two.")
    rule = f"{clone}/state/{GAME}/rules/203.yaml"
    marks = ("203.yaml:6:1: git left the marks of a merge conflict", "take out the lines")
    for word in ("merge", "rebase"):
        with pytest.raises(Exception, match="returned non-zero"):
            git(clone, word, "aside")
        slips: tuple[Slip, ...] = (
            ("propose", 5, f"midway through `git {word}`", f"git {word} --abort"),
            (f"propose --rule {rule}", 1, *marks),
            (f"try --comment {rule}", 1, *marks),
            (f"check {rule}", 4, *marks),  # it reads the record first, damaged as it is
            (f"try {rule}", 4, *marks),
        )
        slip(gathering, slips, "ann")
        git(clone, word, "--abort")
    git(clone, "bisect", "start")
    slip(gathering, (("propose", 5, "git bisect reset"),), "ann")


def test_a_branch_with_what_no_proposal_may_hold(gathering: Gathering) -> None:
    clone = gathering.clone("ann")
    rules = clone / f"state/{GAME}/rules"

    def commit(code: int, *wanted: str) -> None:
        git(clone, "add", "--all")
        git(clone, "commit", "--quiet", "--message", "Tea")
        slip(gathering, (("propose", code, *wanted),), "ann")
        git(clone, "reset", "--quiet", "--hard", "HEAD~")

    (rules / "999.yaml").write_text((rules / "203.yaml").read_text())
    slip(gathering, (("check", 1, "999.yaml:2:1: ", "203.yaml has the uid 203 already", "leave `rule`"),), "ann")
    (rules / "999.yaml").unlink()
    for name in ("tea", "Tea"):
        (rules / f"{name}.yaml").write_text(TEA)
    commit(1, "some systems take for the same name", "choose another name")
    (rules / "203.yaml").unlink()
    (rules / "203.yaml").symlink_to(gathering.file("elsewhere.yaml"))
    commit(1, "mode 120000", "commit the file itself")
    (rules / "tea.yaml").write_text(TEA + "script: |\n  def on_joined(e)\n      pass\n")
    commit(1, f"state/{GAME}/rules/tea.yaml:6:")
    (rules.parent / "roster.yaml").write_text("ann: 3\n")
    commit(1, f"state/{GAME}/roster.yaml", "only the referee the rest", "take it out")
    git(clone, "mv", f"state/{GAME}", "state/marsh")
    commit(2, "there is no game `marsh` here")
    path = rules / "203.yaml"
    path.write_text(path.read_text().replace("text: |\n", "text: |\n  First:\n", 1))
    slip(gathering, (("propose", 1, f"moot propose --rule state/{GAME}/rules/203.yaml"),), "ann")
