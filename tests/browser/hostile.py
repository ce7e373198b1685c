#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""An allocinfo whose directories and functions are named to do harm, and 3,000 small ones."""

DIRS = ["</script><script>document.title=1337</script>", "<img/src=x/onerror=alert(1)>",
        "\"quoted\"'s", "\u202eright-to-left\u202c", "a%2Fb?q=1#x", "..", "&lt;b&gt;", "{{7*7}}",
        "javascript:alert(1)", "line\u2028separator", "=cmd|calc", "x" * 300]

print("allocinfo - version: 1.0\n#     <size>  <calls> <tag info>")
for i, name in enumerate(DIRS):
    print(f"{100000 - 5000 * i} 1 {name}/{name}.c:{i + 1} func:{name}")
for i in range(3000):
    print(f"{1 + i % 7} 1 many/of.c:{i + 1} func:small{i}")
