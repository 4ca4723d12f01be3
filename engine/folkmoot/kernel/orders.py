"""Orders that act once: adoption carries out the script of one under its proposal's name, and it never becomes law."""

from __future__ import annotations

from typing import Any

from folkmoot.core.documents import Proposal, RuleParts
from folkmoot.kernel.errors import Fault, Refusal, shortened
from folkmoot.kernel.frames import Scope
from folkmoot.kernel.hook_calls import call
from folkmoot.kernel.play import Play
from folkmoot.kernel.script_records import record
from folkmoot.kernel.shown_proposals import to_record
from folkmoot.kernel.unseen_contents import DEPENDS
from folkmoot.language.binding import ScriptError
from folkmoot.language.hook_names import hook_names

HOOK = "on_proposal_adopted"


def flaw_of_order(parts: Any) -> str:
    """Return why parts of something new cannot be an order, "" if they can."""
    beside = sorted(set(parts) - {"once", "title", "text", "script", "source", "labels"})
    if beside:
        return f"what acts once is no law, so that it cannot have `{beside[0]}`"
    return "" if HOOK in hook_names(parts.get("script") or "") else f"what acts once has a script with {HOOK}(e)"


def carry_out(play: Play, proposal: Proposal, parts: RuleParts) -> None:
    """Run an order in the name of its proposal, with the budget of one handler.

    Raises Refusal where it fails; what it did until then is undone. A lock-out probe goes on without an order that
    nobody can foresee because it looks at what is sealed.
    """
    shown = to_record(play, proposal)
    mark = play.mark()
    play.scopes.append(Scope(record({"name": "proposal_adopted", "proposal": shown})))
    try:
        call(play, proposal["id"], parts.get("script", ""), HOOK, [play.scopes[-1].cause])
    except Refusal as refusal:
        play.rollback(mark)
        if play.probing and (refusal.code, refusal.why) == ("E-SEALED", DEPENDS):
            return
        raise Refusal(refusal.code, f"its order is not carried out: {shortened(refusal.why)}") from None
    except (ScriptError, Fault) as error:
        if play.is_within(error):
            raise
        play.rollback(mark)
        play.failed(proposal["id"], HOOK, error)
        code = error.code if isinstance(error, Fault) else "E-SCRIPT"
        raise Refusal(code, f"its order is not carried out: {shortened(error.message)}") from None
    finally:
        play.scopes.pop()
    play.effect("order", of=proposal["id"], title=parts.get("title") or None)
