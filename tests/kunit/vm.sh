#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Run the KUnit tests of the module in a kernel that has no KUnit, by their shim
# (module/test/shim.h), in a VM.  Prints KTAP: a result for each case, one for the guest.
#
#	vm.sh [CPUS [KERNEL]]		2 CPUs, the stock kernel
#
# In a debug kernel KASAN looks on, and says so, for one more result. Of its other checks
# those that cost most are turned off: debug.sh has them, and with them the tests take more
# than twenty minutes.
set -euo pipefail

# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/../kernel/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh
here=$PWD/tests/kunit

guest_of kunit 2 "$@"
case $kernel in
*-debug) export GUEST_ARGS="${GUEST_ARGS-} --append kmemleak=off --append no_debug_objects
	--append lockdep.prove_locking=0" ;;
esac
folder=$(CONFIG_KMEM_ACCOUNT_KUNIT_TEST=y scripts/module.sh build "stock:$kernel" \
	"${O:-out}/kunit/module" Kbuild module)
guest "$cpus" "$here/vm.guest" "$out" --timeout 7200 --file "$folder/module/kmem_account.ko"
fail=0
"$here/results.sh" "$out/guest/dmesg" || fail=1
case $kernel in
*-debug)
	ktap_plan 1
	ktap "KASAN looks on" grep -q 'kasan: KernelAddressSanitizer initialized' \
		"$out/guest/console.log"
	ktap_end || fail=1 ;;
esac
exit "$fail"
