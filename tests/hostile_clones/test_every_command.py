"""Every command of `moot` in every kind of hostile clone: nothing is run, read out, sent or written elsewhere.

A command either ends as it does in a sound clone, because what is hostile is nothing to it, or it says what stops it in
one sentence and ends with 4 or 5. A part of the kinds meet a command each: the kinds of a large family share all of them,
those of a small one the commands at which they bite; with FOLKMOOT_FUZZ=1 every kind meets every command. Commands that look are
run one after the other in one clone, those that act each in a fresh one.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import pytest

import folkmoot
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.main import COMMANDS
from tests.conftest import FUZZ
from tests.hostile_clones import (
    damage_of_git,
    links,
    networks,
    pending,
    programs_of_git,
    records,
    sites,
    sizes,
    special_files,
)
from tests.hostile_clones.commands import FORMS, ITS_OWN, LISTS, NAMED, Form
from tests.hostile_clones.ground import (
    BY_LOOKS,
    CANARY,
    GAME,
    HANGS,
    LONGEST,
    OURS,
    PATIENCE,
    PROTECTED,
    TOKEN,
    Clone,
    Ground,
    Kind,
    Listener,
    Picture,
    Said,
    copy,
    git,
    listening,
)
from tests.support.forking import Forking
from tests.support.sites import lay_small_site

FAMILIES: dict[str, dict[str, Kind]] = {
    module.__name__.rpartition(".")[2]: module.KINDS
    for module in (links, special_files, pending, programs_of_git, damage_of_git, records, sites, sizes, networks)
}
CASES = [(family, name) for family, kinds in FAMILIES.items() for name in kinds]
BITES = {
    "pending": ("status", "act", "verify", "referee"),
    "programs_of_git": ("status", "act", "referee", "verify", "propose", "serve", "comment"),
    "networks": ("status", "doctor", "referee", "act", "vote"),
    "sites": ("serve", "check"),
    "sizes": ("status", "act", "verify", "check", "serve"),
}
"""The commands at which the kinds of a small family bite."""
PROBLEM = re.compile(r"^(?!  hint: |Refused: ).*\[(E-[A-Z-]+)\]$|^\s*\"code\": \"(E-[A-Z-]+)\"", re.MULTILINE)
PEOPLE = [word for who in ("ann", "bob", "cid") for word in ("-p", f"{who},surname={who.title()},email={who}@x.org")]
TEA = "title: Tea\nlabels: {status: mutable}\ntext: |\n  There is tea for everybody.\n"
MAY_START = re.compile(r"git|ldconfig|.*pagefind\w*")
OWN = ("folkmoot.sandbox.worker", "setuptools import build_meta")
"""What tells programs of the engine itself: its sandbox, and the building of its wheel."""
FEW = 3
"""How many files are named of those that a run should not have touched."""


def test_every_command_is_tried() -> None:
    assert set(FORMS) == set(COMMANDS)
    assert all(command in (form.words[0], form.words[-1]) for command, forms in FORMS.items() for form in forms)


@pytest.mark.skipif(FUZZ, reason="a long run tries all")
def test_each_large_family_meets_every_command_and_each_small_one_those_at_which_it_bites() -> None:
    tried = {family: {_command(family, name) for name in kinds} for family, kinds in FAMILIES.items()}
    assert tried == {family: set(BITES.get(family, COMMANDS)) for family in FAMILIES}


def _command(family: str, name: str) -> str:
    [tried] = forms_for(family, name)
    return next(command for command, forms in FORMS.items() if tried in forms)


def forms_for(family: str, name: str) -> list[Form]:
    """Return how a kind is tried: in a long run by all, else by one command, whose forms take turns."""
    forms = {command: [*forms] for command, forms in FORMS.items()}
    if family not in ("programs_of_git", "damage_of_git"):
        forms = {command: [each for each in given if each.place != "table"] for command, given in forms.items()}
    if FUZZ:
        return [form for given in forms.values() for form in given if not (FAMILIES[family][name].large and form.slow)]
    number, commands = [*FAMILIES[family]].index(name), BITES.get(family) or tuple(FORMS)
    given = forms[commands[number % len(commands)]]
    quick = [form for form in given if not form.slow] or given
    return [quick[(number // len(commands) + crc32(family.encode())) % len(quick)]]


@pytest.fixture(scope="session")
def listener() -> Iterator[Listener]:
    with listening() as found:
        yield found


@pytest.fixture(scope="session")
def sound(forking: Forking, listener: Listener, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a game kept by hand, a table, and a seat at it."""
    os.environ.setdefault("GIT_CONFIG_NOSYSTEM", "1")
    ground = Ground(tmp_path_factory.mktemp("sound"), forking, listener)
    here = ground.folder
    hand = here / "hand"
    hand.mkdir()
    git(hand, "init", "-q", "--initial-branch=main", "--template=", ".")
    person(hand)
    lay_small_site(hand)
    for words in (
        ("new", GAME, "-r", "suber", *PEOPLE, "-a", "ann"),
        ("act", "state", "--by", "ann", "One."),
        ("serve", "--build"),
    ):
        runs(ground, hand, *words)
    furnish(hand)
    runs(ground, here, "table", "table.git", "-r", "suber", "--name", GAME, *PEOPLE, "-a", "ann")
    shutil.rmtree(here / "table.git/hooks")  # which would start a referee after each push, and refuse what we push
    git(here, "clone", "-q", "--template=", str(here / "table.git"), "seat")
    person(here / "seat")
    runs(ground, here / "seat", "propose", "--rule", str(hand / "tea.yaml"), "--anyway")
    runs(ground, here / "table.git", "referee")
    git(here / "seat", "pull", "-q", "origin", "main")
    runs(ground, here / "seat", "act", "state", "Two.")
    furnish(here / "seat")
    git(here / "seat", "push", "-q", "origin", "HEAD:main")
    return here


def person(where: Path) -> None:
    """Say that ann works there."""
    git(where, "config", "user.name", "ann")
    git(where, "config", "user.email", "ann@x.org")


def furnish(where: Path) -> None:
    """Let the files lie there that commands are given, and commit all."""
    (where / "tea.yaml").write_text(TEA, "utf-8")
    (where / "tea/rules").mkdir(parents=True)
    (where / "tea/ruleset.yaml").write_text("ruleset: tea\ntitle: Tea\n", "utf-8")
    (where / "tea/rules/1.yaml").write_text(f'rule: "1"\n{TEA}', "utf-8")
    git(where, "add", "-A")
    git(where, "commit", "-q", "-m", "Tea")


def runs(ground: Ground, where: Path, *words: str) -> None:
    """Run `moot`, which must succeed."""
    said = ground.run(where, words)
    assert said.code == 0, (words, said)


def test_git_is_started_in_three_places_that_know_all_this() -> None:
    starting, root = re.compile(r"""\[\s*["']git["']"""), Path(folkmoot.__file__).parent
    found = {str(path.relative_to(root)) for path in root.rglob("*.py") if starting.search(path.read_text("utf-8"))}
    assert found == {"forges/git_transport.py", "journal/commit.py", "journal/git_programs.py"}


def test_the_traps_are_good(sound: Path, forking: Forking, listener: Listener, tmp_path: Path) -> None:
    """A person's own git runs into them."""
    ground = Ground(tmp_path, forking, listener)
    copy(sound, ground.folder, "hand")
    for name in ("hooks", "filters"):
        programs_of_git.KINDS[name].plant(Clone(ground.folder / "hand", ground))
    words = ["git", "-C", str(ground.folder / "hand"), "commit", "--quiet", "--allow-empty", "--message", "Mine"]
    subprocess.run(words, capture_output=True, check=False)
    assert "hook-pre-commit" in ground.sprung()


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("family", "name"), CASES, ids=[f"{family}-{name!r}" for family, name in CASES])
@pytest.mark.threat("T-78", "T-140")
def test_a_hostile_clone_does_no_harm(
    family: str, name: str, sound: Path, forking: Forking, listener: Listener, tmp_path: Path
) -> None:
    kind = FAMILIES[family][name]
    if kind.root and os.geteuid():
        pytest.skip("only root makes devices")
    ground = Ground(tmp_path, forking, listener)
    trial = Trial(ground, sound, kind)
    faults: dict[str, list[str]] = {}
    for form in forms_for(family, name):
        found = trial.faults(form)
        if found:
            faults[f"{' '.join(form.words)} ({form.place})"] = found
    shutil.rmtree(tmp_path, ignore_errors=True)
    assert not faults, "\n".join(f"{words}: {fault}" for words, found in faults.items() for fault in found)


class Trial:
    """One kind of hostile clone, and the commands that are tried in it."""

    def __init__(self, ground: Ground, sound: Path, kind: Kind) -> None:
        self.ground, self.kind, self.sound = ground, kind, sound
        self._planted: dict[str, Path] = {}
        self._fresh = ""

    def faults(self, form: Form) -> list[str]:
        """Run a command, and return what it did that it should not."""
        where = self._lay(form)
        ground = self.ground
        clone = Picture.of(where, (".git",))
        own = self._own(where, form)
        around = self._around(form)
        ground.listener.heard.clear()
        patience = PATIENCE * (5 if form.slow else 1)
        said = ground.run(where, form.words, until=form.until, completing=form.completing, patience=patience)
        heard = list(ground.listener.heard)
        found = [f"a program ran: {name}" for name in ground.sprung() if name not in self.kind.own]
        found += [f"started {program}" for program in said.started if not may_start(program)]
        found += [f"touched outside: {name}" for name in around.differences(self._around(form))[:FEW]]
        found += [f"left in TMPDIR: {path.name}" for path in (ground.folder / "tmp").iterdir()]
        found += [f"changed of git's own: {name}" for name in own.differences(self._own(where, form))]
        if form.looks:
            found += [
                f"changed though it looks: {name!r}" for name in clone.differences(Picture.of(where, (".git",)))[:FEW]
            ]
        if heard and not (self.kind.asked or form.asked):
            found.append(f"spoke to somebody nobody named: {heard[0][:80]!r}")
        found += [
            f"gave a token away: {each[:200]!r}" for each in heard if TOKEN.encode() in each or b"Z2hvX2Nh" in each
        ]
        found += ["went on for ever"] * (said.code == HANGS)
        found += answered_otherwise(form, said, self.kind.answers)
        found += [f"said of itself: {said.out[-400:]!r}"] * ("Traceback" in said.out or "fault of its own" in said.out)
        found += [f"printed {said.length} characters"] * (said.length > LONGEST)
        found += ["printed what is private"] * (CANARY in said.out)
        found += ["printed a token"] * (TOKEN in said.out)
        found += ["printed an escape"] * ("\x1b" in said.out)
        if found:
            self._fresh = ""
        return found

    def _lay(self, form: Form) -> Path:
        """Lay a clone on the ground, fresh unless the last command only looked at it."""
        place = form.place
        if place not in self._planted:
            self._plant(place)
        names = ("seat", "table.git") if place != "hand" else ("hand",)
        if self._fresh != place or not form.looks:
            for name in ("seat", "table.git", "hand", "elsewhere.git"):
                shutil.rmtree(self.ground.folder / name, ignore_errors=True)
            copy(self._planted[place], self.ground.folder, *names)
        self._fresh = place if form.looks else ""
        return self.ground.folder / {"table": "table.git"}.get(place, place)

    def _plant(self, place: str) -> None:
        here = self.ground.folder
        names = ("seat", "table.git") if place != "hand" else ("hand",)
        for name in ("seat", "table.git", "hand", "elsewhere.git"):
            shutil.rmtree(here / name, ignore_errors=True)
        copy(self.sound, here, *names)
        root = here / {"table": "table.git"}.get(place, place)
        if place != "hand":
            git(here / "seat", "remote", "set-url", "origin", str(here / "table.git"))
        self.kind.plant(Clone(root, self.ground))
        aside = self.ground.top / f"planted-{place}"
        aside.mkdir()
        for name in names:
            (here / name).rename(aside / name)
        self._planted[place] = aside

    def _own(self, where: Path, form: Form) -> Picture:
        """Return what of git's own folder may not change."""
        own = where / ".git" if form.place != "table" else where
        return Picture(
            {
                f"{name}/{path}": what
                for name in (*PROTECTED, *(BY_LOOKS if form.looks else ()))
                for path, what in Picture.of(own / name).parts.items()
            }
            | {name: (os.path.lexists(own / name), size(own / name)) for name in PROTECTED}
        )

    def _around(self, form: Form) -> Picture:
        """Return all that lies around the clone and is not the engine's own, or asked for."""
        clones = ("seat", "table.git", "hand", "tmp", *form.makes)
        return Picture.of(self.ground.folder, (*clones, *(f"home/{name}" for name in OURS)))


def answered_otherwise(form: Form, said: Said, more: frozenset[int]) -> list[str]:
    """Return how an answer is none of the two that there are: as in a sound clone, or one sentence, and 4 or 5."""
    if said.code in (form.usual, HANGS):
        return []
    refused = said.code in (Exit.DAMAGED, Exit.OUTSIDE)
    lawful = {*more, *([Exit.PROBLEMS] if form.words[0] in LISTS else []), *(ITS_OWN if NAMED in form.words else [])}
    if not refused and said.code not in lawful:
        return [f"ended with {said.code}: {said.out[-300:]!r}"]
    codes = [code or of_record for code, of_record in PROBLEM.findall(said.out)]
    several = form.words[0] in LISTS or {*codes} == {"E-PAST"}  # of which each thing that a past lacks is told
    return [] if several or len(codes) == 1 or not refused else [f"said {codes}: {said.out[-600:]!r}"]


def size(path: Path) -> object:
    """Return the bytes of a small file, whatever else stands there by its kind."""
    if path.is_symlink() or not path.is_file():
        return path.lstat().st_mode if os.path.lexists(path) else None
    return path.read_bytes() if path.stat().st_size < 1 << 20 else path.stat().st_size


def may_start(program: str) -> bool:
    """Say whether the engine starts this program of its own accord: git, its own sandbox, what indexes a site."""
    found = re.search(r"'([^']+)'", program)
    name = Path(found[1]).name if found else program
    return MAY_START.fullmatch(name) is not None or any(mark in program for mark in OWN)
