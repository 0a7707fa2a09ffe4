"""How Sphinx builds the site; docs/site/build.py calls it."""

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
# Nothing is looked up on the network, so that what other packages describe is not linked; and of the engine the site
# describes the events alone.
nitpick_ignore_regex = [
    ("py:.*", r"(_pytest|collections|fractions|hypothesis|numpy|pathlib)\..*"),
    # Hypothesis keeps the annotations of a composite strategy as they are written.
    ("py:class", "Shape"),
    ("py:.*", r"metaeval\.engine\.(?!events).*"),
]

html_theme = "furo"
html_title = f"metaeval {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
# Every file that is loaded lies beside the pages: the site is read without a network as well as with one.
html_theme_options = {"navigation_with_keys": True}
