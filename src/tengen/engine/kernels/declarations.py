"""Declarations of compiled functions: kernels, the helpers that they call, and single instructions.

- `kernel` declares a function for callers from Python, with its types. `kernels` lists all of these for
  whoever compiles them in advance.
- `compiled` declares a function that other compiled functions call.
- `inlined` declares a small helper, compiled into each function that calls it.
- `merged` declares a part of one function, compiled with it.
- `intrinsic` declares instructions that are built in LLVM's intermediate language.

A declaration compiles nothing and needs no compiler: a kernel runs from the library of kernels that were
compiled ahead of time if it matches the sources (`tengen.engine.kernels.library`), else it is compiled just
in time when it is first called (`tengen.engine.kernels.jit`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cached_property, partial, update_wrapper
from typing import Any

from tengen.engine.kernels import library
from tengen.engine.kernels.signatures import Signature
from tengen.extras import importing


class CompiledFunction:
    """A function that is compiled for the types of each call from compiled functions.

    A call from Python compiles it just in time, too.

    Args:
        function: the function.
        options: options of Numba besides those that all compiled functions have.

    Attributes:
        py_func: the function as it is written.
        options: the options.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self.options = options

    @cached_property
    def dispatcher(self) -> Any:
        """Numba's object for the function, which compiles it just in time."""
        return _jit().dispatcher(self.py_func, self.options)

    @property
    def _numba_type_(self) -> Any:
        """The type for Numba, which asks for it where compiled functions call this one."""
        return self.dispatcher._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        """Call it from Python."""
        return self.dispatcher(*arguments)


class _Inlined(CompiledFunction):
    """A helper that only compiled functions call."""

    def __call__(self, *_: Any) -> Any:
        """Refuse a call from Python: it has no wrapper for that."""
        raise TypeError(f"{self.py_func.__name__} can be called from compiled functions only")


class _Merged(_Inlined):
    """A part of one compiled function.

    Attributes:
        targetoptions: its options, under the name that Numba looks for.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        super().__init__(function, options)
        self.targetoptions = options


class Kernel(CompiledFunction):
    """A compiled function of declared types, for callers from Python.

    Attributes:
        name: the module and the function.
        signature: the types of its result and its arguments.
    """

    def __init__(self, function: Callable[..., Any], signature: Signature) -> None:
        super().__init__(function, {})
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.signature = signature
        self._run: Callable[..., Any] | None = None

    @cached_property
    def dispatcher(self) -> Any:
        """Numba's object for the function, which compiles it just in time, for its own types only."""
        return _jit().dispatcher(self.py_func, self.options, self.signature)

    def __call__(self, *arguments: Any) -> Any:
        """Call it; the first call compiles or loads it."""
        return (self._run or self.build())(*arguments)

    def build(self) -> Callable[..., Any]:
        """Load it from the library, or compile it, unless that has been done.

        Returns:
            What runs it.
        """
        if self._run is None:
            selected = library.selected()
            with suppress(KeyError):  # a kernel that is newer than the library
                self._run = None if selected is None else selected.function(self.name, self.signature)
        if self._run is None:
            self.dispatcher.build()
            self._run = self.dispatcher
        return self._run


class Intrinsic:
    """Instructions that compiled functions use like a function.

    They are built by the function of the same name in the module whose name ends in ``_llvm`` besides.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self.py_func = function

    @cached_property
    def _numba_type_(self) -> Any:
        return _jit().intrinsic_type(self.py_func)

    def __call__(self, *_: Any) -> Any:
        """Refuse a call from Python."""
        raise TypeError(f"{self.py_func.__name__} can be called from compiled functions only")


def _jit() -> Any:
    """Return the module that compiles just in time.

    Raises:
        MissingPackage: its compiler is not installed.
    """
    with importing("jit"):
        from tengen.engine.kernels import jit
    return jit


_kernels: list[Kernel] = []


def kernels(package: str = "tengen") -> tuple[Kernel, ...]:
    """Return the kernels of a package's modules that have been imported, each after those that it calls."""
    return tuple(each for each in _kernels if each.name.startswith(f"{package}."))


def kernel(signature: Signature) -> Callable[[Callable[..., Any]], Any]:
    """Declare a compiled function with its types, for callers from Python, and list it.

    Args:
        signature: the types of its result and its arguments.
    """

    def declared(function: Callable[..., Any]) -> Any:
        made = Kernel(function, signature)
        _kernels.append(made)
        return made

    return declared


def compiled(function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Declare a compiled function that other compiled functions call.

    Args:
        function: the function.
        options: options of Numba, such as ``fastmath``, or ``_nrt`` for a function that makes arrays.
    """
    return partial(compiled, **options) if function is None else CompiledFunction(function, options)


def inlined(function: Callable[..., Any]) -> Any:
    """Declare a small helper of compiled functions, compiled into each of them; Python cannot call it."""
    # A wrapper for Python would be a quarter of the compiler's work.
    return _Inlined(function, {"forceinline": True, "no_cpython_wrapper": True})


def merged(function: Callable[..., Any]) -> Any:
    """Declare a part of one compiled function, which calls it, and compile the two as one.

    Just in time, every function is optimised together with a copy of all that it calls. For a function that
    calls a large kernel that takes seconds, which its parts need not take as well.
    """
    return _Merged(function, {"inline": "always"})


def intrinsic(function: Callable[..., Any]) -> Any:
    """Declare instructions: `function` gives their name, their arguments and their meaning."""
    return Intrinsic(function)


def build(*functions: Kernel) -> None:
    """Load some kernels from the library, or compile them, without calling them."""
    for each in functions:
        each.build()
