#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The verdicts of leaks in a stock guest with noise: three planted leaks are the first three rows,
# each a leak; without them no row is a leak (tests/kmod/kma_leaky.c has the sites).
#
#	leaks.sh [KERNEL [RUNS [MINUTES [FIRST]]]]	the stock kernel, 1 run with leaks and 1 without,
#							of 5 minutes of the guest's time
#
# FIRST is the number of the first run: two programs share the work of 20 runs as '' 10 30 and
# '' 10 30 11.
#
# The guest's time counts instructions, and time in which it is idle is skipped (-icount). A run
# that is complete is not run again: the runs of `make soak` (20 of 30 minutes) go on where they
# ended, as long as the module, the noise and the plan are the same.
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

runs=${2:-1} minutes=${3:-5} first=${4:-1}
# runs that are complete stay, so kernel_out() is not used
kernel=${1-}
out=${O:-$PWD/out}/kernel/leaks${kernel:+-$kernel}
mkdir -p "$out"
out=$(cd "$out" && pwd)
program=${KMEM_ACCOUNT:-${O:-out}/host/kmem-account}
ko=$(module_ko) leaky=$(kmod_ko kma_leaky)
# as many samples in each form: 10 s and 60 s between two
seconds=$((2 * minutes))

# run NAME PARAMETERS SEED: snapshots of one run in $out/NAME
run() {
	local dir=$out/$1 state

	# guests under -icount repeat themselves: runs differ by their random numbers
	echo "$2,seed=$3 30 $seconds $3" >"$dir.plan"
	state=$(cat "$ko" "$leaky" "$here/leaks.guest" "$here/lib-noise.guest" "$dir.plan" | sha256sum)
	[ "$(cat "$dir/complete" 2>/dev/null)" != "$state" ] || return 0
	rm -rf "$dir"
	mkdir -p "$dir"
	truncate -s 64M "$dir/ext4"
	mke2fs -q -F -t ext4 "$dir/ext4"
	(guest 1 "$here/leaks.guest" "$dir" --icount --modules ext4 --disk "$dir/ext4" --mem 256 \
		--append 'tsc=reliable sysctl.kernel.hung_task_timeout_secs=0' --file "$dir.plan:/plan" --file "$here/lib-noise.guest:/lib-noise.guest" --file "$ko" --file "$leaky") >"$dir/said" ||
		{ cat "$dir/said"; return 1; }
	rm "$dir/ext4"
	[ "$(find "$dir/guest" -name 's???' | wc -l)" = 30 ] || return
	echo "$state" >"$dir/complete"
}

# verdicts NAME: a row for each site, as csv. The noise was there, and all sites that are no leaks.
verdicts() {
	local site

	"$program" leaks "$out/$1/guest"/s??? --format csv >"$out/$1.csv"
	for site in sock_alloc_inode ext4_alloc_inode shmem_alloc_inode __d_alloc \
		steady_fill steady_swing steady_step steady_hot; do
		grep -q ",$site+0x" "$out/$1.csv" || { echo "no row of $site"; return 1; }
	done
	# for the log: what is first, and how certain
	head -n 8 "$out/$1.csv" | cut -c 1-150
}

finds() {
	run "leaks-$1" "leaks=1,step=$((30 * minutes + $1))" "$((2 * $1))" && verdicts "leaks-$1" || return
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
		NR <= 4 { print $col["verdict"], substr($col["caller"], 1, index($col["caller"], "+") - 1) }' \
		"$out/leaks-$1.csv" | sort | diff - <(printf 'leak %s\n' leaky_big leaky_hot leaky_slow)
}

finds_none() {
	run "steady-$1" "step=$((30 * minutes + $1))" "$((2 * $1 + 1))" && verdicts "steady-$1" || return
	! awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
		$col["verdict"] == "leak" { print; found = 1 } END { exit !found }' "$out/steady-$1.csv"
}

ktap_plan $((2 * runs))
for ((i = first; i < first + runs; i++)); do
	ktap "run $i: the three leaks are the first three rows" finds "$i"
	ktap "run $i: without leaks there is no leak" finds_none "$i"
done
ktap_end
