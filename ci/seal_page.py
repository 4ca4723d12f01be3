"""Make the page that seals and opens in a browser, `site_src/seal.html`, out of `ci/seal_page/`.

python ci/seal_page.py           write the page
python ci/seal_page.py --check   fail when the page is not what its parts give
python ci/seal_page.py --bundle  make `age.js` anew out of the pinned libraries first (needs npm)

The page is one file without anything beside it, so that it works from wherever it was saved. Its scripts and its style
are named to the browser by their digests; nothing else runs in it, and it can ask nothing of any server.
"""

import html
import json
import shutil
import subprocess
import sys
import tempfile
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PARTS = ROOT / "ci" / "seal_page"
PAGE = ROOT / "site_src" / "seal.html"
PINNED = ("package.json", "package-lock.json", "bundle.js")
BUNDLE = (
    *("node_modules/.bin/esbuild", "bundle.js", "--bundle", "--minify", "--target=es2022", "--format=iife"),
    *("--global-name=age", "--charset=utf8", "--legal-comments=none", "--outfile=age.js"),
)


def bundle() -> None:
    """Make `age.js` and the licences of what is in it, from what `package-lock.json` pins by digest."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in PINNED:
            shutil.copy(PARTS / file, folder / file)
        subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"], cwd=folder, check=True)
        subprocess.run([str(folder / BUNDLE[0]), *BUNDLE[1:]], cwd=folder, check=True)
        shutil.copy(folder / "age.js", PARTS / "age.js")
        (PARTS / "age.LICENSES.txt").write_text(licences(folder), "utf-8")


def licences(folder: Path) -> str:
    """Return the licences of the libraries that are bundled."""
    pinned = json.loads((folder / "package-lock.json").read_text("utf-8"))["packages"]
    parts = []
    for path, package in sorted(pinned.items()):
        if path and not package.get("dev"):
            text = (folder / path / "LICENSE").read_text("utf-8").strip()
            parts.append(f"== {path.removeprefix('node_modules/')} {package['version']}\n\n{text}\n")
    return "\n".join(parts)


def digest_of(text: str) -> str:
    """Return how a content policy names a script or a style that stands in the page."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def page() -> str:
    """Return the page."""
    age, style = (text("age.js"), text("page.css"))
    script = text("format.js") + text("page.js").replace('"use strict";\n', "")
    if any("</" + mark in part.lower() for part in (age, script) for mark in ("script", "style")):
        raise ValueError("a script holds what would end it")
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src {digest_of(age)} {digest_of(script)}",
            f"style-src {digest_of(style)}",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        ]
    )
    found = text("page.html")
    parts = {"policy": policy, "style": style, "age": age, "script": script}
    parts |= {"digest": sha256(age.encode()).hexdigest(), "licences": html.escape(text("age.LICENSES.txt"))}
    for name, part in parts.items():
        before, after = found.split("{{" + name + "}}")
        found = before + part + after
    return found


def text(name: str) -> str:
    """Return one of the parts."""
    return (PARTS / name).read_text("utf-8")


def main(arguments: list[str]) -> int:
    """Write or check the page; return the exit code."""
    if "--bundle" in arguments:
        bundle()
    if "--check" not in arguments:
        PAGE.write_text(page(), "utf-8")
        return 0
    if PAGE.exists() and PAGE.read_text("utf-8") == page():
        return 0
    print(f"{PAGE.relative_to(ROOT)} is not in step with its parts; run `python ci/seal_page.py`", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
