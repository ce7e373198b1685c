#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Write the files of an RFC series, as they are after each of its patches.

	rfc.py VERSION TREE FOLDER

patches/rfc/vVERSION/series says what each patch adds. FOLDER gets a directory for each patch,
01-NAME and so on, with all files that the patch adds or changes. Files of the kernel come from
TREE. scripts/patches.sh makes the commits.

Sources come from module/. The table `adapt` says what of them the kernel's own tree does not
get. An operation that matches nothing is an error, so that the table cannot fall behind the
sources. A paragraph of a comment that an operation has changed is wrapped again.
"""
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent


def fail(text):
    sys.exit(f"rfc.py: {text}")


class Series:
    """The table `series`: a patch per line at the margin, its parts below it."""

    def __init__(self, folder):
        self.patches = []
        for line in folder.joinpath("series").read_text().splitlines():
            if line.startswith("#") or not line:
                continue
            if not line.startswith("\t"):
                self.patches.append((line, []))
                continue
            kind, *names = line.split()
            self.patches[-1][1].extend((kind, name) for name in names)


class Adapt:
    """The table `adapt`: operations by file. Those of `*` need not match."""

    def __init__(self, folder):
        self.operations = {}
        name = None
        for line in folder.joinpath("adapt").read_text().splitlines():
            if line.startswith("@ "):
                name = line[2:]
                self.operations.setdefault(name, [])
            elif line and not line.startswith("#"):
                self.operations[name].append(line)

    def apply(self, name, text):
        unmatched = []
        for operation in self.operations.get(name, []):
            text, count = run(operation, text)
            if not count:
                unmatched.append(operation)
        for operation in unmatched:
            print(f"rfc.py: {name}: '{operation}' matches nothing", file=sys.stderr)
        if unmatched:
            fail("correct patches/rfc/*/adapt")
        return text

    def source(self, name, text):
        before = text
        text = self.apply(name, text)
        for operation in self.operations["*"]:
            text = run(operation, text)[0]
        text = wrapped(text, before)
        return re.sub(r"\n{3,}", "\n\n", sorted_includes(text))


def run(operation, text):
    """The text after an operation, and how often that matched."""
    word, argument = operation.split(" ", 1)
    if word == "line":
        return re.subn(rf"^.*(?:{argument}).*\n", "", text, flags=re.M)
    if word == "drop":
        return drop(argument, text)
    if word == "change":
        old, new = argument.split(" => ", 1)
        return re.subn(old, "" if new == "nothing" else new, text, flags=re.M)
    return fail(f"adapt: unknown operation '{operation}'")


def drop(name, text):
    """Remove a definition or a declaration, with the comment above it."""
    lines = text.split("\n")
    defines = re.compile(rf"^(?!\s|#|/\*| \*).*\b{name}\b(?:\(|\[| =|;| \{{|\))")
    count = 0
    while True:
        at = next((i for i, line in enumerate(lines) if defines.match(line)), None)
        if at is None:
            return "\n".join(lines), count
        first = last = at
        # the type may stand on a line of its own
        while lines[first - 1] and not lines[first - 1].endswith(("*/", "}", ";")):
            first -= 1
        if lines[first - 1].endswith("*/"):
            first -= 1
            while "/*" not in lines[first]:
                first -= 1
        while not lines[last].endswith((";", "{")):
            last += 1
        if lines[last].endswith("{"):
            while not lines[last].startswith("}"):
                last += 1
        if lines[first - 1] == "" and lines[last + 1] == "":
            last += 1
        del lines[first:last + 1]
        count += 1


def sorted_includes(text):
    """One block of the kernel's headers, sorted, and none twice."""
    found = re.findall(r"^#include <[^>]*>$", text, flags=re.M)
    first = text.find("#include <")
    if first < 0:
        return text
    text = re.sub(r"^#include <[^>]*>\n", "", text, flags=re.M)
    return text[:first] + "".join(line + "\n" for line in sorted(set(found))) + text[first:]


# A line of a comment: its indent, a bullet, its words.
COMMENT = re.compile(r"^ \*( +)((?:- )?)(\S.*)$")
# What begins a paragraph of its own. The columns of a table have several blanks between them.
OWN = re.compile(r"@|\w+\(\) - |(?:Context|Return|Locking|Never done here):|.*\S {2,}\S")


def paragraphs(text):
    """The lines of a text: pairs of a paragraph of a comment, or None, and its lines."""
    found = []
    for line in text.split("\n"):
        match = COMMENT.match(line)
        if not match:
            found.append((None, [line]))
            continue
        indent, bullet, words = match.groups()
        hang = indent + " " * len(bullet)
        if not bullet and not OWN.match(words) and found and found[-1][0] == hang:
            found[-1][1].append(line)
        else:
            found.append((hang, [line]))
    return found


def wrapped(text, before):
    """The text with the paragraphs of comments that are not in the text before wrapped again."""
    lines = []
    for hang, part in paragraphs(text):
        words = " ".join(COMMENT.match(line).group(3) for line in part) if hang else ""
        if not hang or "\n".join(part) in before or re.search(r"\S {2,}\S|\t", words):
            lines += part
            continue
        first = part[0][:len(part[0]) - len(COMMENT.match(part[0]).group(3))]
        lines += textwrap.wrap(words, 100, initial_indent=first,
                               subsequent_indent=f" *{hang}", break_long_words=False,
                               break_on_hyphens=False)
    return "\n".join(lines)


def resolved(text, known, plain):
    """The text without the branches of patches that are still to come."""
    words = ["unifdef", "-x2", "-B"] + (["-t"] if plain else []) + known
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        fail(f"unifdef: {done.stderr.strip()}")
    return done.stdout


class Writer:
    """The files of one patch after the other."""

    def __init__(self, version, tree, out):
        self.version, self.folder = version, TOP / "patches" / "rfc" / f"v{version}"
        self.tree, self.out = tree, out
        self.series, self.adapt = Series(self.folder), Adapt(self.folder)
        self.names = [name for name, _ in self.series.patches]
        self.hooks = next((TOP / "patches" / f"v{version}").glob("0002-*.patch"))
        self.now = {}           # path: text, after the last patch
        self.written = []       # (kind, name) of files with branches

    def known(self, index):
        macros = os.environ.get("RFC_MACROS", "").split()
        known = [f"-U{name}" for name in os.environ["RFC_UNDEFINED"].split()]
        known += [f"-D{name}" for name in macros]
        for i, name in enumerate(self.names):
            known.append(("-D" if i <= index else "-U") + f"KMA_WITH_{name.upper()}")
        return known

    def kernel(self, path):
        """A file of the kernel as it is now."""
        return self.now.get(path) or self.tree.joinpath(path).read_text()

    def module(self, name, index):
        text = resolved(TOP.joinpath("module", name).read_text(), self.known(index), False)
        return f"mm/kmem_account/{name}", self.adapt.source(name, text)

    def own(self, name, index):
        text = TOP.joinpath("upstream", f"v{self.version}", name).read_text()
        return name, resolved(text, self.known(index), not name.endswith((".c", ".h")))

    def edit(self, path):
        """Insert the lines that the tables of edits have for a file."""
        for table in (self.folder / "edits", TOP / "patches" / "0001" / "edits"):
            for line in table.read_text().splitlines():
                if line.startswith(path + "\t"):
                    _, lines, where, expression = line.split("\t", 3)
                    new = table.parent.joinpath(lines).read_text()
                    return self.insert(path, new, where, expression)
        return fail(f"no table of edits has {path}")

    def insert(self, path, new, where, expression):
        text = self.kernel(path)
        match = re.search(expression + ("\n" if expression.endswith("$") else ""), text,
                          flags=re.M)
        if not match:
            fail(f"{path}: no line '{expression}'")
        at = text.index("\n", match.end() - 1) + 1 if where == "after" else match.start()
        return path, text[:at] + new + text[at:]

    def patched(self, diff, only=None):
        """What a diff makes of the kernel's files: pairs of path and text."""
        work = self.out / ".work"
        paths = [only] if only else re.findall(r"^\+\+\+ b/(\S+)", diff, flags=re.M)
        for path in paths:
            work.joinpath(path).parent.mkdir(parents=True, exist_ok=True)
            if path in self.now or self.tree.joinpath(path).exists():
                work.joinpath(path).write_text(self.kernel(path))
        words = ["git", "apply", "--recount", "--unsafe-paths", f"--directory={work}"]
        words += [f"--include={work}/{path}".replace("//", "/") for path in paths] if only else []
        done = subprocess.run(words, input=diff, capture_output=True, text=True, check=False,
                              cwd="/")
        if done.returncode:
            fail(f"{only or paths}: {done.stderr.strip()}")
        return [(path, work.joinpath(path).read_text()) for path in paths]

    def part(self, patch, kind, name, index):
        if kind in ("module", "own"):
            self.written.append((kind, name))
            return []
        if kind == "edit":
            return [self.edit(name)]
        if kind == "diff":
            return self.patched(self.folder.joinpath(name).read_text())
        if kind == "hook":
            return self.patched(self.adapt.apply("hooks", self.hooks.read_text()), name)
        return fail(f"series: {patch}: unknown kind '{kind}'")

    def write(self):
        for index, (patch, parts) in enumerate(self.series.patches):
            before = dict(self.now)
            for kind, name in parts:
                self.now.update(self.part(patch, kind, name, index))
            for kind, name in self.written:
                self.now.update([getattr(self, kind)(name, index)])
            folder = self.out / f"{index + 1:02}-{patch}"
            for path, text in self.now.items():
                if before.get(path) == text:
                    continue
                folder.joinpath(path).parent.mkdir(parents=True, exist_ok=True)
                folder.joinpath(path).write_text(text)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    Writer(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]).resolve()).write()
