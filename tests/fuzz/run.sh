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
# fails with in out/fuzz/failed, and fuzz-NAME FILE shows it again. Once mended it goes to
# found/NAME-WHAT, which is run first.
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
program=$out/../host/kmem-account

# target	real files, below tests/data or of make_seeds (packed ones are unpacked, long ones
#		cut); "block": with a byte in front, the size of blocks
seeds='
ftrace		block logs/*
account		block small.account readers/account*
sites		block readers/sites*
allocinfo	block readers/allocinfo*
slub		block readers/alloc_*
unpack		block packed/*
db		whole made/db-*
elf		whole made/elf-*
sysmap		whole made/sysmap-*
trace-dat	whole
trace-slots	whole
'

# What the program and the compiler make of files that are there.
make_seeds() {
	local made=$out/made tree=$out/made/mini file
	rm -rf "$made"
	mkdir -p "$made"
	for file in small.account readers/account-6.1 readers/allocinfo-2.0; do
		"$program" report "tests/data/$file" --save-db "$made/db-${file##*/}"
		"$program" report "tests/data/$file" --save-db "$made/db-two"
	done >"$made/log" 2>&1
	tests/data/mktree.sh "$tree" >/dev/null
	cp "$tree/tree/fs/alpha/inode.o" "$made/elf-object"
	cp "$tree"/debug/lib/modules/*/kernel/drivers/foo/*.ko "$made/elf-module"
	cp "$tree"/debug/boot/vmlinux* "$made/elf-vmlinux"
	cp "$tree/plain/vmlinux" "$made/elf-plain"
	cp "$tree/tree/System.map" "$made/sysmap-mini"
}

# seed TARGET: what is not in its corpus yet
seed() {
	local corpus=$out/corpus/$1 form pattern file name most=1000000
	mkdir -p "$corpus"
	form=$(awk -v target="$1" '$1 == target { print $2 }' <<<"$seeds")
	[ "$form" != block ] || most=20000
	# shellcheck disable=SC2013 # words
	for pattern in $(awk -v target="$1" '$1 == target { $1 = $2 = ""; print }' <<<"$seeds"); do
		case $pattern in
		made/*)	pattern=$out/$pattern ;;
		*)	pattern=tests/data/$pattern ;;
		esac
		for file in $pattern; do
			name=$corpus/seed-$(basename "$file")
			[ -e "$name" ] || {
				[ "$form" != block ] || printf '\377'
				case $file in
				*.gz)	gzip -cd "$file" ;;
				*.xz)	xz -cd "$file" ;;
				*)	cat "$file" ;;
				esac 2>/dev/null | { head -c "$most"; cat >/dev/null; } # all is read: no broken pipe
			} >"$name"
		done
	done
}

# again TARGET: the inputs that it failed with once
again() {
	local file
	for file in "$here/found/$1"-[a-z]*; do
		[ ! -e "$file" ] || "$out/fuzz-$1" "$file" >"$out/$1.log" 2>&1 ||
			{ echo "$file"; tail -n 30 "$out/$1.log"; return 1; }
	done
}

# fuzz TARGET
fuzz() {
	local target=$1 failed=$out/failed
	seed "$target"
	again "$target" || return 1
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
make -s -C host O="$out/../host" >&2
make_seeds
targets=${TARGETS:-$(cd "$here" && printf '%s\n' fuzz-*.c | sed 's/^fuzz-//; s/\.c$//')}
ktap_plan "$(wc -w <<<"$targets")"
for target in $targets; do
	ktap "fuzz $target for $seconds s" fuzz "$target"
done
ktap_end
