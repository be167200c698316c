"""Python's random numbers for a seed that is a text, compiled.

`random.Random(text)` is a Mersenne Twister (M. Matsumoto, T. Nishimura, "Mersenne Twister: A
623-dimensionally equidistributed uniform pseudo-random number generator", 1998), seeded with the text and
its SHA-512 digest (FIPS 180-4). The same text gives the same numbers here, in every program that calls
kernels.
"""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tengen.engine.board.records import aligned
from tengen.engine.kernels.declarations import compiled, inlined

MOST_TEXT = 1 << 13
"""Bytes of a seed, at most."""

_DIGEST = 64
"""Bytes of a digest."""

_WORDS, _SHIFTED = 624, 397
_LOW_31, _LOW_32 = (1 << 31) - 1, (1 << 32) - 1

RANDOM = aligned(
    [
        ("text", np.uint8, MOST_TEXT + _DIGEST),  # the seed; the digest follows it
        ("length", np.int64),  # bytes of the seed
        ("schedule", np.int64, 80),  # SHA-512's words for a block
        ("digest", np.int64, 8),  # its state
        ("words", np.int64, _WORDS),  # the twister's state
        ("used", np.int64),  # words that have been drawn from it
    ]
)
"""A random number generator: the caller writes `text` and `length`, then calls `seed_with_text`."""


def _root_bits(numbers: list[int], degree: int) -> npt.NDArray[np.int64]:
    """Return the first 64 bits after the point of the roots of some numbers."""
    roots = []
    for number in numbers:
        power = number << 64 * degree
        root = int(number ** (1 / degree) * 2**64) + (1 << 20)
        # Newton's method, from above.
        while (less := ((degree - 1) * root + power // root ** (degree - 1)) // degree) < root:
            root = less
        fraction = root & ((1 << 64) - 1)
        roots.append(fraction - (fraction >> 63 << 64))  # as an int64 holds it
    return np.array(roots, np.int64)


_PRIMES = [
    number for number in range(2, 410) if all(number % factor for factor in range(2, min(number, 21)))
]
_FIRST_DIGEST, _ROUNDS = _root_bits(_PRIMES[:8], 2), _root_bits(_PRIMES[:80], 3)


@inlined
def shifted(word, bits):
    """Return an int64 shifted to the right, with zeros from the left."""
    return (word >> bits) & ((np.int64(1) << (64 - bits)) - 1)


@inlined
def rotated(word, bits):
    """Return an int64 rotated to the right."""
    return shifted(word, bits) | (word << (64 - bits))


@inlined
def padded_byte(random, place, size):
    """Return a byte of the text, padded to a size: a bit, zeros, and the number of bits of the text."""
    if place < random.length:
        return np.int64(random.text[place])
    if place == random.length:
        return np.int64(128)
    left = size - place
    return (random.length << 3) >> (8 * (left - 1)) & 255 if left <= 8 else np.int64(0)


@compiled
def hash_text(random):
    """Write the SHA-512 digest of the text into `digest`."""
    words, digest = random.schedule, random.digest
    for number in range(8):
        digest[number] = _FIRST_DIGEST[number]
    size = (random.length + 17 + 127) & ~np.int64(127)
    for block in range(0, size, 128):
        for number in range(16):
            words[number] = 0
            for place in range(8):
                byte = padded_byte(random, np.int64(block + 8 * number + place), size)
                words[number] = (words[number] << 8) | byte
        for number in range(16, 80):
            old, new = words[number - 15], words[number - 2]
            mixed = rotated(old, 1) ^ rotated(old, 8) ^ shifted(old, 7)
            mixed += rotated(new, 19) ^ rotated(new, 61) ^ shifted(new, 6)
            words[number] = words[number - 16] + words[number - 7] + mixed
        a, b, c, d = digest[0], digest[1], digest[2], digest[3]
        e, f, g, h = digest[4], digest[5], digest[6], digest[7]
        for number in range(80):
            h += (rotated(e, 14) ^ rotated(e, 18) ^ rotated(e, 41)) + ((e & f) ^ (~e & g))
            h += _ROUNDS[number] + words[number]
            total = (rotated(a, 28) ^ rotated(a, 34) ^ rotated(a, 39)) + ((a & b) ^ (a & c) ^ (b & c))
            a, b, c, d, e, f, g, h = h + total, a, b, c, d + h, e, f, g
        for number, word in enumerate((a, b, c, d, e, f, g, h)):
            digest[number] += word


@inlined
def mixed_word(words, place):
    """Return the word before a place, mixed as the twister's seeding does."""
    return words[place - 1] ^ (words[place - 1] >> 30)


@compiled
def seed_with_text(random):
    """Seed the generator with its text, as `random.Random(text)` does."""
    hash_text(random)
    for place in range(_DIGEST):
        random.text[random.length + place] = random.digest[place >> 3] >> (56 - 8 * (place & 7)) & 255
    size, words = random.length + _DIGEST, random.words
    words[0] = 19_650_218
    for place in range(1, _WORDS):
        words[place] = (1_812_433_253 * mixed_word(words, place) + place) & _LOW_32
    # The text and its digest are one large number, whose lowest 32 bits are the first word of the key.
    zeros = np.int64(0)
    while random.text[zeros] == 0 and zeros < size - 1:
        zeros += 1
    key_words, place, key = (size - zeros + 3) >> 2, 1, 0
    for _ in range(max(key_words, _WORDS)):
        key_word = np.int64(0)
        for byte in range(max(size - 4 * key - 4, 0), size - 4 * key):
            key_word = (key_word << 8) | random.text[byte]
        words[place] = ((words[place] ^ (mixed_word(words, place) * 1_664_525)) + key_word + key) & _LOW_32
        place, key = next_place(words, place), (key + 1) % key_words
    for _ in range(_WORDS - 1):
        words[place] = ((words[place] ^ (mixed_word(words, place) * 1_566_083_941)) - place) & _LOW_32
        place = next_place(words, place)
    words[0] = 1 << 31
    random.used = _WORDS


@inlined
def next_place(words, place):
    """Return the place after a place of the twister's state; the first place gets the word of the last."""
    if place < _WORDS - 1:
        return place + 1
    words[0] = words[_WORDS - 1]
    return 1


@compiled
def twist(random):
    """Compute the next state of the twister."""
    words = random.words
    for place in range(_WORDS):
        following = words[(place + 1) % _WORDS]
        both = (words[place] & ~np.int64(_LOW_31)) | (following & _LOW_31)
        word = words[(place + _SHIFTED) % _WORDS] ^ (both >> 1)
        words[place] = word ^ (0x9908B0DF if following & 1 else 0)
    random.used = 0


@inlined
def next_word(random):
    """Return the next 32 random bits."""
    if random.used >= _WORDS:
        twist(random)
    word = random.words[random.used]
    random.used += 1
    word ^= word >> 11
    word ^= (word << 7) & 0x9D2C5680
    word ^= (word << 15) & 0xEFC60000
    return word ^ (word >> 18)


@compiled
def next_random(random):
    """Return the next random number from 0 to 1, as `random.Random.random` does."""
    high, low = next_word(random) >> 5, next_word(random) >> 6
    return (high * 67_108_864.0 + low) / 9_007_199_254_740_992.0
