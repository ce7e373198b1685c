#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Print the manual page of one command in rst: kmem-account-report(1) and so on.

    man-command.py PROGRAM PAGE COMMAND

PAGE is the page of the whole program: what it says of the command is the description.  Usage,
options, notes and examples are those of `PROGRAM COMMAND --help`, so page and program cannot
differ.  The exit status is 1, with a sentence, if one of the two does not know the command.
"""
import re
import subprocess
import sys


def die(sentence):
    sys.exit("man-command.py: " + sentence)


def run(*words):
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    if result.returncode:
        die("%s ended with status %d" % (" ".join(words), result.returncode))
    return result.stdout.rstrip("\n").split("\n")


def escaped(text):
    return re.sub(r"([\\*`|_])", r"\\\1", text)


def marked(text, is_argument):
    """The words of a command line: arguments in italics, the others bold; brackets, commas and
    bars around them stay plain"""
    words = []
    for word in text.split():
        bare = word.strip("[],.|")
        mark = "*" if is_argument(bare) else "**"
        before, _, after = word.partition(bare) if bare else (word, "", "")
        words.append(escaped(before) + (mark + escaped(bare) + mark if bare else "") +
                     (("\\ " + escaped(after)) if after else ""))
    return " ".join(words)


def usage_marked(text):
    return marked(text, lambda word: word.isalpha() and word.isupper())


def option_marked(text):
    return marked(text, lambda word: not word.startswith("-"))


def exit_status(lines, table):
    """The program's line of statuses; 3 is only for commands with an option that exits with 3."""
    status = next(line for line in lines if line.startswith("Exit status:"))
    values = status.replace("Exit status: ", "").rstrip(".").split(", ")
    if "exit with status 3" not in " ".join(table):
        values = [value for value in values if not value.startswith("3 ")]
    return ", ".join(values) + "."


def heading(text, lines):
    return [text, "=" * len(text), ""] + lines + [""]


def split_help(lines):
    """usage, summary, options and notes, examples: each a list of lines"""
    usage = lines[0].replace("Usage: ", "")
    blank = lines.index("") if "" in lines else len(lines)
    examples = lines[lines.index("Examples:") + 1:] if "Examples:" in lines else []
    end = lines.index("Examples:") if "Examples:" in lines else len(lines)
    return usage, lines[1:blank], lines[blank + 1:end], examples


def options(lines):
    """The table of the help as a definition list; what is no option, as keys, stays as it is."""
    out, found, literal = [], 0, False
    for line in lines:
        option = re.match(r" {2,6}(-\S.*?)(?: {2,}(\S.*))?$", line)
        text = re.match(r" {8,}(\S.*)", line)
        if option:
            found += 1
            literal = False
            out += ["", option_marked(option[1])]
            if option[2]:
                out.append("\t" + escaped(option[2]))
        elif text and found and not literal:
            out.append("\t" + escaped(text[1]))
        elif line.startswith(" "):
            if not literal:
                out += ["", "::", ""]
            literal = True
            out.append("\t" + line.strip())
        else:
            literal = False
            out += ["", escaped(line)] if line else []
    if not found:
        die("the help has no options")
    return out


def description(page, command):
    """What the page of the program says below a line with the command's name."""
    with open(page, encoding="utf-8") as f:
        lines = f.read().split("\n")
    for i, line in enumerate(lines):
        if re.match(r"\*\*[a-z-]+\*\*(, \*\*[a-z-]+\*\*)*$", line) and "**%s**" % command in line:
            body = []
            for text in lines[i + 1:]:
                if text and not text.startswith("\t"):
                    break
                body.append(text[1:])
            while body and not body[-1]:
                body.pop()
            return body
    return die("%s has no description of '%s'" % (page, command))


def main():
    if len(sys.argv) != 4:
        die("usage: man-command.py PROGRAM PAGE COMMAND")
    program, page, command = sys.argv[1:]
    usage, summary, table, examples = split_help(run(program, command, "--help"))
    name = "kmem-account-" + command
    title = " ".join(summary).rstrip(".").split(". ")[0]
    out = [".. SPDX-License-Identifier: GPL-2.0-only", ""]
    out += ["=" * len(name), name, "=" * len(name), ""]
    out += ["-" * len(escaped(title)), escaped(title), "-" * len(escaped(title)), ""]
    out += [":Manual section: 1", ":Manual group: kmem-account", ""]
    out += heading("SYNOPSIS", ["| " + usage_marked(usage)])
    out += heading("DESCRIPTION", description(page, command))
    out += heading("OPTIONS", options(table))
    if examples:
        out += heading("EXAMPLES", ["::", ""] + ["\t" + e.strip() for e in examples if e])
    out += heading("EXIT STATUS", [escaped(exit_status(run(program, "--help"), table))])
    out += heading("SEE ALSO", ["**kmem-account**\\ (1), which has all options of all commands at more length"])
    print("\n".join(out))


if __name__ == "__main__":
    main()
