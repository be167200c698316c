"""The guard of a program, which cannot outlive the process that started it.

``python -I -S guard.py LEASH PROGRAM WORDS...`` is a script of its own, started on POSIX systems by
`tengen.players.external.program`, and kept free of imports that take time. It starts the program in a
session of its own, where Ctrl-C in the terminal does not reach it, with its own stdin, stdout and stderr,
so that nothing stands between the program and its reader. Then it waits for the first of these:

- the program ends;
- the other end of LEASH, the number of an inherited socket, is closed: by choice, or because the process
  that held it is gone, however it went;
- a signal comes that asks the guard to end.

Then it kills what is left of the program's process group (helpers of a wrapper script, say) and ends as the
program did, with the same exit status or by the same signal.

Over the leash it writes first ``started PID`` or ``failed ERRNO``, each with a line end, and ``.`` when the
group is gone. Any byte that it reads there asks the program to end, by SIGTERM to the group.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from contextlib import suppress


def main(leash: int, words: list[str]) -> None:
    """Run the program to its end; does not return."""
    os.set_inheritable(leash, False)
    wake, woken = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken)
    for name in ("SIGCHLD", "SIGTERM", "SIGINT", "SIGHUP"):
        signal.signal(getattr(signal, name), lambda *_: None)
    failed, failing = os.pipe()
    child = os.fork()
    if child == 0:
        _become(words, failing)
    os.close(failing)
    # The reader has to see the end of the output when the program closes it, whatever the guard does.
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    error = os.read(failed, 16)
    _send(leash, b"failed " + error if error else b"started %d" % child, b"\n")
    status = _wait(child, leash, wake)
    _send(leash, b".")
    _end_as(status)


def _become(words: list[str], failing: int) -> None:
    """Turn this process into the program; does not return."""
    os.setsid()
    # Python ignores these, and what is ignored stays so in the program.
    for name in ("SIGPIPE", "SIGXFSZ"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
    try:
        os.execvp(words[0], words)
    except OSError as error:
        os.write(failing, b"%d" % (error.errno or 0))
    os._exit(127)


def _wait(child: int, leash: int, wake: int) -> int:
    """Wait for the end of the program, its own or ours, and clear up behind it: its wait status."""
    while True:
        ready, _, _ = select.select([leash, wake], [], [])
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        if wake in ready and set(os.read(wake, 4096)) - {signal.SIGCHLD}:
            break
        if leash in ready:
            try:
                asked = os.read(leash, 1)
            except OSError:
                asked = b""
            if not asked:
                break
            _signal_group(child, signal.SIGTERM)
    # As long as the group has a process, its number is not reused.
    _signal_group(child, signal.SIGKILL)
    return status if ended else os.waitpid(child, 0)[1]


def _signal_group(group: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _send(leash: int, *text: bytes) -> None:
    with suppress(OSError):  # the reader may be gone
        os.write(leash, b"".join(text))


def _end_as(status: int) -> None:
    """End as the program did; does not return."""
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
