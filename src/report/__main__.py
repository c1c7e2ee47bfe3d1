"""`beadwave report` starts this: python3 REPORT_FOLDER --page FILE [--svg FILE] [--png FILE] [--xdmf FILE]
[--contacts A,B] HISTORY...

Exit status: 0 done; 1 failed; 2 the input is wrong; 3 a library is missing.
"""
import argparse
import importlib
import importlib.util
import os
import sys

if not __package__:  # started as a folder; its files are still modules of one package
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[0] = os.path.dirname(folder)
    __package__ = os.path.basename(folder)
    importlib.import_module(__package__)

LIBRARIES = ("h5py", "numpy", "plotly")
LIBRARY_MISSING = 3  # beadwave reports it, or tries another python3


def fail(sentence, status):
    print("beadwave:", " ".join(str(sentence).split()), file=sys.stderr)
    return status


def names(paths):
    from . import history
    return ", ".join(history.printable(path) for path in paths)


def parse_arguments():
    parser = argparse.ArgumentParser(prog="report")
    parser.add_argument("histories", nargs="+")
    parser.add_argument("--page", required=True)
    parser.add_argument("--svg")
    parser.add_argument("--png")
    parser.add_argument("--xdmf")
    parser.add_argument("--contacts", type=lambda text: [int(c) for c in text.split(",")])
    return parser.parse_args()


def write_page_and_stills(arguments, text, draw):
    with open(arguments.page, "w", encoding="utf-8") as out:
        out.write(text)
    stills = [(path, form) for path, form in ((arguments.svg, "svg"), (arguments.png, "png")) if path]
    if stills:
        import matplotlib
        matplotlib.use("Agg")  # opens no window
        from . import paper
        figure = draw(paper)
        for path, form in stills:
            paper.save(figure, path, form)


def write_mechanisms(arguments, runs):
    from . import history
    from . import page
    from plotly.offline import get_plotlyjs
    for option, value in (("--xdmf", arguments.xdmf), ("--contacts", arguments.contacts)):
        if value:
            raise history.InputError(f"{option}: is for chains; this is a mechanism")
    history.label_runs(runs)
    write_page_and_stills(arguments, page.mechanisms_page(runs, get_plotlyjs()),
                          lambda paper: paper.draw_mechanisms(runs))
    return 0


def write_fit(arguments, result):
    from . import history
    from . import page
    from plotly.offline import get_plotlyjs
    for option, value in (("--xdmf", arguments.xdmf), ("--contacts", arguments.contacts)):
        if value:
            raise history.InputError(f"{option}: is for histories; this is a fit")
    write_page_and_stills(arguments, page.fit_page(result, get_plotlyjs()), lambda paper: paper.draw_fit(result))
    return 0


def write_all(arguments):
    from . import fit
    from . import history
    from . import mechanism
    from . import page
    from plotly.offline import get_plotlyjs
    try:
        if any(fit.is_fit(path) for path in arguments.histories):
            if len(arguments.histories) != 1:
                raise history.InputError("a report of a fit shows one fit and no other file")
            return write_fit(arguments, fit.read(arguments.histories[0]))
        if any(mechanism.is_mechanism(path) for path in arguments.histories):
            return write_mechanisms(arguments, mechanism.read_all(arguments.histories))
        runs = [history.read_run(path) for path in arguments.histories]
        if len({run.system for run in runs}) > 1:
            raise history.InputError("a report shows either chains or packings, not both")
        if arguments.xdmf:
            if len(runs) != 1:
                raise history.InputError("--xdmf: takes one history, not several")
            if runs[0].system == "packing":
                from . import packing_xdmf as xdmf
            else:
                from . import xdmf
            xdmf.write(runs[0], arguments.xdmf)
        history.label_runs(runs)
        text = page.history_page(runs, arguments.contacts, get_plotlyjs())
        write_page_and_stills(arguments, text, lambda paper: paper.draw(runs, arguments.contacts))
    except history.InputError as error:
        return fail(error, 2)
    except OSError as error:
        if error.errno is None:  # from HDF5, which reads the data only now
            return fail(f"{names(arguments.histories)}: damaged: {error}", 2)
        return fail(f"the report cannot be written: {error}", 1)
    except MemoryError:
        return fail("not enough memory for the report", 1)
    except Exception as error:  # a file may contain anything
        if "BEADWAVE_TRACEBACK" in os.environ:
            raise
        return fail(f"{names(arguments.histories)}: cannot be drawn: {type(error).__name__}: {error}", 1)
    return 0


def main():
    arguments = parse_arguments()
    required = LIBRARIES + (("matplotlib",) if arguments.svg or arguments.png else ())
    if any(importlib.util.find_spec(name) is None for name in required):
        return LIBRARY_MISSING
    return write_all(arguments)


if __name__ == "__main__":
    sys.exit(main())
