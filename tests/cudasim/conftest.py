"""What the simulator's tests share: programs are compiled and run two at a time, each once per session."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from needle.cudasim import build, driver

KERNELS = Path(__file__).parent / "kernels"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Without a C++ compiler nothing here can be built; the skip says so."""
    if not any(shutil.which(name) for name in ("g++", "clang++", "c++")):
        for item in items:
            if Path(str(item.fspath)).parent == Path(__file__).parent:
                item.add_marker(pytest.mark.skip(reason="no C++ compiler on this machine"))


@pytest.fixture(scope="session")
def checked_kernels(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], driver.Outcome]]:
    """A function that gives the outcome of a kernel file under the checker."""
    folder = tmp_path_factory.mktemp("kernels")

    def check(path: Path) -> driver.Outcome:
        program = driver.build_program(path, folder / f"{path.parent.name}-{path.stem}", "checked")
        return driver.run_program(program, str(path), "checked", timeout_s=120, capture=True)

    build.runtime_library()
    with ThreadPoolExecutor(2) as pool:
        futures: dict[Path, Future[driver.Outcome]] = {
            path: pool.submit(check, path) for path in sorted(KERNELS.glob("*/*.cu"))
        }
        yield lambda path: futures[path].result()
        for future in futures.values():
            future.cancel()
