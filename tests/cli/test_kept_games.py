"""A game that one person keeps: acts are recorded at once, dice are thrown here, and the clock goes on when it is told to."""

from __future__ import annotations

from pathlib import Path

from tests.support.meeting import git
from tests.support.moot import DRAGON, Moot, adopt_dragons, write
from tests.support.silence import lasting, quiet


def state(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*.yaml") if "journal" not in path.parts and path.name != "head.yaml")
    return {str(path): path.read_bytes() for path in files}


def test_a_turn_is_played_from_the_command_line(table: Moot) -> None:
    for words in (("propose", "title=Dragons", "--rule", write("dragons.yaml", DRAGON)), ("finalise",)):
        assert table("act", "-b", "ann", *words).code == 0
    assert table("act", "vote", "-b", "bob", "choice=for").code == 0
    (proposal,) = table("status", "--json").record["open"]
    assert (proposal["state"], proposal["voted"], proposal["missing"]) == ("open", ["bob"], ["ann", "cid"])
    duties = table("status", "--json").record["duties"]
    assert [duty["player"] for duty in duties] == ["ann", "cid"]
    assert "not yet: ann, cid" in table("status").out
    for player in ("ann", "cid"):
        assert table("act", "vote", "-b", player, "choice=for").code == 0
    assert "There are dragons" in Path("state/table/rules/301.yaml").read_text("utf-8")
    said = table("act", "feed", "--by", "cid", "food=grass")
    assert (said.code, "fed a dragon" in said.out) == (0, True)
    record = table("explain", "cid", "score", "--json").record
    assert record["now"] == 1
    assert [(c["applied"], c["rule"], c["by"]) for c in record["changes"]] == [(1, "301", "cid")]
    assert table("verify").code == 0
    before = table("status", "--json").record["seq"]
    said = table("referee", "--until", "+1s", "--json")
    assert (said.code, said.record) == (0, {"entries": [], "dry_run": False}), "what changes nothing writes nothing"
    assert table("status", "--json").record["seq"] == before


def test_what_would_be_refused_is_held_back_and_recorded_anyway(table: Moot) -> None:
    before, head = state(Path("state")), table("status", "--json").record["seq"]
    words = ("act", "propose", "-b", "bob", "title=X", "--rule", write("dragons.yaml", DRAGON))
    said = table(*words)
    assert said.code == 3
    assert "The referee would refuse it: " in said.err
    assert "[E-ORDER]" in said.err
    assert "Nothing was recorded. `--anyway` records it all the same." in said.err
    assert table("status", "--json").record["seq"] == head
    record = table(*words, "--json", "--anyway")
    assert (record.code, record.record["accepted"], record.record["code"]) == (3, False, "E-ORDER")
    assert state(Path("state")) == before, "a refusal changes nothing but the record"
    assert "Nothing was recorded." in table("act", "state", "Hear me.", "--by", "ann", "--dry-run").out
    acts = ("act", "state", "one", "+", "state", "two", "+", "finalise", "+", "state", "three", "--by", "ann")
    assert (table(*acts).code, table("status", "--json").record["seq"]) == (3, head + 1)
    said = table(*acts, "--anyway")
    assert (said.code, table("status", "--json").record["seq"]) == (3, head + 4)
    assert "Not done, because it comes after that: state." in said.err


def test_a_rule_that_cannot_work_is_recorded_only_anyway(table: Moot) -> None:
    words = ("act", "propose", "--by", "ann", "title=Tea", "--rule", write("tea.yaml", DRAGON.replace("(a):", "(a)")))
    said = table(*words)
    assert (said.code, "E-SCRIPT" in said.err, "nothing was recorded" in said.err) == (1, True, True)
    assert table(*words, "--anyway").code == 0


def test_proposals_keep_comments_and_recipes_their_source(table: Moot) -> None:
    copy = write("206.yaml", Path("state/table/rules/206.yaml").read_text("utf-8").replace("-10", "-20"))
    said = table("act", "propose", "-b", "ann", "title=Harsher", "--rule", copy, "--json")
    (change,) = said.record["entry"]["with"]["changes"]
    assert (change["amend"], "-20" in change["script"]) == ("206", True), "a changed copy of a rule amends it"
    assert set(change) == {"amend", "script", "source"}
    assert table("new", "fair", "-r", "suber", "-p", "ann").code == 0
    text = DRAGON.replace("defines:", "# How often is what the tax office wants to know.\ndefines:")
    for typed in (("propose", "title=D", "--rule", write("d.yaml", text)), ("finalise",), ("vote", "choice=YES")):
        assert table("act", "-g", "fair", "-b", "ann", *typed).code == 0
    assert "# How often is what" in Path("state/fair/rules/301.yaml").read_text("utf-8")
    assert table("verify", "-g", "fair").code == 0
    assert "market " in table("act", "-g", "fair", "propose", "--from").out
    said = table(
        "act", "-g", "fair", "propose", "-b", "ann", "title=A market", "--from", "market", "--json", "--anyway"
    )
    (change,) = said.record["entry"]["with"]["changes"]
    assert change["enact"]["title"] == "The market"
    assert change["enact"]["source"].startswith("title: The market\n")


def test_dice_with_a_secret_can_be_checked_once_it_is_opened(table: Moot) -> None:
    secrets = Path(".git/folkmoot/table.secret")
    assert table("act", "open_epoch", "--by", "ann").code == 0
    assert "close it first" in table("act", "open_epoch", "--by", "ann").err
    assert secrets.stat().st_mode & 0o077 == 0
    adopt_dragons(table)
    secret = secrets.read_bytes()
    secrets.unlink()
    assert table("act", "throw_die", "-b", "ann").code != 0, "the secret is elsewhere"
    secrets.write_bytes(secret)
    (draw,) = table("act", "throw_die", "-b", "ann", "--json").record["entry"]["draws"]
    assert draw["source"] == "epoch 1"
    assert "1 draw waits for the secret" in table("verify").out
    assert table("act", "close_epoch", "--by", "ann").code == 0
    assert not secrets.exists()
    assert "1 draw of an opened chance epoch" in table("verify").out


# -- the clock


NOISY = {**quiet(2), "script": "def on_bell1(e):\n    announce('ding')\n"}


def test_very_many_ticks_are_told_in_short(moot: Moot, tmp_path: Path) -> None:
    lasting(tmp_path / "state" / "bells", NOISY)

    def bells(*words: str) -> list[str]:
        said = moot(*words, "--no-commit")
        assert said.code == 0
        return said.out.splitlines()

    assert len([line for line in bells("referee", "--until", "+9d") if "bell1" in line]) == 9
    lines = bells("referee", "--until", "+100d")
    assert len(lines) < 25
    assert any(line.startswith("… 94 more entries from 2026-") for line in lines)
    lines = bells("act", "state", "--by", "ann", "text=x", "--at", "+100d")
    assert len(lines) < 30
    assert lines[-1].endswith("statement on record")


RULE = """\
title: Ripening
rule: "1"
text: After ten days a pear is ripe.
timers: {ripe: {every: 10 days, starting: 2026-01-11}}
script: |
  def on_ripe(e):
      announce("A pear is ripe.")
"""


def test_a_dry_run_tells_what_the_clock_will_bring_where_a_referee_keeps_it(moot: Moot) -> None:
    Path("pear/rules").mkdir(parents=True)
    write("pear/ruleset.yaml", "ruleset: pear\ntitle: Pear\n")
    write("pear/rules/1.yaml", RULE)
    founded = ("-r", "./pear", "-p", "ann", "--forge", "local", "--at", "2026-01-01T12:00:00Z", "--no-commit")
    assert moot("new", "g", "-r", "suber", *founded).code == 0
    before = {path: path.read_bytes() for path in Path("state").rglob("*") if path.is_file()}
    refused = moot("referee", "--until", "+25d", "--no-commit")
    assert refused.code != 0
    assert "--dry-run" in refused.err
    done = moot("referee", "--until", "+25d", "--dry-run")
    assert (done.code, done.out.count("A pear is ripe")) == (0, 2), done
    assert "Nothing was recorded" in done.out + done.err
    assert {path: path.read_bytes() for path in Path("state").rglob("*") if path.is_file()} == before


ANN = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")


def test_what_was_changed_by_hand_is_shown_taken_back_or_put_on_record(table: Moot) -> None:
    rule = Path("state/table/rules/208.yaml")
    before = rule.read_text("utf-8")
    rule.write_text(before.replace("winner", "victor"), "utf-8")
    shown = table("verify", "--repair")
    assert (shown.code, "`git checkout -- state/table`" in shown.out) == (4, True)
    git(Path.cwd(), *ANN, "commit", "-qam", "By hand")
    assert table("verify").code == table("verify", "--repair").code == 4
    assert table("verify", "--repair", "revert").code == 0
    assert (rule.read_text("utf-8"), table("verify").code) == (before, 0)
    rule.write_text(before.replace("winner", "victor"), "utf-8")
    git(Path.cwd(), *ANN, "commit", "-qam", "By hand again")
    assert table("verify", "--repair", "record", "--by", "ann", "--why", "A slip").code == 0
    assert ("victor" in rule.read_text("utf-8"), table("verify").code) == (True, 0)
