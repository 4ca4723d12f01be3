"""`moot act`: what is typed becomes acts, which are tried, and then sent or recorded; and which acts there are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource
from msgspec.structs import replace

from folkmoot.cli.clones import believe_clock, looked_at
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.games import game_folder, is_met
from folkmoot.cli.options import pair_of, pairs_of, split_acts
from folkmoot.cli.outcomes import here_of, shown_entries
from folkmoot.cli.saying import Act, How, Keeping, Statement, say
from folkmoot.cli.sending import played_game, player_here, remote_view_of, title_of, to_thread
from folkmoot.cli.terminal import Terminal, without_escapes
from folkmoot.core.calendar import write_moment
from folkmoot.core.documents import RuleDocument
from folkmoot.core.keys import GAME
from folkmoot.core.misspelt import meant_by
from folkmoot.core.problems import Position, Problem, ProblemError, fail
from folkmoot.core.records import ProposedChange, Written
from folkmoot.core.sealed_data import is_sealed, read_box, without_boxes
from folkmoot.files.named_files import read_bytes, read_file
from folkmoot.files.proposed_changes import changes_between
from folkmoot.files.reader import locate, read_acts, read_rule, rule_of
from folkmoot.files.typed_words import read_typed_word
from folkmoot.forges.local.letters import Letter
from folkmoot.game.actions import ADMINISTRATORS, TOPICS, Action, action_of, actions_for, administrates, example, usage
from folkmoot.game.recipes import fitted
from folkmoot.game.recipes import names as recipe_names
from folkmoot.game.recipes import recipe as recipe_named
from folkmoot.game.session import Asked as ActToJudge
from folkmoot.game.session import Done, Session
from folkmoot.game.status import choices_of, undecided
from folkmoot.journal import GameFolder
from folkmoot.journal.git_library import pygit2
from folkmoot.kernel.act_declarations import VOTE, doers
from folkmoot.kernel.arguments import argument_at_fault
from folkmoot.kernel.ballot_words import in_law_words
from folkmoot.player import present_time
from folkmoot.player.argument_values import known_values
from folkmoot.player.sealing import seal_arguments
from folkmoot.player.voting import act_line
from folkmoot.referee.commands import Asked, bare_argument, surplus
from folkmoot.referee.content import Content
from folkmoot.referee.dry_run import KEPT
from folkmoot.referee.preview import check_changes
from folkmoot.referee.recorder import slip_in
from folkmoot.wording.law_sentence import quotation

WHO = (
    "Say what to do: `moot act ACTION`; --by PLAYER where one person keeps the game. "
    "`moot act --list` lists the actions."
)
NAMED = re.compile(r"[A-Za-z]\w*=")
T = TypeVar("T")
UNDONE = "Nothing was recorded: this was a dry run."
Filed = Sequence[tuple[ProposedChange, str]]
"""Changes of rules that files hold, each with the name of its file."""


class Sending(How, frozen=True, kw_only=True):
    """How acts are sent: on a pull request; sealed, or not at all."""

    on: int | None = None
    sealed: bool = False


# -- what is typed


def acts_of(
    session: Session,
    action: str | None,
    words: Sequence[str],
    *,
    by: str | None = None,
    as_: str | None = None,
    rules: Filed = (),
    repeals: tuple[str, ...] = (),
    transmutes: tuple[str, ...] = (),
) -> list[Act]:
    """Return all acts that the command line describes; what is given by options is of the first, but who acts.

    What travels with a proposal goes with the act before it.
    """
    acts: list[Act] = []
    for do, given in split_acts(action, words):
        if not do:
            raise click.UsageError(WHO)
        args = arguments_of(session, do, given)
        if acts and session.actions().get(do, {}).get("travels") == "with_proposal":
            acts[-1]["with"].setdefault("requests", []).append({do: args})
        else:
            acts.append({"do": do, "with": args, **({"by": by} if by else {})})
    if changes := changes_of(session, rules, repeals, transmutes):
        acts[0]["with"]["changes"] = [*acts[0]["with"].get("changes", ()), *changes]
    return [{**acts[0], "as": as_}, *acts[1:]] if as_ else acts


def arguments_of(session: Session, do: str, words: tuple[str, ...]) -> dict[str, Any]:
    """Return the arguments of an act from `name=value` words, each as its declared type; one bare word is its text."""
    declared = session.actions().get(do, {}).get("arguments") or {}
    bare = bare_argument(declared)
    if len(words) == 1 and bare and not NAMED.match(words[0]):
        return {bare: words[0]}
    for word in words:
        if not NAMED.match(word):
            check_action(session, do)
            how = f'Write it as one: `moot act {do} "…"`.' if bare else f"`moot act {do} --help` shows examples."
            raise click.UsageError(f"{surplus(do, word, declared)}.\n{how}")
    found = {}
    for name, word in pairs_of(words, "An argument").items():
        try:
            found[name] = read_typed_word(word, declared.get(name, {}).get("type", ""))
        except ProblemError as error:
            raise ProblemError(*(replace(each, arguments={"argument": name}) for each in error.problems)) from None
    return found


# -- a game that is played by pull requests


def send_acts(terminal: Terminal, remote: str | None, game: str | None, how: Sending, **given: Any) -> int:
    """Send acts to a game that is played by pull requests, unless they would be refused."""
    view = remote_view_of(terminal, remote).look()
    name = played_game(view, game)
    pull = view.wanted(how.on) if how.on is not None else None
    with view.session(name) as session:
        acts, me = acts_of(session, given.pop("action"), given.pop("words"), **given), player_here(view, name)
        for act in acts:
            check_action(session, act["do"])
            act["with"] = _sealed(session, me or view.person.id, act, required=how.sealed)
        lines = [act_line(act["do"], act["with"], act.get("as"), session.actions()) for act in acts]
        body, where = "\n".join(lines), title_of(pull) if pull else f"the thread of {name}"
        statement = Statement(
            letters=[Letter(pull=pull.number, kind="comment", body=body) if pull else to_thread(view, name, body)],
            record={"game": name, "pull": pull.number if pull else 0, "acts": acts, "line": body},
            sentences=[f"Sent to {where}: {without_boxes(line)}" for line in lines],
        )
        return say(terminal, view, [session], statement, how).code


def _sealed(session: Session, by: str, act: Act, *, required: bool) -> dict[str, Any]:
    """Return the arguments of an act as they are sent: sealed where the law says so, which may be `required`."""
    actions, do = session.actions(), str(act["do"])
    declared = (actions.get(do) or {}).get("arguments") or {}
    clear = act["with"] if any(map(is_sealed, declared.values())) else {}
    slip = slip_in(Asked(do, clear), actions)  # nobody else can say so when it is sealed, and what is misspelt is not
    if slip:
        named, hint = argument_at_fault(declared, slip), f"nothing was sent; `moot act {do} --help` shows what it takes"
        raise ProblemError(Problem("E-ARGS", slip, None, hint, {"argument": named} if named else {}))
    found = seal_arguments(session, by, do, act["with"])
    if required and not any(read_box(value) for value in found.values()):
        hint = "nothing was sent; without --sealed it goes in clear, for everybody to read"
        raise fail("E-SEALED", f"the law takes nothing of {do} sealed", None, hint)
    return found


def check_action(session: Session, do: str) -> None:
    """Raise E-NO-SUCH for an action that the game does not have, naming the one that may be meant."""
    actions = session.actions()
    if do in actions:
        return
    near = meant_by(do.lower(), actions)
    hint = f"did you mean {near}?" if near else "`moot act --list` lists the actions of the game"
    raise fail("E-NO-SUCH", f"there is no action {do}", None, hint)


def tell_recipes(terminal: Terminal) -> int:
    """List the rules that a proposal may begin with."""
    found = [recipe_named(name) for name in recipe_names()]
    terminal.record({"recipes": [{"name": each.name, "summary": each.summary} for each in found]})
    terminal.table(("Recipe", "What it is for"), [(each.name, each.summary) for each in found])
    kept = "who keeps a game has one proposed by `moot act propose --by PLAYER --from RECIPE`"
    terminal.say(f"Next: `moot propose --from RECIPE` opens one in your editor; {kept}.")
    return Exit.OK


# -- a game that one person keeps


def record_acts(
    terminal: Terminal,
    game: str | None,
    *,
    at: str | None,
    commit: bool,
    sealed: bool,
    trust_clock: bool,
    anyway: bool,
    dry_run: bool,
    **given: Any,
) -> int:
    """Record acts in a game that one person keeps, unless they would be refused, or would not work as law."""
    folder = game_folder(terminal, game)
    if commit and not dry_run:
        GameFolder(folder).wait_until_committable()
    with Session.open(folder, writing=not dry_run) as session:
        if at is None:
            believe_clock(terminal, session, insisted=trust_clock)
        given["rules"] = filed_changes(session, given["rules"], given.pop("recipe"))
        acts = acts_of(session, given.pop("action"), given.pop("words"), **given)
        if not acts[0].get("by"):
            raise click.UsageError(WHO)
        for act in acts:
            check_action(session, act["do"])
            act["with"] = _sealed(session, act["by"], act, required=sealed)
            if act["do"] == VOTE and isinstance(choice := act["with"].get("choice"), str):
                act["with"] = {**act["with"], "choice": in_law_words(choice, choices_open(session))}
        _check(terminal, session, given["rules"], anyway=anyway)
        how = How(anyway=anyway, dry_run=dry_run)
        return say(terminal, Keeping(at=at, commit=commit), [session], Statement(acts=acts), how).code


def _check(terminal: Terminal, session: Session, rules: Filed, *, anyway: bool) -> None:
    """Say what is wrong with scripts and examples of rule files; raises it unless they are to be proposed anyway."""
    found = check_changes(session.sandbox, session, list(rules)) if rules else []
    flaws = [problem for problem in found if problem.code.startswith("E-")]
    if flaws and not anyway:
        hint = "mend it, or record it all the same with --anyway: what does not load is law then, and does nothing"
        raise ProblemError(*found, Problem(flaws[0].code, "nothing was recorded", None, hint))
    if not terminal.json:
        terminal.problems(found)


# -- rule-changes that are given by files and options


def filed_changes(session: Session, files: Sequence[Path], recipe: str | None = None) -> Filed:
    """Return the changes that rule files stand for, and a recipe of the cookbook as it fits the game."""
    texts = [(read_file(path), str(path)) for path in files]
    texts += [(fitted(recipe_named(recipe).rule, session.rules()), f"{recipe}.yaml")] if recipe else []
    return [(change, file) for text, file in texts for change in changes_in(session, text, file)]


def changes_of(
    session: Session, rules: Filed, repeals: tuple[str, ...], transmutes: tuple[str, ...] = ()
) -> list[ProposedChange]:
    """Return the changes that rules, repeals and transmutations (`203=immutable`) stand for."""
    found = [change for change, _file in rules] + [{"repeal": number} for number in repeals]
    law = [*session.rules()]
    pairs = [checked_status(law, *pair_of(word, "A transmutation")) for word in transmutes]
    return found + [{"transmute": number, "to": status} for number, status in pairs]


def checked_status(rules: Iterable[ProposedChange | RuleDocument], number: str, status: str) -> tuple[str, str]:
    """Return a transmutation to a status that some rule has; raises E-ARGS for any other word."""
    number, status = number.strip(), status.strip()
    known = sorted({str((rule.get("labels") or {}).get("status")) for rule in rules} - {"None"})
    if status in known or not known:
        return number, status
    hint = "a new status comes by a rule's file, which --rule names"
    raise fail("E-ARGS", f"no rule here has the status {status!r}; they are {' or '.join(known)}", None, hint)


def changes_in(session: Session, text: str, file: str) -> list[ProposedChange]:
    """Return the changes that the text of a rule file stands for, with that text, so that its comments live.

    A file without `uid` enacts; one with the `uid` of a rule in force amends, transmutes or retitles it. Raises every
    problem of the file, and E-TARGET where it changes nothing or a rule that is not in force.
    """
    proposed = read_rule(text, file)
    uid, _number = proposed.pop("uid", None), proposed.pop("rule", None)
    if uid is None:
        return [{"enact": {**proposed, "source": text}}]
    present = session.documents.get(f"rules/{uid}")
    if present is None:
        message = f"no rule with the uid {uid} is in force"
        raise fail("E-TARGET", message, Position(file), "leave `rule` and `uid` out of a new rule's file")
    found = changes_between(str(uid), rule_of(present), proposed, text)
    if not found:
        message = f"this is rule {uid} as it is in force"
        raise fail("E-TARGET", message, Position(file), "change something in the file")
    return found


def as_given(repo: pygit2.Repository, commit: str, content: Content, files: Sequence[Path]) -> Content:
    """Return a commit's content with the files that were given in place of those they became, to speak of them."""
    tree, given = repo[commit].peel(pygit2.Tree), {read_bytes(path): str(path) for path in files}
    there = {path: tree[path] for game in content.games for path in game.files if path in tree}
    names = {path: given.get(blob.data, path) for path, blob in there.items() if isinstance(blob, pygit2.Blob)}
    games = (replace(game, files=tuple(names.get(path, path) for path in game.files)) for game in content.games)
    return replace(content, games=tuple(games))


# -- many acts of a file at once: in one process, under one lock, with one commit; all of them, or none

NOT_ENTERED = "nothing was entered; mend it, or record it as refused by --anyway"


def enter_acts(
    terminal: Terminal, game: str | None, text: str, file: str, *,
    by: str | None, at: str | None, commit: bool, anyway: bool, dry_run: bool,
) -> int:  # fmt: skip
    """Enter the acts of a file in a game that one person keeps: `by` acts where one names nobody, the first `at`."""
    folder, acts, begun = game_folder(terminal, game), read_acts(text, file), [0]
    if commit and not dry_run:
        GameFolder(folder).wait_until_committable()
    with Session.open(folder, writing=not dry_run) as session:
        if acts and at:
            acts[0]["at"] = at
        try:
            known = [_asked(session, act, by) for act in _noted(acts, begun)]
            with terminal.progress("entering", len(acts)) as step:
                done = session.act_all(_noted(known, begun), keep=not dry_run, refusals=anyway, progress=step)
        except ProblemError as error:
            place = locate(text, file, ["acts", begun[0]])
            each = (replace(each, position=place, hint=each.hint or NOT_ENTERED) for each in error.problems)
            raise ProblemError(*each) from None
        if done and not done[-1].accepted and not anyway:
            last, place = done[-1].entry, locate(text, file, ["acts", begun[0]])
            whys = (str((reason.get("args") or {}).get("why", "")) for reason in last.get("reasons") or ())
            why = next(filter(None, whys), "the act is refused")
            problem = Problem(done[-1].code, f"{last['do']} is refused: {why}", place, NOT_ENTERED)
            terminal.record({"acts": 0, "dry_run": dry_run, "problems": [problem.as_record()]})
            if not terminal.json:
                terminal.problems([problem])
            return Exit.REFUSED
        if commit and not dry_run and done:
            session.record.commit(f"Enter {len(done):,} acts", at=session.at)
        _tell_entered(terminal, session, done, dry_run=dry_run)
    return Exit.OK


def _noted(acts: Iterable[T], begun: list[int]) -> Iterator[T]:
    """Yield acts one after another, and note the place of each as it is begun."""
    for begun[0], act in enumerate(acts):
        yield act


def _asked(session: Session, act: Written, by: str | None) -> ActToJudge:
    """Return an act as it is judged; raises what is wrong with its form."""
    do, who = str(act["do"]), act.get("by") or by
    if not who:
        raise fail("E-MISSING", "nobody acts here", None, "add `by:` with a player, or say --by PLAYER")
    declared = (session.actions().get(do) or {}).get("arguments") or {}
    if do in KEPT or any(is_sealed(declared.get(name, {})) for name in act["with"]):
        raise fail("E-CONFLICT", f"{do} can only be done by itself", None, "use `moot act` without a file for it")
    check_action(session, do)
    return ActToJudge(by=who, do=do, with_=act["with"], as_=act.get("as"), at=act["at"])


def _tell_entered(terminal: Terminal, session: Session, done: Sequence[Done], *, dry_run: bool) -> None:
    entries = [entry for each in done for entry in (*each.before, each.entry)]
    refused = sum(not each.accepted for each in done)
    record = {"acts": len(done), "refused": refused, "dry_run": dry_run, "entries": len(entries)}
    ends = [entries[0], entries[-1]] if entries else []
    terminal.record(record | dict(zip(("first", "last"), shown_entries(ends, here_of(session, ends)), strict=False)))
    left = f", {refused:,} of them refused" if refused else ""
    span = f", up to {write_moment(session.at)}" if done else ""
    terminal.say(f"{len(done):,} acts entered{left}{span}: {len(entries):,} entries with the timers before them.")
    if dry_run:
        terminal.note(UNDONE)


# -- which actions there are for somebody, and what one of them takes

MOST_VALUES = 12  # of one argument that are shown


def list_actions(terminal: Terminal, game: str | None, remote: str | None, by: str | None) -> int:
    """List by topic what somebody may do now, and why not the rest; and what administrators may."""
    with looked_at(terminal, game, remote, offline=False) as (view, session):
        player = by or (player_here(view, session.record.name) if view else None)
        found = list(actions_for(session, player, max(present_time.present(), session.at)))
        boss = administrates(session, player)
        terminal.record({"player": player, "administrator": boss, "actions": [record_of(action) for action in found]})
        theirs = [action for action in found if action.group == "administrators"]
        for topic, actions in groupby((action for action in found if action not in theirs), attrgetter("topic")):
            _list(terminal, topic, list(actions))
        if boss:
            _list(terminal, ADMINISTRATORS, theirs)
        else:
            terminal.heading(f"For administrators there are {len(theirs)} more, as `moot explain action NAME` shows:")
            terminal.wrapped(", ".join(action.name for action in theirs), 2, 0)
        who = "" if player else "`--by PLAYER` says what somebody may do now; "
        terminal.say(f"{who}`moot act NAME --help` shows what one of them takes.")
    return Exit.OK


def _list(terminal: Terminal, topic: str, actions: Sequence[Action]) -> None:
    """Print the actions of a topic: what may be done, each with what it does; then what not, by why not."""
    terminal.heading(topic if topic in TOPICS else f"Topic {quotation(topic)}")
    may = [action for action in actions if action.group != "not"]
    width = min(24, max((len(action.name) for action in may), default=0))
    for action in may:
        office = action.declared.get("as") if action.group == "players" else None
        whose = f" (for the office of {office})" if office else ""
        where = " (with a proposal)" if action.group == "proposal" else ""
        about = f"{_summary(action)}{whose}{where}{f'; {action.why}' if action.why else ''}"
        terminal.wrapped(f"{action.name.ljust(width)}  {without_escapes(about)}".rstrip(), 2, width + 2)
    refused: dict[str, list[str]] = {}
    for action in (action for action in actions if action.group == "not"):
        refused.setdefault(action.why.rstrip("."), []).append(action.name)
    for why, names in refused.items():
        terminal.wrapped(click.style(f"not now: {', '.join(names)} ({without_escapes(why)})", dim=True), 2, 2)


def _summary(action: Action) -> str:
    """Return what an action does, in the words of the rule that offers it or in the engine's own."""
    return quotation(action.summary) if action.rule and action.summary else action.summary


def show_action(terminal: Terminal, name: str | None, game: str | None, remote: str | None) -> int:
    """Show what an action takes, by which rule, and how it is typed; without a name, what the command takes."""
    if name is None:
        context = click.get_current_context()
        click.echo(context.get_help(), color=context.color)
        return Exit.OK
    with looked_at(terminal, game, remote, offline=False) as (_view, session):
        check_action(session, name)
        tell_action(terminal, session, action_of(session, name))
    return Exit.OK


def tell_action(terminal: Terminal, session: Session, action: Action) -> None:
    """Print an action: what it does, who may, its arguments with their values, an example, and its rule."""
    from folkmoot.site.action_lines import argument_words  # how the site says it, which other commands need not

    known = values_in(session, action)
    terminal.record(record_of(action) | {"values": known, "example": example(action, known)})
    terminal.heading(f"{action.name}{f': {_summary(action)}' if action.summary else ''}")
    terminal.say(f"  {usage(action)}")
    if any((spec or {}).get("type") == "changes" for spec in action.arguments.values()):
        how = "propose --do" if session.kept(GAME).get("forge") else "act"
        terminal.say(f"With changes of rules: `moot {how} {action.name} --rule FILE`, or --repeal NUMBER.")
    if action.declared.get("travels") == "with_proposal":
        terminal.say(f"It travels with a proposal: `+ {action.name} …` behind that, or `moot propose --with FILE`.")
    if office := action.declared.get("as"):
        terminal.say(f"For the holder of the office {office}, now {session.offices().get(office) or 'nobody'}.")
    for argument, spec in action.arguments.items():
        said = argument_words(spec or {}) or str((spec or {}).get("type") or "text")
        terminal.say(f"  {argument}: {without_escapes(said)}")
        values = [] if (spec or {}).get("of") else known.get(argument) or []
        if values:
            more = f" … ({len(values)} in all)" if len(values) > MOST_VALUES else ""
            terminal.say(f"      now: {', '.join(values[:MOST_VALUES])}{more}")
    found = example(action, known)
    if found.replace("'…'", "…") != usage(action):  # else it says no more than the line above
        terminal.say(f"For instance: {found}")
    rule = f"Rule {action.rule} offers it: `moot explain rule {action.rule}`."
    terminal.say(rule if action.rule else "It is there in every game.")


def values_in(session: Session, action: Action) -> dict[str, list[str]]:
    """Return the values that the arguments of an action may have now, where they are few."""
    found = {name: known_values(spec or {}, session.documents) for name, spec in action.arguments.items()}
    if action.name == VOTE:
        found["choice"] = choices_open(session)
    return {name: values for name, values in found.items() if values}


def choices_open(session: Session) -> list[str]:
    """Return the choices of the votes that are open, each once; none where no vote is open or any word may be one."""
    open_ = (str(proposal["id"]) for proposal in undecided(session) if proposal["state"] == "open")
    return list(dict.fromkeys(choice for identifier in open_ for choice in choices_of(session, identifier)))


def record_of(action: Action) -> dict[str, Any]:
    """Return an action for programs."""
    return {
        "name": action.name, "summary": action.summary, "topic": action.topic, "group": action.group, "why": action.why,
        "rule": action.rule, "arguments": dict(action.arguments), "who": doers(action.declared),
        "as": action.declared.get("as"), "usage": usage(action),
    }  # fmt: skip


# -- what is typed after `moot act`

ONLY_KEPT = (
    "In a game that is played by pull requests you act yourself, and the referee stamps it: --by, --at, --no-commit "
    "and --trust-clock have no place there, and rule-changes come by `moot propose`."
)
OF_KEPT = "A file of acts goes into a game that one person keeps, with --by, --at, --anyway and --dry-run alone."
UNFIT = {"by", "at", "commit", "trust_clock", "rules", "recipe", "repeals", "transmutes"}
"""What belongs to games that one person keeps."""
OF_FILE = {"file", "by", "at", "commit", "anyway", "dry_run", "game"}
"""What goes with a file of acts."""


def run_act(
    terminal: Terminal, /, game: str | None, remote: str | None, helping: bool, listing: bool, **given: Any
) -> int:
    """Do an action, in the way of the game."""
    if helping:
        return show_action(terminal, given["action"], game, remote)
    if listing or given["recipe"] == "":
        return list_actions(terminal, game, remote, given["by"]) if listing else tell_recipes(terminal)
    source, met = click.get_current_context().get_parameter_source, remote is not None or is_met(terminal, game)
    typed = {name for name in given if source(name) is ParameterSource.COMMANDLINE}
    file, how = given.pop("file"), {name: given.pop(name) for name in ("wait", "timeout", "on")}
    if file is not None:
        if met or typed - OF_FILE:
            raise click.UsageError(OF_KEPT)
        options = {name: given[name] for name in ("by", "at", "commit", "anyway", "dry_run")}
        return enter_acts(terminal, game, read_file(file), str(file), **options)
    if met:
        if typed & UNFIT:
            raise click.UsageError(ONLY_KEPT)
        how |= {name: given[name] for name in ("anyway", "dry_run", "sealed")}
        acts = {name: given[name] for name in ("action", "words", "as_")}
        return send_acts(terminal, remote, game, Sending(**how), **acts)
    if how["on"] or how["wait"]:
        raise click.UsageError("This game is kept by one person, who records with --by; it knows no pull requests.")
    return record_acts(terminal, game, **given)
