"""Why something is as it is, told in the terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import click

from folkmoot.cli.clones import looked_at
from folkmoot.cli.outcomes import here_of, plain, told
from folkmoot.cli.terminal import Terminal, stamped
from folkmoot.core.calendar import moment_said, write_moment
from folkmoot.core.declared_kinds import PROPOSAL
from folkmoot.core.keys import ROSTER
from folkmoot.core.proposal_numbers import called
from folkmoot.core.records import Entry, Shown
from folkmoot.core.values import is_digits
from folkmoot.files.typed_words import read_word
from folkmoot.game import explain
from folkmoot.game.actions import action_of
from folkmoot.game.session import Session
from folkmoot.kernel.things import canonical_digest
from folkmoot.wording import sentences
from folkmoot.wording.catalogue import hidden
from folkmoot.wording.law_sentence import because, quotation
from folkmoot.wording.sentences import GIST

MOST_WORDINGS = 5
WHOLE = {
    "rule": "rule 203", "ballot": "ballot 305 ann", "setting": "setting compound", "entry": "entry 12",
    "action": "action vote", "digest": "digest 305",
}  # fmt: skip
"""What is explained by words of its own, each with an example."""


def run_explain(
    terminal: Terminal, words: tuple[str, ...], offline: bool, game: str | None, remote: str | None
) -> None:
    """Explain what is named, of a game or by itself."""
    if words[0] == "digest" and len(words) == 2:
        digest = canonical_digest(read_word(words[1]))
        terminal.record({"digest": digest})
        terminal.say(digest)
        return
    with looked_at(terminal, game, remote, offline=offline) as (_view, session):
        if words[0] == "action" and len(words) == 2:
            from folkmoot.cli.acting import check_action, tell_action

            check_action(session, words[1])
            tell_action(terminal, session, action_of(session, words[1]))
            return
        record, show = explained(session, list(words))
        terminal.record(stamped(record))
        show(terminal, session, record)


def explained(session: Session, words: list[str]) -> tuple[Shown, Callable[[Terminal, Session, Shown], None]]:
    """Return what the words ask about, and how it is told."""
    match words:
        case ["rule", number]:
            return explain.explain_rule(session, number), _rule
        case ["ballot", *kind, number, player] if len(kind) < 2:
            of = number if "/" in number else f"{''.join(kind) or PROPOSAL}/{number}"
            return explain.explain_ballot(session, of, player), _ballot
        case ["setting", name]:
            return explain.explain_setting(session, name), _setting
        case ["limits"]:
            return {"limits": explain.explain_limits(session)}, _limits
        case ["settings"]:
            return {"settings": explain.explain_settings(session)}, _settings
        case ["entry", word] if is_digits(word):
            return explain.explain_entry(session, int(word)), _entry
        case [kind, number] if kind in session.votable() or session.proposal(f"{kind}/{number}"):
            return explain.explain_proposal(session, f"{kind}/{number}"), _proposal
        case [owner, register] if owner not in WHOLE or session.kept(ROSTER).get(owner):
            return explain.explain_register(session, owner, register), _register
    if words[0] in WHOLE:
        raise click.UsageError(f"Say all of it, as in `moot explain {WHOLE[words[0]]}`.")
    examples = "for instance `ann score`, `rule 203`, `proposal 305` or `ballot 305 ann`"
    raise click.UsageError(f"Say what to explain, {examples}; `moot show registers` lists what there is.")


def _register(terminal: Terminal, session: Session, record: Shown) -> None:
    is_time = here_of(session).view.register_type(str(record["register"])) == "time"
    now = "none" if record["now"] is None else _said(record["now"], is_time)
    terminal.heading(f"{record['owner']} has {record['register']} {now}")
    if not record["changes"]:
        terminal.say("It is as it was at first; nothing ever changed it.")
        return
    if record["opening"] is not None and record["changes"][0]["effect"] not in ("create", "append"):
        terminal.say(f"At first it was {_said(record['opening'], is_time)}.")
    columns = ["Entry", "When", "Act", "Change", "Now", "Rule", "Why"]
    terminal.table(columns, [_change(change, session, is_time) for change in record["changes"]])


def _change(change: Shown, session: Session, is_time: bool) -> list[object]:
    applied, asked = change.get("applied"), change.get("asked")
    amount = "" if applied is None else f"{applied:+}"
    turned = f" (asked {asked:+})" if applied is not None and asked not in (None, applied) else ""
    act = f"{change['by'] or 'clock'}: {change['do']}"
    where = "+ " if change["effect"] == "append" else f"{change['key']}: " if "key" in change else ""
    now = f"{where}{_said(change.get('to'), is_time)}"
    why = quotation(change["why"]) if change.get("why") else str(change.get("cause") or "").replace("_", " ")
    rule = _number(session, change.get("rule"))
    return [change["seq"], moment_said(str(change["at"])), act, amount + turned, now, rule, why]


def _said(value: Any, is_time: bool) -> str:
    """Return a value as it is, one of a register of times as those are said."""
    return write_moment(value) if is_time and isinstance(value, int) else str(value)


def _number(session: Session, uid: str | None) -> str:
    meta = (session.document("law").get("rules") or {}).get(uid)
    return str(meta["number"]) if meta else uid or ""


def _rule(terminal: Terminal, _session: Session, record: Shown) -> None:
    former = f", formerly {', '.join(record['former_numbers'])}" if record["former_numbers"] else ""
    state = "in force" if record["in_force"] else "not in force"
    terminal.heading(f"Rule {record['number']}: {record['title']} ({state}{former})")
    rows = []
    for revision in record["revisions"]:
        name = revision["called"] or revision["revision"]
        what = "repealed" if revision["repealed"] else f"revision {name}: {_what(revision)}"
        entry = "taken over" if revision["taken_over"] else revision["seq"]
        when = revision["dated"] or write_moment(revision["at"])
        rows.append([entry, when, str(revision["cause"] or "not known"), what])
    terminal.table(["Entry", "When", "Cause", "What"], rows)
    _wordings(terminal, record)
    for ruling in record["rulings"]:
        by = f", {ruling['by']}" if ruling.get("by") else ""
        when = ruling.get("dated") or write_moment(ruling.get("at", 0))
        terminal.say(f"\nTaken over, {when}: {ruling.get('name', '')}{by}")
        for line in str(ruling.get("text") or "").splitlines():
            terminal.say(f"    {line}")
    if record["suspended"]:
        since = f" since entry {record['asleep_since']}" if record["asleep_since"] else ""
        terminal.say(f"Its script is suspended{since}: {quotation(record['suspended'])}")
    for failure in record["failures"] or ():
        times = f", {failure['times']} times in all" if failure.get("times", 1) > 1 else ""
        terminal.say(f"Failed in entry {failure['seq']}{times}: {failure['hook']}: {failure['error']}")


def _what(revision: Shown) -> str:
    """Return what a revision changed: of one from before the game of what kind it was, and what else is known."""
    if not revision["taken_over"]:
        return ", ".join(revision["changed"])
    known = [revision["change"], "wording unknown" if revision["unknown"] else "", revision["note"] or ""]
    return "; ".join(filter(None, known))


def _wordings(terminal: Terminal, record: Shown) -> None:
    """Show how a rule read before, the latest wordings of many, each that is other than the one after it."""
    revisions = [each for each in record["revisions"] if not each["repealed"]]
    pairs = zip(revisions, [*revisions[1:], {}] if not record["in_force"] else revisions[1:], strict=False)
    former = [each for each, after in pairs if any(each.get(part) != after.get(part) for part in ("title", "text"))]
    if len(former) > MOST_WORDINGS:
        terminal.say(f"{len(former) - MOST_WORDINGS} older wordings: `--json`")
    for each in former[-MOST_WORDINGS:]:
        terminal.say(f"\nRevision {each['called'] or each['revision']} read: {each['title'] or ''}")
        for line in ["(unknown)"] if each["unknown"] else str(each["text"] or "").splitlines():
            terminal.say(f"    {line}")


def _proposal(terminal: Terminal, session: Session, record: Shown) -> None:
    terminal.heading(f"{called(record).capitalize()}: {record['title']} ({record['author']}), {record['state']}")
    verdict = record["verdict"]
    if verdict:
        terminal.say(f"{record['outcome']}{because(verdict['why'], _number(session, verdict['rule']))}")
    elif record["why"]:
        terminal.say(quotation(record["why"]))
    _show_proposed(terminal, session, record)
    rows = [[p, b["choice"] or hidden(), _standing(b), b["reason"] or ""] for p, b in record["ballots"].items()]
    if rows:
        terminal.table(["Voter", "choice", "counts", "reason"], rows)
    if record["state"] == "open":
        missing = [voter for voter in record["electorate"] or () if voter not in record["ballots"]]
        terminal.say(f"Not yet voted: {', '.join(missing) or 'nobody'}.")
    terminal.say("Entries: " + ", ".join(f"{e['seq']} ({e['do']})" for e in record["entries"]))


def _show_proposed(terminal: Terminal, session: Session, record: Shown) -> None:
    """Print what a proposal would change, or changed, as law: what it strikes and adds, and what travels with it."""
    from folkmoot.cli.drawing.printing import say_drawn
    from folkmoot.cli.drawing.pull_requests import INSET, as_record, drawn_change
    from folkmoot.referee.preview import proposal_redlines, requests_of

    for change in proposal_redlines(session, session.proposal(record["id"])):
        say_drawn(terminal, drawn_change(as_record(change)))
        if change.gone and not record["outcome"]:
            terminal.say(f"{' ' * INSET}That rule is not in force any more.")
    for omitted in record.get("omitted") or ():
        why = quotation(omitted["why"]) if omitted["why"] else omitted["code"]
        terminal.say(f"Change {omitted['change'] + 1} was left out: {why}")
    requests = requests_of(record["requests"] or ())
    if requests:
        terminal.say(f"With it travels: {'; '.join(requests)}")


def _standing(ballot: Shown) -> str:
    counts = "yes" if ballot["counts"] else f"no: {quotation(ballot['why'])}"
    return f"{counts}, deemed" if ballot["deemed"] else counts


def _entry_of(record: Shown) -> str:
    return f"Entry {record['seq']}, {moment_said(str(record['at']))}"


def _ballot(terminal: Terminal, session: Session, record: Shown) -> None:
    ballot, name, here = record["ballot"], record["called"], here_of(session)
    if ballot:
        terminal.heading(f"{record['player']}'s ballot on {name}: {ballot['choice'] or hidden()}")
        terminal.say(f"Counts: {_standing(ballot)}; weight {ballot['weight']}; recorded {write_moment(ballot['at'])}")
    else:
        terminal.heading(f"{record['player']} has no valid ballot on {name}")
    for attempt in record["tries"]:
        why = "; ".join(plain(sentences.refusal(here, r)) for r in attempt["reasons"] if r["code"] == attempt["code"])
        came = f"refused [{attempt['code']}] {why}" if attempt["code"] else "recorded"
        terminal.say(f"{_entry_of(attempt)}: {attempt['choice'] or hidden()}: {came}")
    verdict = record["verdict"]
    if verdict:
        terminal.say(f"The vote was decided by rule {_number(session, verdict['rule'])}: {quotation(verdict['why'])}")


def _setting(terminal: Terminal, session: Session, record: Shown) -> None:
    name = f" ({record['name']})" if record.get("name") else ""
    terminal.heading(f"{record['setting']}{name} of rule {_number(session, record['rule'])}: {record['value']}")
    terminal.say(quotation(record["question"]))
    for value, meaning in (record.get("alternatives") or {}).items():
        mark = "*" if value == record["value"] else " "
        terminal.say(f" {mark} {value}: {meaning}")
    for flip in record["flips"]:
        who = flip["vote"] or flip["by"] or "the clock"
        what = "its default" if flip["effect"] == "default" else "it"
        change = f"{who} set {what} from {flip.get('from')} to {flip.get('to')}"
        terminal.say(f"{_entry_of(flip)}: {change}")


def _settings(terminal: Terminal, session: Session, record: Shown) -> None:
    if not record["settings"]:
        terminal.say("No rule in force has a setting.")
        return
    found = record["settings"]
    rows = [[each["name"], _number(session, each["rule"]), each["value"], each["question"]] for each in found]
    terminal.table(["Setting", "Rule", "Is", "Question"], rows)
    terminal.say("`moot explain setting NAME` shows what else it may be, and who flipped it.")


def _limits(terminal: Terminal, session: Session, record: Shown) -> None:
    terminal.heading(f"The limits of {session.record.name}")
    for each in record["limits"]:
        terminal.say(f"{each['name']}: {each['value']:,} {each['unit']} ({each['least']:,} to {each['most']:,})")
        terminal.wrapped(each["bounds"], 2)
    for change in (change for each in record["limits"] for change in each["changes"]):
        terminal.say(f"{_entry_of(change)}: {change['by']} set {change['name']} to {change['to']:,}")


def _entry(terminal: Terminal, session: Session, record: Shown) -> None:
    entry = cast(Entry, record)
    for line in told(here_of(session, [entry]), entry, whole=True):
        terminal.say(line)
    for name, value in (record.get("with") or {}).items():
        if isinstance(value, str) and (len(value) > GIST or "\n" in value):  # too long for the sentence of the act
            terminal.say("\n".join([f"    {name}:", *(f"        {line}" for line in value.splitlines())]))
    terminal.say(f"Recorded {moment_said(str(record['at']))}; the entry before has the digest {record['prev']}.")
