"""Choose the interpreter of the build and the checks, give it what it needs, and print its path.

usage: environment.py [--compile] [--san] [--gdb] EXTRA...    (run by choose_python.sh; messages go to stderr)

The rule: the asked interpreter itself where it already has everything; otherwise `.venv`, made from it.
Everything that is missing on the machine is named at once, one line each, before anything is made or compiled.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import tools
from requirements import ROOT, read_requirements, unmet

VERSION = f"{sys.version_info[0]}.{sys.version_info[1]}"


def say(text: str) -> None:
    """A line for the person at the terminal; stdout is the path of the interpreter alone."""
    print(text, file=sys.stderr, flush=True)


def python_of(venv: Path) -> Path:
    """The interpreter of a virtual environment."""
    return venv / "bin" / "python"


def version_of(venv: Path) -> str | None:
    """`3.11` for a virtual environment that runs; None where there is none, or its Python is gone."""
    command = [str(python_of(venv)), "-I", "-S", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


def choose_venv() -> Path:
    """`.venv`, or `.venv-<X.Y>` where `.venv` belongs to another Python than the asked one."""
    venv = ROOT / ".venv"
    has = version_of(venv)
    if has is not None and has != VERSION:
        say(f".venv belongs to Python {has}; Python {VERSION} gets .venv-{VERSION}")
        return ROOT / f".venv-{VERSION}"
    return venv


def make_venv(venv: Path) -> None:
    """Make a virtual environment; one whose interpreter is gone is made anew."""
    say(f"making {venv.name} from {sys.executable} (Python {VERSION})")
    done = subprocess.run([sys.executable, "-m", "venv", "--clear", str(venv)], capture_output=True, text=True)
    if done.returncode != 0:
        lines = (done.stdout + done.stderr).strip().splitlines()
        sys.exit(f"{venv.name} could not be made: {lines[-1] if lines else done.returncode}")


def install(python: Path, wanted: list[str]) -> None:
    """Install what is unmet with pip; a failure is one line that says what and how to go on."""
    say(f"installing {', '.join(wanted)}")
    if subprocess.run([str(python), "-I", "-c", "import pip"], capture_output=True).returncode != 0:
        subprocess.run([str(python), "-I", "-m", "ensurepip", "--default-pip"], capture_output=True)
    command = [str(python), "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *wanted]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or [done.stderr.strip()]
        say(errors[-1])
        sys.exit(f"pip could not install {', '.join(wanted)}: is there a network? then type make again")


def write_pth(python: Path) -> None:
    """Make `needle` and `autograder` importable in a virtual environment of ours, wherever the folder was moved."""
    site = python.parent.parent / "lib" / f"python{VERSION}" / "site-packages"
    file, text = site / "needle-scaffold.pth", f"{ROOT / 'python'}\n{ROOT}\n"
    if not file.is_file() or file.read_text() != text:
        file.write_text(text)


def missing_things(options: set[str], makes_venv: bool) -> list[str]:
    """All that is missing on the machine for this call."""
    missing = []
    compiler = tools.compiler()
    if options & {"--compile", "--san"}:
        missing += ["compiler"] * (compiler is None) + ["headers"] * (not tools.has_headers())
    if "--san" in options and compiler and not tools.sanitizer_runtimes(compiler[0]):
        missing.append("sanitizers")
    if "--gdb" in options and shutil.which("gdb") is None:
        missing.append("gdb")
    return missing + ["venv"] * (makes_venv and not tools.has_venv())


def unmet_of(python: Path, groups: list[str]) -> list[str]:
    """What an interpreter lacks, less the tools that the system has."""
    if python == Path(sys.executable):
        wanted = unmet(read_requirements(groups))
    else:
        command = [str(python), "-E", "-s", str(Path(__file__).parent / "requirements.py"), *groups]
        wanted = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")
    names = ("cmake", "ninja")
    return [r for r in wanted if r and not (r.startswith(names) and tools.tool(r.split(">")[0]))]


def main(arguments: list[str]) -> None:
    """Choose, check, make and install; the last thing printed is the interpreter."""
    options = {a for a in arguments if a.startswith("--")}
    groups = ["dependencies", *(a for a in arguments if a not in options)]
    python = Path(sys.executable)
    ours = Path(sys.prefix).parent == ROOT and sys.prefix != sys.base_prefix
    wanted = unmet_of(python, groups)
    makes_venv = False
    if wanted and not ours:
        venv = choose_venv()
        python, makes_venv = python_of(venv), version_of(venv) is None
    missing = missing_things(options, makes_venv)
    if missing:
        sys.exit("\n".join(tools.missing_line(thing) for thing in missing))
    if makes_venv:
        make_venv(venv)
    if wanted and not ours:
        wanted = unmet_of(python, groups)
    if wanted:
        install(python, wanted)
    if python.parent.parent.parent == ROOT:
        write_pth(python)
    if "--compile" in options:
        shown = python.relative_to(ROOT) if python.is_relative_to(ROOT) else python
        say(f"using {shown} (Python {VERSION})")
    print(python)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit("interrupted")
    except OSError as error:
        sys.exit(f"{error.filename or 'environment'}: {os.strerror(error.errno) if error.errno else error}")
