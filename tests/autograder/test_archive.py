"""Archives from strangers: regular files only, below one folder, up to fixed caps; everything else is one line."""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder import archive


def zipped(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in files.items():
            target.writestr(name, content)
    return path


def tarred(path: Path, entries: list[tuple[tarfile.TarInfo, bytes]]) -> Path:
    with tarfile.open(path, "w:gz") as target:
        for entry, content in entries:
            entry.size = len(content)
            target.addfile(entry, io.BytesIO(content))
    return path


def entry(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    told = tarfile.TarInfo(name)
    told.type, told.linkname = kind, link
    return told


@pytest.mark.parametrize("name", ["a.zip", "a b é.tar.gz", "a.TGZ", "a.tar.xz", "a.tar.bz2", "a.tar"])
def test_every_kind_of_archive_gives_its_files(tmp_path: Path, name: str) -> None:
    path, target = tmp_path / name, tmp_path / "out"
    target.mkdir()
    if name.endswith("zip"):
        zipped(path, {"src/ä b.cc": b"text"})
    else:
        mode = {"gz": "w:gz", "xz": "w:xz", "z2": "w:bz2", "ar": "w"}[name[-2:].lower()]
        with tarfile.open(path, mode) as tar:
            told = entry("src/ä b.cc")
            told.size = 4
            tar.addfile(entry("src", tarfile.DIRTYPE))
            tar.addfile(told, io.BytesIO(b"text"))
    assert archive.is_archive(path) and archive.unpack(path, target) == []
    assert (target / "src/ä b.cc").read_bytes() == b"text"


LEADING_OUT = ["../x", "a/../../x", "/etc/x", "C:/x", "..\\x", "\\x"]


@pytest.mark.parametrize("name", LEADING_OUT)
def test_a_name_that_leads_out_of_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    for path in (zipped(tmp_path / "a.zip", {name: b"x"}), tarred(tmp_path / "a.tar.gz", [(entry(name), b"x")])):
        target = tmp_path / path.suffix[1:]
        target.mkdir()
        with pytest.raises(archive.ArchiveError, match="leads out"):
            archive.unpack(path, target)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.tar.gz", "a.zip", "gz", "zip"]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_what_is_no_regular_file_is_left_out_with_a_remark(tmp_path: Path, kind: bytes) -> None:
    entries = [(entry("odd", kind, "/etc/passwd"), b""), (entry("good"), b"text")]
    remarks = archive.unpack(tarred(tmp_path / "a.tgz", entries), tmp_path)
    assert remarks == ["odd: not a regular file, left out"]
    assert not (tmp_path / "odd").exists() and (tmp_path / "good").is_file()


def test_a_file_is_not_written_through_a_link_of_the_same_archive(tmp_path: Path) -> None:
    outside, target = tmp_path / "outside", tmp_path / "out"
    outside.mkdir()
    target.mkdir()
    entries = [(entry("d", tarfile.SYMTYPE, str(outside)), b""), (entry("d/x"), b"text")]
    archive.unpack(tarred(tmp_path / "a.tgz", entries), target)
    assert not any(outside.iterdir()) and (target / "d/x").read_bytes() == b"text"


def test_a_link_in_a_zip_is_left_out(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"good": b"x"})
    with zipfile.ZipFile(path, "a") as target:
        link = zipfile.ZipInfo("link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        target.writestr(link, "/etc/passwd")
    assert archive.unpack(path, tmp_path) == ["link: not a regular file, left out"]
    assert not (tmp_path / "link").exists()


def many(path: Path) -> None:
    zipped(path, {f"f{number}": b"" for number in range(archive.MOST_FILES + 1)})


def encrypted(path: Path) -> None:
    zipped(path, {"a": b"x"})
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(bytes(data))


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "bomb": (lambda path: zipped(path, {"zeros": bytes(archive.MOST_BYTES + 1)}), "MiB unpacked"),
    "too many files": (many, "more than 4000 files"),
    "no archive": (lambda path: path.write_bytes(b"\x7fELF" + bytes(1000)), "cannot be unpacked"),
    "no byte": (lambda path: path.write_bytes(b""), "cannot be unpacked"),
    "no file in it": (lambda path: zipped(path, {}), "holds no files"),
    "encrypted": (encrypted, "encrypted"),
    "file and folder of one name": (lambda path: zipped(path, {"a": b"x", "a/b": b"x"}), "both a file and a folder"),
    "endless path": (lambda path: zipped(path, {"a/" * 40 + "b": b"x"}), "too long a path"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_zip_is_one_line(tmp_path: Path, name: str) -> None:
    make, reason = BAD[name]
    make(tmp_path / "a.zip")
    (tmp_path / "out").mkdir()
    with pytest.raises(archive.ArchiveError, match=reason) as told:
        archive.unpack(tmp_path / "a.zip", tmp_path / "out")
    assert "\n" not in str(told.value)


def test_a_tar_bomb_is_stopped_while_it_grows(tmp_path: Path) -> None:
    tarred(tmp_path / "a.tar.gz", [(entry("zeros"), bytes(archive.MOST_BYTES + 1))])
    (tmp_path / "out").mkdir()
    with pytest.raises(archive.ArchiveError, match="MiB unpacked"):
        archive.unpack(tmp_path / "a.tar.gz", tmp_path / "out")
    assert (tmp_path / "out/zeros").stat().st_size <= archive.MOST_BYTES


def test_a_cut_tar_is_one_line(tmp_path: Path) -> None:
    path = tarred(tmp_path / "a.tar.gz", [(entry("a"), bytes(range(256)) * 4000)])
    path.write_bytes(path.read_bytes()[:-2000])
    (tmp_path / "out").mkdir()
    with pytest.raises(archive.ArchiveError, match="cannot be unpacked"):
        archive.unpack(path, tmp_path / "out")
