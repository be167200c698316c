"""The reasons of the system, in the user's language."""

from __future__ import annotations

import errno
import os
import socket

import pytest

from tengen.formats.files import reason
from tengen.words import Message, say

CODES = (
    errno.ENOENT,
    errno.EEXIST,
    errno.EISDIR,
    errno.ENOTDIR,
    errno.EACCES,
    errno.ENOSPC,
    errno.EROFS,
    errno.ENAMETOOLONG,
    errno.ELOOP,
    errno.ENOEXEC,
    errno.EADDRINUSE,
    errno.EADDRNOTAVAIL,
    errno.ECONNREFUSED,
)


@pytest.mark.parametrize(
    "error", [*(OSError(code, os.strerror(code)) for code in CODES), socket.gaierror(-2, "x")]
)
def test_common_reasons_are_sentences_of_the_catalogues(error):
    found = reason(error)
    assert isinstance(found, Message)
    assert say(found, "zh") != say(found, "en")


def test_rare_ones_are_those_of_the_system():
    assert (
        reason(OSError(errno.EDOM, "Numerical argument out of domain"))
        == "Numerical argument out of domain"
    )
