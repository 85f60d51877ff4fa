"""Texts: each language says the same, a missing text is an error, and the environment may name the language."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from yuanzi_core.texts import LANGS, Lang, has, keys, pick_language, text

TOPICS = sorted(
    {entry.name for lang in LANGS for entry in (files("yuanzi_core.texts") / lang).iterdir() if entry.is_file()}
)

# The rulings' table: each option with those of its values that are words (or choices between two numbers).
OPTIONS: dict[str, list[str]] = {
    "wind": ["next", "partner"],
    "knife_bomb": ["above_all", "by_size", "shielded"],
    "knife_jokers": ["true", "false"],
    "downstream": ["last_holder", "all_holders"],
    "clamp": ["both_out", "any_side", "upstream_side"],
    "clamp_points": [],
    "halves": ["2", "1"],
    "escape_min_tricks": [],
    "escape_upper_compensation": [],
    "five_leader": ["dealer", "any"],
    "early_stop": ["may", "must", "never"],
    "atom_doubling": ["true", "false"],
    "count_head_out": ["true", "false"],
    "low_applies": ["total", "base_only"],
    "cap": ["winner_only", "none"],
}
TERMS = {
    "kind": ["single", "pair", "triple", "bomb", "atom3", "atom4", "atom5", "hbomb", "big_hbomb"],
    "outcome": ["double", "normal", "low", "zero", "escape", "unfinished"],
    "status": ["settled", "unfinished", "violation", "rejected", "duplicate", "superseded", "withdrawn"],
    "end": ["out", "points", "escape"],
    "ruleset": ["four-classic", "five-classic", "five-atomic"],
    "game": ["four", "five"],
    "seat.four": ["0", "1", "2", "3"],
    "seat.five": ["0", "1", "2", "3", "4"],
    "side.four": ["0", "1"],
    "side.five": ["0", "1"],
    "half": ["0", "1"],
    "rank": [*"3456789TJQKA2", "XB", "XS"],
    "suit": ["s", "h", "c", "d"],
    "level": [str(level) for level in range(28)],
}


def _leaves(path: str, node: Any) -> dict[str, Any]:
    if not isinstance(node, dict):
        return {path: node}
    return {key: leaf for name, inner in node.items() for key, leaf in _leaves(f"{path}.{name}", inner).items()}


def _file(topic_file: str, lang: Lang) -> dict[str, Any]:
    source = (files("yuanzi_core.texts") / lang / topic_file).read_text(encoding="utf-8")
    return _leaves(topic_file.removesuffix(".toml"), tomllib.loads(source))


def _fields(template: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(template) if field is not None}


@pytest.mark.parametrize("topic_file", TOPICS)
def test_each_language_has_the_same_keys_and_fields(topic_file: str) -> None:
    assert topic_file.endswith(".toml")
    english, chinese = _file(topic_file, "en"), _file(topic_file, "zh")
    assert english
    assert list(english) == list(chinese)
    for key in english:
        for leaf in (english[key], chinese[key]):
            assert isinstance(leaf, str), key
            assert leaf.strip() == leaf != "", key
        assert _fields(english[key]) == _fields(chinese[key]), key
        assert all(field.isidentifier() for field in _fields(english[key])), key


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("topic_file", TOPICS)
def test_each_text_is_found_under_its_key(topic_file: str, lang: Lang) -> None:
    leaves = _file(topic_file, lang)
    assert keys(topic_file.removesuffix(".toml"), lang) == tuple(leaves)
    for key, template in leaves.items():
        assert has(key, lang)
        fields = {field: f"<{field}>" for field in _fields(template)}
        assert text(key, lang, **fields) == template.format(**fields)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("table", TERMS)
def test_terms_are_complete(table: str, lang: Lang) -> None:
    prefix = f"terms.{table}."
    found = [key.removeprefix(prefix) for key in keys("terms", lang) if key.startswith(prefix)]
    assert sorted(found) == sorted(TERMS[table])
    assert len({text(prefix + name, lang) for name in found}) == len(found)


@pytest.mark.parametrize("lang", LANGS)
def test_options_are_complete(lang: Lang) -> None:
    expected = []
    for option, values in OPTIONS.items():
        expected += [f"terms.options.{option}.{part}" for part in ("name", "help")]
        expected += [f"terms.options.{option}.values.{value}" for value in values]
    assert [key for key in keys("terms", lang) if key.startswith("terms.options.")] == expected


def test_seats_of_four_players_are_named_as_A1_numbers_them() -> None:
    assert [text(f"terms.seat.four.{seat}", "en") for seat in range(4)] == ["North", "East", "South", "West"]
    assert [text(f"terms.seat.four.{seat}", "zh") for seat in range(4)] == ["北", "东", "南", "西"]


#: Numbers of which there may be one, and the topics in which no plural follows them.
COUNTED = r"\{(count|files|records|matches|clubs|players|evenings|tricks|rows|deals|plays|aliases)\} [a-z]+s\b"


@pytest.mark.parametrize("topic", ["balance", "convert", "pages", "pages_standings", "registry", "replay", "standings"])
def test_an_English_sentence_is_right_for_a_count_of_one(topic: str) -> None:
    assert not [key for key, said in _file(f"{topic}.toml", "en").items() if re.search(COUNTED, said)]


def test_a_missing_text_is_an_error_with_its_key() -> None:
    for key in ("terms.term.no_such_term", "terms.term", "terms", "no_such_topic.name", ""):
        with pytest.raises(KeyError) as missing:
            text(key, "en")
        assert missing.value.args == (key,)
        assert not has(key, "en")
    with pytest.raises(KeyError, match="no_such_topic"):
        keys("no_such_topic", "zh")


def test_a_missing_field_is_an_error() -> None:
    with pytest.raises(KeyError, match="seat"):
        text("reasons.violation.LEAD_PASS.text", "en")


@pytest.mark.parametrize(
    ("wanted", "environ", "lang"),
    [
        ("zh", {}, "zh"),
        ("en", {"YUANZI_LANG": "zh"}, "en"),
        ("zh-Hans-CN", {"YUANZI_LANG": "en"}, "zh"),
        ("ZH_cn", {}, "zh"),
        ("fr", {"LANG": "zh_CN.UTF-8"}, "en"),
        (None, {}, "en"),
        ("", {"LANG": "zh_CN.UTF-8"}, "zh"),
        (None, {"LANG": "zh_CN.UTF-8"}, "zh"),
        (None, {"LANG": "C.UTF-8"}, "en"),
        (None, {"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        (None, {"LC_MESSAGES": "en_GB.UTF-8", "LC_ALL": "zh_TW"}, "zh"),
        (None, {"LC_ALL": "zh_TW", "YUANZI_LANG": "en"}, "en"),
        (None, {"YUANZI_LANG": "", "LC_ALL": "", "LANG": "zh_CN"}, "zh"),
    ],
)
def test_the_language_is_the_one_wanted_or_that_of_the_environment(
    wanted: str | None, environ: dict[str, str], lang: Lang
) -> None:
    assert pick_language(wanted, environ) == lang


def test_importing_reads_nothing_and_needs_next_to_nothing() -> None:
    code = (
        "import __future__, sys, typing, collections.abc, functools; before = set(sys.modules); "
        "import yuanzi_core.texts; print(*sorted(set(sys.modules) - before))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True
    ).stdout.split()
    assert loaded == ["yuanzi_core", "yuanzi_core.texts"]
