"""Write the tables of rules: where each rule of a ruleset stands, what shows it, and what it leaves to people.

python ci/rule_table.py           write them
python ci/rule_table.py --check   fail where they are not in step

All of it comes from the rules and the scenarios themselves. A scenario shows a rule that its name says (`rule-3-14-…`),
whose actions are done in it, whose switches it sets, and of whose registers, kinds, pages, questions, texts and awards
it claims something. What is left to people are the actions that are done in an office (`as`) or that the script
refuses to others with E-NOT-OFFICE, what the vote of an electorate decides, what whoever acts says with yes or no, what
comments in its text say is for somebody to say, and all of a rule without a script.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from folkmoot.core.documents import Document
from folkmoot.files.fast_reader import load_yaml
from folkmoot.game import rulesets
from folkmoot.language.tree import hook_names

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "site_src"
PACKAGED = ROOT / "engine" / "folkmoot" / "game" / "rulesets"
SCENARIOS = ROOT / "tests" / "scenarios"
NOTE = "<!-- Made by `python ci/rule_table.py`; changes here are lost. -->\n"
BY_NAME = re.compile(r"rule-0*(?P<number>\d+(?:-\d+)?|[A-Za-z]-\d+)(?:-|$)")
CODE = re.compile(r"\bE-[A-Z][A-Z0-9-]*[A-Z0-9]")
COMMENT = re.compile(r"\[\[(.*?)\]\]", re.DOTALL)
SENTENCE = re.compile(r"[^.;]+[.;]?")
SOMEBODY_SAYS = re.compile(r"\bsays? (?:whether|that|otherwise)\b|\bto say\b|\bis for the\b")
Record = dict[str, Any]

OVERVIEW = """# Tables of rules

One table for each packaged ruleset of which every rule is shown by scenarios: the file of each rule, the scenarios that
show it, its switches, and what it leaves to people. The rest its script decides.
"""
PAGE = """# The rules of {title}

Where each rule of the ruleset `{name}` stands, how many scenarios show it ([which](#scenarios)), its
[switches](settings.md#in-the-ruleset-{name}) with the number of readings of each, and what its script leaves to people.
The files are below `engine/folkmoot/game/rulesets/`, the {count:,} scenarios in `tests/scenarios/{name}/`.

| Rule | File | Scenarios | Switches | Left to judgement |
| --- | --- | --- | --- | --- |
"""


# -- what scenarios show


def whole() -> dict[str, dict[str, list[str]]]:
    """Return by ruleset and rule the scenarios that show it, for those rulesets of which every rule is shown."""
    found = {name: scenarios_of(name, rules_of(name)) for name in rulesets.names()}
    return {name: by_rule for name, by_rule in found.items() if all(by_rule.values())}


def rules_of(name: str) -> list[Document]:
    """Return the rules of a packaged ruleset, in their order."""
    return [dict(rule) for rule in rulesets.founding(name)["rules"]]


def scenarios(name: str) -> dict[str, Record]:
    """Return the scenarios of a ruleset by the names of their files."""
    files = sorted((SCENARIOS / name).glob("*.yaml"))
    return {file.stem: dict(load_yaml(file.read_text("utf-8"), str(file))) for file in files}


def owners(rules: list[Document]) -> dict[tuple[str, str], list[str]]:
    """Return which rules declare what: actions, switches, registers, kinds, pages and the like, by sort and name."""
    found: dict[tuple[str, str], list[str]] = {}
    for rule in rules:
        for each in dict.fromkeys(declared(rule)):
            found.setdefault(each, []).append(rule["rule"])
    return found


def declared(rule: Document) -> Iterator[tuple[str, str]]:
    """Yield what a rule declares, by sort and name."""
    script = rule.get("script") or ""
    yield "rule", rule["rule"]
    yield from (("action", name) for name in rule.get("actions") or {})
    yield from (("timer", name) for name in rule.get("timers") or {})
    yield from (("code", code) for code in CODE.findall(script))
    yield from (("choice", word) for word in choices(script))
    for name, spec in (rule.get("settings") or {}).items():
        yield from (("switch", each) for each in {name, spec.get("name") or name})
    for hook in hook_names(script):
        sort, _, name = hook.partition("_")
        yield HOOKS.get(sort, "hook"), name
    yield from registers(rule.get("defines") or {})


def choices(script: str) -> list[str]:
    """Return the words by which people vote, as a script's `decide_choices` has them."""
    asked = functions(script).get("decide_choices")
    words = [node.value for node in ast.walk(asked) if isinstance(node, ast.Constant)] if asked else []
    return [word for word in words if isinstance(word, str)]


def functions(script: str) -> dict[str, ast.FunctionDef]:
    """Return the functions of a script by name."""
    return {node.name: node for node in ast.parse(script).body if isinstance(node, ast.FunctionDef)}


HOOKS = {"show": "page", "decide": "call"}
SUBJECTS = {"player": "player", "game": "game", "rule": "rule", "office": "office"}


def registers(defines: Record) -> Iterator[tuple[str, str]]:
    """Yield the kinds and registers that a rule defines; those of players, the game and things are told apart."""
    for block, names in defines.items():
        if block == "kinds":
            yield from (("kind", kind) for kind in names)
            own = {name for spec in names.values() for name in (spec or {}).get("registers") or {}}
            yield from (("thing", name) for name in own)
        elif block == "currencies":
            yield from ((sort, name) for name in names for sort in ("player", "game", "thing"))
        else:
            yield from ((SUBJECTS.get(block, "thing"), name) for name in names)


def shown(scenario: Record) -> Iterator[tuple[str, str]]:
    """Yield what a scenario sets, does and claims, by sort and name."""
    yield from (("switch", name) for name in scenario.get("settings") or {})
    for step in scenario.get("steps") or []:
        yield "action", str(step.get("do") or "")
        yield "code", str(step.get("refused") or "")
        yield "choice", str(step.get("vote") or "")
        yield from (each for claim in step.get("expect") or [] for each in claimed(claim))
    yield from (each for claim in scenario.get("expect") or [] for each in claimed(claim))


def claimed(claim: Record) -> Iterator[tuple[str, str]]:
    """Yield what a claim is about, by sort and name."""
    yield from ((key, str(value)) for key, value in claim.items() if key in ("rule", "kind", "page", "call", "timer"))
    yield "rule", str(claim.get("revisions") or claim.get("failure") or "")
    yield "code", str(claim.get("refusal") or "")
    subject, *others = claim
    if subject == "ledger":
        yield "player", str(claim.get("register"))
    yield from ((SUBJECTS.get(subject, "thing"), name) for name in others)
    for name in claim.get("settings") or {}:
        yield "switch", name


def scenarios_of(name: str, rules: list[Document]) -> dict[str, list[str]]:
    """Return by rule the scenarios that show it."""
    numbers = [rule["rule"] for rule in rules]
    of = {each: [] if each[0] == "code" and len(by) > 1 else by for each, by in owners(rules).items()}
    found: dict[str, list[str]] = {number: [] for number in numbers}
    for stem, scenario in scenarios(name).items():
        said = BY_NAME.match(stem)
        by_name = {said["number"].upper()} & found.keys() if said else set[str]()
        touched = by_name.union(*(of.get(each, ()) for each in shown(scenario)))
        for number in sorted(touched, key=numbers.index):
            found[number].append(stem)
    return found


# -- what is left to people


def left(rule: Document) -> list[str]:
    """Return what a rule leaves to people, a sentence each; nothing where its script decides all."""
    script = rule.get("script") or ""
    if not script:
        return ["All of it: it is text, which people keep to."]
    in_office = decided_in_office(script)
    said: list[str] = []
    for name, spec in (rule.get("actions") or {}).items():
        if spec.get("as") or name in in_office:
            said.append(f"`{name}` ({spec.get('as') or 'in office'}): {sentence(spec)}")
        else:
            said += [f"`{name}`, on the word of who acts: {sentence(each)}" for each in on_word(spec)]
    votes = "decide_electorate" in hook_names(script)
    return said + ["What it puts to the vote: the electorate decides."] * votes + commented(rule["text"])


def commented(text: str) -> list[str]:
    """Return the sentences of comments in a text ([[…]]) that leave something to somebody's word.

    >>> commented("Tea. [[It is hot. Whether it is tea is for the cook.]]")
    ['Whether it is tea is for the cook.']
    """
    comments = " ".join(COMMENT.findall(text)).split()
    sentences = (each.strip() for each in SENTENCE.findall(" ".join(comments)))
    return [f"{each[:1].upper()}{each[1:].rstrip('.;')}." for each in sentences if SOMEBODY_SAYS.search(each)]


def sentence(spec: Record) -> str:
    """Return the summary of an action or argument as a sentence."""
    return f"{str(spec.get('summary') or 'as they say').rstrip('.')}."


def on_word(spec: Record) -> list[Record]:
    """Return the arguments of an action with which whoever acts says yes or no."""
    return [each for each in (spec.get("arguments") or {}).values() if (each or {}).get("type") == "boolean"]


def decided_in_office(script: str) -> set[str]:
    r"""Return the actions of a script that it refuses to all who do not hold some office, by E-NOT-OFFICE.

    >>> sorted(decided_in_office('def do_a(a):\n    b()\ndef b():\n    require(x, "E-NOT-OFFICE", "")'))
    ['a']
    """
    bodies = functions(script)
    found = {name for name, body in bodies.items() if "E-NOT-OFFICE" in ast.dump(body)}
    calling = {name: {n.id for n in ast.walk(body) if isinstance(n, ast.Name)} for name, body in bodies.items()}
    while more := {name for name in bodies.keys() - found if calling[name] & found}:
        found |= more
    return {name.partition("_")[2] for name in found if name.startswith(("do_", "forbid_"))}


# -- the pages


def pages() -> dict[str, str]:
    """Return the tables as Markdown by their paths below the site's sources, and the page that leads to them."""
    found = whole()
    lines = [f"- [{rulesets.founding(name)['title']}](rules-{name}.md) (`{name}`)" for name in found]
    leading = "\n".join([NOTE, OVERVIEW, *lines]) + "\n"
    return {"reference/rules.md": leading} | {
        f"reference/rules-{name}.md": table(name, of) for name, of in found.items()
    }


def table(name: str, of: dict[str, list[str]]) -> str:
    """Return the table of one ruleset; `of` are the scenarios by rule."""
    rules, title = rules_of(name), rulesets.founding(name)["title"]
    count = len({stem for stems in of.values() for stem in stems})
    head = PAGE.format(title=title, name=name, count=count)
    rows = [row(name, rule, of[rule["rule"]]) for rule in rules]
    listed = (f"**{rule['rule']} {rule['title']}**:\n{in_backquotes(of[rule['rule']])}\n" for rule in rules)
    return NOTE + "\n" + head + "\n".join(rows) + "\n\n## Scenarios\n\n" + "\n".join(listed)


def in_backquotes(stems: list[str]) -> str:
    """Return names one after the other, each on a line of its own, so that what comes anew changes few lines."""
    return ",\n".join(f"`{stem}`" for stem in stems)


def row(name: str, rule: Document, stems: list[str]) -> str:
    """Return the row of a rule."""
    switches = [
        f"[`{each}`](settings.md#{name}-{each}) ({len(spec['alternatives'])})"
        for each, spec in (rule.get("settings") or {}).items()
    ]
    cells = [
        f"{rule['rule']} {rule['title']}",
        f"`{file_of(name, rule)}`",
        str(len(stems)),
        ", ".join(switches) or "none",
        "<br>".join(left(rule)) or "Nothing: its script decides.",
    ]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def file_of(name: str, rule: Document) -> str:
    """Return where a rule stands: in its ruleset, or in the one that this extends."""
    for folder in (name, *(each for each in rulesets.names() if each != name)):
        file = PACKAGED / folder / "rules" / f"{rule['uid']}.yaml"
        if file.is_file():
            return str(file.relative_to(PACKAGED).as_posix())
    raise FileNotFoundError(f"no file of rule {rule['rule']} of {name}")


def main(arguments: list[str]) -> int:
    """Write or check the tables; return the exit code."""
    made = pages()
    gone = [file for file in (SOURCES / "reference").glob("rules-*.md") if f"reference/{file.name}" not in made]
    stale = [name for name, text in made.items() if not _is(SOURCES / name, text)]
    if "--check" in arguments:
        for name in [*stale, *(f"reference/{file.name}" for file in gone)]:
            print(f"site_src/{name} is not in step; run `python ci/rule_table.py`", file=sys.stderr)
        return 1 if stale or gone else 0
    for name in stale:
        (SOURCES / name).write_text(made[name], "utf-8")
    for file in gone:
        file.unlink()
    return 0


def _is(path: Path, text: str) -> bool:
    return path.exists() and path.read_text("utf-8") == text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
