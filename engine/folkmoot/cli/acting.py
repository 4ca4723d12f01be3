"""Doing things in a game: what is typed becomes acts, which are tried, and then sent or recorded."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from folkmoot.cli.changes_from_files import changes_of
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.games import game_folder, repository_around
from folkmoot.cli.machine_clock import believe_clock
from folkmoot.cli.options import BETWEEN, NEXT, moment_of, pairs_of, split_acts
from folkmoot.cli.outcomes import here_of, show_done
from folkmoot.cli.plain_words import plain
from folkmoot.cli.saying import How, Statement, say
from folkmoot.cli.sending import (
    addressed,
    played_game,
    player_here,
    pull_meant,
    remote_view_of,
    title_of,
)
from folkmoot.cli.terminal import Terminal
from folkmoot.cli.ways_of_play import is_met
from folkmoot.core.keys import GAME
from folkmoot.core.misspelt import meant_by
from folkmoot.core.problems import Problem, ProblemError, fail
from folkmoot.core.rule_blocks import ActionSpec, ArgumentSpec
from folkmoot.core.sealed_data import is_sealed, without_boxes
from folkmoot.core.values import is_digits
from folkmoot.files.named_files import read_file
from folkmoot.files.reader import read_action
from folkmoot.files.typed_words import read_typed_word
from folkmoot.forges.local.letters import Letter
from folkmoot.game.epoch_secrets import forget_secret, with_secrets
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from folkmoot.kernel.act_declarations import SET_CLOCK, VOTE
from folkmoot.kernel.arguments import argument_at_fault
from folkmoot.player.comment_lines import act_line
from folkmoot.player.proposing import Draft, Proposal, act_text
from folkmoot.player.remote_view import PullSeen, RemoteView
from folkmoot.player.sealing import require_sealed, seal_arguments
from folkmoot.referee.commands import Asked, bare_argument, surplus
from folkmoot.referee.dry_run import KEPT, UntriedError, copy_of
from folkmoot.referee.preview import check_changes
from folkmoot.referee.recorder import slip_in
from folkmoot.wording import sentences

__all__ = ["Sending", "is_met", "record_acts", "send_acts"]

WHO = (
    "Say what to do: `moot act ACTION`, or --file FILE; --by PLAYER where one person keeps the game. "
    "`moot act --list` lists the actions."
)
COMMANDS = {
    "withdraw": "moot withdraw PULL",
    "propose": "moot propose",
    "vote": "moot vote PULL CHOICE",
    "join": "moot join",
    "comment": "moot comment",
    "preview": "moot try PULL",
}
"""What is typed as an action where the rules know none of that name, and the command that does it."""
NAMED = re.compile(r"[A-Za-z]\w*=")
Act = dict[str, Any]


class Sending(How, frozen=True, kw_only=True):
    """How acts are sent: on a pull request, or by one; sealed, or not at all."""

    on: int | None = None
    by_pull: bool = False
    sealed: bool = False


# -- what is typed


def act_of(
    session: Session,
    action: str | None,
    words: tuple[str, ...],
    as_: str | None = None,
    file: Path | None = None,
    by: str | None = None,
    rules: tuple[Path, ...] = (),
    repeals: tuple[str, ...] = (),
    transmutes: tuple[str, ...] = (),
) -> Act:
    """Return the act that the command line or an action file describes."""
    act: Act = {"with": {}}
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


def acts_of(session: Session, action: str | None, words: Sequence[str], **first: Any) -> list[Act]:
    """Return all acts that the command line describes; what is given by options is of the `first`, but who acts."""
    typed = split_acts(action, words)
    acts = [act_of(session, *typed[0], **first)]
    return acts + [act_of(session, do, given, by=first.get("by")) for do, given in typed[1:]]


def arguments_of(session: Session, do: str, words: tuple[str, ...]) -> dict[str, Any]:
    """Return the arguments of an act from `name=value` words, each as its declared type; one bare word is its text."""
    declared = session.actions().get(do, {}).get("arguments") or {}
    bare = bare_argument(declared)
    if len(words) == 1 and bare and not NAMED.match(words[0]):
        return {bare: words[0]}
    for word in words:
        if not NAMED.match(word):
            check_action(session, do)
            if word == NEXT:
                raise click.UsageError(BETWEEN)
            raise click.UsageError(f"{surplus(do, word, declared)}.\n{_written_right(do, words, declared, bare)}")
    return {name: _value(name, word, declared) for name, word in pairs_of(words, "An argument").items()}


def _value(name: str, word: str, declared: Mapping[str, ArgumentSpec]) -> Any:
    """Return what a word means as an argument; what is wrong with it names the argument for programs."""
    try:
        return read_typed_word(word, declared.get(name, {}).get("type", ""))
    except ProblemError as error:
        raise ProblemError(*(replace(each, arguments={"argument": name}) for each in error.problems)) from None


def misspelt(do: str, slip: str, actions: Mapping[str, ActionSpec], hint: str) -> ProblemError:
    """Return the problem of an act that is misspelt, which names the argument for programs."""
    named = argument_at_fault((actions.get(do) or {}).get("arguments") or {}, slip)
    return ProblemError(Problem("E-ARGS", slip, None, hint, {"argument": named} if named else {}))


def _written_right(do: str, words: Sequence[str], declared: Mapping[str, ArgumentSpec], bare: str) -> str:
    """Return how arguments are written that somebody wrote otherwise."""
    if not declared:
        return f"Without more: `moot act {do}`."
    numbered = next((name for name, spec in declared.items() if spec.get("type") == "proposal"), "")
    if numbered and len(words) == 1 and is_digits(words[0]):
        return f"What may be meant: `moot act {do} {numbered}={words[0]}`."
    if any(spec.get("type") == "changes" for spec in declared.values()):
        return "`moot propose --rule FILE` opens a pull request with rule-changes."
    if words[0] == "=" and bare and len(words) > 1:
        return f"Without blanks around the sign: `moot act {do} {bare}={shlex.quote(' '.join(words[1:]))}`."
    if "=" in words:
        return f"Without blanks around the sign: `moot act {do} {shlex.join(words).replace(' = ', '=')}`."
    if bare:
        return f'Write it as one: `moot act {do} "…"`.'
    needed = next((name for name, spec in declared.items() if not spec.get("optional") and "default" not in spec), "")
    if len(words) == 1 and needed:
        return f"What may be meant: `moot act {do} {needed}={shlex.quote(words[0])}`."
    return f"`moot act {do} --help` shows examples."


# -- a game that is played by pull requests


def send_acts(terminal: Terminal, remote: str | None, game: str | None, how: Sending, **given: Any) -> int:
    """Send acts to a game that is played by pull requests, unless they would be refused."""
    view = remote_view_of(terminal, remote).look()
    name = played_game(view, game)
    pull = pull_meant(terminal, view, how.on) if how.on is not None else None
    if pull is not None and how.by_pull:
        raise click.UsageError("Act by a comment on a pull request (--on) or by one of your own (--pull), not by both.")
    with view.session(name) as session:
        acts = _own_acts(view, session, name, given, sealed=how.sealed)
        lines = [] if how.by_pull else [_line(act, session) for act in acts]
        made = _made(view, name, acts) if how.by_pull else None
        where = title_of(pull) if pull else f"the thread of {name}"
        statement = Statement(
            letters=[_letter(view, name, pull, lines)] if lines else [],
            made=made,
            what=made.title if made else "",
            record={"game": name, "pull": pull.number if pull else 0, "acts": acts, "line": "\n".join(lines)},
            sentences=[f"Sent to {where}: {without_boxes(line)}" for line in lines],
        )
        return say(terminal, view, [session], statement, how).code


def _own_acts(view: RemoteView, session: Session, game: str, given: dict[str, Any], *, sealed: bool) -> list[Act]:
    """Return the acts that somebody types for themselves; raises E-NO-SUCH for an action that is none."""
    acts = acts_of(session, given.pop("action"), given.pop("words"), **given)
    me = player_here(view, game)
    for act in acts:
        if act.pop("by", me) not in (me, view.person.id):
            hint = f"this clone is {me}'s: take `by` out of the file, or act in a clone of theirs"
            raise fail("E-CONFLICT", "you act, and nobody else", None, hint if me else "take `by` out of the file")
        check_action(session, str(act["do"]))
        act["with"] = _sealed(session, me or view.person.id, act, required=sealed)
    return acts


def _sealed(session: Session, by: str, act: Act, *, required: bool) -> dict[str, Any]:
    """Return the arguments of an act as they are sent: sealed where the law says so, which may be `required`."""
    actions, do = session.actions(), str(act["do"])
    declared = (actions.get(do) or {}).get("arguments") or {}
    clear = act["with"] if any(map(is_sealed, declared.values())) else {}
    slip = slip_in(Asked(do, clear), actions)  # nobody else can say so when it is sealed, and what is misspelt is not
    if slip:
        raise misspelt(do, slip, actions, f"nothing was sent; `moot act {do} --help` shows what it takes")
    found = seal_arguments(session, by, do, act["with"])
    if required:
        require_sealed(found, do)
    return found


def check_action(session: Session, do: str) -> None:
    """Raise E-NO-SUCH for an action that the game does not have, naming the one that may be meant."""
    actions = session.actions()
    if do in actions:
        return
    near = meant_by(do, actions) or meant_by(do.lower(), actions)
    meant = f"did you mean {near}?" if near else "`moot act --list` lists the actions of the game"
    command = COMMANDS.get(do)
    hint = f"that is a command of its own: `{command}`" if command else meant
    raise fail("E-NO-SUCH", f"there is no action {do}", None, hint)


def _line(act: Act, session: Session) -> str:
    return act_line(act["do"], act["with"], act.get("as"), session.actions())


def _letter(view: RemoteView, game: str, pull: PullSeen | None, lines: Sequence[str]) -> Letter:
    """Return the comment that holds acts, in their order."""
    body = "\n".join(lines)
    return Letter(pull=pull.number if pull else 0, kind="comment", body=body if pull else addressed(view, game, body))


def _made(view: RemoteView, game: str, acts: Sequence[Act]) -> Proposal:
    """Return the commit that holds the files of acts."""
    draft = Draft(view.record(game))
    for act in acts:
        draft.act(act_text(act["do"], act["with"], act.get("as")), f"{act['do']}.yaml")
    return draft.proposal(view)


# -- a game that one person keeps


def record_acts(
    terminal: Terminal,
    game: str | None,
    *,
    at: str | None,
    commit: bool,
    anyway: bool,
    dry_run: bool,
    sealed: bool,
    trust_clock: bool,
    **given: Any,
) -> int:
    """Record acts in a game that one person keeps, up to the first that is refused; none that would not work as law."""
    folder = game_folder(terminal, game)
    if commit and not dry_run:
        GameFolder(folder).wait_until_committable()
    with Session.open(folder, writing=not dry_run) as session:
        if at is None:
            believe_clock(terminal, session, insisted=trust_clock)
        acts = acts_of(session, given.pop("action"), given.pop("words"), **given)
        if not acts[0].get("by"):
            raise click.UsageError(WHO)
        for act in acts:
            act["with"] = _sealed(session, str(act.get("by")), act, required=sealed)
            _check_form(session, act, at, anyway=anyway)
        _check(terminal, session, given["rules"], anyway=anyway)
        if dry_run and any(act["do"] in KEPT for act in acts):
            raise UntriedError("this can only be done, not tried")
        playing = copy_of(session) if dry_run else session
        code: int = Exit.OK
        for place, act in enumerate(acts):
            code = _record(terminal, playing, act, at, commit=commit and not dry_run)
            if code != Exit.OK:
                _tell_left(terminal, acts[place + 1 :])
                break
        if dry_run:
            terminal.note("Nothing was recorded: this was a dry run.")
        elif commit:
            _tell_detached(terminal, folder)
        return code


def _check_form(session: Session, act: Act, at: str | None, *, anyway: bool) -> None:
    """Raise E-NO-SUCH or E-ARGS for a misspelt act, unless it is to be recorded anyway: a record is for ever."""
    if anyway:
        return
    check_action(session, str(act["do"]))
    slip = slip_in(Asked(act["do"], act["with"], act.get("as")), session.actions()) or _refused_form(session, act, at)
    if slip:
        hint = f"nothing was recorded; `moot act {act['do']} --help` shows what it takes, --anyway records it"
        raise misspelt(str(act["do"]), slip, session.actions(), hint)


def _refused_form(session: Session, act: Act, at: str | None) -> str:
    """Return why an act would be refused for what it is made of, "" where it would not, or a timer comes before it."""
    moment = max(moment_of(at, session.at), session.at)
    if act["do"] in KEPT or session.is_due(moment):
        return ""
    given, secret = with_secrets(session.record, session.kept(GAME), act["by"], act["do"], act["with"])
    outcome = session.would(act["by"], act["do"], given | secret, at=moment)
    said = [sentences.refusal(here_of(session), each) for each in outcome.reasons if each["code"] == outcome.code]
    of_form = ("E-ARGS", "E-NO-SUCH") if act["do"] == VOTE else ("E-ARGS",)  # a number of nothing is a slip, too
    return plain(said[0]) if outcome.code in of_form and said else ""


def _record(terminal: Terminal, session: Session, act: Act, at: str | None, *, commit: bool) -> int:
    """Record one act, and say what came of it."""
    args, secret = with_secrets(session.record, session.kept(GAME), act["by"], act["do"], act["with"])
    moment = int(time.time()) if act["do"] == SET_CLOCK and at is None else moment_of(at, session.at)
    done = session.act(act["by"], act["do"], args, as_=act.get("as"), at=moment, confided=secret)
    if done.accepted and act["do"] in ("close_epoch", "abandon_epoch"):
        forget_secret(session.record)
    code = show_done(terminal, session, done)
    if commit:  # what came of it is said first: a commit that fails undoes nothing
        session.record.commit(f"{act['by']}: {act['do']}", at=session.at)
    return code


def _tell_left(terminal: Terminal, acts: Sequence[Act]) -> None:
    if acts:
        terminal.note(f"Not done, because it comes after that: {', '.join(str(act['do']) for act in acts)}.")


def _tell_detached(terminal: Terminal, folder: Path) -> None:
    """Say where an entry was committed on no branch, because the next checkout of one would leave it behind."""
    repo = repository_around(folder)
    if repo is not None and repo.head_is_detached:
        terminal.note("Mind: no branch is checked out, so that this entry is on none: `git switch -c NAME` makes one.")


def _check(terminal: Terminal, session: Session, rules: tuple[Path, ...], *, anyway: bool) -> None:
    """Say what is wrong with scripts and examples of rule files; raises it unless they are to be proposed anyway."""
    changes = [(change, str(path)) for path in rules for change in changes_of(session, (path,), (), ())]
    found = check_changes(session.sandbox, session, changes) if changes else []
    flaws = [problem for problem in found if problem.code.startswith("E-")]
    if flaws and not anyway:
        hint = "mend it, or record it all the same with --anyway: what does not load is law then, and does nothing"
        raise ProblemError(*found, Problem(flaws[0].code, "nothing was recorded", None, hint))
    if not terminal.json:
        terminal.problems(found)
