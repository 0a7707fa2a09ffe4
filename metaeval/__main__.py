"""``python -m metaeval`` is the command ``metaeval``."""

from metaeval.cli import main

if __name__ == "__main__":
    main(prog_name="metaeval")
