#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The commands that an rst page tells, one a line, those of the target behind a "#".

	log-doc.py PAGE

Those of literal blocks are as they stand behind their prompt. Literals within a sentence that
are options alone belong to the command whose options they are.
"""
import re
import sys

OWNERS = {
    "--show": "kmem-account objects kmem.log",
    "--cache": "kmem-account report kmem.log",
    "--pages": "kmem-account report kmem.log",
    "--percpu": "kmem-account report kmem.log",
}
text = open(sys.argv[1]).read()
for prompt, command in re.findall(r"^\t([#$]) (\S.*?)(?:\t+#.*)?$", text, re.M):
    print(prompt, command)
for literal in re.findall(r"``([^`]+)``", text):
    words = literal.split()
    if words[0] in OWNERS:
        words = OWNERS[words[0]].split() + words
    if words[:2] == ["kmem-account", "record"]:
        words = [{"N": "8", "BYTES": "65536"}.get(word, word) for word in words]
        print("#", *words)
    elif words[0] == "kmem-account" and len(words) > 1:
        print("$", *words)
    elif words[0] == "cat":
        print("#", *words)
