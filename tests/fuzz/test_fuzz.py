"""Every target for a fixed short time, and what longer runs have found."""

from __future__ import annotations

import pytest

from tests.fuzz.fuzzing import Found, fuzz, smaller
from tests.fuzz.targets import Target, targets

#: Seconds for each target.
SECONDS = 1.0


@pytest.mark.parametrize("name", list(targets()))
def test_nothing_that_a_file_holds_is_an_exception(name: str) -> None:
    assert fuzz(name, SECONDS, seed=1) > 0


def test_what_is_found_is_made_small_and_comes_as_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_quotes(data: bytes, name: str) -> None:
        assert b'"' not in data

    assert smaller(lambda data: b"ab" in data, b"xxxxxabyyyy") == b"ab"
    inputs = targets()["rulesets"].inputs
    monkeypatch.setitem(targets(), "rulesets", Target(inputs, no_quotes))
    with pytest.raises(Found) as found:
        fuzz("rulesets", 30.0, seed=1)
    assert found.value.data == b'"'
    assert "def test_fuzz_found_rulesets_" in str(found.value)
