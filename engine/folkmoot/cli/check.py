"""`moot check`: find every mistake in files, and play scenarios."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import click
from msgspec import Struct

from folkmoot.cli.clones import kept_game
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.games import game_folder, root_of, root_with_games
from folkmoot.cli.options import FILE_KINDS
from folkmoot.cli.repositories import told_if_stale
from folkmoot.cli.terminal import Terminal, counted
from folkmoot.core.clone_files import CloneFiles, write_whole
from folkmoot.core.documents import RuleDocument
from folkmoot.core.problems import Position, Problem, ProblemError
from folkmoot.core.records import Founding
from folkmoot.core.word_lists import LISTS
from folkmoot.files.named_files import read_file, read_found
from folkmoot.files.reader import Files, locate, read_scenario, script_position
from folkmoot.files.schema import json_schema
from folkmoot.game import recipes, rulesets
from folkmoot.game.rulesets import fetch_list, founding_for, remember_list
from folkmoot.journal.layout import HEAD, STATE, games_in
from folkmoot.kernel.overruled_answers import CIRCLE
from folkmoot.sandbox.client import Sandbox
from folkmoot.scenarios.check_files import (
    RuleFile,
    beside,
    changed_rules,
    doubled_uids,
    kind_of,
    read_rules,
    shared_registers,
)

WRITTEN = ("rules", "inbox")  # folders of a game in which people write
RULESET = rulesets.HEAD
TOGETHER = 32  # rules that the sandbox checks at once


def run_check(
    terminal: Terminal, /, paths: tuple[Path, ...], game: str | None, ruleset: str | None, schemas: Path | None
) -> int:
    """Check files, or write their schemas."""
    if schemas is not None:
        return write_schemas(terminal, schemas)
    with told_if_stale(terminal):
        if not paths:
            root_with_games(terminal)
        given, problems, results = look_into(terminal, paths, game, ruleset)
        _tell(terminal, given, problems, results)
    failed = any(result.problems for result in results)
    return Exit.PROBLEMS if failed or any(problem.code.startswith("E-") for problem in problems) else Exit.OK


def refuse_broken(terminal: Terminal, ruleset: str, beside: Path) -> None:
    """Raise all that `moot check` finds wrong with a ruleset in a folder: no game begins with it."""
    if not rulesets.is_path(ruleset):
        return
    folder = beside / ruleset
    _given, problems, _results = look_into(
        terminal, (folder / RULESET, *rulesets.yaml_in(folder, rulesets.RULES)), None, None
    )
    if wrong := [problem for problem in problems if problem.code.startswith("E-")]:
        raise ProblemError(*wrong)


def look_into(
    terminal: Terminal, paths: tuple[Path, ...], game: str | None, ruleset: str | None
) -> tuple[Taken, list[Problem], list[Result]]:
    """Return what was checked, all that is wrong with it, and what came of scenarios."""
    taken: list[Taken] = []

    def meanwhile() -> dict[str, Any]:  # while the sandbox starts
        taken.append(take(terminal, paths, game, ruleset))
        return {}

    with Sandbox(meanwhile, lists=fetch_list) as sandbox:
        (given,) = taken
        with terminal.progress("checking", len(given.rules) + len(given.scenarios)) as step:
            problems = given.problems_of_files(sandbox, step)
            named, results = cache(founding_for), []
            for file in given.scenarios:
                results.append(run(sandbox, file, named))
                step()
    problems += doubled_uids(given.rules)
    problems += shared_registers({file: rule for file, rule in given.rules.items() if given.laws.has_own(file)})
    others = {file: rule for file, rule in given.rules.items() if not given.laws.has_own(file)}
    return given, problems + shared_registers(others, given.laws.law, given.home), results


class Taken(Struct, frozen=True):
    """What is to be checked: the files, the rules that are sound in form, what is wrong with the others, and laws."""

    laws: OwnLaws
    home: str
    """The folder of the rules that are checked against, as a message names it."""
    files: list[Path]
    rules: dict[Path, RuleFile]
    wrong: Mapping[Path, list[Problem]]
    changed: Mapping[Path, RuleDocument]
    scenarios: list[Path]

    def problems_of_files(self, sandbox: Sandbox, step: Callable[[], None]) -> list[Problem]:
        """Return what is wrong with each file, in their order, then with the foundings of rulesets."""
        found = check_scripts(sandbox, self.rules, self.laws, self.changed, step)
        problems: list[Problem] = []
        for file in self.files:
            own = self.laws.of(file)
            hints = own is None or self.laws.has_own(file) or file in self.changed or file not in self.rules
            problems += [
                *self.wrong[file],
                *(p for p in found.get(file, ()) if hints or not p.code.startswith("W-") or CIRCLE in p.message),
            ]
        sound = [file for file in self.files if not self.wrong[file]]
        problems += [problem for file in sound for problem in problems_of_ruleset(file, self.rules, self.laws)]
        problems = [*{(each.position, each.message): each for each in problems}.values()]  # each is told once
        for head in (file for file in self.files if file.name == RULESET):
            wrong = (
                each.position.file for each in problems if each.code.startswith("E-") and each.position is not None
            )
            if not any(head.parent.resolve() in Path(file).resolve().parents for file in wrong):
                problems += problems_of_founding(sandbox, head, self.laws)
        return problems


def take(terminal: Terminal, paths: tuple[Path, ...], game: str | None, ruleset: str | None) -> Taken:
    """Read the files below some paths, or the rules of all games where there are none, and the law they stand in.

    The law of a game is read only where a file needs it, or where it is named.
    """
    root = root_of(terminal)
    files = list(files_below(paths or tuple(root / STATE / game / "rules" for game in games_in(root))))
    for file in paths:
        if file.is_file() and _is_derived(file):
            terminal.note(f"{file} follows from the journal, and nobody writes it: `moot verify` proves it.")
    named = bool(game or ruleset)
    laws, home = OwnLaws(named=named), ""
    if named or any(not laws.has_own(file) for file in files):
        laws.law, home = law_for(terminal, game, ruleset)
    rules, wrong = read_rules(files)
    changed = changed_rules({file: rule for file, rule in rules.items() if not laws.has_own(file)}, laws.law)
    others = (file for file in files if not wrong[file] and file not in rules)
    scenarios = [file for file in others if kind_of(read_file(file)) == "scenario"]
    return Taken(laws, home, files, rules, wrong, changed, scenarios)


def _tell(terminal: Terminal, given: Taken, problems: list[Problem], results: list[Result]) -> None:
    """Print what is wrong, which scenarios fail, and what could not be looked at without a law."""
    laws = given.laws
    lawless = {file: rule for file, rule in given.rules.items() if not laws.has_own(file) and laws.of(file) is None}
    broken = {file: faulty for file in given.rules if (faulty := laws.broken_beside(file))}
    unrun = [file for file in (*lawless, *broken) if given.rules[file][0].get("examples")]
    unknown = [file for file, (rule, _text) in lawless.items() if rule.get("script")]
    failed = [result for result in results if result.problems]
    terminal.record(
        {
            "files": len(given.files),
            "unrun": [str(file) for file in unrun],
            "without_law": [str(file) for file in unknown],
            "problems": [problem.as_record() for problem in problems],
            "passed": len(results) - len(failed),
            "failed": [
                {"file": str(each.file), "scenario": each.name, "problems": [p.as_record() for p in each.problems]}
                for each in failed
            ],
        }
    )
    if not terminal.json:
        terminal.problems(problems)
        for each in failed:
            terminal.say(f"{click.style('fails', fg='red')}  {each.name}")
            terminal.problems(each.problems)
        for faulty in sorted(set(broken.values())):
            terminal.note(
                f"Until {faulty} is mended, names of its ruleset are not looked up, and nothing is played by it."
            )
        for file in (file for file in unrun if file not in broken):
            terminal.note(f"The examples of {file} were not run: say on which law, by `-r RULESET` or `-g GAME`.")
        for file, (rule, _text) in given.rules.items():
            if not (rule.get("uid") or rule.get("rule") or laws.has_own(file)) and (near := recipes.like(rule)):
                terminal.note(f"{file} looks like a rule of the cookbook, which works: `moot propose --from {near}`.")
        if unknown:
            why = "whether events, registers and currencies are those of its rules is not known here"
            terminal.note(f"Checked without a game: {why}. In a clone of the game it is, or by `-r RULESET`.")
        found = verdict([*problems, *(problem for each in failed for problem in each.problems)])
        held = f" {len(results) - len(failed)} of {counted(len(results), 'scenario')} held." if results else ""
        terminal.say(f"{counted(len(given.files), 'file')} checked: {found}.{held}")


class OwnLaws:
    """By which law each file is checked: that of the ruleset in whose folder it lies, else the one that was found."""

    def __init__(self, *, named: bool) -> None:
        """`named` says that the law is what the command names, for whatever file."""
        self.law: dict[str, Any] | None = None
        self._named, self.read = named, cache(rulesets.law_in)
        self._around = cache(self._law_around)

    def has_own(self, file: Path) -> bool:
        """Whether a file is checked by the law of the folder around it."""
        return self._around(file.parent) is not None

    def of(self, file: Path) -> dict[str, Any] | None:
        """Return the law by which a file is checked, None where there is none, or not all of it can be read."""
        own = self._around(file.parent)
        return self.law if own is None else None if own[1] else own[0]

    def broken_beside(self, file: Path) -> str:
        """Return the first rule with a fault of the ruleset around a file, "" where there is none."""
        own = self._around(file.parent)
        return own[1] if own else ""

    def _law_around(self, within: Path) -> tuple[dict[str, Any], str] | None:
        """Return the law of the ruleset around a folder, and its first rule with a fault; None where it is in none."""
        if self._named:
            return None
        as_named = (folder for folder in (within, *within.parents) if (folder / RULESET).is_file())
        folder = next(as_named, None) or rulesets.folder_around(within / RULESET)
        law, problems = self.read(folder) if folder else (None, [])
        files = [problem.position.file for problem in problems if problem.position is not None]
        faulty = sorted(file for file in files if Path(file).parent.name == rulesets.RULES)
        return None if law is None else (law, next(iter(faulty), ""))


def problems_of_founding(sandbox: Sandbox, head: Path, laws: OwnLaws) -> list[Problem]:
    """Found a game by the ruleset of a folder, on trial; return what no game can begin with, and which scripts fail."""
    law, problems = laws.read(head.parent)
    if law is None or not law["rules"] or problems:
        return []
    read = read_rules(rulesets.yaml_in(head.parent, rulesets.RULES))[0]
    files = {str(rule.get("uid") or rule.get("rule")): (text, str(file)) for file, (rule, text) in read.items()}
    text, name = read_found(head), str(head)
    return [_of_founding(told, text, name, files) for told in sandbox.try_founding(law)]


def _of_founding(told: dict[str, Any], text: str, head: str, files: Files) -> Problem:
    """Return what is wrong with a founding with its place: in the head of the ruleset, or in the script of a rule."""
    failure = told.get("failure")
    if failure is None:
        part, key = [*told["path"], "", ""][:2]
        beside = Path(head).parent / str(part) / f"{key}.yaml"
        place = Position(str(beside), 1) if beside.is_file() else locate(text, head, told["path"])
        return Problem(told["code"], told["why"], place, "no game can be founded so")
    own, file = files.get(failure["rule"], ("", ""))
    line, column = int(failure.get("line") or 1), int(failure.get("column") or 0)
    place = script_position(own, file, line, column) if file else Position(head, 1)
    message = f"rule {failure['rule']}: {failure['hook']} fails when a game is founded: {failure['error']}"
    return Problem(told["code"], message, place)


def problems_of_ruleset(file: Path, rules: Mapping[Path, RuleFile], laws: OwnLaws) -> list[Problem]:
    """Return what is wrong with a sound file as part of the ruleset in whose folder it lies."""
    if file.name == RULESET:
        return laws.read(file.parent)[1]
    of_ruleset = file in rules and rulesets.is_part(file)
    problem = rulesets.problem_of_number(rules[file][0], file) if of_ruleset else None
    return [problem] if problem is not None else []


def check_scripts(
    sandbox: Sandbox,
    rules: Mapping[Path, RuleFile],
    laws: OwnLaws,
    changed: Mapping[Path, RuleDocument],
    step: Callable[[], None],
) -> dict[Path, list[Problem]]:
    """Return everything that is wrong with the scripts and examples of rules; only the sandbox parses and runs them.

    Rules are checked together where one law serves for them, so that what follows from it is found once. One that has
    examples is checked alone: those may take all the time that there is.
    """
    found: dict[Path, list[Problem]] = {}
    by = {file: laws.of(file) if laws.has_own(file) else beside(laws.of(file), changed, file) for file in rules}

    def lot(numbered: tuple[int, tuple[Path, RuleFile]]) -> tuple[int, int, int]:
        place, (file, (rule, _text)) = numbered
        return id(by[file]), place // TOGETHER, place if rule.get("examples") else -1

    for _lot, numbered in groupby(enumerate(rules.items()), lot):
        several = [each for _place, each in numbered]
        asked = [{"rule": rule, "text": text, "file": str(file)} for file, (rule, text) in several]
        for (file, _rule), problems in zip(several, sandbox.check_each(by[several[0][0]], asked), strict=True):
            found[file] = problems
            step()
    return found


def verdict(problems: list[Problem]) -> str:
    """Return how many problems and hints there are."""
    hints = sum(problem.code.startswith("W-") for problem in problems)
    numbers = {"problem": len(problems) - hints, "hint": hints}
    return ", ".join(counted(number, what) for what, number in numbers.items() if number) or "all is well"


def files_below(paths: tuple[Path, ...]) -> Iterator[Path]:
    """Yield the files that are named and the YAML files below the folders that are, in order."""
    for path in paths:
        below = (path / name for name in CloneFiles(path).walk() if name.endswith(".yaml"))
        yield from (file for file in (below if path.is_dir() else [path]) if not _is_derived(file))


def _is_derived(file: Path) -> bool:
    """Whether a file follows from the journal of a game, or is part of that: `moot verify` proves those."""
    for around in file.parents:
        if (around / HEAD).exists() and (around / "journal").is_dir():
            return file.relative_to(around).parts[0] not in WRITTEN
    return False


def law_for(terminal: Terminal, game: str | None, ruleset: str | None) -> tuple[dict[str, Any] | None, str]:
    """Return the law of what is named, of the game that is meant, or none, and in which folder its rules lie."""
    if ruleset:
        return {**rulesets.founding_named(ruleset, Path())}, f"{ruleset}/rules"
    try:
        folder = game_folder(terminal, game)
    except ProblemError:
        if game:
            raise
        return None, ""
    with kept_game(terminal, folder) as session:
        law = session.law()
        for name, spec in (law.get("lists") or {}).items():
            remember_list(spec["digest"], session.record.archive(f"{LISTS}{name}"))
        return law, f"{STATE}/{folder.name}/rules"


# -- scenarios: worked examples of rules


class Result(Struct, frozen=True):
    """What came of one scenario: its file, its name, and its problems."""

    file: Path
    name: str
    problems: tuple[Problem, ...]


def run(sandbox: Sandbox, file: Path, named: Callable[[str, Path], Founding]) -> Result:
    """Have the sandbox run one scenario file; `named` gives the ruleset of a name beside a file."""
    name = str(file)
    try:
        scenario = read_scenario(read_file(file), str(file))
        name = str(scenario["scenario"])
        law = deepcopy(named(scenario["ruleset"], file.resolve().parent / RULESET))
        return Result(file, name, tuple(sandbox.scenario(scenario, law, str(file))))
    except ProblemError as error:
        return Result(file, name, tuple(error.problems))


# -- forms of files, for editors and programs


def write_schemas(terminal: Terminal, folder: Path) -> int:
    """Write the schemas of all kinds of files into a folder."""
    files = [folder / f"{kind}.json" for kind in FILE_KINDS]
    for file in files:
        write(file, json_schema(file.stem))
    terminal.record({"written": [str(file) for file in files]})
    terminal.note(f"Wrote {counted(len(files), 'schema')} into {folder}. A rule beside that folder may begin with:")
    terminal.note(f"# yaml-language-server: $schema={folder.name}/rule.json")
    return Exit.OK


def write(path: Path, schema: dict[str, Any]) -> None:
    """Write a schema to a file."""
    write_whole(path, f"{json.dumps(schema, ensure_ascii=False, indent=2)}\n".encode())
