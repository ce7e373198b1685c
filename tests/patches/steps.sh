#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Each patch of a series leaves a kernel that builds, with CONFIG_KMEM_ACCOUNT=y.
#
#	steps.sh VERSION	6.1
#
# What has once been built as it is, is not built again. KTAP on stdout.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

ktap_plan 1
ktap "each of the $(wc -l <"patches/v$1/series") patches for $1 builds" scripts/patches.sh steps "$1"
ktap_end
