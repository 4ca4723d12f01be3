"""What would run where a workflow puts words into a script."""

from __future__ import annotations

NAIVE = """\
name: naive
on: [pull_request]
jobs:
  greet:
    runs-on: ubuntu-latest
    steps:
      - shell: bash
        run: |
          echo "${{ github.event.pull_request.title }}"
          echo "${{ github.event.pull_request.head.ref }}"
          echo "${{ github.event.pull_request.body }}"
"""
