"""LLVM's intermediate language of the functions that `tengen.engine.board.vectors` declares."""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202, ANN204, ARG001, D103

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

from tengen.engine.board.records import CEILING, KINDS, POOLS, ROW, UNITS, WIDTH
from tengen.engine.board.vectors import AT_ONCE, LEAST, MOST_ACTIVATED
from tengen.engine.kernels import lowering

_I8, _I16, _I32, _I64 = (ir.IntType(bits) for bits in (8, 16, 32, 64))
_F32 = ir.FloatType()
_ROW = ir.VectorType(_I16, WIDTH)
_SUMS = ir.VectorType(_I32, UNITS)
_FLOATS = ir.VectorType(_F32, UNITS)
_INPUT_PAIRS, _PRODUCTS = ir.VectorType(_I16, 2 * UNITS), ir.VectorType(_I32, 2 * UNITS)
_WIDE = ir.VectorType(_I32, WIDTH)
_BYTES = ir.VectorType(_I8, ROW)
_NUMBERS = ir.VectorType(_I32, AT_ONCE)
_COUNTS = ir.VectorType(_I16, 2 * KINDS)

_PAIRS = POOLS * WIDTH // 2
"""Pairs of inputs of the head, of one colour."""

_EIGHT, _FOUR_SUMS, _HALF = ir.VectorType(_I16, 8), ir.VectorType(_I32, 4), ir.VectorType(_I8, 16)
"""WebAssembly's vectors, which are of 16 bytes."""

_UNROLLED = 4
_MOST_SHORT = 32_767

_LEAK = 0.125
"""The slope of the leaky rectifier for negative numbers."""


class _Counts(types.Type):  # type: ignore[misc]
    """Counts of the cells of each kind for either colour, in a register."""


@register_model(_Counts)
class _CountsModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager, kind):
        super().__init__(manager, kind, _COUNTS)


counts_type = _Counts("Counts")


def _place(context, builder, kind, array, index, vector):
    """The address of a vector from a place of an array on, and how it is aligned."""
    data = context.make_array(kind)(context, builder, array).data
    first = builder.gep(builder.bitcast(data, vector.element.as_pointer()), [index])
    return builder.bitcast(first, vector.as_pointer())


def _read(context, builder, kind, array, index, vector):
    pointer = _place(context, builder, kind, array, index, vector)
    return builder.load(pointer, align=vector.element.width // 8 if vector.element != _F32 else 4)


def _write(context, builder, kind, array, index, value):
    pointer = _place(context, builder, kind, array, index, value.type)
    builder.store(value, pointer, align=2 if value.type.element == _I16 else 4)


def _all(vector, number):
    return ir.Constant(vector, [number] * vector.count)


def _chosen(vector, numbers):
    """The numbers of a shuffle."""
    return ir.Constant(ir.VectorType(_I32, vector), list(numbers))


def _activated(builder, row):
    """Negative numbers divided by eight and rounded, great ones cut off."""
    return _cut_off(builder, _leaky(builder, builder.add(row, _all(_ROW, 4)), row), CEILING)


def _leaky(builder, low, row):
    """The numbers of a row, or an eighth of others that stand for them, whichever is greater."""
    low = builder.ashr(low, _all(_ROW, 3))
    return builder.select(builder.icmp_signed(">", row, low), row, low)


def _cut_off(builder, row, most):
    top = _all(_ROW, most)
    return builder.select(builder.icmp_signed("<", row, top), row, top)


def _added(builder, row, other):
    """The sum of two rows; what does not fit into 16 bits is cut off."""
    name = f"llvm.sadd.sat.v{WIDTH}i16"
    add = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_ROW, [_ROW, _ROW]), name)
    return builder.call(add, [row, other])


def _in_all(builder, vector, number):
    """A vector that has one of the numbers of another everywhere."""
    return builder.shuffle_vector(vector, vector, _chosen(vector.type.count, [number] * vector.type.count))


def _total(builder, vector, add):
    """All numbers of a vector added up, halves to halves."""
    left = vector.type.count // 2
    while left:
        halves = (
            builder.shuffle_vector(vector, vector, _chosen(left, range(start, start + left)))
            for start in (0, left)
        )
        vector = add(*halves)
        left //= 2
    return builder.extract_element(vector, ir.Constant(_I32, 0))


@intrinsic
def largest(_, numbers, at, count):
    def build(context, builder, signature, values):
        kind = signature.args[0]
        before = builder.block
        loop, done = builder.append_basic_block("numbers"), builder.append_basic_block("largest")
        builder.branch(loop)
        builder.position_at_end(loop)
        number, so_far = builder.phi(_I64), builder.phi(_NUMBERS)
        number.add_incoming(ir.Constant(_I64, 0), before)
        so_far.add_incoming(_all(_NUMBERS, LEAST), before)
        found = _read(context, builder, kind, values[0], builder.add(values[1], number), _NUMBERS)
        most = builder.select(builder.icmp_signed(">", found, so_far), found, so_far)
        following = builder.add(number, ir.Constant(_I64, AT_ONCE))
        number.add_incoming(following, loop)
        so_far.add_incoming(most, loop)
        builder.cbranch(builder.icmp_signed("<", following, values[2]), loop, done)
        builder.position_at_end(done)
        left = AT_ONCE // 2
        while left:
            low, high = (
                builder.shuffle_vector(most, most, _chosen(left, range(start, start + left)))
                for start in (0, left)
            )
            most = builder.select(builder.icmp_signed(">", low, high), low, high)
            left //= 2
        return builder.sext(builder.extract_element(most, ir.Constant(_I32, 0)), _I64)

    return types.int64(numbers, types.int64, types.int64), build


@intrinsic
def bits_of_equal(_, array, at, number):
    return _bits_where("==", array)


@intrinsic
def bits_of_greater(_, array, at, number):
    return _bits_where(">", array)


def _bits_where(relation, array):
    """The function of an intrinsic that compares each byte of a row with a number."""

    def build(context, builder, signature, values):
        part = _HALF if lowering.for_webassembly else _BYTES
        number = builder.insert_element(_all(part, 0), builder.trunc(values[2], _I8), ir.Constant(_I32, 0))
        spread = builder.shuffle_vector(number, number, _chosen(part.count, [0] * part.count))
        bits = ir.Constant(_I64, 0)
        for start in range(0, ROW, part.count):
            place = builder.add(values[1], ir.Constant(_I64, start))
            row = _read(context, builder, signature.args[0], values[0], place, part)
            found = builder.bitcast(builder.icmp_unsigned(relation, row, spread), ir.IntType(part.count))
            bits = builder.or_(bits, builder.shl(builder.zext(found, _I64), ir.Constant(_I64, start)))
        return bits

    return types.int64(array, types.int64, types.int64), build


@intrinsic
def read_counts(_, array, at):
    def build(context, builder, signature, values):
        return _read(context, builder, signature.args[0], values[0], values[1], _COUNTS)

    return counts_type(array, types.int64), build


@intrinsic
def write_counts(_, array, at, counts):
    def build(context, builder, signature, values):
        _write(context, builder, signature.args[0], values[0], values[1], values[2])
        return context.get_dummy_value()

    return types.void(array, types.int64, counts_type), build


@intrinsic
def with_kinds(_, counts, black, white):
    return _recounted("add", black, white)


@intrinsic
def without_kinds(_, counts, black, white):
    return _recounted("sub", black, white)


def _recounted(how, black, white):
    """The function of an intrinsic that adds a row with a single 1 for either colour, or takes it away."""

    def build(context, builder, signature, values):
        rows = ir.ArrayType(_COUNTS, 2 * KINDS)
        places = range(2 * KINDS)
        ones = [ir.Constant(_COUNTS, [int(place == one) for place in places]) for one in places]
        table = cgutils.global_constant(builder.module, "tengen_ones", ir.Constant(rows, ones))
        counts = values[0]
        for colour, value in enumerate(values[1:]):
            kind = builder.and_(builder.zext(value, _I64), ir.Constant(_I64, KINDS - 1))
            row = builder.add(kind, ir.Constant(_I64, KINDS * colour))
            one = builder.load(builder.gep(table, [ir.Constant(_I64, 0), row]))
            counts = getattr(builder, how)(counts, one)
        return counts

    return counts_type(counts_type, types.uint8, types.uint8), build


@intrinsic
def copy_row(_, target, to, source, at):
    def build(context, builder, signature, values):
        kinds = signature.args
        row = _read(context, builder, kinds[2], values[2], values[3], _ROW)
        _write(context, builder, kinds[0], values[0], values[1], row)
        return context.get_dummy_value()

    return types.void(target, types.int64, source, types.int64), build


@intrinsic
def copy_pools(_, target, to, source, at):
    def build(context, builder, signature, values):
        kinds = signature.args
        for row in range(2 * POOLS):
            step = ir.Constant(_I64, row * WIDTH)
            found = _read(context, builder, kinds[2], values[2], builder.add(values[3], step), _ROW)
            _write(context, builder, kinds[0], values[0], builder.add(values[1], step), found)
        return context.get_dummy_value()

    return types.void(target, types.int64, source, types.int64), build


@intrinsic
def leave_pool(_, sums, at, pools, pool):
    def build(context, builder, signature, values):
        kinds = signature.args
        row = _read(context, builder, kinds[0], values[0], values[1], _ROW)
        whole = _read(context, builder, kinds[2], values[2], values[3], _ROW)
        less = builder.sub(whole, _activated(builder, row))
        _write(context, builder, kinds[2], values[2], values[3], less)
        return context.get_dummy_value()

    return types.void(sums, types.int64, pools, types.int64), build


@intrinsic
def change_row(_, sums, at, rows, new, old, pools, pool):
    def build(context, builder, signature, values):
        kinds = signature.args
        before = _read(context, builder, kinds[0], values[0], values[1], _ROW)
        more = _read(context, builder, kinds[2], values[2], values[3], _ROW)
        less = _read(context, builder, kinds[2], values[2], values[4], _ROW)
        after = builder.add(before, builder.sub(more, less))
        _write(context, builder, kinds[0], values[0], values[1], after)
        whole = _read(context, builder, kinds[5], values[5], values[6], _ROW)
        difference = builder.sub(_activated(builder, after), _activated(builder, before))
        _write(context, builder, kinds[5], values[5], values[6], builder.add(whole, difference))
        return context.get_dummy_value()

    wide = types.int64
    return types.void(sums, wide, rows, wide, wide, pools, wide), build


def _dot_products(builder, one, other):
    """Return the products of two rows of int16, neighbours added up, in vectors of four int32."""
    kind = ir.FunctionType(_FOUR_SUMS, [_EIGHT, _EIGHT])
    dot = cgutils.get_or_insert_function(builder.module, kind, "llvm.wasm.dot")
    sums = []
    for start in range(0, one.type.count, _EIGHT.count):
        chosen = _chosen(_EIGHT.count, range(start, start + _EIGHT.count))
        sums.append(builder.call(dot, [builder.shuffle_vector(row, row, chosen) for row in (one, other)]))
    return sums


def _joined(builder, vectors):
    """Return vectors of equal lengths, a power of two of them, as one."""
    while len(vectors) > 1:
        every = _chosen(2 * vectors[0].type.count, range(2 * vectors[0].type.count))
        vectors = [
            builder.shuffle_vector(low, high, every)
            for low, high in zip(vectors[::2], vectors[1::2], strict=True)
        ]
    return vectors[0]


def _pair_products(builder, pointer, weights):
    """Return what two inputs, int16, at a pointer to int32, add to each unit: the pair times its weights.

    The weights are in the order (unit, which of the pair): processors multiply and add such pairs in one
    instruction.
    """
    pair = builder.insert_element(_all(_SUMS, 0), builder.load(pointer, align=2), ir.Constant(_I32, 0))
    inputs = builder.bitcast(_in_all(builder, pair, 0), _INPUT_PAIRS)
    if lowering.for_webassembly:
        return _joined(builder, _dot_products(builder, inputs, weights))
    products = builder.mul(builder.sext(inputs, _PRODUCTS), builder.sext(weights, _PRODUCTS))
    return builder.add(
        *(
            builder.shuffle_vector(products, products, _chosen(UNITS, range(which, 2 * UNITS, 2)))
            for which in range(2)
        )
    )


@intrinsic
def add_layer(_, inputs, pairs, weights, at, sums, to):
    def build(context, builder, signature, values):
        kinds = signature.args
        zero = ir.Constant(_I64, 0)
        start = _place(context, builder, kinds[0], values[0], zero, ir.VectorType(_I16, 1))
        start = builder.bitcast(start, _I32.as_pointer())
        total = _read(context, builder, kinds[4], values[4], values[5], _SUMS)
        before = builder.block
        loop, done = builder.append_basic_block("pairs"), builder.append_basic_block("done")
        builder.branch(loop)
        builder.position_at_end(loop)
        pair, so_far = builder.phi(_I64), builder.phi(_SUMS)
        pair.add_incoming(zero, before)
        so_far.add_incoming(total, before)
        place = builder.add(values[3], builder.mul(pair, ir.Constant(_I64, 2 * UNITS)))
        row = _read(context, builder, kinds[2], values[2], place, _INPUT_PAIRS)
        total = builder.add(so_far, _pair_products(builder, builder.gep(start, [pair]), row))
        following = builder.add(pair, ir.Constant(_I64, 1))
        pair.add_incoming(following, loop)
        so_far.add_incoming(total, loop)
        builder.cbranch(builder.icmp_signed("<", following, values[1]), loop, done)
        builder.position_at_end(done)
        _write(context, builder, kinds[4], values[4], values[5], total)
        return context.get_dummy_value()

    wide = types.int64
    return types.void(inputs, wide, weights, wide, sums, wide), build


@intrinsic
def first_layer(_, pools, own, other, weights, bias, at, units):
    def build(context, builder, signature, values):
        kinds = signature.args
        zero = ir.Constant(_I64, 0)
        inputs = context.make_array(kinds[0])(context, builder, values[0]).data
        inputs = builder.bitcast(inputs, _I16.as_pointer())
        starts = [builder.bitcast(builder.gep(inputs, [at]), _I32.as_pointer()) for at in values[1:3]]
        total = _read(context, builder, kinds[4], values[4], values[5], _SUMS)
        before = builder.block
        loop, done = builder.append_basic_block("pairs"), builder.append_basic_block("done")
        builder.branch(loop)
        builder.position_at_end(loop)
        number = builder.phi(_I64)
        number.add_incoming(zero, before)
        # A sum for either part: an addition need not wait for the one before. WebAssembly's processors
        # have registers for one.
        first_sums = [total] if lowering.for_webassembly else [total, _all(_SUMS, 0)]
        sums = [builder.phi(_SUMS) for _ in first_sums]
        for part, first in zip(sums, first_sums, strict=True):
            part.add_incoming(first, before)
        totals = list(sums)
        for step in range(_UNROLLED):
            pair = builder.add(number, ir.Constant(_I64, step))
            for part, start in enumerate(starts):
                place = builder.mul(
                    builder.add(pair, ir.Constant(_I64, part * _PAIRS)), ir.Constant(_I64, 2 * UNITS)
                )
                row = _read(context, builder, kinds[3], values[3], place, _INPUT_PAIRS)
                products = _pair_products(builder, builder.gep(start, [pair]), row)
                place = part % len(totals)
                totals[place] = builder.add(totals[place], products)
        following = builder.add(number, ir.Constant(_I64, _UNROLLED))
        number.add_incoming(following, loop)
        for part, last in zip(sums, totals, strict=True):
            part.add_incoming(last, loop)
        builder.cbranch(builder.icmp_signed("<", following, ir.Constant(_I64, _PAIRS)), loop, done)
        builder.position_at_end(done)
        total = builder.add(*totals) if len(totals) > 1 else totals[0]
        _write(context, builder, kinds[6], values[6], zero, total)
        return context.get_dummy_value()

    wide = types.int64
    return types.void(pools, wide, wide, weights, bias, wide, units), build


@intrinsic
def last_layers(_, units, scale, weights, bias, last):
    def build(context, builder, signature, values):
        kinds = signature.args
        zero = ir.Constant(_I64, 0)

        def leaky(vector):
            low = builder.fmul(vector, _all(_FLOATS, _LEAK))
            return builder.select(builder.fcmp_ordered(">", vector, low), vector, low)

        factor = builder.insert_element(_all(_FLOATS, 0.0), values[1], ir.Constant(_I32, 0))
        sums = builder.sitofp(_read(context, builder, kinds[0], values[0], zero, _SUMS), _FLOATS)
        inputs = leaky(builder.fmul(sums, _in_all(builder, factor, 0)))
        total = _read(context, builder, kinds[3], values[3], zero, _FLOATS)
        for unit in range(UNITS):
            row = _read(context, builder, kinds[2], values[2], ir.Constant(_I64, unit * UNITS), _FLOATS)
            total = builder.fadd(total, builder.fmul(_in_all(builder, inputs, unit), row))
        total = builder.fmul(leaky(total), _read(context, builder, kinds[4], values[4], zero, _FLOATS))
        return _total(builder, total, builder.fadd)

    return types.float32(units, types.float32, weights, bias, last), build


@intrinsic
def add_rows(_, rows, first, second, third, fourth, sums, at, total):
    def build(context, builder, signature, values):
        kinds = signature.args
        found = [_read(context, builder, kinds[0], values[0], place, _ROW) for place in values[1:5]]
        row = builder.add(builder.add(*found[:2]), builder.add(*found[2:]))
        _write(context, builder, kinds[5], values[5], values[6], row)
        kept = builder.sext(_cut_off(builder, _leaky(builder, row, row), MOST_ACTIVATED), _WIDE)
        zero = ir.Constant(_I64, 0)
        so_far = _read(context, builder, kinds[7], values[7], zero, _WIDE)
        _write(context, builder, kinds[7], values[7], zero, builder.add(so_far, kept))
        return context.get_dummy_value()

    wide = types.int64
    return types.void(rows, wide, wide, wide, wide, sums, wide, total), build


@intrinsic
def matrix_product(_, total, scale, matrix, bias, at, units):
    def build(context, builder, signature, values):
        kinds = signature.args
        zero = ir.Constant(_I64, 0)
        factor = builder.insert_element(_all(_FLOATS, 0.0), values[1], ir.Constant(_I32, 0))
        whole = builder.sitofp(_read(context, builder, kinds[0], values[0], zero, _WIDE), _FLOATS)
        inputs = builder.fmul(whole, _in_all(builder, factor, 0))
        sums = _all(_FLOATS, 0.0)
        for number in range(WIDTH):
            row = _read(context, builder, kinds[2], values[2], ir.Constant(_I64, number * WIDTH), _FLOATS)
            sums = builder.fadd(sums, builder.fmul(_in_all(builder, inputs, number), row))
        # What a damaged file may hold is cut off, so that no number is without meaning.
        limit = _all(_FLOATS, float(_MOST_SHORT))
        sums = builder.select(builder.fcmp_ordered("<", sums, limit), sums, limit)
        limit = _all(_FLOATS, -float(_MOST_SHORT))
        sums = builder.select(builder.fcmp_ordered(">", sums, limit), sums, limit)
        row = builder.trunc(builder.fptosi(sums, _WIDE), _ROW)
        before = _read(context, builder, kinds[3], values[3], values[4], _ROW)
        _write(context, builder, kinds[5], values[5], zero, _added(builder, row, before))
        return context.get_dummy_value()

    wide = types.int64
    return types.void(total, types.float32, matrix, bias, wide, units), build


@intrinsic
def weighted_sum(_, sums, at, steps, first, second, units, out):
    def build(context, builder, signature, values):
        kinds = signature.args
        zero = ir.Constant(_I64, 0)
        row = _read(context, builder, kinds[0], values[0], values[1], _ROW)
        for place in values[3:5]:
            row = _added(builder, row, _read(context, builder, kinds[2], values[2], place, _ROW))
        row = _added(builder, row, _read(context, builder, kinds[5], values[5], zero, _ROW))
        row = _leaky(builder, row, row)
        weights = _read(context, builder, kinds[6], values[6], zero, _ROW)
        if lowering.for_webassembly:
            products = _joined(builder, _dot_products(builder, row, weights))
        else:
            products = builder.mul(builder.sext(row, _WIDE), builder.sext(weights, _WIDE))
        return builder.sext(_total(builder, products, builder.add), _I64)

    wide = types.int64
    return types.int64(sums, wide, steps, wide, wide, units, out), build
