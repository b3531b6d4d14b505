"""Submissions in the course's layout: seven written in full, each in its own style, and the others as changes of them.

A change is (file, old text, new text); the old text must occur. What is predicted of each stands in predictions.toml.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

FULL = Path(__file__).resolve().parent / "full"
CC, PY = "src/ndarray_backend_cpu.cc", "python/needle/backend_ndarray/ndarray.py"
Change = tuple[str, str, str]


@dataclass(frozen=True)
class Variant:
    """A submission as a change of a full one."""

    base: str
    changes: tuple[Change, ...] = ()
    bytes_of: Callable[[bytes], bytes] = bytes  # applied to every file
    without: tuple[str, ...] = ()
    appended: str = ""  # to the Python file


def crlf_and_bom(source: bytes) -> bytes:
    return b"\xef\xbb\xbf" + source.replace(b"\n", b"\r\n")


def latin1(source: bytes) -> bytes:
    return source.replace(b"namespace needle {", b"// r\xe9vis\xe9\nnamespace needle {", 1)


def cc(base: str, *pairs: str) -> Variant:
    """A change of the C++ file: old, new, old, new, ..."""
    return Variant(base, tuple((CC, old, new) for old, new in zip(pairs[::2], pairs[1::2], strict=True)))


def py(base: str, *pairs: str) -> Variant:
    """A change of the Python file."""
    return Variant(base, tuple((PY, old, new) for old, new in zip(pairs[::2], pairs[1::2], strict=True)))


OLD, TEMPLATES, RECURSION = "y2021_division", "y2022_templates", "y2022_recursion"
MACROS, POINTERS, ANNOTATED, UNTOUCHED = "y2023_macros", "y2024_pointers", "y2024_annotated", "untouched"

_COMPACT = "total; k++) out->ptr[k] = a.ptr[PlaceOf(k, shape, strides, offset)];"
_SCALAR_SET = "for (size_t k = 0; k < size; k++) out->ptr[PlaceOf(k, shape, strides, offset)] = val;"
_EWISE_SET = "ForEachPlace(shape, strides, offset, [&](size_t k, size_t place) { out->ptr[place] = a.ptr[k]; });"
_MAX = "*std::max_element(row, row + reduce_size)"
_TANH = """void EwiseTanh(const AlignedArray &a, AlignedArray *out) {
	transform(a.ptr, a.ptr + a.size, out->ptr, [](scalar_t x) { return tanh(x); });
}
"""
_STUB = 'assert(false && "Not Implemented");'
_MATMUL_OLD = """  for (size_t i = 0; i < m; i++) {
    for (size_t j = 0; j < p; j++) {
      out->ptr[i * p + j] = 0;
      for (size_t k = 0; k < n; k++) out->ptr[i * p + j] += a.ptr[i * n + k] * b.ptr[k * p + j];
    }
  }
"""
_REDUCE_SUM_OLD = """  for (size_t i = 0; i < out->size; i++) {
    scalar_t sum = 0;
    for (size_t j = 0; j < reduce_size; j++) sum += a.ptr[i * reduce_size + j];
    out->ptr[i] = sum;
  }
"""
_MUL_POINTERS = """	for (scalar_t *p = a.ptr, *q = b.ptr, *r = out->ptr; p != a.ptr + a.size; ++p, ++q, ++r) {
		scalar_t x = *p, y = *q;
		*r = x * y;
	}
"""
_MUL_AVX2 = """	size_t i = 0;
	for (; i + 8 <= a.size; i += 8)
		_mm256_storeu_ps(out->ptr + i, _mm256_mul_ps(_mm256_loadu_ps(a.ptr + i), _mm256_loadu_ps(b.ptr + i)));
	for (; i < a.size; i++) out->ptr[i] = a.ptr[i] * b.ptr[i];
"""
_PERMUTE = "return NDArray.make(new_shape, new_strides, self.device, self._handle, self._offset)"
_BROADCAST = (
    "return NDArray.make(new_shape, tuple(new_strides), self.device, self._handle, self._offset)\n\n    ### END"
)
_LENGTHS = "assert len(self.shape) == len(new_shape)\n        new_strides = []\n"
_AXES = """for i in range(len(new_shape)):
            assert self.shape[i] == 1 or self.shape[i] == new_shape[i]
            new_strides.append(self.strides[i] if self.shape[i] == new_shape[i] else 0)
"""

VARIANTS: dict[str, Variant] = {
    # the C++ file: mistakes
    "compact_offset_dropped": cc(OLD, _COMPACT, _COMPACT.replace("offset", "0")),
    "compact_writes_past_the_end": cc(OLD, "k < " + _COMPACT, "k <= " + _COMPACT),
    "setitem_offset_dropped": cc(TEMPLATES, _EWISE_SET, _EWISE_SET.replace("offset", "0")),
    "scalar_setitem_fills": cc(OLD, _SCALAR_SET, "Fill(out, val);"),
    "first_axis_fastest": cc(
        MACROS, "for (int d = (int)shape.size() - 1; d >= 0; d--) {", "for (size_t d = 0; d < shape.size(); d++) {"
    ),
    "max_from_zero": cc(MACROS, "best = std::numeric_limits<scalar_t>::lowest();", "best = 0;"),
    "max_from_smallest": cc(MACROS, "numeric_limits<scalar_t>::lowest()", "numeric_limits<scalar_t>::min()"),
    "sum_not_cleared": cc(
        RECURSION, "  Fill(out, 0);\n  for (size_t j = 0; j < a.size", "  for (size_t j = 0; j < a.size"
    ),
    "matmul_not_cleared": cc(TEMPLATES, "  Fill(out, 0.);\n", ""),
    "matmul_square_only": cc(OLD, "* b.ptr[k * p + j];\n    }", "* b.ptr[k * n + j];\n    }"),
    "tiles_by_left_width": cc(OLD, "b.ptr + (k * (p / TILE) + j)", "b.ptr + (k * (n / TILE) + j)"),
    "tiles_not_cleared": cc(MACROS, "  memset(out->ptr, 0, out->size * ELEM_SIZE);\n", ""),
    "tile_product_assigned": cc(OLD, "out[i * TILE + j] += a[i", "out[i * TILE + j] = a[i"),
    "div_swapped": cc(RECURSION, "return x / y;", "return y / x;"),
    "ge_is_greater": cc(OLD, "a.ptr[i] >= b.ptr[i]", "a.ptr[i] > b.ptr[i]"),
    "eq_by_tolerance": cc(RECURSION, "(scalar_t)(x == y)", "(scalar_t)(fabs(x - y) < 1e-5)"),
    "power_of_whole_numbers": cc(
        OLD,
        "out->ptr[i] = std::pow(a.ptr[i], val);",
        "{\n    scalar_t x = 1;\n    for (int e = 0; e < (int)val; e++) x *= a.ptr[i];\n    out->ptr[i] = x;\n  }",
    ),
    "max_dereferences_null": cc(OLD, "scalar_t best = a.ptr[i * reduce_size];", "scalar_t best = *(volatile float*)0;"),
    "matmul_hangs": cc(
        TEMPLATES,
        "for (uint32_t i = 0; i < m; ++i)\n    for (uint32_t k",
        "for (uint32_t i = 0; i < m; i += 0)\n    for (uint32_t k",
    ),
    "max_sorts_its_input": cc(
        TEMPLATES,
        f"const scalar_t* row = a.ptr + i * reduce_size;\n    out->ptr[i] = {_MAX};",
        "scalar_t* row = a.ptr + i * reduce_size;\n    std::sort(row, row + reduce_size);\n"
        "    out->ptr[i] = row[reduce_size - 1];",
    ),
    "own_allocator_past_the_end": cc(
        OLD,
        "if (posix_memalign((void**)&ptr, ALIGNMENT, size * ELEM_SIZE) != 0) throw std::bad_alloc();",
        "ptr = new scalar_t[size];",
        "~AlignedArray() { free(ptr); }",
        "~AlignedArray() { delete[] ptr; }",
        "k < " + _COMPACT,
        "k <= " + _COMPACT,
    ),
    "exits_while_loading": cc(
        OLD, "void Fill(", "#include <unistd.h>\nstatic struct Early {\n  Early() { _exit(0); }\n} early;\n\nvoid Fill("
    ),
    # the C++ file: what is not there
    "tanh_missing": cc(POINTERS, _TANH, "", '  m.def("ewise_tanh", EwiseTanh);\n', ""),
    "stub_in_a_helper": cc(
        TEMPLATES,
        "  std::vector<uint32_t> index(shape.size(), 0);\n",
        f"  {_STUB}\n  std::vector<uint32_t> index(shape.size(), 0);\n",
    ),
    "stub_never_reached": cc(
        OLD, "  size_t total = 1;\n", "  if (shape.size() > 100) assert(false);\n  size_t total = 1;\n"
    ),
    "stub_beyond_four_axes": cc(
        OLD, "  size_t total = 1;\n", f"  if (shape.size() > 4) {{\n    {_STUB}\n  }}\n  size_t total = 1;\n"
    ),
    "half_done": cc(OLD, _MATMUL_OLD, f"  {_STUB}\n", _REDUCE_SUM_OLD, f"  {_STUB}\n"),
    "stub_in_dead_code": cc(OLD, "void Matmul(", f"#if 0\nvoid Matmul() {{\n  {_STUB}\n}}\n#endif\nvoid Matmul("),
    "parameters_swapped": cc(
        OLD,
        "void ReduceSum(const AlignedArray& a, AlignedArray* out, size_t",
        "void ReduceSum(AlignedArray* out, const AlignedArray& a, size_t",
    ),
    "name_misspelt": cc(TEMPLATES, "out->ptr[k] = a.ptr[place]", "out->ptr[k] = a.ptr[plase]"),
    "binds_what_is_not_there": cc(UNTOUCHED, '  // m.def("ewise_mul", EwiseMul);', '  m.def("ewise_mul", EwiseMul);'),
    "no_source": Variant(TEMPLATES, without=(CC,)),
    # the C++ file: right, but unusual
    "register_variables": cc(
        MACROS, "for (uint32_t k = 0; k < n; k++) out->ptr", "for (register uint32_t k = 0; k < n; k++) out->ptr"
    ),
    "vector_instructions": cc(
        POINTERS, _MUL_POINTERS, _MUL_AVX2, "#include <cmath>\n", "#include <cmath>\n#include <immintrin.h>\n"
    ),
    "more_of_pybind11": cc(
        TEMPLATES,
        '  m.def("fill", Fill);\n',
        '  m.def("fill", Fill);\n  m.def("info", []() {\n'
        '    py::dict facts;\n    facts["tile"] = TILE;\n    return facts;\n  });\n',
    ),
    "own_allocator": cc(
        TEMPLATES,
        "if (posix_memalign((void**)&ptr, ALIGNMENT, size * ELEM_SIZE) != 0) throw std::bad_alloc();",
        "ptr = static_cast<scalar_t*>(::operator new(size * ELEM_SIZE));",
        "free(ptr);",
        "::operator delete(ptr);",
    ),
    "crlf_and_bom": Variant(TEMPLATES, bytes_of=crlf_and_bom),
    "latin1_comment": Variant(OLD, bytes_of=latin1, without=(PY,)),
    # ndarray.py
    "getitem_offset_dropped": py(OLD, "offset = self._offset\n        for i", "offset = 0\n        for i"),
    "permute_offset_dropped": py(OLD, _PERMUTE, _PERMUTE.replace(", self._offset", "")),
    "broadcast_offset_dropped": py(OLD, _BROADCAST, _BROADCAST.replace(", self._offset", "")),
    "reshape_of_anything": py(
        OLD, '        if not self.is_compact():\n            raise ValueError("not compact")\n', ""
    ),
    "reshape_to_any_count": py(
        OLD,
        "        if prod(new_shape) != prod(self.shape):\n"
        '            raise ValueError("the number of elements changes")\n',
        "",
    ),
    "reshape_copies": py(OLD, 'raise ValueError("not compact")', "return self.compact().reshape(new_shape)"),
    "integer_drops_its_axis": py(
        OLD,
        "        # handle singleton as tuple, everything as slices\n",
        "        whole = idxs if isinstance(idxs, tuple) else (idxs,)\n",
        "return NDArray.make(tuple(new_shape), tuple(new_strides), self.device, self._handle, offset)",
        "kept = [i for i, s in enumerate(whole) if isinstance(s, slice)]\n"
        "        new_shape, new_strides = [new_shape[i] for i in kept], [new_strides[i] for i in kept]\n"
        "        return NDArray.make(tuple(new_shape), tuple(new_strides), self.device, self._handle, offset)",
    ),
    "step_rounds_down": py(OLD, "(sl.stop - sl.start - 1) // sl.step + 1", "(sl.stop - sl.start) // sl.step"),
    "permute_not_written": py(
        OLD,
        "new_shape = tuple([self.shape[i] for i in new_axes])\n"
        "        new_strides = tuple([self.strides[i] for i in new_axes])\n        " + _PERMUTE,
        "pass",
    ),
    "getitem_missing": py(OLD, "def __getitem__(self, idxs):", "def item(self, idxs):"),
    "colon_missing": py(TEMPLATES, "def permute(self, new_axes):", "def permute(self, new_axes)"),
    "stray_imports": py(
        RECURSION,
        "import numpy as np\n",
        "import numpy as np\nimport torch\nfrom apps.models import *\nimport mugrade  # for submitting\n",
    ),
    "takes_new_axes": py(
        OLD,
        _LENGTHS,
        "extra = len(new_shape) - len(self.shape)\n        assert extra >= 0\n        new_strides = [0] * extra\n",
        _AXES,
        _AXES.replace("range(len(new_shape))", "range(len(self.shape))").replace(
            "new_shape[i]", "new_shape[extra + i]"
        ),
    ),
    "subclass": Variant(TEMPLATES, appended="\n\nPlain = NDArray\n\n\nclass NDArray(Plain):\n    pass\n"),
}


def names() -> list[str]:
    """All submissions: the full ones, then the variants."""
    return [*sorted(path.name for path in FULL.iterdir()), *VARIANTS]


def write(name: str, folder: Path) -> Path:
    """Write a submission below `folder`; the folder it lies in."""
    variant = VARIANTS.get(name, Variant(name))
    target = folder / name
    shutil.copytree(FULL / variant.base, target, ignore=shutil.ignore_patterns("__pycache__"))
    for file, old, new in variant.changes:
        text = (target / file).read_text(encoding="utf-8")
        assert old in text, f"{name}: {file} of {variant.base} has no {old!r}"
        (target / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    for file in (CC, PY):
        if (target / file).is_file():
            (target / file).write_bytes(variant.bytes_of((target / file).read_bytes()))
    if variant.appended:
        with (target / PY).open("a", encoding="utf-8") as end:
            end.write(variant.appended)
    for file in variant.without:
        (target / file).unlink()
    return target
