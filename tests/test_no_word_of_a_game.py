"""No word of the engine knows a game: what acts, choices, offices, outcomes, currencies and moments of games are called.

The words are those that the packaged rulesets and examples declare, and some that other games use. Those of the engine
itself stand in its tables (`OWN`); anywhere else a string that is such a word makes this fail, as does a beginning or
an end of one by which strings are compared. What remains is in `ALLOWED`, each with the reason.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core import documents, records
from folkmoot.files.fast_reader import load_yaml
from folkmoot.game.rulesets import founding, names
from folkmoot.kernel.act_declarations import KERNEL_DECLARATIONS
from folkmoot.language.declarations import catalogue

ENGINE = Path(records.__file__).parents[1]
ELSEWHERE = (
    "for against abstain yes no aye nay yea present accept reject approve endorse veto second sponsor object "
    "propose proposes submit submit_proposal finalise finalize withdraw retract forfeit resign distribute deputise "
    "mover turn_no turn_player active_player next_player nweek turn_ends adopted defeated accepted rejected withdrawn "
    "ignored replaced scribe speaker judge referee assessor promotor rulekeepor registrar wizard emperor herald clerk "
    "score points fp karma coins tabs ribbons gold motion decision ruling judgement"
).split()
"""Words of games that are not packaged, and of those whose words could be guessed."""
OWN = {
    "kernel/act_declarations.py": "the acts of the kernel",
    "kernel/ballot_words.py": "the choices, and what reviews stand for, where no rule says",
    "core/event_names.py": "the outcomes that every proposal can have, and the events of the engine",
    "core/declared_kinds.py": "the kinds that need no declaration",
    "referee/commands.py": "the commands of comments",
}
"""The tables in which words of the engine itself stand."""
ALLOWED = {
    "propose": (
        "our command and form, the effect of taking something in, and /propose, which no action of that name hides",
        "cli/commands.py cli/main.py cli/misuse.py cli/play/commands.py cli/play/pages.py cli/play/web.py "
        "kernel/acts.py kernel/proposals.py kernel/step.py "
        "referee/forms.py referee/intake.py site/pages/act.py site/pages/history.py "
        "site/pages/rules.py",
    ),
    "category": ("a label that any rule may have, under which its actions stand together", "game/actions.py"),
    "play": ("what people type as if it were a command of ours", "cli/misuse.py"),
    "section_titles": ("a register that any law may have, for headings of its page", "site/pages/rules.py"),
    "meta": ("an element of HTML", "wording/markup.py"),
    "withdraw": ("our command", "cli/commands.py cli/main.py cli/play/commands.py"),
    "voting": ("a module of ours", "cli/commands.py"),
    "accepted": ("acts that were not refused", "cli/outcomes.py referee/recorder.py"),
    "lanterns": ("the ruleset of who names none and cannot be asked", "cli/founding.py"),
    "submit": ("a function of the law language", "kernel/proposals.py"),
    "no": ("a word of YAML, of git's settings, and of tables", "cli/private_view.py files/canonical.py kernel/arguments.py "
           "wording/page_links.py forges/local/players_repository.py"),
    "changed_": ("how events of registers begin", "scenarios/script_check.py site/script_words.py"),
    "proposal_": ("how events of outcomes begin", "scenarios/script_check.py"),
    "show_": ("how pages begin", "game/session.py kernel/step.py sandbox/client.py"),
    "decide_": ("how questions begin", "scenarios/script_check.py scenarios/checked_law.py site/pages/rule.py"),
    "turn": ("a field of our own data for programs, an occasion in our own settings", "referee/announce.py site/data_files.py"),
    "turn-": ("our own key of a call, whose turn it is by `decide_mover`", "referee/mentions.py"),
}  # fmt: skip
"""Words that may stand where they do, each with the reason and the modules."""
NOT_OURS = ("game/rulesets/", "game/recipes/", "cli/demo/")
"""Packaged games and rules, and their demonstration."""
OTHERWISE = {
    "administrator": "who administers a game, in a table of ours",
    "archive": "a file of many, and a place where states are kept",
    "comment": "what is said on a forge, and our command",
    "conditions": "of a forge's branch rules",
    "data": "a field of answers, and a folder of a wheel",
    "deadlines": "a part of our front page",
    "moment": "a point in time, a function of the law language",
    "orders": "what proposals do once, and claims about it",
    "seconds": "a unit of time",
    "sort": "an input of forges' lists",
    "status": "our command; a label of rules that changes can set; whether a job of a forge failed",
    "waiting": "what is sent and not judged yet",
    "ignored": "a letter that is nothing",
    "approve": "what reviews of forges say",
    "dismiss": "what is done to reviews of forges",
    "tick": "the clock firing a timer, and our command",
    "referee": "our own part and command",
    "areas": "parts of a drawn board",
    "area": "a part of a drawn board, and an input of a form",
    "object": "a type of JSON, and of git",
    "active": "a state of a forge's jobs",
    "present": "that somebody plays, in a claim",
    "points": "of a drawing",
    "left": "of a player who has gone",
    "announce": "a function of the law language",
    "holds": "a function of the law language",
    "decide": "what is owed by who decides instead of voters",
    "days": "a unit of limits",
    "proposed": "a question to the sandbox about what was proposed",
    "answer": "what a rule, a forge or the sandbox answers",
    "count": "how many there are",
    "idle": "a ballot that is kept and does not count",
    "move": "an option of our command `moot init`",
    "hand": "what is shown of what is sealed to somebody",
    "leader": "the first field of a form, which leads the others",
    "moved": "what became of a game that went to another forge",
    "seal": "the effect of sealing a value",
    "class": "an attribute of HTML, and a word of Starlark",
    "clock": "what fires timers",
    "entry": "one of the journal",
    "failed": "of scripts, steps, jobs and pages",
    "passed": "of scenarios",
    "it": "a word of sentences",
    "law": "the document of the rules, and what a sentence is about",
    "moot": "our command and its refs",
    "names": "of series, and of what a rule is called",
    "revise": "a function of the law language",
    "revoke": "what is done to keys",
    "stamp": "a moment written down",
    "win": "a function of the law language, and its effect",
}
"""Words that games have too, and what the engine means by them."""


def declared_words() -> Iterator[str]:
    """Yield what packaged rules call their acts, offices, outcomes, currencies, kinds, moments and switches."""
    for name in names():
        for rule in founding(name)["rules"]:
            defines: dict[str, Any] = rule.get("defines") or {}
            for block in ("offices", "outcomes", "currencies", "kinds"):
                yield from defines.get(block) or ()
            for owner in ("game", "player", "rule", "proposal"):
                yield from defines.get(owner) or ()
            yield from rule.get("actions") or ()
            yield from rule.get("timers") or ()


@cache
def of_games() -> frozenset[str]:
    """Return the words of games that are no names of the engine's own: neither acts of the kernel nor record fields."""
    fields = {key for module in (documents, records) for each in vars(module).values()
              for key in getattr(each, "__annotations__", {}) if isinstance(each, type)}  # fmt: skip
    asked = {name.removeprefix("decide_") for name in catalogue("questions")}
    return frozenset({*declared_words(), *ELSEWHERE} - set(KERNEL_DECLARATIONS) - fields - asked - set(OTHERWISE))


def docstrings(tree: ast.AST) -> set[int]:
    """Return which strings of a module are there to be read."""
    return {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}


def words_in(source: str) -> Iterator[tuple[int, str]]:
    """Yield the words of games that a module holds as strings, with their lines; beginnings of such where compared."""
    tree = ast.parse(source)
    read = docstrings(tree)
    parts = {id(part) for each in ast.walk(tree) if isinstance(each, ast.JoinedStr) for part in each.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in read | parts:
            if node.value in of_games():
                yield node.lineno, node.value
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("startswith", "endswith"):
            for said in (each for argument in node.args for each in ast.walk(argument)):
                if isinstance(said, ast.Constant) and isinstance(said.value, str) and _is_part(said.value):
                    yield said.lineno, said.value


def _is_part(said: str) -> bool:
    word = said.strip(" _-*")
    return len(word) > 3 and any(each.startswith(word) or each.endswith(word) for each in of_games())


def is_allowed(name: str, word: str) -> bool:
    """Say whether a word may stand in a module."""
    return name in ALLOWED.get(word, ("", ""))[1].split()


def told(name: str, line: int, word: str) -> str:
    """Return what is wrong with a word."""
    return f"{name}:{line}: {word!r} is a word of a game; ask the law, or put it into a table of the engine's own words"


def modules() -> dict[str, Path]:
    """Return the modules of the engine that no table of its own words is, by their path."""
    found = {path.relative_to(ENGINE).as_posix(): path for path in sorted(ENGINE.rglob("*.py"))}
    return {name: path for name, path in found.items() if not name.startswith(NOT_OURS) and name not in OWN}


@cache
def everywhere() -> frozenset[tuple[str, int, str]]:
    """Return the words of games in all modules, each with module and line."""
    return frozenset((name, *found) for name, path in modules().items() for found in words_in(path.read_text("utf-8")))


def test_no_module_knows_a_word_of_a_game() -> None:
    assert [told(*found) for found in sorted(everywhere()) if not is_allowed(found[0], found[2])] == []


def test_every_word_that_is_allowed_still_stands_where_it_is_allowed() -> None:
    allowed = {(word, name) for word, (_why, where) in ALLOWED.items() for name in where.split()}
    assert allowed - {(word, name) for name, _line, word in everywhere()} == set()


YAML_OF_OURS = ("files/file_forms.yaml", "files/issue_forms.yaml", "wording/catalogue.yaml")


@pytest.mark.parametrize("name", YAML_OF_OURS)
def test_no_data_of_the_engine_has_a_key_that_is_a_word_of_a_game(name: str) -> None:
    data = load_yaml((ENGINE / name).read_text("utf-8"), name)
    assert keys_of_games(data) - YAML_ALLOWED == set()


YAML_ALLOWED = {"propose", "seal", "moved", "orders"}
"""Our own form and claim, and the effects of taking something in, of sealing and of a move to another forge."""


def keys_of_games(data: Any) -> set[str]:
    """Return the keys of nested data that are words of games; of sentences, the value after `effect ballot`."""
    if isinstance(data, list):
        return set().union(*map(keys_of_games, data)) if data else set()
    if not isinstance(data, dict):
        return set()
    own = {word for key in data for word in (str(key), str(key).rpartition(" ")[2]) if word in of_games()}
    return own.union(*map(keys_of_games, data.values()))
