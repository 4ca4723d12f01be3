"""What people may send by mistake or malice, on plain git: the game stays as it is, and the comment says why."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pygit2
import pytest
from msgspec.structs import replace

from folkmoot.core.limits import LIMITS
from folkmoot.forges.local.letters import Letter
from folkmoot.referee import run
from folkmoot.referee.report import PushLimits
from tests.support.abuse import DAY, HERE, adopted, quick, unchanged
from tests.support.meeting import PLAYERS, START, rule
from tests.support.quick import FORGE, SMALL, QuickMeeting
from tests.support.signed_letters import keyed, keys, public, signed, voting

__all__ = ["keyed", "keys", "quick", "voting"]


# -- what a pull request holds


def link(quick: QuickMeeting, path: str, mode: int, to: bytes = b"/etc/passwd") -> str:
    """Return a commit in which something that is no plain file lies beside the rules."""
    repo = quick.repo
    target = quick.tip() if mode == pygit2.enums.FileMode.COMMIT else str(repo.create_blob(to))
    names = path.split("/")
    trees = [repo[quick.tip()].peel(pygit2.Tree)]
    for name in names[:-1]:
        trees.append(trees[-1][name])  # type: ignore[arg-type]
    made, kind = pygit2.Oid(hex=target), mode
    for tree, name in zip(reversed(trees), reversed(names), strict=True):
        builder = repo.TreeBuilder(tree)
        builder.insert(name, made, kind)
        made, kind = builder.write(), int(pygit2.enums.FileMode.TREE)
    who = quick.signature("ann")
    return str(repo.create_commit(None, who, who, "Odd", made, [quick.tip()]))


@pytest.mark.threat("T-09")
@pytest.mark.parametrize(
    ("mode", "word"),
    [
        (pygit2.enums.FileMode.LINK, "symbolic link"),
        (pygit2.enums.FileMode.COMMIT, "submodule"),
        (pygit2.enums.FileMode.BLOB_EXECUTABLE, "executable"),
    ],
)
def test_symlinks_submodules_and_programs(quick: QuickMeeting, mode: pygit2.enums.FileMode, word: str) -> None:
    pull = quick.pull(link(quick, f"{HERE}/rules/x.yaml", int(mode)))
    with unchanged(quick):
        quick.referee()
    assert word in quick.said(pull)


@pytest.mark.threat("T-05")
@pytest.mark.parametrize(
    "path",
    [
        f"{HERE}/rules/X.yaml",
        f"{HERE}/rules/1.YAML",
        f"{HERE}/rules/а.yaml",
        f"{HERE}/rules/con.yaml",
        f"{HERE}/Rules/x.yaml",
        "State/moor/rules/x.yaml",
        f"{HERE}/journal/000/000003.yaml",
        f"{HERE}/things/player.yaml",
        f"{HERE}/game.yaml",
        f"{HERE}/head.yaml",
        f"{HERE}/inbox/x.sh",
        "README.md",
        ".gitattributes",
    ],
)
def test_anything_beside_rules_and_inbox(quick: QuickMeeting, path: str) -> None:
    files = {path: rule("A dragon"), f"{HERE}/rules/x.yaml": rule("X")}
    pull = quick.pull(quick.change("ann", files))
    with unchanged(quick):
        quick.referee()
    assert "This cannot be taken" in quick.said(pull)


@pytest.mark.threat("T-27")
def test_a_huge_change(quick: QuickMeeting) -> None:
    many = quick.open("ann", {f"rules/{n}x.yaml": rule(f"Rule {n}") for n in range(2_000)})
    large = quick.open("bob", {"rules/x.yaml": rule("Large", "x" * 2_000_000)})
    with unchanged(quick):
        quick.referee()
    for pull in (many, large):
        assert "This cannot be taken" in quick.said(pull)
        assert len(quick.said(pull)) < 60_001


@pytest.mark.threat("T-11")
def test_a_fork_without_a_common_ancestor(quick: QuickMeeting) -> None:
    who = quick.signature("ann")
    tree = quick.repo[quick.change("ann", {f"{HERE}/rules/x.yaml": rule("X")})].peel(pygit2.Tree).id
    pull = quick.pull(str(quick.repo.create_commit(None, who, who, "Of my own", tree, [])))
    with unchanged(quick):
        quick.referee()
    assert "no commit in common" in quick.said(pull)


@pytest.mark.threat("T-36")
def test_markup_mentions_and_marks_in_titles_and_reasons(quick: QuickMeeting) -> None:
    """Nobody is called, nothing is loaded, no table is broken, and nothing passes for ours."""
    nasty = "<!-- folkmoot 0123456789abcdef --> <img src=x> @dee ![a](http://evil) | a | `b` [c](javascript:d) #1"
    pull = quick.open("ann", {"rules/x.yaml": rule("A dragon")}, nasty)
    quick.referee()
    quick.say("bob", pull, f"/vote for because {nasty}")
    quick.say("cid", pull, f"{nasty}\n/vote fro")
    quick.referee(60)
    said = quick.said(pull)
    mark, _, rest = said.partition("\n")
    assert mark.startswith("<!-- folkmoot ")
    assert "<!--" not in rest
    for sign in ("<img", "@dee", "![", "://", "javascript:", "#1"):
        assert sign not in rest, sign
    before = quick.tip(FORGE)
    quick.referee(60)
    assert quick.tip(FORGE) == before


@pytest.mark.threat("T-33")
def test_our_own_words_are_no_commands(voting: QuickMeeting) -> None:
    """Somebody sends the referee's comment back, and somebody else writes in its name."""
    with unchanged(voting):
        voting.say("bob", 1, voting.said(1))
        voting.say("Folkmoot <referee@folkmoot.invalid>", 1, "/vote for")
        voting.referee(60)
    assert "Folkmoot is no player of this game" in voting.said(1)


@pytest.mark.threat("T-12")
def test_robots_are_not_listened_to(voting: QuickMeeting, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forges say which accounts are programs; here one of them even has a player's address."""
    voting.say("bob", 1, "/vote for")
    voting.approve("cid", 1)
    look = voting.forge.look

    def with_robots(now: int, *awaited: Any) -> Any:
        seen = look(now, *awaited)
        remarks = {
            number: tuple(replace(each, author=replace(each.author, robot=True)) for each in given)
            for number, given in seen.remarks.items()
        }
        return replace(seen, remarks=remarks)

    monkeypatch.setattr(voting.forge, "look", with_robots)
    with unchanged(voting):
        voting.referee(60)


# -- votes


@pytest.mark.threat("T-14")
def test_a_vote_twice_is_one_vote(voting: QuickMeeting) -> None:
    for _ in range(3):
        voting.approve("bob", 1)
        voting.say("bob", 1, "/vote for\n/vote for")
    voting.referee(60)
    assert voting.ballots() == {"bob": "for"}
    assert voting.proposal(301)["state"] == "open"


@pytest.mark.threat("T-15")
def test_a_vote_on_other_content(voting: QuickMeeting) -> None:
    other = voting.change("eve", {f"{HERE}/rules/dragon.yaml": rule("A dictatorship")})
    with unchanged(voting):
        voting.approve("bob", 1, head=other)
        voting.approve("cid", 1, head="12" * 20)
        voting.referee(60)
    assert voting.said(1).count("it was made on other content than what is voted on") == 2


@pytest.mark.threat("T-20")
def test_the_deadline_to_the_second(voting: QuickMeeting) -> None:
    """The second at which a vote ends is still in time, the next one is not."""
    end = START + 7 * DAY
    voting.now = end
    voting.approve("bob", 1)
    voting.referee()
    assert voting.ballots() == {"bob": "for"}
    assert voting.proposal(301)["state"] == "open"
    voting.now = end + 1
    voting.approve("cid", 1)
    voting.referee()
    assert voting.ballots() == {"bob": "for"}
    assert voting.proposal(301)["outcome"] == "defeated"
    assert "cid, vote" in voting.said(1)


@pytest.mark.threat("T-20")
def test_a_clock_set_back_brings_nobody_in_time(voting: QuickMeeting) -> None:
    voting.now = START + 8 * DAY
    voting.referee()
    voting.now = START + 60
    voting.approve("bob", 1)
    voting.referee()
    assert voting.ballots() == {}
    assert voting.sound()


def test_who_leaves_has_no_vote_and_who_comes_back_is_the_same(voting: QuickMeeting) -> None:
    voting.say("bob", 0, "/leave")
    voting.referee(60)
    with unchanged(voting):
        voting.approve("bob", 1)
        voting.referee(60)
    assert "is no player of this game" in voting.said(1)


@pytest.mark.threat("T-16")
def test_editing_and_deleting_what_counted(voting: QuickMeeting) -> None:
    edited = voting.say("bob", 1, "/vote for")
    deleted = voting.say("cid", 1, "/vote against")
    voting.referee(60)
    voting.send("bob", Letter(pull=1, kind="edit", of=edited, body="/vote against"))
    voting.send("cid", Letter(pull=1, kind="delete", of=deleted))
    with unchanged(voting):
        voting.referee(60)
    assert voting.ballots() == {"bob": "for", "cid": "against"}
    assert "bob, a remark was edited after it counted: what was recorded stands" in voting.said(1)
    assert "cid, a remark was deleted after it counted: what was recorded stands" in voting.said(1)


def test_editing_or_deleting_another_s_letter(voting: QuickMeeting) -> None:
    sent = voting.say("bob", 1, "/vote for")
    voting.send("eve", Letter(pull=1, kind="edit", of=sent, body="/vote against"))
    voting.send("eve", Letter(pull=1, kind="delete", of=sent))
    voting.referee(60)
    assert voting.ballots() == {"bob": "for"}
    assert [note.why for note in voting.forge.ignored()] == ["only Bob may edit that", "only Bob may delete that"]


# -- histories


def test_letters_that_are_rewritten_after_they_counted(voting: QuickMeeting) -> None:
    voting.say("bob", 1, "/vote for")
    voting.referee(60)
    voting.put(chain_of(voting, "bob"), "")
    with unchanged(voting):
        voting.referee(60)
    assert voting.ballots() == {"bob": "for"}
    assert "a remark was deleted after it counted" in voting.said(1)
    voting.say("bob", 1, "/vote against")
    voting.referee(60)
    assert voting.ballots() == {"bob": "against"}


def chain_of(quick: QuickMeeting, person: str) -> str:
    """Return the ref of somebody's letters."""
    return next(name for name in quick.repo.references if name.startswith(f"refs/moot/letters/{person}"))


@pytest.mark.threat("T-19")
def test_a_pull_request_whose_ref_is_deleted(voting: QuickMeeting) -> None:
    voting.approve("bob", 1)
    voting.referee(60)
    head = voting.head(1)
    voting.put("refs/pull/1/head", "")
    for voter in ("ann", "cid", "dee"):
        voting.send(voter, Letter(pull=1, kind="approve", head=head))
    voting.referee(60)
    assert voting.proposal(301)["outcome"] == "adopted"
    assert head in [str(each) for each in voting.repo[voting.tip()].parent_ids]


@pytest.mark.threat("T-15")
def test_a_pull_request_that_is_forced_to_other_content_and_back(voting: QuickMeeting) -> None:
    first = voting.head(1)
    voting.put("refs/pull/1/head", voting.change("ann", {f"{HERE}/rules/dragon.yaml": rule("Another")}))
    voting.referee(60)
    voting.put("refs/pull/1/head", first)
    voting.approve("bob", 1)
    voting.referee(60)
    assert voting.ballots() == {"bob": "for"}
    assert len([entry for entry in voting.journal() if entry["do"] == "propose"]) == 1


@pytest.mark.threat("T-19")
def test_a_pull_request_taken_over_by_somebody_else(voting: QuickMeeting) -> None:
    voting.put("refs/pull/1/head", voting.change("eve", {f"{HERE}/rules/dragon.yaml": rule("Eve rules")}))
    with unchanged(voting):
        voting.referee(60)
    assert "it was pushed by Eve, and the pull request is ann" in voting.said(1)


def test_a_base_that_moved_keeps_the_ballots(voting: QuickMeeting) -> None:
    voting.approve("bob", 1)
    voting.referee(60)
    adopted(voting, "cid", rbog=rule("A bog"))
    rebased = voting.change("ann", {f"{HERE}/rules/dragon.yaml": rule("A dragon")}, "Again, on top")
    voting.put("refs/pull/1/head", rebased)
    voting.approve("dee", 1, head=rebased)
    voting.referee(60)
    assert voting.ballots() == {"bob": "for", "dee": "for"}
    assert "newer content" not in voting.said(1)


# -- who somebody is


@pytest.mark.threat("T-17")
def test_a_forged_author_has_no_signature(keyed: QuickMeeting, keys: dict[str, Path]) -> None:
    """Eve writes as Ann: without a signature, and with one of her own."""
    keyed.say("ann", 1, "/vote against")
    signed(keyed, keys["eve"], Letter(pull=1, kind="comment", body="/vote against"))
    keyed.say("ann", 0, f'/do revoke_key key="{public(keys["ann"])}"')
    keyed.say("ann", 0, "/leave")
    keyed.say("ann", 0, "/join")
    forged = keyed.propose("ann", "Ann resigns")
    with unchanged(keyed):
        keyed.referee()
    assert "it carries no good signature, and ann signs what they send" in keyed.said(1)
    assert "it is signed with a key that is not ann's" in keyed.said(1)
    assert "no good signature" in keyed.said(0)
    assert "no good signature" in keyed.said(forged)
    signed(keyed, keys["ann"], Letter(pull=1, kind="comment", body="/vote for"))
    keyed.referee(60)
    assert keyed.ballots() == {"ann": "for"}


@pytest.mark.threat("T-17")
def test_a_key_that_was_withdrawn(keyed: QuickMeeting, keys: dict[str, Path]) -> None:
    """What was signed with it counts until it was withdrawn, whatever date a commit claims."""
    signed(keyed, keys["ann"], Letter(pull=1, kind="comment", body="/vote for"))
    keyed.referee()
    signed(keyed, keys["ann"], Letter(pull=0, kind="comment", body=f'/do add_key key="{public(keys["new"])}"'))
    signed(keyed, keys["ann"], Letter(pull=0, kind="comment", body=f'/do revoke_key key="{public(keys["ann"])}"'))
    keyed.referee(60)
    keyed.now -= 1_000
    signed(keyed, keys["ann"], Letter(pull=1, kind="comment", body="/vote against"))
    keyed.now += 2_000
    with unchanged(keyed):
        keyed.referee()
    assert "its key was withdrawn by ann before it arrived" in keyed.said(1)
    assert keyed.ballots() == {"ann": "for"}
    signed(keyed, keys["new"], Letter(pull=1, kind="comment", body="/vote against"))
    keyed.referee(60)
    assert keyed.ballots() == {"ann": "against"}


@pytest.mark.threat("T-17")
def test_a_letter_that_is_sent_again_by_somebody_else(keyed: QuickMeeting, keys: dict[str, Path]) -> None:
    """Eve pushes Ann's old signed letter under a name of her own, alone and inside of a chain."""
    old = signed(keyed, keys["ann"], Letter(pull=1, kind="comment", body="/vote for"))
    signed(keyed, keys["ann"], Letter(pull=1, kind="comment", body="/vote against"))
    keyed.referee()
    keyed.put("refs/moot/letters/eve", old)
    with unchanged(keyed):
        keyed.referee(60)
    keyed.send("eve", Letter(pull=1, kind="comment", body="hello"), chain="eve")
    with unchanged(keyed):
        keyed.referee(60)
    assert keyed.ballots() == {"ann": "against"}


def test_a_pull_request_signed_by_its_author_is_closed_by_em_alone(keyed: QuickMeeting, keys: dict[str, Path]) -> None:
    who = {"GIT_AUTHOR_NAME": "Ann", "GIT_AUTHOR_EMAIL": "ann@x.org"}
    content = keyed.change("ann", {f"{HERE}/rules/x.yaml": rule("Signed")}, "Signed")
    words = ["-c", "gpg.format=ssh", "-c", f"user.signingkey={keys['ann']}", "commit-tree", "-S", f"{content}^{{tree}}"]
    command = ["git", "-C", str(keyed.bare), *words, "-p", keyed.tip(), "-m", "Signed"]
    environment = {**who, "GIT_COMMITTER_NAME": "Ann", "GIT_COMMITTER_EMAIL": "ann@x.org", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    pull = keyed.pull(done.stdout.strip())
    keyed.referee(60)
    assert keyed.proposal(302)["author"] == "ann"
    keyed.send("ann", Letter(pull=pull, kind="close"))
    with unchanged(keyed):
        keyed.referee(60)
    signed(keyed, keys["ann"], Letter(pull=1, kind="comment", body="/withdraw"))
    signed(keyed, keys["ann"], Letter(pull=pull, kind="close"))
    keyed.referee(60)
    assert keyed.proposal(302)["outcome"] == "withdrawn"


@pytest.mark.threat("T-13")
@pytest.mark.parametrize(
    "ask", ["/join id=root", "/do join id=root", '/do add_key player=bob key="ssh-ed25519 {}"', "/join id=Root"]
)
def test_nobody_takes_an_administrator_s_name(tmp_path: Path, ask: str) -> None:
    """Root keeps the game and does not play; a stranger who calls themselves so is a stranger."""
    quick = QuickMeeting(tmp_path, law={**SMALL, "administrators": ["root"]})
    quick.say("root <eve@x.org>", 0, ask.replace("{}", "A" * 68))
    quick.referee()
    roster = quick.document("roster")
    assert "root" not in {player.lower() for player in roster}
    assert not roster["bob"].get("keys")
    assert "root" in quick.said(0)


def test_a_former_player_comes_back_with_eir_own_key_only(keyed: QuickMeeting, keys: dict[str, Path]) -> None:
    signed(keyed, keys["ann"], Letter(pull=0, kind="comment", body="/leave"))
    keyed.referee()
    keyed.now += 60
    keyed.say("ann", 0, "/join")
    with unchanged(keyed):
        keyed.referee()
    assert "it carries no good signature" in keyed.said(0)


# -- how much


@pytest.mark.threat("T-30")
def test_refusals_are_recorded_up_to_a_number_a_day(quick: QuickMeeting) -> None:
    for _ in range(70):
        quick.say("bob", 0, "/give to=ann amount=99")
    quick.referee()
    refused = [entry for entry in quick.journal() if entry.get("code")]
    assert len(refused) == LIMITS["refused_acts_a_day"].default
    assert "50 acts of bob were refused today" in quick.said(0)
    with unchanged(quick):
        quick.referee(60)
    quick.say("bob", 0, "/give to=ann amount=99")
    quick.referee(DAY)
    assert len([entry for entry in quick.journal() if entry.get("code")]) == LIMITS["refused_acts_a_day"].default + 1


@pytest.mark.threat("T-30")
def test_a_run_takes_no_more_than_so_much(quick: QuickMeeting, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest is taken by the next runs, in the same order, as if it had been one."""
    monkeypatch.setattr(run, "PushLimits", lambda: PushLimits(10))
    for number in range(35):
        quick.say(PLAYERS[number % 4], 0, f"/do state text={number}")
    reports = [quick.referee(1) for _ in range(5)]
    assert [report.entries for report in reports] == [10, 10, 10, 5, 0]
    assert [report.more for report in reports] == [True, True, True, False, False]
    texts = [entry["with"]["text"] for entry in quick.journal() if entry["do"] == "state"]
    assert [int(text) for text in texts] == sorted(range(35), key=lambda n: (n % 4, n))
    assert quick.sound()


@pytest.mark.threat("T-20")
def test_a_deadline_waits_for_what_arrived_before_it(quick: QuickMeeting, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that has taken its share does not let the clock go on over what it left."""
    monkeypatch.setattr(run, "PushLimits", lambda: PushLimits(5))
    quick.propose("ann")
    quick.referee()
    for number in range(9):
        quick.say("bob", 0, f"/do state text={number}")
    for voter in PLAYERS[:3]:
        quick.approve(voter, 1)
    quick.forge.look(quick.now)
    quick.now = START + 30 * DAY
    while quick.referee().more:
        pass
    assert quick.ballots() == {"ann": "for", "bob": "for", "cid": "for"}
    assert quick.proposal(301)["outcome"] == "adopted"


@pytest.mark.threat("T-26")
def test_hundreds_of_pull_requests_of_strangers(quick: QuickMeeting) -> None:
    heads = quick.change("eve", {f"{HERE}/rules/x.yaml": rule("Eve")})
    for number in range(1, 401):
        quick.put(f"refs/pull/{number}/head", heads)
    with unchanged(quick):
        quick.referee()
    quick.propose("ann", "A dragon")
    quick.referee(60)
    assert quick.proposal(301)["author"] == "ann"
    answered = [number for number in range(1, 401) if quick.said(number)]
    assert answered
    assert len(answered) <= 400
