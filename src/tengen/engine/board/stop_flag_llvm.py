"""LLVM's intermediate language of the instruction that `tengen.engine.board.stop_flag` declares."""

# Numba infers the types of the compiled functions.
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls, allow-untyped-decorators
# mypy: no-check-untyped-defs
# ruff: noqa: ANN001, ANN201, ANN202, ARG001, D103

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from tengen.engine.board.stop_flag import POLL_NODES
from tengen.engine.kernels import lowering

_I64 = ir.IntType(64)


@intrinsic
def poll(context, state):
    def make(context, builder, signature, arguments):
        if lowering.for_webassembly:
            nodes, polled = (
                cgutils.get_record_member(builder, arguments[0], state.offset(name), _I64)
                for name in ("nodes", "polled")
            )
            now = builder.ashr(builder.load(nodes), ir.Constant(_I64, POLL_NODES.bit_length() - 1))
            with builder.if_then(builder.icmp_signed("!=", now, builder.load(polled)), likely=False):
                builder.store(now, polled)
                kind = ir.FunctionType(ir.VoidType(), [])
                builder.call(cgutils.get_or_insert_function(builder.module, kind, lowering.POLL), [])
        return context.get_dummy_value()

    return types.void(state), make
