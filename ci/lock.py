"""Write `requirements.lock` and `requirements-dev.lock` from `pyproject.toml`, or check that they are in step.

python ci/lock.py            resolve anew what changed; pinned versions stay
python ci/lock.py --upgrade  take the newest versions of everything
python ci/lock.py --check    fail when the files do not say what `pyproject.toml` asks for
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADER = """\
# {what} by version and hash, for Python 3.11 and newer on every system.
# Written by `python ci/lock.py`; do not edit by hand.
"""
LOCKS = {
    "requirements.lock": ("What Folkmoot runs with,", ["build"]),
    "requirements-dev.lock": ("What Folkmoot runs, is tested and checked with,", ["build", "dev"]),
}


def compile_lock(name: str, folder: Path, upgrade: bool = False) -> str:
    """Return the text of a lock file; versions pinned in the present one are kept unless `upgrade`."""
    what, groups = LOCKS[name]
    target = folder / name
    present = ROOT / name
    if present.exists():
        target.write_text(present.read_text("utf-8"), "utf-8")
    command = [sys.executable, "-m", "uv", "pip", "compile", "pyproject.toml", "--output-file", str(target)]
    command += [
        "--universal",
        "--python-version",
        "3.11",
        "--generate-hashes",
        "--no-annotate",
        "--no-header",
        "--quiet",
    ]
    command += [word for group in groups for word in ("--group", group)]
    command += ["--extra", "announce"]  # a forge's jobs install what is locked, and nothing else
    command += ["--upgrade"] if upgrade else []
    if name != "requirements.lock":
        command += ["--constraint", str(folder / "requirements.lock")]
    subprocess.run(command, cwd=ROOT, check=True)
    body = [line for line in target.read_text("utf-8").splitlines(keepends=True) if not line.startswith("#")]
    text = HEADER.format(what=what) + "".join(body)
    target.write_text(text, "utf-8")
    return text


def main(arguments: list[str]) -> int:
    """Write or check both files; return the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        texts = {name: compile_lock(name, Path(folder), "--upgrade" in arguments) for name in LOCKS}
    if "--check" not in arguments:
        for name, text in texts.items():
            (ROOT / name).write_text(text, "utf-8")
        return 0
    stale = [name for name, text in texts.items() if (ROOT / name).read_text("utf-8") != text]
    for name in stale:
        print(f"{name} is not in step with pyproject.toml; run `python ci/lock.py`", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
