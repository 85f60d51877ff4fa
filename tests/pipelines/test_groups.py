"""Groups of files: every file in one, known ones kept, and few of them however files come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from pipelines.groups import FAN, FULL, Group, regroup


def grouped(known: Sequence[Group], sizes: Mapping[str, int]) -> list[Group]:
    """Groups, each with the sum of its files' records."""
    groups = regroup(known, [Group((file,), records) for file, records in sizes.items()])
    assert sorted(file for group in groups for file in group.files) == sorted(sizes)
    assert all(group.records == sum(sizes[file] for file in group.files) for group in groups)
    return groups


@given(st.lists(st.lists(st.integers(0, 2 * FULL), max_size=12), max_size=12))
def test_every_file_is_in_one_group_and_there_are_few(rounds: list[list[int]]) -> None:
    sizes: dict[str, int] = {}
    groups: list[Group] = []
    for sent in rounds:
        sizes |= {f"{len(sizes) + place:04}": records for place, records in enumerate(sent)}
        groups = grouped(groups, sizes)
        # Nothing is left to be done.
        assert grouped(groups, sizes) == groups
        small = [group for group in groups if group.size is not None]
        assert len(small) <= 3 * (FAN - 1)
        # A full group takes nothing more; the last that it took may have been a large file.
        assert all(group.records < 3 * FULL for group in groups)


def test_a_new_file_leaves_other_groups_as_they_are() -> None:
    sizes = {f"{number:02}": 5000 for number in range(20)}
    before = grouped([], sizes)
    after = grouped(before, sizes | {"new": 1000})
    assert after == [*before, Group(("new",), 1000)]


def test_files_that_come_one_by_one_are_written_again_a_few_times() -> None:
    sizes: dict[str, int] = {}
    groups: list[Group] = []
    written = 0
    for number in range(1500):
        sizes[f"{number:04}"] = 50
        after = grouped(groups, sizes)
        written += sum(group.records for group in after if group not in groups)
        groups = after
    assert written <= 4 * 1500 * 50
    assert len(groups) <= 3 * (FAN - 1) + 1500 * 50 // FULL


def test_the_groups_of_files_that_are_gone_are_made_again() -> None:
    sizes = {"a": 5000, "b": 6000, "c": 7000}
    before = [Group(("a", "b"), 11000), Group(("c",), 7000)]
    del sizes["a"]
    assert grouped(before, sizes) == [Group(("c",), 7000), Group(("b",), 6000)]


def test_what_lies_together_stays_together() -> None:
    units = [Group(("a", "c"), 30), Group(("b",), 10), Group(("d",), 20)]
    assert regroup([], units) == [Group(("a", "c", "b", "d"), 60)]
    known = [Group(("b", "d"), 30)]
    assert regroup(known, units) == [Group(("b", "d"), 30), Group(("a", "c"), 30)]
    # A known group that cuts through a unit is no group any more.
    assert regroup([Group(("a", "b"), 40)], units) == regroup([], units)
