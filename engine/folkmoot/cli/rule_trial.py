"""What a rule would do as law, on a copy of a game."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, cast

import click

from folkmoot.cli.acting import changes_of, filed_changes
from folkmoot.cli.clones import kept_game
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.games import game_folder
from folkmoot.cli.outcomes import failed, here_at, shown_entries, told, told_effects, told_in_short
from folkmoot.cli.repositories import told_if_stale
from folkmoot.cli.terminal import Terminal, without_escapes
from folkmoot.core.problems import Position, fail
from folkmoot.core.records import Entry
from folkmoot.core.values import in_a_row
from folkmoot.files.fast_reader import load_yaml
from folkmoot.files.named_files import read_file
from folkmoot.game.session import Session
from folkmoot.journal.record import LoadedDocuments
from folkmoot.sandbox.client import Sandbox
from folkmoot.scenarios.trial import Trial
from folkmoot.wording.page_links import Here

MOST_DRAWS = 10
MOST_ENTRIES = 1_000  # newest, of which charts are made
TOLD = (
    "effects", "failures", "draws", "pages", "new_actions", "lost_actions", "locked_out", "later", "breaks",
    "untried", "failed", "debug",
)  # fmt: skip
MOST_TIMERS = 8  # in a row that are told one by one


def run_try(
    terminal: Terminal,
    /,
    what: tuple[int | Path, ...],
    repeals: tuple[str, ...],
    steps: Path | None,
    page: str | None,
    comment: bool,
    said: bool,
    event: Path | None,
    clone: str | None,
    summary: Path | None,
    game: str | None,
    remote: str | None,
) -> int:
    """Try rules as law, or a pull request."""
    files = tuple(each for each in what if isinstance(each, Path))
    numbers = [each for each in what if isinstance(each, int)]
    as_law = bool(repeals or steps or page)
    if as_law and (numbers or comment or said or event):
        raise click.UsageError("--repeal, --steps and --show are for rules that are tried as law.")
    if len(numbers) > 1 or (numbers and files):
        raise click.UsageError("Try one pull request at a time, or files: `moot try 7`, `moot try tea.yaml`.")
    if not as_law and (event or comment or said or not files):
        from folkmoot.cli.pull_request_trial import show_arrival, show_pull

        if event is not None:
            return show_arrival(terminal, event, clone, remote, summary)
        return show_pull(terminal, game, remote, sum(numbers), files, said=said, summary=summary)
    if not (files or repeals or steps):
        raise click.UsageError("Say what to try: `moot try RULE-FILE`, `--repeal NUMBER` or `--steps FILE`.")
    return try_rules(terminal, game_folder(terminal, game), files, repeals, steps, page)


def try_rules(
    terminal: Terminal,
    game: Path,
    rules: tuple[Path, ...],
    repeals: tuple[str, ...],
    steps: Path | None,
    page: str | None,
) -> int:
    """Make rules law on a copy of a game, play on there, and show what comes of it."""
    with told_if_stale(terminal), kept_game(terminal, game) as session:
        filed = filed_changes(session, rules)
        played = load_yaml(read_file(steps), str(steps)) if steps else []
        if not isinstance(played, list):
            hint = "each step begins with `- `, as in a scenario"
            raise fail("E-TYPE", "the steps must be a list", Position(str(steps), 1, 1), hint)
        proposed, now = changes_of(session, filed, repeals), max(int(time.time()), session.at)
        with Sandbox(session.documents, session.record.archive) as sandbox:
            tried = sandbox.try_out(proposed, played, session.head.seq, now, [file for _change, file in filed])
            trial = Trial(**tried)
        if page is not None and page not in trial.pages:
            there = ", ".join(trial.pages) or "none"
            raise click.UsageError(f"No rule shows a page {page!r}; there are {there}.")
        terminal.record(record_of(session, trial))
        if not terminal.json:
            show(terminal, session, trial, page)
    wrong = trial.failures or trial.failed or trial.breaks or any(entry.get("failures") for entry in trial.tried)
    return Exit.PROBLEMS if wrong or _failing(trial) else Exit.OK


def record_of(session: Session, trial: Trial) -> dict[str, Any]:
    """Return what came of a trial for programs."""
    here = _here(session, trial)
    entries = {name: shown_entries(getattr(trial, name), here) for name in ("entries", "tried")}
    return {**{name: getattr(trial, name) for name in TOLD}, **entries}


def _here(session: Session, trial: Trial) -> Here:
    return here_at(session.record.name, LoadedDocuments(trial.documents, session.record.archive))


def show(terminal: Terminal, session: Session, trial: Trial, page: str | None) -> None:
    """Say what came of a trial."""
    here = _here(session, trial)
    for line in told_effects(here, cast(Entry, {"effects": trial.effects}), whole=True):
        terminal.say(line)
    named = {"New actions": trial.new_actions, "Actions no longer offered": trial.lost_actions, "Pages": [*trial.pages]}
    for title, names in named.items():
        if names:
            terminal.say(f"{title}: {', '.join(names)}")
    for line in _told_entries(here, trial.entries):
        terminal.say(line)
    if trial.tried:
        terminal.heading("New actions and timers, each tried once:")
    for line in (line for entry in trial.tried for line in told(here, entry, whole=True)):
        terminal.say(line)
    for line in trial.debug:
        terminal.say(without_escapes(f"debug, {line}"))
    for note in _notes(trial):
        terminal.note(note)
    if page:
        _show_page(terminal, session, trial, page)


def _notes(trial: Trial) -> Iterator[str]:
    """Yield what is to be minded: what was not tried, dice, what failed, and of what to beware."""
    yield from (f"Not tried: {what}." for what in trial.untried)
    if trial.draws:
        fell = in_a_row((f"{each['label']} {each['result']}" for each in trial.draws), MOST_DRAWS)
        yield f"This hangs on dice, which may fall otherwise in play; here they gave: {fell}."
    yield from map(failed, trial.failures)
    for name, failing in _failing(trial).items():
        place = f" {failing['place']}" if failing["place"] else ""
        yield f"the page {name} cannot be shown{place}: {failing['error']}"
    if trial.failed:
        yield f"A step went otherwise: {trial.failed}"
    dangers = filter(None, [trial.locked_out, *trial.later])
    yield from (click.style(f"Beware: {danger}.", fg="yellow") for danger in dangers)


def _told_entries(here: Here, entries: Sequence[Entry]) -> Iterator[str]:
    """Yield entries as lines; of many timers in a row, as in a game that stood still for long, what they come to."""
    for timers, run in groupby(entries, lambda entry: entry["do"] == "tick"):
        listed = list(run)
        if timers and len(listed) > MOST_TIMERS:
            yield from told_in_short(here, listed, MOST_TIMERS)
        else:
            yield from (line for entry in listed for line in told(here, entry, whole=True))


def _failing(trial: Trial) -> dict[str, dict[str, Any]]:
    return {name: page for name, page in trial.pages.items() if page.get("error")}


def _show_page(terminal: Terminal, session: Session, trial: Trial, name: str) -> None:
    """Print a page as `moot show` does, as it would be after the trial."""
    from folkmoot.cli.drawing.blocks import drawn_page
    from folkmoot.cli.drawing.printing import room, say_drawn
    from folkmoot.wording.game_view import ShownPage
    from folkmoot.wording.page_links import titled

    page, past = trial.pages[name], session.record.entries(max(1, session.head.seq - MOST_ENTRIES + 1))
    shown = ShownPage(
        name=name,
        title=titled(name),
        rule=str(page["rule"]),
        blocks=list(page["blocks"]),
        failure=str(page.get("error") or ""),
    )
    documents = LoadedDocuments(trial.documents, session.record.archive)
    here, width = here_at(session.record.name, documents, [*past, *trial.entries]), room()
    terminal.say()
    say_drawn(terminal, drawn_page(here, shown, width), width)
