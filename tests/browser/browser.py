# SPDX-License-Identifier: GPL-2.0-only
"""A headless Chromium and a page in it; KTAP.

What the page shows is taken from where a person or a screen reader has it: texts, labels,
computed styles, geometry as the browser says it is.
"""
import json
import os
import shutil
import sys
import time
import traceback

from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common import utils
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

SIZES = {"desktop": (1440, 900), "laptop": (1280, 720), "phone": (390, 844)}


class Driver(Service):
    """chromedriver by its address: a debootstrap directory has no /etc/hosts, so no localhost."""

    START_SECONDS = 600  # a bound for a driver that hangs; a busy machine starts it slowly

    @property
    def service_url(self):
        return f"http://127.0.0.1:{self.port}"

    def is_connectable(self):
        return utils.is_connectable(self.port, "127.0.0.1")

    def start(self):
        self._start_process(self.path)
        end = time.monotonic() + self.START_SECONDS
        while not self.is_connectable():
            self.assert_process_still_running()
            assert time.monotonic() < end, f"{self.path} does not listen on port {self.port}"
            time.sleep(0.05)


class Browser:
    """One Chromium for all tests: a new one takes a second. With categories it records a trace of these."""

    def __init__(self, work, categories=""):
        self.work = work
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--lang=en-US",
                         "--disable-dev-shm-usage", "--force-color-profile=srgb",
                         "--no-first-run", "--disable-background-networking",
                         # a pipe, because chromedriver looks for a port of localhost otherwise
                         "--remote-debugging-pipe",
                         f"--user-data-dir={work}/profile"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        if categories:
            options.add_experimental_option("perfLoggingPrefs", {"traceCategories": categories})
        self.driver = webdriver.Chrome(service=Driver(shutil.which("chromedriver")),
                                       options=options)
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior",
                                    {"behavior": "allow", "downloadPath": work})
        self.page = None
        self.driver.get("about:blank")
        self.complaints()  # of what it opened by itself

    def quit(self):
        self.driver.quit()

    def media(self, size="desktop", dark=False, still=False, kind=""):
        width, height = SIZES[size]
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"})
        self.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled",
                                    {"enabled": size == "phone"})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": kind, "features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}]})

    def open(self, page, address="", still=True, **media):
        """Load a page anew; without motion unless a test is of motion."""
        self.media(still=still, **media)
        self.page = os.path.join(self.work, page)
        self.driver.get("about:blank")
        self.driver.get(f"file://{self.page}{address}")
        self.js("try { localStorage.clear(); } catch (e) { }")
        self.wait("document.documentElement.dataset.ready")
        self.rest()

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition, *arguments, seconds=120):
        end = time.monotonic() + seconds
        while not self.js(f"return !!({condition})", *arguments):
            assert time.monotonic() < end, f"never came true: {condition}"
            time.sleep(0.01)

    def rest(self):
        """Until the chart stands still."""
        self.wait("!document.querySelector('.moving')")

    def press(self, *keys):
        actions = ActionChains(self.driver, duration=0)
        for key in keys:
            actions.send_keys(key)
        actions.perform()
        self.rest()

    def click(self, element):
        ActionChains(self.driver, duration=0).move_to_element(element).click().perform()
        self.rest()

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.js("return document.querySelector(arguments[0]).innerText", selector).replace("\n\n", "\n")

    def address(self):
        return self.js("return decodeURIComponent(location.hash) || '#'")

    def focused(self):
        return self.js("const e = document.activeElement; return e.getAttribute('aria-label') || "
                       "e.id || e.innerText || e.value")

    def cells(self):
        """What is drawn: label, level, and a number to click it by."""
        return self.js("""return [...document.querySelectorAll('#svg [role=treeitem]')].map((e, i) =>
            ({ at: i, label: e.getAttribute('aria-label'), level: +e.getAttribute('aria-level'),
               dim: e.classList.contains('dim') }))""")

    def cell(self, start):
        for cell in self.cells():
            if cell["label"].startswith(start):
                return cell
        raise AssertionError(f"no cell {start}: {[c['label'] for c in self.cells()][:8]}")

    def point_in(self, cell):
        """A point of the window that is inside a cell, or on its name, and in no other."""
        return self.js("""
            const e = document.querySelectorAll('#svg [role=treeitem]')[arguments[0]];
            e.scrollIntoView({ block: 'center' });
            const b = e.getBoundingClientRect();
            for (let n = 2; n < 40; n++)
                for (let i = 1; i < n; i++)
                    for (let j = 1; j < n; j++) {
                        const x = Math.round(b.left + b.width * i / n), y = Math.round(b.top + b.height * j / n);
                        if (document.elementFromPoint(x, y)?.cell === e.cell)
                            return [x, y];
                    }
            return null""", cell["at"])

    def click_cell(self, start):
        cell = self.cell(start)
        x, y = self.point_in(cell)
        actions = ActionChains(self.driver, duration=0)
        actions.w3c_actions.pointer_action.move_to_location(x, y)
        actions.w3c_actions.pointer_action.click()
        actions.perform()
        self.rest()

    def shift_click_cell(self, start):
        x, y = self.point_in(self.cell(start))
        for kind in "mousePressed", "mouseReleased":
            self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {
                "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1, "modifiers": 8})
        self.rest()

    def hover_cell(self, start):
        x, y = self.point_in(self.cell(start))
        actions = ActionChains(self.driver, duration=0)
        actions.w3c_actions.pointer_action.move_to_location(x, y)
        actions.perform()

    def all_rows(self):
        """Also those of zero, which a button shows."""
        for button in self.driver.find_elements(By.CSS_SELECTOR, "button.more"):
            if button.text.endswith("of zero"):
                self.js("arguments[0].click()", button)

    def table(self):
        """Rows of the table as lists of texts, the heading first, the sum last."""
        return self.js("""return [...document.querySelectorAll('#table tr')].map((row) =>
            [...row.cells].map((cell) => cell.innerText.trim()))""")

    def traced(self):
        """Events of Chromium's trace since the last call."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [message["params"] for message in messages if message["method"] == "Tracing.dataCollected"]

    def complaints(self):
        """Errors of the console, and requests for anything but the page itself."""
        bad = [entry["message"] for entry in self.driver.get_log("browser")]
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] != "Network.requestWillBeSent":
                continue
            url = message["params"]["request"]["url"].split("#")[0]
            if not url.startswith((f"file://{self.work}/", "about:", "chrome", "data:,", "blob:")):
                bad.append(f"request of {url}")
        return bad


class Ktap:
    """Results as tests/check.sh counts them."""

    def __init__(self, tests):
        self.tests, self.failed = tests, 0

    def run(self, browser):
        print(f"KTAP version 1\n1..{len(self.tests)}", flush=True)
        for number, (name, test) in enumerate(self.tests, 1):
            why, begin = "", time.monotonic()
            try:
                test(browser)
                bad = browser.complaints()
                assert not bad, f"the browser says: {bad[:3]}"
            except Exception:  # whatever it is, it is this test's failure
                why = traceback.format_exc()
                self.failed += 1
            print(f"{'not ok' if why else 'ok'} {number} {name}", flush=True)
            print(f"# {time.monotonic() - begin:.1f} s")
            for line in [at for at in why.splitlines() if "<unknown>" not in at][-12:]:
                print(f"# {line}")
        return 1 if self.failed else 0


def fail(text):
    print(f"1..1\nnot ok 1 {text}")
    sys.exit(1)
