#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# End with one sentence and status 1 if the file system of a directory has too little space.
#
#	space.sh DIR MEGABYTES
set -euo pipefail

# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need_space "${1:?directory}" "${2:?megabytes}" "name another directory with O=DIR"
