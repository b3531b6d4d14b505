"""Wrong and unusual versions of ewise_power at each boundary: what is replaced in the reference, and what must come of it."""

from __future__ import annotations

from tests.autograder.specimens.autograd import Specimen

CPU = "for (int64_t i = 0; i < size; i++) out[i] = std::pow(a[i], b[i]);"
CUDA = "if (i < size) out[i] = powf(a[i], b[i]);"
CALL = "device.ewise_power(a.compact()._handle, b.compact()._handle, out._handle)"
BORDER_B = '  check_equal_sizes("ewise_power", "a", a.size, "b", b.size);\n'
BORDER_OUT = '  check_equal_sizes("ewise_power", "a", a.size, "out", out.size);\n'


def made(name: str, exercise: str, old: str, new: str, checks: str = "", diagnosis: str = "") -> Specimen:
    return Specimen(name, f"power.{exercise}", ((old, new),), tuple(checks.split()), diagnosis)


WRONG = [
    made("multiplication renamed", "cpu", CPU, CPU.replace("std::pow(a[i], b[i])", "a[i] * b[i]"),
         "values negative_base special", "It computes a * b"),
    made("operands swapped", "cpu", CPU, CPU.replace("a[i], b[i]", "b[i], a[i]"), "values negative_base special",
         "b to the power of a"),
    made("by exp and log", "cpu", CPU, CPU.replace("std::pow(a[i], b[i])", "std::exp(b[i] * std::log(a[i]))"),
         "negative_base special"),
    made("base without its sign", "cpu", CPU, CPU.replace("a[i], b[i]", "std::fabs(a[i]), b[i]"),
         "negative_base special"),
    made("multiplication renamed on CUDA", "cuda", CUDA, CUDA.replace("powf(a[i], b[i])", "a[i] * b[i]"),
         "values negative_base special", "It computes a * b"),
    made("the last block without a guard", "cuda", CUDA, CUDA.replace("if (i < size) ", ""),
         "values negative_base special"),
    made("whole blocks only", "cuda", "blocks_for(size), kThreads, a, b", "blocks_for(size - 255), kThreads, a, b",
         "values negative_base special"),
    made("product in the specification", "numpy", "out[:] = np.power(a, b)", "out[:] = a * b",
         "values negative_base special", "It computes a * b"),
    made("another array of that name", "numpy", "out[:] = np.power(a, b)", "out = np.power(a, b)",
         "values negative_base special dtype"),
    made("always float32", "numpy", "out[:] = np.power(a, b)",
         'out[:] = np.power(a.astype("float32"), b.astype("float32"))', "dtype"),
    made("views taken for arrays", "dispatch", CALL, "device.ewise_power(a._handle, b._handle, out._handle)", "views"),
    made("only the left view", "dispatch", CALL, "device.ewise_power(a.compact()._handle, b._handle, out._handle)",
         "views"),
    made("operands of the call swapped", "dispatch", CALL,
         "device.ewise_power(b.compact()._handle, a.compact()._handle, out._handle)", "values views"),
    made("shapes by their sizes", "dispatch", "if a.shape != b.shape:", "if a.size != b.size:", "shapes_refused"),
    made("devices mixed", "dispatch", '    a._check_device("ewise_power", b)\n', "", "devices_refused"),
    made("into the base", "dispatch", "    out = a.make(a.shape, device=device)\n", "    out = a.compact()\n",
         "values views"),
    made("nothing checked", "binding", BORDER_B + BORDER_OUT, "", "sizes_refused"),
    made("out not compared", "binding", BORDER_OUT, "", "sizes_refused"),
    made("a call for nothing", "binding", "if (out.size > 0) ewise_power", "ewise_power", "nothing_to_do"),
    made("operands swapped at the border", "binding", "(a.data, b.data, out.data, out.size)",
         "(b.data, a.data, out.data, out.size)", "values"),
]
RIGHT = [
    made("through double", "cpu", CPU, CPU.replace("std::pow(a[i], b[i])",
         "static_cast<float>(std::pow(static_cast<double>(a[i]), static_cast<double>(b[i])))")),
    made("a loop over the grid", "cuda", CUDA,
         "for (int64_t k = i; k < size; k += static_cast<int64_t>(gridDim.x) * blockDim.x) out[k] = powf(a[k], b[k]);"),
    made("an output argument", "numpy", "out[:] = np.power(a, b)", "np.power(a, b, out=out)"),
    made("as the other operators", "dispatch", '    a._check_device("ewise_power", b)\n',
         '    if device:\n'
         "        return a.ewise_or_scalar(b, device.ewise_power, device.scalar_power)\n"),
    made("sizes compared once more", "binding", "  if (out.size > 0) ewise_power(a.data, b.data, out.data, out.size);\n",
         "  if (a.size == 0) return;\n  ewise_power(a.data, b.data, out.data, std::min(a.size, b.size));\n"),
]

# Run only with SPECIMENS=all.
RARER = {"operands swapped", "base without its sign", "whole blocks only", "only the left view", "out not compared"}
