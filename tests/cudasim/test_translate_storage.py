"""Shared memory, device variables, qualifiers and array literals; lines and line markers."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from needle.cudasim.lexer import Preprocessed
from needle.cudasim.translate import TranslationError, translate


def translated(text: str) -> str:
    return re.sub(r"[ \t]+", " ", translate(text, "x.cu")[0])


def in_kernel(body: str) -> str:
    return translated("__global__ void k() { " + body + " }")


def problems(text: str) -> list[str]:
    with pytest.raises(TranslationError) as caught:
        translate(text, "x.cu")
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    "declaration, member, names",
    [
        ("__shared__ float s[4];", "float s[4]", ["s"]),
        ("__shared__ float a[T][T], b[T][T];", "float a[T][T], b[T][T]", ["a", "b"]),
        ("__shared__ int n;", "int n", ["n"]),
        ("static __shared__ int n;", "int n", ["n"]),
        ("__shared__ volatile float s[2];", "volatile float s[2]", ["s"]),
        ("volatile __shared__ float s[2];", "volatile float s[2]", ["s"]),
        ("__shared__ typename T::value s[N + 1];", "typename T::value s[N + 1]", ["s"]),
        ("__shared__ std::pair<int, int> p[3];", "std::pair<int, int> p[3]", ["p"]),
        ("__shared__ struct { int a, b; } pair;", "struct { int a, b; } pair", ["pair"]),
        ("__shared__ float *p, **q;", "float *p, **q", ["p", "q"]),
        ("__align__(16) __shared__ float s[2];", "__attribute__((aligned (16))) float s[2]", ["s"]),
    ],
)
def test_shared_declaration_becomes_members_and_references(declaration: str, member: str, names: list[str]) -> None:
    result = in_kernel(declaration)
    assert re.sub(r"\s+", "", "struct cudasim_S1 { " + member) in re.sub(r"\s+", "", result)
    for name in names:
        assert f'cudasim_names.add("{name}", cudasim_all, cudasim_all.{name});' in result
        assert f"auto& {name} = cudasim_s1.{name};" in result
    assert result.count("auto& ") == len(names)


def test_two_shared_declarations_have_different_structs() -> None:
    result = in_kernel("__shared__ int a; __shared__ int b;")
    assert "struct cudasim_S1 {" in result and "struct cudasim_S2 {" in result


@pytest.mark.parametrize(
    "declaration, result",
    [
        ("extern __shared__ float s[];", 'float (&s)[] = ::cudasim::dynamic_shared<float>("s");'),
        (
            "extern __shared__ __align__(16) unsigned char raw[];",
            'unsigned char (&raw)[] = ::cudasim::dynamic_shared<unsigned char>("raw");',
        ),
        ("extern volatile __shared__ T s[];", 'volatile T (&s)[] = ::cudasim::dynamic_shared<volatile T>("s");'),
        ("__shared__ extern int s[];", 'int (&s)[] = ::cudasim::dynamic_shared<int>("s");'),
    ],
)
def test_dynamic_shared_memory_becomes_a_reference(declaration: str, result: str) -> None:
    assert result in in_kernel(declaration)


def test_dynamic_shared_memory_at_namespace_scope_is_static() -> None:
    assert 'static float (&s)[] = ::cudasim::dynamic_shared<float>("s");' in translated("extern __shared__ float s[];")


def test_dynamic_shared_memory_must_be_an_array() -> None:
    assert "must be an array without a size" in problems("__global__ void k() {\n extern __shared__ float s;\n}")[0]


def test_shared_variable_at_namespace_scope_is_refused() -> None:
    assert problems("\n__shared__ float s[4];")[0].startswith(
        "x.cu:2: a __shared__ variable outside a function is not supported"
    )


@pytest.mark.parametrize(
    "declaration, names, space",
    [
        ("__device__ int n;", ["n"], "device"),
        ("__device__ int n = 3;", ["n"], "device"),
        ("__device__ float a[2] = {1, 2}, b;", ["a", "b"], "device"),
        ("static __device__ float a[N];", ["a"], "device"),
        ("__device__ static float a[N];", ["a"], "device"),
        ("__constant__ float c[4];", ["c"], "constant"),
        ("__device__ __constant__ float c[4];", ["c"], "constant"),
        ("__constant__ __device__ float c[4];", ["c"], "constant"),
        ("const __constant__ Dims d = {1, {2, 3}};", ["d"], "constant"),
        ("__managed__ int m;", ["m"], "managed"),
        ("__device__ __managed__ int m;", ["m"], "managed"),
        ("__device__ float (*op)(float) = f;", ["op"], "device"),
        ("namespace a { __device__ int n; }", ["n"], "device"),
        ('extern "C" { __device__ int n; }', ["n"], "device"),
        ("__device__ __align__(8) float a[2];", ["a"], "device"),
    ],
)
def test_device_variable_is_registered_once(declaration: str, names: list[str], space: str) -> None:
    found = re.findall(
        r'static ::cudasim::DeviceVariable cudasim_v\d+\("(\w+)", (\w+), ::cudasim::Space::(\w+)\);',
        translated(declaration),
    )
    assert found == [(name, name, space) for name in names]


@pytest.mark.parametrize(
    "declaration",
    [
        "__device__ float f(float x) { return x; }",
        "__device__ float f(float x);",
        "__host__ __device__ inline int f() { return 1; }",
        "template <class T> __device__ T f(T x) { return x; }",
        "struct S { __device__ float operator()(float x) const { return x; } };",
        "struct __align__(8) S { __device__ S() : x(1) {} int x; };",
        "extern __device__ int n;",
        "__device__ auto f() -> int { return 1; }",
    ],
)
def test_device_functions_are_not_variables(declaration: str) -> None:
    assert "DeviceVariable" not in translated(declaration)


def test_qualifiers_go_and_columns_stay() -> None:
    source = "__device__ float f(float x);\n"
    result = translate(source, "x.cu")[0]
    assert "__device__" not in result and result.index("float f") == source.index("float f")


def test_inline_qualifiers_are_spelled_for_the_host_compiler() -> None:
    assert translated("__device__ __forceinline__ int f();").strip() == "inline __attribute__((always_inline)) int f();"
    assert translated("__noinline__ int f();").strip() == "__attribute__((noinline)) int f();"
    assert translated("__attribute__((__noinline__)) int f();").strip() == "__attribute__((__noinline__)) int f();"


def test_launch_bounds_go_with_their_values() -> None:
    assert "bounds" not in translated("__global__ void __launch_bounds__(256, 2) k() {}")


def test_array_literal_lives_as_long_as_the_function() -> None:
    result = in_kernel("f((int[]){1, 2}, 3); if (a[i]) { x; } int* p = (const int[2]){1, 2};")
    assert "const int cudasim_a1 [] = {1, 2}" in result and "const int cudasim_a2 [2] = {1, 2}" in result
    assert result.count("__builtin_alloca") == 2 and "if (a[i]) { x; }" in result


def test_line_markers_decide_file_line_and_what_is_translated() -> None:
    text = (
        '# 1 "x.cu"\n# 1 "/usr/include/sys.h" 1 3\nint sys(); __device__ int system_variable;\n# 2 "x.cu" 2\n'
        '__device__\n# 3 "x.cu" 3 4\n int\n# 3 "x.cu"\n n;\n# 1 "own.h" 1\n__device__ int m;\n'
        '# 4 "x.cu" 2\nvoid f() { k<<<1, 2>>>(); }\n'
    )
    result = translate(text, "x.cu")[0]
    assert 'DeviceVariable cudasim_v1("n"' in result and '("m"' in result and '("system_variable"' not in result
    assert '"x.cu", 4, ' in result and result.count("\n") == text.count("\n")


def test_every_offset_knows_its_line() -> None:
    source = Preprocessed('a\n# 7 "y.h" 1\nb\nc\n# 2 "x.cu" 2\nd\n', "x.cu")
    assert [source.where(source.text.index(name)) for name in "abcd"] == [
        ("x.cu", 1),
        ("y.h", 7),
        ("y.h", 8),
        ("x.cu", 2),
    ]


def test_pragmas_are_left_alone() -> None:
    text = "void f() {\n  #pragma unroll 4\n#pragma omp x<<<\n}\n"
    assert translate(text, "x.cu")[0] == text


@pytest.mark.parametrize(
    "text, words",
    [
        (
            '__device__ void f() {\n asm volatile("nop;");\n}',
            "x.cu:2: inline PTX (asm) is not supported by the simulator",
        ),
        ("\ntexture<float, 1> t;", "x.cu:2: a texture (texture<...>) is not supported by the simulator"),
        (
            "__global__ void k(cudaTextureObject_t t) {}",
            "x.cu:1: a texture (cudaTextureObject_t) is not supported by the simulator",
        ),
        (
            "\n\nnamespace cg = cooperative_groups;",
            "x.cu:3: cooperative groups (cooperative_groups) is not supported by the simulator",
        ),
        ("__half h;", "x.cu:1: half precision (__half) is not supported by the simulator"),
    ],
)
def test_unsupported_thing_is_named_at_its_line(text: str, words: str) -> None:
    assert problems(text) == [words]


def test_a_variable_called_half_is_no_half_precision() -> None:
    assert "int half = n / 2;" in in_kernel("int half = n / 2;")


def test_host_assembly_is_left_to_the_host_compiler() -> None:
    assert 'asm volatile("" ::: "memory");' in translated('void host() { asm volatile("" ::: "memory"); }')


def test_broken_text_never_breaks_the_translator() -> None:
    """Text with tokens taken out or doubled is translated or refused; what it means is for the compiler to say."""
    chance = random.Random(4)
    files = sorted((Path(__file__).parent / "kernels").glob("*/*.cu"))
    for _ in range(400):
        words = re.findall(r"\w+|<<<|>>>|\s+|.", chance.choice(files).read_text(), re.S)
        for _ in range(chance.randint(1, 12)):
            place = chance.randrange(len(words))
            words[place] = chance.choice(
                ["", words[place] * 2, "(", ")", "{", "}", "<", ">", ";", "__shared__", "[", "<<<"]
            )
        text = "".join(words)[: chance.randint(1, 3000)]
        try:
            result = translate(text, "x.cu")[0]
        except TranslationError as error:
            assert error.problems
        else:
            assert result.count("\n") == text.count("\n")
