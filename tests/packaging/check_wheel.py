"""Check what users install: sdist -> wheel -> an empty environment, seen from an empty directory.

Run by ``make test``; needs ``build`` and ``mypy`` beside the interpreter that runs it.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from importlib.metadata import version
from pathlib import Path

from assembled import CONFIGURATION, ROOT, folders

sys.path.insert(0, str(ROOT / "tests"))
from following import PATHS, follow, mismatch

#: A run in which constants that Hypothesis finds in a program's own files would change the draws.
SMALL_RUN = [
    "run", "--measure", "ce", "--measure", "mocice", "--condition", "A.1", "--condition", "A.5", "--condition", "B.3",
    "--examples", "150", "--exhaustive", "2", "--seed", "1", "--jobs", "2", "--no-cache", "--quiet",
]  # fmt: skip

IMPORT_ALL = """
import importlib, pkgutil, sysconfig
from pathlib import Path
import metaeval

home = Path(metaeval.__file__).resolve()
site = Path(sysconfig.get_path("purelib")).resolve()
assert site in home.parents, f"metaeval was imported from {home}, outside {site}"
names = [m.name for m in pkgutil.walk_packages(metaeval.__path__, "metaeval.") if m.name != "metaeval.__main__"]
for name in names:
    importlib.import_module(name)
for name in ("cli.commands", "conditions", "measures", "reports"):
    assert f"metaeval.{name}" in names, f"metaeval.{name} is missing"
print(len(names), "modules")
"""


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="metaeval-wheel-") as name:
        work = Path(name)
        wheel = build(work)
        check_contents(wheel)
        python = install(work, wheel)
        empty = work / "empty"
        empty.mkdir()
        check_imports(python, empty)
        check_commands(python, empty, wheel)
        check_results(python, work)
        check_paths(python, work)
        check_types(python, empty)


def build(work: Path) -> Path:
    """Build from a clean copy: leftovers of earlier builds in a checkout hide what an sdist forgets."""
    source = work / "source"
    unwanted = shutil.ignore_patterns(".*", "*.egg-info", "build", "dist", "__pycache__")
    shutil.copytree(ROOT, source, ignore=unwanted)
    run([sys.executable, "-m", "build", "--outdir", str(work / "dist"), str(source)], work)
    (wheel,) = (work / "dist").glob("*.whl")
    (sdist,) = (work / "dist").glob("*.tar.gz")
    say(f"built {sdist.name}, and from it {wheel.name}")
    return wheel


def check_contents(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    top = {name.partition("/")[0] for name in names}
    strange = sorted(name for name in top if name != "metaeval" and not re.fullmatch(r"metaeval-.*\.dist-info", name))
    demand(not strange, f"the wheel holds top-level names beside metaeval: {', '.join(strange)}")
    missing = sorted(expected_files() - names)
    demand(not missing, f"the wheel lacks {', '.join(missing)}")
    say(f"the wheel holds metaeval alone, with py.typed and all {len(expected_files())} files of the checkout")


def expected_files() -> set[str]:
    """Every module and data file of the checkout, under its name in the wheel."""
    found = {"metaeval/py.typed", "metaeval/records/atlas.json"}
    for folder, home in folders().items():
        base = ROOT / folder
        data = ("templates/*", "*.json", "*.yml")
        paths = [*base.rglob("*.py"), *(path for names in data for path in base.glob(names) if path.is_file())]
        found |= {f"{home}/{path.relative_to(base).as_posix()}" for path in paths}
    return found


def install(work: Path, wheel: Path) -> str:
    folder = work / "env"
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    # What decides the cases that are drawn is the same as here; the rest is whatever users get.
    same = [f"{name}=={version(name)}" for name in ("hypothesis", "numpy")]
    add(python, work, str(wheel), *same)
    say("installed it in an empty environment")
    return python


def add(python: str, work: Path, *packages: str) -> None:
    run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages], work)


def check_imports(python: str, empty: Path) -> None:
    say(f"imported {run([python, '-c', IMPORT_ALL], empty).strip()} from site-packages")


def check_commands(python: str, empty: Path, wheel: Path) -> None:
    metaeval = str(Path(python).with_name("metaeval"))
    version = run([metaeval, "--version"], empty).strip()
    built = wheel.name.split("-")[1]
    demand(version == f"metaeval {built}", f"`metaeval --version` says {version!r}, the wheel's version is {built}")
    say(f"`metaeval --version` says {version!r}")
    listed = run([metaeval, "list", "measures"], empty)
    demand("mocice" in listed, f"`metaeval list measures` shows no mocice:\n{listed}")
    say("`metaeval list measures` shows the measures")


def check_results(python: str, work: Path) -> None:
    """The wheel and the checkout write the same results file, seconds aside."""
    home = run([sys.executable, "-c", "import metaeval; print(metaeval.__file__)"], work).strip()
    demand(Path(home).is_relative_to(ROOT), f"{sys.executable} imports metaeval from {home}, not from the checkout")
    # Only now: all that came before does without it.
    add(python, work, f"python-flint=={version('python-flint')}")
    wheel, checkout = (
        results_of(Path(one).with_name("metaeval"), work / name)
        for one, name in ((python, "from-wheel"), (sys.executable, "from-checkout"))
    )
    differing = [f"{ours} / {theirs}" for ours, theirs in zip(wheel, checkout, strict=False) if ours != theirs]
    first = differing[0] if differing else "one is longer"
    demand(wheel == checkout, f"the wheel and the checkout find other results, {len(differing)} lines; first: {first}")
    say(f"a run from the wheel and one from the checkout write the same {len(wheel)} lines")


def check_paths(python: str, work: Path) -> None:
    """What the pages for three kinds of users show is what the wheel prints; each page starts in an empty folder."""
    for page in PATHS:
        folder, text = work / page.stem, page.read_text(encoding="utf-8")
        folder.mkdir()
        asked = list(follow(text, folder, scripts=str(Path(python).parent)))
        wrong = [why for command, printed in asked if (why := mismatch(text, command, printed))]
        again = "if that is meant, run python tests/test_tutorial.py and read the page again"
        demand(bool(asked) and not wrong, f"{page.name}, {again}\n" + "\n".join(wrong))
        say(f"the {len(asked)} commands of {page.name} print what it shows")


def results_of(metaeval: Path, folder: Path) -> list[str]:
    """The lines of a results file, written in an empty folder, without those that say how long it took."""
    folder.mkdir()
    run([str(metaeval), *SMALL_RUN, "--out", "results.json"], folder)
    lines = (folder / "results.json").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if not line.strip().startswith('"seconds":')]
    demand(len(kept) < len(lines), f"{folder.name}: the results file says nothing of seconds")
    return kept


def check_types(python: str, empty: Path) -> None:
    mypy = [sys.executable, "-m", "mypy", "--config-file", str(CONFIGURATION)]
    run([*mypy, "--python-executable", python, "--cache-dir", str(empty), "-p", "metaeval"], empty)
    say("mypy --strict finds nothing to say of the installed package")


def run(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    demand(done.returncode == 0, f"`{' '.join(command)}` failed:\n{done.stdout}")
    return done.stdout


def demand(held: bool, message: str) -> None:
    if not held:
        sys.exit(f"check-wheel: {message}")


def say(message: str) -> None:
    print(f"check-wheel: {message}", flush=True)


if __name__ == "__main__":
    main()
