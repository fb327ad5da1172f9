"""Writes the code of a language in a guide as one program: snippets.py GUIDE LANGUAGE"""

import pathlib
import re
import sys

guide, language = sys.argv[1:]
text = pathlib.Path(guide).read_text(encoding="utf-8")
found = re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
assert found, f"{guide} has no code in {language}"
print("\n".join(found))
