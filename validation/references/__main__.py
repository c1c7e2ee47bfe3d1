"""python3 validation/references [--chain | --write [NAME]]: computes the reference CSVs, independently of beadwave.

Without an option it computes every file except the chain's again and compares it with the existing one, digit for digit;
--chain does the same for the chain's file. --write computes the files whose name contains NAME, or all, and writes them.
Python's standard library is enough; the chain needs numpy. The first lines of a file describe its contents.
"""
import sys

import elastoplastic
import formulas
import hysteresis
import line_contact
import viscous


def quick():
    return [reference for module in (hysteresis, viscous, elastoplastic, line_contact, formulas)
            for reference in module.REFERENCES]


def chain():
    import chain as module  # numpy only where it is needed
    return module.REFERENCES


def main(words):
    if words[:1] == ["--write"] and len(words) <= 2:
        name = words[1] if len(words) == 2 else ""
        for reference in quick() + (chain() if name in "chain70.csv" else []):
            if name in reference.path.name:
                reference.write()
        return 0
    if words not in ([], ["--chain"]):
        raise SystemExit(__doc__)
    wrong = 0
    for reference in chain() if words else quick():
        differences = reference.differences()
        print(f"{reference.path.name}: {len(differences)} lines differ")
        for old, new in differences:
            print(f"  - {old}\n  + {new}")
        wrong += len(differences)
    return 1 if wrong else 0


sys.exit(main(sys.argv[1:]))
