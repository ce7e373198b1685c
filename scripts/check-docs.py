#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Check file names, links and commands in the documents.  Prints KTAP; changes nothing.

    check-docs.py [PROGRAM]     PROGRAM is the host program (default out/host/kmem-account)

    files       each file of this checkout that a document names exists
    links       each relative link of a Markdown file, and each include, figure and image of an
                rst file, leads to a file
    index       Documentation/index.rst names each document
    commands    each command of a `kmem-account COMMAND --option` is known to the program, and
                its help has each of the options
    options     the help of a command has each option that a manual page shows in bold
    parameters  the module's guide and Documentation/ABI have each parameter of the module
"""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOP = ("Documentation", "host", "module", "patches", "packaging", "scripts", "tests")

# Names that look like files of this checkout and are none: file -> where it is
ELSEWHERE = {
    "Documentation/admin-guide/mm/kmem_account.rst": "a kernel tree that has the patches",
    "scripts/config": "a kernel tree",
    "scripts/get_maintainer.pl": "a kernel tree",
}
# Made by the build or by `make patches`
MADE = (r"host/kmem-account$", r"module/kmem_account\.ko$", r"patches/v")
# /sys/module/kmem_account
SYSFS = r"module/kmem_account/"


def documents():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md", "*.rst",
                             "Documentation/ABI"],
                            cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    return [name for name in listed if os.path.isfile(os.path.join(ROOT, name))]


def lines_of(document):
    with open(os.path.join(ROOT, document), encoding="utf-8") as file:
        return list(enumerate(file.read().split("\n"), 1))


def expand(name):
    """a.{c,h} -> a.c, a.h"""
    found = re.search(r"\{([^{}]*)\}", name)
    if not found:
        return [name]
    return [full for part in found[1].split(",")
            for full in expand(name[:found.start()] + part + name[found.end():])]


def exists(name, *folders):
    return all(any(glob.glob(os.path.join(ROOT, folder, part)) for folder in folders)
               for part in expand(name))


def check_files(document):
    wrong = []
    for number, line in lines_of(document):
        for found in re.finditer(r"(?<![\w./~$-])(?:%s)/[\w./*{},-]*[\w*}/]" % "|".join(TOP), line):
            name = found[0]
            if name in ELSEWHERE or re.match("|".join(MADE), name) or re.match(SYSFS, name):
                continue
            if not exists(name, "", os.path.dirname(document)):
                wrong.append("%s:%d: no file %s" % (document, number, name))
    return wrong


def check_links(document):
    wrong = []
    pattern = (r"\]\(([^)#\s]+)[^)]*\)" if document.endswith(".md") else
               r"^\s*\.\. (?:include|figure|image|literalinclude):: (\S+)")
    for number, line in lines_of(document):
        for name in re.findall(pattern, line):
            if not re.match(r"[a-z]+:", name) and not exists(name, os.path.dirname(document)):
                wrong.append("%s:%d: no file %s" % (document, number, name))
    return wrong


def check_index():
    """What index.rst names exists, and it names all that there is."""
    named, wrong = set(), []
    for number, line in lines_of("Documentation/index.rst"):
        for name in re.findall(r"``([\w./-]+)``", line):
            path = os.path.normpath(os.path.join("Documentation", name))
            named.add(path)
            if not os.path.exists(os.path.join(ROOT, path)):
                wrong.append("Documentation/index.rst:%d: no file %s" % (number, path))
    for document in documents():
        if document.startswith("Documentation/") and document != "Documentation/index.rst" and \
                document not in named and os.path.dirname(document) not in named:
            wrong.append("Documentation/index.rst does not name %s" % document)
    return wrong


HELPS = {}


def help_of(program, command):
    """The words of the help of a command, or None if the program does not know it."""
    if command not in HELPS:
        result = subprocess.run([program, *([command] if command else []), "--help"],
                                capture_output=True, text=True, check=False)
        HELPS[command] = None if result.returncode else \
            set(re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", result.stdout))
    return HELPS[command]


def commands_of(document):
    """(line, command, options) of each command line, its continuations joined."""
    text = ""
    for number, line in lines_of(document):
        begin = number if not text else begin
        text += line.rstrip("\\")
        if line.endswith("\\"):
            continue
        # a shell line, up to a pipe, a comment, or the end of the literal
        for found in re.finditer(r"(?<![\w.-])kmem-account ([a-z][a-z-]*)((?: [^|;#`]*)?)", text):
            literal = text[:found.start()].count("``") % 2 or re.match(r"\s+|\$|#", text)
            if literal:
                yield begin, found[1], re.findall(r"(?<=[\s\[])(--[a-z][\w-]*)",
                                                  found[2].split(" -- ")[0])
        text = ""


def check_commands(document, program):
    wrong = []
    for number, command, options in commands_of(document):
        known = help_of(program, command)
        if known is None:
            wrong.append("%s:%d: no command kmem-account %s" % (document, number, command))
            continue
        wrong += ["%s:%d: kmem-account %s has no %s" % (document, number, command, option)
                  for option in options if option not in known]
    return wrong


def check_options(program):
    wrong = []
    commands = re.findall(r"^  ([a-z][a-z-]+) ", subprocess.run(
        [program, "--help"], capture_output=True, text=True, check=True).stdout, re.M)
    known = set().union(*(help_of(program, command) or set() for command in ["", *commands]))
    for document in glob.glob(os.path.join(ROOT, "Documentation/man/**/*.rst"), recursive=True):
        for number, line in lines_of(document):
            wrong += ["%s:%d: no command has %s" % (os.path.relpath(document, ROOT), number, option)
                      for option in re.findall(r"\*\*(--[a-z][\w-]*)", line)
                      if option not in known and not accepts(program, option)]
    return wrong


def accepts(program, option):
    """An option of the program itself, before any command: --version."""
    return not subprocess.run([program, option], capture_output=True, check=False).returncode


def check_parameters():
    source = "\n".join(line for _, line in lines_of("module/main.c"))
    names = re.findall(r"^module_param_(?:named|cb)\((\w+)", source, re.M)
    wrong = [] if names else ["module/main.c: found no parameter"]
    for document, form in (("Documentation/admin-guide/kmem_account.rst", "``%s="),
                           ("Documentation/ABI/testing/sysfs-module-kmem_account",
                            "/parameters/%s\n")):
        text = "\n".join(line for _, line in lines_of(document))
        wrong += ["%s: no parameter %s" % (document, name)
                  for name in names if form % name not in text]
    return wrong


def result(number, name, wrong):
    for line in wrong:
        print("# " + line)
    print("%sok %d %s" % ("not " if wrong else "", number, name), flush=True)
    return bool(wrong)


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "out/host/kmem-account")
    names = documents()
    print("KTAP version 1\n1..6")
    failed = result(1, "files", [w for name in names for w in check_files(name)])
    failed |= result(2, "links", [w for name in names for w in check_links(name)])
    failed |= result(3, "index", check_index())
    counted = sum(1 for name in names for _ in commands_of(name))
    wrong = [] if counted else ["found no command at all"]
    failed |= result(4, "commands", wrong + [w for name in names
                                             for w in check_commands(name, program)])
    failed |= result(5, "options", check_options(program))
    failed |= result(6, "parameters", check_parameters())
    print("# %d documents, %d commands" % (len(names), counted))
    return failed


sys.exit(main())
