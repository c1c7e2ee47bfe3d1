"""`beadwave export` starts this: python3 EXPORT_FOLDER --format .ENDING --to FILE [--snapshot N] HISTORY

Exit status: 0 done; 1 failed; 2 the input is wrong; 3 a library is missing.
"""
import argparse
import importlib
import importlib.util
import os
import sys

if not __package__:  # started as a folder; its files are still modules of one package, inside that of the report
    report = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path[0] = os.path.dirname(report)
    __package__ = f"{os.path.basename(report)}.export"
    importlib.import_module(__package__)

from . import FORMATS

LIBRARY_MISSING = 3  # beadwave reports it, or tries another python3


def parse_arguments(words):
    parser = argparse.ArgumentParser(prog="export")
    parser.add_argument("history")
    parser.add_argument("--format", required=True, choices=FORMATS)
    parser.add_argument("--to", required=True)
    parser.add_argument("--snapshot", type=int)
    return parser.parse_args(words)


def fail(sentence, status):
    print("beadwave:", " ".join(str(sentence).split()), file=sys.stderr)
    return status


def main(words=None):
    """Writes what the words ask for, by default those of the command line. Returns the exit status."""
    arguments = parse_arguments(words)
    libraries = ("h5py", "numpy") + (("gsd",) if arguments.format == ".gsd" else ())
    if any(importlib.util.find_spec(name) is None for name in libraries):
        return LIBRARY_MISSING
    from .. import history
    from ..__main__ import NotWritten, naming
    from .frames import Frames
    shown = history.printable(arguments.history)
    try:
        frames = Frames(arguments.history, arguments.format)
        with naming(arguments.to):
            importlib.import_module(f".{FORMATS[arguments.format]}", __package__).write(frames, arguments.to, arguments.snapshot)
    except history.InputError as error:
        return fail(error, 2)
    except NotWritten as error:
        return fail(error, 1)
    except OSError as error:  # from HDF5, which reads the data only now
        return fail(f"{shown}: damaged, or the result cannot be written: {error}", 1)
    except MemoryError:
        return fail("not enough memory for the export", 1)
    except Exception as error:  # a file may contain anything
        if "BEADWAVE_TRACEBACK" in os.environ:
            raise
        return fail(f"{shown}: cannot be exported: {type(error).__name__}: {error}", 1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
