"""`beadwave report` starts this: python3 REPORT_FOLDER --page FILE [--svg FILE] [--png FILE] [--gif FILE] [--mp4 FILE] [--picture FILE]
[--xdmf FILE] [--contacts A,B] [--size WxH] [--fps N] [--seconds S] [--camera VIEW] [--colour NAME] [--colour-range LOW:HIGH] [--walls STYLE]
[--at A,B] [--panels A,B] HISTORY...

Exit status: 0 done; 1 failed; 2 the input is wrong; 3 a library is missing.
"""
import argparse
import contextlib
import importlib
import importlib.util
import os
import re
import sys

if not __package__:  # started as a folder; its files are still modules of one package
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[0] = os.path.dirname(folder)
    __package__ = os.path.basename(folder)
    importlib.import_module(__package__)

LIBRARIES = ("h5py", "numpy", "plotly")
DRAWN = ("svg", "png", "gif", "mp4", "picture")  # options of files that need matplotlib
WORDS = ("size", "fps", "seconds", "camera", "colour", "colour_range", "walls", "at", "panels")  # see picture_options.py
LIBRARY_MISSING = 3  # beadwave reports it, or tries another python3


def fail(sentence, status):
    print("beadwave:", " ".join(str(sentence).split()), file=sys.stderr)
    return status


class NotWritten(Exception):
    pass


def final_name(path):
    """The program passes temporary names, .NAME.partial-NUMBER."""
    return re.sub(r"^\.(.*)\.partial-\d+$", r"\1", os.path.basename(path))


@contextlib.contextmanager
def naming(path):
    """Adds the name of a result to the error of writing it."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        from . import history
        raise NotWritten(f"{history.printable(final_name(path))}: cannot be written: {error.strerror}") from error


def names(paths):
    from . import history
    return ", ".join(history.printable(path) for path in paths)


def parse_arguments(words):
    parser = argparse.ArgumentParser(prog="report")
    parser.add_argument("histories", nargs="+")
    parser.add_argument("--page", required=True)
    parser.add_argument("--svg")
    parser.add_argument("--png")
    parser.add_argument("--gif")
    parser.add_argument("--mp4")
    parser.add_argument("--picture")
    parser.add_argument("--xdmf")
    for word in WORDS:
        parser.add_argument(f"--{word.replace('_', '-')}")
    parser.add_argument("--contacts", type=lambda text: [int(c) for c in text.split(",")])
    return parser.parse_args(words)


def write_xdmf(path, shown):
    from . import history
    from . import packing_xdmf
    from . import xdmf
    if len(shown) != 1:
        raise history.InputError("--xdmf: takes one history, not several")
    {"chain": xdmf, "packing": packing_xdmf}[shown[0].system].write(shown[0], path)


def write_films(arguments, shown):
    from . import film
    for path, form in ((arguments.gif, "gif"), (arguments.mp4, "mp4")):
        if path:
            with naming(path):
                film.write(shown[0], path, form, shown[0].options)
    if arguments.picture:
        with naming(arguments.picture):
            film.write_picture(shown[0], arguments.picture, shown[0].options)


def write_all(arguments):
    from . import history
    from . import page
    from . import picture_options
    from . import plotly_parts
    from . import sources
    try:
        options = picture_options.parse({word: getattr(arguments, word) for word in WORDS})
        shown = sources.read(arguments.histories, arguments.contacts, options)
        refused = {"mechanism": "is for chains; this is a mechanism", "fit": "is for histories; this is a fit",
                   "modes": "is for histories; this is a file of modes",
                   "sweep": "is for histories; this is a sweep", "branch": "is for histories; this is a branch",
                   "basins": "is for histories; these are basins", "poincare": "is for histories; this is a Poincare section"}.get(shown[0].system)
        for option, value in (("--xdmf", arguments.xdmf), ("--contacts", arguments.contacts)):
            if value and refused:
                raise history.InputError(f"{option}: {refused}")
        picture_options.check(options, shown, [name for name in DRAWN if getattr(arguments, name)])
        if arguments.xdmf:
            with naming(arguments.xdmf):
                write_xdmf(arguments.xdmf, shown)
        text = page.page(shown, plotly_parts.whole_script(), options.panels)
        with naming(arguments.page), open(arguments.page, "w", encoding="utf-8") as out:
            out.write(text)
        if any(getattr(arguments, name) for name in DRAWN):
            import matplotlib
            matplotlib.use("Agg")  # opens no window
            write_films(arguments, shown)
        if arguments.svg or arguments.png:
            from . import paper
            figure = paper.draw(shown, options)
            for path, form in ((arguments.svg, "svg"), (arguments.png, "png")):
                if path:
                    with naming(path):
                        paper.save(figure, path, form)
    except history.InputError as error:
        return fail(error, 2)
    except NotWritten as error:
        return fail(error, 1)
    except OSError as error:
        if error.errno is None:  # from HDF5, which reads the data only now
            return fail(f"{names(arguments.histories)}: damaged: {error}", 2)
        return fail(f"the report cannot be drawn: {error}", 1)
    except MemoryError:
        return fail("not enough memory for the report", 1)
    except Exception as error:  # a file may contain anything
        if "BEADWAVE_TRACEBACK" in os.environ:
            raise
        return fail(f"{names(arguments.histories)}: cannot be drawn: {type(error).__name__}: {error}", 1)
    return 0


def main(words=None):
    """Draws what the words ask for, by default those of the command line. Returns the exit status."""
    arguments = parse_arguments(words)
    required = LIBRARIES + (("matplotlib",) if any(getattr(arguments, name) for name in DRAWN) else ())
    if any(importlib.util.find_spec(name) is None for name in required):
        return LIBRARY_MISSING
    return write_all(arguments)


if __name__ == "__main__":
    sys.exit(main())
