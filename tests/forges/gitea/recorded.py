"""What a Gitea 1.15.9 was asked and answered, word for word: the form of every answer of the emulator's."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

Fields = dict[str, Any]
EXCHANGES: list[Fields] = json.loads(Path(__file__).with_name("recording-1.15.9.json").read_text("utf-8"))


def answers(method: str, ending: str, status: int = 200) -> list[Any]:
    """Return the bodies of answers to requests of a path that ends so."""
    return [
        deepcopy(each["response"]["body"])
        for each in EXCHANGES
        if each["request"]["method"] == method
        and each["request"]["path"].endswith(ending)
        and each["response"]["status"] == status
    ]


PULL: Fields = answers("GET", "/pulls/2")[0]
REVIEW: Fields = answers("POST", "/pulls/1/reviews")[0]
COMMENT: Fields = answers("POST", "/issues/1/comments", 201)[0]
STATUS: Fields = answers("POST", "/statuses/7c956b12ee8fc5f6018b2bfb4adbc183e0682863", 201)[0]
REPOSITORY: Fields = answers("GET", "/alice/nomic29596")[0]
USER: Fields = COMMENT["user"]
