#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compare the functions that the commits of a tree declare, call and define.

	rfc-calls.py TREE FOLDER COMMIT...

For each commit, in FOLDER of TREE: a function that a header declares and that is used must be
defined, or the kernel does not link. In the last commit, each function that a header declares
must be used, and a file that a comment names must exist. Each fault is a line on stdout; the exit
status is 1 if there are any.
"""
import io
import re
import subprocess
import sys
import tarfile

NAME = r"[a-z_][a-z0-9_]*"
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|("(?:\\.|[^"\\\n])*")', re.S)
# at the margin: a type, the name, parameters, and ";" or the body
FUNCTION = re.compile(rf"^(?!#|\s|typedef)[^\n;={{}}[]*?\b({NAME})\(([^;{{}}]*)\)[^;{{}}()]*([;{{])", re.M)
FILE = re.compile(r"(?<![\w/.-])((?:[\w-]+/)*[\w-]+\.[ch])\b")


def git(tree, *words):
    done = subprocess.run(["git", "-C", tree, *words], capture_output=True, text=True, check=True)
    return done.stdout


def files_of(tree, commit, folder):
    """The texts of the sources of a commit, by name."""
    words = ["git", "-C", tree, "archive", commit, folder]
    done = subprocess.run(words, capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
        return {member.name: archive.extractfile(member).read().decode()
                for member in archive if member.name.endswith((".c", ".h"))}


def without_comments(text):
    return COMMENT.sub(lambda match: '""' if match.group(1) else " ", text)


class Sources:
    """What the sources of a commit declare, define and use."""

    def __init__(self, texts):
        self.declared, self.defined, self.inline = set(), set(), set()
        self.uses = {}
        for name, text in texts.items():
            code = without_comments(text)
            for match in FUNCTION.finditer(code):
                head = match.group(0)
                if match.group(3) == "{":
                    (self.inline if "static" in head else self.defined).add(match.group(1))
                elif name.endswith(".h"):
                    self.declared.add(match.group(1))
            # a declaration and a definition are no use
            for word in re.findall(NAME, FUNCTION.sub(self.rest, code)):
                self.uses[word] = self.uses.get(word, 0) + 1
        self.shared = {match.group(1) for name, text in texts.items() if name.endswith(".h")
                       for match in FUNCTION.finditer(without_comments(text))}

    @staticmethod
    def rest(match):
        return match.group(2) + match.group(3)


def missing_files(tree, commit, texts):
    """Names of files in comments that no file of the tree has. The tree need not be complete."""
    known = set(git(tree, "ls-tree", "-r", "--name-only", commit).split())
    ends = {"/".join(name.split("/")[-n:]) for name in known for n in (1, 2, 3, 4)}
    others = ("arch/", "include/", "init/", "kernel/", "lib/", "mm/")
    for name, text in texts.items():
        for match in COMMENT.finditer(text):
            if match.group(1):
                continue
            for word in FILE.findall(match.group(0)):
                if word not in ends and not word.startswith(others):
                    yield f"{name}: the comment names {word}, which does not exist"


def faults(tree, folder, commits):
    for commit in commits:
        texts = files_of(tree, commit, folder)
        sources = Sources(texts)
        subject = git(tree, "log", "-1", "--format=%s", commit).strip()
        for name in sorted(sources.declared - sources.defined):
            if sources.uses.get(name):
                yield f"{subject}: {name}() is used and not defined"
    for name in sorted(sources.shared):
        if not sources.uses.get(name):
            yield f"{name}() is never used"
    yield from missing_files(tree, commits[-1], texts)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    found = list(faults(sys.argv[1], sys.argv[2], sys.argv[3:]))
    print("\n".join(found))
    sys.exit(bool(found))
