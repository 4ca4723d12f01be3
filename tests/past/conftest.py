"""What tests of the past need: a command line whose scripts run in this process."""

from tests.cli.conftest import judged, moot

__all__ = ["judged", "moot"]
