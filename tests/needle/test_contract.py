"""The contract, written down twice (contract.h, contract.py) and exported by every backend: one list."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from needle.backend_ndarray.contract import COUNTERS, FAMILIES, OPTIONAL, REQUIRED, TRANSFER
from tests.needle.backends import DEVICES, backend

ROOT = Path(__file__).resolve().parents[2]


def cpp_table(macro: str) -> dict[str, list[tuple[str, str]]]:
    """Function -> (type, name) of its parameters, from the table in contract.h."""
    text = (ROOT / "src/common/contract.h").read_text()
    body = re.search(rf"#define {macro}\(X\)((?:.*\\\n)*.*\n)", text)
    assert body, macro
    table = {}
    for name, parameters, arguments in re.findall(r"X\((\w+),\s*\(([^)]*)\),\s*\(([^)]*)\)\)", body[1]):
        pairs = [tuple(part.strip().rsplit(" ", 1)) for part in parameters.split(",")]
        assert [pair[1] for pair in pairs] == [part.strip() for part in arguments.split(",")], name
        table[name] = [(kind, parameter) for kind, parameter in pairs]
    return table


def in_python(name: str, parameters: list[tuple[str, str]]) -> tuple[str, ...]:
    """The parameters in Python: a handle knows its size, and a Layout arrives as three arguments."""
    names = [parameter for _, parameter in parameters if parameter not in ("size", "out_size")]
    result: tuple[str, ...] = ("size",) if name == "scalar_setitem" else ()
    for parameter in names:
        result += ("shape", "strides", "offset") if parameter == "view" else (parameter,)
    return result


@pytest.mark.parametrize(
    "macro, python", [("NEEDLE_REQUIRED_FUNCTIONS", REQUIRED), ("NEEDLE_OPTIONAL_FUNCTIONS", OPTIONAL)]
)
def test_table_in_cpp_equals_table_in_python(macro: str, python: dict[str, tuple[str, ...]]) -> None:
    table = cpp_table(macro)
    assert {name: in_python(name, parameters) for name, parameters in table.items()} == python
    assert list(table) == list(python)  # the same order, so that the two can be read side by side


def test_inputs_are_const_and_only_out_is_written() -> None:
    for parameters in (cpp_table("NEEDLE_REQUIRED_FUNCTIONS") | cpp_table("NEEDLE_OPTIONAL_FUNCTIONS")).values():
        for kind, name in parameters:
            if "*" in kind:
                assert kind == ("float*" if name == "out" else "const float*")


def test_every_function_belongs_to_one_family() -> None:
    names = [name for family in FAMILIES.values() for name in family]
    assert sorted(names) == sorted([*REQUIRED, *OPTIONAL])


@pytest.mark.parametrize("device", DEVICES)
def test_backend_exports_the_contract(device: str) -> None:
    mod = backend(device).mod
    for name in (*REQUIRED, *TRANSFER, "counters", "reset_counters"):
        assert callable(getattr(mod, name)), name
    assert hasattr(mod, "matmul_tiled") == (device == "cpu"), "its mere presence reroutes NDArray"
    assert hasattr(mod, "ewise_power"), "the reference has the operator everywhere"
    assert mod.__device_name__ == {"cpu_numpy": "numpy"}.get(device, device)
    assert tuple(mod.counters()) == COUNTERS
    handle = mod.Array(3)
    assert (handle.size, handle.device) == (3, mod.__device_name__) and isinstance(handle.ptr(), int)
    with pytest.raises(AttributeError):
        handle.size = 4


@pytest.mark.parametrize("device", [name for name in DEVICES if name != "cpu_numpy"])
def test_compiled_backend_says_tile_size_and_source_hash(device: str) -> None:
    mod = backend(device).mod
    assert mod.__tile_size__ == (8 if device == "cpu" else 16)
    assert re.fullmatch("[0-9a-f]{16}", mod.mod.__source_hash__)
