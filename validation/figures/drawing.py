"""The common style of all figures."""
import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402 (the backend comes first)

# The colours of Okabe and Ito without yellow, which colour-blind readers can distinguish too.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ("-", "--", "-.", ":")
DRAWN = []  # of each figure: file, title, note

pyplot.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False,
                        "axes.grid": True, "grid.color": "#dddddd", "axes.axisbelow": True,
                        "legend.frameon": False, "savefig.dpi": 110})


def line(i):
    """Colour and dashes of curve i; 28 curves are all different."""
    turn = i // len(COLOURS)
    return {"color": COLOURS[(i + 2 * turn) % len(COLOURS)], "linestyle": DASHES[turn % len(DASHES)],
            "linewidth": 1.7}


def axes(title, x, y):
    figure, panel = pyplot.subplots(figsize=(8.0, 4.5), layout="constrained")
    panel.set_title(title, fontsize=10.5, loc="left")
    panel.set_xlabel(x)
    panel.set_ylabel(y)
    return figure, panel


def panels(title, x, y, rows=3, columns=3, share=True):
    """A figure of small panels, which share their axes or have their own, and the panels in a list."""
    figure, grid = pyplot.subplots(rows, columns, figsize=(11.0, 2.7 * rows), sharex=share, sharey=share, layout="constrained")
    figure.suptitle(title, fontsize=10.5, x=0.01, ha="left")
    figure.supxlabel(x, fontsize=10)
    figure.supylabel(y, fontsize=10)
    return figure, list(grid.flat)


def legend_of_panels(each, columns=3, title=None):
    """One legend beside the panels, of the curves of the last panel of a row in the middle."""
    row = len(each) // columns // 2
    each[row * columns + columns - 1].legend(loc="center left", bbox_to_anchor=(1.01, 0.5), title=title, fontsize=8)


def legend_beside(panel, title=None):
    panel.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), title=title, fontsize=9)


def save(figure, path, note=""):
    """`note` says how far printed numbers are, or what could not be read; the page of all figures shows it."""
    figure.savefig(path, metadata={"Software": None})
    title = figure._suptitle.get_text() if figure._suptitle else figure.axes[0].get_title(loc="left")
    DRAWN.append((path.name, title, note))
    pyplot.close(figure)
