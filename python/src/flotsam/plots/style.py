# SPDX-License-Identifier: GPL-3.0-or-later
"""How every figure looks: colours that colour-blind readers tell apart, sizes, and how a file is written."""

import contextlib
import io
import re
import textwrap
from typing import Any

import matplotlib
from matplotlib import patheffects
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ..writing import make_folder, write_whole

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

# Nothing of a matplotlibrc, and nothing that a notebook has set, but for what no figure is made of.
_KEPT = re.compile(r"backend|interactive|toolbar|timezone|tk\.|webagg|datapath|animation")
_LOOK = {key: value for key, value in matplotlib.rcParamsDefault.items() if not _KEPT.match(key)} | {
    "font.size": 9, "axes.titlesize": 9, "axes.labelsize": 9, "figure.titlesize": 12, "figure.dpi": 100,
    "savefig.dpi": 160, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
    "grid.color": "#E3E3E3", "grid.linewidth": 0.6, "axes.axisbelow": True, "legend.frameon": False,
    # The same data give the same SVG, byte for byte, and its words are text that can be searched and changed.
    "svg.hashsalt": "flotsam", "svg.fonttype": "none", "pdf.fonttype": 42,
}
FORMS = ("png", "svg", "pdf")
# What else the writer of a form would put in that is not of the data.
_METADATA = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
# The width in inches that was asked for; None for that of each figure.
_width = None


@contextlib.contextmanager
def look(width=None):
    """Whatever is drawn and written within looks like a figure of Flotsam, and is so wide, in inches."""
    global _width
    before, _width = _width, width
    try:
        with matplotlib.rc_context(_LOOK):
            yield
    finally:
        _width = before


def inches(text):
    """Inches of `3.5in`, `9 cm` or `90mm`."""
    found = re.fullmatch(r"\s*([0-9.]+)\s*(in|cm|mm)\s*", text)
    value = float(found[1]) / {"in": 1, "cm": 2.54, "mm": 25.4}[found[2]] if found else 0
    if not 1 <= value <= 100:
        raise ValueError(f"expected a width of 1in to 100in such as 3.5in or 9cm, found {text!r}")
    return value


def subplots(rows=1, columns=1, *, figsize, **options):
    """A figure of its own, which no window and no notebook shows by itself, and its panels."""
    width, height = figsize
    figure = Figure(figsize=(_width or width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.subplots(rows, columns, **options)


def columns(count, most, left, each):
    """How many of some panels stand side by side: as many as the width has room for beside what stands left of them."""
    fit = most if _width is None else max(1, int((_width - left) // each))
    return max(1, min(count, most, fit))


def heading(figure, title, subtitle, legend=()):
    """Puts title, subtitle and legend above the panels, at fixed distances from the figure's top edge."""
    height = figure.get_figheight()
    left = 0.12 / figure.get_figwidth()
    # A letter is 0.1 inches wide in a title and 0.07 below it.
    title = textwrap.fill(title, max(20, int(figure.get_figwidth() / 0.1)))
    subtitle = "\n".join(textwrap.fill(line, max(20, int(figure.get_figwidth() / 0.07))) for line in subtitle.split("\n"))
    more = 0.2 * title.count("\n")
    figure.text(left, 1 - 0.10 / height, title, fontsize=12, fontweight="bold", va="top")
    figure.text(left, 1 - (0.36 + more) / height, subtitle, color="#444444", va="top", linespacing=1.35)
    reserved = 0.42 + more + 0.19 * (1 + subtitle.count("\n"))
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


def drawing(figure: Any, form: str) -> bytes:
    """The bytes of a figure as png, svg or pdf; the same data give the same bytes."""
    buffer = io.BytesIO()
    with matplotlib.rc_context(_LOOK):
        figure.savefig(buffer, format=form, metadata=_METADATA[form])
    return buffer.getvalue()


def save(figure, folder, name, forms=("png", "svg")):
    """Writes one figure in each of the forms and returns the paths."""
    make_folder(folder)
    paths = [folder / f"{name}.{form}" for form in forms]
    for path in paths:
        write_whole(path, drawing(figure, path.suffix[1:]))
    return paths
