#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Fuzz the readers: each target for some seconds, from real files on.
#
#	run.sh				all targets, a minute each
#	SECONDS_EACH=3600 run.sh	as long as one likes
#	TARGETS="ftrace" run.sh		some
#
# Prints KTAP. What a target has learned stays in out/fuzz/corpus; an input that it
# fails with in out/fuzz/failed, and fuzz-NAME FILE shows it again.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
# shellcheck source=tests/ktap.sh
. tests/ktap.sh
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

seconds=${SECONDS_EACH:-60}
mkdir -p "${O:-out}/fuzz"
out=$(cd "${O:-out}/fuzz" && pwd)

# target	real files, below tests/data (packed ones are unpacked, long ones cut)
seeds='
ftrace		logs/*
account		small.account readers/account*
sites		readers/sites*
allocinfo	readers/allocinfo*
slub		readers/alloc_*
unpack		packed/*
'

# seed TARGET: what is not in its corpus yet; the byte in front is the block's size
seed() {
	local corpus=$out/corpus/$1 pattern file name
	mkdir -p "$corpus"
	# shellcheck disable=SC2013 # words
	for pattern in $(awk -v target="$1" '$1 == target { $1 = ""; print }' <<<"$seeds"); do
		for file in tests/data/$pattern; do
			name=$corpus/seed-$(basename "$file")
			[ -e "$name" ] || {
				printf '\377'
				case $file in
				*.gz)	gzip -cd "$file" ;;
				*.xz)	xz -cd "$file" ;;
				*)	cat "$file" ;;
				esac 2>/dev/null | { head -c 20000; cat >/dev/null; } # all is read: no broken pipe
			} >"$name"
		done
	done
}

# fuzz TARGET
fuzz() {
	local target=$1 failed=$out/failed
	seed "$target"
	mkdir -p "$failed"
	nice -n 5 "$out/fuzz-$target" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=2048 \
		-max_len=65536 -artifact_prefix="$failed/$target-" -print_final_stats=1 \
		"$out/corpus/$target" >"$out/$target.log" 2>&1 ||
		{ tail -n 30 "$out/$target.log"; return 1; }
	sed -n 's/^stat::number_of_executed_units: */# runs: /p' "$out/$target.log"
	# a target that runs nothing finds nothing
	grep -qE '^stat::number_of_executed_units: +[1-9][0-9]{2}' "$out/$target.log"
}

make -s -j2 -C tests/fuzz O="$out" >&2
targets=${TARGETS:-$(cd "$here" && printf '%s\n' fuzz-*.c | sed 's/^fuzz-//; s/\.c$//')}
ktap_plan "$(wc -w <<<"$targets")"
for target in $targets; do
	ktap "fuzz $target for $seconds s" fuzz "$target"
done
ktap_end
