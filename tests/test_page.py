"""The page in a real headless browser, driven by Selenium."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
import results_samples as samples
from selenium.webdriver import ActionChains, Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from metaeval import reports
from metaeval.evidence.results import Results

#: As in docs/picture.py: no window, and nothing that asks the network.
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

#: The listener is added last, so the page has followed the new fragment when it is called.
GO = """
const [fragment, done] = arguments;
if (location.hash === fragment) return done();
addEventListener("hashchange", () => done(), {once: true});
location.hash = fragment;
"""


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
    assert browser.count("#grid td") == 290
    messages = [json.loads(entry["message"])["message"] for entry in browser.logs("performance")]
    asked = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    assert asked
    assert all(url.startswith(("file:", "data:", "about:")) for url in asked)


def test_a_click_shows_the_evidence(browser: Browser, paper: str) -> None:
    browser.open(paper)
    assert browser.count("#panel") == 0
    browser.click(cell("ce.A.3.canonical"))
    panel = browser.text("#panel")
    for part in ("One foreign object does more harm", "Gold and candidates are partitions", "5/9", "0.555556",
                 "right − left", "Claimed: violates. Confirmed", "strictly lower", "metaeval verify results.json",
                 "57 of 1,432 cases broke it", "all cases up to 5 objects"):  # fmt: skip
        assert part in panel
    assert (
        browser.js('return [...document.querySelectorAll("figure b:first-child")].map(e => e.innerText)')[0]
        == "Gold standard"
    )
    assert browser.count("figure svg[role=img]") == 3
    labels = browser.js('return [...document.querySelectorAll("figure svg[role=img]")].map(e => e.ariaLabel)')
    assert (
        labels[1] == "Left candidate, 9 objects × 3 features: a = {0, 1, 2, 3} × {0, 1, 2}; b = {4…8} × {0, 1, 2}"
    )
    # One object changes hands: three cells on each side, drawn with a ring.
    assert browser.js('return document.querySelectorAll("figure .moved:not(.under)").length') == 6
    assert browser.fragment == "#ce.A.3.canonical"
    browser.click("#close")
    assert browser.count("#panel") == 0
    assert browser.fragment == ""


def test_overlap_is_visible(browser: Browser, paper: str) -> None:
    """A cell of two biclusters is drawn in both colours."""
    browser.open(paper, "#ce.A.5.repeated")
    fills = browser.js(
        "return [...document.querySelectorAll('figure:nth-of-type(2) svg.drawing > g rect[fill^=\"#\"]')]"
        ".map(e => [e.getAttribute('fill'), e.getAttribute('width')])"
    )
    assert {colour for colour, width in fills if width == "14"} == {"#0072b2", "#009e73"}


def test_a_cell_that_holds_says_what_was_tried(browser: Browser, paper: str) -> None:
    browser.open(paper, "#mocice.A.1.canonical")
    assert "1,432 cases tried; all cases up to 5 objects were among these (1,232)." in browser.text("#panel")
    assert "every case tried keeps the demand" in browser.text("#panel")
    assert browser.count("figure") == 0


def test_keyboard(browser: Browser, paper: str) -> None:
    browser.open(paper)
    assert browser.js("return document.querySelectorAll('#grid td[tabindex=\"0\"]').length") == 1
    browser.js('document.querySelector("#grid td").focus()')
    assert browser.focus == "ce.A.1.canonical"
    browser.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
    assert browser.focus == "ce-multiset.A.2.canonical"
    browser.press(Keys.END)
    assert browser.focus == "ce-multiset.B.5.overlapping"
    browser.press(Keys.HOME, Keys.ARROW_UP, Keys.ARROW_UP, Keys.ARROW_LEFT)
    assert browser.focus == "ce.A.1.canonical"
    browser.press(Keys.ENTER)
    assert browser.focus == "panel"
    assert "CE" in browser.text("#panel-title")
    browser.press(Keys.ESCAPE)
    assert browser.focus == "ce.A.1.canonical"
    assert browser.count("#panel") == 0


def test_an_open_panel_follows_the_arrows(browser: Browser, paper: str) -> None:
    browser.open(paper)
    browser.click(cell("ce.A.1.canonical"))
    browser.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert browser.fragment == "#rnia.A.1.canonical"
    assert browser.text("#panel-title") == "RNIA"
    assert browser.js("return document.querySelector('[aria-selected]').dataset.key") == "rnia.A.1.canonical"


def test_permalinks(browser: Browser, paper: str) -> None:
    browser.open(paper, "#mocice.B.1.literal")
    assert browser.text("#panel-title") == "MOCICE-BCubed F₁"
    assert "Refuted" in browser.text("#panel .claim")
    browser.go("#rand.A.4.literal")
    assert browser.text("#panel-title") == "Rand"
    browser.open(paper, "#no.such.cell%")
    assert browser.count("#panel") == 0
    browser.click(cell("ce.A.1.canonical"))
    browser.back()
    browser.wait_for(lambda: browser.count("#panel") == 0)


def test_filters(browser: Browser, paper: str) -> None:
    browser.open(paper)
    assert browser.text("#count") == "290 cells"
    browser.click('input[name="reading"][value="literal"]')
    assert browser.count('#grid td[data-reading="literal"]') == 0
    assert browser.js('return document.querySelector("th[data-condition=\\"A.1\\"]").colSpan') == 2
    browser.click('input[name="family"][value="A"]')
    assert browser.count('#grid [data-condition="A.1"]') == 0
    assert browser.count("#grid th.condition") == 5
    browser.click("#clear")
    browser.wait_for(lambda: browser.text("#count") == "290 cells")
    browser.click('input[name="verdict"][value="holds"]')
    assert browser.text("#count") == "85 of 290 cells"
    assert browser.count('#grid tr[data-measure="cice"]') == 0
    browser.click("#refuted")
    assert browser.text("#count") == "2 of 290 cells"
    assert browser.js(
        'return [...document.querySelectorAll("#grid td")].filter(e => e.checkVisibility())'
        ".map(e => e.dataset.key)"
    ) == [
        "mocice.B.1.literal",
        "mocice.B.1.overlapping",
    ]


def test_free_text_filters_measures_and_an_empty_answer_says_so(browser: Browser, paper: str) -> None:
    browser.open(paper)
    browser.click("#search")
    browser.press(*"bcubed f")
    assert browser.count("#grid tbody tr") == 3
    browser.press(*"zzz")
    assert browser.count("#grid") == 0
    assert "Nothing matches." in browser.text("#nothing")
    assert browser.text("#count") == "0 of 290 cells"


def test_a_permalink_to_a_hidden_cell_clears_the_filters(browser: Browser, paper: str) -> None:
    browser.open(paper)
    browser.click('input[name="reading"][value="literal"]')
    browser.go("#rand.A.4.literal")
    assert browser.count(cell("rand.A.4.literal")) == 1


def test_markup_in_names_does_nothing(browser: Browser, hostile: str) -> None:
    browser.open(hostile)
    for key in browser.js('return [...document.querySelectorAll("td[data-key]")].map(e => e.dataset.key)'):
        browser.go("#" + quote(key, safe=""))
        assert browser.fragment == f"#{key}"
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


CONTRAST = """
const luminance = colour => colour.match(/[0-9.]+/g).slice(0, 3).map(Number)
  .map(c => (c /= 255) <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
  .reduce((sum, c, at) => sum + c * [.2126, .7152, .0722][at], 0);
return [...document.querySelectorAll("td[data-key] .tile")].map(tile => {
  const style = getComputedStyle(tile);
  const [a, b] = [style.color, style.backgroundColor].map(luminance).sort((x, y) => y - x);
  return (a + .05) / (b + .05);
});
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_symbol_stands_out_from_its_tile(browser: Browser, scheme: str) -> None:
    browser.emulate(scheme=scheme)
    browser.open(rendered(samples.every_verdict()))
    assert min(browser.js(CONTRAST)) >= 4.5


def test_narrow_screens(browser: Browser, paper: str) -> None:
    browser.emulate(width=390, height=844)
    browser.open(paper)
    assert browser.js("return document.documentElement.scrollWidth") <= 390
    assert browser.js("return document.querySelector('#grid').getBoundingClientRect().top") < 300
    browser.click("#toggle")
    assert browser.count("#filters") == 1
    browser.click("#toggle")
    browser.click(cell("ce.A.1.canonical"))
    assert browser.js("return document.querySelector('#panel').getBoundingClientRect().width") == 390
    assert browser.js("return document.querySelector('#panel').scrollWidth") <= 390
    assert browser.focus == "panel"


def test_print(browser: Browser, paper: str) -> None:
    browser.open(paper, "#ce.A.3.canonical")
    browser.emulate(media="print", width=1016)
    assert browser.count("#filters, #theme, .tools") == 0
    assert browser.count("#panel") == 1
    assert browser.js("return document.documentElement.scrollWidth") <= 1016


def test_screen_readers(browser: Browser, paper: str) -> None:
    browser.open(paper)
    tree = browser.cdp("Accessibility.getFullAXTree", {})["nodes"]
    named = {(node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree if "role" in node}
    assert ("grid", "Measures by conditions and readings") in named
    assert ("gridcell", "CE, A.1 Homogeneity, canonical: violated; claimed: violates, confirmed") in named
    assert ("searchbox", "Measure") in named
    assert {role for role, _ in named} >= {"rowheader", "columnheader", "search"}


def test_comparison_shows_only_what_changed(browser: Browser) -> None:
    new = samples.paper_sized()
    old = samples.changed(new)
    browser.open(rendered(new, old))
    assert browser.count("td[data-key]") == 3
    assert browser.count("#grid tbody tr") == 2
    assert re.sub(r"\s", "", browser.text(cell("ce.A.1.canonical"))) == "✓→✗"
    browser.click(cell("ce.A.1.canonical"))
    assert re.sub(r"\s+", " ", browser.text("#panel .verdict")).startswith("✓ holds → ✗ violated")


@pytest.mark.parametrize("kind", ["nothing-changed", "empty", "no-violations", "only-violations", "huge"])
def test_unusual_results(browser: Browser, kind: str) -> None:
    paper = samples.paper_sized()
    page, shown = {
        "nothing-changed": lambda: (rendered(paper, paper), "Nothing changed."),
        "empty": lambda: (rendered(samples.frame()), "The results hold no cells yet."),
        "no-violations": lambda: (rendered(samples.no_violations()), "12 cells: 12 hold"),
        "only-violations": lambda: (rendered(samples.only_violations()), "85 cells: 85 violated"),
        "huge": lambda: (rendered(samples.huge()), "1 cell: 1 violated"),
    }[kind]()
    browser.open(page)
    assert shown in browser.text("body")
    if browser.count("td[data-key]"):
        browser.click("td[data-key]")
        assert browser.count("#panel") == 1
