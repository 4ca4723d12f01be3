"""What is typed wrongly by those who act, name players, vote, talk, sit down: a sentence each, and what to type instead."""

from __future__ import annotations

from tests.support.gathering import Gathering, Slip, not_told, slip, voted_on, withdrawn
from tests.support.meeting import git
from tests.support.moot import Moot

NOTHING_OPEN: tuple[Slip, ...] = (
    ("vote for", 2, "moot status"),
    ("vote 0 for", 2, "moot status"),
    ("vote approve 77", 2, "The number stands first", "moot vote 77 approve"),
    ("comment 6 hello", 2, "moot comment --on 6 hello"),
    ("act state txet=Hi.", 3, "did you mean text?"),
    ("act state Hear me", 2, 'moot act state "…"'),
    ("act stat Hear me", 1, "did you mean state?"),
    ("act --file key.yaml", 2, "that one person keeps"),
    ("withdraw 7", 1, "no pull request 7", "moot propose"),
    ("comment '  '", 2, "Say something"),
    ("join 9lives", 3, "you are bob in this game already"),
    ("key add key.yaml", 1, "ssh-keygen"),
    ("key add", 2, "moot key add FILE"),
    ("key remove key.yaml", 2, "'remove' is not one of 'add', 'revoke'"),
    ("key add none.pub", 1, "there is no file none.pub", "`ssh-keygen -t ed25519`"),
)
DEBATED: tuple[Slip, ...] = (
    ("act", 2, "Say what to do"),
    ("act finalise", 3, "rule 111: “you have no proposal that is being debated”", "[E-ORDER]", "--anyway"),
    ("act finalise porposal=301", 3, "takes no argument porposal, did you mean proposal?"),
    ("act finalise now", 2, "'now' means nothing here", "finalise takes proposal=…"),
    ("act notify mentions=of", 3, "mentions is one of (all, reminders, off); did you mean off?"),
    ("act remind hours=many", 3, "hours is a whole number, and 'many' is none"),
    ("act remind hours=3", 3, "[E-NOT-ADMINISTRATOR]"),
    ("act join id=ann", 3, "you are bob in this game already", "[E-DUP]"),
    ("act state x + finalise", 3, "As the game stands here", "no proposal that is being debated"),
    ("act state x + finalize", 1, "did you mean finalise?"),
    ("act state x +", 2, "A + stands between two acts"),
    ("act + finalise", 2, "A + stands between two acts"),
    ("act state x + + finalise", 2, "A + stands between two acts"),
    ("act state 'text=one\ntwo'", 1, "moot propose --with FILE"),
    ("act state text=x --on 9", 1, "there is no pull request 9"),
    ("act state x --by ann", 2, "--by, --at, --no-commit and --trust-clock have no place"),
    ("act state x --no-commit", 2, "have no place there"),
    ("act propose --repeal 206", 2, "`moot propose`"),
    ("act preview", 1, "there is no action preview", "`moot act --list`"),
    ("act vote choice=for choice=against", 2, "choice is given twice: as 'for' and as 'against'"),
    ("act vote choice=for proposal=310", 3, "310", "Nothing was sent"),
    ("act judge ruling=Yes named=an", 3, "named must be a player", "`moot act judge --help`"),
    ("act admit player=zed attributes=tall", 1, "tall is not read as a map", 'write it as {"ann": 5}'),
    ("vote for", 2, "No vote is open", "`moot vote 1 for` (Tea)"),
    ("vote 1", 2, "PULL and CHOICE", "moot vote 1 for"),
    ("vote one for", 2, "No vote is open"),
    ("vote 1 fro", 1, "is no choice of vote here", "did you mean for?"),
    ("vote 1 'not sure'", 1, "is no choice of vote here"),
    ("vote 1 'yes\n/do forfeit'", 1, "is no choice of vote here"),
    ("vote 1 for 'fine\n/do forfeit'", 1, "would be read as a command"),
    ("vote 1 for " + "x" * 80_000, 1, "cannot be sent"),
    ("vote 7 for", 1, "no pull request 7", "open: 1 (Tea)"),
    ("vote 302 for", 1, "there is no pull request 302", "open: 1 (Tea)"),
    ("vote --proposal 301 for", 3, "the vote on proposal 301 is not open yet", "--anyway"),
    ("vote --motion 34", 2, "Say CHOICE"),
    ("vote --motion 34 yes", 1, "there is no motion 34"),
    ("vote --motion 34 --proposal 3 yes", 2, "one thing at a time"),
    ("vote --petition=x12 yes", 1, "no petition x12"),
    ("vote --motion 301 for", 1, "no motion 301", "moot vote --proposal 301 CHOICE"),
    ("vote 1 for --proposal 301", 1, "'1' is no choice of vote"),
    ("comment /do finalise", 3, "no proposal that is being debated", "Nothing was sent"),
    ("comment --on 1 /vot for", 3, "did you mean /vote?"),
    ("comment --on 1 /vote for proposal=301 proposal=302", 3, "proposal is given twice"),
    ("withdraw 1", 1, "Ann's, not yours", "moot vote PULL against"),
)  # fmt: skip
OPEN: tuple[Slip, ...] = (
    ("vote 1 for --dryrun", 2, "No such option '--dryrun'", "Did you mean"),
    ("vote 1 for -m 'It is time'", 2, '`moot vote 7 for "…"`'),
    ("vote 1 maybe", 1, "as in `moot vote 1 for`"),
    ("vote maybe", 1, "as in `moot vote 1 for`"),
    ("vote 1 fro", 1, "choose for, against, abstain", "did you mean for?"),
    ("vote --proposal 301 fro", 1, "did you mean for?"),
    ("act vote for", 2, "vote takes choice=", "`moot act vote --help`"),
    ("act throw_die 6", 2, "throw_die takes no arguments"),
    ("act state -m Hello", 2, 'no option before it, as in `moot act state "…"`'),
    ("act state --text hi", 2, "`moot act ACTION text=…`"),
    ("act STATE hi", 1, "did you mean state?"),
    ("comment", 2, "`moot comment --on 7 "),
    ("comment -m Hello", 2, 'no option before it, as in `moot comment "…"`'),
    ("withdraw", 2, "Missing argument", "`moot withdraw 7 "),
)
STRANGER: tuple[Slip, ...] = (
    ("vote 1 for", 3, "Eve is no player of this game", "`moot join`"),
    ("key", 0, "no player of"),
    ("join bob", 3, "bob is or was a player here"),
    ("join 'Eve E'", 3, "use letters"),
    ("join ANN", 3, "ask for another"),
    ("join con", 3, "some systems"),
    ("join 7up", 3, "starting with a letter"),
)
KEPT_BY_ONE: tuple[Slip, ...] = (
    ("vote 1 for", 1, "is kept by one person"),
    ("vote for", 1, "is kept by one person", "`moot act ACTION --by PLAYER`"),
    ("withdraw 1", 1, "is kept by one person"),
    ("act", 2, "--by PLAYER where one person keeps the game"),
    ("act vote --by ann for against", 2, "are written name=value, and vote takes choice"),
    ("act state x --by ann --at yesterday", 1, "'yesterday' is no point in time", "+2h"),
    ("act state x --by ann --at 2026-13-01T00:00:00Z", 1, "no point in time", "UTC"),
    ("act state x --by ann --at 2001-01-01T00:00:00Z", 1, "lies before the last entry", "no earlier"),
    ("act state x --by ann --on 1", 2, "kept by one person"),
    ("act dance --by ann", 1, "there is no action dance"),
    ("act finalize --by ann", 1, "did you mean finalise?"),
    ("act finalise porposal=301 --by ann", 3, "did you mean proposal?", "`--anyway` records it"),
    ("act finalise title now --by ann", 2, "means nothing here", "finalise takes proposal=…"),
    ("act vote choice=for proposal=999 --by ann", 3, "there is no proposal 999"),
    ("act vote choice=agianst --by ann", 3, "hint: "),
    ("act comment --by ann", 3, "hint: "),
    ("act propose title=Tea --by ann", 3, "hint: "),
    ("act propose --by ann --transmute 101=mutabel title=Looser", 1, "they are immutable or mutable"),
    ("act propose --by ann --from markt", 1, "did you mean market?"),
    ("act propose --by ann title=Same --rule state/table/rules/206.yaml", 1, "as it is in force"),
    ("referee --until 2001-01-01T00:00:00Z", 1, "before the last entry", "forward only"),
    ("vote 1 for --game chess", 2, "no game 'chess'"),
)


def test_where_nothing_is_open(gathering: Gathering) -> None:
    gathering.file("key.yaml", "title: Tea\ntxet: There is tea.\n")
    slip(gathering, NOTHING_OPEN)


def test_while_a_proposal_is_debated(gathering: Gathering) -> None:
    gathering.tea()
    gathering.referee()
    slip(gathering, DEBATED)
    slip(gathering, STRANGER, "eve")
    assert gathering.letters("bob") == gathering.letters("eve") == []


def test_while_a_vote_is_open(gathering: Gathering) -> None:
    voted_on(gathering)
    git(gathering.clone("bob"), "pull", "--quiet")
    slip(gathering, OPEN)


def test_after_its_pull_request_was_closed(gathering: Gathering) -> None:
    withdrawn(gathering)
    said = gathering.moot("bob", "vote", "for").out
    assert "This is on proposal 301" in said, "it goes on without its pull request"
    assert "Voted for on proposal 301" in said
    assert "Said on pull request 1, “Tea”." in gathering.moot("bob", "comment", "--on", "1", "A pity.").out


def test_in_a_game_that_one_person_keeps(table: Moot) -> None:
    wrong = not_told(table, KEPT_BY_ONE)
    assert not wrong, "\n\n".join(wrong)
    assert len(table("log", "--json").record["log"]) == 1, "nothing of it is recorded"
    said = table("act", "state", "x", "--by", "an").err
    assert "ann, bob, cid" in said
