"""The last administrator gone: a player asks, everybody sees it, time passes, and no rule and no crowd gets in between."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.core.limits import LIMITS
from folkmoot.kernel.act_declarations import UNSTOPPABLE
from folkmoot.kernel.kernel_acts import DAY
from tests.support.table import Found, Table, effects, rule
from tests.support.town import Town

WAIT, SILENT = LIMITS["succession_wait"].default * DAY, LIMITS["administrators_silent"].default * DAY
LEAVE = rule("1", "def do_leave(a):\n    destroy(a.by)\ndef do_enter(a):\n    create('player', id=a.args.id)\n",
             actions={"leave": {}, "enter": {"arguments": {"id": {"type": "string"}}}})  # fmt: skip


def playing(found: Found, *rules: object, administrators: tuple[str, ...] = ("root",)) -> Table:
    """Return a game that has been played for long enough."""
    made = found(LEAVE, *rules, administrators=list(administrators))
    made.pass_time(WAIT)
    return made


def administrators(table: Table) -> list[str]:
    return list(table.document("game")["administrators"])


def how(table: Table, by: str, do: str, **args: object) -> list[str]:
    return [each["to"] for each in effects(table.ok(by, do, **args), "succession")]


@pytest.mark.threat("T-75")
def test_who_asks_administers_after_a_silence(found: Found) -> None:
    table = playing(found)
    assert how(table, "bob", "succeed") == ["asked"]
    table.pass_time(SILENT - 1)
    assert table.refused("bob", "succeed") == "E-TIME"
    assert table.refused("bob", "pause") == "E-NOT-ADMINISTRATOR"
    table.pass_time(1)
    assert how(table, "bob", "succeed") == ["taken"]
    assert administrators(table) == ["root", "bob"]
    table.ok("bob", "pause")
    assert table.refused("bob", "succeed") == "E-DUP"
    table.replay_all()


@pytest.mark.threat("T-75")
def test_most_of_those_who_play_as_long_refuse_it(found: Found) -> None:
    table = playing(found)
    for name in ("eve", "eve2", "eve3"):  # brought in to be many
        table.ok("bob", "enter", id=name)
    table.ok("bob", "succeed")
    assert table.refused("bob", "oppose_succession") == "E-STATUS"
    assert table.refused("eve", "oppose_succession") == "E-STATUS"
    assert table.refused("eve", "succeed") == "E-DUP"
    assert how(table, "ann", "oppose_succession") == ["opposed"]
    assert table.refused("ann", "oppose_succession") == "E-DUP"
    assert how(table, "cid", "oppose_succession") == ["opposed", "refused"]
    assert table.refused("bob", "succeed") == "E-STATUS"
    assert table.refused("ann", "oppose_succession") == "E-ORDER"
    table.pass_time(SILENT)
    assert how(table, "bob", "succeed") == ["asked"]


@pytest.mark.threat("T-75")
def test_a_newcomer_does_not_ask_and_a_claim_left_lying_bars_nobody(found: Found) -> None:
    table = playing(found)
    table.ok("bob", "enter", id="eve")
    assert table.refused("eve", "succeed") == "E-STATUS"
    assert table.refused("zed", "succeed") == "E-NOT-PLAYER"
    table.ok("bob", "succeed")
    table.pass_time(SILENT + WAIT + 1)
    assert how(table, "cid", "succeed") == ["lapsed", "asked"]
    table.ok("cid", "leave")
    assert how(table, "bob", "succeed") == ["lapsed", "asked"]


@pytest.mark.threat("T-75")
@pytest.mark.parametrize("do", UNSTOPPABLE)
def test_no_rule_stands_in_its_way_nor_does_it_for_anybody(found: Found, do: str) -> None:
    evil = rule(
        "2",
        f"def check_{do}(a):\n    refuse('E-NO', 'never')\ndef do_{do}(a):\n    refuse('E-NO', 'never')\n"
        f"def on_acted(e):\n    cancel('succession')\n    settle('succession/ann')\n"
        f"def do_go(a):\n    announce(try_act('{do}', 'bob').code)\n",
        actions={do: {}, "go": {}},
    )
    table = playing(found, evil, administrators=("ann",))
    assert [e["text"] for e in effects(table.ok("cid", "go"), "announce")] == ["E-PERSONAL"]
    assert how(table, "bob", "succeed") == ["asked"]
    if do == "oppose_succession":
        assert how(table, "cid", do) == ["opposed"]  # one of two
        assert how(table, "ann", "state", text="Here.") == ["ended"]
        return
    table.pass_time(SILENT)
    assert how(table, "bob", "succeed") == ["taken"]
    table.replay_all()


@pytest.mark.threat("T-75")
def test_a_paused_game_is_not_lost(found: Found) -> None:
    table = playing(found)
    table.ok("root", "pause")
    assert how(table, "bob", "succeed") == ["asked"]
    table.now += SILENT
    assert how(table, "bob", "succeed") == ["taken"]
    table.ok("bob", "resume")


@pytest.mark.threat("T-75")
def test_at_a_forge_it_is_said_where_the_players_talk(tmp_path: Path) -> None:
    town = Town(tmp_path)
    town.now += WAIT
    town.say("bob", 0, "/do succeed")
    town.referee(60)
    assert "bob asks to become an administrator" in town.said(0)
    assert "ann owes: “show by any act that you still administer this game" in town.said(0)
    assert ["ann"] in town.board.called(0, "owe")
    town.now += SILENT
    town.say("bob", 0, "/do succeed")
    town.referee(60)
    assert town.document("game")["administrators"][-1] == "bob"
    assert "asks to become" not in town.said(0)
    assert town.sound()


@pytest.mark.threat("T-75")
@pytest.mark.parametrize("act", ["state", "pause", "leave"])
def test_any_act_of_an_administrator_ends_it_and_where_all_have_left_the_wait_is_shorter(
    found: Found, act: str
) -> None:
    table = playing(found, administrators=("ann",))
    table.ok("bob", "succeed")
    assert table.document("things/duty")["succession/ann"]["by"] == table.now + SILENT
    table.pass_time(SILENT)
    assert how(table, "ann", act, **({"text": "Here."} if act == "state" else {})) == ["ended"]
    assert "succession/ann" not in table.document("things/duty")
    assert how(table, "bob", "succeed") == ["asked"]
    table.pass_time(WAIT)
    code = table.act("bob", "succeed").code
    assert code == ("" if act == "leave" else "E-TIME")
