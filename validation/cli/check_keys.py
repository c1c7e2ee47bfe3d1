#!/usr/bin/python3
"""The tables of docs/SCENARIO*.md and docs/scenario.schema.json against the schema of the program.

    check_keys.py PROGRAM DOCS [--write]

- Every table of `beadwave keys --markdown` is in one of DOCS/SCENARIO*.md, after the same comment.
- DOCS/scenario.schema.json is the output of `beadwave keys --schema`; it accepts all scenarios of DOCS/../configs, and the examples of
  those pages, and finds misspelt keys in them (needs jsonschema).

With --write it writes all these files. Otherwise it prints every difference and exits with 1 if there is one.
"""
import json
import pathlib
import re
import subprocess
import sys
import tomllib

program, docs = sys.argv[1], pathlib.Path(sys.argv[2])
write = "--write" in sys.argv
faults = []
BLOCK = re.compile(r"(<!-- \w+: [^\n]*? -->\n)\n((?:\|[^\n]*\n)+)")


def said(*words):
    return subprocess.run([program, "keys", *words], capture_output=True, text=True, check=True).stdout


pages = {file: file.read_text() for file in sorted(docs.glob("SCENARIO*.md"))}
tables = {mark: mark + "\n" + rows for mark, rows in BLOCK.findall(said("--markdown"))}
there = [mark for page in pages.values() for mark, _ in BLOCK.findall(page)]
if sorted(there) != sorted(tables):
    missing = sorted(set(tables) - set(there))
    faults.append(f"SCENARIO*.md: tables without a place: {missing}; twice or not of the program: "
                  f"{sorted(mark for mark in set(there) if mark not in tables or there.count(mark) > 1)}")
new = {file: BLOCK.sub(lambda match: tables.get(match[1], match[0]), page) for file, page in pages.items()}
schema_file = docs / "scenario.schema.json"
schema = said("--schema")
if write:
    for file, page in new.items():
        file.write_text(page)
    schema_file.write_text(schema)
else:
    faults += [f"{file.name}: expected {line}" for file, page in pages.items() for line in new[file].splitlines()
               if line not in page.splitlines()]
if not schema_file.exists() or schema_file.read_text() != schema:
    faults.append("scenario.schema.json: differs from `beadwave keys --schema`")
if faults:
    faults.append("write them with: validation/cli/check_keys.py PROGRAM docs --write")

try:
    import jsonschema
except ImportError:
    print("without jsonschema the scenarios are not checked; Debian's package is python3-jsonschema")
else:
    validator = jsonschema.Draft7Validator(json.loads(schema))
    jsonschema.Draft7Validator.check_schema(validator.schema)
    texts = {file.name: file.read_text() for file in sorted((docs.parent / "configs").glob("*.toml"))}
    texts |= {f"example {number} of {file.name}": text for file, page in pages.items()
              for number, text in enumerate(re.findall(r"```toml\n(.*?)```", page, re.S))}
    for name, text in texts.items():
        scenario = tomllib.loads(text)
        faults += [f"{name}: {error.message}" for error in validator.iter_errors(scenario)]
        for table in (scenario, *(value for value in scenario.values() if isinstance(value, dict) and not value.get("name"))):
            table["misspelt"] = 1
            if validator.is_valid(scenario):
                faults.append(f"{name}: the schema accepts the key `misspelt` in {table}")
            del table["misspelt"]
print("\n".join(faults))
sys.exit(1 if faults else 0)
