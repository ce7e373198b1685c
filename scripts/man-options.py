#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Print a manual page in rst with the options and examples that the program's own help has.

    man-options.py PROGRAM PAGE.rst

A line `.. options of COMMAND` of the page becomes the options of `PROGRAM COMMAND --help`, and
a line `.. examples of COMMAND` its examples.  So the page and the help have one text.  A page
without such lines is printed as it is.  The exit status is 1 if the program does not know the
command, or if its help has no options.
"""
import re
import subprocess
import sys


def die(sentence):
    sys.exit("man-options.py: " + sentence)


def help_of(program, command):
    result = subprocess.run([program, command, "--help"], capture_output=True, text=True,
                            check=False)
    if result.returncode:
        die("%s %s --help ended with status %d" % (program, command, result.returncode))
    return result.stdout.split("\n")


def escaped(text):
    return re.sub(r"([\\*`|_])", r"\\\1", text)


def head(text):
    """-f, --file ACCOUNT -> bold options, and their arguments in italics"""
    words = []
    for word in text.split():
        comma = "," if word.endswith(",") else ""
        word = word.rstrip(",")
        mark = "**" if word.startswith("-") else "*"
        words.append(mark + escaped(word) + mark + comma)
    return " ".join(words)


def options(lines):
    """The table of the help as a definition list; a paragraph after it stays one."""
    out, found = [], 0
    for line in lines[1:]:
        if line == "Examples:":
            break
        option = re.match(r" {2,6}(-\S.*?)(?: {2,}(\S.*))?$", line)
        text = re.match(r" {8,}(\S.*)", line)
        if option:
            found += 1
            out += ["", head(option[1])]
            if option[2]:
                out.append("\t" + escaped(option[2]))
        elif text and found:
            out.append("\t" + escaped(text[1]))
        elif found:
            out += [escaped(line)]
    if not found:
        die("no options in the help")
    return out + [""]


def examples(lines):
    if "Examples:" not in lines:
        die("no examples in the help")
    start = lines.index("Examples:") + 1
    return ["::", ""] + ["\t" + line.strip() for line in lines[start:] if line.strip()] + [""]


def main():
    if len(sys.argv) != 3:
        die("usage: man-options.py PROGRAM PAGE.rst")
    parts = {"options": options, "examples": examples}
    with open(sys.argv[2], encoding="utf-8") as page:
        for line in page.read().split("\n")[:-1]:
            found = re.match(r"\.\. (options|examples) of ([a-z-]+)$", line)
            if found:
                print("\n".join(parts[found[1]](help_of(sys.argv[1], found[2]))))
            else:
                print(line)


if __name__ == "__main__":
    main()
