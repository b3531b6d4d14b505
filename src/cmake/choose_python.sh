#!/bin/sh
# Finds a Python that is new enough and lets environment.py decide with it. Prints the interpreter to use; messages go to
# stderr. usage: choose_python.sh OPTION... EXTRA...    (environment: PYTHON, VIRTUAL_ENV, CONDA_PREFIX, CXX)
#
# Order: PYTHON where it is given; python3 of an active environment; the .venv that is there; python3; another name.
folder=$(dirname "$0")
venv=$folder/../../.venv/bin/python
good() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1; }

if [ -n "$PYTHON" ]; then
  candidates=$PYTHON
elif [ -n "$VIRTUAL_ENV$CONDA_PREFIX" ] || ! good "$venv"; then
  candidates="python3 python python3.13 python3.12 python3.11 python3.10"
else
  candidates=$venv
fi
for candidate in $candidates; do
  good "$candidate" && exec "$candidate" -E -s "$folder/environment.py" "$@"
done

if [ -n "$PYTHON" ]; then found="PYTHON=$PYTHON"; else found=python3; fi
version=$("${PYTHON:-python3}" -V 2>&1) && found="$found is $version" || found="$found does not run"
echo "missing: Python 3.10 or newer ($found); Debian/Ubuntu: sudo apt-get install python3 python3-venv python3-dev |" \
  "Fedora: sudo dnf install python3 python3-devel | macOS: brew install python" >&2
case " $* " in *" --compile "*)
  if ! "${CXX:-c++}" --version >/dev/null 2>&1 && ! g++ --version >/dev/null 2>&1 && ! clang++ --version >/dev/null 2>&1; then
    echo "missing: a C++ compiler; Debian/Ubuntu: sudo apt-get install g++ | Fedora: sudo dnf install gcc-c++ |" \
      "macOS: xcode-select --install" >&2
  fi ;;
esac
exit 1
