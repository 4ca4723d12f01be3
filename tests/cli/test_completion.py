"""What the shell completes, from what is on disk; what an action takes; and what is loaded for it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from click.shell_completion import ShellComplete

from folkmoot.cli.main import COMMANDS
from folkmoot.cli.main import moot as command_line
from tests.support.gathering import Gathering, tea, voted_on
from tests.support.meeting import git


def completed(gathering: Gathering, *words: str) -> list[str]:
    """Return what completes the last of some words that bob types."""
    *before, typed = words
    shell = ShellComplete(command_line, {}, "moot", "_MOOT_COMPLETE")
    found = shell.get_completions(["-C", str(gathering.clone("bob")), *before], typed)
    return [item.value for item in found]


COMPLETED = {
    "act fin": ["finalise"], "act --by c": ["cid"], "act --game ": ["moor"], "act --game chess ": [],
    "propose --repeal 20": [f"20{number}" for number in range(1, 10)],
    "explain act": ["action"], "explain c": ["cid"], "show sco": ["scores"], "show b": ["board"], "log --by b": ["bob"],
    "vote a": ["against", "abstain"], "verify --repair c": ["clock"],
}  # fmt: skip


def test_the_words_that_may_come_next(gathering: Gathering) -> None:
    assert {typed: completed(gathering, *typed.split(" ")) for typed in COMPLETED} == COMPLETED
    assert {"propose", "vote"} <= {*completed(gathering, "act", "")}


def test_pull_requests_as_they_were_fetched_last_and_nothing_of_what_is_broken(
    gathering: Gathering, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone = gathering.clone("bob")
    tea(gathering)
    assert completed(gathering, "withdraw", "") == []
    gathering.moot("bob", "status")
    assert completed(gathering, "withdraw", "") == completed(gathering, "log", "--pull-request", "") == ["1"]
    assert completed(gathering, "comment", "--on", "") == completed(gathering, "act", "--on", "") == ["1"]
    assert completed(gathering, "vote", "") == ["for", "against", "abstain", "1"]
    (clone / "state/moor/roster.yaml").unlink()
    assert completed(gathering, "act", "--by", "") == []
    git(clone, "rm", "--quiet", "--force", "-r", "state")
    assert completed(gathering, "act", "") == []
    for words, place in (("moot nosuch ", "2"), ("moot ver", "1")):
        for shell in ("bash", "zsh", "fish"):
            for name, value in (("_MOOT_COMPLETE", f"{shell}_complete"), ("COMP_WORDS", words), ("COMP_CWORD", place)):
                monkeypatch.setenv(name, value)
            said = gathering._moot()
            assert (shell, place) != ("bash", "1") or "verify" in said.out
            assert not said.err


# -- what an action takes


def test_an_action_shows_what_it_takes_and_a_vote_what_is_open(gathering: Gathering) -> None:
    for words in (("act", "invoke_judgment", "--help"), ("explain", "action", "invoke_judgment")):
        said = gathering.moot("bob", *words).out
        for wanted in ("moot act invoke_judgment ", "question", "For instance: moot act invoke_judgment", "Rule 212"):
            assert wanted in said, (wanted, said)
        assert all(len(line) <= 120 for line in said.splitlines())
    assert gathering.moot("bob", "act", "invoke_judgment", "--help", "--json").record["rule"] == "212"
    for words in (("act", "finalize", "--help"), ("explain", "action", "finalize")):
        assert "did you mean finalise?" in gathering.moot("bob", *words, code=1).err
    assert "now: " not in gathering.moot("bob", "act", "vote", "--help").out, "nothing is open"
    voted_on(gathering)
    record = gathering.moot("bob", "act", "vote", "--help", "--json").record
    assert record["values"]["choice"] == ["for", "against", "abstain"]
    assert record["example"] == "moot act vote choice=for"
    assert "now: for, against, abstain" in gathering.moot("bob", "act", "vote", "--help").out


def test_the_actions_are_listed_by_what_one_may_do_now(gathering: Gathering) -> None:
    record = gathering.moot("bob", "act", "--list", "--json").record
    groups = {action["name"]: action["group"] for action in record["actions"]}
    assert (groups["forfeit"], groups["state"], groups["pause"]) == ("now", "now", "administrators")
    assert groups["propose"] == groups["vote"] == "not", "it is ann's turn, and nothing is open"
    assert record["actions"][0]["topic"] == "Propose and vote"
    said = gathering.moot("bob", "act", "--list").out
    assert max(map(len, said.splitlines())) <= 80
    assert said.index("Propose and vote") < said.index("not now: propose") < said.index("In every game")
    assert "not now: vote (no vote is open)" in said
    assert "Stop every timer" not in said
    assert "Stop every timer" in gathering.moot("ann", "act", "--list").out, "an administrator sees what they do"
    assert "join" in gathering.moot("eve", "act", "--list").out


# -- what is loaded


HEAVY = ("git", "pygit2", "httpx", "mkdocs", "rich", "markdown_it", "msgspec", "starlark", "jinja2", "minijinja")
OURS = ("folkmoot.forges", "folkmoot.kernel.step", "folkmoot.ops", "folkmoot.player", "folkmoot.referee", "folkmoot.sandbox",
        "folkmoot.site", "folkmoot.wording")  # fmt: skip


def loaded_by(*statements: str) -> set[str]:
    """Return what a process has loaded of all that only a command's work needs."""
    script = "\n".join(["import sys", "from folkmoot.cli.main import moot", *statements, "print(*sys.modules)"])
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    modules = {*done.stdout.splitlines()[-1].split()}
    return {name for name in (*HEAVY, *OURS) if name in modules}


def test_no_work_is_loaded_for_help_and_completion() -> None:
    helps = [f"moot.main([{name!r}, '--help'], standalone_mode=False)" for name in COMMANDS if name != "act"]
    asked = "from click.shell_completion import ShellComplete as Shell"
    options = [f"Shell(moot, {{}}, 'moot', '_M').get_completions([{name!r}], '--')" for name in COMMANDS]
    assert loaded_by(*helps, asked, *options) <= {"msgspec"}


def test_looking_loads_neither_what_builds_sites_nor_what_judges(gathering: Gathering) -> None:
    clone = str(gathering.clone("bob"))
    looks = [f"moot.main(['-C', {clone!r}, {name!r}], standalone_mode=False)" for name in ("status", "show", "log")]
    found = loaded_by(*looks)
    assert "folkmoot.player" in found
    assert found.isdisjoint({"git", "httpx", "mkdocs", "rich", "jinja2", "minijinja", "folkmoot.site",
                             "folkmoot.kernel.step"})  # fmt: skip
