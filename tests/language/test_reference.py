"""The reference: complete, up to date in the repository, every example in it played, every field that it tells there."""

from __future__ import annotations

import re
import textwrap
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from ci.reference import pages_of_law
from folkmoot.core.events import Outcome
from folkmoot.core.rule_blocks import RULE_PARTS
from folkmoot.files.fast_reader import load_yaml
from folkmoot.kernel.arguments import CHECKS
from folkmoot.kernel.budget import PER_EVENT
from folkmoot.kernel.host import HOST
from folkmoot.kernel.proposals import OUTCOMES
from folkmoot.kernel.registers import BUILT_IN
from folkmoot.kernel.rule_changes import EVENTS as CHANGED
from folkmoot.kernel.script_records import BALLOT, PLAIN
from folkmoot.kernel.things import canonical_digest
from folkmoot.language.declarations import catalogue
from folkmoot.scenarios.claims import FORMS
from folkmoot.scenarios.known_names import known_in
from folkmoot.scenarios.script_check import check_script
from folkmoot.site.game_views import QUESTIONS
from tests.support.moot import Moot
from tests.support.table import VOTING, Record, Table, rule

ROOT = Path(__file__).parents[2]
KERNEL_FILES = (ROOT / "engine" / "folkmoot" / "kernel").rglob("*.py")
SOURCES = sorted(path for path in KERNEL_FILES if path.name != "vaults.py")
KERNEL = "\n".join(path.read_text("utf-8") for path in SOURCES)
ASKING = ("referee/intake.py", "game/status.py", "scenarios/scenario.py")
PATHS = [ROOT / "engine" / "folkmoot" / name for name in ASKING]
REFEREE = "\n".join(path.read_text("utf-8") for path in PATHS)


def test_the_pages_in_the_repository_are_those_that_are_made() -> None:
    made = pages_of_law()
    kept = {name: (ROOT / "site_src" / name).read_text("utf-8") for name in made}
    assert kept == made, "make them anew: python ci/reference.py"


# -- complete ----------------------------------------------------------------------------------------------------------


def test_every_host_function_has_a_meaning_and_an_example() -> None:
    assert [name for name, entry in HOST.words.items() if f"{name}(" not in entry.body] == []
    assert [name for name, entry in HOST.words.items() if not entry.meaning.endswith((".", "''."))] == []


def test_every_event_of_the_kernel_is_listed() -> None:
    named = set(re.findall(r'(?:play\.emit|tell)\((?:play, )?"([a-z_]+)"', KERNEL))
    named |= set(re.findall(r'for name in \("([a-z_]+)", f"\1_\{', KERNEL))  # raised with the one of a register
    assert {"on_" + name for name in named} >= {"on_acted", "on_voting_opened"}
    outcomes = {f"on_proposal_{outcome}" for outcome in OUTCOMES}
    changed = {f"on_{name}" for name in CHANGED.values()}
    assert set(catalogue("events")) == {f"on_{name}" for name in named} | outcomes | changed | {"on_changed_REGISTER"}


def test_every_question_of_the_kernel_is_listed() -> None:
    asked = set(re.findall(r'\.(?:ask|ask_whose|answers)\(\s*"([a-z_]+)"', KERNEL))
    asked |= set(re.findall(r'ask_usable\(\s*play, "([a-z_]+)"', KERNEL))
    asked |= set(re.findall(r'\("([a-z_]+)", \[shown', KERNEL))
    asked |= set(re.findall(r'_ask\(play, "(may_[a-z_]+)"', KERNEL))
    asked |= set(re.findall(r'_read\(play, "([a-z_]+)"', KERNEL))
    asked |= set(re.findall(r'(?:session\.ask|kernel\.ask)\(\s*"([a-z_]+)"', REFEREE))
    asked |= set(re.findall(r'_said\(session, "([a-z_]+)"', REFEREE))
    asked |= set(QUESTIONS)
    assert set(catalogue("questions")) == {f"decide_{name}" for name in asked}


def test_everything_says_what_it_means() -> None:
    for part in ("hooks", "events", "questions"):
        for name, entry in catalogue(part).items():
            assert entry.meaning, name
            described = {field.partition(".")[0] for field in entry.fields}
            assert described <= set(entry.names), name
            assert described == set(entry.names) or part == "events", name


def test_every_key_type_register_claim_and_limit_is_told() -> None:
    forms = load_yaml(files("folkmoot.files").joinpath("file_forms.yaml").read_text("utf-8"), "forms")["forms"]
    pages = {
        name: (ROOT / f"site_src/reference/{name}.md").read_text("utf-8") for name in ("files", "scenarios", "limits")
    }
    declaring = ("Action", "Argument", "Timer", "Office", "Ending", "Register", "Kind", "Currency")
    keys = [key for form in declaring for key in forms[form]["properties"]]
    assert [key for key in keys if f"`{key}`" not in pages["files"] and f"`{key}:" not in pages["files"]] == []
    assert [kind for kind in (*CHECKS, *BUILT_IN) if f"`{kind}`" not in pages["files"]] == []
    assert [claim for claim in FORMS if f"{{{claim}: " not in pages["scenarios"]] == []
    assert [what for what in PER_EVENT if f"| {what} |" not in pages["limits"]] == []


# -- played ------------------------------------------------------------------------------------------------------------

PAIR = "def both(a, b):\n    return [a, b]\n\ndef same(a, b):\n    return a == b\n\n"
SEALED = {"both": "Two cards", "same": "Whether two cards are a pair"}
"""Functions that the examples have look into what is sealed."""

ROOM = rule(
    "1",
    """
    def decide_phase():
        return get("game", "phase")

    def decide_number(p):
        return 301 + get("game", "waves")

    def on_proposal_submitted(e):
        add("game", "waves", 1)

    def decide_adopted(p):
        return verdict(True, "so be it")

    def on_acted(e):
        return None

    def submit_one(change):
        return submit("More waves", [change])

    def do_drive(a):
        waves = {"enact": {"title": "Waves", "text": "There are waves."}}
        create("player", "dan")
        destroy("dan")
        ball = create("ball")
        give(ball, a.by)
        reveal(ball)
        destroy(ball)
        put(a.by, "tired", True)
        put(office("scribe"), "holder", a.by)
        put("settings", "T-Q1", "loud")
        award(a.by, "score", 1)
        r = enact("Waving", "Everybody waves.", labels = {"status": "mutable"})
        amend(r, text = "Everybody waves twice.")
        label(r, section = "manners")
        renumber(r, "902")
        for change in [{"transmute": r.uid, "to": "immutable"}, {"retitle": r.uid, "title": "Wave"}, {"repeal": r.uid}]:
            resolve(submit_one(change), "adopted")
        for outcome in ["defeated", "accepted", "rejected", "ignored", "replaced", "withdrawn"]:
            resolve(submit_one(waves), outcome)
        resolve(revise(submit_one(waves), title = "Wavelets"), "withdrawn")
        p = submit_one(waves)
        locks_out(p)
        open_voting(p)
        cast(p, "bob", "for", deemed = True)
        if proposal(p.number) != None and proposal(p.number).state == "open":
            close_voting(p)
        open_voting(submit_one(waves))
        holder("judge")
        holder("scribe")
        ask("mover")
        ask("turn_no")

    def do_nod(a):
        announce("yes")

    def do_knock(a):
        announce("knock")

    def forbid_knock(a):
        return hold("clock")

    def do_finish(a):
        win(a.by, "they came to the end")
    """,
    labels={"status": "mutable"},
    defines={
        "game": {
            "phase": {"type": "string", "initial": "day"},
            "last_time": {"type": "time", "optional": True},
            "visitors": {"type": "list"},
            "waves": {"type": "integer"},
            "waved": {"type": "map"},
        },
        "player": {"tired": {"type": "boolean"}, "hand": {"type": "list", "sealed": "owner"}},
        "kinds": {
            "ball": {
                "registers": {
                    "colour": {"type": "string", "optional": True},
                    "mark": {"type": "string", "optional": True, "sealed": "owner"},
                }
            }
        },
        "currencies": {"score": {}},
        "boards": {"field": {"columns": 12, "rows": 5}},
        "offices": {"scribe": {"fill": "appointed"}, "judge": {"fill": "by_rule"}},
    },
    actions={
        "drive": {"summary": "Do everything"},
        "finish": {"summary": "Win"},
        "nod": {"summary": "Nod"},
        "knock": {},
    },
    timers={"bell": {"summary": "Rings"}},
    settings={"T-Q1": {"question": "How?", "default": "quiet", "alternatives": {"quiet": "softly", "loud": "loudly"}}},
)


def play(example: Record) -> tuple[set[str], list[Any]]:
    """Play everything there is with an example among the rules; return the hooks of it that were called, and its failures."""
    table = Table(ROOM, example, rule("3", "def on_acted(e):\n    return None\n"), words={"english": "scone\ntea\n"})
    ran: set[str] = set()

    def entered(uid: str, hook: str) -> None:
        ran.update([hook] if uid == example["rule"] else [])

    table.kernel.play.entered = entered
    failures: list[Any] = [*table.founded.failures]
    steps: list[tuple[str, str, Record]] = [
        ("ann", "drive", {}),
        ("bob", "vote", {"choice": "for"}),
        ("bob", "state", {"text": "I am tired of it"}),
        ("bob", "knock", {}),
        ("root", "correct", {"of": "proposal/303", "name": "outcome", "to": "defeated", "why": "miscounted"}),
        ("root", "pause", {}),
        ("root", "resume", {}),
        *(("ann", name, {}) for name in example.get("actions", {})),
        ("ann", "finish", {}),
    ]
    for by, do, arguments in steps:
        outcome = table.judge(do, by, arguments)
        failures += outcome.failures
        assert outcome.accepted or do in FORBIDDEN, (do, outcome.code, outcome.reasons, outcome.failures)
        for page in table.kernel.pages(table.now).values():
            assert "error" not in page
    kept = table.kernel.documents.everything()
    made = next(document["id"] for key, document in kept.items() if key.startswith("proposals/"))
    asked = {
        "review": ["ann", "approve", "yes"],
        "acts_for": ["bob", "scribe"],
        "moment_named": ["tea"],
        "coming": ["bell/ann"],
    }
    asked |= {"conflict": [None, None, {"$": 2, "part": "title", "before": "A", "law": "B", "change": "C"}]}
    for question in ("standing", "headline", "pitch", "to_win", "front_page", *asked):
        about = made if question in ("standing", "review") else None
        table.kernel.ask(question, asked.get(question, []), table.now, *([about] if about else []))
    table.kernel.taken_as({"by": "ann", "title": "Tea", "text": "", "changes": [], "requests": []}, table.now)
    table.kernel.read_push(made, [], table.now)
    return ran, failures


FORBIDDEN: set[str] = set()
QUIET = set(
    "drop take_back cite debug release setting proposal timer ballots ballot_of voted require later chance".split()
)
SHOWN = {
    "EVENT": "joined", "ACTION": "wave", "QUESTION": "phase", "PAGE": "scores", "REGISTER": "tired", "CURRENCY": "score",
}  # fmt: skip


def as_rule(part: str, name: str) -> tuple[str, Record]:
    """Return the name of a hook and a rule that has the example of the catalogue as its script."""
    entry = catalogue(part)[name]
    for placeholder, filled in SHOWN.items():
        name = name.replace(placeholder, filled)
    return name, rule("2", f"def {name}({entry.parameters}):\n{entry.body}", labels={"status": "mutable"})


def announced(outcome: Outcome) -> list[str]:
    return [effect["text"] for effect in outcome.effects if effect["effect"] == "announce"]


AT_OTHER_TIMES = {"on_founded", "on_enacted", "on_unsealed", "on_duty_overdue", "on_won"}


@pytest.mark.parametrize(
    ("part", "name"), [(part, name) for part in ("events", "questions") for name in catalogue(part)]
)
def test_examples_of_events_and_questions_are_heard(part: str, name: str) -> None:
    hook, example = as_rule(part, name)
    assert [str(p) for p in check_script(example, known_in([ROOM, example]))] == []
    ran, failures = play(example)
    assert (failures, hook in ran or name in AT_OTHER_TIMES) == ([], True)


@pytest.mark.parametrize("name", list(catalogue("hooks")))
def test_examples_of_hooks_are_called(name: str) -> None:
    hook, example = as_rule("hooks", name)
    wave = {"wave": {"summary": "Wave"}}
    example["actions"] = wave
    if hook != "do_wave":
        example["script"] += "\ndef do_wave(a):\n    ask('phase')\n"
    assert [str(p) for p in check_script(example, known_in([ROOM, example]))] == []
    FORBIDDEN.update({"wave"} if hook == "forbid_wave" else set())  # ann is tired by then
    ran, failures = play(example)
    FORBIDDEN.clear()
    if hook == "show_scores":
        return  # its page was shown, without an error, after every step
    assert (failures, hook in ran) == ([], True)


@pytest.mark.parametrize("name", list(HOST.words))
def test_examples_of_functions_are_carried_out(name: str) -> None:
    body = textwrap.indent(HOST.words[name].body, "    ")
    example = rule(
        "2",
        f"{PAIR}def do_wave(a):\n{body}",
        labels={"status": "mutable"},
        actions={"wave": {"summary": "Wave"}},
        sealed=SEALED,
    )
    found = check_script(example, known_in([ROOM, example]))
    assert [p.arguments["check"] for p in found] == (["debug"] if name == "debug" else [])
    table = Table(ROOM, example, words={"english": "scone\ntea\n"})
    outcome = table.act("ann", "wave")
    assert (outcome.accepted, outcome.failures) == (True, []), outcome.reasons
    assert outcome.effects or name in QUIET
    table.pass_time(8 * 86_400)


# -- fields of records

SHOW = rule(
    "1",
    """
    def tell(what, record):
        announce(what, fields = dir(record))

    def on_ballot_cast(e):
        tell("proposal", e.proposal)
        tell("ballot", e.ballot)
        tell("ballot", e.proposal.ballots[0])
        tell("change", e.proposal.changes[0])
        tell("rule", me())

    def do_pay(a):
        tell("action", a)
        award(a.by, "gold", 1)

    def on_awarded(e):
        tell("entry", e.award)

    def adjust_award(a):
        return len(dir(a))

    def decide_law_for(s):
        require(len(dir(s)) == 5, "E-ARGS")
        return None
    """,
    defines={"currencies": {"gold": {}}},
    actions={"pay": {"summary": "Pay"}},
)


def test_records_are_described_as_scripts_see_them() -> None:
    table = Table(SHOW, VOTING)
    number = table.propose("ann", {"enact": {"title": "Tea", "text": "There is tea."}})
    outcomes = [table.ok("ann", "vote", proposal=number, choice="for"), table.ok("ann", "pay")]
    told = [effect for outcome in outcomes for effect in outcome.effects if effect["effect"] == "announce"]
    seen = {(effect["text"], tuple(sorted(effect["fields"]))) for effect in told}
    assert {what for what, _ in seen} == {"proposal", "ballot", "change", "rule", "action", "entry"}
    for what, fields in seen:
        assert tuple(sorted(described(what))) == fields, what
    assert table.get("ann", "gold") == len(described("award"))
    assert len(described("submission")) == 5
    assert {"player", *BALLOT} == described("ballot")
    assert set(PLAIN) <= described("proposal")
    assert set(RULE_PARTS) <= described("change")


def described(record: str) -> set[str]:
    return {name.partition(".")[2] for name in catalogue("records")[record].fields}


@pytest.mark.parametrize("name", list(catalogue("records")))
def test_examples_of_records_read_what_is_there(name: str) -> None:
    entry = catalogue("records")[name]
    document = {"uid": "1", "script": f"def tell({entry.parameters}):\n{entry.body}"}
    assert check_script(document, known_in([document])) == []
    first = entry.body.partition(f"{entry.parameters}.")[2]
    assert any(first.startswith(field) for field in described(name))


# -- what it says of digests and of maps and lists


def test_a_digest_is_that_of_scripts(moot: Moot) -> None:
    script = 'def do_swear(a):\n    announce(digest(["ä", {"b": 1, "a": 305}]))\n'
    table = Table(rule("1", script, actions={"swear": {}}), VOTING)
    assert announced(table.act("ann", "swear")) == [moot("explain", "digest", '["ä", {"a": 305, "b": 1}]').out.strip()]
    assert moot("explain", "digest", '"305"').out.strip() == canonical_digest("305")
    assert moot("explain", "digest", "305").out.strip() == canonical_digest(305)
    assert [moot("explain", "digest", *words).code for words in ((), ("{1.5", "x"))] == [2, 2]
