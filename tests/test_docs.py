"""The documents for readers: their links lead somewhere, their commands exist, and what they show is what comes out."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer
from typer._click.core import Command

from pipelines.cli import COMMANDS, build
from tests.pipelines.test_cli import yuanzi
from yuanzi_core.texts import LANGS, Lang

ROOT = Path(__file__).parent.parent
READMES: dict[Lang, Path] = {"en": ROOT / "README.md", "zh": ROOT / "README.zh.md"}
DOCUMENTS = [
    *READMES.values(),
    *sorted((ROOT / "data").glob("README*.md")),
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: Calls that README shows with their output.
SHOWN = 2


def read(path: Path) -> str:
    """A document."""
    return path.read_text(encoding="utf-8")


def blocks(path: Path, *languages: str) -> list[str]:
    """The fenced blocks of a document in some languages."""
    return [body for language, body in FENCE.findall(read(path)) if language in languages]


def calls(path: Path) -> list[list[str]]:
    """The calls of the command in a document's blocks, tables and sentences, without its name."""
    lines = [line.removeprefix("$ ") for body in blocks(path, "sh", "console") for line in body.splitlines()]
    prose = FENCE.sub("", read(path))
    lines += re.findall(r"`(yuanzi [^`]*)`", prose)
    found = [shlex.split(line.replace("…", ""), comments=True) for line in lines]
    return [words[1:] for words in found if words and Path(words[0]).name == "yuanzi"]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(path: Path) -> None:
    links = [link.split("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", read(path)))]
    inside = [link for link in links if link and not re.match(r"[a-z]+:", link)]
    assert [link for link in inside if not (path.parent / link).exists()] == []


def _subcommands() -> dict[str, Command]:
    group = typer.main.get_command(build("en"))
    assert isinstance(group, typer.core.TyperGroup)
    return dict(group.commands)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_call_names_a_command_and_options_that_exist(path: Path) -> None:
    known = _subcommands()
    for words in calls(path):
        # --lang may stand in front.
        rest = words[2:] if words[0] == "--lang" else words
        if " ".join(rest[:2]) in known:
            rest = [" ".join(rest[:2]), *rest[2:]]
        command = known.get(rest[0])
        assert command is not None, words
        options = {name for param in command.params for name in param.opts if name.startswith("-")} | {"--help"}
        given = {word.split("=")[0] for word in rest[1:] if word.startswith("-")}
        assert given <= options, words
        values = [word for word in rest[1:] if not word.startswith("-")]
        takes = [param for param in command.params if not param.opts[0].startswith("-")]
        assert takes or len(values) <= len(given), words


@pytest.mark.parametrize("lang", LANGS)
def test_the_readme_names_every_command(lang: Lang) -> None:
    shown = read(READMES[lang])
    named = {words[0] for words in calls(READMES[lang])}
    # One row of the table has several: `yuanzi levels`, `rules`, `schema`.
    named |= {" ".join(words[:2]) for words in calls(READMES[lang])}
    named |= set(
        re.findall(
            r"`(?:yuanzi )?(\w+(?: \w+)*)`",
            "".join(line for line in shown.splitlines() if line.startswith("| `yuanzi")),
        )
    )
    assert named >= set(COMMANDS) - {"demo"}
    # The demo is one of the two commands at the top.
    assert "make demo" in shown
    assert re.search(r"bin/yuanzi .*demo|bin/yuanzi demo", shown)


def bare(shown: str) -> str:
    """A text without white space."""
    return "".join(shown.split())


@pytest.mark.parametrize("lang", LANGS)
def test_what_the_readme_shows_is_what_comes_out(lang: Lang, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    shown = blocks(READMES[lang], "console")
    assert len(shown) == SHOWN
    for body in shown:
        call, *lines = body.splitlines()
        status, out, said = yuanzi(*shlex.split(call.removeprefix("$ yuanzi ")))
        assert status in (0, 1), said
        # Piece by piece between the dots, in this order. Where lines are broken is a matter of the terminal's width.
        printed = bare(out + said)
        for piece in re.split(r"^…$", "\n".join(lines), flags=re.MULTILINE):
            at = printed.find(bare(piece))
            assert at >= 0, (call, piece, printed)
            printed = printed[at + len(bare(piece)) :]


@pytest.mark.parametrize("lang", LANGS)
def test_the_samples_that_the_readme_tells_of_are_described(lang: Lang) -> None:
    described = read(ROOT / "data" / ("README.md" if lang == "en" else "README.zh.md"))
    for path in (ROOT / "data" / "samples").iterdir():
        assert path.name.startswith(".") or f"`{path.name}`" in described, path
