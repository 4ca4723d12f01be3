"""Makes the packaged mail game and its golden replay from the one list of proposals 301 to 313.

Run it (`python tests/rulesets/suber_mail.py`) after editing `engine/folkmoot/game/rulesets/suber-mail/proposals.yaml`; the tests
beside it fail while what it would write differs from what is kept.
"""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import DoubleQuotedScalarString, FoldedScalarString, LiteralScalarString

Record = dict[str, Any]
ROOT = Path(__file__).parents[2]
RULESETS = ROOT / "engine/folkmoot/game/rulesets"
REPLAY = ROOT / "tests" / "scenarios" / "suber" / "T2-65-golden-replay.yaml"
PLAYERS = {"JA": "Amery", "RH": "H.", "BR": "R.", "ZT": "T.", "JVG": "V. G.", "FW": "W."}
SCORES = [-5, 11, 12, 13, 14, 15, 12, 28, 30, 32, 34, 36, 35]
ZOIDS = {"JA": 12, "RH": 28, "BR": 30, "ZT": 32, "JVG": 14, "FW": 15}
ORDER = ("rule", "uid", "title", "labels", "text", "precedence", "defines", "settings", "timers", "actions", "script")


def load(path: Path) -> Any:
    """Return the plain content of a YAML file."""
    return YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))


def proposals() -> list[Record]:
    """Return the proposals 301 to 313 in order."""
    listed: list[Record] = load(RULESETS / "suber-mail" / "proposals.yaml")["proposals"]
    return listed


def rules() -> dict[str, Record]:
    """Return by uid the rules that the adopted proposals enact or amend, as they stand in the end."""
    made: dict[str, Record] = {}
    for proposal in proposals():
        if proposal["outcome"] != "adopted":
            continue
        number = str(proposal["number"])
        for change in proposal["changes"]:
            if "enact" in change:
                made[number] = {"rule": number, "uid": number, "labels": {"status": "mutable"}, **change["enact"]}
            else:
                uid = change["amend"]
                parts = {key: value for key, value in change.items() if key != "amend"}
                made[uid] = {**(made.get(uid) or initial_rule(uid)), **parts, "rule": number}
    return {uid: {key: rule[key] for key in ORDER if rule.get(key)} for uid, rule in made.items()}


def initial_rule(uid: str) -> Record:
    """Return a rule of the initial set."""
    rule: Record = load(RULESETS / "suber" / "rules" / f"{uid}.yaml")
    return rule


def dressed(value: Any, key: str = "") -> Any:
    """Return a value with the styles that people read best: literal blocks, quoted numbers and yes/no."""
    if isinstance(value, dict):
        return {dressed(name) if str(name) in AMBIGUOUS else name: dressed(v, name) for name, v in value.items()}
    if isinstance(value, list):
        return [dressed(item) for item in value]
    if isinstance(value, str):
        return dressed_string(value, key)
    return value


AMBIGUOUS = ("yes", "no", "on", "off", "none", "304", "305", "312")


def dressed_string(value: str, key: str) -> Any:
    """Return a string in its best style."""
    if "\n" in value or key in ("text", "script"):
        return LiteralScalarString(value)
    if value in AMBIGUOUS or value.isdigit() or ":" in value:
        return DoubleQuotedScalarString(value)
    return FoldedScalarString(value) if len(value) > 110 else value


def written(value: Any, comment: str = "") -> str:
    """Return a value as YAML."""
    yaml = YAML()
    yaml.width, yaml.default_flow_style = 125, False
    yaml.indent(mapping=2, sequence=4, offset=2)
    buffer = io.StringIO()
    yaml.dump(dressed(value), buffer)
    return comment + buffer.getvalue()


def rule_files() -> dict[Path, str]:
    """Return the packaged rule files by path."""
    folder = RULESETS / "suber-mail" / "rules"
    return {folder / f"{uid}.yaml": written(rule) for uid, rule in rules().items()}


def replay() -> str:
    """Return the golden replay as a scenario."""
    order = list(PLAYERS)
    steps: list[Record] = []
    for place, proposal in enumerate(proposals()):
        steps += turn(place, proposal, order)
    scenario = {
        "scenario": "T2-65 golden replay of proposals 301 to 313 from the initial set by mail",
        "ruleset": "suber",
        "settings": {"mode": "mail"},
        "starts": "2026-01-05T12:00:00Z",
        "players": [{"id": player, "surname": surname} for player, surname in PLAYERS.items()],
        "steps": steps,
        "expect": final_state(),
    }
    return written(scenario, "# Made by tests/rulesets/suber_mail.py from the proposals of the packaged ruleset.\n")


def turn(place: int, proposal: Record, order: list[str]) -> list[Record]:
    """Return the steps of one turn, with the mover's score after it."""
    number, mover = proposal["number"], order[place % len(order)]
    given = {"title": proposal["title"], "changes": proposal["changes"]}
    steps: list[Record] = [{"by": mover, "do": "propose", "args": given}]
    steps += voting_by_scribe(number) if number == 313 else voting(number, mover, order)
    if number == 303:
        steps.append({"by": "BR", "do": "nominate", "args": {"player": "JA"}})
        steps.append({"by": ["RH", "BR", "ZT", "FW"], "do": "vote_scribe", "args": {"player": "JA"}})
    if number == 311:
        steps.append({"by": "JA", "as": "scribe", "do": "appoint_oo", "args": {"player": "RH"}})
        steps.append({"expect": [{"player": player, "zoids": zoids} for player, zoids in ZOIDS.items()]})
        positions = {"JA": "MAW", "RH": "SOP", "JVG": "BEI", "ZT": "ITA", "BR": "UNI", "FW": "THU"}
        steps += [{"by": who, "do": "post_position", "args": {"code": code}} for who, code in positions.items()]
    outcome: Record = {"proposal": number, "state": proposal["outcome"]}
    steps.append({"expect": [outcome, {"player": mover, "score": SCORES[place]}]})
    return steps


def voting(number: int, mover: str, order: list[str]) -> list[Record]:
    """Return the votes of a turn in which the proponent ends the debate: 301 gets three of six, the others all."""
    against = order[3:] if number == 301 else []
    votes: list[Record] = [{"by": mover, "do": "finalise"}]
    votes.append({"by": [p for p in order if p not in against], "vote": "for", "proposal": number})
    return [*votes, *([{"by": against, "vote": "against", "proposal": number}] if against else [])]


def voting_by_scribe(number: int) -> list[Record]:
    """Return the votes of the turn under 312, in which the Scribe moves: the next player receives their vote."""
    return [
        {"by": "JA", "vote": "for", "proposal": number},
        {"by": "RH", "do": "open_vote"},
        {"by": ["RH", "BR", "ZT", "JVG", "FW"], "vote": "for", "proposal": number},
        {"expect": [{"proposal": number, "state": "adopted"}, {"game": True, "mover": "JA", "phase": "confirm"}]},
        {"by": "JA", "as": "scribe", "do": "publish_result"},
        {"by": "RH", "do": "confirm_scribe_vote"},
    ]


def final_state() -> list[Record]:
    """Return what holds after the replay: scores, Zoids, offices, the turn, and every rule as it is packaged."""
    last = dict(zip([list(PLAYERS)[i % 6] for i in range(13)], SCORES, strict=True))
    expected: list[Record] = [{"player": p, "score": last[p], "zoids": ZOIDS[p]} for p in PLAYERS]
    expected += [{"office": "scribe", "holder": "JA"}, {"office": "object_orienter", "holder": "RH"}]
    expected.append(
        {"game": True, "mover": "RH", "turn_no": 14, "circuit_no": 3, "next_number": 314, "phase": "propose"}
    )
    expected += [{"rule": number, "in_force": False} for number in ("301", "203", "306")]
    expected += [{"rule": rule["rule"], "uid": uid, "title": rule["title"]} for uid, rule in rules().items()]
    expected.append({"call": "mutable_rules", "gives": 23})
    return expected


def change(number: int) -> Record:
    """Return the single change that a proposal makes."""
    return dict(proposals()[number - 301]["changes"][0])


def played(name: str, settings: Record, given: list[Record], steps: list[Record], expect: list[Record]) -> str:
    """Return a scenario of the initial set by mail, with the players of the mail game."""
    scenario = {
        "scenario": name,
        "ruleset": "suber",
        "settings": {"mode": "mail", **settings},
        "starts": "2026-01-05T12:00:00Z",
        "players": [{"id": player, "surname": surname} for player, surname in PLAYERS.items()],
        "given": given,
        "steps": steps,
        "expect": expect,
    }
    return written(scenario, "# Made by tests/rulesets/suber_mail.py from the proposals of the packaged ruleset.\n")


def proposed(mover: str, number: int, made: Record) -> list[Record]:
    """Return the steps of a turn in which everybody votes for a change."""
    given = {"title": f"Proposal {number}", "changes": [made]}
    votes = {"by": list(PLAYERS), "vote": "for", "proposal": number}
    return [{"by": mover, "do": "propose", "args": given}, {"by": mover, "do": "finalise"}, votes]


def zoids_at_adoption(name: str, reading: str, negative: int) -> str:
    """Return T2-45: what players with 17 and with -4 points get when 311 passes."""
    made = change(311)
    parts = dict(made["enact"])
    parts["settings"] = {**parts["settings"], "G2-Q15": {**parts["settings"]["G2-Q15"], "default": reading}}
    given: list[Record] = [
        {"game": True, "next_number": 311},
        {"player": "RH", "score": -4},
        {"player": "BR", "score": 17},
    ]
    expect: list[Record] = [
        {"player": "RH", "zoids": negative, "score": -4},
        {"player": "BR", "zoids": 17},
        {"player": "JA", "score": 20},
    ]
    return played(name, {}, given, proposed("JA", 311, {"enact": parts}), expect)


def percentages_govern() -> str:
    """Return T2-66: once 304 and 305 are adopted, 60 percent are enough."""
    given: list[Record] = [{"game": True, "next_number": 304, "mover": "ZT", "turn_no": 4}]
    steps = proposed("ZT", 304, change(304)) + proposed("JVG", 305, change(305))
    steps += [{"expect": [{"rule": "305", "uid": "203"}]}, *proposed("FW", 306, {"repeal": "206"})]
    steps[-1] = {"by": ["JA", "RH", "BR", "ZT"], "vote": "for", "proposal": 306}
    steps.append({"by": ["JVG", "FW"], "vote": "against", "proposal": 306})
    expect: list[Record] = [{"proposal": 306, "state": "adopted"}, {"reason": "OVERRULED", "rule": "203"}]
    expect += [{"ledger": player, "register": "score", "rule": "204", "applied": 10} for player in ("JVG", "FW")]
    return played("T2-66 when 304 and 305 are adopted the percentages of 304 govern", {}, given, steps, expect)


def doubled_formula() -> str:
    """Return a scenario in which a proposal doubles the formula of 202 and is itself paid double."""
    script = str(initial_rule("202")["script"])
    once = 'rounded((p.number - 291) * count["for"], total)'
    if once not in script:
        raise ValueError("the formula is not where this test looks for it")
    made = {"amend": "202", "script": script.replace(once, f"2 * {once}")}
    expect: list[Record] = [{"rule": "301", "uid": "202"}, {"player": "JA", "score": 20}]
    expect.append({"ledger": "JA", "register": "score", "rule": "301", "asked": 20, "applied": 20})
    return played(
        "an adopted proposal that doubles the formula is paid double itself", {}, [], proposed("JA", 301, made), expect
    )


def made_scenarios() -> dict[Path, str]:
    """Return the scenarios that need the text of proposals, by path."""
    return {
        REPLAY: replay(),
        REPLAY.with_name("T2-45a-no-negative-zoids.yaml"): zoids_at_adoption(
            "T2-45a whoever has a negative score when 311 passes gets no Zoids", "none", 0
        ),
        REPLAY.with_name("T2-45b-literal-zoids.yaml"): zoids_at_adoption(
            "T2-45b by the literal reading a player gets a negative number of Zoids (G2-Q15)", "literal", -4
        ),
        REPLAY.with_name("play-doubled-formula.yaml"): doubled_formula(),
        REPLAY.with_name("T2-66-percentages-govern.yaml"): percentages_govern(),
    }


@cache
def files() -> dict[Path, str]:
    """Return everything that is made, by path."""
    return {**rule_files(), **made_scenarios()}


def main() -> None:
    """Write what is made."""
    for path, text in files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
