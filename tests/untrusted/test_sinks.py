"""What of the corpus players can write at all, and what is refused: names that nobody can read, keys that are no names."""

from __future__ import annotations

from folkmoot.kernel.rule_changes import check_parts
from tests.conftest import FUZZ
from tests.support.table import Table
from tests.untrusted.sinks import LAW, payloads, played, recordable


def test_what_no_record_can_hold_is_refused_whole() -> None:
    (left,) = set(payloads()) - set(recordable())
    outcome = Table(LAW, players=("ann",)).judge("state", "ann", {"text": payloads()[left]})
    assert (outcome.code, outcome.effects) == ("E-ARGS", []), left


def test_everything_else_is_played_and_all_that_is_refused_is_known() -> None:
    """Each fifth payload by default, the one whose key begins as the marks of structs do not among them."""
    entries = played(1 if FUZZ else 5).entries
    refused: dict[str, set[str]] = {}
    for entry in entries:
        if entry.get("code"):
            refused.setdefault(entry["do"], set()).add(entry["by"])
    assert len(refused.pop("join")) < 10, "names that nobody can read"
    assert len(refused.pop("note", ())) == FUZZ
    assert refused.pop("fail") == {entry["by"] for entry in entries if entry["do"] == "fail"}
    assert set(refused) <= {text[:1500] or "-" for text in payloads().values()}, "actions that there are not"


def test_hardly_a_payload_can_be_the_name_of_an_action() -> None:
    names = [text or "-" for text in payloads().values()]
    assert sum(bool(check_parts({"actions": {name: {"summary": ""}}})) for name in names) > 100
