#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Does the harness tell good from bad?  Each case is a guest that ends in one
# way; run.sh must say which.  A harness that lets a fault pass would make every
# other test of this project worthless.  Boots seven guests, 4 s each under TCG.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/ktap.sh
. "$here/../ktap.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# guest NAME [ARGUMENT...]: run the script on stdin in a guest
guest() {
	local name=$1
	shift
	cat >"$work/$name.sh"
	"$here/run.sh" --script "$work/$name.sh" --out "$work/$name" --timeout 600 "$@"
}

# fails_with MESSAGE NAME [ARGUMENT...]: the run fails, and says MESSAGE
fails_with() {
	local message=$1
	shift

	if guest "$@" 2>"$work/stderr"; then
		echo "passed, and should not"
		return 1
	fi
	cat "$work/stderr"
	grep -q "$message" "$work/stderr"
}

# Everything that a passing run owes: files whole in both directions, both CPUs,
# the modules asked for, the disk, the kernel's arguments.
whole_run() {
	head -c 3000001 /dev/urandom >"$work/blob"
	head -c 65536 /dev/urandom >"$work/disk"
	guest whole --smp 2 --modules loop --file "$work/blob:in/blob" --disk "$work/disk" \
		--append kma.test=1 <<-'EOT' || return 1
		set -e
		test "$(nproc)" -eq 2
		grep -q '^loop ' /proc/modules
		grep -q kma.test=1 /proc/cmdline
		mkdir -p /out/back
		cp /in/blob /out/back/blob
		cat /dev/vdb >/out/disk
		echo "BUG: these words of a test are not the kernel's"
	EOT
	cmp "$work/blob" "$work/whole/back/blob" && cmp "$work/disk" "$work/whole/disk" &&
		test -s "$work/whole/dmesg.txt"
}

exit_status()	{ fails_with 'exited with 3' status <<<'exit 3'; }
kernel_panic()	{ fails_with 'Kernel panic' panic <<<'echo c >/proc/sysrq-trigger'; }
no_verdict()	{ fails_with 'without a verdict' silent <<<'reboot -f'; }
hangs()		{ fails_with 'no end after 8 s' hang --timeout 8 <<<'sleep 1000'; }
warning()	{ fails_with 'WARNING: of a test' warn <<<'echo "WARNING: of a test" >/dev/kmsg'; }
too_much()	{ fails_with '126' flood --out-size 1M <<<'head -c 3000000 /dev/zero >/out/a'; }

# A verdict is the guest's own only with this run's number.
forged()	{ fails_with 'without a verdict' forged <<<'echo "<1>kma-verdict: 0 0" >/dev/kmsg; reboot -f'; }

# The table of what counts as a fault, without a guest.
fault_words() {
	local line found=0

	printf '%s\n' >"$work/faulty" \
		'[    1.000000] ------------[ cut here ]------------' \
		'[    1.000001] WARNING: CPU: 0 PID: 1 at mm/slab.h:428 kmem_cache_free+0x10/0x20' \
		'[    1.000002] cache_from_obj: Wrong slab cache' \
		'[    1.000003] ---[ end trace 0000000000000000 ]---'
	"$here/faults.sh" "$work/faulty" || return 1
	"$here/faults.sh" "$work/faulty" 'another report' || return 1
	! "$here/faults.sh" "$work/faulty" 'Wrong slab cache' || return 1
	while IFS= read -r line; do
		printf '[    1.000000] %s\n' "$line" >"$work/one"
		"$here/faults.sh" "$work/one" >/dev/null || { echo "missed: $line"; found=1; }
		printf '%s\n' "$line" >"$work/one"
		! "$here/faults.sh" "$work/one" >/dev/null || { echo "not the kernel's: $line"; found=1; }
	done <<-'EOT'
		BUG: KASAN: use-after-free in kma_free+0x1/0x2
		BUG: sleeping function called from invalid context
		general protection fault, probably for non-canonical address
		Oops: 0000 [#1] PREEMPT SMP
		watchdog: BUG: soft lockup - CPU#0 stuck for 22s!
		rcu: INFO: rcu_preempt self-detected stall on CPU
		WARNING: possible circular locking dependency detected
		UBSAN: array-index-out-of-bounds in x.c:1:2
		Kernel panic - not syncing: Fatal exception
		workqueue: work func kma_look enqueued on deprecated workqueue. Use system_{percpu|dfl}_wq instead.
	EOT
	return "$found"
}

no_script()	{ ! "$here/run.sh" --out "$work/none"; }
no_module()	{ fails_with 'no module of_this_name' nomod --modules of_this_name <<<true; }

# A directory that is not ours is not emptied.
foreign_out() {
	mkdir "$work/foreign"
	echo precious >"$work/foreign/file"
	fails_with 'not left by run.sh' foreign --out "$work/foreign" <<<true || return 1
	test -s "$work/foreign/file"
}

ktap_plan 12
ktap "a good run passes, files come back whole" whole_run
ktap "the script's exit status fails the run" exit_status
ktap "a kernel panic fails the run" kernel_panic
ktap "a run without a verdict fails" no_verdict
ktap "a forged verdict does not count" forged
ktap "a hang ends by time and fails" hangs
ktap "a kernel warning fails the run" warning
ktap "files that do not fit fail the run" too_much
ktap "kernel reports are told from other words" fault_words
ktap "no script is a usage error" no_script
ktap "an unknown module is named" no_module
ktap "a directory that is not ours is left alone" foreign_out
ktap_end
