"""A ruleset extends one in another folder: of the same repository, in no circle, and not without end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.past.folders import write
from tests.support.moot import Moot

CORE = {"ruleset.yaml": "ruleset: core\ntitle: Core\n", "rules/1.yaml": 'rule: "1"\ntitle: One\ntext: The core.\n'}
WAVE = {
    "ruleset.yaml": "ruleset: wave\ntitle: Wave\nextends: ../core\n",
    "rules/2.yaml": 'rule: "2"\ntitle: Two\ntext: A wave.\n',
}


@pytest.fixture
def league(tmp_path: Path) -> Path:
    (tmp_path / "repo/.git").mkdir(parents=True)
    write(tmp_path / "repo/core", CORE)
    write(tmp_path / "repo/wave", WAVE)
    return tmp_path / "repo"


def extending(league: Path, what: str) -> str:
    write(league / "wave", {"ruleset.yaml": f"ruleset: wave\ntitle: Wave\nextends: {what}\n"})
    return str(league / "wave")


def test_it_has_the_rules_of_the_other_but_those_that_it_writes_anew(moot: Moot, league: Path) -> None:
    write(league / "wave", {"rules/1.yaml": 'rule: "1"\ntitle: One\ntext: Not the core.\n'})
    write(league / "crest", {"ruleset.yaml": "ruleset: crest\ntitle: Crest\nextends: ../wave\n"})
    assert moot("check", str(league / "crest")).code == 0
    assert moot("new", "g", "-r", str(league / "crest"), "-p", "ann", "--no-commit").code == 0
    assert "Not the core." in Path("state/g/rules/1.yaml").read_text()
    assert Path("state/g/rules/2.yaml").is_file()


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ("../../core", "lies outside the repository"),
        ("/etc", "is no folder seen from here"),
        ("../wave", "extends this one"),
        ("../cure", "there is no ruleset in ../cure"),
        ("../link", "so it is left alone"),
        ("sber", "did you mean suber?"),
    ],
)
def test_what_cannot_be_extended_is_told_with_its_place(moot: Moot, league: Path, what: str, why: str) -> None:
    write(league.parent / "core", CORE)
    (league / "link").symlink_to(league.parent / "core")
    told = moot("check", extending(league, what))
    assert told.code in (1, 4), told
    assert "ruleset.yaml:3:1" in told.err, told
    assert why in " ".join(told.err.split()), told


def test_a_circle_of_several_and_a_long_row_end(moot: Moot, league: Path) -> None:
    write(league / "core", {"ruleset.yaml": "ruleset: core\ntitle: Core\nextends: ../wave\n"})
    assert "extends this one" in " ".join(moot("check", str(league / "wave")).err.split())
    for number in range(12):
        head = f"ruleset: r{number}\ntitle: R\nextends: ../r{number + 1}\n"
        write(league / f"r{number}", {"ruleset.yaml": head})
    assert "rulesets extend one another" in " ".join(moot("check", str(league / "r0")).err.split())


def test_what_is_wrong_with_the_other_is_told_at_its_place(moot: Moot, league: Path) -> None:
    write(league / "core", {"rules/1.yaml": 'rule: "1"\ntitel: One\n'})
    assert "core/rules/1.yaml:2:1" in moot("check", str(league / "wave")).err


def test_without_a_repository_it_lies_beside(moot: Moot, tmp_path: Path) -> None:
    write(tmp_path / "here/core", CORE)
    write(tmp_path / "here/wave", WAVE)
    assert moot("check", str(tmp_path / "here/wave")).code == 0
    write(tmp_path / "here/wave", {"ruleset.yaml": "ruleset: wave\ntitle: W\nextends: ../../there\n"})
    write(tmp_path / "there", CORE)
    assert "outside" in moot("check", str(tmp_path / "here/wave")).err
