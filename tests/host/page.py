#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What a page holds, by another reader than the page's own script.

    page.py check PAGE          policy, hashes, no way out, data that cannot end its block
    page.py rows PAGE [BY [N]]  metric<TAB>kind<TAB>path<TAB>number of each node, by a key of the
                                page: by the one that the page begins with; at time N of a page
                                of several, of which 0 is the oldest
    page.py times PAGE [BY]     milliseconds, name, events lost, 1 for a new series, of each time of a key
    page.py facts PAGE          name<TAB>text of each fact about the numbers
    page.py keys PAGE           the keys, the first one first
    page.py lines PAGE          name<TAB>FUNCTION FILE:LINE > ... of each call site with a line; the
                                file is ? if it is the one that the call site is below
    page.py names PAGE          name of each call site
    page.py facts PAGE          name<TAB>text of each item of the footer
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
        data = json.loads(zlib.decompress(base64.b85decode(data["deflate"].replace(",", "<"))))
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


LAST, BEFORE = DIGITS + "-_", "!#$%&()*+,./;=?@"


def names_of(data):
    text, offsets, sizes = data["names"]
    places = zip(column_of(offsets), column_of(sizes))
    names, last = [], ""
    for code in text.split(",") if text else []:
        if code.startswith("~"):
            names.append(data["sections"][int(code[1:])])
            continue
        last = last[:DIGITS.index(code[0])] + code[1:]
        name = re.sub(r"\+", lambda _: "+0x%x/0x%x" % next(places), last)
        names.append(re.sub("~[pct]", lambda m: {"~p": "+", "~c": ",", "~t": "~"}[m[0]], name))
    assert next(places, None) is None, "more offsets than names"
    return names


def number_of(text):
    value = 0
    for letter in text[:-1]:
        value = value * 16 + BEFORE.index(letter)
    return value * 64 + LAST.index(text[-1])


def column_of(text):
    values, words = [], re.findall("(:?)([%s]*[%s])" % (re.escape(BEFORE), re.escape(LAST)), text)
    assert "".join(zeros + word for zeros, word in words) == text, text[:80]
    for zeros, word in words:
        values += [0] * number_of(word) if zeros else [number_of(word)]
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
    fill(nodes, [node for node in nodes if node["leaf"]], data)
    return nodes


def fill(nodes, leaves, data):
    """The numbers of the leaves, in their order, and the sums of all others."""
    metrics = metrics_of(data)
    rests = {}
    for name, numbers in metrics.items():
        if "column" not in numbers:
            continue
        column = numbers["column"]
        if isinstance(column, str):
            column = column_of(column)
        assert len(column) == len(leaves), (name, len(column), len(leaves))
        if "sum" in numbers:
            rests[name] = column
            continue
        for node, value in zip(leaves, column):
            node["values"][name] = value
    for i, node in enumerate(leaves):
        left = {name: n["sum"] for name, n in metrics.items() if "sum" in n}
        while left:
            ready = [n for n, parts in left.items() if all(part in node["values"] for part in parts)]
            assert ready, "sums of each other"
            for name in ready:
                node["values"][name] = sum(sign * node["values"][part] for part, sign in left.pop(name).items())
                node["values"][name] += rests[name][i] if name in rests else 0
    for node in reversed(nodes[1:]):
        into = nodes[node["parent"]]["values"]
        for name, value in node["values"].items():
            into[name] = into.get(name, 0) + value


def grouped(data, group):
    """The leaves of the first tree below their groups, by paths: no two nodes of a group and a
    directory are alike, whatever the order."""
    base, names, of = tree_of(data), names_of({"names": group["names"], "sections": []}), column_of(group["of"])
    nodes = [{"kind": "root", "name": "", "parent": None, "values": {}, "leaf": False, "folded": 0}]
    places, leaves = {}, [node for node in base if node["leaf"]]
    assert len(of) == len(leaves), (len(of), len(leaves))
    made = []
    for leaf, number in zip(leaves, of):
        chain, node = [], leaf
        while node["parent"] is not None:
            chain.insert(0, node)
            node = base[node["parent"]]
        at, path = 0, (names[number],)
        for step, node in enumerate([{"kind": "dir", "name": names[number], "folded": 0}] + chain):
            path += (node["name"],) if step else ()
            last = node is leaf
            if last or path not in places:
                nodes.append({"kind": node["kind"], "name": node["name"], "parent": at, "values": {},
                              "leaf": last, "folded": node["folded"]})
                places[path] = len(nodes) - 1
            at = places[path]
        made.append(nodes[at])
    fill(nodes, made, data)
    return nodes


def lines_of(data):
    """(call site, [frames from the outer one to the inner one]) of each leaf with a line."""
    if "lines" not in data:
        return
    lines = data["lines"]
    files, functions = ([None] + names_of({"names": lines[key], "sections": []}) for key in ("files", "functions"))
    chains, sites = ({name: column_of(text) for name, text in lines[key].items()} for key in ("chains", "sites"))
    leaves = [node for node in tree_of(data) if node["leaf"]]
    assert len(leaves) == len(sites["line"]), (len(leaves), len(sites["line"]))
    for i, leaf in enumerate(leaves):
        if not sites["line"][i]:
            continue
        own = leaf["name"].split("+0x")[0].split(" ")
        frames = [f"{functions[sites['function'][i]] or own[-1]} {files[sites['file'][i]] or '?'}:{sites['line'][i]}"]
        at = sites["next"][i]
        while at:
            frames.append(f"{functions[chains['function'][at]]} {files[chains['file'][at]]}:{chains['line'][at]}")
            at = chains["next"][at]
        yield leaf["name"], frames


def path_of(nodes, node, branch):
    names = []
    while node["parent"] is not None:
        names.insert(0, node["name"] or "[folded]")
        node = nodes[node["parent"]]
    return "/".join(([branch] if branch else []) + names)


def keys_of(data):
    return [data["main"]["by"]] + [key["by"] for key in data["groups"] + data["trees"]]


def turn_back(data, at):
    """The columns at an earlier time in place of the newest ones."""
    for metric in data["metrics"]:
        if "column" not in metric:
            continue
        column = column_of(metric["column"])
        assert len(metric["back"]) == len(data["times"]) - 1
        for text in metric["back"][:len(data["times"]) - 1 - at]:
            steps = column_of(text)
            assert len(steps) == len(column)
            column = [value + (-(step + 1) // 2 if step % 2 else step // 2) for value, step in zip(column, steps)]
        assert min(column) >= 0, "a negative number"
        metric["column"] = column


def load(path, by=None, at=None):
    _, data = data_of(read(path)[0])
    by = by or data["by"]
    own = tree_by(data, by)
    if at is not None:
        turn_back(own, int(at))
    for group in data["groups"]:
        if group["by"] == by:
            return data, grouped(data, group)
    return data, tree_of(own)


def tree_by(data, by):
    """The tree that has the numbers of a key: one of its own, or the main one."""
    if by == data["main"]["by"] or by in [group["by"] for group in data["groups"]]:
        return data
    return next(tree for tree in data["trees"] if tree["by"] == by)


def main():
    if sys.argv[1] == "check":
        check(sys.argv[2])
        return
    data, nodes = load(*sys.argv[2:5])
    if sys.argv[1] == "keys":
        print(*keys_of(data), sep="\n")
        return
    if sys.argv[1] == "facts":
        print(*("\t".join(fact) for fact in data["facts"]), sep="\n")
        return
    if sys.argv[1] == "times":
        for time in tree_by(data, (sys.argv[3:4] or [data["by"]])[0]).get("times", []):
            print(time["ms"], time["name"], time.get("lost", 0), int(time.get("begins", False)), sep="\t")
        return
    if sys.argv[1] == "lines":
        for name, frames in lines_of(data):
            print(name, " > ".join(frames), sep="\t")
        return
    if sys.argv[1] == "facts":
        for fact in data["facts"]:
            print(*fact, sep="\t")
        return
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
