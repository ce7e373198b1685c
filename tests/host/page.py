#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What a page holds, by another reader than the page's own script.

    page.py check PAGE          policy, hashes, no way out, data that cannot end its block
    page.py rows PAGE           metric<TAB>kind<TAB>path<TAB>number of each node
    page.py names PAGE          name of each call site
    page.py size PAGE           number of nodes, and of leaves that were gathered
"""
import base64
import hashlib
import html.parser
import json
import re
import sys
import zlib

KINDS = ["root", "dir", "file", "caller", "section", "named", "folded"]
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class Page(html.parser.HTMLParser):
    """Elements with their attributes, and the text of script, style and title."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.texts, self.inside = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag in ("script", "style", "title"):
            self.inside = (tag, dict(attrs), [])

    def handle_data(self, data):
        if self.inside:
            self.inside[2].append(data)

    def handle_endtag(self, tag):
        if self.inside and tag == self.inside[0]:
            self.texts.append((tag, self.inside[1], "".join(self.inside[2])))
            self.inside = None


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    assert text.startswith("<!DOCTYPE html>"), text[:40]
    return Page(text), text


def data_of(page):
    blocks = [t for tag, attrs, t in page.texts if attrs.get("type") == "application/json"]
    assert len(blocks) == 1, len(blocks)
    data = json.loads(blocks[0])
    if "deflate" in data:
        data = json.loads(zlib.decompress(base64.b64decode(data["deflate"], validate=True)))
    return blocks[0], data


def hash_of(text):
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def check(path):
    page, text = read(path)
    policy = next(a["content"] for t, a in page.elements
                  if a.get("http-equiv") == "Content-Security-Policy")
    rules = {rule.split()[0]: rule.split()[1:] for rule in policy.split(";")}
    scripts = [t for tag, a, t in page.texts if tag == "script" and "type" not in a]
    styles = [t for tag, a, t in page.texts if tag == "style"]
    assert rules["default-src"] == ["'none'"], policy
    assert rules["script-src"] == [f"'sha256-{hash_of(t)}'" for t in scripts], "script's hash"
    assert rules["style-src"] == [f"'sha256-{hash_of(t)}'" for t in styles], "style's hash"
    for tag, attrs in page.elements:
        for name, value in attrs.items():
            assert name not in ("src", "srcset", "style", "action"), (tag, name)
            assert not name.startswith("on"), (tag, name)
            assert name != "href" or value.startswith("#"), (tag, value)
    block, _ = data_of(page)
    assert "<" not in block and "\u2028" not in block and "\u2029" not in block
    # innerHTML and the like would make markup of names
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
        assert word not in scripts[0], word
    assert "Redistribution and use in source and binary forms" in text, "d3's licence"


def names_of(data):
    names, last = [], ""
    for code in data["names"].split(","):
        if code.startswith("~"):
            names.append(data["sections"][int(code[1:])])
            continue
        last = last[:DIGITS.index(code[0])] + code[1:]
        name = re.sub(r"\+([0-9a-f]+)/([0-9a-f]+)", r"+0x\1/0x\2", last)
        names.append(re.sub("~[pct]", lambda m: {"~p": "+", "~c": ",", "~t": "~"}[m[0]], name))
    return names


def column_of(text):
    values = []
    for word in text.split(",") if text else []:
        values += [0] * int(word[1:], 36) if word[0] == ":" else [int(word, 36)]
    return values


def metrics_of(data):
    """Columns and sums by name; of a comparison "NAME before" and "NAME after"."""
    metrics = {}
    for metric in data["metrics"]:
        if "before" not in metric:
            metrics[metric["name"]] = metric
            continue
        for side in ("before", "after"):
            own = dict(metric[side])
            if "sum" in own:
                own["sum"] = {f"{part} {side}": sign for part, sign in own["sum"].items()}
            metrics[f"{metric['name']} {side}"] = own
    return metrics


def tree_of(data):
    """Nodes as [kind, name, parent, values by metric, gathered leaves]."""
    shape = [(int(far or 0), DIGITS.index(letter))
             for far, letter in re.findall(r"(?:\((\d+)\))?([0-9A-Za-z])", data["shape"])]
    names, folded = names_of(data), list(data["folded"])
    assert len(shape) == len(names)
    nodes, stack = [], []
    for i, (far, letter) in enumerate(shape):
        up, kind = far + letter // len(KINDS), KINDS[letter % len(KINDS)]
        if i:
            del stack[len(stack) - up:]
        nodes.append({"kind": kind, "name": names[i], "parent": stack[-1] if i else None,
                      "values": {}, "leaf": True, "folded": folded.pop(0) if kind == "folded" else 0})
        if i:
            nodes[stack[-1]]["leaf"] = False
        stack.append(i)
    leaves = [node for node in nodes if node["leaf"]]
    metrics = metrics_of(data)
    for name, numbers in metrics.items():
        if "sum" in numbers:
            continue
        column = column_of(numbers["column"])
        assert len(column) == len(leaves), (name, len(column), len(leaves))
        for node, value in zip(leaves, column):
            node["values"][name] = value
    for node in leaves:
        left = {name: n["sum"] for name, n in metrics.items() if "sum" in n}
        while left:
            ready = [n for n, parts in left.items() if all(part in node["values"] for part in parts)]
            assert ready, "sums of each other"
            for name in ready:
                node["values"][name] = sum(sign * node["values"][part]
                                           for part, sign in left.pop(name).items())
    for node in reversed(nodes[1:]):
        into = nodes[node["parent"]]["values"]
        for name, value in node["values"].items():
            into[name] = into.get(name, 0) + value
    return nodes


def path_of(nodes, node, branch):
    names = []
    while node["parent"] is not None:
        names.insert(0, node["name"] or "[folded]")
        node = nodes[node["parent"]]
    return "/".join(([branch] if branch else []) + names)


def load(path):
    _, data = data_of(read(path)[0])
    return data, tree_of(data)


def main():
    if sys.argv[1] == "check":
        check(sys.argv[2])
        return
    data, nodes = load(sys.argv[2])
    if sys.argv[1] == "size":
        print(len(nodes), sum(node["folded"] for node in nodes))
        return
    if sys.argv[1] == "names":
        print(*(node["name"] for node in nodes if node["kind"] == "caller"), sep="\n")
        return
    for node in nodes:
        for name, value in node["values"].items():
            print(name, node["kind"], path_of(nodes, node, data["branch"]), value, sep="\t")


if __name__ == "__main__":
    main()
