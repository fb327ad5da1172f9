#!/usr/bin/env python3
"""Checks receipts (c2sp.org/tlog-proof) and checkpoints of an archive's log; shares no code with ferz.

    verify_receipt.py VKEY[,WITNESS_KEY] FILE...

With the key of a witness, its cosignature is required (c2sp.org/tlog-cosignature). Prints one line a file. Exit code: 0
all are proved, 1 not all, 2 usage.
"""

import base64
import binascii
import hashlib
import sys

# Ed25519 (RFC 8032, section 5.1), in affine coordinates: slow and short.
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


class Refused(Exception):
    """The file proves nothing; the text says why."""


def add(a, b):
    (ax, ay, az, at), (bx, by, bz, bt) = a, b
    c, e = (ay - ax) * (by - bx) % P, (ay + ax) * (by + bx) % P
    f, g = 2 * at * bt * D % P, 2 * az * bz % P
    h, i, j, k = e - c, g - f, g + f, e + c
    return h * i % P, j * k % P, i * j % P, h * k % P


def times(n, point):
    result = (0, 1, 1, 0)
    while n:
        if n & 1:
            result = add(result, point)
        point, n = add(point, point), n >> 1
    return result


def same(a, b):
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0


def point(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        raise Refused("a point of the signature is malformed")
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and sign):
        raise Refused("a point of the signature is malformed")
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


BASE = point(((4 * pow(5, P - 2, P)) % P).to_bytes(32, "little"))


def is_signed(key, message, signature):
    if len(signature) != 64:
        return False
    s = int.from_bytes(signature[32:], "little")
    if s >= ORDER:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    return same(times(s, BASE), add(point(signature[:32]), times(k, point(key))))


def decode(text, what):
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Refused(f"{what} is not Base64") from None
    if base64.b64encode(data).decode() != text:
        raise Refused(f"{what} is not written as Base64 writes it")
    return data


def verifier_key(text, algorithm=1):
    """The name, the id and the bytes of a vkey."""
    try:
        name, shown, key = text.strip().split("+", 2)
    except ValueError:
        raise Refused("the key has not the form NAME+ID+KEY") from None
    key = decode(key, "the key")
    if len(key) != 33 or key[0] != algorithm:
        raise Refused("the key is not an Ed25519 key")
    number = hashlib.sha256(name.encode() + b"\n" + key).digest()[:4]
    if number.hex() != shown:
        raise Refused("the id of the key is not that of its name and bytes")
    return name, number, key[1:]


def checkpoint(note, keys):
    """The size and the root of a signed checkpoint."""
    (name, number, public), *witnesses = keys
    seen = not witnesses
    text, gap, signatures = note.rpartition("\n\n")
    text += "\n"
    lines = text.split("\n")
    if not gap or len(lines) < 4 or lines[0] != name:
        raise Refused("it is no checkpoint of this log")
    found = False
    for line in signatures.rstrip("\n").split("\n"):
        parts = line.split(" ")
        if len(parts) != 3 or parts[0] != "\u2014":
            raise Refused("a signature line is malformed")
        signature = decode(parts[2], "a signature")
        if parts[1] == name and signature[:4] == number:
            if not is_signed(public, text.encode(), signature[4:]):
                raise Refused("the signature is wrong")
            found = True
        for witness, identity, other in witnesses:
            if parts[1] == witness and signature[:4] == identity:
                seconds = int.from_bytes(signature[4:12], "big")
                if not is_signed(other, f"cosignature/v1\ntime {seconds}\n{text}".encode(), signature[12:]):
                    raise Refused("the cosignature is wrong")
                seen = True
    if not seen:
        raise Refused("it is not cosigned by this witness")
    if not found:
        raise Refused("it is not signed by this key")
    if not lines[1].isdigit() or str(int(lines[1])) != lines[1]:
        raise Refused("the size is no number")
    return int(lines[1]), decode(lines[2], "the root")


def node(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


def root_by(leaf, index, size, path):
    """The root that a path leads to (RFC 9162, section 2.1.3.2)."""
    number, last, root = index, size - 1, leaf
    if index >= size:
        raise Refused("the index is beyond the tree")
    for sibling in path:
        if last == 0:
            raise Refused("the proof is too long")
        if number & 1 or number == last:
            root = node(sibling, root)
            while number and not number & 1:
                number, last = number >> 1, last >> 1
        else:
            root = node(root, sibling)
        number, last = number >> 1, last >> 1
    if last:
        raise Refused("the proof is too short")
    return root


def check(text, keys):
    if not text.startswith("c2sp.org/tlog-proof"):
        size, _ = checkpoint(text, keys)
        return f"signed: {size} events"
    head, gap, note = text.partition("\n\n")
    first, extra, index, *path = head.split("\n")
    if first != "c2sp.org/tlog-proof@v1" or not gap:
        raise Refused("it is no receipt")
    if not extra.startswith("extra ") or not index.startswith("index ") or not index[6:].isdigit():
        raise Refused("it has no leaf, or no index")
    leaf = decode(extra[6:], "the leaf")
    size, root = checkpoint(note, keys)
    path = [decode(line, "the proof") for line in path]
    if root_by(hashlib.sha256(b"\x00" + leaf).digest(), int(index[6:]), size, path) != root:
        raise Refused("the proof does not lead to the signed root")
    return f"proved: event {index[6:]} of {size}: {leaf.decode()}"


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    failed = 0
    for name in arguments[1:]:
        with open(name, encoding="utf-8", newline="") as file:
            text = file.read()
        try:
            log, *witness = arguments[0].split(",")
            print(f"{name}: {check(text, [verifier_key(log)] + [verifier_key(key, 4) for key in witness])}")
        except (Refused, ValueError) as error:
            failed = 1
            print(f"{name}: NOT PROVED: {error}")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
