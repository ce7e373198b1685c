#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Print the manual page of one command in rst: kmem-account-report(1) and so on.

    man-command.py PROGRAM DIR COMMAND

The description is that of DIR/COMMAND.rst, or of the file there whose second line has the command
(".. commands: rings treemap").  Usage, options, notes and examples are those of `PROGRAM COMMAND
--help`, so page and program cannot differ.  An option has a longer text where the command's file has one, below the heading OPTIONS.
DIR/options.rst has the longer texts of options that mean the same in several commands: one is taken
if the help has the same words for the option as that of report, rings or diff, the first of these
that has the option.  The exit status is 1, with a sentence, if the command has no description or no
help, or if its file has a text for an option that the help lacks.
"""
import glob
import os
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


def names_of(term):
    """-f ACCOUNT, --file ACCOUNT: the options"""
    return re.findall(r"(?:^|[ ,])(--?[a-zA-Z][\w.-]*)", term)


def definitions(lines):
    """Longer texts of options: a list of (term, lines of text), by option"""
    found, by_option = [], {}
    for line in lines:
        if line.startswith("-"):
            found.append((line, []))
            by_option.update((name, found[-1]) for name in names_of(line) if name.startswith("--"))
        elif found:
            found[-1][1].append(line)
    return by_option


def words_of(lines):
    """What a help says of each option"""
    words, names = {}, []
    for line in lines:
        option = re.match(r" {2,6}(-\S.*?)(?: {2,}(\S.*))?$", line)
        if option:
            names = names_of(option[1])
            words.update((name, line.split()) for name in names)
        elif re.match(r" {8,}\S", line):
            for name in names:
                words[name] = words[name] + line.split()
        else:
            names = []
    return words


def shared(program, table, longer):
    """Of the texts of options that several commands have, those that fit this one"""
    fits, here = {}, words_of(table)
    for command in ("diff", "rings", "report"):
        there = words_of(split_help(run(program, command, "--help"))[2])
        for name in set(longer) & set(there):
            fits[name] = here.get(name) == there[name]
    return {name: longer[name] for name in longer if fits.get(name)}


def options(lines, longer):
    """The table of the help as a definition list, with the longer texts where there are some; what
    is no option, as keys, stays as it is"""
    out, found, literal, done, skip = [], 0, False, [], False
    for line in lines:
        option = re.match(r" {2,6}(-\S.*?)(?: {2,}(\S.*))?$", line)
        text = re.match(r" {8,}(\S.*)", line)
        if option:
            found += 1
            literal = False
            better = next((longer[name] for name in names_of(option[1]) if name in longer), None)
            skip = better is not None
            if skip and better not in done:
                done.append(better)
                out += ["", option_marked(better[0])] + better[1]
            elif not skip:
                out += ["", option_marked(option[1])]
                if option[2]:
                    out.append("\t" + escaped(option[2]))
        elif text and found and not literal:
            if not skip:
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


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read().rstrip("\n").split("\n")


def source(folder, command):
    """The description of a command, and its own texts of options"""
    for path in sorted(glob.glob(folder + "/*.rst")):
        lines = read(path)
        named = re.match(r"\.\. commands: (.*)", lines[1])
        if command in (named[1].split() if named else [os.path.basename(path)[:-len(".rst")]]):
            lines = lines[2 if named else 1:]
            end = lines.index("OPTIONS") if "OPTIONS" in lines else len(lines)
            return lines[:end], definitions(lines[end + 2:])
    return die("%s has no description of '%s'" % (folder, command))


def main():
    if len(sys.argv) != 4:
        die("usage: man-command.py PROGRAM DIR COMMAND")
    program, folder, command = sys.argv[1:]
    usage, summary, table, examples = split_help(run(program, command, "--help"))
    description, own = source(folder, command)
    unknown = set(own) - set(re.findall(r"--[a-zA-Z][\w.-]*", "\n".join(table)))
    if unknown:
        die("%s has no option %s" % (command, ", ".join(sorted(unknown))))
    common = shared(program, table, definitions(read(folder + "/options.rst")))
    name = "kmem-account-" + command
    title = " ".join(summary).rstrip(".").split(". ")[0]
    out = [".. SPDX-License-Identifier: GPL-2.0-only", ""]
    out += ["=" * len(name), name, "=" * len(name), ""]
    out += ["-" * len(escaped(title)), escaped(title), "-" * len(escaped(title)), ""]
    out += [":Manual section: 1", ":Manual group: kmem-account", ""]
    out += heading("SYNOPSIS", ["| " + usage_marked(usage)])
    out += heading("DESCRIPTION", description)
    out += heading("OPTIONS", options(table, {**common, **own}))
    if examples:
        out += heading("EXAMPLES", ["::", ""] + ["\t" + e.strip() for e in examples if e])
    out += heading("EXIT STATUS", [escaped(exit_status(run(program, "--help"), table))])
    out += heading("SEE ALSO", ["**kmem-account**\\ (1)"])
    print("\n".join(out))


if __name__ == "__main__":
    main()
