"""What the simulator does not do, by name: headers, functions and types that are refused at compile time."""

from __future__ import annotations

import re

from needle.cudasim.unit import Unit

# A header that is not there, and what it brings.
_HEADERS = (
    (r"thrust/", "Thrust"),
    (r"cub/", "CUB"),
    (r"cooperative_groups", "cooperative groups"),
    (r"cuda_fp16|cuda_bf16|cuda_fp8", "half precision (cuda_fp16.h and its kind)"),
    (r"mma\.h|cutlass/|cute/", "tensor-core code (wmma, CUTLASS)"),
    (r"cublas|cudnn|cufft|cusparse|cusolver|curand|nccl", "a CUDA library (cuBLAS, cuDNN, cuRAND, ...)"),
    (r"cuda/|nv/", "libcu++ (<cuda/...>)"),
    (r"texture|surface", "textures and surfaces"),
    (r"helper_cuda|helper_functions|helper_math", "the CUDA samples' helper headers"),
)

# A name in the student's text, and what it stands for.
_NAMES = (
    (r"tex[123]D\w*|surf[123]D\w*|cuda(Create)?(Texture|Surface)Object\w*|cudaBindTexture\w*", "a texture ({})"),
    (r"cooperative_groups|cudaLaunchCooperativeKernel", "cooperative groups ({})"),
    (r"__half2?|__nv_bfloat16\w*", "half precision ({})"),
    (r"nvcuda|wmma", "tensor-core code ({})"),
    (r"cudaGraph\w*|cudaStreamBeginCapture", "a CUDA graph ({})"),
    (r"cudaLaunchKernelEx\w*|__cluster_dims__", "a thread-block cluster ({})"),
)  # fmt: skip
_NAME_PATTERNS = tuple((re.compile(pattern + r"\Z"), words) for pattern, words in _NAMES)
_MAYBE = re.compile("|".join(pattern for pattern, _ in _NAMES))


def sentence(thing: str) -> str:
    """The words of every refusal."""
    return f"{thing} is not supported by the simulator"


def of_header(name: str) -> str:
    """What to say of a header that was not found."""
    for pattern, thing in _HEADERS:
        if re.match(pattern, name):
            return sentence(thing)
    return f"the header {name} was not found"


def of_name(name: str) -> str | None:
    """What to say of a name that nothing declares, if it looks like one of CUDA's."""
    if re.match(r"(cuda|cu)[A-Z]\w*\Z", name) or re.match(r"__[a-z]\w*\Z", name):
        return sentence(name)
    return {"thrust": sentence("Thrust"), "cub": sentence("CUB"), "half": sentence("half precision (half)")}.get(name)


def refuse_unsupported(unit: Unit) -> None:
    """Note a problem at each use of something that the simulator cannot do."""
    tokens = unit.tokens
    for i, token in enumerate(tokens):
        if token.kind != "name":
            continue
        if token.text in ("asm", "__asm__", "__asm") and unit.device[i]:
            unit.problem(i, sentence("inline PTX (asm)"))
        elif token.text == "texture" and i + 1 < len(tokens) and tokens[i + 1].text == "<":
            unit.problem(i, sentence("a texture (texture<...>)"))
        elif _MAYBE.match(token.text):
            for pattern, words in _NAME_PATTERNS:
                if pattern.match(token.text):
                    unit.problem(i, sentence(words.format(token.text)))
                    break
