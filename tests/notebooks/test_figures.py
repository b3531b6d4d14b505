"""Pictures say what the layouts say."""

from __future__ import annotations

import json
import re

import pytest

from needle import Tensor
from needle.backend_ndarray import Layout
from notebooks import figures

TRANSPOSE = Layout((3, 2), (1, 3), 0)


def test_picture_of_a_view_has_its_addresses_in_data_words_and_svg() -> None:
    picture = figures.views([10, 11, 12, 13, 14, 15], transpose=TRANSPOSE)
    assert picture.data["views"]["transpose"]["addresses"] == list(TRANSPOSE.addresses())
    assert "elements in order 10, 13, 11, 14, 12, 15" in picture.words
    drawn = re.findall(r"@(\d+)<", picture.svg)
    assert list(map(int, drawn)) == [*range(6), *TRANSPOSE.addresses()]


def test_picture_of_three_axes_has_a_grid_per_first_index() -> None:
    wide = Layout((2, 3, 4), (3, 1, 0), 0)
    drawn = re.findall(r"@(\d+)<", figures.views(range(6), wide=wide).svg)
    assert list(map(int, drawn)) == [*range(6), *wide.addresses()]


def test_picture_refuses_a_view_that_leaves_the_buffer() -> None:
    with pytest.raises(ValueError, match="leaves the buffer of 5 elements"):
        figures.views(range(5), transpose=TRANSPOSE)


def test_gather_pairs_each_place_with_its_source() -> None:
    picture = figures.gather(range(6), TRANSPOSE)
    assert picture.data["from"] == [0, 3, 1, 4, 2, 5]


@pytest.mark.parametrize("size, blocks, tail", [(1, 1, 255), (255, 1, 1), (256, 1, 0), (257, 2, 255), (1000, 4, 24)])
def test_launch_counts_blocks_and_tail(size: int, blocks: int, tail: int) -> None:
    rows = figures.launch(size).data["blocks"]
    assert len(rows) == blocks and sum(row["idle"] for row in rows) == tail
    assert sum(row["working"] for row in rows) == size


def test_graph_lists_every_node_once_after_its_inputs() -> None:
    a, b = Tensor([1.0]), Tensor([2.0])
    nodes = figures.graph((a + b) + a, {id(a): "a", id(b): "b"}).data["nodes"]
    assert [node["label"] for node in nodes] == ["a", "b", "add", "add"]
    assert nodes[3]["inputs"] == [2, 0]


def test_figure_data_are_json_and_pictures_load_nothing() -> None:
    tiles, route = figures.tiles(4, 6, 4, 2, 1, 0), figures.route([("a.py", "f")])
    for picture in (tiles, route, figures.transfer(TRANSPOSE, 6, 24)):
        assert json.loads(json.dumps(picture.data)) == picture.data
        assert "http" not in picture.svg.replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert f'aria-label="{picture.words}"' in picture.svg
