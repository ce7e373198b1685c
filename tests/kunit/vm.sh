#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the KUnit tests of the module in a kernel that has no KUnit, by their shim
# (module/test/shim.h), in a VM.  Prints KTAP: a result for each case, one for the guest.
#
#	vm.sh [CPUS [KERNEL]]		2 CPUs, the stock kernel
set -euo pipefail

# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/../kernel/lib.sh"
here=$PWD/tests/kunit

guest_of kunit 2 "$@"
folder=$(CONFIG_KMEM_ACCOUNT_KUNIT_TEST=y scripts/module.sh build "stock:$kernel" \
	"${O:-out}/kunit/module" Kbuild module)
guest "$cpus" "$here/vm.guest" "$out" --file "$folder/module/kmem_account.ko"
"$here/results.sh" "$out/guest/dmesg"
