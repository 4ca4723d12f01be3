"""What forms send: the fields of each go to the function of its command, and what that prints comes back."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

import click
from msgspec import Struct

from folkmoot.cli.acting import Sending, record_acts, send_acts
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.founding import check_name
from folkmoot.cli.join import run_join
from folkmoot.cli.next_season import run_next
from folkmoot.cli.outcomes import plain as as_words
from folkmoot.cli.outcomes import told_effects
from folkmoot.cli.play.drafts import draft_name, rule_file
from folkmoot.cli.play.forms import Form
from folkmoot.cli.play.seat import Listener, Seat, Standing
from folkmoot.cli.proposing import Said, propose
from folkmoot.cli.sealing_keys import own_sealing_key
from folkmoot.cli.sending import remote_view_of
from folkmoot.cli.talking import run_comment, run_withdraw
from folkmoot.cli.voting import VoteRequest, vote
from folkmoot.core.clone_files import remove, write_whole
from folkmoot.core.problems import Problem, ProblemError, fail
from folkmoot.core.proposal_numbers import called, handle
from folkmoot.files.reader import read_rule
from folkmoot.files.rewrite import render_rule
from folkmoot.kernel.act_declarations import VOTE
from folkmoot.player import present_time
from folkmoot.player.proposing import Draft, draft_file
from folkmoot.player.remote_view import RemoteView
from folkmoot.referee.markdown import plain
from folkmoot.referee.preview import preview
from folkmoot.site.output import digest_of
from folkmoot.wording import sentences
from folkmoot.wording.markup import Html
from folkmoot.wording.redline import redline, script_redline

Record = dict[str, Any]
MOVED = "E-MOVED"
DRAFT = "your draft"


class Answer(Struct, frozen=True, kw_only=True):
    """How a command ended: its exit code, what it printed for programs, its remarks, and what was wrong."""

    code: int
    record: Record
    notes: list[str] = []
    problems: Sequence[Problem] = ()

    @property
    def sent(self) -> bool:
        """Say whether anything was sent, or recorded."""
        return not self.problems and bool(self.record.get("sent", self.code == Exit.OK))


def run(what: str, seat: Seat, standing: Standing, form: Form, *, dry_run: bool) -> Answer:
    """Do what a form asks for, or only try it."""
    terminal = seat.terminal(trying=dry_run)
    how = {"anyway": bool(form["anyway"]), "dry_run": dry_run}
    code, problems = int(Exit.REFUSED), list[Problem]()
    try:
        code = COMMANDS[what](terminal, standing, form, how)
    except ProblemError as error:
        problems = list(error.problems)
    except click.UsageError as error:
        problems = [Problem("E-ARGS", error.message.rstrip("."))]
    record: Record = {}
    for each in terminal.records:
        record |= each if isinstance(each, dict) else {}
    if "entry" in record:
        record["foreseen"] = [_recorded_outcome(standing, record, refused=code != Exit.OK)]
    return Answer(code=code, record=record, notes=terminal.notes, problems=problems)


def _recorded_outcome(standing: Standing, record: Record, *, refused: bool) -> Record:
    """Return what came of an act that was recorded, or would be, as trying what is sent says it."""
    entry, here = record["entry"], standing.here
    refusal = next((each for each in entry.get("reasons") or () if each["code"] == record["code"]), None)
    return {
        "what": entry["do"],
        "state": "refused" if refused else "recorded",
        "code": record["code"] if refused else "",
        "why": as_words(sentences.refusal(here, refusal)) if refused and refusal else "",
        "effects": [] if refused else told_effects(here, entry),
    }


def _vote(terminal: Listener, standing: Standing, form: Form, how: Record) -> int:
    found = next((each for each in standing.votes if each.proposal["id"] == form["about"]), None)
    choice = form["choice"]
    if found is None:
        raise fail("E-ORDER", "this is not voted on any more", None, "the page of the proposal says what became of it")
    if not choice:
        raise fail("E-ARGS", "choose how you vote", None, "nothing was sent")
    _require_same(form, found.digest, f"what {called(found.proposal)} says")
    said = tuple(word for word in (choice, form["reason"].strip()) if word)
    if standing.kept:
        about = {found.proposal["kind"]: str(handle(found.proposal))}
        given = {**about, "choice": choice, "reason": form["reason"].strip()}
        return _recorded(terminal, standing, form, how, VOTE, given)
    pull = found.pull if found.pull in standing.talk else 0  # its vote may go on without its pull request
    words = (str(pull), *said) if pull else said
    on = {} if pull else {found.proposal["kind"]: handle(found.proposal)}
    return vote(terminal, None, VoteRequest(words=words, on=on, game=standing.game, **how))


def _require_same(form: Form, digest: str, what: str) -> None:
    """Raise E-MOVED where the words that a form is about were changed after its page was made."""
    if form["text-read"] not in ("", digest):
        raise fail(MOVED, f"{what} was changed since you read it", None, "read it again, then send this once more")


def _act(terminal: Listener, standing: Standing, form: Form, how: Record) -> int:
    if standing.kept:
        return _recorded(terminal, standing, form, how, form["do"], form.arguments)
    words = tuple(f"{name}={value}" for name, value in form.arguments.items())
    given = {"action": form["do"], "words": words, "as_": form["as"] or None}
    return send_acts(terminal, None, standing.game, Sending(**how), **given)


def _recorded(
    terminal: Listener, standing: Standing, form: Form, how: Record, do: str, arguments: Mapping[str, str]
) -> int:
    words = tuple(f"{name}={value}" for name, value in arguments.items() if value)
    return record_acts(
        terminal, standing.game, at=None, commit=True, sealed=False, trust_clock=False, action=do, words=words,
        by=form["by"] or None, as_=form["as"] or None, rules=(), recipe=None, repeals=(),
        transmutes=(), **how,
    )  # fmt: skip


def _say(terminal: Listener, standing: Standing, form: Form, how: Record) -> int:
    words = re.sub(r"^(\s*)/", r"\1\\/", form["text"].strip(), flags=re.MULTILINE)  # no command comes of talk
    return run_comment(terminal, (words,), form.number("pull") or None, standing.game, None, **how)


def _withdraw(terminal: Listener, _standing: Standing, form: Form, how: Record) -> int:
    return run_withdraw(terminal, form.number("pull"), (form["reason"],), None, **how)


def _join(terminal: Listener, standing: Standing, form: Form, how: Record) -> int:
    player, name = (form[field].strip() or None for field in ("id", "name"))
    rest = tuple(f"{each}={value}" for each, value in form.arguments.items())
    return run_join(
        terminal, player=player, name=name, attributes=rest, key=None, game=standing.game, remote=None,
        **how,
    )  # fmt: skip


def _key(terminal: Listener, standing: Standing, form: Form, how: Record) -> int:
    own_sealing_key(terminal, None, new=False)
    key = terminal.records.pop()["recipient"]
    given = {"action": "use_sealing_key", "words": (f"key={key}",), "as_": None}
    return send_acts(terminal, None, standing.game, Sending(**how), **given)


def _season(terminal: Listener, standing: Standing, form: Form, how: Record) -> int:
    """Begin the next season; before that only its short name is looked at."""
    check_name(form["id"])
    if how["dry_run"]:
        return Exit.OK
    return run_next(
        terminal, form["id"], standing.game, players=form.fields.get("player") or (),
        ruleset=form["ruleset"] or None, title=form["title"].strip(),
    )  # fmt: skip


def _propose(terminal: Listener, standing: Standing, form: Form, how: Record) -> int:
    view = remote_view_of(terminal, None).look()
    text = _rule_text(view, standing, form)
    file = draft_file(
        view, f"{standing.game}-{draft_name(form['rule'] if form['kind'] == 'amend' else '', form['from'])}"
    )
    if text:
        write_whole(file, text.encode())
    rules, repeals = ((file,), ()) if text else ((), (form["rule"],))
    said = Said(rules=rules, repeals=repeals, message=form["why"].strip(), vote=form["vote"], **how)
    code = propose(terminal, None, standing.game, said)
    if text and code == Exit.OK and not how["dry_run"]:
        remove(file)
    return code


def _rule_text(view: RemoteView, standing: Standing, form: Form) -> str:
    """Return the file of a rule as a form has it, "" for one that is to be taken away. Raises E-ARGS, E-NO-SUCH."""
    if form["kind"] == "repeal":
        return ""
    if not form["title"].strip():
        raise fail("E-ARGS", "give the rule a title", None, "a few words by which everybody calls it")
    text = rule_file(form)
    if form["kind"] != "amend":
        return text
    source = Draft(view.record(standing.game)).rule_text(form["rule"])
    _require_same(form, digest_of(source), f"rule {form['rule']}")
    law = read_rule(source, f"rule {form['rule']}")
    return render_rule({**read_rule(text, DRAFT), "rule": law["rule"], "uid": law["uid"], "source": source})


COMMANDS: dict[str, Callable[[Listener, Standing, Form, Record], int]] = {
    "vote": _vote,
    "act": _act,
    "say": _say,
    "withdraw": _withdraw,
    "propose": _propose,
    "join": _join,
    "key": _key,
    "season": _season,
}
"""What does what a form asks for, by the last part of its address."""


# -- what comes of it, in words


class Outcome(Struct, frozen=True, kw_only=True):
    """What a page says of something that was tried or refused: `good`, `bad` or `wait`; `field` is what it is about."""

    tone: str
    title: str
    lines: Sequence[str] = ()
    why: str = ""
    hint: str = ""
    code: str = ""
    field: str = ""
    refused: bool = False
    """Whether the law would refuse it, so that it may be sent all the same."""
    redline: Sequence[Html] = ()
    endings: Sequence[tuple[str, Sequence[str]]] = ()
    foreseen: str = ""
    """The digest of what comes of it, where that is said in other words."""

    @property
    def digest(self) -> str:
        """Return what is the same where the same comes of something."""
        said = (self.title, *self.lines, self.why, *((title, *lines) for title, lines in self.endings))
        return self.foreseen or sha256(repr(said).encode()).hexdigest()[:16]


def outlook(seat: Seat, standing: Standing, form: Form) -> Outcome:
    """Return what a proposal would change, what the law says of it, and what comes of its adoption and its defeat."""
    terminal = seat.terminal(trying=True)
    try:
        view = remote_view_of(terminal, None).look()
        draft, text = Draft(view.record(standing.game)), _rule_text(view, standing, form)
        old = read_rule(draft.rule_text(form["rule"]), "") if form["rule"] else {}
        if text:
            draft.rule(text, DRAFT)
        else:
            draft.repeal(form["rule"])
        made = draft.proposal(view)
        with view.session(standing.game) as session:
            content = made.content.games[0]
            found = preview(session, content, made.title, standing.player, int(present_time.present()))
    except ProblemError as error:
        return outcome_of(Answer(code=Exit.REFUSED, record={}, problems=error.problems))
    new = read_rule(text, "") if text else {}
    marked = [redline(str(old.get("text") or ""), str(new.get("text") or ""))]
    if old.get("script") != new.get("script"):
        marked.append(script_redline(str(old.get("script") or ""), str(new.get("script") or "")))
    endings = [("If it is adopted", [*map(plain, found.effects)]), ("If it is defeated", [*map(plain, found.against)])]
    flaws = [_capital(plain(": ".join(filter(None, (each.message, each.hint))))) for each in found.problems]
    flaws += [_capital(plain(each)) for each in (*found.failures, *found.later, found.locked_out) if each]
    ruling = next((each for each in (found.proper, found.proposing) if each is not None and not each.ok), None)
    parts: dict[str, Any] = {"redline": marked, "endings": endings, "lines": flaws}
    if ruling is not None:
        title = "It is not proper." if ruling is found.proper else "It cannot be sent now."
        why = f"{_capital(plain(ruling.why))} (rule {ruling.rule})" if ruling.rule else _capital(plain(ruling.why))
        return Outcome(tone="bad", title=title, why=why, code=ruling.code, **parts)
    if any(each.code.startswith("E-") for each in found.problems):
        return Outcome(tone="bad", title="It would not work as law.", code=found.problems[0].code, **parts)
    return Outcome(tone="good", title="It is proper, as the law stands.", **parts)


def outcome_of(answer: Answer) -> Outcome:
    """Return what to say of an answer by which nothing was sent."""
    if answer.problems:
        first = answer.problems[0]
        why = "; ".join(str(problem.message) for problem in answer.problems[1:4])
        title, hint = _capital(first.message), str(first.hint or "")
        return Outcome(tone="bad", title=title, why=why, hint=hint, code=first.code)
    foreseen = [each for each in answer.record.get("foreseen", ()) if each["state"] != "told"]
    flaws = [each for each in answer.record.get("problems", ()) if str(each["code"]).startswith("E-")]
    if flaws:  # of scripts and examples
        lines = [": ".join(filter(None, (str(each["message"]), str(each.get("hint") or "")))) for each in flaws]
        return Outcome(tone="bad", title="It would not work as law.", lines=lines, code=str(flaws[0]["code"]))
    refused = next((each for each in foreseen if each["code"] and each["state"] in ("refused", "void")), None)
    if refused is not None:
        why = refused["why"] or refused["what"]
        about = str(refused.get("argument") or "")
        title = "This would be refused."
        return Outcome(tone="bad", title=title, why=_capital(why), code=refused["code"], field=about, refused=True)
    for state, title in UNCERTAIN.items():
        waiting = next((each for each in foreseen if each["state"] == state), None)
        if waiting is not None:
            decides = "That decides it. " if waiting.get("decides") else ""
            return Outcome(tone="wait", title=decides + title, why=_capital(waiting["why"]))
    if not answer.record.get("tried", True):
        return Outcome(tone="wait", title="Nobody can say yet what comes of it.", why=_capital(answer.record["why"]))
    lines = [line for each in foreseen for line in each["effects"]]
    lines += [note for note in answer.notes if note.startswith("Mind: ")]
    decides = next((each["decides"] for each in foreseen if each.get("decides")), "")
    title = f"That decides it: {decides}." if decides else "What comes of it, as things stand"
    return Outcome(tone="good", title=title, lines=lines or ["Nothing else changes."])


UNCERTAIN = {
    "chance": "What comes of it is for the dice, which fall when the referee looks.",
    "sealed": "What comes of it depends on what is sealed; the referee looks into it.",
    "held": "It waits until it is released.",
    "waiting": "It waits.",
}


def _capital(sentence: object) -> str:
    words = str(sentence).strip().rstrip(".")
    return f"{words[:1].upper()}{words[1:]}." if words else ""
