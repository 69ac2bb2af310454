# SPDX-License-Identifier: GPL-3.0-or-later
"""How every figure looks: colours that colour-blind readers tell apart, sizes, and how a file is written."""

import io

import matplotlib

from ..writing import make_folder, write_whole

# Nothing of a matplotlibrc in the working folder.
matplotlib.rcdefaults()
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend must be chosen first)
from matplotlib import patheffects  # noqa: E402

# Okabe and Ito, Color Universal Design (2008): https://jfly.uni-koeln.de/color/
BLUE, ORANGE, GREEN, VERMILION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
SKY, PURPLE, YELLOW, BLACK = "#56B4E9", "#CC79A7", "#F0E442", "#000000"
GREY, LIGHT_GREY = "#767676", "#C4C4C4"
CYCLE = [BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION, BLACK]
DASHES = ["-", (0, (4, 1.5)), (0, (1, 1.2))]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "*"]

# Text over lines stays readable.
HALO = [patheffects.withStroke(linewidth=2, foreground="white")]

# A verdict is told by colour and by marker, so that it survives a black-and-white print.
VERDICTS = {
    "better": {"color": BLUE, "marker": "o", "markerfacecolor": BLUE},
    "worse": {"color": VERMILION, "marker": "s", "markerfacecolor": VERMILION},
    "equivalent": {"color": GREY, "marker": "D", "markerfacecolor": GREY},
    "undecided": {"color": BLACK, "marker": "o", "markerfacecolor": "white"},
    "neither way is better": {"color": BLACK, "marker": "v", "markerfacecolor": "white"},
}

plt.rcParams.update({
    "font.size": 9, "axes.titlesize": 9, "axes.labelsize": 9, "figure.titlesize": 12, "figure.dpi": 100,
    "savefig.dpi": 160, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "grid.color": "#E3E3E3", "grid.linewidth": 0.6, "axes.axisbelow": True, "legend.frameon": False,
    # The same data give the same SVG, byte for byte.
    "svg.hashsalt": "flotsam",
})


def heading(figure, title, subtitle, legend=()):
    """Puts title, subtitle and legend above the panels, at fixed distances from the figure's top edge."""
    height = figure.get_figheight()
    left = 0.12 / figure.get_figwidth()
    figure.text(left, 1 - 0.10 / height, title, fontsize=12, fontweight="bold", va="top")
    figure.text(left, 1 - 0.36 / height, subtitle, color="#444444", va="top", linespacing=1.35)
    reserved = 0.42 + 0.19 * (1 + subtitle.count("\n"))
    if legend:
        columns = columns_for(legend, figure.get_figwidth())
        figure.legend(
            handles=legend, loc="upper left", bbox_to_anchor=(left, 1 - reserved / height), ncols=columns,
            borderaxespad=0, borderpad=0, handlelength=2.2)
        reserved += 0.08 + 0.18 * -(-len(legend) // columns)
    figure.get_layout_engine().set(w_pad=0.08, h_pad=0.06, rect=(0, 0, 1, 1 - reserved / height))


def columns_for(legend, inches):
    """As many columns as the longest label leaves room for; a letter of the legend is about 0.075 inches wide."""
    widest = max(len(handle.get_label()) for handle in legend) * 0.075 + 0.55
    return len(legend) if widest * len(legend) <= inches + 1.5 else max(1, int(inches // widest))


def drawing(figure, form):
    """The bytes of a figure as png or svg; the same data give the same bytes."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format=form, metadata={"Date": None} if form == "svg" else {"Software": None})
    return buffer.getvalue()


def save(figure, folder, name):
    """Writes one figure as PNG and SVG and returns the paths."""
    make_folder(folder)
    paths = [folder / f"{name}.png", folder / f"{name}.svg"]
    for path in paths:
        write_whole(path, drawing(figure, path.suffix[1:]))
    plt.close(figure)
    return paths
