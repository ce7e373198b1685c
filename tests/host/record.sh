#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Record the outputs that golden.sh compares with. Look at the difference (git diff
# tests/host/expected) before it is committed: it is what users will see.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

golden_setup
mkdir -p "$here/expected"

record() {
	golden_make "${@:2}" >"$here/expected/$1" 2>&1
}

golden_each record
git -C "$here" status --short expected
