"""The sandbox's own process: `python -m folkmoot.sandbox`, started by `folkmoot.sandbox.client` and by nothing else."""

from folkmoot.sandbox.worker import main

main()
