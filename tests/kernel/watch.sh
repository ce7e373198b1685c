#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A machine with three leaks from the first sample to the ticket, in a stock kernel with noise: watch
# says each of them once while it records, leaks DIR ranks them first, and the bundle has the history
# on another machine (tests/kmod/kma_leaky.c has the sites).
#
#	watch.sh [KERNEL [MINUTES]]	the stock kernel, 5 minutes of the guest's time
#
# The guest's time counts instructions, and time in which it is idle is skipped (-icount).
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

minutes=${2:-5}
guest_of watch 1 1 "${1-}"
program=${KMEM_ACCOUNT:-${O:-out}/host/kmem-account}
truncate -s 64M "$out/ext4"
mke2fs -q -F -t ext4 "$out/ext4"
# as many samples in each form
echo "leaks=1,step=$((30 * minutes)),seed=7 30 $((2 * minutes)) 7" >"$out/plan"
files=(--file "$program:/kmem-account" --file "$out/plan:/plan" --file "$here/lib-noise.guest:/lib-noise.guest"
	--file "$(module_ko)" --file "$(kmod_ko kma_leaky)")
libraries_of "$program"
# while the disk of a busy machine is slow, minutes of the guest's time pass, which is no hang
guest 1 "$here/watch.guest" "$out" --icount --modules ext4 --disk "$out/ext4" --mem 512 \
	--append 'tsc=reliable sysctl.kernel.hung_task_timeout_secs=0' "${files[@]}"
got=$out/guest
planted=$(printf '%s\n' leaky_big leaky_hot leaky_slow)

# names: of call sites, without offsets
names() { sed 's/+.*//' | sort; }

records() {
	tail -n 2 "$got/watch"
	grep -q '^30 samples, 0 lost; ' "$got/watch" && [ "$(sqlite3 "$got"/history/*.kmh 'SELECT count(*), count(DISTINCT series) FROM sample')" = "30|1" ]
}

says_once() {
	cat "$got/said"
	diff <(names <"$got/told") <(echo "$planted") &&
		diff <(sed -n 's/.*: watch: leak: \([^:]*\): .*/\1/p' "$got/said" | names) <(echo "$planted")
}

ranks() {
	sed -n 1,8p "$got/leaks.csv" | cut -c 1-150
	diff <(awk -F, 'NR > 1 && NR <= 4 && $2 == "leak" { print $9 }' "$got/leaks.csv" | names) <(echo "$planted") || return
	! awk -F, 'NR > 4 && $2 == "leak"' "$got/leaks.csv" | grep . || return
	[ "$(grep -c ' leaks memory: ' "$got/leaks")" = 3 ] && grep -q '^leaky_big+.*; no allocation is ever freed; ' "$got/leaks" &&
		grep -q '^leaky_hot+.*; 1 of [0-9]* allocations is never freed; ' "$got/leaks"
}

draws() { xmllint --noout "$got/leaks.svg" && [ "$(grep -o 'leak, confidence' "$got/leaks.svg" | wc -l)" = 3 ]; }

# The bundle is an account of its own moment besides.
bundles() {
	"$program" leaks "$got/bundle" --format csv >"$out/bundle.csv" &&
		diff <(awk -F, 'NR > 1 && NR <= 4 { print $2, $9 }' "$out/bundle.csv" | sort) \
			<(awk -F, 'NR > 1 && NR <= 4 { print $2, $9 }' "$got/leaks.csv" | sort) &&
		"$program" table ages "$got/bundle" --format csv >"$out/ages.csv" && grep -q 'leaky_big+' "$out/ages.csv"
}

ktap_plan 5
ktap "watch records each sample" records
ktap "watch says each leak once" says_once
ktap "leaks ranks the three leaks first" ranks
ktap "the picture has the three leaks" draws
ktap "the bundle has the history and the tables" bundles
ktap_end
