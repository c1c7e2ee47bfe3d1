"""Exposes the program to accidents and attacks, and counts the cases by class.

    python3 validation/attack PROGRAM [--seconds N | --cases N] [--seed N] [--patience SECONDS] [--sanitized] [--only CLASS]
                                      [--without CLASS]

These are faults: an end by a signal, a traceback, no end within the patience, status 0 with a damaged result, a changed file
of the user, temporary files that are left. The printed seed of a fault repeats its case: --seed CLASS-SEED. Needs h5py.
"""
import argparse
import pathlib
import random
import sys
import tempfile
import time

import classes
from seeds import Seeds
from target import Fault, Target


def one(attack, target, seeds, seed):
    """Runs one case. Returns its fault, or None."""
    with tempfile.TemporaryDirectory(prefix="beadwave-attack-") as name:
        try:
            attack(target, seeds, random.Random(seed), pathlib.Path(name))
        except Fault as fault:
            return str(fault)
    return None


def arguments():
    parser = argparse.ArgumentParser(description="Attacks beadwave.")
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=90.0, help="for all classes together")
    parser.add_argument("--cases", type=int, help="of each class, however long they take, instead of --seconds")
    parser.add_argument("--seed", default="1", help="seed of the whole attack, or CLASS-SEED of one case")
    parser.add_argument("--patience", type=float, default=20.0, help="seconds after which a case counts as hanging")
    parser.add_argument("--sanitized", action="store_true", help="for builds with sanitizers: no limits on memory and descriptors")
    names = [attack.__name__ for attack in classes.CLASSES]
    parser.add_argument("--only", action="append", default=[], choices=names)
    parser.add_argument("--without", action="append", default=[], choices=names)
    return parser.parse_args()


def main():
    given = arguments()
    target = Target(given.program, given.patience, sanitized=given.sanitized)
    chosen = [attack for attack in classes.CLASSES
              if attack.__name__ not in given.without and (not given.only or attack.__name__ in given.only)]
    if given.sanitized:  # a sanitizer needs much memory, and checks objects through a pipe
        chosen = [attack for attack in chosen if attack not in (classes.memory, classes.descriptors)]
    faults, total = 0, 0
    with tempfile.TemporaryDirectory(prefix="beadwave-seeds-") as name:
        seeds = Seeds(target, pathlib.Path(name))
        if "-" in given.seed:
            wanted = given.seed.split("-")[0]
            fault = one(next(a for a in chosen if a.__name__ == wanted), target, seeds, given.seed)
            print(fault or "no fault")
            return 1 if fault else 0
        end = time.monotonic() + given.seconds
        for left, attack in zip(range(len(chosen), 0, -1), chosen):
            until = time.monotonic() + (end - time.monotonic()) / left  # time that one class leaves is for the others
            count = 0
            while count < given.cases if given.cases else count < 3 or time.monotonic() < until:
                seed = f"{attack.__name__}-{given.seed}.{count}"
                count += 1
                fault = one(attack, target, seeds, seed)
                if fault:
                    faults += 1
                    print(f"{seed}: {fault}", flush=True)
                    if faults >= 20:
                        print("too many faults: the attack ends")
                        return 1
            total += count
            print(f"{attack.__name__:<20} {count:>6} cases", flush=True)
    print(f"{'all':<20} {total:>6} cases, {faults or 'no'} fault{'' if faults == 1 else 's'}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
