"""Files that people have: biclusterings as JSON, label files, membership matrices and NumPy arrays.

:func:`metaeval.inputs.reading.read` recognises and reads one, :func:`metaeval.inputs.named.match` brings two of them
to the same objects and features. ``docs/inputs.md`` describes the formats.
"""
