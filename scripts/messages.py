#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Print what the host program and the module say to the user, from the source.

    messages.py             print the list
    messages.py --check     check the rules of messages, as KTAP

A line of the list is KIND, FILE and TEXT, with tabs between them. KIND is

    error       the sentence of an error that ends a command (struct kma_err)
    warning     a warning, note or finding; the command goes on
    option      one line of a command's help
    text        another text of two words or more, for example a heading or a part of a sentence
    log         a line of the kernel log
    parameter   the description of a module parameter
    file        text of a file in /proc, debugfs or sysfs

Texts that a condition chooses between are a line each. The list has no line numbers: it
changes only if a text changes. A conversion of printf is printed as the source has it, without
the macros of <inttypes.h>.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

KINDS = {
    "kma_err_create": "error", "kma_err_create_kind": "error", "kma_cursor_error": "error",
    "kma_option_usage": "error", "kma_option_invalid": "error",
    "kma_warn": "warning", "kma_notes_add": "warning", "kma_notes_gaps": "warning",
    "kma_account_warn": "warning",
    "pr_err": "log", "pr_warn": "log", "pr_info": "log", "pr_notice": "log",
    "pr_warn_once": "log", "pr_warn_ratelimited": "log",
    "MODULE_PARM_DESC": "parameter",
    "seq_printf": "file", "seq_puts": "file",
}
# Texts that no person reads: names of kernel files and formats, SQL, markup, code.
MACHINE = re.compile(r"^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|DROP|PRAGMA|BEGIN|COMMIT|ROLLBACK|"
                     r"ATTACH|WITH|ALTER|ANALYZE|VACUUM|SAVEPOINT|RELEASE)\b|[<{}]|;$|^p:|^\W*$")
SKIP = ("module/test/",)
MACRO = re.compile(r"PRI[a-zA-Z]\w*$|[A-Z][A-Z_]+$")
MACRO_NAME = re.compile(r"<[A-Z][A-Z_]+>")  # as literals() gives a macro between strings

# Words that leave open what happened or to what; Documentation/design/host.rst has the rules.
UNCLEAR = re.compile(r"(?i)\b(?:who|whoever|nobody|somebody|told|anew|in vain|all the same|"
                     r"(?<!there )(?:is|are) (?:no|none|not understood|not known|there)\b|(?:cut short|damaged)|"
                     r"cannot be\b(?! (?:combined|used|compared))|booked|folder|unpack\w*|packed|"
                     r"wants?|speaks? of|told apart|asked for|until then|under way)\b")

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|'
                   r'[A-Za-z_]\w*|\d[\w.]*|\s+|\\\n|.', re.S)


def tokens(text):
    """Words, strings and signs of C, without comments, white space and #include lines."""
    text = re.sub(r'^[ \t]*#[ \t]*include[^\n]*', "", text, flags=re.M)
    return [token for token in TOKEN.findall(text)
            if not token.isspace() and not token.startswith(("/*", "//"))]


def literals(words):
    """(text, enclosing calls) of each string, neighbours joined, macros of formats between."""
    calls, at = [], 0
    while at < len(words):
        word = words[at]
        if word == "(":
            calls.append(words[at - 1] if at else "")
        elif word == ")" and calls:
            calls.pop()
        elif word in "{};":
            calls = [] if word == ";" else calls
        elif word[0] == '"':
            parts = []
            while at < len(words) and (words[at][0] == '"' or MACRO.match(words[at])):
                if words[at][0] == '"':
                    parts.append(words[at][1:-1])
                elif not words[at].startswith("PRI"):
                    parts.append("<%s>" % words[at])
                else:
                    parts.append(words[at][3])
                at += 1
            yield "".join(parts), list(calls)
            continue
        at += 1


def kind_of(text, calls, path, before):
    for call in reversed(calls):
        if call == "kma_plural":  # a word of the sentence that has the number
            break
        if call in KINDS:
            return KINDS[call]
    if before == "help":
        return "option"
    plain = re.sub(r"%[-+ #0-9.*]*(?:hh|h|ll|l|z)?[a-zA-Z]|\\.", " ", text)
    if path.startswith("host/") and not MACHINE.search(MACRO_NAME.sub("", text)) and \
            re.search(r"[a-z]{2,}[,:;]? +(?:[a-z]|%s|%u)", plain):
        return "text"
    return None


def messages():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard",
                             "host/*.[ch]", "module/*.[ch]"],
                            cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    found = set()
    for path in sorted(set(listed)):
        if path.startswith(SKIP) or not os.path.isfile(os.path.join(ROOT, path)):
            continue
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            words = tokens(file.read())
        helps = set()
        for at, word in enumerate(words):
            # .help = "..." of a table
            if word == "help" and words[at - 1] == "." and words[at + 1] == "=":
                helps.add(at + 2)
        for text, calls, at in placed(words):
            kind = kind_of(text, calls, path, "help" if at in helps else "")
            if not kind or not re.search("[A-Za-z]{2}", re.sub(r"\\.", "", text)):
                continue
            lines = text.split("\\n") if kind in ("option", "text") else [text]
            for line in lines:
                line = line.strip() if kind == "option" else line
                if MACRO_NAME.sub("", line):
                    found.add("%s\t%s\t%s" % (kind, path, line))
    return sorted(found)


def placed(words):
    """As literals(), with the place of each."""
    at = 0
    for text, calls in literals(words):
        while words[at][0] != '"':
            at += 1
        yield text, calls, at
        while at < len(words) and (words[at][0] == '"' or MACRO.match(words[at])):
            at += 1


def unclear(line):
    """Why a line breaks the rules for messages (CONTRIBUTING.md), or None."""
    kind, _, text = line.split("\t", 2)
    if kind not in ("error", "warning", "log", "parameter"):
        return None
    text = text[:-2] if text.endswith("\\n") else text
    plain = re.sub(r"'[^']*'", "", text)
    if kind == "parameter":
        return None if text[0].isupper() and not text.endswith(".") else \
            "a description begins with a capital letter and has no full stop"
    if text.endswith((".", "!")) and not text.endswith("..."):
        return "a message has no full stop at its end"
    if re.match(r"[A-Z][a-z]", text) and not text.startswith(("SQLite", "Linux")):
        return "a message begins with a lower-case letter"
    found = UNCLEAR.search(plain)
    return found and "'%s' does not say what happened" % found[0].strip()


def check():
    """Print the messages that break a rule, with the reason.  Return their number."""
    lines = messages()
    marked = ["%s: %s" % (why, line) for line in lines for why in [unclear(line)] if why]
    print("KTAP version 1\n1..1")
    for line in marked:
        print("# %s" % line)
    print("%sok 1 each of %d messages follows the rules" % ("not " if marked else "", len(lines)))
    return len(marked)


def main():
    if sys.argv[1:] == ["--check"]:
        sys.exit(min(check(), 1))
    if sys.argv[1:]:
        sys.exit("usage: messages.py [--check]")
    print("\n".join(messages()))


if __name__ == "__main__":
    main()
