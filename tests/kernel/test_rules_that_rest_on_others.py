"""Finding W9: a rule lost its whole effect, or failed, when another fell on which only a part of it rests.

Every packaged rule is struck in the midst of play, once repealed and once left without a word of script, and play goes on with
a stretch of acts, deadlines and pages. No hook of another rule may fail, and nobody may see E-SCRIPT, but for what is stated.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from folkmoot.core.keys import GAME
from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.scenarios.scenario import Run, found
from tests.scenarios.conftest import with_lists

Record = dict[str, Any]
Act = tuple[str, str, Record] | int  # who does what with what, or how many hours pass
DRAGON = [{"enact": {"title": "Dragon", "text": "There is a dragon."}}]
LAWS: dict[str, Record] = {
    "consensus": {"players": ["ann", "bob", "cid", "dee"], "given": [{"player": "ann", "score": 18}]},
    "suber": {"players": ["ann", "bob", "cid"]},
    "suber by mail": {"ruleset": "suber", "players": ["ann", "bob", "cid"], "settings": {"mode": "mail"}},
    "suber-mail": {},
    "imperial": {
        "players": ["joe", "jim", {"id": "tivol", "email": "tivol@mit.edu"}, {"id": "ann", "email": "ann@x.org"}],
        "given": [{"office": "tie", "holder": "joe"}, {"office": "ths", "holder": "joe"}, {"game": True, "it": "jim"},
                  {"player": "tivol", "category": "FF"}, {"player": "ann", "profile": 44372}],
    },
    "imperial-training": {
        "players": ["rico", "ann", "bob", "cid"],
        "given": [{"player": "ann", "team": "Emerald", "pos": "e2", "home": "a3", "holds": ["ball"]},
                  {"player": "cid", "team": "Emerald", "pos": "h2", "home": "a3"},
                  {"player": "bob", "team": "Peach", "pos": "g4", "home": "l3"}],
    },
    "assembly": {"players": ["ann", "bob", "cid"], "settings": {"count_days": "1", "goal": "12", "newcomers": "yes"},
                 "given": [{"office": "teller", "holder": "bob"}, {"office": "arbiter", "holder": "cid"}]},
    "b-nomic": {"players": ["ann", "bob", "cid", "dee"], "given": [
        {"game": True, "ndays": 8}, {"office": "grammar", "holder": "bob"}, {"player": "bob", "clock_key": "On"},
        {"player": "cid", "class": "Lobbyist"}, {"player": "ann", "class": "Senator", "genechips": 50}]},
    "council": {"players": ["ann", "bob", "cid", "dee"], "given": [{"office": "monarch", "holder": "ann"}]},
    "lanterns": {"players": ["ann", "bob", "cid"], "settings": {"pace": "60"}},
    "orchard": {"players": ["ann", "bob", "cid"], "settings": {"pace": "60"}},
    "gavel": {"players": ["ann", "bob", "cid"], "settings": {"pace": "60"}},
}  # fmt: skip


def round_of(mover: str, number: int, players: list[str], *, mail: bool) -> list[Act]:
    """Return a turn of Suber's game from the proposal to its end."""
    votes: list[Act] = [
        (by, "vote", {"choice": "against" if by == players[-1] else "for", "proposal": number}) for by in players
    ]
    opened: list[Act] = [(mover, "open_vote", {}), *votes, (mover, "confirm_scribe_vote", {})] if mail else []
    die: list[Act] = [(mover, "throw_die", {})]
    return [
        (mover, "propose", {"title": f"Dragon {number}", "changes": DRAGON}),
        (mover, "finalise", {}),
        *votes,
        *opened,
        *die,
    ]


def table() -> list[Act]:
    people = ["ann", "bob", "cid"]
    judged: list[Act] = [
        ("ann", "invoke_judgment", {"question": "Is it so?"}), ("cid", "judge", {"ruling": "It is."}),
        ("cid", "consent_next_turn", {}), ("bob", "consent_next_turn", {}), ("ann", "consent_next_turn", {}),
    ]  # fmt: skip
    rounds = [act for n in range(3) for act in round_of(people[n], 301 + n, people, mail=False)]
    return [*rounds[:8], *judged, *rounds[8:], 24, ("ann", "announce", {"text": "Hello."}), ("bob", "forfeit", {})]


def by_mail() -> list[Act]:
    people = ["JA", "RH", "BR", "ZT", "JVG", "FW"]
    return [
        ("RH", "roll_expansions", {}), *round_of("RH", 314, people, mail=True), 24,
        ("BR", "zoid_offer", {"to": "ZT", "amount": 1}), ("ZT", "zoid_accept", {}),
        ("ZT", "time_off", {}), ("BR", "propose", {"title": "", "changes": DRAGON}), 80,
        *round_of("JVG", 315, people, mail=True), 100, ("ZT", "end_time_off", {}), ("JA", "resign_office", {}),
        ("RH", "vote_scribe", {"player": "RH"}), ("BR", "vote_scribe", {"player": "RH"}), ("ZT", "vote_scribe", {"player": "RH"}),
        ("FW", "vote_scribe", {"player": "RH"}), ("zoe", "announce_new_player", {"surname": "A", "title": "New Player"}), 300,
    ]  # fmt: skip


def empire() -> list[Act]:
    wishes = [{"retool": {"section": 3, "to": "depressed"}}, {"rotate": {"direction": "left"}}, {"sealant": {}},
              {"become_ff": {}}, {"vandalise": {"player": "ann", "section": 1}}, {"defend": {}}]  # fmt: skip
    acts: list[Act] = [("tivol", "whap", {}), ("ann", "point_of_order", {"text": "A point is missing."})]
    for n, wish in enumerate(wishes):
        acts += [("ann", "submit_proposal", {"title": "One", "text": "More.", "requests": [wish]})]
        acts += [
            ("joe", "decide", {"number": number, "verdict": ["accept", "reject"][n % 2]})
            for number in range(n + 1, n + 4)
        ]
    acts += [("jim", "submit_proposal", {"title": "Mine"})]
    acts += [("joe", "decide", {"number": number, "verdict": "accept"}) for number in range(1, 14)]
    acts += [("jim", "tag", {"player": "tivol"}), ("joe", "uphold", {"number": 2, "kind": "score", "player": "jim", "delta": 2}),
             ("joe", "direct", {"area": "Bells"}), ("ann", "swap_offer", {"partner": "tivol", "start_own": 1, "start_other": 2}),
             ("tivol", "swap_accept", {}), ("ann", "claim_near_match", {"other": "tivol"}), ("jim", "subscribe", {}), 25]  # fmt: skip
    more: list[Act] = [("joe", "announce_day", {}), 25] * 6
    return [
        *acts,
        *more,
        ("joe", "proclaim", {"title": "Be it known", "text": "It is."}),
        ("ann", "leave", {}),
        ("jim", "leave", {}),
    ]


def training() -> list[Act]:
    return [
        ("ann", "submit_proposal", {"title": "One", "starball_order": {"pre": ["e"], "move": {"type": "throw", "dir": "e"}}}),
        ("bob", "starball_move", {"order": {"move": {"type": "step", "dir": "w"}, "spin": True, "post": ["n"]}}),
        ("cid", "starball_move", {"order": {"powers": [{"power": "Force Field", "target": "f3"}]}}),
        ("rico", "join_team", {"team": "Peach"}), ("rico", "set_lucky_number", {"k": 1}), ("rico", "convert_fp", {"k": 1}),
        ("ann", "use_power", {"power": "Force Field", "target": "g3"}), ("ann", "point_of_order", {"text": "What?"}),
        ("rico", "decide", {"number": 2, "verdict": "accept"}), ("rico", "decide", {"number": 1, "verdict": "accept"}),
        ("rico", "direct", {"area": "Bells"}), ("rico", "answer_point", {"number": 2, "ruling": "That."}),
        ("rico", "answer_point", {"number": 1, "ruling": "That."}), ("rico", "tick", {}),
        ("rico", "reward", {"player": "ann", "currency": "fp", "amount": 1, "directive": 3}),
        ("rico", "reward", {"player": "ann", "currency": "credits", "amount": 1, "directive": 1}),
        ("ann", "pay", {"to": "bob", "credits": 1}), ("ann", "declare_allegiance", {"party": "TIE Minions"}),
        ("rico", "close_jp", {}), 200, ("zoe", "join", {"name": "Zoe"}), ("zoe", "submit_proposal", {"title": "Two"}),
        ("zoe", "withdraw", {"number": 4}), ("rico", "close_jp", {}), ("cid", "leave", {}),
        *[("bob", "submit_proposal", {"title": f"No. {n}"}) for n in range(7)],
        ("rico", "proclaim", {"title": "Be it known", "text": "It is."}), 30,
    ]  # fmt: skip


def consensus() -> list[Act]:
    change, moat = "change_text", [{"enact": {"title": "Moat", "text": "There is a moat."}}]
    return [
        ("ann", "propose", {"title": "Dragon", "changes": DRAGON}), ("bob", "propose", {"title": "Worm", "changes": DRAGON}),
        ("bob", "vote", {"choice": "request changes", "proposal": 1}), ("cid", "vote", {"choice": "approve", "proposal": 1}),
        ("ann", change, {"proposal": 1, "title": "Kind dragon", "changes": [{"enact": {"title": "D", "text": "It is kind."}}]}),
        ("bob", "propose", {"title": "Moat", "changes": moat}), ("cid", "withdraw", {"proposal": 2}),
        ("bob", "vote", {"choice": "approve", "proposal": 1}), ("cid", "vote", {"choice": "approve", "proposal": 1}), 50,
        ("dee", "vote", {"choice": "stand aside", "proposal": 1}), ("zoe", "join", {}), ("zoe", "propose", {"changes": moat}),
        ("cid", "vote", {"choice": "request changes", "proposal": 2}), ("dee", "vote", {"choice": "approve", "proposal": 2}), 100,
        ("ann", "state", {"text": "Here."}), 150, ("cid", "propose", {"title": "No table", "changes": [{"repeal": "9999"}]}),
        ("ann", "withdraw", {"proposal": 9}), ("dee", "leave", {}), 100, ("dee", "join", {}), ("bob", "leave", {}), 600,
    ]  # fmt: skip


def assembly() -> list[Act]:
    given = [[], [{"demand": {"threshold": 2}}], [{"champion": {"player": "cid"}}]]
    acts: list[Act] = [
        ("ann", "propose", {"title": f"Dragon {n}", "changes": DRAGON, "requests": given[n % 3]}) for n in range(5)
    ]
    acts += [("ann", "reword", {"proposal": "Dragon 3", "title": "Demon"}), ("ann", "withdraw", {"proposal": "Dragon 4"}),
             ("bob", "intend", {"what": "take_office", "of": "herald"}), ("cid", "intend", {"what": "take_office", "of": "keeper"}),
             ("ann", "object", {"intent": "intent-2"}), ("bob", "distribute", {}), ("zoe", "join", {})]  # fmt: skip
    for n in range(1, 6):
        acts += [
            (by, "vote", {"choice": said, "proposal": n})
            for by, said in [("ann", "FOR"), ("bob", "AGAINST"), ("cid", "ENDORSE ann"), ("zoe", "ENDORSE zoe")]
        ]
    acts += [100, ("bob", "carry_out", {"intent": "intent-1"}), ("bob", "name_deputy", {"office": "herald", "player": "ann"}),
             ("bob", "vote", {"choice": "FOR", "proposal": 1}), 70, ("bob", "count", {"proposal": 1}),
             ("bob", "count", {"proposal": 2, "outcome": "adopted", "why": "All meant it."}), 30,
             ("ann", "report", {"text": "The rolls.", "laurels": {"bob": 11, "ann": 7}, "voices": {"cid": 4}}),
             ("cid", "intend", {"what": "ratify", "of": "report-1"}), ("bob", "ask_arbiter", {"question": "How long?"}),
             ("cid", "answer", {"doubt": "doubt-1", "answer": "Three days.", "switch": {"voting_days": "3"}}), 97,
             ("cid", "carry_out", {"intent": "intent-3"}), ("ann", "raise_voice", {}),
             ("bob", "propose", {"title": "Last", "changes": [{"amend": "20", "text": "Be kind."}, {"repeal": "19"}]}), 200,
             ("cid", "distribute", {}), ("cid", "vote", {"choice": "FOR", "proposal": 5}), ("bob", "resign", {"office": "herald"}),
             ("bob", "vote", {"choice": "FOR", "proposal": 5}), 200, ("cid", "leave", {}), 2_000]  # fmt: skip
    return acts


def b_nomic() -> list[Act]:
    tea = [{"enact": {"title": "Tea", "text": "There is teh tea.", "labels": {"section": "9"}}}]
    return [
        ("ann", "submit_proposal", {"title": "Step on no pets", "changes": tea, "text": "[[Once upon a time.]]"}),
        ("dee", "submit_tweak", {"title": "Tea", "changes": tea}),
        ("bob", "report_grammar", {"motion": 1, "violations": ["teh"]}),
        ("ann", "lobby", {"senator": "ann", "motion": 1, "vote": "FOR"}),
        ("cid", "lobby", {"senator": "ann", "motion": 1, "vote": "FOR"}),
        ("dee", "submit_cfi", {"statement": "Tea is a drink."}),
        ("ann", "start_election", {"ministry": "meta"}), ("cid", "nominate", {"ministry": "meta"}),
        ("cid", "accept", {"ministry": "meta"}), ("dee", "choose_class", {"class": "Necromancer"}),
        ("ann", "start_tiles", {}), ("dee", "start_tiles", {}), 40,
        ("ann", "bribe", {"motion": 1, "vote": "FOR"}), ("cid", "vote", {"motion": 1, "choice": "MAYBE NOT"}),
        ("cid", "vote", {"motion": 2, "choice": "SECOND"}), ("dee", "vote", {"motion": 1, "choice": "AGAINST"}),
        ("bob", "flip_key", {}), ("dee", "give_gc", {"to": "cid", "n": 5}), 30, ("bob", "flip_key", {}),
        ("cid", "hide", {"period": 3, "unit": "ndays"}), 100, ("ann", "exchange", {}),
        ("zed", "join", {"name": "Zed"}), ("dee", "forfeit", {}), ("ann", "take_soul", {"soul": "soul-dee"}), 24 * 13,
        ("ann", "spend_amplitude", {}), ("ann", "forfeit", {}), 24 * 5,
    ]  # fmt: skip


def council() -> list[Act]:
    named = {"title": "Dragon", "changes": DRAGON}
    acts: list[Act] = [("bob", "propose", named), ("cid", "propose", {"title": "Odd", "changes": [{"repeal": "15"}]}), ("zoe", "join", {}),
                       ("bob", "call_judgement", {"question": "Is it so?", "answer": "It is."}), ("bob", "reword", {"proposal": 1, "title": "D"}),
                       ("dee", "propose", named), ("dee", "withdraw", {"proposal": 4})]  # fmt: skip
    said = ["FOR", "DEFERENTIAL", "AGAINST", "FOR"]
    for n, kind in [(1, "proposal"), (2, "proposal"), (3, "judgement")]:
        acts += [("ann", "vote", {"choice": "VETO" if n == 2 else "FOR", "proposal": n, "kind": kind})]
        acts += [
            (by, "vote", {"choice": choice, "proposal": n, "kind": kind})
            for by, choice in zip(["bob", "cid", "dee", "zoe"], said, strict=True)
        ]
    return [
        *acts, 13, ("zoe", "go_idle", {}), ("zoe", "vote", {"choice": "FOR", "proposal": 1}), 100, ("zoe", "come_back", {}),
        ("bob", "declare_victory", {"because": "I can."}), ("dee", "declare_victory", {"because": "So can I."}), ("cid", "propose", named),
        *[(by, "vote", {"choice": "FOR", "proposal": 5, "kind": "declaration"}) for by in ("ann", "cid", "zoe")], 13,
        ("bob", "pass_mantle", {"to": "cid"}), ("cid", "ascend", {"theme": "Ships.", "keep": ["15"]}), ("ann", "leave", {}), 50,
        ("dee", "declare_victory", {"because": "I like it."}), ("bob", "vote", {"choice": "AGAINST", "proposal": 8, "kind": "declaration"}), 30,
        ("dee", "declare_victory", {"because": "Again."}), ("cid", "leave", {}), 200, ("bob", "come_back", {}), ("bob", "propose", named), 400,
    ]  # fmt: skip


def everybody(number: int, *choices: str) -> list[Act]:
    """Return what ann, bob and cid say on a proposal."""
    return [
        (by, "vote", {"choice": said, "proposal": number})
        for by, said in zip(("ann", "bob", "cid"), choices, strict=False)
    ]


def lanterns() -> list[Act]:
    named = {"title": "Dragon", "changes": DRAGON}
    return [("ann", "propose", named), *everybody(1, "for", "for", "against"), ("bob", "propose", named), ("cid", "snuff", {}),
            ("zoe", "join", {}), ("cid", "pass", {}), ("zoe", "propose", named), ("zoe", "leave", {}), ("ann", "propose", named), 2,
            ("bob", "state", {"text": "Here."}), 5, ("cid", "propose", named), *everybody(5, "against"), 3, ("bob", "leave", {}),
            ("zoe", "join", {}), ("ann", "propose", named), *everybody(6, "for"), 3, ("ann", "notify", {"which": "none"})]  # fmt: skip


def orchard() -> list[Act]:
    named = {"title": "Dragon", "changes": DRAGON}
    planted: list[Act] = [
        ("ann", "plant", {"square": "a1"}),
        ("bob", "plant", {"square": "e5"}),
        1,
        ("ann", "plant", {"square": "a2"}),
    ]
    return [*planted, ("ann", "propose", named), *everybody(1, "for", "for", "against"), ("bob", "propose", named), ("zoe", "join", {}),
            ("zoe", "plant", {"square": "c3"}), 2, ("bob", "leave", {}), ("cid", "propose", named), *everybody(3, "against"), 2,
            ("cid", "state", {"text": "Here."}), ("zoe", "propose", named), ("zoe", "leave", {}),
            ("ann", "notify", {"which": "none"})]  # fmt: skip


def gavel() -> list[Act]:
    named = {"title": "Dragon", "changes": DRAGON}
    return [("ann", "bid", {"amount": 3}), ("bob", "bid", {"amount": 4}), 1, ("bob", "propose", named),
            *everybody(1, "for", "for", "against"), ("cid", "bid", {"amount": 2}), 1, 2, ("zoe", "join", {}), ("zoe", "bid", {"amount": 9}),
            1, ("zoe", "propose", named), ("zoe", "leave", {}), ("ann", "bid", {"amount": 1}), ("ann", "leave", {}),
            ("cid", "bid", {"amount": 5}), 1, ("cid", "propose", named), *everybody(3, "for", "against"), 2,
            ("cid", "state", {"text": "Here."}), ("bob", "notify", {"which": "none"})]  # fmt: skip


ACTS = {"lanterns": lanterns(), "orchard": orchard(), "gavel": gavel(), "consensus": consensus(), "suber": table(), "suber by mail": table(), "suber-mail": by_mail(), "imperial": empire(),
        "imperial-training": training(), "assembly": assembly(), "council": council(), "b-nomic": b_nomic()}  # fmt: skip

# The rule that fell, and the rules that wholly rest on it: without it they have nothing to speak of.
COUNTING = "without rule 104 nobody counts votes, and the count is what these rules judge"
RESTS: dict[str, dict[str, tuple[set[str], str]]] = {
    "consensus": {},
    "suber": {"104": ({"109", "202", "203"}, COUNTING)},
    "suber by mail": {"104": ({"109", "202", "203"}, COUNTING)},
    "suber-mail": {
        "104": ({"109", "202", "203", "304", "306"}, COUNTING),
        "105": ({"306"}, "without rule 105 no immutable rule closes a vote, and a mutable one such as 306 may not"),
    },
    "imperial": {},
    "imperial-training": {},
    "assembly": {},
    "council": {},
    "b-nomic": {
        "2-6": ({"0-0", "3-3", "5-1"}, "without rule 2-6 there are no Motions, and these rules take Motions in"),
        "6-1": ({"6-8"}, "without rule 6-1 there are no Tiles, and this rule counts Tiles"),
    },
    "lanterns": {},
    "orchard": {},
    "gavel": {},
}


EVENINGS = ("gavel", "lanterns", "orchard")


def law_of(name: str) -> Record:
    return dict(founding(LAWS[name].get("ruleset", name)))


def administrator(name: str) -> str:
    """Return whoever strikes rules, by whom no rule can be asked."""
    first = LAWS[name].get("players", ["JA"])[0]
    return str(first["id"] if isinstance(first, dict) else first)


def started(name: str) -> Run:
    scenario = {
        "scenario": "struck",
        "ruleset": name,
        "administrators": [administrator(name)],
        **{key: value for key, value in LAWS[name].items() if key != "ruleset"},
    }
    return found(scenario, lambda _: law_of(name), lambda event: open_chance("struck", str(event.seq)), with_lists)


def office_for(run: Run, do: str) -> str | None:
    """Return the office in which an act is done, where its declaration names one."""
    declared = run.kernel.play.law.declared("actions").get(do)
    return declared[1].get("as") if declared is not None else None


def play(run: Run, acts: list[Act]) -> None:
    for act in acts:
        if run.kernel.documents[GAME]["over"]:
            return
        if isinstance(act, int):
            run.advance(run.now + act * 3_600, after_deadlines=True)
            continue
        by, do, given = act
        run.apply(do, by, office_for(run, do), given)


def what_failed(run: Run, since: int) -> list[tuple[str, str, str]]:
    """Return rule, hook and error of every failure, and the pages that cannot be shown."""
    failures = [each for entry in run.entries[since:] for each in entry.get("failures", ())]
    listed = [(str(each["rule"]), str(each["hook"]), str(each.get("error", ""))) for each in failures]
    pages = run.kernel.pages(run.now)
    return listed + [("page", name, str(page["error"])) for name, page in pages.items() if "error" in page]


CASES = [(name, rule["uid"]) for name in LAWS for rule in law_of(name)["rules"]]


@pytest.mark.parametrize("wholly", [True, False], ids=["repealed", "emptied"])
@pytest.mark.parametrize(("name", "uid"), CASES)
@pytest.mark.sampled(9)
def test_no_rule_fails_that_does_not_rest_on_the_one_that_fell(name: str, uid: str, *, wholly: bool) -> None:
    run = started(name)
    change = {"repeal": uid} if wholly else {"amend": uid, "script": ""}
    struck = run.apply("repair", administrator(name), None, {"changes": [change], "why": "struck"})
    assert struck.accepted, struck
    since = len(run.entries)
    play(run, ACTS[name])
    excused = RESTS[name].get(uid, (set(), ""))[0]
    assert [each for each in what_failed(run, since) if each[0] not in {uid, *excused}] == []


@pytest.mark.parametrize("name", LAWS)
def test_the_stretch_of_play_is_whole(name: str) -> None:
    """What is played with every rule in force, so that the acts mean something."""
    run = started(name)
    play(run, ACTS[name])
    assert what_failed(run, 0) == []
    done = {entry["do"] for entry in run.entries if "code" not in entry}
    assert len(done) >= 8, done


@pytest.mark.parametrize(
    "name",
    ["assembly", "b-nomic", "consensus", "council", "suber", "suber-mail", "imperial", "imperial-training", *EVENINGS],
)
def test_every_switch_of_a_packaged_ruleset_is_read(name: str) -> None:
    """A switch that no script asks for changes nothing, whatever it promises; one answer alone is a reading, only shown."""
    rules = founding(name)["rules"]
    read = set(re.findall(r'setting\("([^"]+)"\)', "\n".join(rule.get("script") or "" for rule in rules)))
    switches = [each for rule in rules for each in (rule.get("settings") or {}).items()]
    declared = {about["name"]: switch for switch, about in switches if len(about["alternatives"]) > 1}
    assert [switch for said, switch in declared.items() if not {said, switch} & read] == []
