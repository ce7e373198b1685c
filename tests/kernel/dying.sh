#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Cgroups that are removed while their objects are freed on other CPUs: the account folds the
# groups meanwhile. With age=1, and with pages and per-CPU memory; the events of a free read the
# class of the object, which is folded at the same time.
#
#	dying.sh [CPUS [KERNEL [SECONDS]]]	4 CPUs, the stock kernel, 20 seconds
#
# In a debug kernel any report, of KASAN for example, ends the guest.
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

guest_of dying 4 "${1-}" "${2-}"
echo "${3:-20}" >"$out/seconds"
guest "$cpus" "$here/dying.guest" "$out" --timeout $((3600 + 10 * ${3:-20})) \
	--file "$here/lib-groups.guest:/lib-groups.guest" --file "$(module_ko)" \
	--file "$(kmod_ko kma_groups)" --file "$out/seconds:/seconds"
guest_results "$out/guest/ktap"
