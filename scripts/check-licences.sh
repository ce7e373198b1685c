#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The licence of each tracked file, as REUSE defines it: an SPDX line of its own or .reuse/dep5,
# and each text in LICENSES/. Then the versions that files state (version.sh). Prints KTAP.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

ktap_plan 1
ktap "reuse lint" reuse lint
ktap_end
scripts/version.sh check
