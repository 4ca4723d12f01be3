"""What people read on a terminal of 80 columns: no line is wider, and each time is said alike, as `2026-01-05 12:00 UTC`."""

from __future__ import annotations

import re

import pytest

from folkmoot.cli.terminal import fitted, wide
from folkmoot.core.calendar import read_moment, write_moment
from tests.support.gathering import TEA, Gathering
from tests.support.meeting import git

WIDTH = 80
LONG = TEA.replace("There is tea for everybody.", "There is tea for everybody who asks for it in time. " * 9)
SCRIPT = "script: |\n  def on_said(e):\n    " + " + ".join(f"alpha_{n}" for n in range(30)) + "\n"
LOOKED_AT = """
status | status --offline | show | show rules | show scores | show 1 | show rule 208
show registers | show players | show turn | show nothing | show rule 999 | log | log --mine | log --talk | log --entry 1
verify | verify --engine nowhere | explain | explain rule 201 | explain ann score | explain proposal 301 | explain bbo
explain limits | explain action vote | act --list | act vote --help | act transfer --help | act | act nothing
act vote choice=agianst | act vote choice=for proposal=999 | act finalise | act throw_die | act judge ruling=x
vote | vote 1 agianst | vote 99 for | vote 1 for --proposal 999 | propose --rule tea.yaml --dry-run | propose --repeal 999
propose --rule nowhere.yaml | propose --transmute 101=mutabel | propose --rule long.yaml --dry-run
join | comment | withdraw 99 | preview 1 | preview long.yaml | preview 99 | try long.yaml | try odd.yaml --show scores
check long.yaml | check odd.yaml | check nowhere.yaml | check | wait --timeout 0 | wait --for answer --timeout 0 | status -b ann | open | hand | key | key --new
doctor | pages --build | tick | repair | forms | schema | referee --watch 0 | demo --next | stauts | status --ofline
new evening -p ann | table nowhere -p ann@x | move | begin | digest | scenario nowhere.yaml | serve --port x
"""
"""What is typed, by words between bars: what is shown, and what is refused."""


@pytest.fixture
def evening(gathering: Gathering, monkeypatch: pytest.MonkeyPatch) -> Gathering:
    """Return a gathering with an open vote, talk and refused acts, at terminals of 80 columns."""
    gathering.tea()
    gathering.referee()
    gathering.moot("bob", "comment", "I had rather have rum. " * 12)
    gathering.moot("cid", "act", "finalise", "--anyway")
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    clone = gathering.clone("bob")
    (clone / "tea.yaml").write_text(TEA, "utf-8")
    (clone / "long.yaml").write_text(LONG, "utf-8")
    (clone / "odd.yaml").write_text(TEA.replace("title", "titel") + SCRIPT, "utf-8")
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    monkeypatch.setattr("folkmoot.cli.terminal.is_terminal", lambda stream: True)
    monkeypatch.delenv("MOOT_DEBUG")
    return gathering


COMMAND = re.compile(r"\s*(?:git|moot|cd) ")


def too_wide(text: str, width: int = WIDTH) -> list[str]:
    """Return the lines that could have gone on below themselves, or are none that somebody copies."""
    lines = text.replace("\r", "").split("\n")
    return [line for line in lines if wide(line) > width and not COMMAND.match(line) and fitted(line, width) != line]


MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
OTHER = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?Z?"  # a stamp, as programs read it
    rf"|\b\d{{1,2}} (?:{MONTHS})[a-z]* \d{{4}}|\b(?:{MONTHS})[a-z]* \d{{1,2}}, \d{{4}}"  # a day by its name
    r"|\d{4}-\d\d-\d\d \d\d:\d\d(?!(?::\d\d)?(?: UTC| {2}))"  # a minute without its zone, but where a cell goes on below
    r"|(?<![\d:T-])1[67]\d{8}(?!\d)"  # seconds since 1970
)
MORE = """
explain entry 1 | explain proposal 301 | explain ballot 301 ann | explain setting mode | explain proposal/301 posted_at
log -n 99 | preview 1 --said | tick --until 2001-01-01T00:00:00Z
"""
KEPT = re.compile(r'[\s-]*"?(?:at|until|due|again|cursor)"?: \d+,?')
TYPED = ("stamp (", "as in 2026-01-05T12:00:00Z", "…T")
"""What says how a time may be typed."""


def others(text: str) -> list[str]:
    """Return the lines in which a time is said otherwise, but for those of records that only programs read."""
    said = [line for line in text.splitlines() if not KEPT.fullmatch(line)]
    return [line for line in said if OTHER.search(line) and not any(word in line for word in TYPED)]


def test_no_screen_is_too_wide_or_says_a_time_otherwise(evening: Gathering, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(evening.clone("bob"))
    found = {}
    for words in (
        each.split() for line in f"{LOOKED_AT}|{MORE}".splitlines() for each in line.split("|") if each.strip()
    ):
        said = evening._moot(*words)
        assert "Traceback" not in said.err
        assert not said.out.startswith("\n"), words
        if wrong := [*too_wide(said.out), *too_wide(said.err), *others(said.out), *others(said.err)]:
            found[" ".join(words)] = wrong
    assert found == {}


def test_no_comment_says_a_time_otherwise(evening: Gathering) -> None:
    evening.moot("ann", "vote", "1", "for")
    evening.referee()
    names = git(evening.bare, "ls-tree", "-r", "--name-only", "refs/moot/forge").splitlines()
    said = [name for name in names if name.startswith(("said/", "answers/")) or name.endswith(".md")]
    text = "\n".join(git(evening.bare, "show", f"refs/moot/forge:{name}") for name in said)
    assert "# " in text or "**" in text, "there are comments"
    assert others(text) == []
    for at in (0, 1_767_614_400, 1_767_614_459):
        assert read_moment(write_moment(at, exactly=True), 0) == at, "a time is taken as it is said"
