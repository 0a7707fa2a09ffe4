"""Take a picture of a page with headless Chromium: ``python docs/picture.py PAGE.html PICTURE.png [FRAGMENT]``."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

QUIET = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--hide-scrollbars",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def main(page: str, picture: str, fragment: str = "") -> None:
    """Write the top of the page, as on a common screen; the fragment names the cell that is open."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        sys.exit("docs/picture.py needs Chromium; on Debian: apt-get install chromium")
    with tempfile.TemporaryDirectory() as profile:
        command = [browser, *QUIET, f"--user-data-dir={profile}", "--window-size=1400,920"]
        target = f"--screenshot={Path(picture).resolve()}"
        subprocess.run(
            [*command, target, Path(page).resolve().as_uri() + fragment], check=True, stderr=subprocess.DEVNULL
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
