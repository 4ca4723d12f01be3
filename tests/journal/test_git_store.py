"""Objects of git that are cut, lie about their size or lead in a circle: an error at once, in every command."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import struct
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

import pygit2
import pytest

from folkmoot.journal.repositories import open_repository
from tests.support.moot import Moot

BOUND = 20  # seconds
FORK = multiprocessing.get_context("fork")
CUTS: tuple[Callable[[bytes], bytes], ...] = (
    *(lambda data: data[:0], lambda data: data[:2], lambda data: data[: len(data) // 2]),
    *(lambda data: data[:-1], lambda data: data[:-4], lambda data: data + b"more"),
    lambda data: zlib.compress(zlib.decompress(data)[:-1]),
    lambda data: zlib.compress(b"blob %d\0x" % (1 << 60)),
    lambda data: zlib.compress(b"blob 12345678901234567890123\0x"),
    lambda data: zlib.compress(bytes(1 << 20)),
)


def ended(action: Callable[[], object]) -> bool:
    """Run something in a process of its own; say whether that ended by itself."""
    process = FORK.Process(target=action)
    process.start()
    process.join(BOUND)
    if process.is_alive():
        process.kill()
        return False
    return True


def loose(own: Path) -> list[Path]:
    return sorted((own / "objects").glob("[0-9a-f][0-9a-f]/*"))


@pytest.mark.threat("T-78")
def test_every_cut_of_every_kind_of_object_is_an_error_at_once(tmp_path: Path) -> None:
    made = pygit2.init_repository(tmp_path)
    who = pygit2.Signature("ann", "ann@example.org", 0, 0)
    names = [made.create_blob(data) for data in (b"", b"x" * 10, os.urandom(5_000))]
    builder = made.TreeBuilder()
    builder.insert("a", names[1], pygit2.enums.FileMode.BLOB)
    names.append(builder.write())
    names.append(made.create_commit("HEAD", who, who, "One", names[-1], []))
    names.append(made.create_tag("v1", names[-1], pygit2.enums.ObjectType.COMMIT, who, "A tag"))
    whole = {str(name): open_repository(tmp_path)[name].read_raw() for name in names}

    def look(name: str, file: Path, cut: Callable[[bytes], bytes], data: bytes) -> None:
        file.write_bytes(cut(data))
        for ask in (lambda repo: repo[name], lambda repo: repo[name[:9]], lambda repo: repo.odb.read(name)):
            with pytest.raises((pygit2.GitError, KeyError)):
                ask(open_repository(tmp_path))
        file.write_bytes(data)

    def look_all(name: str) -> None:
        file = tmp_path / ".git/objects" / name[:2] / name[2:]
        file.chmod(0o644)
        for cut in CUTS:
            look(name, file, cut, file.read_bytes())

    for name, content in whole.items():
        assert ended(lambda name=name: look_all(name)), name  # type: ignore[misc]
        look_all(name)
        assert open_repository(tmp_path)[name].read_raw() == content


def test_nothing_is_recorded_where_the_way_to_the_game_is_damaged(table: Moot, tmp_path: Path) -> None:
    repo = open_repository(tmp_path)
    name = str(repo.head.peel(pygit2.Commit).tree["state"].id)
    file = tmp_path / ".git/objects" / name[:2] / name[2:]
    file.chmod(0o644)
    file.write_bytes(file.read_bytes()[:-1])
    before = sorted(tmp_path.glob("state/**/*.yaml"))
    said = table("act", "state", "--by", "ann", "One.")
    assert (said.code, sorted(tmp_path.glob("state/**/*.yaml"))) == (5, before)
    assert "git fsck" in said.err


# -- packs

SAME = bytes([10, 10, 0x90, 10])  # a difference that copies ten bytes
A, B, C = (bytes([number]) * 20 for number in (0xAA, 0xBB, 0xCC))


def entry(kind: int, size: int, rest: bytes) -> bytes:
    first, size, head = (kind << 4) | (size & 15), size >> 4, b""
    while size:
        head += bytes([first | 0x80])
        first, size = size & 0x7F, size >> 7
    return head + bytes([first]) + rest


def like(base: bytes) -> bytes:
    return entry(7, len(SAME), base + zlib.compress(SAME))


def before(distance: int) -> bytes:
    return entry(6, len(SAME), bytes([distance]) + zlib.compress(SAME))


def lay(folder: Path, objects: Iterable[tuple[bytes, bytes]]) -> None:
    """Write a pack and its index as git does, whatever is in them."""
    given = list(objects)
    pack, places = b"PACK" + struct.pack(">II", 2, len(given)), {}
    for name, data in given:
        places[name] = len(pack), zlib.crc32(data)
        pack += data
    pack += hashlib.sha1(pack).digest()
    names = sorted(places)
    index = b"\xfftOc\0\0\0\2" + b"".join(struct.pack(">I", sum(n[0] <= i for n in names)) for i in range(256))
    index += b"".join(names) + b"".join(struct.pack(">I", places[name][1]) for name in names)
    index += b"".join(struct.pack(">I", places[name][0]) for name in names) + pack[-20:]
    index += hashlib.sha1(index).digest()
    for suffix, data in (("pack", pack), ("idx", index)):
        (folder / f"pack-{pack[-20:].hex()}.{suffix}").write_bytes(data)


WHOLE = entry(3, 10, zlib.compress(b"0123456789"))


@pytest.mark.threat("T-78")
@pytest.mark.parametrize(
    "objects",
    [
        [(A, like(A))],
        [(A, like(B)), (B, like(A))],
        [(A, like(B)), (C, WHOLE), (B, before(len(like(B)) + len(WHOLE)))],
    ],
    ids=["itself", "two", "by name and by distance"],
)
def test_a_pack_whose_differences_lead_in_a_circle_is_damaged(
    tmp_path: Path, objects: list[tuple[bytes, bytes]]
) -> None:
    pygit2.init_repository(tmp_path)
    lay(tmp_path / ".git/objects/pack", objects)
    with pytest.raises(pygit2.GitError, match="is damaged"):
        open_repository(tmp_path)


def test_a_pack_of_differences_that_end_is_read(tmp_path: Path) -> None:
    pygit2.init_repository(tmp_path)
    lay(tmp_path / ".git/objects/pack", [(C, WHOLE), (B, before(len(WHOLE))), (A, like(B))])
    for name in (A, B, C):
        assert open_repository(tmp_path).odb.read_header(name.hex())[1] == 10
    for file in (tmp_path / ".git/objects/pack").iterdir():
        for size in (0, 20, 40):
            data = file.read_bytes()
            file.write_bytes(data[:size])
            with pytest.raises((pygit2.GitError, KeyError)):
                open_repository(tmp_path)[A.hex()]
            file.write_bytes(data)
