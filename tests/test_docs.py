"""The documentation is complete and in step: generated pages, headings, links, names."""

from __future__ import annotations

import doctest
import importlib
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

import folkmoot
from ci.reference import pages_of_engine
from ci.rule_table import pages as tables_of_rules
from folkmoot.cli.main import COMMANDS
from folkmoot.files.reader import read_action, read_rule, read_scenario, read_settings
from folkmoot.game import rulesets
from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from folkmoot.ops.doctor.findings import explained

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "site_src"
MADE = "<!-- Made by "
"""How a page begins that a program writes."""
HAND_WRITTEN = [
    SOURCES / "nomic.md",
    SOURCES / "getting.md",
    *sorted((SOURCES / "guides").glob("*.md")),
    *sorted((ROOT / "engine" / "docs").glob("*.md")),
    ROOT / "CONTRIBUTING.md",
]
HAND_WRITTEN += [
    page for page in sorted((SOURCES / "reference").glob("*.md")) if not page.read_text("utf-8").startswith(MADE)
]
HAND_WRITTEN += [ROOT / "README.md"]
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]+)?\)")


def headings(page: str) -> list[str]:
    return re.findall(r"^#+ (.*)$", (SOURCES / "reference" / page).read_text("utf-8"), re.MULTILINE)


def named(page: str) -> set[str]:
    return {name for heading in headings(page) for name in re.findall(r"`([^`]+)`", heading)}


def test_generated_pages_are_in_step_with_the_sources() -> None:
    for name, text in pages_of_engine().items():
        assert (SOURCES / name).read_text("utf-8") == text, f"{name}: run `python ci/reference.py`"


@pytest.fixture(scope="module")
def tables() -> dict[str, str]:
    """Return the tables of rules, for which every scenario is read."""
    return tables_of_rules()


@pytest.mark.long
def test_tables_of_rules_are_in_step_and_nothing_in_them_is_empty(tables: dict[str, str]) -> None:
    assert {f"reference/{file.name}" for file in (SOURCES / "reference").glob("rules*.md")} == set(tables)
    for name, text in tables.items():
        assert (SOURCES / name).read_text("utf-8") == text, f"{name}: run `python ci/rule_table.py`"
        rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| ")][2:]
        assert all(len(row) == 5 and all(cell.strip(" |") for cell in row) for row in rows)
        assert "0" not in [row[2] for row in rows], "a rule that no scenario shows"
    assert {"reference/rules-b-nomic.md", "reference/rules-imperial.md"} <= set(tables)


@pytest.mark.long
def test_each_rule_of_a_nomic_is_shown_by_two_scenarios_at_least(tables: dict[str, str]) -> None:
    rows = [
        line.split(" | ")
        for line in tables["reference/rules-a-nomic.md"].splitlines()
        if line.startswith(("| 3", "| 4", "| R-"))
    ]
    assert len(rows) == 118
    assert [row[0] for row in rows if int(row[2]) < 2] == []


def test_every_command_has_a_heading() -> None:
    assert set(headings("commands.md")) >= {f"moot {name}" for name in COMMANDS}


def test_every_action_of_the_kernel_and_of_every_ruleset_has_a_heading() -> None:
    rules = [rule for name in rulesets.names() for rule in rulesets.founding(name)["rules"]]
    assert named("actions.md") >= {
        *KERNEL_DECLARATIONS,
        *(name for rule in rules for name in rule.get("actions") or {}),
    }


def codes_used() -> set[str]:
    """Return every code that stands in the sources of the engine or in the scripts of its rulesets."""
    found: set[str] = set()
    folders = [ROOT / "engine" / "folkmoot"]
    while folders:
        for entry in folders.pop().iterdir():
            if entry.is_dir():
                folders.append(entry)
            elif entry.name.endswith((".py", ".yaml", ".star")):
                found |= set(re.findall(r"\"([EW]-[A-Z][A-Z0-9-]*[A-Z0-9])\"", entry.read_text(encoding="utf-8")))
    return found


def test_every_code_has_a_heading_and_no_heading_is_of_a_code_that_is_gone() -> None:
    used = codes_used()
    assert len(used) > 40
    assert used <= named("codes.md")
    assert {code for code in named("codes.md") if re.match("[EW]-", code)} <= used


def test_every_finding_of_the_doctor_has_a_heading_with_its_anchor() -> None:
    anchors = re.findall(r"\{#([a-z-]+)\}$", "\n".join(headings("doctor.md")), re.MULTILINE)
    assert anchors == list(explained())
    used = {
        code
        for file in (ROOT / "engine/folkmoot/ops/doctor").glob("*.py")
        for code in re.findall(r"\b(?:judged|Finding)\(\s*\"([a-z-]+)\"", file.read_text("utf-8"))
    }
    assert used == set(explained())


@pytest.mark.parametrize("page", HAND_WRITTEN, ids=lambda page: page.stem)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target, _anchor in LINK.findall(page.read_text("utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).resolve().exists(), target


def words(pages: Iterable[Path]) -> int:
    return sum(len(page.read_text("utf-8").split()) for page in pages)


def test_a_guide_is_read_in_ten_minutes_and_all_of_them_in_an_hour() -> None:
    guides = sorted((SOURCES / "guides").glob("*.md"))
    assert {guide.name: words([guide]) for guide in guides if words([guide]) >= 2000} == {}
    assert words([*guides, *SOURCES.glob("*.md")]) <= 12_000
    assert words(page for page in HAND_WRITTEN if page.parent.name == "reference") <= 30_000


def test_the_examples_of_files_are_such_files() -> None:
    readers = {"rule": read_rule, "by": read_action, "title": read_settings, "scenario": read_scenario}
    blocks = [
        block
        for page in ("files.md", "scenarios.md")
        for block in re.findall(r"```yaml\n(.*?)```", (SOURCES / "reference" / page).read_text("utf-8"), re.DOTALL)
    ]
    read = set()
    for block in blocks:
        kind = block.partition(":")[0]
        if kind in readers:
            readers[kind](block, "example.yaml")
            read.add(kind)
    assert read == set(readers)


PACKAGE = ROOT / "engine" / "folkmoot"
FOR_DEVELOPERS = [*sorted((ROOT / "engine" / "docs").glob("[!t]*.md")), ROOT / "CONTRIBUTING.md"]
"""All but the threat model, whose paths `test_threats` looks after."""


@pytest.mark.parametrize("page", FOR_DEVELOPERS, ids=lambda page: page.stem)
def test_pages_for_developers_name_what_is_there(page: Path) -> None:
    """Every path in backquotes is one of the package, of the repository, or of a game."""
    for name in re.findall(r"`((?:[a-z_]+/)+(?:[a-z_]+\.(?:py|star))?)`", page.read_text("utf-8")):
        found = (PACKAGE / name).exists() or (ROOT / name).exists() or (ROOT / "state/suber-mail" / name).exists()
        assert found, f"{page.name}: {name}"


def test_the_floors_of_the_page_are_those_of_the_contract() -> None:
    """The table of the architecture, the contract of import-linter and the folders say the same in the same words."""
    table = (ROOT / "engine" / "docs" / "architecture.md").read_text("utf-8")
    rows = [re.findall(r"`([a-z]+)/`", row[2]) for row in re.finditer(r"^\| (\d+) \| ([^|]+) \|", table, re.MULTILINE)]
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    above, *floors = layers
    assert above == "__main__", "what begins the command stands on no floor"
    assert [sorted(row) for row in rows] == [sorted(layer.split(" | ")) for layer in floors]
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders == {name for row in rows for name in row}


def test_the_commands_named_in_the_documentation_exist() -> None:
    for page in HAND_WRITTEN:
        for name in re.findall(r"(?:`|\$ )moot ([a-z]+)", page.read_text("utf-8")):
            assert name in COMMANDS, f"{page}: moot {name}"


def test_no_two_headings_of_a_page_have_one_address() -> None:
    for page in sorted(SOURCES.rglob("*.md")):
        given = re.findall(r"\{#([^}\s]+)\}$", page.read_text("utf-8"), re.MULTILINE)
        assert sorted(given) == sorted({*given}), page.name


def test_examples_of_docstrings_hold() -> None:
    tried = 0
    for path in Path(folkmoot.__file__).parent.rglob("*.py"):
        if ">>> " in path.read_text("utf-8"):
            name = ".".join(path.relative_to(ROOT / "engine").with_suffix("").parts)
            found = doctest.testmod(importlib.import_module(name))
            tried += found.attempted
            assert found.failed == 0, name
    assert tried > 250
