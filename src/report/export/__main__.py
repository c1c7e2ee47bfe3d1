"""`beadwave export` starts this: python3 EXPORT_FOLDER --format .ENDING --to FILE [--snapshot N] [--copy] HISTORY

Exit status: 0 done; 1 failed; 2 the input is wrong; 3 a library is missing.
"""
import argparse
import importlib
import importlib.util
import os
import re
import sys

if not __package__:  # started as a folder; its files are still modules of one package, inside that of the report
    report = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.path[0] = os.path.dirname(report)
    __package__ = f"{os.path.basename(report)}.export"
    importlib.import_module(__package__)

from . import FORMATS
from ..__main__ import NotWritten, final_name, naming

LIBRARY_MISSING = 3  # beadwave reports it, or tries another python3
kept = []  # errors, and with them the file: HDF5 may crash when it releases a file that it could not write


def parse_arguments(words):
    parser = argparse.ArgumentParser(prog="export")
    parser.add_argument("history")
    parser.add_argument("--format", required=True, choices=FORMATS)
    parser.add_argument("--to", required=True)
    parser.add_argument("--snapshot", type=int)
    parser.add_argument("--copy", action="store_true", help="reserve what the program then copies from the history")
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
    from .frames import Frames
    shown = history.printable(arguments.history)
    try:
        frames = Frames(arguments.history, arguments.format, arguments.copy)
        with naming(arguments.to):
            importlib.import_module(f".{FORMATS[arguments.format]}", __package__).write(frames, arguments.to, arguments.snapshot)
    except history.InputError as error:
        return fail(error, 2)
    except MemoryError:
        return fail("not enough memory for the export", 1)
    except Exception as error:  # a file may contain anything
        if "BEADWAVE_TRACEBACK" in os.environ:
            raise
        kept.append(error)
        return fail(sentence_of(error, shown, history.printable(final_name(arguments.to))), 1)
    return 0


def sentence_of(error, read, written):
    """Why the file `written` cannot be made of the history `read`."""
    text = str(error)
    if isinstance(error, NotWritten) and "error message" not in text:
        return text
    if "file write failed" in text or "unable to extend file" in text:  # HDF5's words, with the system's in quotes
        system = re.search(r"error message = '([^']*)'", text)
        return f"{written}: cannot be written: {system[1] if system else text}"
    if isinstance(error, OSError):  # from HDF5, which reads the data only now
        return f"{read}: damaged, or the result cannot be written: {text}"
    return f"{read}: cannot be exported: {type(error).__name__}: {text}"


if __name__ == "__main__":
    exit_status = main()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(exit_status)  # without the end of HDF5, which may crash after a file that it could not write
