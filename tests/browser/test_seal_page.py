"""The page that seals and opens, in a real browser: held against the engine and the test vectors in both directions."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from folkmoot.core.canonical_json import canonical_bytes
from folkmoot.core.sealed_data import read_box as read_word
from folkmoot.core.sealed_data import told_in, write_box
from folkmoot.player.hand import detail_of
from folkmoot.sealing.boxes import Opening, fresh_nonce, fresh_salt, open_box, read_box, seal
from folkmoot.sealing.commitments import Context, EntryContext, flat
from folkmoot.sealing.keys import make_key, read_identity, read_recipient
from tests.sealing.make_vectors import FILE
from tests.support.chromium import as_screen, requests, served
from tests.support.keeper import OWN
from tests.support.looks import READABLE, complaints
from tests.support.notes import Table

PAGE = Path(__file__).parents[2] / "site_src" / "seal.html"
VECTORS = json.loads(FILE.read_text("utf-8"))
NATIVE = {each["name"]: each["identity"] for each in VECTORS["keys"] if each["recipient"].startswith("age1")}
WIDTH = "return document.documentElement.scrollWidth - innerWidth"
ROWS = "return [...document.querySelectorAll('#openings tr')].map(row => [...row.cells].map(each => each.textContent))"
GAME = "5a" * 32
BALLOT = Context(GAME, "ann", "vote", "choice", "proposal/301", "7b" * 32, 3, "00" * 16)


@pytest.fixture
def page(driver: webdriver.Chrome) -> webdriver.Chrome:
    """Open the page from a file, as somebody does who saved it."""
    driver.get(PAGE.as_uri())
    return driver


def done(page: webdriver.Chrome, code: str, *arguments: Any) -> Any:
    """Return what an expression of the page gives, or `{"code": …}` of the error it ends with."""
    script = f"""
      const finish = arguments[arguments.length - 1];
      (async (...a) => {{ {code} }})(...arguments).then(finish, error => finish({{ code: error.code ?? String(error) }}));
    """
    return page.execute_async_script(script, *arguments)


def as_text(context: dict[str, Any]) -> dict[str, str]:
    """Return a context with its numbers as text."""
    return {name: str(part) for name, part in context.items()}


# -- against the vectors


def test_the_page_computes_what_the_vectors_say(page: webdriver.Chrome) -> None:
    cases = [[as_text(each["context"]), each["value"], each["salt"]] for each in VECTORS["commitments"]]
    code = "return a[0].map(([context, value, salt]) => sealed.commitment(context, value, sealed.unhex(salt)))"
    assert done(page, code, cases) == [each["commitment"] for each in VECTORS["commitments"]]
    contexts = [as_text(each["context"]) for each in VECTORS["contexts"]]
    code = "return a[0].map(context => sealed.hex(sealed.contextBytes(context)))"
    assert done(page, code, contexts) == [each["bytes"] for each in VECTORS["contexts"]]
    code = "const found = await sealed.recipientOf(a[0]); return [found, sealed.fingerprint(found)]"
    for each in (key for key in VECTORS["keys"] if key["name"] in NATIVE):
        assert done(page, code, each["identity"]) == [each["recipient"], each["fingerprint"]]


def test_the_page_opens_and_refuses_the_boxes_of_the_vectors(page: webdriver.Chrome) -> None:
    boxes, code = [case for case in VECTORS["boxes"] if case["key"] in NATIVE], "return sealed.open(a[0], [a[1]])"
    assert len(boxes) >= 8
    for case in boxes:
        expected = [{**each, "context": as_text(each["context"])} for each in case["openings"]]
        assert done(page, code, case["box"], NATIVE[case["key"]]) == expected
    for case in VECTORS["refused_boxes"]:
        assert done(page, code, case["box"], NATIVE[case["key"]]) == {"code": case["code"]}, case["what"]
    code = "return sealed.seal(a[0], '1', a[1])"
    for case in VECTORS["refused_recipients"]:
        found = done(page, code, as_text(flat(BALLOT)), case["recipient"])
        assert found == {"code": "E-RECIPIENT"}, case["what"]


def test_values_have_the_same_form_in_the_page_and_in_the_engine(page: webdriver.Chrome) -> None:
    values = [None, True, 0, -7, 2**53 - 1, "", 'a"b\\\u2028\x7f\x00\n', {"\uff5e": [1, {}], "\U0001f0a1": 2, "a": []}]
    written = [canonical_bytes(value).decode() for value in values]
    assert done(page, "return a[0].map(each => sealed.canonical(each))", values) == written
    assert done(page, "return a[0].map(each => sealed.checkCanonical(each) ?? null)", written) == [None] * len(values)
    for bad in (1.5, 2**53, "\ud800"):
        assert done(page, "return sealed.canonical(JSON.parse(a[0]))", json.dumps(bad)) == {"code": "E-BOX"}


# -- against the engine, by what people click


def fill(page: webdriver.Chrome, **fields: str) -> None:
    for name, text in fields.items():
        element = page.find_element(By.ID, name)
        element.clear()
        element.send_keys(text)


def paste(page: webdriver.Chrome, **fields: str) -> None:
    for name, text in fields.items():
        page.execute_script("document.getElementById(arguments[0]).value = arguments[1]", name, text)


def said(page: webdriver.Chrome, form: str, status: str) -> str:
    page.find_element(By.CSS_SELECTOR, f"#{form} button").click()
    WebDriverWait(page, 60).until(lambda there: there.find_element(By.ID, status).text not in ("", "…"))
    return page.find_element(By.ID, status).text


def value_of(page: webdriver.Chrome, name: str) -> str:
    return str(page.find_element(By.ID, name).get_property("value"))


def sealed_box(page: webdriver.Chrome) -> str:
    """Return the box that was sealed in the page."""
    word = read_word(value_of(page, "box"))
    assert word is not None
    return word["box"]


def test_what_somebody_seals_in_the_page_the_keeper_opens(page: webdriver.Chrome) -> None:
    keeper = make_key()
    given = {name: part for name, part in as_text(flat(BALLOT)).items() if name != "nonce"}
    page.get("about:blank")
    page.get(f"{PAGE.as_uri()}#{urlencode({'recipient': keeper.recipient.text, **given})}")
    assert page.find_element(By.ID, "fingerprint").text == keeper.recipient.fingerprint
    paste(page, act="play")
    fill(page, value="for – ♠")
    assert "Sealed. Its commitment is" in said(page, "seal", "sealing")
    proof, opening = json.loads(value_of(page, "proof")), open_box(sealed_box(page), [keeper])
    assert (opening.value, opening.commitment, opening.salt.hex()) == ("for – ♠", proof["commitment"], proof["salt"])
    assert flat(opening.context) == {**flat(BALLOT), "act": "play", "nonce": opening.context.nonce}
    assert read_box(sealed_box(page)).size == 1_024
    page.find_element(By.ID, "json").click()
    fill(page, value='{"b": [1, null], "a": "x"}')
    said(page, "seal", "sealing")
    other = open_box(sealed_box(page), [keeper])
    assert other.value == {"a": "x", "b": [1, None]}
    assert other.context.nonce != opening.context.nonce
    fill(page, value="canary")
    assert said(page, "seal", "sealing") == "The value is not JSON. [E-BOX]"
    assert value_of(page, "box") == ""
    page.find_element(By.ID, "json").click()
    paste(page, act="vote")
    fill(page, value="against")
    said(page, "seal", "sealing")
    assert open_box(sealed_box(page), [keeper]).value == {"choice": "against"}, "as `moot vote` seals it"


def test_a_key_made_in_the_page_opens_there_what_the_engine_sealed_to_it(
    page: webdriver.Chrome, tmp_path: Path
) -> None:
    assert "Save the private key now" in said(page, "make", "made")
    key = read_identity(value_of(page, "private"))
    assert key.recipient == read_recipient(value_of(page, "public"))
    hand = [Opening(EntryContext(GAME, 17, f"hand/{n}"), {"rank": n}, fresh_salt()) for n in range(13)]
    ballot = Opening(Context(GAME, "ann", "vote", "choice", "", "", 1, fresh_nonce()), "<b>for</b>", fresh_salt())
    file = tmp_path / "sealing.key"
    file.write_text(f"# public key: {key.recipient.text}\n{key.secret}\n", "utf-8")
    page.find_element(By.ID, "key-file").send_keys(str(file))
    WebDriverWait(page, 60).until(lambda _: value_of(page, "key"))
    paste(page, boxes=seal(hand, key.recipient) + "\n" + seal(ballot, key.recipient))
    assert said(page, "open", "opening") == "Opened: 14."
    rows = page.execute_script(ROWS)
    assert rows[3] == ["entry 17: hand/3", '{"rank":3}', hand[3].commitment, hand[3].salt.hex(), GAME]
    assert rows[13][:3] == ["ann: vote choice", '"<b>for</b>"', ballot.commitment]
    box = seal(ballot, key.recipient)
    for boxes, words in (
        (write_box(ballot.commitment, box), "Opened: 1."), (write_box("00" * 32, box), "[E-COMMITMENT]"),
        (seal(ballot, make_key().recipient), "[E-READER]"),
    ):  # fmt: skip
        paste(page, boxes=boxes)
        assert words in said(page, "open", "opening")
    assert page.execute_script("return document.getElementById('found').hidden")


def test_the_page_shows_the_author_of_a_refused_act_what_the_engine_told_them(
    page: webdriver.Chrome, tmp_path: Path
) -> None:
    """The box of a refused entry, as it stands in the journal, and with nothing to tell."""
    game = Table(tmp_path)
    assert game.name_key("ann").accepted
    assert game.act("ann", "note", note=game.seal("ann", "note", "note", "fox")).accepted
    assert game.act("bob", "note", note=game.seal("bob", "note", "note", "elk")).accepted
    refused = [game.act("ann", "break", whose="ann").entry, game.act("ann", "beat").entry]
    paste(page, key=OWN["ann"].secret, boxes="\n".join(box for entry in refused for box in entry["boxes"]["ann"]))
    assert said(page, "open", "opening") == "Opened: 2."
    rows = page.execute_script(ROWS)
    assert rows[0][0] == f"entry {refused[0]['seq']}: why it was refused"
    assert rows[0][1].split("\n") == [line for line in detail_of(refused[0], "ann", [OWN["ann"]]).split("\n") if line]
    assert "broken of rule 1 failed: line 2: " in rows[0][1]
    assert [row[2] for row in rows] == [told_in(entry) for entry in refused]
    assert rows[1][1] == "there is no more to it"


# -- what it may do


def test_it_asks_nothing_of_anybody_keeps_nothing_and_runs_nothing_else(page: webdriver.Chrome) -> None:
    said(page, "make", "made")
    assert [url for url in requests(page) if not url.startswith(("about:", PAGE.as_uri()))] == []
    assert page.execute_script("return [localStorage.length, sessionStorage.length, document.cookie]") == [0, 0, ""]
    attempt = """
      const script = document.createElement("script");
      try { script.text = "window.ran = true"; document.body.append(script); } catch {}
      const finish = arguments[0];
      fetch("https://example.com/").then(() => finish("asked"), () => finish(String(window.ran)));
    """
    assert page.execute_async_script(attempt) == "undefined"
    text = PAGE.read_text("utf-8")
    found = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    assert found is not None
    policy = html.unescape(found[1])
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert not re.search(r"\bon[a-z]+=|style=|javascript:", re.sub(r"(?s)<(script|style).*?</\1>", "", text))


def test_it_works_from_a_server_and_is_read_on_a_phone_and_in_the_dark(page: webdriver.Chrome, tmp_path: Path) -> None:
    (tmp_path / "seal.html").write_bytes(PAGE.read_bytes())
    with served(tmp_path) as address:
        page.get(f"{address}/seal.html")
        said(page, "make", "made")
        for width, scheme in ((390, "dark"), (1280, "light")):
            as_screen(page, width, scheme)
            assert page.execute_script(WIDTH) <= 0, width
            assert page.execute_script(READABLE) == {}, scheme
        assert complaints(page) == []
        labelled = "return [...document.querySelectorAll('input, textarea')].filter(each => !each.labels.length).length"
        assert page.execute_script(labelled) == 0
