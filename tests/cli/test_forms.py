"""`moot init --forms`: written from the rules, again when they change, and never over what people wrote."""

from __future__ import annotations

from pathlib import Path

from folkmoot.game.session import Session
from tests.support.moot import Moot

ACT = Path(".github/ISSUE_TEMPLATE/act.yml")


def on_github(moot: Moot) -> None:
    home = "home=https://github.com/ann/table"
    assert moot("act", "use_forge", "--by", "ann", "forge=github", home).code == 0


def test_forms_are_written_and_stay_in_step(table: Moot) -> None:
    said = table("init", "--forms")
    assert said.code == 1
    assert "no game here is played on a forge that has forms" in said.err
    on_github(table)
    assert table("init", "--forms", "--check").code == 1
    assert not ACT.exists()
    assert str(ACT) in table("init", "--forms", "--json").record["written"]
    assert "- throw_die" in ACT.read_text("utf-8")
    assert table("init", "--forms", "--check").code == 0
    assert table("init", "--forms", "--json").record == {"forge": "github", "written": [], "kept": []}


def test_forms_of_ones_own_are_left_alone(table: Moot) -> None:
    on_github(table)
    ACT.parent.mkdir(parents=True)
    ACT.write_text("name: Mine\n", "utf-8")
    said = table("init", "--forms")
    assert said.code == 0
    assert "written by hand" in said.err + said.out
    assert ACT.read_text("utf-8") == "name: Mine\n"
    assert table("init", "--forms", "--check").code == 0


def test_forms_follow_the_rules(table: Moot) -> None:
    on_github(table)
    assert table("init", "--forms").code == 0
    feed = {"title": "Dragon", "text": "x", "script": "def do_feed(a):\n    pass\n", "actions": {"feed": {}}}
    with Session.open(Path("state/table"), writing=True) as session:
        args = {"changes": [{"enact": feed}], "why": "a dragon came"}
        assert session.act("ann", "repair", args, at=session.at).accepted
    assert table("init", "--forms", "--check", "--json").record == {"forge": "github", "stale": [str(ACT)]}
    assert table("init", "--forms", "--json").record["written"] == [str(ACT)]
    assert "- feed\n" in ACT.read_text("utf-8")


def test_the_pages_lead_to_the_forge(table: Moot) -> None:
    assert table("serve", "--build").code == 0
    page = Path("site/table/law/101.html")
    assert "fm-outward" not in page.read_text("utf-8")
    on_github(table)
    assert table("serve", "--build").code == 0
    assert "https://github.com/ann/table/edit/main/state/table/rules/101.yaml" in page.read_text("utf-8")
    act = Path("site/table/act.html").read_text("utf-8")
    assert "https://github.com/ann/table/issues/new?template=act.yml&amp;action=throw_die" in act
