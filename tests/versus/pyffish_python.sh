#!/bin/sh
# The path of a Python that has pyffish 0.0.90, in a virtual environment under WORK that is made on the first call.
# usage: tests/versus/pyffish_python.sh WORK
set -eu
venv=$1/venv
if ! "$venv/bin/python" -c "import pyffish" 2>/dev/null; then
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet pyffish==0.0.90
fi
echo "$venv/bin/python"
