"""Makes the test vectors of sealed data anew: `python -m tests.sealing.make_vectors`.

Boxes are different each time, so that this is run only where the format changes; then its version changes too.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import pyrage
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from msgspec.structs import replace

from folkmoot.core.canonical_json import canonical_bytes
from folkmoot.core.digest import bytes_digest
from folkmoot.core.sealed_data import filled
from folkmoot.kernel.sealed_data.values import DETAIL_BYTES
from folkmoot.kernel.sealed_data.vaults import DETAIL
from folkmoot.sealing import commitments as seeds
from folkmoot.sealing.boxes import _TAG, SIZES, Opening, _inside, fresh_salt, seal
from folkmoot.sealing.commitments import Context, EntryContext, context_bytes, field, fields, flat
from folkmoot.sealing.keys import Identity, make_key, read_identity

FILE = Path(__file__).parents[2] / "site_src" / "assets" / "sealed-data-vectors.json"
GAME, FORK = bytes_digest(b"the founding entry of a game"), bytes_digest(b"that of a fork")
TARGET = bytes_digest(b"what the proposal says")
BALLOT = Context(GAME, "ann", "vote", "choice", "proposal/301", TARGET, 1, bytes_digest(b"nonce")[:32])
CARD = EntryContext(GAME, 17, "hand/ann/0")
VALUES = [
    None, True, False, 0, -1, 2**64 + 1, "", "for", "K\N{BLACK SPADE SUIT}", 'a"b\\c\n\t\x01\x7f\u2028', [],
    {}, {"b": 1, "a": [1, {"c": None}]}, {"\uff5e": 1, "\U0001f0a1": 2}, "[redacted sha256:" + "0" * 64 + "]",
]  # fmt: skip


def ssh_key(kind: str) -> str:
    key: Any = {
        "ssh-ed25519": ed25519.Ed25519PrivateKey.generate,
        "ssh-rsa": lambda: rsa.generate_private_key(65537, 2048),
        "ecdsa": lambda: ec.generate_private_key(ec.SECP256R1()),
    }[kind]()
    return key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()).decode()


def ecdsa_public() -> str:
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    return key.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()


def told(opening: Opening) -> dict[str, Any]:
    value = canonical_bytes(opening.value).decode()
    return {
        "context": flat(opening.context),
        "value": value,
        "salt": opening.salt.hex(),
        "commitment": opening.commitment,
    }


def boxes(keys: dict[str, Identity]) -> list[dict[str, Any]]:
    many = [Opening(EntryContext(GAME, 17, f"hand/ann/{n}"), f"{n} of clubs", fresh_salt()) for n in range(13)]
    long = [Opening(BALLOT, "x" * size, fresh_salt()) for size in (1, 500, 2_000, 4_200)]
    small = Opening(EntryContext(GAME, 17, "x"), 7, fresh_salt())
    told_in_secret = filled("card: this was sealed for another act (lend, not play)", DETAIL_BYTES)
    detail = Opening(EntryContext(GAME, 18, DETAIL), told_in_secret, fresh_salt())
    cases = [(name, [Opening(BALLOT, "for", fresh_salt())]) for name in keys]
    cases += [
        ("native", each)
        for each in ([small], [Opening(CARD, {"rank": 12}, fresh_salt())], many, *([one] for one in long), [detail])
    ]
    return [
        {"key": name, "box": seal(openings, keys[name].recipient), "openings": [told(each) for each in openings]}
        for name, openings in cases
    ]


def encrypted(inside: bytes, *keys: Identity) -> str:
    return b64encode(pyrage.encrypt(inside, [key.recipient.in_library() for key in keys])).decode()


def insides() -> dict[str, bytes]:
    """Return what is inside of boxes that are refused."""
    opening = Opening(BALLOT, "canary", fresh_salt())
    good = _inside([opening])
    small = _inside([Opening(replace(CARD, place="x"), "x" * 127, fresh_salt())])
    part = fields(b"choice", b'"canary"') + opening.salt
    head = field(BALLOT.common)

    def whole(inside: bytes, tag: bytes = _TAG) -> bytes:
        return (tag + field(inside)).ljust(SIZES[1], b"\0")

    def one(value: bytes, common: bytes = BALLOT.common, place: bytes = b"choice") -> bytes:
        return whole(field(common) + bytes([0, 0, 0, 1]) + fields(place, value) + opening.salt)

    return {
        "padding that is not zero": whole(good)[:-1] + b"\1",
        "padded to less than it must be": (_TAG + field(small)).ljust(256, b"\0"),
        "padded to more than it needs": (_TAG + field(good)).ljust(4_096, b"\0"),
        "a size that no box has": (_TAG + field(good)).ljust(512, b"\0"),
        "not padded": _TAG + field(good),
        "another version": whole(good, b"folkmoot box v2\n"),
        "nothing inside": whole(head + bytes(4)),
        "a count that is not true": whole(head + bytes([0, 0, 0, 2]) + part),
        "a place that stands twice": whole(head + bytes([0, 0, 0, 2]) + part + part),
        "a salt that is too short": whole(head + bytes([0, 0, 0, 1]) + part[:-1]),
        "keys out of order": one(b'{"b":1,"a":2}'),
        "a key that stands twice": one(b'{"a":1,"a":2}'),
        "a blank in the value": one(b'{"a": 1}'),
        "a number with a point": one(b"1.0"),
        "a number that is none": one(b"NaN"),
        "an escape that need not be": one(b'"\\u0041"'),
        "half of a surrogate pair": one(b'"\\ud800"'),
        "a value that is not UTF-8": one(b'"\xff"'),
        "lists too deep within each other": one(b"[" * 30 + b"]" * 30),
        "an unknown kind of context": one(b'"canary"', fields(b"stranger", bytes.fromhex(GAME))),
        "a context with a part too many": one(b'"canary"', BALLOT.common + field(b"")),
        "a nonce that is too short": one(b'"canary"', BALLOT.common[:-17] + b"\x0f" + BALLOT.common[-16:-1]),
        "a place without a name": one(b'"canary"', place=b""),
    }


def refused(keys: dict[str, Identity]) -> list[dict[str, str]]:
    native, other = keys["native"], keys["another native"]
    good = seal(Opening(BALLOT, "canary", fresh_salt()), native.recipient)
    data = b64decode(good)
    head, _, rest = data.partition(b"\n--- ")
    first, second, body, *grease = head.split(b"\n")
    code = {"a nonce that is too short": "E-CONTEXT", "an unknown kind of context": "E-CONTEXT"}
    code |= {"a context with a part too many": "E-CONTEXT", "a place without a name": "E-CONTEXT"}
    found = [
        {"what": what, "box": encrypted(inside, native), "code": code.get(what, "E-BOX")}
        for what, inside in insides().items()
    ]

    def header(*lines: bytes) -> str:
        return b64encode(b"\n".join(lines) + b"\n--- " + rest).decode()

    outside = {
        "sealed to two readers": encrypted(bytes(256), native, other),
        "a passphrase": header(first, b"-> scrypt c2FsdHNhbHRzYWx0c2FsdA 18", body),
        "a plugin": header(first, b"-> piv-p256 c2FsdA c2FsdA", body),
        "a kind of age that is not allowed": header(first, b"-> mlkem768x25519 " + second.split()[2], body),
        "no reader": header(first),
        "another version of age": header(b"age-encryption.org/v2", second, body, *grease),
        "a header that is not ended": b64encode(data[:90]).decode(),
        "cut short": b64encode(data[:-1]).decode(),
        "something behind it": b64encode(data + b"\0").decode(),
        "base64 with a blank": good[:100] + " " + good[100:],
        "base64 on two lines": good[:100] + "\n" + good[100:],
        "base64 of the wrong alphabet": "-" + good[1:],
        "base64 whose last bits are not zero": _slack(good),
        "nothing": "",
        "armour that is not ended": "-----BEGIN AGE ENCRYPTED FILE-----\n" + good,
    }
    found += [{"what": what, "box": box, "code": "E-BOX"} for what, box in outside.items()]
    flipped = bytearray(data)
    flipped[-1] ^= 1
    zero = header(first, b"-> X25519 " + b64encode(bytes(32)).rstrip(b"="), body)
    found += [
        {"what": "sealed to somebody else", "box": seal(Opening(BALLOT, "canary", fresh_salt()), other.recipient), "code": "E-READER"},
        {"what": "sealed to an SSH key", "box": seal(Opening(BALLOT, "canary", fresh_salt()), keys["ssh-ed25519"].recipient), "code": "E-READER"},
        {"what": "a bit that is wrong", "box": b64encode(flipped).decode(), "code": "E-READER"},
        {"what": "a share that makes no secret", "box": zero, "code": "E-READER"},
        {"what": "a reader renamed", "box": header(first, second[:-1] + bytes([second[-1]]), body[:-2] + b"AA"), "code": "E-READER"},
    ]  # fmt: skip
    return [{"key": "native", **each} for each in found]


def _slack(good: str) -> str:
    """Return base64 that stands for the same bytes in another form; a byte more is inside where it has no slack."""
    data = b64decode(good)[:-1] if not good.endswith("=") else b64decode(good)
    text = b64encode(data).decode()
    core = text.rstrip("=")
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return core[:-1] + alphabet[alphabet.index(core[-1]) + 1] + text[len(core) :]


def seed_vectors(secret: str) -> dict[str, Any]:
    root_secret = seeds.seed_secret(secret)
    root = seeds.seed_root(root_secret, GAME)
    found = [
        {
            "n": n,
            "seed": seeds.nth_seed(root_secret, GAME, n).hex(),
            "proof": list(seeds.seed_proof(root_secret, GAME, n)),
        }
        for n in (0, 1, 2_047, 4_095)
    ]
    zero, one = found[0], found[1]
    wrong = [
        {"what": "the seed of another number", "n": 1, "seed": zero["seed"], "proof": one["proof"]},
        {"what": "another number", "n": 1, "seed": zero["seed"], "proof": zero["proof"]},
        {"what": "a number beyond the last", "n": 4_096, "seed": zero["seed"], "proof": zero["proof"]},
        {"what": "a proof that is too short", "n": 0, "seed": zero["seed"], "proof": zero["proof"][:-1]},
        {"what": "a proof that is too long", "n": 0, "seed": zero["seed"], "proof": [*zero["proof"], root]},
        {"what": "a seed that is too short", "n": 0, "seed": zero["seed"][:-2], "proof": zero["proof"]},
        {
            "what": "a digest in capitals",
            "n": 0,
            "seed": zero["seed"],
            "proof": [each.upper() for each in zero["proof"]],
        },
    ]
    draws = [
        {"seed": one["seed"], "entry_before": GAME, "event": FORK, "bytes": seeds.draw_bytes(bytes.fromhex(one["seed"]), GAME, FORK).hex()}
    ]  # fmt: skip
    return {"identity": secret, "game": GAME, "root": root, "seeds": found, "refused": wrong, "draws": draws}


def refused_recipients() -> list[dict[str, str]]:
    weak = b64encode(fields(b"ssh-ed25519", b"\1" + bytes(31))).decode()
    key = b64encode(fields(b"sk-ssh-ed25519@openssh.com", bytes(32), b"ssh:")).decode()
    texts = {
        "the point zero, with which everybody shares a secret": "age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq5cu47z",
        "a point of order eight": "age1ur4h5lpmgxu2u9jku0a0r87ydtdqnr0tnsetrlvxvgz3vh6fhqqqzyt4v9",
        "a point of small order": f"ssh-ed25519 {weak}",
        "a digit that is wrong": "age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq5cu47q",
        "a plugin": "age1yubikey1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq",
        "a security key": f"sk-ssh-ed25519@openssh.com {key}",
        "an ECDSA key": ecdsa_public(),
        "a name that its bytes do not have": f"ssh-rsa {b64encode(fields(b'ssh-ed25519', bytes(range(32)))).decode()}",
        "nothing": "",
    }
    return [{"what": what, "recipient": text, "code": "E-RECIPIENT"} for what, text in texts.items()]


def main() -> None:
    """Write the file."""
    keys = {"native": make_key(), "another native": make_key()}
    keys |= {kind: read_identity(ssh_key(kind)) for kind in ("ssh-ed25519", "ssh-rsa")}
    openings = [
        Opening(context, value, bytes([n] * 32)) for n, value in enumerate(VALUES) for context in (BALLOT, CARD)
    ]
    nothing = Context(GAME, "bjørn", "say", "text", "", "", 2**63, "f" * 32)
    vectors = {
        "format": "Folkmoot sealed data, version 1",
        "warning": "The private keys in this file are known to everybody: never seal anything to them.",
        "keys": [
            {
                "name": name,
                "identity": key.secret,
                "recipient": key.recipient.text,
                "fingerprint": key.recipient.fingerprint,
            }
            for name, key in keys.items()
        ],
        "contexts": [{"context": flat(each), "bytes": context_bytes(each).hex()} for each in (BALLOT, CARD, nothing)],
        "commitments": [told(each) for each in openings],
        "boxes": boxes(keys),
        "refused_boxes": refused(keys),
        "refused_recipients": refused_recipients(),
        "seeds": seed_vectors(keys["native"].secret),
    }
    FILE.write_text(json.dumps(vectors, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
