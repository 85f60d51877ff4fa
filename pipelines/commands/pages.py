"""``yuanzi dashboard`` and ``yuanzi dev``: the two kinds of pages, served on this machine alone."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pipelines.commands.terminal import CallFailed, clean, complain
from yuanzi_core.texts import Lang, text

if TYPE_CHECKING:
    from dashboards.launch import Audience

_PORTS = range(1, 1 << 16)
_ADDRESS = "127.0.0.1"


def home_folder(home: str | None) -> Path:
    """Where everything lives: the folder named, else ``YUANZI_HOME``, else ``data``."""
    return Path(home or os.environ.get("YUANZI_HOME") or "data")


def dashboard(home: str | None, port: int, audience: Audience, wanted: Lang | None, lang: Lang) -> int:
    """The pages for the public or auditors, in the language ``wanted``; without one each reader's browser decides."""
    from dashboards.launch import address, command

    folder, port = home_folder(home), _free(port, lang)
    if not _is_published(folder):
        # Whoever has just run the demo means that one.
        shown = "cli.pages.only_demo" if _is_published(folder / "demo") else "cli.pages.nothing"
        complain(text(shown, lang, home=clean(folder), demo=clean(folder / "demo")))
    line = command(folder, port, wanted, audience)
    complain(text("cli.pages.where", lang, address=address(port)))
    return _become(line, {})


def _is_published(home: Path) -> bool:
    return (home / "published" / "current.json").is_file()


def dev(home: str | None, port: int, lang: Lang) -> int:
    """Dagster's own pages, with the record of runs in the home folder."""
    from pipelines.run import dagster_home

    folder, port = home_folder(home).resolve(), _free(port, lang)
    line = [sys.executable, "-m", "dagster", "dev", "-m", "pipelines.definitions"]
    line += ["-h", _ADDRESS, "-p", str(port)]
    complain(text("cli.pages.where", lang, address=f"http://{_ADDRESS}:{port}"))
    variables = {
        "YUANZI_HOME": str(folder),
        "DAGSTER_HOME": str(dagster_home(folder)),
        "DAGSTER_DISABLE_TELEMETRY": "1",
    }
    # Its other command for this is for projects under development.
    return _become(line, {**variables, "PYTHONWARNINGS": "ignore:Function `dev_command`"})


def _free(port: int, lang: Lang) -> int:
    """A port to serve on. :raises CallFailed: it is none, or somebody else serves there."""
    if port not in _PORTS:
        raise CallFailed(text("cli.pages.port", lang, least=_PORTS.start, most=_PORTS.stop - 1))
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as tried:
        if os.name == "posix":
            # As servers do: the port of one that has just ended is free. (Elsewhere this would share it with any.)
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind((_ADDRESS, port))
        except OSError as error:
            key = "port_forbidden" if isinstance(error, PermissionError) else "port_taken"
            raise CallFailed(text(f"cli.pages.{key}", lang, port=port)) from None
    return port


def _become(line: list[str], variables: dict[str, str]) -> int:
    """Go on as another program, so that whoever ends this one ends that one."""
    environ = {**os.environ, **variables}
    if os.name == "posix":
        sys.stdout.flush()
        sys.stderr.flush()
        os.execve(line[0], line, environ)
    with subprocess.Popen(line, env=environ) as server:
        while True:
            try:
                return server.wait()
            except KeyboardInterrupt:
                # Ctrl-C reaches the server as well: it ends by itself.
                continue
