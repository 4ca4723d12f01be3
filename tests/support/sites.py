"""Sites that tests of several modules look at, built once for all processes of a run of the tests."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from folkmoot.core.packaged import HOOK
from folkmoot.site.configuration import require_consent
from folkmoot.wording.game_view import GameView
from tests.conftest import FUZZ
from tests.support.site_game import build, game, write
from tests.untrusted.sinks import hostile

GUIDE = """\
# A guide

About [games](index.md), with `code`.

## First

### Inside of it

| a | b |
|---|---|
| 1 | 2 |

## Second

### Inside of it {#another}

```
$ moot status
```
"""


def lay_small_site(root: Path) -> Path:
    """Lay out what `moot` lays out, with a few pages by hand instead of all guides, and return the folder."""
    write(root)
    (root / "ci").mkdir(exist_ok=True)
    shutil.copy(Path(__file__).parents[2] / HOOK, root / HOOK)
    configure(root, "plugins: []\n", f'plugins: []\nhooks:\n  - "{HOOK}"\n')
    return root


def configure(root: Path, said: str, instead: str, file: str = "mkdocs.yml") -> None:
    """Write something else into a site's configuration, or another of its files."""
    text = (root / file).read_text("utf-8")
    assert said in text
    (root / file).write_text(text.replace(said, instead, 1), "utf-8")


def files_below(folder: Path) -> dict[str, bytes]:
    """Return the files below a folder but for git's own."""
    files = (path for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def plain_site(factory: pytest.TempPathFactory) -> Path:
    return _shared(factory, "plain", _plain, lambda: [game(), game("second")])


def hostile_site(factory: pytest.TempPathFactory) -> Path:
    """Return a site of a harmless and a hostile game, without the content policy that would hide a leak."""
    games = lambda: [game(), hostile(every=1 if FUZZ else 3)]  # noqa: E731 (all of them stand in pages that tests of text read)
    return _shared(factory, "hostile", _hostile, games)


def _plain(folder: Path) -> None:
    write(folder)
    (folder / "site_src" / "guide.md").write_text(GUIDE, "utf-8")
    configure(folder, "nav:\n", 'repo_url: "https://github.com/ann/mail-game"\nnav:\n')
    configure(folder, '"index.md"\n', '"index.md"\n  - "A guide": "guide.md"\n')


def _hostile(folder: Path) -> None:
    write(folder)
    for page in (folder / "site_src" / "overrides").glob("*.html"):
        lines = page.read_text("utf-8").splitlines(keepends=True)
        page.write_text("".join(line for line in lines if "Content-Security-Policy" not in line), "utf-8")


def _shared(
    factory: pytest.TempPathFactory, name: str, lay: Callable[[Path], None], games: Callable[[], list[GameView]]
) -> Path:
    """Return the site that is built from what is laid out, by whichever process comes first."""
    run = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        run = run.parent
    folder, done = run / f"site-{name}", run / f"site-{name}.txt"
    with (run / f"site-{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            folder.mkdir()
            lay(folder)
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("XDG_CONFIG_HOME", str(run / "settings"))
                require_consent(folder, given=True)
                done.write_text(str(build(folder, *games())), "utf-8")
    return Path(done.read_text("utf-8"))
