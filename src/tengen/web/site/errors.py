"""Errors of writing and serving a site."""

from __future__ import annotations

from tengen.words import TengenError


class SiteError(TengenError):
    """A reason why a site cannot be written or served."""
