"""Founding a game: the ruleset, settings files and options, the people of a game, and its first entries."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from folkmoot.cli.check import refuse_broken
from folkmoot.cli.options import can_ask, pairs_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core import calendar
from folkmoot.core.keys import GAME
from folkmoot.core.limits import flaws_of
from folkmoot.core.portable_names import is_device, unportable
from folkmoot.core.problems import Problem, ProblemError, fail
from folkmoot.core.records import Founding, Written
from folkmoot.core.values import in_a_row
from folkmoot.core.versions import versions
from folkmoot.files.typed_words import read_word
from folkmoot.forges.git_transport import Git
from folkmoot.game import rulesets
from folkmoot.game.rulesets import founding_named, number_for
from folkmoot.game.session import Done, Session
from folkmoot.journal import GameFolder
from folkmoot.journal.layout import STATE
from folkmoot.scenarios.scenario import in_turn, law_of

EVENING = "lanterns"
"""The ruleset of who names none and cannot be asked: a game for an evening."""
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,38}")


def check_name(name: str) -> None:
    """Raise E-ARGS for what cannot name a game."""
    if not NAME.fullmatch(name) or is_device(name):
        what = f"{name!r} cannot name a game; use small letters, digits and -"
        raise fail("E-ARGS", what, None, "for instance dragons")


def chosen_players(terminal: Terminal, named: Sequence[Any]) -> Sequence[Any]:
    """Return the players of a game: those that are named, else those that somebody at the terminal names."""
    if named or not can_ask(terminal):
        return named
    return re.split(r"[\s,]+", click.prompt("Who plays? A short name each, as in ann bob cid", err=True).strip())


def chosen_ruleset(terminal: Terminal, named: str | None, beside: Path = Path()) -> tuple[str, Founding]:
    """Return a ruleset and what it founds a game with: the one that is named, else what somebody at the terminal says.

    Where nobody can be asked it is one for an evening. Raises every problem of a ruleset in a folder.
    """
    ruleset = named or EVENING
    if not named and can_ask(terminal):
        terminal.note("Which rules do you want to begin with? `moot new --help` says how to bring your own.")
        for name in rulesets.names():
            terminal.note(f"  {name.ljust(16)}  {rulesets.head_of(name).get('pitch', '')}".rstrip())
        choice = click.Choice(rulesets.names())
        ruleset = click.prompt("Ruleset", EVENING, type=choice, show_choices=False, err=True)
    refuse_broken(terminal, ruleset, beside)
    return ruleset, founding_named(ruleset, beside)


def founding(
    name: str,
    opening: Founding,
    players: Sequence[Any],
    *,
    title: str | None = None,
    zone: str | None = None,
    settings: Mapping[str, str] | None = None,
    administrators: Sequence[str] = (),
    offices: Mapping[str, str] | None = None,
    limits: Mapping[str, Any] | None = None,
    forge: str | None = None,
    closed: bool = False,
) -> dict[str, Any]:
    """Return what the first entry of a game's journal is to hold; raises E-ARGS without players, E-ZONE.

    `opening` is what the ruleset founds a game with.
    """
    people = {"players": addressed([person_of(player) for player in players])} if players else {}
    check_switches(opening["rules"], settings or {})
    settings = {**(opening.get("new_game") or {}), **(settings or {})}
    given = law_of({"ruleset": opening["ruleset"], "settings": settings, **people}, lambda _name: opening)
    if not given["players"]:
        raise fail("E-ARGS", "a game needs players", None, "name each, as in `-p ann -p bob -p cid`")
    ids = [person["id"] for person in given["players"]]
    require_players(filter(None, (offices or {}).values()), ids)
    holders = {**opening_offices(opening, given["opening"], ids), **(offices or {})}
    given["offices"] = {office: player for office, player in holders.items() if player}  # "" leaves one vacant
    calendar.zone(zone or given["zone"])
    return given | {
        "title": title or name.replace("-", " ").capitalize(),
        "zone": zone or given["zone"],
        "administrators": list(administrators) or [given["players"][0]["id"]],
        "engine": versions(),
        **({"forge": forge} if forge else {}),
        **({"limits": limits_of(limits)} if limits else {}),
        **({"joining": "closed"} if closed else {}),
    }


def found(
    root: Path, name: str, law: dict[str, Any], at: int, then: Callable[[Session, str], object] | None = None
) -> GameFolder:
    """Found a game in a repository and return it; `then` records what follows, by its first administrator.

    Raises E-REFUSED where its rules refuse that.
    """
    folder = root / STATE / name
    accepted(Session.found(folder, law, at, rulesets.texts_of_lists(law)))
    if then is not None:
        with Session.open(folder, writing=True) as session:
            then(session, law["administrators"][0])
    return GameFolder(folder)


def accepted(done: Done) -> Done:
    """Return what came of an act that must be accepted; raises E-REFUSED otherwise."""
    if not done.accepted:
        reasons = (r for r in done.entry.get("reasons", ()) if r["code"] == done.code)
        why = str(next((r.get("args", {}).get("why") for r in reasons), "") or done.code)
        what = "the game cannot be founded" if done.entry["do"] == "found" else f"{done.entry['do']} was refused"
        raise fail("E-REFUSED", f"{what}: {why}", None, "put it right, then run it again")
    return done


def addressed(people: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return people as they are; raises E-DUP where two have one e-mail address, by which each is known."""
    known: dict[str, str] = {}
    for person in people:
        mail, name = str(person.get("email") or "").lower(), str(person.get("id"))
        if mail and known.setdefault(mail, name) != name:
            hint = "players are known by it: give each their own"
            raise fail("E-DUP", f"{known[mail]} and {name} have the same address, {mail}", None, hint)
    return people


def limits_of(given: Mapping[str, Any]) -> dict[str, int]:
    """Return limit → value from words or numbers; raises E-BOUNDS with every problem."""
    read = {name: read_word(word) if isinstance(word, str) else word for name, word in given.items()}
    flaws = flaws_of(read)
    if flaws:
        raise ProblemError(*(Problem("E-BOUNDS", flaw) for flaw in flaws))
    return {name: int(value) for name, value in read.items()}


def tell_number(terminal: Terminal, ruleset: str, beside: Path, law: Mapping[str, Any]) -> None:
    """Say where a ruleset is for fewer or for more players than there are."""
    wanted, count = number_for(ruleset, beside), len(law["players"])
    least, most = wanted.get("least", 0), wanted.get("most", count)
    if not least <= count <= most:
        room = f"{least} to {most}" if "most" in wanted else f"{least} or more"
        title = founding_named(ruleset, beside)["title"]
        terminal.note(f"{title} is for {room} players, and there are {count}. Others can come in by `moot join`.")


def opening_offices(opening: Founding, given: Sequence[Written], players: Sequence[str]) -> dict[str, str]:
    """Return office → player to begin with, where nobody says otherwise.

    Those are the ruleset's own holders who play, and the players in turn in the offices that the ruleset leaves to them
    (`offices_in_turn`), unless somebody has one by an opening statement among `given`.

    >>> opening = {"offices": {"chair": "joel", "clerk": "bob"}, "offices_in_turn": ["chair", "dealer"]}
    >>> opening_offices(opening, [], ["ann", "bob"])
    {'chair': 'ann', 'dealer': 'bob', 'clerk': 'bob'}
    >>> opening_offices(opening, [{"office": "dealer", "holder": "bob"}], ["joel", "bob"])
    {'chair': 'joel', 'clerk': 'bob'}
    """
    stated = {statement["office"] for statement in given if "office" in statement and "holder" in statement}
    left = [office for office in opening.get("offices_in_turn") or () if office not in stated]
    stay = {office: holder for office, holder in opening["offices"].items() if holder in players}
    return {**in_turn(left, players), **stay}


def require_players(named: Iterable[str], players: Sequence[str]) -> None:
    """Raise E-ARGS for whoever is no player of a game."""
    for each in named:
        if each not in players:
            raise fail("E-ARGS", f"no player of that name: {each}", None, f"choose one of {in_a_row(players)}")


def person_of(text: Any) -> dict[str, Any]:
    """Return a player from `id,key=value,…`, or as a settings file has it; one without a surname goes by the id."""
    if isinstance(text, dict):
        return dict(text)
    identifier, *attributes = text.split(",")
    why = unportable(identifier)
    if why:
        hint = f"`-p ann,name={shlex.quote(identifier)}`: a short id, and beside it how somebody is called"
        raise fail("E-ARGS", f"{identifier!r} cannot be a player's id: {why}", None, hint)
    if attributes and not any("=" in each for each in attributes):
        raise click.UsageError(f"Each player has an option of their own: `-p {identifier} -p {attributes[0]}`.")
    pairs = pairs_of(attributes, "An attribute of a player")
    if "email" in pairs and not pairs["email"].strip("@").count("@"):
        hint = f"write {identifier},email={identifier}@example.org"
        raise fail("E-ARGS", f"{pairs['email']!r} is no e-mail address of {identifier}", None, hint)
    return {"id": identifier, "surname": identifier, **{key: read_word(word) for key, word in pairs.items()}}


def address_in(folder: Path) -> str:
    """Return the e-mail address that git has of the person in a folder, "" if none."""
    return (
        os.environ.get("GIT_AUTHOR_EMAIL") or Git(folder).ask(["config", "--get", "user.email"], allowed=(0, 1)).strip()
    )


def player_at(players: Sequence[Mapping[str, Any]], mail: str) -> str:
    """Return which player has an e-mail address, "" where none has.

    >>> player_at([{"id": "ann"}, {"id": "bob", "email": "Bob@x.org"}], "bob@X.org")
    'bob'
    """
    known = (str(player["id"]) for player in players if mail and str(player.get("email", "")).lower() == mail.lower())
    return next(known, "")


def administering(administrators: Sequence[str]) -> str:
    """Return the sentence that says who administers a game."""
    who = " and ".join(administrators)
    if len(administrators) == 1:
        return f"{who} administers the game: pauses, corrects, redacts."
    return f"{who} administer the game: pause, correct, redact."


def check_switches(rules: Sequence[Mapping[str, Any]], settings: Mapping[str, str]) -> None:
    """Raise E-NO-SUCH where rules declare no such switch, by its id or its plain name."""
    plain = {
        name: str(spec.get("name") or name) for rule in rules for name, spec in (rule.get("settings") or {}).items()
    }
    for name in settings:
        if name not in {*plain, *plain.values()}:
            hint = f"there are {in_a_row(sorted(plain.values()))}" if plain else "leave it out: they have none"
            raise fail("E-NO-SUCH", f"these rules have no switch {name!r}", None, hint)


def record_keys(session: Session, by: str, keys: Mapping[str, Sequence[str]], *, sealing: bool) -> None:
    """Record by which keys players sign, by player, and with `sealing` make and name a keeper's key."""
    for who, known in keys.items():
        for key in known:
            accepted(session.act(by, "add_key", {"player": who, "key": key}, at=session.at))
    if sealing:
        from folkmoot.game.keeper import make_keeper_key, named_key  # most games need none

        make_keeper_key(session.record)
        accepted(session.act(by, "open_sealing", named_key(session.record, session.kept(GAME)), at=session.at))
