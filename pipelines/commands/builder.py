"""What subcommands are put together from: texts in the caller's language for names, options and help pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar

import typer

from pipelines.commands.spoken import SpokenCommand, SpokenGroup
from yuanzi_core.texts import Lang, text

Function = TypeVar("Function", bound=Callable[..., Any])
Language = Literal["en", "zh"]
Format = Literal["jsonl", "table"]
Variant = Literal["four", "five"]


class Builder:
    """The command in one language, put together: all of its subcommands, or ``only`` one."""

    def __init__(self, lang: Lang, only: str | None = None) -> None:
        self.lang, self.only = lang, only
        self.command_class = type("Command", (SpokenCommand,), {"lang": lang})
        self.app = typer.Typer(
            cls=type("Group", (SpokenGroup,), {"lang": lang}), help=text("cli.help.yuanzi", lang), add_completion=False,
            pretty_exceptions_enable=False, rich_markup_mode=None,
        )  # fmt: skip

    def command(self, name: str, **settings: Any) -> Callable[[Function], Function]:
        """A subcommand; its help and its examples are in the texts under its name."""
        if self.only not in (None, name.split()[0]):
            return lambda function: function
        key = name.replace(" ", "_")
        help_text, examples = text(f"cli.help.{key}", self.lang), text(f"cli.examples.{key}", self.lang)
        return self.app.command(name, cls=self.command_class, help=help_text, epilog=examples, **settings)

    def argument(self, key: str) -> Any:
        """An argument; its name and meaning are in the texts under its key."""
        name, meaning = text(f"cli.argument.{key}.name", self.lang), text(f"cli.argument.{key}.help", self.lang)
        return typer.Argument(metavar=name, help=meaning)

    def option(self, key: str, *names: str, metavar: str | None = None) -> Any:
        """An option; its meaning is in the texts under its key."""
        return typer.Option(*names, metavar=metavar, help=text(f"cli.option.{key}", self.lang))

    def spoken(self) -> Any:
        """``--lang``, which has been seen to before."""
        return self.option("lang", "--lang", metavar="en|zh")

    def home(self) -> Any:
        """``--home``."""
        return self.option("home", "--home", metavar="DIR")

    def rulesets(self) -> Any:
        """``--rulesets``."""
        return self.option("rulesets", "--rulesets", metavar="DIR")

    def changes(self) -> Any:
        """``--set``."""
        return self.option("set", "--set", metavar="OPTION=VALUE")
