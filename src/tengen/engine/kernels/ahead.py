"""Compilation of all kernels ahead of time, into one library for a target.

Numba lowers the kernels to LLVM's intermediate language without optimising anything. All of it is linked
into one module, with a function in C's calling convention for each kernel, and optimised as a whole.
Lowering takes most of the time and one processor. So the kernels of a library are compiled in two parts, by
two processes; what both call is compiled twice. WebAssembly, whose size matters more, is one part.

A kernel's function takes an int64 for a number or a truth value; an address for a record; an address and
the length of the first dimension, an int64, for an array. It returns an int64 or nothing; where the result
is several numbers, a last argument is the address that they are written to.
"""

from __future__ import annotations

import gc
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils, codegen
from numba.core.registry import cpu_target
from numba.np import arrayobj

from tengen.engine.kernels import jit, lowering
from tengen.engine.kernels.compile_events import listening
from tengen.engine.kernels.declarations import Kernel
from tengen.engine.kernels.declarations import kernels as declared
from tengen.engine.kernels.library import FORMAT, MANIFEST_SYMBOL, Manifest, digest, file_of, host, symbol
from tengen.engine.kernels.signatures import Argument, Array, Number, Numbers
from tengen.engine.kernels.source_hash import PACKAGE, Name, SourceGraph

_I8, _I32, _I64 = ir.IntType(8), ir.IntType(32), ir.IntType(64)

STACK_BYTES = 1 << 20
"""The stack of a thread in WebAssembly."""

_TRIPLE = re.compile(r'^target (triple|datalayout) = ".*"$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Target:
    """A kind of machine to compile for.

    Attributes:
        name: its name, which is that of the library's file.
        triple: LLVM's name.
        processor: the oldest processor, by LLVM's name.
        features: what it has besides, as LLVM lists it.
    """

    name: str
    triple: str
    processor: str
    features: str = ""

    @property
    def is_webassembly(self) -> bool:
        """Whether it is WebAssembly."""
        return self.triple.startswith("wasm")


_WEBASSEMBLY = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals,+multivalue"
"""The features that all browsers of the last years have."""

TARGETS = {
    target.name: target
    for target in (
        *(
            Target(f"linux-x86-64{level}", "x86_64-unknown-linux-gnu", f"x86-64{level}")
            for level in ("", "-v2", "-v3")
        ),
        Target("linux-aarch64", "aarch64-unknown-linux-gnu", "generic"),
        Target("macos-aarch64", "aarch64-apple-macosx11.0.0", "apple-m1"),
        Target("macos-x86-64", "x86_64-apple-macosx10.13.0", "x86-64-v2"),
        *(
            Target(f"windows-x86-64{level}", "x86_64-pc-windows-gnu", f"x86-64{level}")
            for level in ("", "-v3")
        ),
        Target("wasm32", "wasm32-unknown-unknown", "generic", _WEBASSEMBLY),
        Target("wasm32-threads", "wasm32-unknown-unknown", "generic", f"{_WEBASSEMBLY},+atomics"),
    )
}
"""The targets by their names."""


class LinkError(Exception):
    """No linker is there, or it has failed; the text says which and why."""


class _CollectingLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """A code library that hands its modules over as text, and makes no machine code."""

    def add_ir_module(self, ir_module: Any) -> None:
        """Hand a module over."""
        self._codegen.modules.append(cgutils.normalize_ir_text(str(ir_module)))

    def finalize(self) -> None:
        """Do nothing: all modules are linked at the end."""
        self._finalized = True

    def _get_module_for_linking(self) -> None:
        return None

    def get_pointer_to_function(self, name: str) -> int:
        """Return some address: nothing is called."""
        return 1


class _CollectingCodegen(codegen.JITCPUCodegen):  # type: ignore[misc]
    """A code generator that collects the modules of all libraries.

    Attributes:
        modules: LLVM's intermediate language, unoptimised.
    """

    _library_class = _CollectingLibrary

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.modules: list[str] = []

    def set_env(self, env_name: str, env: Any) -> None:
        """Do nothing: there is no environment."""


def lower(kernels: Sequence[Kernel], *, webassembly: bool = False) -> list[str]:
    """Lower kernels to LLVM's intermediate language, and add their functions for C.

    Compiles nothing else in this process afterwards: Numba's code generator has been replaced.

    Args:
        kernels: all kernels of the library.
        webassembly: true to choose the instructions for WebAssembly, false for processors.

    Returns:
        The modules as text.
    """
    collecting = _CollectingCodegen("tengen")
    # Numba has no public way to make its intermediate language of a function and of all that it calls.
    cpu_target.target_context._internal_codegen = collecting  # noqa: SLF001
    os.environ["TENGEN_CACHE"] = os.devnull  # a folder that cannot be there: nothing is read or kept
    jit.OPTIONS["no_cpython_wrapper"] = True
    lowering.for_webassembly = webassembly
    exports = ir.Module("tengen")
    with listening(lambda *_: None):
        for kernel in kernels:
            kernel.dispatcher.build()
            (compiled,) = kernel.dispatcher.overloads.values()
            _export(exports, kernel, compiled)
    return [*collecting.modules, str(exports)]


def _export(module: Any, kernel: Kernel, compiled: Any) -> None:
    """Add a kernel's function for C to a module."""
    result = kernel.signature.result
    parameters: list[Any] = []
    for argument in kernel.signature.arguments:
        if isinstance(argument, Number):
            parameters.append(_I64)
        else:
            parameters.append(_I8.as_pointer())
            parameters.extend([_I64] if isinstance(argument, Array) else [])
    if isinstance(result, Numbers):
        parameters.append(_I64.as_pointer())
    kind = ir.FunctionType(_I64 if isinstance(result, Number) else ir.VoidType(), parameters)
    function = ir.Function(module, kind, name=symbol(kernel.name))
    builder = ir.IRBuilder(function.append_basic_block())
    context, given = compiled.target_context, list(function.args)
    values = [
        _value(context, builder, declared, kind, given)
        for declared, kind in zip(kernel.signature.arguments, compiled.signature.args, strict=True)
    ]
    callee = context.declare_function(module, compiled.fndesc)
    _, returned = context.call_conv.call_function(
        builder, callee, compiled.signature.return_type, compiled.signature.args, values
    )
    if isinstance(result, Numbers):
        for index in range(result.count):
            number = builder.extract_value(returned, index)
            builder.store(number, builder.gep(given[0], [ir.Constant(_I32, index)]))
    if isinstance(result, Number):
        builder.ret(returned if returned.type == _I64 else builder.zext(returned, _I64))
    else:
        builder.ret_void()


def _value(context: Any, builder: Any, declared: Argument, kind: Any, given: list[Any]) -> Any:
    """Return Numba's value of an argument, taken from the front of those that C gives."""
    if isinstance(declared, Number):
        number = given.pop(0)
        return builder.trunc(number, ir.IntType(1)) if kind == types.boolean else number
    address = given.pop(0)
    array = context.make_array(kind)(context, builder)
    size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    shape, steps = [ir.Constant(_I64, 1)], [size]
    if isinstance(declared, Array):
        shape = [given.pop(0)]
        if declared.dimensions > 1:
            shape, steps = [*shape, ir.Constant(_I64, declared.width)], [size * declared.width, size]
    arrayobj.populate_array(
        array,
        data=builder.bitcast(address, array.data.type),
        shape=shape,
        strides=[ir.Constant(_I64, step) for step in steps],
        itemsize=ir.Constant(_I64, size),
        meminfo=None,
    )
    return array._getvalue()  # noqa: SLF001


def manifests(
    kernels: Sequence[Kernel], targets: Sequence[Target], graph: SourceGraph | None = None
) -> list[Manifest]:
    """Return the manifests of libraries of the same kernels for some targets.

    Args:
        kernels: the kernels.
        targets: the targets.
        graph: what `in_parts` has read of the sources already.
    """
    graph = graph or SourceGraph(PACKAGE, FORMAT)
    names = [kernel.name.rsplit(".", 1) for kernel in kernels]
    modules = sorted({module for name in names for module, _ in graph.reached(*name)})
    files = [PACKAGE.joinpath(*module.split(".")[1:]).with_suffix(".py") for module in modules]
    compiler = f"numba {numba.__version__}, llvmlite {llvmlite.__version__}"
    digests = {file.relative_to(PACKAGE).as_posix(): digest(file) for file in files if file.exists()}
    fingerprints = {".".join(name): graph.fingerprint(*name) for name in names}
    return [Manifest(FORMAT, target.name, compiler, digests, fingerprints) for target in targets]


def compile_object(
    modules: Sequence[str], exported: Collection[str], target: Target, suffix: str | None = None
) -> bytes:
    """Link modules into one, optimise it as a whole, and return it as an object file.

    Args:
        modules: LLVM's intermediate language; see `lower` and `manifest_module`.
        exported: the names that it exports.
        target: the machine to compile for.
        suffix: is added to the names that it exports, for one of several objects of a program; None for an
            object that becomes a library.
    """
    machine, heading = _machine(target)
    whole = llvm.parse_assembly(heading)
    for text in modules:
        whole.link_in(llvm.parse_assembly(heading + _TRIPLE.sub("", text)))
    for each in (*whole.functions, *whole.global_variables):
        if not each.is_declaration:
            each.linkage = "external" if each.name in exported else "internal"
            if each.name in exported and suffix is None and "windows" in target.triple:
                each.storage_class = "dllexport"
            if each.name in exported and suffix is not None:
                each.name += suffix
    whole.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(whole, passes)
    missing = [
        each.name
        for each in whole.functions
        if each.is_declaration and not each.name.startswith("llvm.") and each.name != lowering.POLL
    ]
    if missing:
        raise LinkError(f"undefined functions: {', '.join(missing)}")
    return bytes(machine.emit_object(whole))


def _machine(target: Target) -> tuple[Any, str]:
    """Return LLVM's machine for a target, and the heading of modules for it."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.processor,
        features=target.features,
        opt=3,
        reloc="static" if target.is_webassembly else "pic",
        codemodel="default",
    )
    return machine, f'target triple = "{target.triple}"\ntarget datalayout = "{machine.target_data}"\n'


def data_object(data: bytes, name: str, target: Target, alignment: int) -> bytes:
    """Return an object file that contains nothing but data.

    Args:
        data: the data.
        name: their symbol.
        target: the machine that it is for.
        alignment: of their address, in bytes.
    """
    machine, heading = _machine(target)
    text = "".join(f"\\{byte:02x}" for byte in data)
    constant = f'@{name} = constant [{len(data)} x i8] c"{text}", align {alignment}\n'
    return bytes(machine.emit_object(llvm.parse_assembly(heading + constant)))


def manifest_module(described: Manifest) -> str:
    """Return a module that contains a manifest, as `MANIFEST_SYMBOL`."""
    module = ir.Module("manifest")
    text = bytearray(described.to_json().encode() + b"\0")
    constant = ir.Constant(ir.ArrayType(_I8, len(text)), text)
    cgutils.global_constant(module, MANIFEST_SYMBOL, constant)
    return str(module).replace("internal constant", "constant")


def link(objects: Sequence[bytes], described: Manifest, target: Target, file: Path) -> None:
    """Link object files into a shared object, or into a module of WebAssembly.

    Args:
        objects: the object files.
        described: the manifest of the library.
        target: the machine that it is for.
        file: the file to write.

    Raises:
        LinkError: there is no linker for this target, or it has failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / file.name
        sources = [Path(folder) / f"part{number}.o" for number in range(len(objects))]
        for source, data in zip(sources, objects, strict=True):
            source.write_bytes(data)
        is_web = target.is_webassembly
        options = _webassembly_options(described, target) if is_web else _shared_options(target)
        command = [*_linker(target), *options, "-o", str(made), *map(str, sources)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise LinkError(f"{command[0]}: {(done.stderr or done.stdout).strip()}")
        file.parent.mkdir(parents=True, exist_ok=True)
        # A process may be running the former one, so that it must not be written over.
        part = file.with_suffix(f".{os.getpid()}.part")
        shutil.copyfile(made, part)
        part.replace(file)


def _shared_options(target: Target) -> list[str]:
    """Return options for a shared object."""
    # The C library, for memset and the like, has been loaded already, except on Windows.
    return ["-shared"] if target.name.startswith("windows") else ["-shared", "-nostdlib"]


def _webassembly_options(described: Manifest, target: Target) -> list[str]:
    """Return options for a module that exports kernels and what a caller needs.

    It imports its memory and `lowering.POLL`. The caller lays out the memory from ``__heap_base`` on, and
    threads set ``__stack_pointer``, one each. The manifest's address is exported, too.
    """
    exported = "__heap_base", "__stack_pointer", MANIFEST_SYMBOL, *map(symbol, described.kernels)
    return [
        "--no-entry",
        "--import-memory",
        "--import-undefined",  # `lowering.POLL`
        f"--max-memory={1 << 32}",
        *(["--shared-memory"] if "atomics" in target.features else []),
        "--stack-first",
        "-z",
        f"stack-size={STACK_BYTES}",
        "--strip-all",
        "--gc-sections",
        *(f"--export={name}" for name in exported),
    ]


def _linker(target: Target) -> list[str]:
    """Return the command that links for a target, up to its options for the result."""
    if target.is_webassembly:
        if shutil.which("wasm-ld"):
            return ["wasm-ld"]
        if find_spec("ziglang") is not None:
            return [sys.executable, "-m", "ziglang", "wasm-ld"]
        raise LinkError("no linker for WebAssembly: install wasm-ld, or the package ziglang")
    return c_compiler(target)


def c_compiler(target: Target) -> list[str]:
    """Return the command that compiles C and links for a processor, up to its options for the result.

    Raises:
        LinkError: there is none.
    """
    system, _, machine = target.name.partition("-")
    architecture = machine.removesuffix("-v2").removesuffix("-v3")
    if (system, architecture) == host():
        for name in ("cc", "gcc", "clang"):
            if shutil.which(name):
                return [name, *(["-Wl,-s", "-Wl,--build-id=none"] if system == "linux" else [])]
    if find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang", "cc", "-target", _ZIG[f"{system}-{architecture}"], "-s"]
    raise LinkError(f"no linker for {target.name}: install a C compiler, or the package ziglang")


_ZIG = {
    "linux-x86-64": "x86_64-linux-gnu",
    "linux-aarch64": "aarch64-linux-gnu",
    "macos-x86-64": "x86_64-macos-none",
    "macos-aarch64": "aarch64-macos-none",
    "windows-x86-64": "x86_64-windows-gnu",
}
"""Zig's names of systems and architectures."""


def build_libraries(kernels: Sequence[Kernel], targets: Sequence[str], folder: Path) -> None:
    """Compile all kernels for some targets, and write their libraries.

    Args:
        kernels: the kernels.
        targets: names of `TARGETS`.
        folder: the folder to write to.

    Raises:
        LinkError: the linker is missing, or has failed.
        ValueError: some targets are WebAssembly, and others are not.
    """
    chosen = [TARGETS[name] for name in targets]
    webassembly = all(target.is_webassembly for target in chosen)
    if any(target.is_webassembly != webassembly for target in chosen):
        raise ValueError("WebAssembly is lowered in a process of its own")
    graph = SourceGraph(PACKAGE, FORMAT)
    parts = [list(kernels)] if webassembly else in_parts(kernels, 2, graph)
    described = manifests(kernels, chosen, graph)
    with ProcessPoolExecutor(len(parts), get_context("spawn")) as processes:
        running = [
            processes.submit(_compile_part, [kernel.name for kernel in part], described, place == 0)
            for place, part in enumerate(parts)
        ]
        objects = [each.result() for each in running]
    for target, manifest, made in zip(chosen, described, zip(*objects, strict=True), strict=True):
        link(made, manifest, target, file_of(target.name, folder))


def in_parts(kernels: Sequence[Kernel], count: int, graph: SourceGraph) -> list[list[Kernel]]:
    """Divide kernels into parts of much the same size that have little in common.

    The size of a part is that of all definitions that its kernels reach. The largest kernel comes first;
    each goes where the sum of the squares of the sizes is least.
    """
    reached = {kernel.name: graph.reached(*kernel.name.rsplit(".", 1)) for kernel in kernels}
    parts: list[list[Kernel]] = [[] for _ in range(count)]
    definitions: list[set[Name]] = [set() for _ in parts]
    for kernel in sorted(kernels, key=lambda each: (-graph.size(reached[each.name]), each.name)):
        names = reached[kernel.name]
        before = [graph.size(each) for each in definitions]
        after = [graph.size(each | names) for each in definitions]
        place = min(range(count), key=lambda each: (after[each] ** 2 - before[each] ** 2, each))
        parts[place].append(kernel)
        definitions[place] |= names
    return parts


def _compile_part(names: Sequence[str], described: Sequence[Manifest], is_first: bool) -> list[bytes]:
    """Compile some kernels, in a process that compiles nothing else, for the targets of some manifests.

    Returns:
        An object file for each target; that of the first part contains the manifest.
    """
    # There is next to no garbage; the search for it would take 6 % of the time.
    gc.disable()
    for name in names:
        import_module(name.rpartition(".")[0])
    targets = [TARGETS[manifest.target] for manifest in described]
    part = [kernel for kernel in declared() if kernel.name in names]
    modules = lower(part, webassembly=targets[0].is_webassembly)
    exported = set(map(symbol, names))
    if not is_first:
        return [compile_object(modules, exported, target) for target in targets]
    return [
        compile_object([*modules, manifest_module(manifest)], {MANIFEST_SYMBOL, *exported}, target)
        for target, manifest in zip(targets, described, strict=True)
    ]
