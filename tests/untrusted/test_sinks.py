"""What of the corpus players can write at all, and what is refused: names that nobody can read, keys that are no names."""

from __future__ import annotations

from folkmoot.kernel.rule_changes import check_parts
from tests.support.table import Table
from tests.untrusted.sinks import LAW, payloads, played, recordable


def test_what_no_record_can_hold_is_refused_whole() -> None:
    (left,) = set(payloads()) - set(recordable())
    outcome = Table(LAW, players=("ann",)).judge("state", "ann", {"text": payloads()[left]})
    assert (outcome.code, outcome.effects) == ("E-ARGS", []), left


def test_everything_else_is_played_and_all_that_is_refused_is_known() -> None:
    refused: dict[str, set[str]] = {}
    for entry in played().entries:
        if entry.get("code"):
            refused.setdefault(entry["do"], set()).add(entry["by"])
    assert len(refused.pop("join")) < 10, "names that nobody can read"
    assert len(refused.pop("note")) == 1, "a key that begins as the marks of structs do"
    assert len(refused.pop("fail")) == len(recordable())
    assert set(refused) <= {text[:1500] or "-" for text in payloads().values()}, "actions that there are not"


def test_hardly_a_payload_can_be_the_name_of_an_action() -> None:
    names = [text or "-" for text in payloads().values()]
    assert sum(bool(check_parts({"actions": {name: {"summary": ""}}})) for name in names) > 100
