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

# No Python: so what to type is said here, for this system or, where it is unknown, for all three.
system=$(uname; [ -r /etc/os-release ] && . /etc/os-release && echo "$ID $ID_LIKE")
[ "$(id -u)" = 0 ] || sudo="sudo "
type_this() {
  case $system in
    *Darwin*) echo "type: $3" ;;
    *debian* | *ubuntu*) echo "type: ${sudo}apt-get install $1" ;;
    *fedora* | *rhel*) echo "type: ${sudo}dnf install $2" ;;
    *) echo "Debian/Ubuntu: ${sudo}apt-get install $1 | Fedora: ${sudo}dnf install $2 | macOS: $3" ;;
  esac
}
if [ -n "$PYTHON" ]; then found="PYTHON=$PYTHON"; else found=python3; fi
version=$("${PYTHON:-python3}" -V 2>&1) && found="$found is $version" || found="$found does not run"
echo "missing: Python 3.10 or newer ($found);" \
  "$(type_this 'python3 python3-dev python3-venv' 'python3 python3-devel' 'brew install python')" >&2
case " $* " in *" --compile "*)
  for compiler in "$CXX" g++ clang++ c++; do "$compiler" --version >/dev/null 2>&1 && exit 1; done
  echo "missing: a C++ compiler; $(type_this g++ gcc-c++ 'xcode-select --install')" >&2 ;;
esac
exit 1
