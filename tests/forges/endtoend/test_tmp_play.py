import sys, tempfile, pathlib
sys.path.insert(0,'/work/lead')
import pytest
from tests.forges.endtoend import a_nomic
from tests.forges.endtoend.local_world import LocalWorld
from tests.forges.endtoend.test_end_to_end import judge_here, throw_alike
def test_it(tmp_path, monkeypatch):
    judge_here(monkeypatch); throw_alike(monkeypatch)
    w = LocalWorld(tmp_path, a_nomic.LAW, a_nomic.PLAYERS)
    try:
        a_nomic.two_nweeks(w)
    finally:
        for word in ['', *w.pulls]:
            try:
                for b in w.ours(word): print('##', word, b[:1500])
            except Exception as e: print(word, e)
        import json
        print(json.dumps(w.document('things/game')['game'].get('archive')))
