"""The commands, one file each.

A command ``metaeval name`` is a click command called ``command`` in ``name.py`` here and a line in
``metaeval.cli.COMMANDS``. It writes data to stdout and messages to stderr, raises
:class:`metaeval.core.errors.InputError` for bad input, and returns its exit code where that is not 0.
Its help ends with an example (``epilog``).
"""
