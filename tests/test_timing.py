"""That no test compares a clock with a number: what takes its time on a slow day is not wrong."""

from __future__ import annotations

from pathlib import Path

from tests.support.timing import Spent, least_units

HERE = Path(__file__).parent
REPORTS = {"random_a_nomic.py", "test_random_imperial_training.py"}  # these print how long they took


def test_no_other_test_asks_for_processor_time() -> None:
    asking = {file.name for file in HERE.rglob("*.py") if "process_time" in file.read_text()}
    measured = {file.name for file in (HERE / "benchmarks").rglob("*.py")}
    assert asking - measured <= {"timing.py", Path(__file__).name, *REPORTS}


def test_work_ten_times_as_long_takes_about_ten_times_as_many_units() -> None:
    def work(times: int) -> int:
        return sum(len(f"{number}:{number}".split(":")) for number in range(5_000 * times))

    one, ten = (least_units(lambda n=n: work(n), times=5) for n in (4, 40))  # type: ignore[misc]
    assert 3 < ten / one < 30
    with Spent() as spent:
        work(40)
    assert ten / 4 < spent.units < 4 * ten
