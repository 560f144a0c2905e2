"""How Sphinx makes the site; `build.py` prepares the pages and calls it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from traitlets import TraitType

import adjoin

if TYPE_CHECKING:
    from sphinx.application import Sphinx

project = "adjoin"
release = adjoin.__version__
author = "the authors of adjoin"
copyright = "the authors of adjoin. MIT or Apache-2.0"

extensions = ["myst_nb", "sphinx.ext.autodoc"]
exclude_patterns = ["code/**"]
suppress_warnings = ["mystnb.mime_priority"]

myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "html_image"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_type_aliases = {
    "Agent": "Agent",
    "Policy": "Policy",
    "Progress": "Progress",
    "Record": "Record",
    "Viewer": "Viewer",
}
autodoc_default_options = {"members": True}
maximum_signature_line_length = 80
python_use_unqualified_type_names = True
add_module_names = False
toc_object_entries_show_parents = "hide"

nb_execution_mode = "cache"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_execution_show_tb = True
nb_merge_streams = True
nb_output_stderr = "remove"  # bars of progress
# A board needs a kernel: `board_as_page.py` makes it a page that plays, or its picture is shown.
nb_ipywidgets_js: dict[str, dict[str, str]] = {}
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]

html_theme = "furo"
html_title = "adjoin"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_search_summary = False  # would be fetched, which pages on a disk may not
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0072b2", "color-brand-content": "#0072b2"},
    "dark_css_variables": {"color-brand-primary": "#56b4e9", "color-brand-content": "#56b4e9"},
}
pygments_style = "default"
pygments_dark_style = "github-dark"


def setup(app: Sphinx) -> None:
    """Leave out what a board sends to the browser: it has nobody else to read it."""

    def skip(_: Sphinx, kind: str, name: str, thing: Any, is_skipped: bool, options: Any) -> Any:
        return True if isinstance(thing, TraitType) else None

    app.connect("autodoc-skip-member", skip)
