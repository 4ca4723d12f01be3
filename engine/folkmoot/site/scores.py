"""Tables of scores and of the ledger, for pages that are made of parts."""

from __future__ import annotations

from collections.abc import Sequence

from folkmoot.site.standing import currency_name
from folkmoot.wording.catalogue import quoted, signed
from folkmoot.wording.ledger import Line
from folkmoot.wording.markup import Html, el, join, sentence, table
from folkmoot.wording.page_links import Here
from folkmoot.wording.translation import _, term


def ledger_table(here: Here, lines: Sequence[Line], whose: bool = True) -> Html:
    """Return lines of the ledger with who, how much, why and by which rule; nothing for no lines.

    `whose` tells whether to say whom a line concerns.
    """
    rows = [
        [here.entry(line.seq), here.when(line.at), *([here.owner(line.owner)] if whose else []),
         currency_name(here.view, line.currency), _change(line), str(line.balance).replace("-", "−"),
         _why(here, line), here.rule(line.rule)]
        for line in lines
    ]  # fmt: skip
    columns = [
        _("Entry"),
        _("When"),
        *([_("Who")] if whose else []),
        _("What"),
        _("Change"),
        _("After it"),
        _("For"),
        _("Rule"),
    ]
    listed = table(columns, rows, numeric=0b110000 if whose else 0b11000) if rows else Html("")
    return el("div", listed, class_="fm-ledger" if whose else "fm-ledger fm-ledger--own") if rows else listed


def _change(line: Line) -> Html:
    if line.asked is None or line.asked == line.applied:
        return el("strong", signed(line.applied))
    return join(
        [el("strong", signed(line.applied)), " ", el("small", _("(asked {amount})", amount=signed(line.asked)))]
    )


def _why(here: Here, line: Line) -> Html:
    kind = "" if line.kind in ("award", "set", "") else f"{term(str(line.kind))}: "
    credit = join([" ", sentence("(credited to {player})", player=here.player(line.credit))]) if line.credit else ""
    return join([kind, quoted(here, line.why) if line.why else "", credit])
