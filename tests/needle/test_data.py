"""Datasets, loaders, transforms and readers: indexing, order of draws, and errors that say where files go."""

from __future__ import annotations

import gzip
import pickle
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from needle import data
from needle.backend_numpy import CPUDevice


def write_idx(path: Path, values: np.ndarray) -> str:
    header = bytes((0, 0, 8, values.ndim)) + struct.pack(f">{values.ndim}I", *values.shape)
    path.write_bytes(gzip.compress(header + values.astype("uint8").tobytes()))
    return str(path)


@pytest.fixture
def mnist(tmp_path: Path) -> tuple[str, str]:
    images = np.arange(5 * 28 * 28).reshape(5, 28, 28) % 256
    return write_idx(tmp_path / "images.gz", images), write_idx(tmp_path / "labels.gz", np.array([3, 1, 4, 1, 5]))


@pytest.fixture
def cifar(tmp_path: Path) -> str:
    folder = tmp_path / "cifar-10-batches-py"
    folder.mkdir()
    for number, name in enumerate([f"data_batch_{k}" for k in range(1, 6)] + ["test_batch"]):
        pixels = (np.arange(2 * 3072).reshape(2, 3072) + number) % 256
        content = {b"data": pixels.astype("uint8"), b"labels": [number, number + 1]}
        (folder / name).write_bytes(pickle.dumps(content, protocol=2))
    return str(folder)


def test_loader_cuts_in_order_and_keeps_the_short_last_batch(device: Any) -> None:
    dataset = data.NDArrayDataset(np.arange(10, dtype="float32").reshape(5, 2), np.arange(5))
    for where in (CPUDevice(), device):
        loader = data.DataLoader(dataset, batch_size=2, device=where)
        for _ in range(2):  # a second pass begins anew
            batches = list(loader)
            assert [x.shape for x, _ in batches] == [(2, 2), (2, 2), (1, 2)]
            np.testing.assert_array_equal(np.concatenate([y.numpy() for _, y in batches]), np.arange(5))
            assert batches[0][0].device == where and not batches[0][0].requires_grad
        assert len(loader) == 3


def test_shuffle_draws_one_permutation_per_pass_when_the_pass_begins() -> None:
    dataset = data.NDArrayDataset(np.arange(7.0))
    np.random.seed(5)
    loader = data.DataLoader(dataset, batch_size=3, shuffle=True, device=CPUDevice())
    seen = [np.concatenate([x.numpy() for (x,) in loader]) for _ in range(2)]
    np.random.seed(5)
    for order in seen:
        np.testing.assert_array_equal(order, np.random.permutation(7))


def test_loader_of_nothing_has_no_batch_and_batch_sizes_below_one_are_refused() -> None:
    assert list(data.DataLoader(data.NDArrayDataset(np.zeros((0, 2))), 3)) == []
    with pytest.raises(ValueError, match="DataLoader: batch_size must be at least 1, got 0"):
        data.DataLoader(data.NDArrayDataset(np.zeros(2)), 0)
    with pytest.raises(ValueError, match=r"NDArrayDataset: the arrays must have one length, got \[2, 3\]"):
        data.NDArrayDataset(np.zeros(2), np.zeros(3))


def test_flip_mirrors_columns_with_one_draw_per_image() -> None:
    image = np.arange(12.0).reshape(2, 3, 2)
    flip = data.RandomFlipHorizontal(p=0.5)
    np.random.seed(0)
    seen = [flip(image) for _ in range(20)]
    np.random.seed(0)
    for have in seen:
        np.testing.assert_array_equal(have, image[:, ::-1, :] if np.random.rand() < 0.5 else image)


def test_crop_shifts_by_two_drawn_numbers_and_fills_with_zeros() -> None:
    image = 1 + np.arange(4 * 5 * 2.0).reshape(4, 5, 2)
    np.random.seed(1)
    seen = [data.RandomCrop(padding=2)(image) for _ in range(30)]
    np.random.seed(1)
    for have in seen:
        down, right = np.random.randint(-2, 3, size=2)
        want = np.zeros_like(image)
        for i in range(4):
            for j in range(5):
                if 0 <= i + down < 4 and 0 <= j + right < 5:
                    want[i, j] = image[i + down, j + right]
        np.testing.assert_array_equal(have, want)


def test_mnist_takes_ints_slices_and_index_arrays(mnist: tuple[str, str]) -> None:
    dataset = data.MNISTDataset(*mnist)
    assert len(dataset) == 5
    image, label = dataset[2]
    assert image.shape == (784,) and image.dtype == np.float32 and label == 4
    np.testing.assert_allclose(image, (np.arange(2 * 784, 3 * 784) % 256) / 255, rtol=1e-6)
    images, labels = dataset[1:3]
    assert images.shape == (2, 784) and labels.tolist() == [1, 4]
    np.testing.assert_array_equal(dataset[np.array([2, 0])][0][0], image)
    x, y = next(iter(data.DataLoader(dataset, 4, device=CPUDevice())))
    np.testing.assert_array_equal(x.numpy(), dataset[0:4][0])
    assert data.parse_mnist(*mnist)[1].dtype == np.uint8


def test_mnist_transforms_see_one_image_of_28_by_28_by_1_at_a_time(mnist: tuple[str, str]) -> None:
    shapes = []

    def look(image: np.ndarray) -> np.ndarray:
        shapes.append(image.shape)
        return image[:, ::-1, :]

    images, _ = data.MNISTDataset(*mnist, transforms=[look])[0:3]
    assert shapes == [(28, 28, 1)] * 3
    plain = data.MNISTDataset(*mnist)[0:3][0].reshape(3, 28, 28)[:, :, ::-1]
    np.testing.assert_array_equal(images.reshape(3, 28, 28), plain)


def test_cifar_reads_five_training_files_or_the_test_file(cifar: str) -> None:
    train, test = data.CIFAR10Dataset(cifar, train=True), data.CIFAR10Dataset(cifar, train=False)
    assert (
        train.X.shape == (10, 3, 32, 32) and train.X.dtype == np.float32 and train.X.min() >= 0 and train.X.max() <= 1
    )
    assert train.y.tolist() == [0, 1, 1, 2, 2, 3, 3, 4, 4, 5] and len(test) == 2
    image, label = test[1]
    assert image.shape == (3, 32, 32) and label == 6
    assert test[np.array([1, 0])][0].shape == (2, 3, 32, 32)
    flipped = data.CIFAR10Dataset(cifar, train=False, transforms=[lambda x: -x])
    np.testing.assert_array_equal(flipped[0:2][0], -test[0:2][0])


def test_a_missing_file_says_what_goes_where(tmp_path: Path) -> None:
    for call, words in (
        (lambda: data.MNISTDataset(str(tmp_path / "a.gz"), "b"), "there is no such file; put the four MNIST files"),
        (lambda: data.CIFAR10Dataset(str(tmp_path), True), "put the unpacked folder cifar-10-batches-py"),
        (lambda: data.Corpus(str(tmp_path)), "train.txt and test.txt of the Penn Treebank .* into the folder"),
    ):
        with pytest.raises(FileNotFoundError, match=words):
            call()


def test_a_wrong_file_is_named_and_refused(tmp_path: Path, mnist: tuple[str, str]) -> None:
    images, labels = mnist
    with pytest.raises(ValueError, match="labels.gz: is no IDX file of bytes with 3 axes"):
        data.MNISTDataset(labels, labels)
    three = write_idx(tmp_path / "three.gz", np.array([1, 2, 3]))
    with pytest.raises(ValueError, match="has 5 images, but .* has 3 labels"):
        data.MNISTDataset(images, three)
    broken = tmp_path / "broken.gz"
    for content, words in (
        (b"no gzip at all", "is no gzip file"),
        (Path(images).read_bytes()[:60], "is no gzip file"),
        (gzip.compress(gzip.decompress(Path(images).read_bytes())[:-1]), r"promises \(5, 28, 28\) values, but holds"),
    ):
        broken.write_bytes(content)
        with pytest.raises(ValueError, match=f"broken.gz: {words}"):
            data.MNISTDataset(str(broken), labels)


def test_a_pickle_that_would_call_a_function_is_refused(tmp_path: Path) -> None:
    marker = tmp_path / "marker"

    class Trap:
        def __reduce__(self) -> Any:
            return Path.touch, (marker,)

    (tmp_path / "test_batch").write_bytes(pickle.dumps({b"data": Trap(), b"labels": [1]}))
    with pytest.raises(ValueError, match="test_batch: is no batch of CIFAR-10 .* does not need"):
        data.CIFAR10Dataset(str(tmp_path), train=False)
    assert not marker.exists()


def test_corpus_numbers_words_in_order_of_appearance_and_ends_every_line(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text("the cat sat\n\nthe dog\nunread\n")
    (tmp_path / "test.txt").write_text("a cat")
    corpus = data.Corpus(str(tmp_path), max_lines=3)
    assert corpus.train == [0, 1, 2, 3, 3, 0, 4, 3] and corpus.test == [5, 1, 3]
    assert corpus.dictionary.idx2word == ["the", "cat", "sat", "<eos>", "dog", "a"]
    assert len(corpus.dictionary) == 6 and corpus.dictionary.add_word("sat") == 2
    (tmp_path / "test.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(ValueError, match="test.txt: is no text in UTF-8"):
        data.Corpus(str(tmp_path))


def test_batchify_reads_columns_and_get_batch_shifts_targets_by_one_row() -> None:
    batches = data.batchify(list(range(14)), 3, device=None, dtype="float32")
    np.testing.assert_array_equal(batches, [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]])
    x, y = data.get_batch(batches, 0, 2, device=CPUDevice())
    np.testing.assert_array_equal(x.numpy(), [[0, 4, 8], [1, 5, 9]])
    np.testing.assert_array_equal(y.numpy(), [1, 5, 9, 2, 6, 10])
    x, y = data.get_batch(batches, 2, 5, device=CPUDevice())
    assert x.shape == (1, 3) and y.numpy().tolist() == [3, 7, 11]
    with pytest.raises(ValueError, match="get_batch: no row follows row 3 of 4 rows"):
        data.get_batch(batches, 3, 5)
    with pytest.raises(ValueError, match="batchify: 2 elements do not fill 3 columns"):
        data.batchify([1, 2], 3)


def test_digits_split_is_fixed_and_has_no_sample_in_both_parts() -> None:
    pytest.importorskip("sklearn", reason="digits need the extra [train]")
    np.random.seed(1)
    train, test = data.load_digits_split()
    np.random.seed(2)
    again, _ = data.load_digits_split()
    np.testing.assert_array_equal(train.arrays[0], again.arrays[0])
    assert len(train) == 1348 and len(test) == 449
    assert train.arrays[0].dtype == np.float32 and train.arrays[0].max() == 1
    assert set(train.arrays[1]) == set(test.arrays[1]) == set(range(10))


def test_the_lesson_text_is_large_enough_to_learn_from() -> None:
    text = data.CharacterText(data.lesson_text())
    assert len(text.train) > 5000 and 25 < len(text.dictionary) < 64
    assert "".join(text.dictionary.idx2word[i] for i in text.train[:8]) == "An array"
