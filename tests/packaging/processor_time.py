"""Run a command, and say how much processor time it and all its children took: ``processor_time.py COMMAND …``."""

import resource
import subprocess
import sys


def main() -> int:
    code = subprocess.run(sys.argv[1:]).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    minutes, seconds = divmod(round(used.ru_utime + used.ru_stime), 60)
    print(f"processor time: {minutes} min {seconds} s", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
