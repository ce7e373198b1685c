#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run a test several times, for make soak; the first failure ends it.
#
#	repeat.sh N COMMAND...		results of all runs, with a plan each
set -euo pipefail

times=$1
shift
for ((i = 0; i < times; i++)); do
	"$@"
done
