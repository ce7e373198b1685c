#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A profile in speedscope's own page: speedscope.py RELEASE PROFILE PICTURE.

RELEASE is the folder of the page, which has the file PROFILE. The page is served on loopback, and
loads the profile by itself. Fails unless the page names the profile and has drawn something.
"""
import base64
import functools
import http.server
import sys
import tempfile
import threading
import time

from browser import Browser

release, profile, picture = sys.argv[1:]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def colours(driver, png):
    """How many colours a picture has, as the browser reads it."""
    driver.get("about:blank")
    return driver.execute_async_script("""
        const [source, done] = arguments, image = new Image();
        image.onload = () => {
            const canvas = document.createElement("canvas");
            canvas.width = image.width; canvas.height = image.height;
            const context = canvas.getContext("2d");
            context.drawImage(image, 0, 0);
            done(new Set(new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer)).size);
        };
        image.src = source;""", "data:image/png;base64," + base64.b64encode(png).decode())


with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=release)) as server:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as work:
        browser = Browser(work)
        try:
            driver = browser.driver
            driver.set_window_size(1440, 900)
            base = "http://127.0.0.1:%d/" % server.server_address[1]
            driver.get(base + "index.html#profileURL=" + base + profile)
            end = time.monotonic() + 120
            text = ""
            while time.monotonic() < end and "live bytes" not in text:
                time.sleep(0.5)
                text = driver.execute_script("return document.body.innerText")
            time.sleep(3)
            driver.save_screenshot(picture)
            print(text[:400])
            assert "live bytes" in text, "the page does not name the profile"
            with open(picture, "rb") as f:
                nr = colours(driver, f.read())
            print(nr, "colours")
            assert nr > 200, "the page has drawn nothing"
        finally:
            browser.quit()
    server.shutdown()
