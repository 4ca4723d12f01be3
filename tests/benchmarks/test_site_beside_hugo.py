"""What the whole site of a game costs beside Hugo, which draws the data of the same pages: what the site publishes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from shutil import rmtree

import pytest

from tests.benchmarks.measure import by_turns, figure
from tests.large.game import repository
from tests.support.standins import standin, unproven

PAGES = 2_000
PUBLISH = """
import sys
from pathlib import Path
from folkmoot.site.publish import publish
publish(Path(sys.argv[1]), Path(sys.argv[2]), index=False)
"""
LAYOUT = """
{{- define "value" }}{{ if reflect.IsMap . }}{{ if .html }}{{ .html | safeHTML }}
{{- else if and .text .to }}<a href="{{ .to }}">{{ .text }}</a>
{{- else if and .text .at }}<time datetime="{{ .at }}">{{ .text }}</time>
{{- else }}<dl>{{ range $name, $value := . }}<dt>{{ $name }}</dt><dd>{{ template "value" $value }}</dd>{{ end }}</dl>
{{ end }}{{ else if reflect.IsSlice . }}<ul>{{ range . }}<li>{{ template "value" . }}</li>{{ end }}</ul>
{{ else }}{{ . }}{{ end }}{{ end -}}
<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ .Title }}</title></head><body>
<nav>{{ .Site.Title }}</nav><h1>{{ .Title }}</h1>{{ template "value" .Params.page }}</body></html>
"""
"""Draws whatever the data of a page holds: words with their links and times, lists, named values."""


def _for_hugo(site: Path, folder: Path) -> None:
    """Lay out a site of Hugo's with the data of a game's pages."""
    (folder / "layouts/_default").mkdir(parents=True)
    (folder / "layouts/_default/single.html").write_text(LAYOUT, "utf-8")
    kinds = ["taxonomy", "term", "section", "home", "RSS", "sitemap", "404"]
    (folder / "hugo.toml").write_text(f'baseURL = "https://x.example/"\ntitle = "x"\ndisableKinds = {kinds}\n', "utf-8")
    (folder / "content").mkdir()
    for number, path in enumerate(sorted((site / "data").rglob("*.json"))):
        page = json.loads(path.read_bytes())
        said = json.dumps({"title": page["title"], "url": page["path"], "page": page}, indent=1)
        (folder / f"content/{number}.md").write_text(said, "utf-8")


@pytest.mark.long
@unproven("a site costs what Hugo takes for the same pages")
def test_the_whole_site_beside_hugo(tmp_path: Path) -> None:
    """Ours reads the record, works out all that is shown, and lets MkDocs draw the frames; nothing is there before."""
    root, hugo = repository(tmp_path / "game", PAGES), tmp_path / "hugo"

    def ours() -> None:
        for folder in (root / "build", tmp_path / "site"):
            rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-c", PUBLISH, root, tmp_path / "site"], check=True)

    def theirs() -> None:
        rmtree(hugo / "public", ignore_errors=True)
        subprocess.run(
            [standin("python/lib/python3*/site-packages/hugo/binaries/hugo"), "-s", hugo, "--quiet"], check=True
        )

    ours()
    _for_hugo(tmp_path / "site/long", hugo)
    figure(f"a site of {PAGES} pages, in Hugo's drawing of its data", *by_turns(3, ours, theirs))
    assert len([*hugo.rglob("*.html")]) > PAGES
