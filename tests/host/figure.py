#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""A page of a picture and its table (view/page/figure.h), read by Python's HTML parser.

	figure.py PAGE

Prints the table's rows, cells separated by tabs, the head first. Fails if an element is not
closed, if there is a script or anything that is loaded, or if there is not one heading and
one picture with a name.
"""
import html.parser
import sys

VOID = {"meta", "br", "rect", "path"}
ALONE = {"src", "href", "srcset", "action", "data", "poster"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.counts, self.rows, self.policy = [], {}, [], None
        self.names = set()

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.counts[tag] = self.counts.get(tag, 0) + 1
        assert tag not in ("script", "link", "img", "iframe", "image", "use"), tag
        assert not any(name in ALONE or name.startswith("on") for name in attrs), (tag, attrs)
        if attrs.get("http-equiv") == "Content-Security-Policy":
            self.policy = attrs["content"]
        if tag == "svg":
            assert attrs["role"] == "img"
            self.names = set(attrs["aria-labelledby"].split())
        self.names.discard(attrs.get("id"))
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag not in VOID or tag in ("path", "rect"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        # an element of SVG without content closes itself
        while self.open and self.open[-1] in ("path", "rect") and tag != self.open[-1]:
            self.open.pop()
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        assert "http:" not in data and "url(" not in data, data
        if self.open and self.open[-1] in ("td", "th"):
            self.rows[-1][-1] += data


def main():
    page = Page()
    with open(sys.argv[1], encoding="utf-8") as f:
        page.feed(f.read())
    page.close()
    assert not page.open, page.open
    assert page.policy == "default-src 'none'; style-src 'unsafe-inline'", page.policy
    assert page.counts["h1"] == page.counts["svg"] == page.counts["table"] == 1, page.counts
    assert not page.names, page.names
    for row in page.rows:
        assert len(row) == len(page.rows[0]), row
        print("\t".join(row))


main()
