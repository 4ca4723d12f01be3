"""A wheel that stands in for the engine's: it installs without the internet, and runs the engine under test."""

from __future__ import annotations

import base64
import hashlib
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = f"""\
import os
import sys


def main():
    with open(os.environ["STUB_LOG"], "a") as log:
        log.write("moot\\t" + "\\t".join(sys.argv[1:]) + "\\n")
    os.environ["PYTHONPATH"] = {str(ROOT)!r}
    code = "import sys; sys.argv[0] = 'moot'; from folkmoot.cli.main import main; main()"
    code = open(os.environ["STUB_CODE"]).read() if "STUB_CODE" in os.environ else code
    os.execv({sys.executable!r}, [{sys.executable!r}, "-c", code, *sys.argv[1:]])
"""


def wheel(folder: Path, version: str = "0.9.0", name: str = "folkmoot", lock: str = "") -> Path:
    """Write a wheel into a folder and return its path."""
    info = f"{name}-{version}.dist-info"
    files = {
        "folkmoot_stand_in.py": SCRIPT,
        "folkmoot/scaffold/requirements.lock": lock or "# nothing\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "[console_scripts]\nmoot = folkmoot_stand_in:main\n",
    }
    record = [f"{path},sha256={_digest(text)},{len(text.encode())}" for path, text in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,"]) + "\n"
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(target, "w") as archive:
        for path, text in files.items():
            archive.writestr(zipfile.ZipInfo(path), text)
    return target


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
