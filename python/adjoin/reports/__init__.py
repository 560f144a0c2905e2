"""Pages and pictures of what was measured: a report about a game, documents, charts."""

from adjoin.drawing.colours import SEATS
from adjoin.reports.charts import Band, Chart, dots, heat, histogram, lines
from adjoin.reports.documents import Grid, Report, Section
from adjoin.reports.measured import report

__all__ = [
    "SEATS",
    "Band",
    "Chart",
    "Grid",
    "Report",
    "Section",
    "dots",
    "heat",
    "histogram",
    "lines",
    "report",
]
