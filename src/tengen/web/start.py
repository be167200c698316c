"""The run of ``tengen serve`` after its options are parsed: checks, output in the terminal, shutdown."""

from __future__ import annotations

import asyncio
import errno
import io
import os
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from tengen.formats.files import reason
from tengen.game.notation import shorten
from tengen.web.computing.engine_warmup import EngineFailed, Warmup
from tengen.web.database import connection as database
from tengen.web.lock import AlreadyServed, DataFolderLock
from tengen.web.process import Server, listen
from tengen.web.transport import logs
from tengen.web.transport.addresses import addresses, url
from tengen.web.transport.settings import PORT, ServerSettings, SettingsError
from tengen.words import Message

_NEXT = 20
"""The number of ports to try before any free port is taken."""

Print = Callable[[Message | str], None]


def run(settings: ServerSettings, port: int | None, *, browser: bool, print_out: Print) -> None:
    """Serve until Ctrl-C or a signal to end.

    A second server with the same SQLite file would not receive the changes of the first. So if a server
    runs already and no port was requested, its address is printed instead.

    Args:
        settings: the settings of the server; their port is ignored.
        port: the requested port; None for the default, or the next that is free.
        browser: whether to open a browser.
        print_out: prints a line for the user.

    Raises:
        TengenError: the server cannot start; the sentence has the reason.
    """
    logs.configure(settings.log, settings.log_level)
    lock = None
    if settings.is_sqlite:
        try:
            lock = _locked(settings)
        except AlreadyServed as taken:
            if port is not None or not taken.url:
                raise SettingsError("error.web.taken", folder=str(settings.data)) from taken
            print_out(Message("cli.serve.running", {"url": taken.url}))
            if browser:
                open_browser(taken.url)
            return
    try:
        database.open_engine(settings).dispose()
        with listener(settings.host, port) as listening:
            settings = replace(settings, port=listening.getsockname()[1])
            _serve(settings, listening, lock, browser, print_out)
    finally:
        if lock is not None:
            lock.release()


def _locked(settings: ServerSettings) -> DataFolderLock:
    try:
        return DataFolderLock(settings.data)
    except OSError as error:
        raise SettingsError("error.web.folder", folder=str(settings.data), reason=reason(error)) from error


def _serve(
    settings: ServerSettings,
    listening: socket.socket,
    lock: DataFolderLock | None,
    browser: bool,
    print_out: Print,
) -> None:
    home = url(settings.host, settings.port)
    tasks: list[asyncio.Task[None]] = []  # the loop has only weak references to its tasks

    def started() -> None:
        if lock is not None:
            lock.write_url(home)
        print_out(Message("cli.serve.at", {"url": home}))
        others = [] if settings.origin else addresses(settings)
        for number, address in enumerate(others):
            print_out(Message("cli.serve.network", {"url": address}))
            picture = terminal_qr(address) if number == 0 else ""
            if picture:
                print_out(picture)
        print_out(Message("cli.serve.end"))
        warmup: Warmup = server.app.state.services[Warmup]
        tasks.append(asyncio.get_running_loop().create_task(report_compiling(warmup, print_out)))
        if browser:
            # In a thread: the browser may start slowly, and the server must not wait for it.
            threading.Thread(target=open_browser, args=(home,), daemon=True).start()

    server = Server(settings, started)
    server.run(sockets=[listening])
    failure = server.app.state.failure
    if failure is not None:
        raise failure


async def report_compiling(warmup: Warmup, print_out: Print) -> None:
    """Print when the engine is being compiled and when it is ready, if it has to be compiled at all.

    Args:
        warmup: the engine's preparation in this process.
        print_out: prints a line for the user.
    """
    began, printed = time.monotonic(), False

    def report() -> None:
        nonlocal printed
        if warmup.compiles and not printed:
            print_out(Message("cli.serve.compiling"))
            printed = True

    with suppress(EngineFailed):
        await warmup.wait(report)
        if printed:
            print_out(Message("cli.serve.compiled", {"seconds": round(time.monotonic() - began)}))


def listener(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens on the requested port, or on a free port.

    Raises:
        SettingsError: the port is taken or not permitted, or the host is not an address of this machine.
    """
    ports = [PORT + more for more in range(_NEXT)] + [0] if port is None else [port]
    for number in ports:
        try:
            return listen(host, number)
        except OSError as error:
            if port is None and error.errno in {errno.EADDRINUSE, errno.EACCES} and number:
                continue
            key = "error.web.port" if error.errno == errno.EADDRINUSE else "error.web.listen"
            raise SettingsError(key, host=shorten(host), port=number, reason=reason(error)) from error
        except (OverflowError, UnicodeError) as error:
            raise SettingsError("error.web.listen", host=shorten(host), port=number, reason="") from error
    raise AssertionError(ports)


def open_browser(address: str) -> None:
    """Open a page in a browser, if there is a display."""
    screen = sys.platform in {"win32", "darwin"} or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    if screen:
        webbrowser.open(address)


def terminal_qr(text: str) -> str:
    """Return a QR code made of block characters; empty if the terminal cannot show them."""
    import segno

    out = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(out, border=2, compact=True)
    try:
        out.getvalue().encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ""
    return out.getvalue().rstrip("\n")
