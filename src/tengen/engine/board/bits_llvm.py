"""LLVM's intermediate language of the instructions that `tengen.engine.board.bits` declares."""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202, ARG001, D103

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_I32, _BYTES = ir.IntType(32), ir.IntType(8).as_pointer()


@intrinsic
def count_bits(context, number):
    def make(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), make


@intrinsic
def lowest_bit(context, number):
    def make(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), make


@intrinsic
def highest_bit(context, number):
    def make(context, builder, signature, arguments):
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.int64(types.int64), make


@intrinsic
def prefetch(context, array, index):
    def make(context, builder, signature, arguments):
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        address = builder.bitcast(builder.gep(data, [arguments[1]]), _BYTES)
        kind = ir.FunctionType(ir.VoidType(), [_BYTES, _I32, _I32, _I32])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [_BYTES], kind)
        to_read, keep, data_cache = (ir.Constant(_I32, number) for number in (0, 3, 1))
        builder.call(fetch, [address, to_read, keep, data_cache])
        return context.get_dummy_value()

    return types.void(array, types.int64), make
