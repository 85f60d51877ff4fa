"""Chance for compiled code: random numbers that follow from three whole numbers alone, in whole-number arithmetic.

The generator is sfc32, "small fast counter" (C. Doty-Humphrey, PractRand): three words and a counter of 32 bits each.
Its step can be undone, so no two matches of a seed, and no two streams of them, start from one state. All words stand
in an int64 array and no step overflows it: the results are the same with the compiler on and off.
"""

from __future__ import annotations

from typing import Any

from yuanzi_core.compiled import inlined

#: Words of the state: three words and the counter.
STATE_WORDS = 4
WORD_BITS = 32
_WORD = (1 << WORD_BITS) - 1
#: Steps after which every bit of the input has reached every bit of the state (the author takes 12 to 20).
_MIXING_STEPS = 16


@inlined
def draw(state: Any) -> int:
    """The next number of 32 bits."""
    a, b, c = state[0], state[1], state[2]
    drawn = (a + b + state[3]) & _WORD
    state[0] = b ^ b >> 9
    state[1] = (c + (c << 3)) & _WORD
    state[2] = ((c << 21 & _WORD | c >> 11) + drawn) & _WORD
    state[3] = (state[3] + 1) & _WORD
    return int(drawn)


@inlined
def below(state: Any, limit: int) -> int:
    """A whole number from 0 to ``limit`` − 1, each as likely as the other to within limit / 2³²."""
    return draw(state) * limit >> WORD_BITS


@inlined
def start(state: Any, seed: int, match: int, stream: int) -> None:
    """Begin the numbers of a stream of a match; ``seed`` and ``match`` from 0 to 2⁶³ − 1, ``stream`` a small number."""
    state[0], state[1], state[2], state[3] = seed & _WORD, seed >> WORD_BITS, stream, 1
    for _ in range(_MIXING_STEPS):
        draw(state)
    state[0] ^= match & _WORD
    state[1] ^= match >> WORD_BITS
    for _ in range(_MIXING_STEPS):
        draw(state)
