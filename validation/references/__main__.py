"""python3 validation/references [--chain | --write [NAME]]: the reference CSVs, computed apart from beadwave.

Without an option every file but the chain's is computed again and held against the one that stands there, digit for
digit; --chain does the chain's. --write computes the files whose name contains NAME, or all, and writes them.
Python's own library is enough; the chain needs numpy. What a file holds, its first lines say.
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
