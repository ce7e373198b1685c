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
version=${1:?a version, such as 6.1}
ktap "each of the patches of the series for $version builds" \
	scripts/patches.sh steps "$version"
ktap_end
