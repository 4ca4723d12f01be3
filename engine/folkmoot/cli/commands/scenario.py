"""`moot scenario`: run worked examples of rules."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import click
from msgspec import Struct

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.options import FILES, json_option
from folkmoot.cli.terminal import Terminal
from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.problems import Problem, ProblemError, fail
from folkmoot.core.records import Founding
from folkmoot.files.named_files import read_file
from folkmoot.files.reader import read_scenario
from folkmoot.game.ruleset_folders import codes_for, founding_for, is_part
from folkmoot.game.rulesets import fetch_list
from folkmoot.sandbox.client import Sandbox
from folkmoot.scenarios.claims import in_engine_codes


class Result(Struct, frozen=True):
    """What came of one scenario: its file, its name, and its problems."""

    file: Path
    name: str
    problems: tuple[Problem, ...]


@click.command("scenario")
@click.argument("paths", nargs=-1, required=True, type=FILES, metavar="PATH…")
@click.option("-q", "--quiet", is_flag=True, help="Show only what fails.")
@json_option
@click.pass_obj
def command(terminal: Terminal, paths: tuple[Path, ...], quiet: bool) -> int:
    """Run scenario files, or all below folders, and say which hold.

    A scenario names its ruleset: a packaged one, or the folder in which one lies, as in `ruleset: ./tea`. In the folder
    of a ruleset.yaml its own name means what lies there.

    Exits with 1 where one does not hold or cannot be read.
    """
    files = [file for path in paths for file in (scenarios_below(path) if path.is_dir() else [path])]
    if not files:
        raise fail("E-NO-SUCH", f"there is no scenario below {', '.join(map(str, paths))}")
    laws = Laws()
    with terminal.progress("running scenarios", len(files)) as step, Sandbox(lists=fetch_list) as sandbox:
        results = []
        for file in files:
            results.append(run(sandbox, file, laws))
            step()
    failed = [result for result in results if result.problems]
    terminal.record({"passed": len(results) - len(failed), "failed": [_record(result) for result in failed]})
    if not terminal.json:
        show(terminal, results, quiet)
    return Exit.PROBLEMS if failed else Exit.OK


def run(sandbox: Sandbox, file: Path, laws: Callable[[str, Path], Founding] = founding_for) -> Result:
    """Have the sandbox run one scenario file; `laws` gives the ruleset that one in a file names."""
    name = str(file)
    try:
        scenario = read_scenario(read_file(file), str(file))
        name = str(scenario["scenario"])
        ruleset = scenario.get("law") or scenario["ruleset"]
        law = laws(ruleset, file)
        return Result(
            file, name, tuple(sandbox.scenario(in_engine_codes(scenario, codes_for(ruleset, file)), law, str(file)))
        )
    except ProblemError as error:
        return Result(file, name, tuple(error.problems))


def scenarios_below(folder: Path) -> list[Path]:
    """Return the YAML files below a folder in order, but for those that make up a ruleset."""
    found = (folder / name for name in CloneFiles(folder).walk() if name.endswith(".yaml"))
    return [file for file in found if not is_part(file)]


class Laws:
    """The rulesets that scenarios name, each read once."""

    def __init__(self) -> None:
        """Begin with none."""
        self._known: dict[tuple[str, Path], Founding] = {}

    def __call__(self, name: str, file: Path) -> Founding:
        """Return what the ruleset founds a game with that a file names; raises E-NO-SUCH and the problems of it."""
        key = name, file.resolve().parent
        if key not in self._known:
            self._known[key] = founding_for(name, file)
        return deepcopy(self._known[key])


def show(terminal: Terminal, results: list[Result], quiet: bool) -> None:
    """Print what held and what did not, then the count."""
    for result in results:
        if result.problems:
            terminal.say(f"{click.style('fails', fg='red')}  {result.name}")
            terminal.problems(result.problems)
        elif not quiet:
            terminal.say(f"{click.style('holds', fg='green')}  {result.name}")
    failed = sum(bool(result.problems) for result in results)
    terminal.say(f"{len(results) - failed} passed, {failed} failed")


def _record(result: Result) -> dict[str, object]:
    return {"file": str(result.file), "scenario": result.name, "problems": [p.as_record() for p in result.problems]}
