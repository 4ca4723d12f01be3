"""Write what is made from the sources: pages for builders and players.

python ci/reference.py           write them
python ci/reference.py --check   fail where they are not in step
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import click
from cookbook import cookbook
from module_list import module_list
from page_schema import schema
from reference_of_language import FOLDER, pages_of_law

from folkmoot.cli.main import COMMANDS, moot
from folkmoot.core.limits import LIMITS
from folkmoot.files.fast_reader import load_yaml
from folkmoot.files.issue_forms import FORMS
from folkmoot.game import rulesets
from folkmoot.kernel.act_declarations import ADMINISTRATIVE, KERNEL_DECLARATIONS
from folkmoot.kernel.budget import MOST_PASSAGES, PEOPLE, PER_EVENT, PER_HANDLER
from folkmoot.ops.doctor.findings import explained
from folkmoot.referee.questions import COMMANDS as IN_COMMENTS
from folkmoot.wording.sentences import CODES, GROUPS

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "site_src"
PAGES = SOURCES / "assets" / "schemas" / "page.json"
MODULES = ROOT / "engine" / "docs" / "modules.md"
Record = dict[str, Any]
WIDTH = 80  # characters that fit beside the navigation on a desk
NOTE = "<!-- Made by `python ci/reference.py`; changes here are lost. -->\n"


def pages_of_engine() -> dict[str, str]:
    """Return the pages that are not about the law language, as Markdown by their paths below the site's sources."""
    pages = {
        "commands.md": commands(),
        "comments.md": comments(),
        "actions.md": actions(),
        "settings.md": settings(),
        "limits.md": limits(),
        "codes.md": codes(),
        "doctor.md": doctor(),
        "cookbook.md": cookbook(),
    }
    return {f"{FOLDER}/{name}": f"{NOTE}\n{text.rstrip()}\n" for name, text in pages.items()}


def commands() -> str:
    """Return the page of the command line."""
    context = click.Context(
        moot, info_name="moot", terminal_width=WIDTH, max_content_width=WIDTH, **moot.context_settings
    )
    parts = ["# The command line\n", "Every command has `--help`; those that a program would read have `--json`.\n"]
    for name in COMMANDS:
        command = moot.get_command(context, name)
        if command is not None:
            inner = click.Context(
                command, info_name=name, parent=context, terminal_width=WIDTH, max_content_width=WIDTH
            )
            parts.append(f"## moot {name}\n\n```text\n{plain_help(command.get_help(inner))}\n```\n")
    return "\n".join(parts)


def comments() -> str:
    """Return the page of what can be written in comments and forms on a forge."""
    parts = [COMMENTS]
    for command, purpose in IN_COMMENTS.items():
        parts.append(f"### `{command.partition(' ')[0]}`\n\n`{command}`: {purpose}.\n")
    parts.append(FORMS_TOLD)
    for name, fields in FORMS.items():
        lines = [
            f"- {each.label} (`{each.id}`): {_KINDS[each.kind]}{', must be filled in' * each.required}"
            for each in fields
        ]
        parts.append("\n".join([f"### The form `{name}` {{#form-{name}}}\n", *lines, ""]))
    return "\n".join(parts)


_KINDS = {"line": "a line", "choice": "a choice", "area": "as many lines as you like"}
COMMENTS = """# Commands in comments

A command is a line of its own that begins with a slash, in a comment on a pull request, on an issue, or in the
game's own thread. Quoted lines, code (also what four blanks indent below an empty line) and what stands in the middle
of a line are no commands. A comment asks for twenty things at most.

    I like this one.

    /vote for because it is short
    /do transfer to=bob amount=3 for="a horse"

Arguments are written `name=value`, in quotation marks where a value holds blanks; a list or a map as JSON, as in
`laurels={"ann": 5, "bob": 2}` or `path=["a2", "b1"]`. An action that needs a single
text takes all that follows: `/state I was here`; a word that fits nowhere is refused. Any action may be written
as a command of its own. What is not understood is answered, with the command, the action or the argument that may
have been meant.

## Commands
"""
FORMS_TOLD = """## Forms

A form makes an issue with the label `game`. Its text is read back as exactly what was filled in, and nothing in
it is a command. A text that holds a line which is one of the form's headings, so that it could be read in two ways,
is refused. Where there are several games, each form begins with the field Game (`game`).

Arguments are written `name: value`, each beginning a line. A text may go on in the lines below it; a list or a
map is written as in YAML. `as: OFFICE` says in which office it is done. What is left blank is left out.
"""


def plain_help(text: str) -> str:
    """Return a help text without trailing blanks."""
    return "\n".join(line.rstrip() for line in text.splitlines())


def actions() -> str:
    """Return the page of all actions: of the kernel, then of each packaged ruleset."""
    parts = [
        "# Actions\n",
        "What can be done by `moot act ACTION --by PLAYER`. Rules add actions and take them away.\n",
    ]
    parts.append("## In every game\n")
    parts.append(
        "People do these in person. No rule does them in anybody's name, unless the law declares an action of its own "
        "by such a name: it is refused with [`E-PERSONAL`](codes.md#e-personal), those of administrators with "
        "[`E-NOT-ADMINISTRATOR`](codes.md#e-not-administrator).\n"
    )
    parts += [
        action(name, "kernel", declared, administrative=name in ADMINISTRATIVE)
        for name, declared in KERNEL_DECLARATIONS.items()
    ]
    for ruleset in rulesets.names():
        parts.append(f"## In the ruleset {ruleset}\n")
        for rule in rulesets.founding(ruleset)["rules"]:
            for name, declared in (rule.get("actions") or {}).items():
                parts.append(action(name, ruleset, declared, f"Rule {rule['rule']}. "))
    return "\n".join(parts)


def action(name: str, anchor: str, declared: Mapping[str, Any], rule: str = "", administrative: bool = False) -> str:
    """Return the part of one action."""
    who = "Administrators only. " if administrative else f"As {declared['as']}. " if declared.get("as") else ""
    travels = "Travels with a proposal. " if declared.get("travels") else ""
    lines = [f"### `{name}` {{#{anchor}-{name}}}\n", f"{declared.get('summary', '')}. {rule}{who}{travels}".strip(), ""]
    lines += [argument(n, spec or {}) for n, spec in (declared.get("arguments") or {}).items()]
    return "\n".join(lines) + ("\n" if declared.get("arguments") else "")


def argument(name: str, spec: Record) -> str:
    """Return the line of one argument."""
    kind = str(spec.get("type", "text")) + (f" ({', '.join(map(str, spec['of']))})" if spec.get("of") else "")
    bounds = [
        f"{word} {spec[key]}" for key, word in (("minimum", "from"), ("maximum", "to")) if spec.get(key) is not None
    ]
    default = f", default {spec['default']}" if spec.get("default") is not None else ""
    optional = ", may be left out" if spec.get("optional") else ""
    summary = f": {spec['summary']}" if spec.get("summary") else ""
    return f"- `{name}`, {' '.join([kind, *bounds])}{default}{optional}{summary}"


def settings() -> str:
    """Return the page of all settings of the packaged rulesets."""
    parts = ["# Settings\n", "A setting is a switch: how a clause is read that can be read in more than one way.\n"]
    for ruleset in rulesets.names():
        parts.append(f"## In the ruleset {ruleset}\n")
        known = set[str]()
        for rule in rulesets.founding(ruleset)["rules"]:
            for name, declared in (rule.get("settings") or {}).items():
                anchor = f"{ruleset}-{name}" + (f"-{rule['rule']}" if name in known else "")
                parts.append(switch(name, anchor, rule, declared))
                known.add(name)
    return "\n".join(parts)


def switch(name: str, anchor: str, rule: Record, declared: Record) -> str:
    """Return the part of one setting."""
    plain_name = declared.get("name") or name
    also = f" (`{plain_name}`)" if plain_name != name else ""
    lines = [f"### `{name}`{also} {{#{anchor}}}\n", f"Rule {rule['rule']}. {declared['question']}\n"]
    for value, meaning in (declared.get("alternatives") or {}).items():
        mark = " (default)" if str(value) == str(declared["default"]) else ""
        escaped = meaning.replace("<", "&lt;")
        lines.append(f"- `{value}`{mark}: {escaped}")
    return "\n".join(lines) + "\n"


def limits() -> str:
    """Return the page of the limits of a game."""
    parts = [
        "# Limits of a game\n",
        "How much of something rules and people may take. The administrators change a limit by the act\n"
        "[`set_limit`](actions.md#kernel-set_limit), a founding sets it by `moot new --limit NAME=NUMBER` or\n"
        "by `limits:` in its settings file, and `moot explain limits` shows those of a game. What is beyond a\n"
        "limit already when it changes stays as it is.\n",
    ]
    for name, limit in LIMITS.items():
        most = f"{limit.least:,} to {limit.most:,}"
        parts.append(f"## `{name}` {{#{name}}}\n\n{limit.bounds}\n\n{limit.default:,} {limit.unit}; from {most}.\n")
    parts.append(SCRIPTS)
    for what, meaning in _WORK.items():
        alone = f"{PER_HANDLER[what]:,}" if what in PER_HANDLER else "-"
        parts.append(f"| {what} | {meaning} | {alone} | {PER_EVENT[what]:,} |")
    return "\n".join(parts)


_WORK = {
    "host calls": "calls of [functions](functions.md)",
    "handler calls": "hooks that were called",
    "idle calls": "those that asked and answered nothing, counted apart",
    "effects": "lines of what changed",
    "output": "characters of those lines",
    "draws": "dice",
    "ticks": "steps of loops, in portions",
    "reasons": "reasons that are given",
    "failures": "calls that failed",
}
SCRIPTS = f"""## Work of scripts {{#scripts}}

So much work may be done by one call of a hook, and by all that one act or timer brings about; nobody changes it.
For each {PEOPLE:,} players there is as much again. A hook that takes more fails with
[`E-BUDGET`](codes.md#e-budget) and is undone; where all together take more, the act is refused, or done without the
hook that took most of it. Where changes of rules that were made side by side are put together, an act does so with
{MOST_PASSAGES:,} sentences, lines and items at most; what is longer is a conflict
([`decide_conflict`](questions.md#decide_conflict)).

| | what is counted | one call | one act |
| --- | --- | --- | --- |"""


def codes() -> str:
    """Return the page of every code that a problem, a refusal or a note in the record can have."""
    parts = [
        "# Codes\n",
        "A code names a kind of problem and never changes its meaning; the sentence beside it says the rest.\n",
    ]
    of_rulesets = codes_of_rulesets()
    groups = {"Refusals and failures": GROUPS["refusals"], "Refusals of the packaged rulesets": of_rulesets}
    groups |= {"Reading a file": GROUPS["reading"], "The record, and around the game": GROUPS["outside"]}
    groups["Notes in the record"] = GROUPS["decisions"]
    for title, group in groups.items():
        parts.append(f"## {title}\n")
        for code, meaning in sorted(group.items()):
            twice = "-in-rulesets" if group is of_rulesets and code in CODES else ""
            parts.append(f"### `{code}` {{#{code.lower()}{twice}}}\n\n{meaning}\n")
    return "\n".join(parts)


def doctor() -> str:
    """Return the page of everything that the doctor looks at."""
    parts = [
        "# What the doctor finds\n",
        "`moot doctor` looks at a repository and its forge, and names what it finds by these words. Most of it is put "
        "right by `moot init`, on the forge by `moot init --apply`.\n",
    ]
    for code, known in explained().items():
        parts.append(f"## {known['title']} {{#{code}}}\n\n`{code}`\n\n{known['text']}\n")
    return "\n".join(parts)


def codes_of_rulesets() -> dict[str, str]:
    """Return what the codes mean that the packaged rulesets add to those of the engine."""
    file = files("folkmoot.game.rulesets").joinpath("codes.yaml")
    return dict(load_yaml(file.read_text(encoding="utf-8"), str(file)))


# -- writing them


def main(arguments: list[str]) -> int:
    """Write or check the pages; return the exit code."""
    made = {SOURCES / name: text for name, text in {**pages_of_law(), **pages_of_engine()}.items()}
    made[MODULES] = f"{NOTE}\n{module_list().rstrip()}\n"
    made[PAGES] = json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"
    stale = [path for path, text in made.items() if not _is(path, text)]
    if "--check" in arguments:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is not in step; run `python ci/reference.py`", file=sys.stderr)
        return 1 if stale else 0
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made[path], "utf-8")
    return 0


def _is(path: Path, text: str) -> bool:
    return path.exists() and path.read_text("utf-8") == text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
