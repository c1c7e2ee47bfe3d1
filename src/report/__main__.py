"""`beadwave report` starts this: python3 REPORT_FOLDER --page FILE [--svg FILE] [--png FILE] [--xdmf FILE]
[--contacts A,B] HISTORY...

Exit status: 0 done; 1 failed; 2 the input is wrong; 3 a library is missing.
"""
import argparse
import importlib
import importlib.util
import os
import sys

if not __package__:  # started as a folder: what it holds are still modules of one package
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[0] = os.path.dirname(folder)
    __package__ = os.path.basename(folder)
    importlib.import_module(__package__)

LIBRARIES = ("h5py", "numpy", "plotly")
LIBRARY_MISSING = 3  # said by beadwave, which may know another python3


def fail(sentence, status):
    print("beadwave:", " ".join(str(sentence).split()), file=sys.stderr)
    return status


def names(paths):
    from . import history
    return ", ".join(history.shown(path) for path in paths)


def arguments():
    parser = argparse.ArgumentParser(prog="report")
    parser.add_argument("histories", nargs="+")
    parser.add_argument("--page", required=True)
    parser.add_argument("--svg")
    parser.add_argument("--png")
    parser.add_argument("--xdmf")
    parser.add_argument("--contacts", type=lambda text: [int(c) for c in text.split(",")])
    return parser.parse_args()


def write_page_and_stills(given, text, draw):
    with open(given.page, "w", encoding="utf-8") as out:
        out.write(text)
    stills = [(path, form) for path, form in ((given.svg, "svg"), (given.png, "png")) if path]
    if stills:
        import matplotlib
        matplotlib.use("Agg")  # no window
        from . import paper
        figure = draw(paper)
        for path, form in stills:
            paper.save(figure, path, form)


def write_mechanisms(given, runs):
    from . import history
    from . import page
    from plotly.offline import get_plotlyjs
    for option, value in (("--xdmf", given.xdmf), ("--contacts", given.contacts)):
        if value:
            raise history.InputError(f"{option}: is for chains; this is a mechanism")
    history.label_runs(runs)
    write_page_and_stills(given, page.written_of_mechanisms(runs, get_plotlyjs()),
                          lambda paper: paper.draw_mechanisms(runs))
    return 0


def write_fit(given, runs):
    from . import history
    from . import page
    from plotly.offline import get_plotlyjs
    for option, value in (("--xdmf", given.xdmf), ("--contacts", given.contacts)):
        if value:
            raise history.InputError(f"{option}: is for histories; this is a fit")
    write_page_and_stills(given, page.written_of_fit(runs[0], get_plotlyjs()), lambda paper: paper.draw_fit(runs[0]))
    return 0


def write_all(given):
    from . import fit
    from . import history
    from . import mechanism
    from . import page
    from plotly.offline import get_plotlyjs
    try:
        if any(fit.is_one(path) for path in given.histories):
            if len(given.histories) != 1:
                raise history.InputError("a page is of one fit, with nothing beside it")
            return write_fit(given, [fit.read(given.histories[0])])
        if any(mechanism.is_one(path) for path in given.histories):
            return write_mechanisms(given, mechanism.read_all(given.histories))
        runs = [history.read_run(path) for path in given.histories]
        if len({run.model for run in runs}) > 1:
            raise history.InputError("a report is of chains or of packings, not of both")
        if given.xdmf:
            if len(runs) != 1:
                raise history.InputError("--xdmf: takes one history, not several")
            if runs[0].model == "packing":
                from . import packing_xdmf as xdmf
            else:
                from . import xdmf
            xdmf.write(runs[0], given.xdmf)
        history.label_runs(runs)
        text = page.written(runs, given.contacts, get_plotlyjs())
        write_page_and_stills(given, text, lambda paper: paper.draw(runs, given.contacts))
    except history.InputError as error:
        return fail(error, 2)
    except OSError as error:
        if error.errno is None:  # HDF5's, of data read only now
            return fail(f"{names(given.histories)}: damaged: {error}", 2)
        return fail(f"the report cannot be written: {error}", 1)
    except MemoryError:
        return fail("not enough memory for the report", 1)
    except Exception as error:  # what a file holds may be anything
        if "BEADWAVE_TRACEBACK" in os.environ:
            raise
        return fail(f"{names(given.histories)}: cannot be drawn: {type(error).__name__}: {error}", 1)
    return 0


def main():
    given = arguments()
    wanted = LIBRARIES + (("matplotlib",) if given.svg or given.png else ())
    if any(importlib.util.find_spec(name) is None for name in wanted):
        return LIBRARY_MISSING
    return write_all(given)


if __name__ == "__main__":
    sys.exit(main())
