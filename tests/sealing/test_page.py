"""The page for the browser is what its parts give, and what is bundled in it is what was pinned."""

from __future__ import annotations

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = ROOT / "ci" / "seal_page"
AGE = "7959dbacb71fcb46f4439f6a991f16719d5a011562e18a0f099bbc069c0b087d"
"""Of age-encryption 0.3.1, bundled by esbuild 0.28.2: `python ci/seal_page.py --bundle` makes the same bytes."""


def test_the_bundled_library_is_the_one_that_was_pinned() -> None:
    assert sha256((PARTS / "age.js").read_bytes()).hexdigest() == AGE
    wanted = json.loads((PARTS / "package.json").read_text("utf-8"))
    assert (wanted["dependencies"], wanted["devDependencies"]) == ({"age-encryption": "0.3.1"}, {"esbuild": "0.28.2"})


def test_every_library_is_pinned_by_digest_and_names_no_host() -> None:
    packages = json.loads((PARTS / "package-lock.json").read_text("utf-8"))["packages"]
    bundled = {path: each["version"] for path, each in packages.items() if path and not each.get("dev")}
    kept = (PARTS / "age.LICENSES.txt").read_text("utf-8")
    assert all("integrity" in package for path, package in packages.items() if path)
    assert not any("resolved" in package for package in packages.values())
    assert len(bundled) >= 6
    assert all(f"== {path.removeprefix('node_modules/')} {version}\n" in kept for path, version in bundled.items())


def test_the_page_is_what_its_parts_give() -> None:
    assert subprocess.run([sys.executable, "ci/seal_page.py", "--check"], cwd=ROOT, check=False).returncode == 0
    assert AGE in (ROOT / "site_src" / "seal.html").read_text("utf-8")
