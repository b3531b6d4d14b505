"""Launches in the forms that students and formatters write them."""

from __future__ import annotations

import re

import pytest

from needle.cudasim.translate import TranslationError, translate

KERNEL = "__global__ void k(float* a, int n) {}\n"
TYPED = '::cudasim::kernel("k", "a,n", "x.cu", 2, k).configure('


def translated(text: str) -> str:
    """The translation of a text that needs no preprocessing, with runs of blanks made one."""
    return re.sub(r"[ \t]+", " ", translate(text, "x.cu")[0])


def launched(launch: str, declarations: str = KERNEL) -> str:
    """What a launch in a host function on line 2 becomes."""
    return translated(declarations.strip() + "\nvoid host() { " + launch + "; }\n").split("\n")[1]


def problems(text: str) -> list[str]:
    with pytest.raises(TranslationError) as caught:
        translate(text, "x.cu")
    return [str(problem) for problem in caught.value.problems]


@pytest.mark.parametrize(
    "configuration",
    ["1, 2", "g, b, 16", "g, b, 16, stream", "dim3(2, 3), dim3(n >> 1, f(a, b))", "(n + 31) >> 5, 32", "{1, 2}, 32"],
)
def test_launch_keeps_its_two_to_four_values(configuration: str) -> None:
    assert TYPED + " " + configuration + ") (p, 3);" in launched(f"k<<< {configuration}>>>(p, 3)")


@pytest.mark.parametrize("opening", ["<<<", "<< <", "< <<", "<<<\n"])
@pytest.mark.parametrize("closing", [">>>", ">> >", "> >>", "\n>>>"])
def test_chevrons_that_a_formatter_took_apart_are_a_launch(opening: str, closing: str) -> None:
    text = translated(KERNEL.strip() + f"\nvoid host() {{ k {opening}1, 2{closing} (p, 3); }}\n")
    assert ".configure(" in text and "<<" not in text and ">>" not in text


def test_launch_over_several_lines_keeps_every_line() -> None:
    source = KERNEL + "void host() {\n  k<<<\n    dim3(1),\n    32\n  >>>(p,\n      3);\n  int after;\n}\n"
    result = translate(source, "x.cu")[0]
    assert result.count("\n") == source.count("\n")
    assert result.split("\n")[7].strip() == "int after;"
    assert '"x.cu", 3,' in result


@pytest.mark.parametrize(
    "declaration, name",
    [
        ("template <class T> __global__ void k(T* a, int n) {}", "k"),
        ("template <class T> __global__ void k(T* a, int n) {}", "k<float>"),
        ("template <class T, int N> __global__ void k(T* a, int n) {}", "k<T, (64 >> 1)>"),
        ("__global__ void k(float* a, int n); __global__ void k(int* a) {}", "k"),
        ("int x;", "k"),
        ("int x;", "table[i + 1]"),
        ("int x;", "(c ? k1 : k2)"),
        ("int x;", "pick(3)"),
        ("int x;", "self->kernel"),
    ],
)
def test_kernel_that_needs_the_compiler_to_choose_is_launched_through_any_kernel(declaration: str, name: str) -> None:
    result = launched(f"{name}<<<1, 2>>>(p, 3)", declaration)
    assert f'::cudasim::any_kernel("{name}", ' in result
    assert f"decltype(::cudasim::as_pointer(cudasim_t, {name}))" in result
    assert f"{{ {name}(cudasim_arguments...); }}).configure( 1, 2)" in re.sub(r"configure\(", "configure( ", result)


def test_kernel_with_default_arguments_keeps_them() -> None:
    result = launched("k<<<1, 2>>>(p)", "__global__ void k(float* a, int n = 7) {}")
    assert '::cudasim::generic_kernel("k", "a,n", "x.cu", 2, [=](auto&&... cudasim_arguments) { k' in result


@pytest.mark.parametrize("name", ["ns::k", "::k", "::ns::inner::k"])
def test_qualified_kernel_keeps_its_qualification(name: str) -> None:
    assert f'::cudasim::kernel("{name}", "a,n", "x.cu", 2, {name}).configure(' in launched(f"{name}<<<1, 2>>>(p, 3)")


@pytest.mark.parametrize(
    "before", ["if (c) ", "if (c) a = 1; else ", "for (;;) ", "do ", "case 3: ", "{ int y; } ", "return "]
)
def test_launch_may_stand_where_a_statement_stands(before: str) -> None:
    assert f"{before}{TYPED}" in launched(before + "k<<<1, 2>>>(p, 3)")


def test_parenthesised_kernel_behind_a_condition_is_not_the_condition() -> None:
    assert 'if (c) ::cudasim::any_kernel("(k)"' in launched("if (c) (k)<<<1, 2>>>(p, 3)")


def test_launch_in_a_lambda_and_in_an_argument_list_is_found() -> None:
    assert f"time([&] {{ {TYPED}" in launched("time([&] { k<<<1, 2>>>(p, 3); })")


def test_text_and_comments_are_left_alone() -> None:
    text = (
        'const char* a = "k<<<1,2>>>(x) // no"; const char* b = R"x(k<<<1>>>( )" )x"; char c = \'"\'; int d = 1\'000;\n'
    )
    assert translate(text, "x.cu")[0] == text


def test_shifts_templates_and_stream_operators_are_no_launch() -> None:
    text = "int a = b << 3 >> 1; std::vector<std::vector<A<int>>> v; S& operator<< <int>(S&, int);\n"
    assert translate(text, "x.cu")[0] == text


def test_parameter_names_are_those_of_the_definition() -> None:
    kernels = translate(
        "__global__ void k(float*, const int* p);\n__global__ void k(float *out, const int (&q)[4]) {}", "x.cu"
    )[1]
    assert kernels["k"].parameters == ("out", "q")


@pytest.mark.parametrize(
    "parameters, names",
    [
        ("void", ()),
        ("", ()),
        ("const float* __restrict__ a, T<int, 3> b, unsigned n", ("a", "b", "n")),
        ("float (*f)(float, int), int a[3]", ("f", "a")),
        ("std::pair<int, int> p, float *const *const q", ("p", "q")),
    ],
)
def test_parameter_names_are_read_from_every_declarator(parameters: str, names: tuple[str, ...]) -> None:
    text = f'extern "C" __global__ void __launch_bounds__(256, 2) k({parameters}) {{}}'
    assert translate(text, "x.cu")[1]["k"].parameters == names


@pytest.mark.parametrize(
    "launch, text",
    [
        (
            "k<<<1>>>(p, 3)",
            "a launch takes 2 to 4 values between <<< and >>> (grid, block, shared bytes, stream), not 1",
        ),
        (
            "k<<<1, 2, 3, 4, 5>>>(p, 3)",
            "a launch takes 2 to 4 values between <<< and >>> (grid, block, shared bytes, stream), not 5",
        ),
        ("k<<<1, 2(p, 3)", "this <<< has no >>>(...) behind it"),
        ("= <<<1, 2>>>(p, 3)", "no kernel's name stands before <<<"),
        ("k<<<1, 2>>>(p)", "k takes 2 arguments (a, n), but this launch passes 1"),
        ("k<<<1, 2>>>(p, 3, 4)", "k takes 2 arguments (a, n), but this launch passes 3"),
    ],
)
def test_wrong_launch_is_named_at_its_line(launch: str, text: str) -> None:
    assert problems(KERNEL + "void host() { " + launch + "; }") == [f"x.cu:2: {text}"]


def test_every_problem_of_a_file_is_reported() -> None:
    assert len(problems(KERNEL + "void a() { k<<<1>>>(p, 1); }\nvoid b() { k<<<1, 2>>>(p); }\n")) == 2


def test_launch_in_a_kernel_is_refused_by_name() -> None:
    text = KERNEL + "__global__ void parent(float* a) {\n  k<<<1, 2>>>(a, 3);\n}\n"
    assert problems(text) == [
        "x.cu:3: a launch inside a kernel (dynamic parallelism) is not supported by the simulator"
    ]
