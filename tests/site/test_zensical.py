"""Zensical, which the authors of the site's theme build in its place, draws the frame of games' pages as MkDocs does."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from folkmoot.site.base_site import DEPTHS, FIELDS, MISSING, Base, Frames, base_of, frame_path, read_base
from folkmoot.site.configuration import require_consent
from folkmoot.site.page_model import OwnTemplates
from folkmoot.site.preparation import INDEX
from folkmoot.site.publish import fill, front_words
from tests.support.site_game import view
from tests.support.sites import configure, files_below, lay_small_site
from tests.support.standins import standin, unproven
from tests.support.table import Table, rule

pytestmark = unproven("Zensical draws the frame of games' pages")
ADDRESS = "https://games.example/moot"


def drawn_by_zensical(root: Path, like: Base) -> Base:
    """Return the base of a site as Zensical draws it: what MkDocs is told of frames stands at the head of their pages."""
    sources = root / "site_src"
    frames = Frames(front_words(sources), like.token.removeprefix("fm"))
    told = "".join(f'{field}: "{frames.mark(field)}"\n' for field in FIELDS)
    for path in map(frame_path, DEPTHS):
        page = (sources / path).with_suffix(".md")
        page.parent.mkdir(parents=True)
        page.write_text(f"---\ntemplate: game.html\n{told}---\n", "utf-8")
    (sources / INDEX).write_text(frames.front.replace("---\n", "---\ntemplate: front.html\n", 1), "utf-8")
    command = [str(standin("python/bin/zensical")), "build", "--strict"]
    ran = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return read_base(root / "site", like.key, like.token, like.address, like.about)


def pages_below(folder: Path) -> dict[str, str]:
    """Return the pages of a site; Zensical says of what lies in the same folder that it does."""
    files = files_below(folder).items()
    return {name: data.decode().replace('="./', '="') for name, data in files if name.endswith(".html")}


def test_zensical_draws_what_games_pages_are_put_into(tmp_path: Path) -> None:
    """A group's own configuration and templates serve it as they are; only a frame's marks are handed over otherwise."""
    root = lay_small_site(tmp_path / "group")
    configure(root, "nav:", f'site_url: "{ADDRESS}"\nnav:')
    require_consent(root, given=True)
    ours = base_of(root / "mkdocs.yml", root / "build", front_words(root / "site_src"))
    theirs = drawn_by_zensical(root, ours)

    assert set(theirs.frames[1].pieces[1::2]) == set(FIELDS)
    assert theirs.frames == ours.frames

    game = view(Table(rule("101", title="Obedience", text="Everybody keeps to the rules.")), "demo")
    own = OwnTemplates(root / "site_src")
    sites = [tmp_path / name for name in ("by-mkdocs", "by-zensical")]
    for site, base in zip(sites, (ours, theirs), strict=True):
        assert not fill(site, base, [game], {}, own).problems
    by_mkdocs, by_zensical = map(pages_below, sites)
    guides = {"nomic.html", "getting.html"}
    assert {"demo/index.html", "demo/law/101.html", "index.html", MISSING, *guides} < by_mkdocs.keys()
    assert by_zensical.keys() == by_mkdocs.keys()
    assert not [path for path, text in by_zensical.items() if ours.token in text]
    for path in by_mkdocs.keys() - guides:
        assert by_zensical[path] == by_mkdocs[path], path
    for path in guides:  # the theme's own, which need not be the same, below our head of the site
        head, *_ = re.findall('<header class="top".*?</header>', by_mkdocs[path], re.DOTALL)
        assert head in by_zensical[path]
        assert "<article data-pagefind-body " in by_zensical[path]
