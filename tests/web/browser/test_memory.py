"""The heap of arrays: blocks do not overlap, are zeros, and are used again."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tengen.web.browser.memory import ALIGNMENT, Block, Heap
from tests.web.browser.process_memory import ProcessMemory

sizes = st.one_of(st.integers(0, 300), st.integers(0, 3 << 20))


@given(st.lists(st.tuples(sizes, st.integers(0, 9)), max_size=30))
def test_blocks_are_aligned_zeros_that_do_not_overlap(steps: list[tuple[int, int]]) -> None:
    memory = ProcessMemory()
    heap, held = Heap(memory), list[Block]()
    for size, drops in steps:
        block = heap.take(size)
        assert block.address % ALIGNMENT == 0
        assert block.size >= size
        assert not any(memory.read(block.address, block.size))
        memory.write(block.address, b"\xff" * block.size)
        held.append(block)
        if drops:
            del held[:: drops + 1]
        parts = sorted([*((each.address, each.size) for each in held), *heap.free])
        for (address, length), (following, _) in pairwise(parts):
            assert address + length <= following


def test_what_is_dropped_is_free_in_one_part_again() -> None:
    heap = Heap(ProcessMemory())
    blocks = [heap.take(1000) for _ in range(50)]
    whole = sum(size for _, size in heap.free) + sum(block.size for block in blocks)
    del blocks[::2]
    assert len(heap.free) > 20
    del blocks
    assert [size for _, size in heap.free] == [whole]


def test_a_second_block_of_the_same_size_takes_no_more_memory() -> None:
    heap = Heap(ProcessMemory())
    first = heap.take(5 << 20).address
    assert heap.take(5 << 20).address == first
