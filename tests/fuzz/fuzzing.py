"""A target run on inputs made from a stream of chance, until a time is up; what fails is made small and printed."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from random import Random

from hypothesis import HealthCheck, given, settings

from tests.fuzz.targets import Target, targets

#: Bytes of chance that an input is made from, at most.
_CHANCE = 4096
#: Seconds for making a failing input smaller.
_SHRINKING = 20.0


class Found(Exception):
    """An input for which something does not hold: the target, the input and the traceback."""

    def __init__(self, target: str, data: bytes, name: str, trace: str) -> None:
        super().__init__(f"{target}: {name}\n{trace}\n{test_of(target, data, name, trace)}")
        self.target, self.data, self.name, self.trace = target, data, name, trace


def fuzz(name: str, seconds: float, seed: int) -> int:
    """Run a target for so many seconds; returns how many inputs it had. The same seed gives the same inputs.

    :raises Found: something does not hold.
    """
    target, tried = targets()[name], 0

    @settings(database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(target.inputs)
    def one(made: tuple[bytes, str]) -> None:
        nonlocal tried
        tried += 1
        trace = failure(target, *made)
        if trace is not None:
            small = smaller(
                lambda data: target.may_become(made[0], data) and failure(target, data, made[1]) is not None, made[0]
            )
            raise Found(name, small, made[1], failure(target, small, made[1]) or trace)

    run: Callable[[bytes], object] = getattr(one, "hypothesis").fuzz_one_input  # noqa: B009
    rng, until = Random(f"{name} {seed}"), time.monotonic() + seconds
    while time.monotonic() < until:
        run(rng.randbytes(rng.randrange(64, _CHANCE)))
    return tried


def failure(target: Target, data: bytes, name: str) -> str | None:
    """The traceback of a target on an input; None if all holds."""
    try:
        target.check(data, name)
    except Exception:  # noqa: BLE001 – whatever it is, it is what is looked for
        return traceback.format_exc()
    return None


def smaller(fails: Callable[[bytes], bool], data: bytes) -> bytes:
    """A shorter input that fails as well: pieces are left out, large ones first, as long as there is time."""
    until, size = time.monotonic() + _SHRINKING, len(data) // 2
    while size:
        at = 0
        while at < len(data) and time.monotonic() < until:
            shorter = data[:at] + data[at + size :]
            if fails(shorter):
                data = shorter
            else:
                at += size
        size //= 2
    return data


def test_of(target: str, data: bytes, name: str, trace: str) -> str:
    """A test that holds an input on to what it must not do again."""
    last = trace.strip().splitlines()[-1][:100]
    return (
        f"# {last}\n"
        f"def test_fuzz_found_{target}_{abs(hash(data)) % 10**6:06d}() -> None:\n"
        f"    targets()[{target!r}].check({data!r}, {name!r})\n"
    )
