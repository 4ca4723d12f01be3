"""The next season of a game: a founding by which its law goes on as it stands, while what players won begins anew."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from folkmoot.core.declared_kinds import declared_registers
from folkmoot.core.keys import GAME, LAW, ROSTER, rule_key
from folkmoot.core.problems import fail
from folkmoot.core.records import Founding, Written
from folkmoot.core.word_lists import LISTS
from folkmoot.game.rulesets import remember_list
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from folkmoot.journal.layout import document_name
from folkmoot.kernel.roster import KEPT

if TYPE_CHECKING:
    from folkmoot.game.verify import Report

GOES_ON = ("pitch", "language", "reminders", "limits", "lists", "forge", "joining")
"""What is said of a game that holds in its next season, too."""
BUILT_IN = frozenset({"holder", "at", "id", "count", "owner"})
"""What an opening statement may say of a thing or an office that no rule declares."""
_RULE = re.compile(r"\bby rule (\S+)$", re.ASCII)
_SEASON = re.compile(r", season \d+$", re.ASCII)


def require_over(session: Session) -> None:
    """Raise E-STATUS while a game goes on."""
    if not session.kept(GAME).get("over"):
        message = f"{session.record.name} is not over: nobody has won it for good"
        raise fail("E-STATUS", message, None, "--anyway begins the next season with the law as it stands today")


def season_of(game: Mapping[str, Any]) -> int:
    """Return which season a game is, from its settings.

    >>> season_of({}), season_of({"follows": {"season": 3}})
    (1, 3)
    """
    return int((game.get("follows") or {}).get("season") or 1)


def next_founding(session: Session) -> Founding:
    """Return what the next season of a game is founded with: the law and the people as they are now.

    Offices and what lies ready begin as they did, as far as those rules and people are there still.
    """
    game, law = session.kept(GAME), session.law()
    began, roster = session.record.entry(1)["with"], session.kept(ROSTER)
    shown = {who: {name: value for name, value in roster[who].items() if name not in KEPT} for who in session.players()}
    people = [{"id": who, **known} for who, known in shown.items()]  # keys and accounts are recorded apart
    former = {uid: meta["former_numbers"] for uid, meta in session.kept(LAW)["rules"].items() if meta["former_numbers"]}
    offices = {str(office): str(holder) for office, holder in (law.get("offices") or {}).items()}
    said = {part: game[part] for part in GOES_ON if game.get(part) is not None}  # type: ignore[literal-required]
    for name, spec in (game.get("lists") or {}).items():
        remember_list(spec["digest"], session.document(f"{LISTS}{name}/{spec['digest']}"))
    playing = {str(person["id"]) for person in people}
    named = [each for each in game.get("maintainers") or () if each in playing or ":" in each]
    return law | said | {
        "title": f"{_SEASON.sub('', game['title'])}, season {season_of(game) + 1}",
        "ruleset": game["ruleset"],
        "settings": dict(game["settings"]),
        "rules": [{**rule, **({"former_numbers": former[rule["uid"]]} if rule["uid"] in former else {})}
                  for rule in session.rules()],
        "players": people,
        "offices": {office: holder for office, holder in offices.items() if holder in playing},
        "offices_in_turn": [office for office, holder in offices.items() if holder not in playing],
        "opening": [each for said in law.get("opening") or () if (each := _still(said, session, playing))],
        "administrators": [who for who in game["administrators"] if who in playing],
        "follows": follows(session),
        **({"revision": game["first_revision"]} if "first_revision" in game else {}),
        **({"maintainers": named} if named else {}),
        **({"to_win": _to_win(session, game)} if "to_win" in game or "to_win" in began else {}),
    }  # fmt: skip


def follows(session: Session) -> Written:
    """Return which game comes before its next season, up to which entry, and which season that one is."""
    head = session.head
    season = season_of(session.kept(GAME)) + 1
    return {"game": session.record.name, "seq": head.seq, "digest": head.digest, "season": season}


def _still(said: Written, session: Session, playing: Collection[str]) -> Written | None:
    """Return an opening statement as far as there is still of what it speaks, None where nothing is left of it."""
    known = {"game", "player", "office", "rule", "thing", "kind"}
    kind = next((each for each in ("player", "game", "office", "rule", "kind", "thing") if each in said), "")
    people = [value for value in said.values() if isinstance(value, str) and value in session.kept(ROSTER)]
    rules = {number for rule in session.rules() for number in (rule["uid"], rule["rule"])}
    there: Mapping[str, Collection[str]] = {
        "player": playing, "rule": rules, "kind": session.declared("defines", "kinds")
    }  # fmt: skip
    if not kind or any(who not in playing for who in people) or (kind in there and said[kind] not in there[kind]):
        return None
    registers = {name for rule in session.rules() for _owner, name in declared_registers(rule)}
    left = {name: value for name, value in said.items() if name in known | BUILT_IN | registers}
    return left if left.keys() - known or kind == "kind" else None


def _to_win(session: Session, game: Mapping[str, Any]) -> str:
    """Return what wins, where the rule that it names is as it was when that was said; else nothing is known."""
    said = str(game.get("to_win") or "")
    rule = _RULE.search(said)
    metas = session.kept(LAW)["rules"].values()
    same = rule is None or any(m["number"] == rule[1] and m["in_force"] and m["seq"] <= 1 for m in metas)
    return said if same else ""


def prove_season(record: GameFolder, report: Report) -> None:
    """Hold what a game says of the one that it follows against that game, where it lies beside it."""
    said = record.kept(GAME).get("follows")
    if not said or not report.sound:
        return
    name, seq, number = said["game"], said["seq"], said["season"]
    before = GameFolder(record.path.parent / name)
    if not before.exists:
        report.facts.append(f"season {number}: it follows {name}, which does not lie here, so that this is not proved")
        return
    last = before.head.seq
    digest = before.head.digest if seq == last else before.entry(seq + 1)["prev"] if seq < last else ""
    if digest != said["digest"]:
        message = f"this is season {number} after entry {seq} of {name}, and that game has no such entry"
        report.blame("E-CHAIN", record, document_name(GAME), message, f"bring {name} as it was played")
        return
    law = {uid: before.kept(rule_key(uid)) for uid, meta in before.kept(LAW)["rules"].items() if meta["in_force"]}
    began = record.entry(1)["with"]["rules"]
    same = sum(_bare(rule) == law.get(rule["uid"]) for rule in began)
    rules = f"{same} of {len(began)} rules are those that hold there"
    report.facts.append(f"season {number}: it begins after entry {seq} of {name}; {rules}")


def _bare(rule: Written) -> Written:
    return {part: value for part, value in rule.items() if part != "former_numbers"}
