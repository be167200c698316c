"""A supervisor process that ends a program together with the process that started it.

``python -I -S guard.py FD PROGRAM ARGUMENTS...`` is a separate script, run on POSIX systems by
`tengen.players.external.program`; it imports little, to start fast. FD is the file descriptor of an
inherited control socket. The guard starts the program in a new session, which Ctrl-C in the terminal does
not reach. The program inherits the guard's stdin, stdout and stderr, so that it reads from and writes to
the starting process directly. Then the guard waits until

- the program ends,
- the other end of the control socket is closed, which also happens when the process that holds it dies, or
- the guard receives SIGTERM, SIGINT or SIGHUP.

It kills what is left of the program's process group (children of a wrapper script, for example), and ends
as the program did: with its exit status, or by the same signal.

On the control socket the guard writes one line at the start, ``started PID`` or ``failed ERRNO``, and ``.``
when the process group is gone. For each byte that it receives it sends SIGTERM to the group.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from contextlib import suppress


def main(control: int, command: list[str]) -> None:
    """Run a command under guard, and exit as it does; does not return.

    Args:
        control: the file descriptor of the control socket.
        command: the program and its arguments.
    """
    os.set_inheritable(control, False)
    wakeup, wakeup_writer = os.pipe()
    os.set_blocking(wakeup, False)
    os.set_blocking(wakeup_writer, False)
    signal.set_wakeup_fd(wakeup_writer)
    for name in ("SIGCHLD", "SIGTERM", "SIGINT", "SIGHUP"):
        signal.signal(getattr(signal, name), lambda *_: None)
    errors, errors_writer = os.pipe()  # closed by a successful exec
    child = os.fork()
    if child == 0:
        _exec(command, errors_writer)
    os.close(errors_writer)
    # The guard gives up its copies of the streams: the reader must see the end of the output as soon as the
    # program closes it.
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    error = os.read(errors, 16)
    _send(control, b"failed %s\n" % error if error else b"started %d\n" % child)
    status = _supervise(child, control, wakeup)
    _send(control, b".")
    _exit_like(status)


def _exec(command: list[str], errors: int) -> None:
    """Replace this process by the program, or write the errno to `errors` and exit; does not return."""
    os.setsid()
    # Python ignores these signals, and an ignored signal stays ignored after exec.
    for name in ("SIGPIPE", "SIGXFSZ"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(errors, b"%d" % (error.errno or 0))
    os._exit(127)


def _supervise(child: int, control: int, wakeup: int) -> int:
    """Wait for the end of the program, or end it; kill its process group, and return its wait status."""
    while True:
        ready, _, _ = select.select([control, wakeup], [], [])
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        if wakeup in ready and set(os.read(wakeup, 4096)) - {signal.SIGCHLD}:
            break
        if control in ready:
            try:
                request = os.read(control, 1)
            except OSError:
                request = b""
            if not request:
                break
            _signal_group(child, signal.SIGTERM)
    # The number of a process group is not reused while a process is in it.
    _signal_group(child, signal.SIGKILL)
    return status if ended else os.waitpid(child, 0)[1]


def _signal_group(group: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _send(control: int, text: bytes) -> None:
    with suppress(OSError):  # the reader may be gone
        os.write(control, text)


def _exit_like(status: int) -> None:
    """Exit with the exit status, or by the signal, of a wait status; does not return."""
    if os.WIFSIGNALED(status):
        import resource

        number = os.WTERMSIG(status)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(OSError, ValueError):  # SIGKILL has no handler
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        os._exit(128 + number)
    os._exit(os.WEXITSTATUS(status))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
