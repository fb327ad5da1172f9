"""Prints the reports on files of records, one JSON object a line: reports.py FILE..."""

import pathlib
import sys

import ferz

for path in sys.argv[1:]:
    for report in ferz.validate(pathlib.Path(path).read_bytes()):
        print(report.json)
