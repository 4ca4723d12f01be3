"""`moot act`: do something in a game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from engine.cli.changes import changes_of
from engine.cli.options import at_option, commit_option, game_option, json_option, moment_of, pair_of
from engine.cli.outcomes import show_done
from engine.cli.terminal import Terminal
from engine.keeper import forget_secret, make_secret, read_secret
from engine.session import Session
from engine.text import read_action
from engine.text.words import read_typed_word

NAMED = re.compile(r"[A-Za-z]\w*=")


@click.command("act")
@click.argument("action", required=False)
@click.argument("words", nargs=-1, metavar="[ARGUMENT=VALUE]…")
@click.option("-b", "--by", metavar="PLAYER", help="Who acts.")
@click.option("--as", "as_", metavar="OFFICE", help="The office that is acted in.")
@click.option(
    "-r", "--rule", "rules", multiple=True, type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE", help="A rule file to propose: a new rule, or a changed copy of one in force.",
)  # fmt: skip
@click.option("--repeal", "repeals", multiple=True, metavar="NUMBER", help="A rule whose repeal to propose.")
@click.option("--transmute", "transmutes", multiple=True, metavar="NUMBER=STATUS", help="A rule to transmute.")
@click.option(
    "-f",
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Take the act from an action file.",
)
@game_option
@at_option
@commit_option
@json_option
@click.pass_obj
def command(terminal: Terminal, /, game: Path, at: str | None, commit: bool, **given: Any) -> int:
    """Do ACTION in a game as a player, and record what comes of it, accepted or refused.

    For instance:

    \b
      moot act propose --by ann title="A dragon" --rule dragon.yaml
      moot act vote --by bob proposal=301 choice=for
      moot act state --by bob "This rule is paradoxical."
      moot act judge --by eve --as judge ruling="It is legal." reasons="Rule 116."
    """  # noqa: D301 (the mark keeps lines apart in the help)
    with Session.open(game, writing=True) as session:
        act = with_secret(session, act_of(session, **given))
        done = session.act(act["by"], act["do"], act["with"], as_=act.get("as"), at=moment_of(at, session.at))
        if act["do"] == ("open_epoch" if not done.accepted else "close_epoch"):
            forget_secret(session.record)
        if commit:
            session.record.commit(f"{act['by']}: {act['do']}", at=session.at)
        return show_done(terminal, session, done)


def with_secret(session: Session, act: dict[str, Any]) -> dict[str, Any]:
    """Return an act with what only the keeper knows: a chance epoch is opened with a new secret and closed with it."""
    if act["do"] == "open_epoch" and not act["with"]:
        return {**act, "with": {"commitment": make_secret(session.record)}}
    if act["do"] == "close_epoch" and not act["with"]:
        committed = session.document("game")["chance"].get("commitment") or ""
        return {**act, "with": {"secret": (read_secret(session.record, committed) or b"").hex()}}
    return act


def act_of(
    session: Session,
    action: str | None,
    words: tuple[str, ...],
    by: str | None,
    as_: str | None,
    rules: tuple[Path, ...],
    repeals: tuple[str, ...],
    transmutes: tuple[str, ...],
    file: Path | None,
) -> dict[str, Any]:
    """Return the act that the command line or an action file describes."""
    act: dict[str, Any] = {"with": {}}
    if file:
        act |= read_action(file.read_text("utf-8"), str(file))
    act |= {key: value for key, value in {"do": action, "by": by, "as": as_}.items() if value}
    if not act.get("do") or not act.get("by"):
        raise click.UsageError("Say what to do and who does it: moot act ACTION --by PLAYER, or --file.")
    act["with"] = {**act["with"], **arguments_of(session, str(act["do"]), words)}
    changes = changes_of(session, rules, repeals, transmutes)
    if changes:
        act["with"]["changes"] = [*act["with"].get("changes", ()), *changes]
    return act


def arguments_of(session: Session, do: str, words: tuple[str, ...]) -> dict[str, Any]:
    """Return the arguments of an act from `name=value` words, each as its declared type; one bare word is its text."""
    declared = session.actions().get(do, {}).get("arguments") or {}
    if len(words) == 1 and not NAMED.match(words[0]):
        texts = [name for name, spec in declared.items() if spec.get("type") in ("text", "string")]
        if len(texts) == 1:
            return {texts[0]: words[0]}
    pairs = dict(pair_of(word, "An argument") for word in words)
    return {name: read_typed_word(word, declared.get(name, {}).get("type", "")) for name, word in pairs.items()}
