#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Read documents of a kernel as its `make htmldocs` does, and stop at a warning.

	rst.py FILE...

docutils is the reader that Sphinx uses. What Sphinx adds to its language (toctree, kernel-doc
and others) is read and not followed.
"""
import sys

import docutils.core
import docutils.nodes
from docutils.parsers.rst import Directive, directives, roles
from docutils.utils import SystemMessage

DIRECTIVES = ("toctree", "kernel-doc", "code-block", "only", "c:function", "kernel-include")
ROLES = ("doc", "ref", "c:func", "c:type", "manpage", "term")


class Ignored(Directive):
    """A directive of Sphinx: any arguments, options and content."""
    has_content = True
    optional_arguments = 9
    final_argument_whitespace = True
    option_spec = {name: directives.unchanged for name in (
        "maxdepth", "caption", "glob", "hidden", "numbered", "titlesonly", "identifiers",
        "internal", "export", "functions", "doc")}

    def run(self):
        return []


def text_role(_name, rawtext, text, _lineno, _inliner, _options=None, _content=None):
    return [docutils.nodes.literal(rawtext, text)], []


def main():
    for name in DIRECTIVES:
        directives.register_directive(name, Ignored)
    for name in ROLES:
        roles.register_local_role(name, text_role)
    failed = False
    for path in sys.argv[1:]:
        settings = {"halt_level": 2, "report_level": 2, "input_encoding": "utf-8",
                    "file_insertion_enabled": False, "warning_stream": False,
                    "syntax_highlight": "none"}
        try:
            with open(path, encoding="utf-8") as file:
                docutils.core.publish_doctree(file.read(), source_path=path,
                                              settings_overrides=settings)
        except SystemMessage as message:
            print(message)
            failed = True
    sys.exit(failed)


if __name__ == "__main__":
    if len(sys.argv) == 1:
        sys.exit(__doc__)
    main()
