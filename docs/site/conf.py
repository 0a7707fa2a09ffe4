"""How Sphinx builds the site; docs/site/build.py calls it."""

import re
from typing import Any

import metaeval

project = "metaeval"
author = "The metaeval developers"
project_copyright = author
version = release = metaeval.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["attrs_inline", "deflist"]
myst_heading_anchors = 4

autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints_format = "short"
autodoc_class_signature = "mixed"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 90
# Nothing is looked up on the network, so that what other packages describe is not linked; and a type that signatures
# name needs no description of its own if it belongs to the machinery.
nitpick_ignore_regex = [
    ("py:.*", r"(_pytest|abc|collections|fractions|hypothesis|msgspec|numpy|pathlib)\..*"),
    (
        "py:class",
        r"metaeval\.(cases|consistency|equations|files|proofs|records|runner|search|verification|workers)\..*",
    ),
    # Named as they are written where they are imported for the type checker alone, or kept as text by Hypothesis.
    ("py:class", r"Counted|Fraction|Indicators|Labels|Moves|NDArray|SearchStrategy|Shape|Situation"),
    ("py:class", r"metaeval\.(catalogue\.(condition\.Group|measure\.Usage)|parametrize\.Subject)"),
    # A type variable.
    ("py:class", r"metaeval\.core\.case\._T"),
]

# Quotes, dashes and dots are meant as they are written.
smartquotes = False

html_theme = "furo"
html_title = f"metaeval {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = html_show_sphinx = False
html_domain_indices = html_use_index = False


def _colours(paper: str, side: str, faint: str, ink: str, soft: str, rule: str, accent: str) -> dict[str, str]:
    """The variables of the theme for the colours of the compliance page."""
    return {
        "color-background-primary": paper,
        "color-background-secondary": side,
        "color-background-hover": faint,
        "color-background-border": rule,
        "color-code-background": faint,
        "color-foreground-primary": ink,
        "color-foreground-secondary": soft,
        "color-foreground-muted": soft,
        "color-brand-primary": accent,
        "color-brand-content": accent,
        "color-brand-visited": accent,
        "color-sidebar-link-text": ink,
        "color-api-name": accent,
        "color-api-pre-name": soft,
    }


# Every file that is loaded lies beside the pages: the site is read without a network as well as with one.
html_theme_options = {
    "light_css_variables": _colours("#fff", "#fbfaf8", "#f3f1ec", "#1d2024", "#5c6066", "#e3e0da", "#005b8f"),
    "dark_css_variables": _colours("#15171a", "#1c1f23", "#22262b", "#e8e6e3", "#a3a7ad", "#32363c", "#7cc4f2"),
}


def _readable(app: Any, what: str, name: str, object: Any, options: Any, arguments: Any, returned: Any) -> Any:
    """A signature as a reader can use it: functions for defaults are left out, and so is what is private."""
    if arguments is None:
        return None
    plain = re.sub(r"<(function )?\w+>", "...", arguments)
    return re.sub(r", _\w+: .*? = \.\.\.(?=[,)])", "", plain), returned


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-signature", _readable)
