"""typer's commands, speaking the caller's language: help pages and errors come from the texts (topic ``cli``).

Exit status: 0 done, 1 something was found, 2 the call itself failed, 130 stopped by the keyboard, 141 the reader of the
output left.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any, ClassVar

from typer._click.core import Command, Context
from typer._click.exceptions import BadParameter, ClickException
from typer._click.formatting import HelpFormatter
from typer.core import TyperArgument, TyperCommand, TyperGroup, TyperOption
from typer.exceptions import Abort, Exit

from pipelines.commands.terminal import (
    CallFailed,
    cells,
    clean,
    columns,
    complain,
    padded,
    painted,
    width_of_page,
    wrapped,
)
from yuanzi_core.texts import Lang, has, text

FAILED, INTERRUPTED, READER_LEFT = 2, 130, 141


class _Plain:
    """What was written for a parameter, as its type: text, numbers, one of some words, or a list of texts.

    typer would do the same with a library that takes as long to load as a small file takes to be judged.
    """

    def coerce(self, value: Any, param: Any, ctx: Context) -> Any:
        """The value. :raises BadParameter: it is none."""
        described = param.type_descriptor
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        if described.is_list:
            return [str(item) for item in value]
        if described.choices is not None:
            if value not in described.choices:
                raise BadParameter(str(value), ctx=ctx, param=param)
            return value
        try:
            return described.annotation(value)
        except ValueError:
            raise BadParameter(str(value), ctx=ctx, param=param) from None


def _read_plainly(params: Sequence[Any]) -> None:
    for param in params:
        param._runtime_param = _Plain()


class Spoken:
    """What a command and a group have in common. ``lang`` is set on a subclass made for a language."""

    lang: ClassVar[Lang] = "en"

    def format_help(self: Any, ctx: Context, formatter: HelpFormatter) -> None:
        """The help page: usage, what it does, arguments, options, subcommands, examples."""
        formatter.write("\n".join(_page(self, ctx, self.lang)) + "\n")

    def get_help_option(self: Any, ctx: Context) -> TyperOption | None:
        """``--help``, explained in the language of the others."""
        option: TyperOption | None = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            option.help = text("cli.option.help", self.lang)
            _read_plainly([option])
        return option


class SpokenCommand(Spoken, TyperCommand):
    """A subcommand."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.allow_extra_args = True
        _read_plainly(self.params)

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """As typer's, with the error about arguments too many in words of our own."""
        surplus = super().parse_args(ctx, args)
        if surplus:
            ctx.fail(text("cli.usage.surplus", self.lang, found=clean(" ".join(surplus))))
        return surplus


class SpokenGroup(Spoken, TyperGroup):
    """The command itself."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        _read_plainly(self.params)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, Command | None, list[str]]:
        """As typer's, with commands of two words, and with the error in words of our own."""
        if (two := " ".join(args[:2])) in self.commands:
            args = [two, *args[2:]]
        if args[0] not in self.commands and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], self.commands)
            key = "cli.usage.no_command_but" if near else "cli.usage.no_command"
            ctx.fail(text(key, self.lang, name=clean(args[0]), near=", ".join(near)))
        return super().resolve_command(ctx, args)

    def main(
        self, args: Sequence[str] | None = None, prog_name: str | None = None, complete_var: str | None = None,
        standalone_mode: bool = True, windows_expand_args: bool = True, **extra: Any,
    ) -> Any:  # fmt: skip
        """Run and leave with the exit status."""
        status = self._run(list(sys.argv[1:] if args is None else args), prog_name or "yuanzi", extra)
        if not standalone_mode:
            return status
        sys.exit(status)

    def _run(self, args: list[str], prog_name: str, extra: dict[str, Any]) -> int:
        try:
            with self.make_context(prog_name, args, **extra) as ctx:
                status = self.invoke(ctx)
                sys.stdout.flush()
                return status if isinstance(status, int) else 0
        except Exit as left:
            return left.exit_code
        except ClickException as error:
            return _misused(error, self.lang)
        except CallFailed as error:
            complain(f"yuanzi: {error}")
            return FAILED
        except BrokenPipeError:
            # Nobody reads on: what is still held must not be written when Python ends.
            _forget(sys.stdout)
            return READER_LEFT
        except OSError as error:
            complain(f"yuanzi: {what_went_wrong(error, self.lang)}")
            return FAILED
        except (KeyboardInterrupt, Abort):
            return INTERRUPTED


def _forget(stream: Any) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def what_went_wrong(error: OSError, lang: Lang) -> str:
    """An error of the operating system, with the file it is about."""
    kind = type(error).__name__
    key = f"cli.file.{kind}" if has(f"cli.file.{kind}", lang) else "cli.file.other"
    return text(key, lang, file=clean(error.filename or "–"), detail=clean(error.strerror or error))


def _misused(error: ClickException, lang: Lang) -> int:
    """Say what was wrong with a call, and where help is."""
    ctx: Context | None = getattr(error, "ctx", None)
    kind = type(error).__name__
    if kind == "NoArgsIsHelpError":
        return FAILED
    param = getattr(error, "param", None)
    name = getattr(error, "option_name", None) or (_called(param) if param is not None else "")
    key = f"cli.usage.{kind}" if has(f"cli.usage.{kind}", lang) else "cli.usage.other"
    path = ctx.command_path if ctx is not None else "yuanzi"
    complain(f"{path}: {text(key, lang, name=clean(name), allowed=_allowed(param, lang), detail=clean(error.message))}")
    possible = getattr(error, "possibilities", None)
    if possible:
        complain(text("cli.usage.perhaps", lang, names=", ".join(sorted(possible))))
    complain(text("cli.usage.see_help", lang, command=path))
    return FAILED


def _allowed(param: Any, lang: Lang) -> str:
    """What a parameter may be, in words."""
    described = getattr(param, "type_descriptor", None)
    choices = getattr(described, "choices", None)
    if choices:
        return ", ".join(map(str, choices))
    kinds: dict[Any, str] = {int: "whole_number", float: "number"}
    return text(f"cli.usage.{kinds.get(getattr(described, 'annotation', None), 'any')}", lang)


def _called(param: Any) -> str:
    if isinstance(param, TyperOption):
        return str(max(param.opts, key=len))
    return str(param.metavar or param.name)


def _page(command: Any, ctx: Context, lang: Lang) -> list[str]:
    width = width_of_page()
    usage = text("cli.page.usage", lang, line=f"{ctx.command_path} {_usage(command, ctx, lang)}")
    lines = [painted(usage, "bold"), ""]
    for paragraph in (command.help or "").split("\n"):
        lines += wrapped(paragraph.strip(), width)
    params = [param for param in command.get_params(ctx) if not getattr(param, "hidden", False)]
    arguments = [(_called(param), param.help or "") for param in params if isinstance(param, TyperArgument)]
    options = [(_switches(param), param.help or "") for param in params if isinstance(param, TyperOption)]
    named = [(name, one.help.split("\n")[0]) for name, one in getattr(command, "commands", {}).items()]
    for title, rows in (("commands", named), ("arguments", arguments), ("options", options)):
        if rows:
            lines += ["", painted(text(f"cli.page.{title}", lang), "bold"), *_rows(rows, width)]
    if command.epilog:
        lines += ["", painted(text("cli.page.examples", lang), "bold")]
        examples = [tuple(part.strip() for part in line.split("#", 1)) for line in command.epilog.splitlines()]
        lines += columns([(shown, f"# {why}") for shown, why in examples])
    return lines


def _usage(command: Any, ctx: Context, lang: Lang) -> str:
    if isinstance(command, TyperGroup):
        return text("cli.page.usage_of_group", lang)
    pieces = [
        (f"{param.metavar or param.name}" if param.required else f"[{param.metavar or param.name}]")
        + ("…" if param.nargs == -1 else "")
        for param in command.get_params(ctx)
        if isinstance(param, TyperArgument)
    ]
    return " ".join([*pieces, text("cli.page.usage_options", lang)])


def _switches(param: TyperOption) -> str:
    names = ", ".join(sorted(param.opts, key=len))
    return names if param.is_flag or param.count else f"{names} {param.metavar or ''}".rstrip()


def _rows(rows: list[tuple[str, str]], width: int) -> list[str]:
    first = max(cells(name) for name, _ in rows)
    lines = []
    for name, meaning in rows:
        broken = wrapped(meaning, width - first - 4) or [""]
        lines.append(f"  {padded(name, first)}  {broken[0]}")
        lines += [" " * (first + 4) + more for more in broken[1:]]
    return lines
