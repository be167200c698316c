"""The description of compiled kernels for callers that are not Python: functions, records and constants.

It is a plain dict, written as JSON beside the kernels or turned into another language's declarations:

- ``exports``: by the name of each function its ``arguments`` and its ``result``. An argument is
  ``{"kind": "number", "type"}``, ``{"kind": "record", "record"}`` or ``{"kind": "array", "type",
  "dimensions", "width"}``; a result is None, ``{"kind": "number", "type"}`` or ``{"kind": "numbers",
  "count"}``. How they are passed, `tengen.engine.kernels.ahead` says.
- ``records``: by name the ``size`` in bytes and the ``fields``: ``offset``, ``type`` and ``shape`` of each.
  The type of a field is that of its numbers, as NumPy calls it, or the name of a record.
- ``constants``: by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np

from tengen.engine.kernels.declarations import Kernel
from tengen.engine.kernels.library import symbol
from tengen.engine.kernels.signatures import Argument, Number, Numbers, Ref, Result

Layouts: TypeAlias = dict[str, dict[str, Any]]
"""A description; see this module."""

RecordTypes: TypeAlias = Mapping[str, np.dtype[Any]]
"""Types of records by name."""


def layouts_of(kernels: Iterable[Kernel], records: RecordTypes, constants: Mapping[str, int]) -> Layouts:
    """Return the description of kernels.

    Args:
        kernels: the kernels.
        records: all types of records that they take, or that are fields of these.
        constants: numbers that callers need.

    Raises:
        ValueError: a record has no name.
    """
    return {
        "exports": {
            symbol(kernel.name): {
                "arguments": [_argument(each, records) for each in kernel.signature.arguments],
                "result": _result(kernel.signature.result),
            }
            for kernel in sorted(kernels, key=lambda kernel: symbol(kernel.name))
        },
        "records": {name: _record(dtype, records) for name, dtype in records.items()},
        "constants": dict(constants),
    }


def _argument(argument: Argument, records: RecordTypes) -> dict[str, Any]:
    if isinstance(argument, Number):
        return {"kind": "number", "type": argument.dtype.name}
    if isinstance(argument, Ref):
        return {"kind": "record", "record": _type_name(argument.dtype, records)}
    return {
        "kind": "array",
        "type": _type_name(argument.dtype, records),
        "dimensions": argument.dimensions,
        "width": argument.width,
    }


def _result(result: Result) -> dict[str, Any] | None:
    if isinstance(result, Number):
        return {"kind": "number", "type": result.dtype.name}
    return {"kind": "numbers", "count": result.count} if isinstance(result, Numbers) else None


def _record(dtype: np.dtype[Any], records: RecordTypes) -> dict[str, Any]:
    fields = {}
    for name, (kind, offset, *_) in (dtype.fields or {}).items():
        fields[name] = {
            "offset": offset,
            "type": _type_name(kind.base, records),
            "shape": list(kind.shape),
        }
    return {"size": dtype.itemsize, "fields": fields}


def _type_name(dtype: np.dtype[Any], records: RecordTypes) -> str:
    """Return the name of a field's or an array's type."""
    if dtype.names is None:
        return dtype.name
    for name, known in records.items():
        if known == dtype:
            return name
    raise ValueError(f"a record without a name: {', '.join(dtype.names)}")
