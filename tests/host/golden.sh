#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Outputs against those in expected/, which record.sh refreshes on purpose.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

golden_setup

matches() {
	diff -u "$here/expected/$1" <(golden_make "${@:2}" 2>&1)
}

compare() {
	ktap "$1" matches "$@"
}

count() { ktap_planned=$((ktap_planned + 1)); }

golden_each count
ktap_plan "$ktap_planned"
golden_each compare
ktap_end
