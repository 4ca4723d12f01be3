"""`moot act`: do something in a game."""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from folkmoot.cli.changes import changes_of
from folkmoot.cli.games import game_folder, repository_around
from folkmoot.cli.options import (
    FILE,
    at_option,
    commit_option,
    game_name_option,
    json_option,
    moment_of,
    pair_of,
    pull_number,
)
from folkmoot.cli.outcomes import show_done
from folkmoot.cli.pull_requests import open_pull
from folkmoot.cli.repositories import remote_option
from folkmoot.cli.sending import (
    addressed,
    is_met,
    next_step,
    people_of,
    played_game,
    remote_view_of,
    send,
    title_of,
    warn_stranger,
)
from folkmoot.cli.terminal import Exit, Terminal
from folkmoot.core.problems import Problem, ProblemError, fail
from folkmoot.files.read_text import read_file
from folkmoot.files.reader import read_action
from folkmoot.files.typed_words import read_typed_word
from folkmoot.forges.local import Letter
from folkmoot.game.epoch_secrets import confided, forget_secret, with_commitment
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from folkmoot.player.comment_lines import act_line
from folkmoot.player.proposing import Draft, act_text
from folkmoot.player.remote_view import RemoteView
from folkmoot.referee.commands import bare_argument, surplus
from folkmoot.referee.people import player_of
from folkmoot.referee.preview import check_changes

WHO = "Say what to do and who does it: moot act ACTION --by PLAYER, or --file."
COMMANDS = {
    "withdraw": "moot withdraw PULL",
    "propose": "moot propose",
    "vote": "moot vote PULL CHOICE",
    "join": "moot join",
    "comment": "moot comment",
    "preview": "moot preview PULL",
}
"""What is typed as an action where the rules know none of that name, and the command that does it."""
NAMED = re.compile(r"[A-Za-z]\w*=")


@click.command("act")
@click.argument("action", required=False)
@click.argument("words", nargs=-1, metavar="[ARGUMENT=VALUE]…")
@click.option("-b", "--by", metavar="PLAYER", help="Who acts, in a game that one person keeps.")
@click.option("--as", "as_", metavar="OFFICE", help="The office that is acted in.")
@click.option(
    "-r", "--rule", "rules", multiple=True, type=FILE,
    metavar="FILE", help="A rule file to propose: a new rule, or a changed copy of one in force.",
)  # fmt: skip
@click.option("--repeal", "repeals", multiple=True, metavar="NUMBER", help="A rule whose repeal to propose.")
@click.option("--transmute", "transmutes", multiple=True, metavar="NUMBER=STATUS", help="A rule to transmute.")
@click.option(
    "-f",
    "--file",
    type=FILE,
    help="Take the act from an action file.",
)
@click.option("--on", type=pull_number, metavar="PULL", help="Act by a comment on this pull request.")
@click.option("--pull", "by_pull", is_flag=True, help="Act by a pull request with an action file.")
@click.option("--anyway", is_flag=True, help="Record a proposal although its scripts or examples fail.")
@game_name_option
@remote_option
@at_option
@commit_option
@json_option
@click.pass_context
def command(context: click.Context, /, game: str | None, remote: str | None, **given: Any) -> int:
    """Do ACTION in a game.

    A game that one person keeps records it at once, accepted or refused; then --by says who acts:

    \b
      moot act propose --by ann title="A dragon" --rule dragon.yaml
      moot act vote --by bob proposal=301 choice=for
      moot act state --by bob "This rule is paradoxical."
      moot act judge --by eve --as judge ruling="It is legal." reasons="Rule 116."

    In a game that is played by pull requests you act yourself, by a comment on the game's own thread (or --on a pull
    request), or by a pull request (--pull):

    \b
      moot act state "This rule is paradoxical."
      moot act transfer to=bob amount=3
    """  # noqa: D301 (the mark keeps lines apart in the help)
    terminal = context.ensure_object(Terminal)
    on, by_pull, anyway = given.pop("on"), given.pop("by_pull"), given.pop("anyway")
    if remote is not None or is_met(terminal, game):
        _only(context, ("by", "at", "commit", "rules", "repeals", "transmutes"))
        kept = {name: given[name] for name in ("action", "words", "as_", "file")}
        return send_act(terminal, remote_view_of(terminal, remote), game, on, by_pull=by_pull, **kept)
    if on or by_pull:
        raise click.UsageError("This game is kept by one person, who records with --by; it knows no pull requests.")
    return record_act(terminal, game_folder(terminal, game), given.pop("at"), given.pop("commit"), anyway, **given)


UNFIT = {
    "by": "Acts come from whoever git says you are, so --by has no place in a game that is played by pull requests.",
    "at": "What arrives is stamped by the referee, so --at has no place in a game that is played by pull requests.",
    "commit": "Nothing is recorded here, so --no-commit has no place in a game that is played by pull requests.",
    "rules": "Rule-changes come by a pull request: `moot propose --rule FILE`.",
    "repeals": "Rule-changes come by a pull request: `moot propose --repeal NUMBER`.",
    "transmutes": "Rule-changes come by a pull request: `moot propose --transmute NUMBER=STATUS`.",
}


def _only(context: click.Context, unfit: tuple[str, ...]) -> None:
    """Refuse options that belong to games which one person keeps."""
    for name in unfit:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(UNFIT[name], context)


def record_act(terminal: Terminal, folder: Path, at: str | None, commit: bool, anyway: bool, **given: Any) -> int:
    """Record an act in a game that one person keeps, unless the rules that it proposes would not work."""
    if commit:
        GameFolder(folder).wait_until_committable()
    with Session.open(folder, writing=True) as session:
        act = act_of(session, **given)
        if not act.get("by"):
            raise click.UsageError(WHO)
        _check(terminal, session, given["rules"], anyway=anyway)
        asked = (session.record, session.document("game"), act["by"], act["do"], act["with"])
        args, secret = with_commitment(*asked), confided(*asked)
        moment = moment_of(at, session.at)
        done = session.act(act["by"], act["do"], args, as_=act.get("as"), at=moment, confided=secret)
        if done.accepted and act["do"] in ("close_epoch", "abandon_epoch"):
            forget_secret(session.record)
        code = show_done(terminal, session, done)
        if commit:  # what came of it is said first: a commit that fails undoes nothing
            session.record.commit(f"{act['by']}: {act['do']}", at=session.at)
            _tell_detached(terminal, folder)
        return code


def _tell_detached(terminal: Terminal, folder: Path) -> None:
    """Say where an entry was committed on no branch, because the next checkout of one would leave it behind."""
    repo = repository_around(folder)
    if repo is not None and repo.head_is_detached:
        terminal.note("Mind: no branch is checked out, so that this entry is on none: `git switch -c NAME` makes one.")


def _check(terminal: Terminal, session: Session, rules: tuple[Path, ...], *, anyway: bool) -> None:
    """Say what is wrong with scripts and examples of rule files; raises it unless they are to be proposed anyway."""
    changes = [(change, str(path)) for path in rules for change in changes_of(session, (path,), (), ())]
    found = check_changes(session.sandbox, session, changes)
    flaws = [problem for problem in found if problem.code.startswith("E-")]
    if flaws and not anyway:
        hint = "mend it, or record it all the same with --anyway: what does not load is law then, and does nothing"
        raise ProblemError(*found, Problem(flaws[0].code, "nothing was recorded", None, hint))
    if not terminal.json:
        terminal.problems(found)


def send_act(
    terminal: Terminal, view: RemoteView, game: str | None, on: int | None, *, by_pull: bool, **given: Any
) -> int:
    """Send an act to a game that is played by pull requests."""
    name = played_game(view.look(), game)
    pull = view.wanted(on) if on is not None else None
    if pull is not None and by_pull:
        raise click.UsageError("Act by a comment on a pull request (--on) or by one of your own (--pull), not by both.")
    with view.session(name) as session:
        act = act_of(session, **given)
        me = player_of(people_of(view, name), "local", view.person)
        if act.pop("by", me) not in (me, view.person.id):
            raise click.UsageError(UNFIT["by"])
        actions = session.actions()
    if act["do"] not in actions:
        near = get_close_matches(act["do"], list(actions), 1)
        meant = f"did you mean {near[0]}?" if near else "`moot status` lists the actions of the game"
        command = COMMANDS.get(act["do"])
        hint = f"that is a command of its own: `{command}`" if command else meant
        raise fail("E-NO-SUCH", f"there is no action {act['do']}", None, hint)
    if by_pull:
        return _send_pull(terminal, view, name, act)
    line = act_line(act["do"], act["with"], act.get("as"), actions)
    body = line if pull is not None else addressed(view, name, line)
    sent = send(view, Letter(pull=on or 0, kind="comment", body=body))
    terminal.record({"game": name, "pull": on or 0, "act": act, "line": line, "letter": sent})
    terminal.say(f"Sent to {title_of(pull) if pull else f'the thread of {name}'}: {line}")
    warn_stranger(terminal, view, name)
    terminal.say(next_step(view))
    return Exit.OK


def _send_pull(terminal: Terminal, view: RemoteView, game: str, act: dict[str, Any]) -> int:
    """Open a pull request with the file of an act."""
    draft = Draft(view.record(game))
    draft.act(act_text(act["do"], act["with"], act.get("as")), f"{act['do']}.yaml")
    made = draft.proposal(view)
    sent = open_pull(view, made)
    terminal.record({"game": game, **sent.record, "act": act, "head": made.commit})
    rest = " counts from then on" if sent.address else f": {made.title}"
    terminal.say(f"{sent.sentences}{rest}.")
    warn_stranger(terminal, view, game)
    terminal.say(next_step(view))
    return Exit.OK


def act_of(
    session: Session,
    action: str | None,
    words: tuple[str, ...],
    as_: str | None,
    file: Path | None,
    by: str | None = None,
    rules: tuple[Path, ...] = (),
    repeals: tuple[str, ...] = (),
    transmutes: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Return the act that the command line or an action file describes."""
    act: dict[str, Any] = {"with": {}}
    if file:
        act |= read_action(read_file(file), str(file))
    act |= {key: value for key, value in {"do": action, "by": by, "as": as_}.items() if value}
    if not act.get("do"):
        raise click.UsageError(WHO)
    act["with"] = {**act["with"], **arguments_of(session, str(act["do"]), words)}
    changes = changes_of(session, rules, repeals, transmutes)
    if changes:
        act["with"]["changes"] = [*act["with"].get("changes", ()), *changes]
    return act


def arguments_of(session: Session, do: str, words: tuple[str, ...]) -> dict[str, Any]:
    """Return the arguments of an act from `name=value` words, each as its declared type; one bare word is its text."""
    declared = session.actions().get(do, {}).get("arguments") or {}
    bare = bare_argument(declared)
    if len(words) == 1 and bare and not NAMED.match(words[0]):
        return {bare: words[0]}
    for word in words:
        if not NAMED.match(word) and do in session.actions():
            hint = f'\nWrite it as one: `moot act {do} "…"`.' if bare else ""
            raise click.UsageError(f"{surplus(do, word, declared)}.{hint}")
    pairs = dict(pair_of(word, "An argument") for word in words)
    return {name: read_typed_word(word, declared.get(name, {}).get("type", "")) for name, word in pairs.items()}
