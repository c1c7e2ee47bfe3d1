"""Medians and ranges of the rounds of a benchmark."""
import statistics


def spread(values, form):
    values = sorted(values)
    middle = form.format(statistics.median(values))
    return middle if len(values) == 1 else f"{middle} ({form.format(values[0])} ... {form.format(values[-1])})"


def ratio(runs, above, below):
    """Ratio of two speeds, run by run."""
    pairs = [run[above] / run[below] for run in runs if above in run and below in run]
    return spread(pairs, "{:.2f}") if pairs else "-"
