#!/bin/sh
# The rest of `make test`: unit tests, the reference through the student's own check, and a handout made from this tree.
# usage: test.sh PYTHON
set -e
python=$1
# What `make` has just built must be usable: a broken build never reads as a missing device.
NEEDLE_REQUIRE=${NEEDLE_REQUIRE:-$("$python" -E -s src/cmake/build_backends.py --list)}
export NEEDLE_REQUIRE
"$python" -m pytest -q -n auto --dist loadfile --durations=15
echo "checking the reference"
"$python" -m autograder check
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo "making a handout"
"$python" -m autograder handout --out "$folder/handout" --check
