"""Write the pictures of README.md and of the guides from the game that this repository keeps, as the site shows it.

Besides, the card that other sites show beside a link to a page, `site_src/assets/card.png`, and a vote in the browser,
whose digest is not kept, because it says when it was taken.

python ci/pictures.py           build the site, and write them with Chromium and its driver
python ci/pictures.py --check   fail where the site shows something else by now; needs no browser
"""

import base64
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

from folkmoot.game.session import Session
from folkmoot.site.game_views import view_of
from folkmoot.site.page_model import made
from folkmoot.site.preparation import lay_site
from folkmoot.site.publish import publish
from folkmoot.site.render import sheets

ROOT = Path(__file__).resolve().parent.parent
GAME = "suber-mail"
FOLDER = ROOT / "site_src" / "assets" / "pictures"
SOURCES = ROOT / "ci" / "pictures.json"
STYLE = ROOT / "site_src" / "assets" / "site.css"
SHOWN = {
    "board.png": ("boards/world.md", r"<figure\b.*?</figure>", "figure"),
    "redline.png": ("proposals/301.md", r'<div class="card stack-s">.*?(?=\n<div class="folds">)', "#changes .card"),
}
"""Each picture: the page, what of its source is shown, and how a browser finds that."""
WIDTH, HEIGHT = 760, 4000
VOTE = FOLDER / "vote.png"
CARD, CARD_SIZE = ROOT / "site_src" / "assets" / "card.png", (1200, 630)
MARK = ROOT / "site_src" / "assets" / "favicon.svg"
FACE = ROOT / "site_src" / "assets" / "fonts" / "atkinson-hyperlegible-next.woff2"
CARD_PAGE = """\
<!doctype html><style>
@font-face {{ font-family: "Atkinson"; src: url("{face}"); font-weight: 200 800 }}
body {{ margin: 0; width: 1200px; height: 630px; background: #24513f; color: #fdfcf8; font-family: "Atkinson" }}
svg {{ position: absolute; left: 90px; top: 165px; width: 300px }}
h1 {{ position: absolute; left: 450px; top: 170px; margin: 0; font-size: 108px; font-weight: 700 }}
p {{ position: absolute; left: 454px; top: 330px; margin: 0; width: 660px; font-size: 48px; line-height: 1.3 }}
</style><title>Card</title>{mark}<h1>Nomic</h1><p>The game in which changing the rules is a move.</p>
"""


def fragments() -> dict[str, str]:
    """Return what each picture shows: that part of the page as the engine writes it, with what it is styled by."""
    with Session.open(ROOT / "state" / GAME) as session:
        view = view_of(session)
    wanted = {page for page, _, _ in SHOWN.values()}
    pages = {sheet.path: made(view, sheet).body for sheet in sheets(view) if sheet.path in wanted}
    found = {name: re.search(form, pages[page], re.DOTALL) for name, (page, form, _) in SHOWN.items()}
    return {name: match[0] + "\n".join(styles(match[0])) for name, match in found.items() if match}


def styles(fragment: str) -> Iterator[str]:
    """Yield the rules of the site's style that speak of what stands in a fragment."""
    known = {name for names in re.findall(r'class="([^"]+)"', fragment) for name in names.split()}
    for selector, rules in re.findall(r"([^{}]+)\{([^{}]*)\}", STYLE.read_text("utf-8")):
        if known & set(re.findall(r"\.([\w-]+)", selector)):
            yield f"{selector.strip()} {{{rules.strip()}}}"


def card() -> str:
    """Return the page of which the card is a picture."""
    return CARD_PAGE.format(mark=MARK.read_text("utf-8"), face=FACE.as_uri())


def digests() -> dict[str, str]:
    """Return the digest of what each picture shows."""
    shown = {**fragments(), CARD.name: CARD_PAGE + MARK.read_text("utf-8")}
    return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in shown.items()}


def stale() -> list[str]:
    """Return the pictures that are missing, or show something else than the site does."""
    told = json.loads(SOURCES.read_text("utf-8")) if SOURCES.is_file() else {}
    now = digests()
    places = {name: FOLDER / name for name in SHOWN} | {CARD.name: CARD}
    return [name for name, path in places.items() if not path.is_file() or told.get(name) != now.get(name, "")]


def write() -> None:
    """Build the site of the game and take the pictures."""
    from selenium.webdriver.common.by import By

    from tests.support.chromium import as_screen, chromium, served

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        copytree(ROOT / "state" / GAME, root / "state" / GAME)
        lay_site(root)
        site = root / "site"
        publish(root, site)
        with served(site) as address, chromium(root / "profile") as browser:
            as_screen(browser, WIDTH, "light")
            size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)  # a whole page at once
            for name, (page, _, place) in SHOWN.items():
                browser.get(f"{address}/{GAME}/{page.removesuffix('.md')}.html")
                (FOLDER / name).write_bytes(browser.find_element(By.CSS_SELECTOR, place).screenshot_as_png)
            _write_vote(browser, root)
            _write_card(browser, root)
    SOURCES.write_text(json.dumps(digests(), indent=2) + "\n", "utf-8")


def _write_vote(browser: Any, folder: Path) -> None:
    """Let ann propose the rule of README.md, and take a picture of the page on which bob is about to vote for it."""
    from selenium.webdriver.support.wait import WebDriverWait

    from tests.play.test_evening import run, serving

    rule = re.search(
        r'title="comfort.yaml"\n(.*?)^```', (ROOT / "README.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    (folder / "comfort.yaml").write_text(rule[1] if rule else "", "utf-8")
    people = [word for who in ("ann", "bob", "cid") for word in ("-p", who)]
    run(folder, "table", "evening.git", *people, "-r", "lanterns", "-s", "pace=1440", "-a", "ann")
    for who in ("ann", "bob"):
        own = ["-c", f"user.name={who}", "-c", f"user.email={who}@table.invalid"]
        subprocess.run(["git", "clone", "-q", *own, "--", "evening.git", who], cwd=folder, check=True)
        if who == "ann":
            run(folder, "-C", who, "propose", "--rule", "comfort.yaml", "--vote", "for", "--wait")
    with serving(folder / "bob") as address:
        browser.get(address)
        browser.get(f"{address.partition('?')[0]}evening/proposals/1.html")
        wait = WebDriverWait(browser, 60).until
        wait(lambda _: browser.execute_script("return document.querySelector('#my-vote input[value=for]')")).click()
        wait(lambda _: browser.execute_script("return document.querySelector('#my-vote [data-comes] li')"))
        height = browser.execute_script("return document.querySelector('#my-vote').getBoundingClientRect().bottom")
        clip = {"x": 0, "y": 0, "width": WIDTH, "height": height + 20, "scale": 1}
        taken = browser.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip})["data"]
        VOTE.write_bytes(base64.b64decode(taken))


def _write_card(browser: Any, folder: Path) -> None:
    (folder / "card.html").write_text(card(), "utf-8")
    width, height = CARD_SIZE
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.get((folder / "card.html").as_uri())
    browser.execute_async_script("document.fonts.ready.then(arguments[0])")
    CARD.write_bytes(browser.get_screenshot_as_png())


def main(arguments: list[str]) -> int:
    """Write or check the pictures; return the exit code."""
    if "--check" not in arguments:
        write()
    old = stale()
    for name in old:
        print(f"{name} is not in step; run `python ci/pictures.py`", file=sys.stderr)
    return 1 if old else 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main(sys.argv[1:]))
