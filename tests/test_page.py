"""The page in a real headless browser, driven by Selenium."""

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import pytest
import results_samples as samples
from selenium.webdriver import ActionChains, Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait
from tools import run_inside, split
from variant_readings import contradicting_survey

import metaeval
from metaeval import Results, reports
from metaeval.cli.commands.list import ranking
from metaeval.consistency.survey import survey
from metaeval.proofs.proof import Proof
from metaeval.proofs.proof_text import proof_facts

#: As in docs/picture.py: no window, and nothing that asks the network.
FLAGS = split(
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)

#: The listener is added last, so the page has followed the new fragment when it is called.
GO = """
const [fragment, done] = arguments;
if (location.hash === fragment) return done();
addEventListener("hashchange", () => done(), {once: true});
location.hash = fragment;
"""


#: The cells of the matrix, without its totals.
TILES = "#grid td[role=gridcell]"


class Browser:
    """What the tests do with the page, in the words they use for it."""

    def __init__(self, driver: Chrome, folder: Path) -> None:
        self._driver = driver
        self._page = folder / "page.html"
        self.js: Callable[..., Any] = driver.execute_script
        self.cdp: Callable[[str, dict[str, Any]], Any] = driver.execute_cdp_cmd
        self.back = driver.back

    def open(self, page: str, fragment: str = "") -> None:
        """Load a page from disk, forgetting what was logged before."""
        self._page.write_text(page, encoding="utf-8")
        self._driver.get("about:blank")
        self.logs("browser")
        self.logs("performance")
        self._driver.get(self._page.as_uri() + fragment)

    def go(self, fragment: str) -> None:
        """Follow a link inside the page."""
        self._driver.execute_async_script(GO, fragment)

    def wait_for(self, happened: Callable[[], bool]) -> None:
        """Until the page has answered an event that it meets a moment later."""
        WebDriverWait(self._driver, timeout=60, poll_frequency=0.02).until(lambda _: happened())

    def click(self, selector: str) -> None:
        self._driver.find_element(By.CSS_SELECTOR, selector).click()

    def press(self, *keys: str) -> None:
        ActionChains(self._driver).send_keys(*keys).perform()

    def logs(self, kind: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._driver.get_log(kind)
        return found

    def emulate(self, scheme: str = "light", media: str = "", width: int = 1440, height: int = 900) -> None:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.cdp("Emulation.setEmulatedMedia", {"media": media, "features": features})
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.cdp("Emulation.setDeviceMetricsOverride", size)

    def text(self, selector: str) -> str:
        return str(self.js("return document.querySelector(arguments[0])?.innerText ?? ''", selector))

    def count(self, selector: str) -> int:
        """How many such elements are shown."""
        script = "return [...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility()).length"
        return int(self.js(script, selector))

    def each(self, selector: str, value: str) -> list[Any]:
        """A value of every such element, in JavaScript; the element is ``e``."""
        found: list[Any] = self.js(f"return [...document.querySelectorAll(arguments[0])].map(e => {value})", selector)
        return found

    def tick(self, selector: str) -> None:
        """Tick a box that its label covers."""
        self.js("document.querySelector(arguments[0]).click()", selector)

    def choose(self, selector: str, value: str) -> None:
        Select(self._driver.find_element(By.CSS_SELECTOR, selector)).select_by_value(value)

    @property
    def keys(self) -> list[str]:
        """The cells that are shown and pass the filters."""
        return [key for key in self.each("td[data-key]:not(.dim)", "e.checkVisibility() && e.dataset.key") if key]

    @property
    def focus(self) -> str:
        return str(self.js("return document.activeElement.dataset.key || document.activeElement.id"))

    @property
    def fragment(self) -> str:
        return str(self.js("return decodeURIComponent(location.hash)"))


def rendered(results: dict[str, Any], compare_with: dict[str, Any] | None = None) -> str:
    """The page of a results file."""
    before = None if compare_with is None else Results.from_json(compare_with)
    return reports.render(Results.from_json(results), "html", before)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    driver = shutil.which("chromedriver")
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if driver is None or chromium is None:
        pytest.skip("no Chromium with chromedriver on this machine")
    folder = tmp_path_factory.mktemp("browser")
    with pytest.MonkeyPatch.context() as environment:
        # Selenium would ask a proxy for the driver, which runs on this machine.
        environment.setenv("no_proxy", "localhost,127.0.0.1")
        chrome = Chrome(options(chromium, folder / "profile"), Service(driver))
        try:
            yield Browser(chrome, folder)
        finally:
            chrome.quit()


def options(chromium: str, profile: Path) -> ChromeOptions:
    chosen = ChromeOptions()
    chosen.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        chosen.add_argument(flag)
    chosen.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return chosen


@pytest.fixture
def browser(session: Browser) -> Iterator[Browser]:
    """The session, back at a desktop's size and light; no test may leave an error in the console."""
    session.emulate()
    yield session
    assert [entry["message"] for entry in session.logs("browser")] == []


@pytest.fixture(scope="module")
def paper() -> str:
    return rendered(samples.paper_sized())


@pytest.fixture(scope="module")
def hostile() -> str:
    return rendered(samples.hostile())


def cell(key: str) -> str:
    return f'td[data-key="{key}"]'


def test_it_opens_from_disk_without_a_network_request(browser: Browser, paper: str) -> None:
    browser.open(paper)
    browser.click(cell("ce.A.3.canonical"))
    assert browser.js("return location.protocol") == "file:"
    messages = [json.loads(entry["message"])["message"] for entry in browser.logs("performance")]
    asked = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    assert asked
    assert all(url.startswith(("file:", "data:", "about:")) for url in asked)


def test_the_first_view_is_the_canonical_matrix(browser: Browser, paper: str) -> None:
    browser.open(paper)
    assert browser.count(TILES) == 100
    assert browser.count("#grid th.condition") == 10
    assert browser.count("#grid th.reading") == 0
    assert browser.js("return document.querySelector('[data-preset=canonical]').ariaPressed") == "true"
    assert browser.fragment == ""
    assert browser.text(".intro").startswith("Does the better biclustering always get the better score?")
    assert "A.1–A.4 Amigó et al. 2009" in browser.text(".sources")
    assert "Whose claims: Rosales-Méndez & Ramírez-Cruz 2015, arXiv:1512.00228." in browser.text(".sources")
    links = browser.each(".sources a", "e.href")
    assert "https://doi.org/10.1007/s10791-008-9066-8" in links
    assert "https://arxiv.org/abs/1512.00228" in links


def test_presets(browser: Browser, paper: str) -> None:
    browser.open(paper)
    browser.click("[data-preset=all]")
    assert browser.count(TILES) == 290
    browser.click("[data-preset=refuted]")
    assert browser.text("#count") == "2 of 290 cells"
    assert browser.keys == ["mocice.B.1.literal", "mocice.B.1.overlapping"]
    browser.click("[data-preset=versus]")
    browser.choose("#rival-one", "ce")
    browser.choose("#rival-two", "mocice")
    verdicts = {cell["measure"]: {} for cell in samples.paper_sized()["cells"]}
    for each in samples.paper_sized()["cells"]:
        verdicts[each["measure"]][each["condition"], each["reading"]] = each["verdict"]
    differ = [place for place, verdict in verdicts["ce"].items() if verdict != verdicts["mocice"][place]]
    assert browser.count(TILES) == 2 * len(differ)
    alone = [place for place in differ if verdicts["mocice"][place] == "holds"]
    assert f"MOCICE-BCubed F₁ alone {len(alone)};" in browser.text("#versus-says")
    browser.click("[data-preset=canonical]")
    assert browser.count(TILES) == 100


def test_what_is_shown_lives_in_the_address(browser: Browser, paper: str) -> None:
    browser.open(paper)
    browser.click("[data-preset=refuted]")
    browser.click("#sort-rows")
    browser.click(cell("mocice.B.1.literal"))
    fragment = browser.js("return location.hash")
    assert fragment.startswith("#mocice.B.1.literal?")
    shown = browser.keys
    browser.open(paper, fragment)
    assert browser.keys == shown
    assert browser.js("return document.querySelector('[data-preset=refuted]').ariaPressed") == "true"
    assert browser.text("#panel-title") == "MOCICE-BCubed F₁"
    browser.open(paper, "#?q=bcubed&reading=literal&family=B")
    assert {key.split(".")[3] for key in browser.keys} == {"literal"}
    assert {key.partition(".")[0] for key in browser.keys} == {"bcubed", "cice", "mocice"}
    assert browser.js("return document.querySelector('#search').value") == "bcubed"


def test_totals_count_what_is_shown_and_sort(browser: Browser, paper: str) -> None:
    browser.open(paper)
    canonical = [each for each in samples.paper_sized()["cells"] if each["reading"] == "canonical"]
    by_row, by_column = Counter(), Counter()
    for each in canonical:
        by_row[each["measure"]] += each["verdict"] == "holds"
        by_column[each["condition"]] += each["verdict"] == "holds"
    rows = "tbody tr", "[e.dataset.measure, e.querySelector('.total').innerText]"
    assert dict(browser.each(*rows)) == {id: f"{by_row[id]}/10" for id in samples.PAPER_MEASURES}
    browser.click("#sort-rows")
    totals = [by_row[id] for id, _ in browser.each(*rows)]
    assert totals == sorted(totals, reverse=True)
    browser.click("#sort-columns")
    columns = browser.each("th.condition", "e.dataset.condition")
    totals = [by_column[id] for id in columns]
    assert totals == sorted(totals, reverse=True)
    assert browser.each("tbody tr:first-child td[role=gridcell]:not([hidden])", "e.dataset.condition") == columns
    browser.click("#sort-rows")
    browser.click("#sort-rows")
    assert [id for id, _ in browser.each(*rows)] == list(samples.PAPER_MEASURES)


def test_a_click_shows_the_picture_and_one_sentence_first(browser: Browser, paper: str) -> None:
    browser.open(paper)
    assert browser.count("#panel") == 0
    browser.click(cell("ce.A.3.canonical"))
    panel = browser.text("#panel")
    sentence = "From left to right, the score should rise; it stayed the same."
    assert browser.text(".sentence") == sentence
    parts = (sentence, "Gold", "5/9", "strictly lower", "Claimed: violates. Confirmed", "57 of 1,432 cases fail")
    assert all(part in panel for part in (*parts, "metaeval check ce --condition A.3 --reading canonical"))
    assert list(map(panel.index, parts[:4])) == sorted(map(panel.index, parts[:4]))
    assert browser.fragment == "#ce.A.3.canonical"
    browser.click("#close")
    assert browser.count("#panel") == 0
    assert browser.fragment == ""


PICTURES = "#panel figure", "e.querySelector('b').innerText"
SVG = "#panel figure svg"
SVG_OF_GOLD = "#panel figure:nth-of-type(1)"
FILLS = "[...e.querySelectorAll('.ground .hue')].map(h => [h.getAttribute('d'), h.classList[1]])"


def test_gold_before_and_after_are_side_by_side_on_one_ground(browser: Browser, paper: str) -> None:
    browser.open(paper, "#ce.A.3.canonical")
    assert browser.each(*PICTURES) == ["Gold", "Before", "After"]
    gold, before, after = browser.each(SVG, FILLS)
    assert gold == before == after
    assert sum(path.count("M") for path, _ in gold) == 27
    assert len({hue for _, hue in gold}) == 6
    assert len(set(browser.each(SVG, "e.getBoundingClientRect().top"))) == 1
    assert (
        browser.each("figure svg[role=img]", "e.ariaLabel")[1]
        == "Before, 9 objects × 3 features: a = {0, 1, 2, 3} × {0, 1, 2}; b = {4…8} × {0, 1, 2}"
    )
    assert browser.each("#panel figure .axis .moves", "e.textContent") == ["4", "4"]


def test_one_feature_is_a_strip_with_the_objects_across(browser: Browser, paper: str) -> None:
    browser.open(paper, "#rnia.A.4.canonical")
    assert browser.each(*PICTURES) == ["Gold", "Before", "After"]
    boxes = browser.each(SVG, "e.getBoundingClientRect().toJSON()")
    assert len({(box["left"], box["width"]) for box in boxes}) == 1
    assert boxes[0]["top"] < boxes[1]["top"] < boxes[2]["top"]
    assert len(browser.each("#panel figure:nth-of-type(3) .letter", "e.textContent")) == 4


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_a_large_case_has_a_column_for_objects_that_are_alike(browser: Browser, width: int, scheme: str) -> None:
    browser.emulate(scheme, width=width)
    browser.open(rendered(samples.large()), "#ce.A.1.canonical")
    axis = "#panel figure:nth-of-type(2) .axis text"
    assert browser.each(axis, "e.textContent") == ["40", "1", "59", "37×1"]
    assert browser.each("#panel figure:nth-of-type(3) .letter", "e.textContent") == ["a′", "d", "b", "c*"]
    boxes = browser.each(axis, "e.getBoundingClientRect().toJSON()")
    assert all(one["right"] <= other["left"] for one, other in pairwise(boxes)), "two numbers run into each other"
    assert boxes[-1]["right"] <= width
    assert "37×1: 37 times 1; c*: one each time" in browser.text("#panel")


def test_overlap_is_visible(browser: Browser, paper: str) -> None:
    """In a matrix, two biclusters on the same cells have an outline each, one inside the other, and a letter each."""
    browser.open(paper, "#ce.A.5.repeated")
    outlines = browser.each("#panel figure:nth-of-type(2) .outline", "Number(e.getAttribute('width'))")
    assert len(outlines) == 3
    assert len(set(outlines)) == 2


OVERLAPPING = metaeval.Biclustering.lifted([{0, 1}, {1, 2}, {0, 2}])


def of_overlapping_clusters() -> dict[str, Any]:
    """A counterexample of clusterings that overlap: the classes, a cluster of all objects, and its two parts."""
    whole, parts = (metaeval.Biclustering.lifted(some) for some in ([{0, 1, 2}], [{0}, {1, 2}]))
    results = samples.frame(("ce",), ("A.1",))
    found = samples.certificate("ce", "A.1", "overlapping", (whole, OVERLAPPING), (parts, OVERLAPPING))
    results["cells"] = [samples.cell("ce", "A.1", "overlapping", "violated", certificate=found)]
    return results


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_clusters_that_overlap_have_a_lane_each(browser: Browser, width: int, scheme: str) -> None:
    browser.emulate(scheme, width=width)
    browser.open(rendered(of_overlapping_clusters()), "#ce.A.1.overlapping")
    box = "[e.getBoundingClientRect().top, e.getBoundingClientRect().bottom, e.getBoundingClientRect().left]"
    tops = browser.each("#panel figure:nth-of-type(1) .outline", box)
    # The third class has its first object in front of the other one's.
    lanes = sorted({(top, bottom) for top, bottom, _ in tops})
    assert len(lanes) == 3
    assert all(bottom <= top for (_, bottom), (top, _) in pairwise(lanes))
    assert len(set(map(tuple, tops))) == 4
    letters = browser.each("#panel figure:nth-of-type(1) .letter", f"[e.textContent, ...{box}]")
    assert Counter(text for text, *_ in letters).keys() == set("ABC")
    # Each letter stands in the lane of its class alone.
    assert all(sum(low <= (top + bottom) / 2 <= high for low, high in lanes) == 1 for _, top, bottom, _ in letters)
    assert browser.js("return document.documentElement.scrollWidth <= innerWidth")


def _tree(svg: str) -> Any:
    """An SVG file to the order of attributes and the space between elements."""

    def plain(node: ElementTree.Element) -> Any:
        return node.tag, dict(node.attrib), (node.text or "").strip(), [plain(child) for child in node]

    return plain(ElementTree.fromstring(svg))


@pytest.mark.parametrize(("sample", "measure", "condition", "reading", "file"), [
    (samples.paper_sized, "ce", "A.3", "canonical", "ce-A3c.svg"),
    (samples.paper_sized, "ce", "A.5", "repeated", "ce-A5r.svg"),
    (of_overlapping_clusters, "ce", "A.1", "overlapping", "ce-A1o.svg"),
    (samples.large, "ce", "A.1", "canonical", "ce-A1c.svg"),
])  # fmt: skip
def test_the_page_saves_the_picture_that_explain_writes(
    browser: Browser, sample: Callable[[], dict[str, Any]], measure: str, condition: str, reading: str, file: str,
    tmp_path: Path,
) -> None:  # fmt: skip
    """Two writers, in JavaScript and a template, of one drawing."""
    results, wanted, folder = tmp_path / "results.json", tmp_path / "wanted.svg", tmp_path / "saved"
    results.write_text(json.dumps(sample()))
    asked = ("explain", f"{measure}/{condition}/{reading}", "--results", str(results), "--svg", str(wanted))
    assert run_inside(*asked).code == 0
    browser.cdp("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
    browser.open(rendered(sample()), f"#{measure}.{condition}.{reading}")
    browser.click("#panel .below .button")
    browser.wait_for((folder / file).exists)
    saved = (folder / file).read_text(encoding="utf-8")
    assert _tree(saved) == _tree(wanted.read_text(encoding="utf-8"))
    assert len(_tree(saved)[3]) > 5


def many_classes() -> str:
    """A page with a case of eleven classes, nine of them of one object."""
    results = samples.frame(("ce",), ("A.2",))
    gold = [{row} for row in range(9)] + [{9, 10}, {11, 12}]
    families = metaeval.Biclustering.lifted(gold), metaeval.Biclustering.lifted([*gold[:-1], {11}, {12}])
    found = samples.certificate("ce", "A.2", "canonical", families[::-1], (families[0], families[0]))
    results["cells"] = [samples.cell("ce", "A.2", "canonical", "violated", certificate=found)]
    return rendered(results)


LUMINANCE = """
const rgb = colour => colour.match(/[0-9.]+/g).slice(0, 3).map(Number);
const luminance = colour => colour.map(c => (c /= 255) <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
  .reduce((sum, c, at) => sum + c * [.2126, .7152, .0722][at], 0);
"""
LETTERS = (
    LUMINANCE
    + """
const ink = luminance(rgb(getComputedStyle(document.querySelector("#panel .letter")).fill));
const card = rgb(getComputedStyle(document.querySelector("#panel")).backgroundColor);
return [...document.querySelectorAll("#panel .hue")].map(e => {
  const style = getComputedStyle(e), thin = Number(style.fillOpacity);
  const seen = luminance(rgb(style.fill).map((c, at) => thin * c + (1 - thin) * card[at]));
  return (Math.max(ink, seen) + .05) / (Math.min(ink, seen) + .05);
});
"""
)


def test_colours_are_not_used_twice_and_letters_are_read_on_them(browser: Browser) -> None:
    """With more classes than colours, the rest is grey, and the page says so."""
    browser.open(many_classes(), "#ce.A.2.canonical")
    hues = browser.each(SVG, FILLS)[0]
    assert len({hue for *_, hue in hues}) == 7
    # The two pairs and five of the nine single objects.
    assert sum(path.count("M") for path, _ in hues) == 9
    assert [path.count("M") for path in browser.each(f"{SVG_OF_GOLD} .no-hue", "e.getAttribute('d')")] == [4]
    assert "4 of 11 classes are grey" in browser.text("#panel")
    assert "11 of one object each, {0…8, 11, 12}." in browser.text("#panel")
    for scheme in ("light", "dark"):
        browser.emulate(scheme=scheme)
        found = browser.js(LETTERS)
        assert len(set(found)) == 7
        assert min(found) >= 4.5


def test_a_cell_that_holds_says_what_was_tried_and_shows_its_narrowest_pass(browser: Browser, paper: str) -> None:
    browser.open(paper, "#mocice.A.1.canonical")
    assert "1,432 cases tried; every case with at most 5 objects was tried (1,232)." in browser.text("#panel")
    assert browser.count("#panel figure") == 0
    browser.open(rendered(samples.with_passes()), "#mocice.A.3.canonical")
    assert browser.text(".sentence").startswith("After the move, the score should rise; it rose by 0.")
    panel = browser.text("#panel").replace("/", "").replace("\n", "")
    for score in samples.with_passes()["cells"][0]["narrowest"]["scores"].values():
        assert score["exact"].replace("/", "") in panel
    assert browser.count("#panel figure svg") == 3


@pytest.mark.parametrize("width", [1400, 390])
def test_a_cell_that_is_proved_shows_its_proof(browser: Browser, width: int) -> None:
    browser.emulate(width=width)
    browser.open(rendered(samples.with_proofs()), "#mocice.A.2.canonical")
    assert re.sub(r"\s+", " ", browser.text("#panel .verdict")) == "∎ proved"
    assert browser.text("#panel .proof h3") == "Proof, for all sizes"
    shown = " ".join(browser.text("#panel .proof").split())
    for _, text in proof_facts(Proof.from_json(samples.proof())):
        assert " ".join(text.split()) in shown
    assert "Proved under this reading" in browser.text("#panel .claim")
    assert "1,432 cases tried" in browser.text("#panel")
    # The whole proof can be saved and checked by somebody else.
    script = "return JSON.parse([...document.querySelectorAll('#panel details code')].at(-1).textContent)"
    assert browser.js(script) == Results.from_json(samples.with_proofs()).cell("mocice", "A.2").to_json()["proof"]
    assert browser.js("return document.documentElement.scrollWidth") <= width
    browser.go("#mocice.A.2.literal")
    assert browser.count("#panel .proof") == 0
    assert "Not proved: The signs do not show that the score rises." in browser.text("#panel")


def test_every_condition_has_a_drawn_example(browser: Browser) -> None:
    browser.open(rendered(samples.with_passes()))
    browser.js("document.querySelectorAll('details.more').forEach(e => { e.open = true; })")
    conditions = list(samples.with_passes()["conditions"])
    assert browser.each("[data-example]:has(svg)", "e.dataset.example") == conditions


def test_ranking(browser: Browser, paper: str) -> None:
    """The page ranks as the command line does."""
    browser.open(paper)
    browser.click("#ask")
    report = reports.build(Results.from_json(samples.paper_sized()))
    names = {row.id: row.described.name for row in report.measures}
    everything = [column.id for column in report.conditions]
    for conditions in (everything, [id for id in everything if id not in ("A.1", "B.3")]):
        shown = browser.each("#ranking li", "e.innerText.split('\\n')")
        for line, row in zip(shown, ranking(report, conditions, ["canonical"]), strict=True):
            assert line[1:3] == [names[row.measure], f"{len(row.satisfied)} of {sum(map(len, row[1:]))}"]
            broken = ", ".join(entry.condition for entry in row.broken)
            assert line[3] == (f"violates {broken}" if broken else "satisfies all of them")
        for id in ("A.1", "B.3"):
            browser.tick(f'input[name="choose"][value="{id}"]')
    fragment = browser.js("return location.hash")
    browser.open(paper, fragment)
    assert browser.js("return document.querySelectorAll('input[name=choose]:checked').length") == 10
    browser.click("#ranking li:last-child a")
    assert browser.count("#panel") == 1
    assert browser.count("#ranking") == 1


def test_the_command_for_a_measure_of_one_s_own_names_its_file(browser: Browser) -> None:
    results = samples.paper_sized(("ce",))
    results["measures"]["ce"]["target"] = "measures.py:mine --smaller-is-better"
    browser.open(rendered(results), "#ce.A.3.canonical")
    commands = browser.each("#panel pre", "e.textContent")
    assert commands[0].startswith("metaeval check measures.py:mine --condition A.3 ")
    assert commands[0].endswith(" --smaller-is-better")
    assert "from measures import mine  # measures.py" in commands[1]


def test_keyboard(browser: Browser, paper: str) -> None:
    browser.open(paper)
    assert browser.js("return document.querySelectorAll('#grid td[tabindex=\"0\"]').length") == 1
    browser.js('document.querySelector("#grid td").focus()')
    assert browser.focus == "ce.A.1.canonical"
    browser.press(Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    assert browser.focus == "ce-multiset.A.2.canonical"
    browser.press(Keys.END)
    assert browser.focus == "ce-multiset.B.5.canonical"
    browser.press(Keys.HOME, Keys.ARROW_UP, Keys.ARROW_UP, Keys.ARROW_LEFT)
    assert browser.focus == "ce.A.1.canonical"
    browser.press(Keys.ENTER)
    assert browser.focus == "panel"
    assert "CE" in browser.text("#panel-title")
    browser.press(Keys.ESCAPE)
    assert browser.focus == "ce.A.1.canonical"
    assert browser.count("#panel") == 0
    # An open panel follows the arrows.
    browser.click(cell("ce.A.1.canonical"))
    browser.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert browser.fragment == "#rnia.A.1.canonical"
    assert browser.text("#panel-title") == "RNIA"
    assert browser.js("return document.querySelector('[aria-selected]').dataset.key") == "rnia.A.1.canonical"


def test_permalinks(browser: Browser, paper: str) -> None:
    browser.open(paper, "#mocice.B.1.literal")
    assert browser.text("#panel-title") == "MOCICE-BCubed F₁"
    assert "Refuted" in browser.text("#panel .claim")
    browser.open(paper, "#no.such.cell%")
    assert browser.count("#panel") == 0
    browser.click(cell("ce.A.1.canonical"))
    browser.back()
    browser.wait_for(lambda: browser.count("#panel") == 0)
    # A cell that the first view hides is shown with all readings.
    browser.go("#rand.A.4.literal")
    assert browser.count(cell("rand.A.4.literal")) == 1
    assert browser.fragment == "#rand.A.4.literal?reading=all"


def test_filters(browser: Browser, paper: str) -> None:
    browser.open(paper, "#?reading=all")
    browser.click("#toggle")
    assert browser.text("#count") == "290 cells"
    browser.click('input[name="reading"][value="literal"]')
    assert browser.count('#grid td[data-reading="literal"]') == 0
    assert browser.js('return document.querySelector("th[data-condition=\\"A.1\\"]").colSpan') == 2
    browser.click('input[name="family"][value="A"]')
    assert browser.count('#grid [data-condition="A.1"]') == 0
    assert browser.count("#grid th.condition") == 5
    browser.click("#clear")
    assert browser.text("#count") == "100 of 290 cells"
    browser.click("[data-preset=all]")
    browser.click('input[name="verdict"][value="holds"]')
    assert browser.text("#count") == "85 of 290 cells"
    assert browser.count('#grid tr[data-measure="cice"]') == 0
    browser.click("#refuted")
    assert browser.keys == ["mocice.B.1.literal", "mocice.B.1.overlapping"]
    # Free text filters measures, and an empty answer says so.
    browser.open(paper, "#?reading=all")
    browser.click("#toggle")
    browser.click("#search")
    browser.press(*"bcubed f")
    assert browser.count("#grid tbody tr") == 3
    browser.press(*"zzz")
    assert browser.count("#grid") == 0
    assert "Nothing matches." in browser.text("#nothing")
    assert browser.text("#count") == "0 of 290 cells"


def test_markup_in_names_does_nothing(browser: Browser, hostile: str) -> None:
    browser.open(hostile)
    for key in browser.js('return [...document.querySelectorAll("td[data-key]")].map(e => e.dataset.key)'):
        browser.go("#" + quote(key, safe=""))
        assert browser.fragment in (f"#{key}", f"#{key}?reading=all")
        assert browser.js("return document.querySelector('[aria-selected]').dataset.key") == key
    assert browser.js("return document.title") == "Compliance matrix · metaeval"
    assert browser.js("return document.querySelectorAll('img, #panel script').length") == 0
    assert browser.js("return document.querySelector('tbody th .name').textContent") == samples.MARKUP


def test_the_policy_stops_a_handler_even_if_markup_got_in(session: Browser, hostile: str) -> None:
    session.emulate()
    session.open(hostile)
    session.js("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.title=1\">')")
    session.js("return new Promise(done => setTimeout(done, 100))")
    assert session.js("return document.title") == "Compliance matrix · metaeval"
    assert session.logs("browser")  # the refusals


def test_theme(browser: Browser, paper: str) -> None:
    background = "return getComputedStyle(document.body).backgroundColor"
    browser.open(paper)
    light = browser.js(background)
    browser.emulate(scheme="dark")
    dark = browser.js(background)
    assert light != dark
    browser.click("#theme")
    assert (browser.text("#theme-name"), browser.js(background)) == ("Light", light)
    browser.emulate(scheme="light")
    browser.click("#theme")
    assert (browser.text("#theme-name"), browser.js(background)) == ("Dark", dark)
    browser.open(paper)
    assert browser.js(background) == dark
    browser.click("#theme")
    assert browser.text("#theme-name") == "System"


CONTRAST = (
    LUMINANCE
    + """
return [...document.querySelectorAll("td[data-key] .tile")].map(tile => {
  const style = getComputedStyle(tile);
  const [a, b] = [style.color, style.backgroundColor].map(one => luminance(rgb(one))).sort((x, y) => y - x);
  return (a + .05) / (b + .05);
});
"""
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_symbol_stands_out_from_its_tile(browser: Browser, scheme: str) -> None:
    browser.emulate(scheme=scheme)
    browser.open(rendered(samples.every_verdict()))
    assert min(browser.js(CONTRAST)) >= 4.5


#: What sticks out of the matrix to the right, and texts that are cut.
CLIPPED = """
const scroller = document.querySelector('#scroller'), edge = scroller.getBoundingClientRect().right;
const out = scroller.scrollWidth > scroller.clientWidth ? ['the matrix'] : [];
const cut = [...document.querySelectorAll('#grid .name, #grid .id, #grid .total, .preset')]
  .filter(e => e.checkVisibility() && (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline'));
return [...out, ...cut.map(e => e.innerText)];
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 1400])
def test_nothing_is_clipped_on_a_desktop(browser: Browser, width: int, scheme: str) -> None:
    page = (Path(__file__).parents[1] / "docs" / "compliance.html").read_text(encoding="utf-8")
    browser.emulate(scheme=scheme, width=width)
    for fragment in ("", "#?reading=all", "#e4sc.A.4.canonical"):
        browser.open(page, fragment)
        assert browser.js(CLIPPED) == [], fragment
        assert browser.js("return document.documentElement.scrollWidth") <= width
    # With the panel open, every cell of the canonical matrix can still be clicked.
    browser.click(cell("cice.B.5.canonical"))
    assert browser.text("#panel-title") == "CICE-BCubed F₁"
    panel, last = (browser.js(f"return document.querySelector('{one}').getBoundingClientRect().toJSON()")
                   for one in ("#panel", "#grid td.total"))  # fmt: skip
    assert last["right"] <= panel["left"]
    assert panel["right"] <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_narrow_screens_and_print(browser: Browser, paper: str, scheme: str) -> None:
    browser.emulate(scheme=scheme, width=390, height=844)
    browser.open(paper)
    assert browser.js("return document.documentElement.scrollWidth") <= 390
    assert browser.js("return document.querySelector('#grid').getBoundingClientRect().top") < 422
    browser.click("#toggle")
    assert browser.count("#filters") == 1
    browser.click("#toggle")
    browser.click(cell("ce.A.1.canonical"))
    assert browser.js("return document.querySelector('#panel').getBoundingClientRect().width") == 390
    assert browser.js("return document.querySelector('#panel').scrollWidth") <= 390
    assert browser.focus == "panel"
    browser.click("#close")
    browser.click("#ask")
    assert browser.count("#ranking li") == 10
    assert browser.js("return document.documentElement.scrollWidth") <= 390
    # On paper, tools are left out.
    browser.open(paper, "#ce.A.3.canonical")
    browser.emulate(media="print", width=1016)
    assert browser.count("#filters, #presets, #theme, .tools") == 0
    assert browser.count("#panel") == 1
    assert browser.js("return document.documentElement.scrollWidth") <= 1016


def test_screen_readers(browser: Browser, paper: str) -> None:
    browser.open(paper)
    browser.click("#toggle")
    tree = browser.cdp("Accessibility.getFullAXTree", {})["nodes"]
    named = {(node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree if "role" in node}
    assert ("grid", "Measures by conditions and readings") in named
    assert ("gridcell", "CE, A.1 Homogeneity, canonical: violated; claimed: violates, confirmed") in named
    assert ("searchbox", "Measure") in named
    assert ("button", "Sort rows by how many cells are satisfied") in named
    assert {role for role, _ in named} >= {"rowheader", "columnheader", "search"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_no_measure_can_satisfy_is_marked(browser: Browser, scheme: str) -> None:
    results = Results.from_json(samples.paper_sized())
    browser.emulate(scheme)
    browser.open(reports.render(results, "html", survey=contradicting_survey()), "#?reading=all")
    heads = browser.each(".reading:has(sup)", "e.dataset.condition")
    assert heads == ["A.3", "B.1", "B.2", "B.4"]
    style = "getComputedStyle(e.firstElementChild, '::before').content === '\"‡\"' && e.dataset.condition"
    marked = [id for id in browser.each("td[role=gridcell]", style) if id]
    # The other columns are marked where the measure keeps all others of a contradictory set.
    entries = reports.build(results, survey=contradicting_survey()).entries.values()
    assert Counter(marked) == Counter(entry.condition for entry in entries if entry.mark)
    assert 0 < len(marked) < len(heads) * len(samples.PAPER_MEASURES)
    assert browser.count(".legend .impossible") == len(heads)
    assert browser.count(".together pre") == 2
    assert "the same score on both ends" in browser.text(".together")
    # One reading alone hides the letters, but not where one is marked.
    browser.click("[data-preset=canonical]")
    assert browser.count(".reading sup") == 3
    browser.go("#ce.A.3.canonical")
    assert "no measure can satisfy this at all" in browser.text("#panel")


def test_a_survey_without_contradictions_is_folded(browser: Browser, paper: str) -> None:
    results = Results.from_json(samples.paper_sized())
    browser.open(reports.render(results, "html", survey=survey(["A.1", "B.2"], objects=2)))
    assert browser.count(".together table") == 0
    browser.click(".together summary")
    assert browser.count(".together table") == 2
    assert browser.count("sup.impossible, .impossible") == 0


@pytest.mark.parametrize(
    "kind", ["nothing-changed", "changed", "empty", "no-date", "dated", "no-violations", "only-violations", "huge"]
)
def test_unusual_results(browser: Browser, kind: str) -> None:
    paper = samples.paper_sized()
    old = samples.changed(paper) if kind == "changed" else paper
    page, shown = {
        "nothing-changed": lambda: (rendered(paper, paper), "Nothing changed."),
        "empty": lambda: (rendered(samples.frame()), "The results hold no cells yet."),
        "no-violations": lambda: (rendered(samples.no_violations()), "12 cells: 12 hold"),
        "no-date": lambda: (rendered(samples.no_violations()), "Run with metaeval 0.1.0."),
        "dated": lambda: (
            reports.render(Results.from_json(samples.no_violations()), "html", date="2026-01-31"),
            "Run on 2026-01-31 with metaeval 0.1.0.",
        ),
        "changed": lambda: (rendered(paper, old), "✓"),
        "only-violations": lambda: (rendered(samples.only_violations()), "85 cells: 85 violated"),
        "huge": lambda: (rendered(samples.huge()), "1 cell: 1 violated"),
    }[kind]()
    browser.open(page)
    assert shown in browser.text("body")
    if kind == "changed":  # that alone is shown
        assert (browser.count("td[data-key]"), browser.count("#grid tbody tr")) == (3, 2)
        assert re.sub(r"\s", "", browser.text(cell("ce.A.1.canonical"))) == "✓→✗"
        browser.click(cell("ce.A.1.canonical"))
        assert re.sub(r"\s+", " ", browser.text("#panel .verdict")).startswith("✓ holds → ✗ violated")
    elif browser.count("td[data-key]"):
        browser.click("td[data-key]")
        assert browser.count("#panel") == 1
