"""The style of the figures that the site draws itself."""
import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402 (the backend comes first)

pyplot.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
                        "grid.color": "#dddddd", "axes.axisbelow": True, "legend.frameon": False, "svg.fonttype": "path",
                        "svg.hashsalt": "beadwave docs"})
BLUE, GREY = "#0072B2", "#999999"


def save(figure, path):
    """The same bytes for the same figure."""
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else {"Software": None})
    pyplot.close(figure)
