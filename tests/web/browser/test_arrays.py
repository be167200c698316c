"""The stand-in for NumPy does what NumPy does, or refuses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.engine.board import records
from tengen.engine.kernels import library
from tengen.engine.search.deepening_kernel import DEEPENING
from tengen.engine.threats.pn_kernel import PN_SCRATCH
from tengen.web.browser import array_types, arrays
from tests.web.browser.process_memory import ProcessMemory

NUMBERS = {
    "int16": st.integers(-(1 << 15), (1 << 15) - 1),
    "int32": st.integers(-(1 << 31), (1 << 31) - 1),
    "int64": st.integers(-(1 << 63), (1 << 63) - 1),
    "uint8": st.integers(0, 255),
    "uint16": st.integers(0, (1 << 16) - 1),
    "uint32": st.integers(0, (1 << 32) - 1),
    "uint64": st.integers(0, (1 << 64) - 1),
    "float32": st.floats(width=32, allow_nan=False),
    "float64": st.floats(allow_nan=False),
}

FIELDS: list[tuple[Any, ...]] = [
    ("flag", "uint8"),
    ("count", "int64"),
    ("cells", "int16", (3, 4)),
    ("worth", "float64"),
    ("bits", "uint32", 5),
]


@pytest.fixture(autouse=True, scope="module")
def memory() -> None:
    arrays.use(ProcessMemory())


def both(shape: Any, kind: str, numbers: list[Any]) -> tuple[arrays.ndarray, Any]:
    """An array of the stand-in, and NumPy's."""
    theirs = np.array(numbers, kind).reshape(shape)
    ours = arrays.array(theirs.tolist(), kind)
    return ours.reshape(shape), theirs


def shown(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


@st.composite
def filled(draw: st.DrawFn) -> tuple[arrays.ndarray, Any]:
    kind = draw(st.sampled_from(sorted(NUMBERS)))
    shape = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    count = int(np.prod(shape))
    numbers = draw(st.lists(NUMBERS[kind], min_size=count, max_size=count))
    return both(tuple(shape), kind, numbers)


def keys(shape: tuple[int, ...]) -> st.SearchStrategy[Any]:
    """Whole numbers and slices for some of the dimensions, perhaps with an ellipsis."""
    each = [st.one_of(st.integers(-length, length - 1), st.slices(length)) for length in shape]
    whole = st.integers(0, len(shape)).flatmap(lambda count: st.tuples(*each[:count]))
    last = st.tuples(st.just(...), each[-1])
    return st.one_of(each[0], whole, last)


@given(filled(), st.data())
def test_parts_are_those_of_numpy(pair: tuple[arrays.ndarray, Any], data: st.DataObject) -> None:
    ours, theirs = pair
    key = data.draw(keys(theirs.shape))
    mine, wanted = ours[key], theirs[key]
    assert shown(mine) == shown(wanted)
    if isinstance(mine, arrays.ndarray):
        assert mine.shape == wanted.shape
        assert mine.tobytes() == wanted.tobytes()
        assert mine.copy().tolist() == wanted.tolist()
        assert mine.flags.c_contiguous == wanted.flags.c_contiguous
        assert mine.any() == wanted.any()
        assert (mine.ndim, mine.size, mine.nbytes) == (wanted.ndim, wanted.size, wanted.nbytes)


@given(filled(), st.data())
def test_parts_are_set_as_in_numpy(pair: tuple[arrays.ndarray, Any], data: st.DataObject) -> None:
    ours, theirs = pair
    key = data.draw(keys(theirs.shape))
    wanted = theirs[key]
    number = NUMBERS[theirs.dtype.name]
    value: Any = data.draw(number)
    # A list of one number is no number for NumPy.
    if isinstance(wanted, np.ndarray) and wanted.ndim and wanted.size and data.draw(st.booleans()):
        value = np.array(data.draw(st.lists(number, min_size=wanted.size, max_size=wanted.size)))
        value = value.astype(theirs.dtype).reshape(wanted.shape).tolist()
        if data.draw(st.booleans()):
            value = arrays.array(value, theirs.dtype.name)
    ours[key] = value
    theirs[key] = shown(value)
    assert ours.tolist() == theirs.tolist()


@given(filled(), st.data())
def test_parts_are_filled_as_in_numpy(pair: tuple[arrays.ndarray, Any], data: st.DataObject) -> None:
    ours, theirs = pair
    part = slice(None, None, data.draw(st.sampled_from((None, 2))))
    number = data.draw(st.just(0) | NUMBERS[theirs.dtype.name])
    ours[part].fill(number)
    theirs[part].fill(number)
    assert shown(ours) == shown(theirs)


def test_one_element_is_set_from_an_array() -> None:
    ours, theirs = both((2,), "float32", [1.0, 2.0])
    for target, one in ((ours, arrays.array), (theirs, np.array)):
        target[..., 0] = one(3.0, "float32")
        target[1] = one(4.0, "float32")
    assert ours.tolist() == theirs.tolist() == [3.0, 4.0]


@given(filled())
def test_other_views_and_lists(pair: tuple[arrays.ndarray, Any]) -> None:
    ours, theirs = pair
    assert len(ours) == len(theirs)
    assert [shown(each) for each in ours] == [shown(each) for each in theirs]
    assert ours.reshape(-1).tolist() == theirs.reshape(-1).tolist()
    assert ours.reshape(1, ours.size).shape == (1, ours.size)
    assert ours.view("uint8").tolist() == theirs.view("uint8").tolist()
    content = theirs.tobytes()
    assert arrays.frombuffer(content, theirs.dtype.name).tobytes() == content
    flat = arrays.array(ours.tolist(), theirs.dtype.name)
    assert flat.tolist() == theirs.tolist()


@given(st.data())
def test_records_are_numpys_byte_for_byte(data: st.DataObject) -> None:
    ours, theirs = arrays.zeros(3, arrays.dtype(FIELDS)), np.zeros(3, np.dtype(FIELDS))
    assert ours.dtype.itemsize == theirs.dtype.itemsize
    for _ in range(data.draw(st.integers(1, 8))):
        place = data.draw(st.integers(0, 2))
        name, kind, *shape = data.draw(st.sampled_from(FIELDS))
        value: Any = data.draw(NUMBERS[kind])
        if shape:
            lengths = np.zeros(shape[0], kind)
            lengths[...] = value
            value = data.draw(st.sampled_from([value, lengths.tolist()]))
        ours[place][name] = value
        theirs[place][name] = value
        assert shown(ours[place][name]) == shown(theirs[place][name])
        assert ours[name].tolist() == theirs[name].tolist()
    ours[0], theirs[0] = ours[2], theirs[2]
    assert ours.tobytes() == theirs.tobytes()
    assert ours.copy()[1:].tobytes() == theirs[1:].tobytes()


@pytest.mark.parametrize(
    "kind", [records.STATE, records.TABLES, records.NETWORKS, records.SCRATCH, DEEPENING, PN_SCRATCH]
)
def test_the_layouts_of_the_engine(kind: np.dtype[Any]) -> None:
    def ours(one: np.dtype[Any]) -> Any:
        if one.subdtype is not None:
            return (ours(one.base), one.shape)
        if one.fields is None:
            return one.name
        fields = [(name, *one.fields[name][:2]) for name in one.names or ()]
        return {
            "names": [name for name, *_ in fields],
            "formats": [ours(field) for _, field, _ in fields],
            "offsets": [offset for *_, offset in fields],
            "itemsize": one.itemsize,
        }

    made = array_types.dtype(ours(kind))
    assert made == array_types.dtype(ours(kind))
    assert made != array_types.dtype(FIELDS)
    assert (made.itemsize, made.names) == (kind.itemsize, kind.names)
    record = arrays.zeros(1, made)[0]
    assert kind.names is not None
    assert kind.fields is not None
    for name in kind.names:
        wanted, offset, *_ = kind.fields[name]
        assert offset == made.places[name][0]
        if wanted.shape:
            assert (record[name].shape, record[name].nbytes) == (wanted.shape, wanted.itemsize)


def test_a_view_keeps_its_memory() -> None:
    heap = arrays.use(ProcessMemory())
    part = arrays.array(list(range(10)))[3:5]
    before = heap.free
    assert part.tolist() == [3, 4]
    assert heap.free == before
    del part
    assert sum(size for _, size in heap.free) == 1 << 20


@pytest.mark.parametrize(
    ("refused", "error"),
    [
        (lambda: arrays.where, AttributeError),
        (lambda: arrays.zeros(3)[[0, 1]], TypeError),
        (lambda: arrays.zeros(3) == 0, TypeError),
        (lambda: arrays.zeros(3)[3], IndexError),
        (lambda: arrays.zeros((3, 3))[0, 0, 0], IndexError),
        (lambda: arrays.array([[1], [1, 2]]), ValueError),
        (lambda: arrays.zeros(3).__setitem__(slice(None), [1, 2]), ValueError),
        (lambda: arrays.zeros((4, 4))[:, 1].view("int8"), ValueError),
        (lambda: arrays.zeros(4).reshape(3), ValueError),
        (lambda: arrays.frombuffer(b"123", "int16"), ValueError),
        (lambda: arrays.dtype("complex64"), TypeError),
        (lambda: arrays.zeros(1, FIELDS).__setitem__(0, 1), TypeError),
        (lambda: arrays.zeros(1, FIELDS).tolist(), TypeError),
        (lambda: arrays.install(ProcessMemory()), RuntimeError),
    ],
)
def test_what_is_not_there_is_refused(refused: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        refused()


SCRIPT = """
import sys
from tengen.web.browser import arrays
from tests.web.browser.process_memory import ProcessMemory

arrays.install(ProcessMemory())
from tengen.engine import tables
tables.use_parameter_files(lambda name: open(sys.argv[1] + f"/parameters-{name}.bin", "rb").read())
import numpy
from tengen import Board, Engine, Limit, solve_vct
assert numpy is arrays
board = Board.from_moves("h8i9g7f6h10i8")
print(Engine().explain(board, Limit(nodes=3000)))
print(Engine(strength=40, seed=3).explain(board))
print(solve_vct(Board.from_moves("h8a1i8a3j9a5j10"), Limit(nodes=20_000)).line)
"""


@pytest.mark.long
def test_the_engine_runs_on_it_with_native_kernels(tmp_path: Path) -> None:
    if library.selected() is None:
        pytest.skip("no kernels have been compiled ahead of time")
    from tengen.solver.build_kernels import write_data_for_web

    write_data_for_web(tmp_path)
    start = SCRIPT.index("arrays.install")
    native = (
        SCRIPT[start:].replace("arrays.install(ProcessMemory())", "").replace("numpy is arrays", "numpy")
    )
    native = "\n".join(line for line in native.splitlines() if "tables" not in line)
    outputs = []
    for script in (SCRIPT, native):
        done = subprocess.run(
            [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
