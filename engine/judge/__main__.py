"""The judge's own process: `python -m engine.judge`, started by `engine.judge.process` and by nothing else."""

from engine.judge.service import main

main()
