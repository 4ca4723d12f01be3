"""The command `moot`, and `python -m folkmoot`: the sandbox begins to load before the command itself does."""

from __future__ import annotations

import sys

from folkmoot.cli.early_start import begin_before


def main() -> None:
    """Run `moot` on the words of the command line, and exit."""
    begin_before(sys.argv[1:])
    _load_msgspec()
    from folkmoot.cli.main import main as run

    run()


def _load_msgspec() -> None:
    """Load msgspec without `typing_extensions`, which it does as well without, and which is as large as all of it."""
    if "typing_extensions" not in sys.modules:
        sys.modules["typing_extensions"] = None  # type: ignore[assignment]
        import msgspec  # noqa: F401

        del sys.modules["typing_extensions"]


if __name__ == "__main__":
    main()
