"""The description of kernels for callers that are not Python."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tengen.engine.board.records import STATE, Record, new_record
from tengen.engine.evaluation.weights import WEIGHTS_RECORD
from tengen.engine.kernels.layouts import layouts_of
from tengen.engine.search.deepening_kernel import DEEPENING
from tengen.solver.build_kernels import CONSTANTS, RECORDS, layouts

DESCRIBED = layouts()


def read(record: Record, name: str, field: str) -> list[int]:
    """The numbers of a field as another language reads them, by the description alone."""
    described = DESCRIBED["records"][name]
    memory = record.tobytes()
    assert len(memory) == described["size"]
    found = described["fields"][field]
    count = int(np.prod(found["shape"]))
    numbers: list[int] = np.frombuffer(memory, found["type"], count, found["offset"]).tolist()
    return numbers


def test_fields_lie_where_it_says():
    state = new_record(STATE)
    state[0]["ply"], state[0]["cells"][1023], state[0]["classes"][1, 2] = 7, 3, 65_535
    assert read(state, "state", "ply") == [7]
    assert read(state, "state", "cells")[1023] == 3
    assert read(state, "state", "classes")[1026] == 65_535
    deepening = new_record(DEEPENING)
    deepening[0]["soft_seconds"], deepening[0]["line"][1] = 1.5, 300
    assert read(deepening, "deepening", "soft_seconds") == [1.5]
    assert read(deepening, "deepening", "line")[:3] == [0, 300, 0]


def test_records_within_records():
    found = DESCRIBED["records"]["deepening"]["fields"]["line_state"]
    assert DEEPENING.fields is not None
    offset = DEEPENING.fields["line_state"][1]
    assert found == {"offset": offset, "type": "state", "shape": [1]}
    assert DESCRIBED["records"]["parameters"]["fields"]["weights"]["type"] == "weights"


def test_functions():
    exports = DESCRIBED["exports"]
    assert list(exports) == sorted(exports)
    assert exports["tengen_make"] == {
        "arguments": [
            {"kind": "record", "record": "state"},
            {"kind": "record", "record": "tables"},
            {"kind": "number", "type": "int64"},
        ],
        "result": None,
    }
    result = exports["tengen_next_result"]
    assert result["result"] == {"kind": "number", "type": "bool"}
    assert result["arguments"][4] == {"kind": "array", "type": "int64", "dimensions": 2, "width": 2}


def test_it_can_be_written_as_json():
    assert json.loads(json.dumps(DESCRIBED)) == DESCRIBED
    assert all(int(float(number)) == number for number in CONSTANTS.values()), "a number in JavaScript"


def test_a_record_without_a_name():
    with pytest.raises(ValueError, match="a record without a name"):
        layouts_of((), {"parameters": RECORDS["parameters"]}, {})
    assert layouts_of((), {"weights": WEIGHTS_RECORD}, {"one": 1})["constants"] == {"one": 1}
