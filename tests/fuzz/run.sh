#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Fuzz the readers: each target for some seconds, from real files on.
#
#	run.sh				all targets, a minute each
#	SECONDS_EACH=3600 run.sh	as long as one likes
#	TARGETS="ftrace" run.sh		some
#
# Most are of one reader, by libFuzzer; `program` is the whole program, by AFL++. They run
# at a low weight: others may need the CPU more.
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
latency		block latency/*.xz
account		block small.account readers/account*
sites		block readers/sites*
snapshot	block made/snapshot/* readers/snapshot*
modtable	block made/snapshot/* readers/snapshot* readers/sites*
cgroups		block readers/cgroups* readers/nodes*
allocinfo	block readers/allocinfo*
slub		block readers/alloc_*
paste		block cases/field/*.txt readers/kmemleak* readers/memleak* readers/page-owner* readers/perf-kmem*
report		whole made/report-*
waits		block readers/latency*
scan		whole made/scan
scan-report	block made/scan
unpack		block packed/*
db		whole made/db-* formats/db-*.db
elf		whole made/elf-*
sysmap		whole made/sysmap-*
tree		whole made/tree-*
types		whole made/types-*
log		whole made/log-*
trace-dat	whole
trace-slots	whole
trace-text	whole made/text-*
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
	mkdir -p "$made/snapshot"
	tests/host/snapshot.py make "$made/snapshot" 3 >/dev/null
	tests/data/mktree.sh "$tree" >/dev/null
	cp "$tree/tree/fs/alpha/inode.o" "$made/elf-object"
	cp "$tree"/debug/lib/modules/*/kernel/drivers/foo/*.ko "$made/elf-module"
	cp "$tree"/debug/boot/vmlinux* "$made/elf-vmlinux"
	cp "$tree/plain/vmlinux" "$made/elf-plain"
	cp "$tree/tree/System.map" "$made/sysmap-mini"
	"$program" types --vmlinux "$(echo "$tree"/debug/boot/vmlinux*)" -O "$made/mini.kmt"
	"$here/types-seed.py" "$made/mini.kmt" "$made/types-mini"
	make_tree_seed "$tree" "$made"
	make_scan_seed >"$made/scan"
	# block, changes, format and numbers: see fuzz-report.c
	printf '\0\0\0\3\1\2\3\4\5\6\7\1\2\3\4\0\1\0' >"$made/report-plain"
	printf '\7\7\2\5\1\2\3\4\5\6\7\1\2\3\4\0\3\1' >"$made/report-twice"
	# an exit and an entry of a function: see fuzz-trace-text.c
	printf '\0\102\0\1\50%040d\101\1\1\50%040d' 0 0 >"$made/text-functions"
	tests/host/log-make.py --events 300 --lose "$made/log-little" "$made/expected.csv"
	tests/host/log-make.py --events 300 --order big --bits 32 "$made/log-big" "$made/expected.csv"
}

# A scan in which a variable holds an object, which holds a list of two; one is on a stack, one is lost.
make_scan_seed() {
	printf '%b' 'kmem_account scan 1\nkernel\trelease\t6.1.0\nplace\t-\t-\t-\talloc_a+0x4/0x10\nnote\ta note\n' \
		'site\t1\talloc_a+0x4/0x10\nsite\t2\talloc_b+0x4/0x20 [foo]\n' \
		'root\t0\tvariable table [foo]\nroot\t2\ttask 7 (sh) stack\n' \
		'object\t1\t64\t-\t0\t8\nobject\t2\t32\t0\t-\t24\nobject\t2\t32\t1\t-\t0\nobject\t1\t64\t-\t1\t-\nobject\t1\t64\t-\t-\t-\n' \
		'edge\t1\t24\t2\t1\nedge\t2\t0\t2\t1\nlive\t9\t5\t256\n' \
		'retained_root\t128\t3\t1\t0\tvariable table [foo]\nretained_caller\t128\t3\t1\t64\talloc_a+0x4/0x10\n' \
		'retained_part\t0\t0\t1\t64\nretained_part\t0\t-\t2\t64\npass\t9\t1\t4\t6\t100\t50\t0\t1000000\nlost\t1\t3\t64\t4000\t1\talloc_a+0x4/0x10\n' \
		'lost_object\t1\t64\t1\t-\t-\nend\t23\n'
}

# A linker's map, commands, MAINTAINERS, an object, an image: see fuzz-tree.c.
make_tree_seed() {
	local part sizes=
	cd "$2"
	mkdir fs
	cp "$1/tree/fs/alpha/inode.o" fs/a.o
	ld -e 0 --unresolved-symbols=ignore-all -Map=part.1 -o part.6 fs/a.o
	echo 'cmd_fs/built-in.a := rm -f fs/built-in.a; printf "fs/%s " a.o | xargs ar cDPrST fs/built-in.a' >part.2
	printf '%s\n' fs/b.o fs/m2.o >part.3
	printf '%b\n' 'THE REST\nM:\tX <x@y>\nF:\t*\nF:\t*/\n' \
		'FILE SYSTEMS\nM:\tY\nS:\tMaintained\nF:\tfs/\nX:\tfs/b/\nN:\tinode[0-9]\nK:\tfoo' >part.4
	mv fs/a.o part.5
	rmdir fs
	for part in 1 2 3 4 5; do
		part=$(stat -c %s "part.$part")
		sizes+=$(printf '\\x%02x\\x%02x' $((part & 255)) $((part >> 8)))
	done
	{ printf '%b' "$sizes"; cat part.?; } >tree-mini
	rm part.?
	cd - >/dev/null
}

# What the whole program may be given: of everything the beginning, packed or not.
make_program_seeds() {
	local made=$out/made/program file name
	mkdir -p "$made"
	for file in tests/data/logs/*.[gx]z; do
		name=${file##*/}
		case $file in
		*.gz)	gzip -cd "$file" ;;
		*.xz)	xz -cd "$file" ;;
		esac | sed -n 1,40p >"$made/${name%%.log*}"
	done
	for file in tests/data/small.account tests/data/readers/[a-z]*; do
		[ -f "$file" ] || continue
		sed -n 1,40p "$file" >"$made/${file##*/}"
	done
	cp tests/data/trace-dat/kmem-5.10.dat "$made"
	trace-cmd convert -i tests/data/trace-dat/instance-6.1.dat -o "$made/v6.dat" --file-version 6 \
		>/dev/null 2>&1
	cp "$out/made/db-two" "$made"
	gzip -c "$made/slab-6.1" >"$made/gzip"
	xz -c "$made/sites-6.1" >"$made/xz"
	zstd -qc "$made/allocinfo-6.12" >"$made/zstd"
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

# fuzz_until TARGET OPTION: how many runs that were; those that it has learned come first
fuzz_until() {
	nice -n 10 "$out/fuzz-$1" "$2" -timeout=25 -rss_limit_mb=2048 -max_len=65536 \
		-artifact_prefix="$out/failed/$1-" -print_final_stats=1 \
		"$out/corpus/$1" >"$out/$1.log" 2>&1 ||
		{ tail -n 30 "$out/$1.log"; return 1; }
	sed -n 's/^stat::number_of_executed_units: */# runs: /p' "$out/$1.log"
}

# fuzz TARGET: for its time, and if the host was so busy that this were hardly any runs, for
# as many as show that it does run: a target that runs nothing finds nothing.
fuzz() {
	seed "$1"
	again "$1" || return 1
	mkdir -p "$out/failed"
	fuzz_until "$1" -max_total_time="$seconds" || return 1
	grep -qE '^stat::number_of_executed_units: +[1-9][0-9]{2}' "$out/$1.log" ||
		fuzz_until "$1" -runs=100
}

# The whole program by AFL++. What it takes long for has to end by itself: a child that
# reads a trace.dat has 20 s of CPU time.
program() {
	local afl=$out/afl file status
	make_program_seeds
	mkdir -p "$afl/work"
	rm -rf "$afl/default/hangs" "$afl/default/crashes"
	env KMA_AFL_DIR="$afl/work" AFL_AUTORESUME=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1 AFL_SKIP_CPUFREQ=1 \
		AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_FAST_CAL=1 AFL_CMPLOG_ONLY_NEW=1 \
		nice -n 10 afl-fuzz -i "$out/made/program" -o "$afl" -x tests/fuzz/program.dict -t 10000 \
		-V "$seconds" -- "$out/afl-program" @@ >"$out/program.log" 2>&1 ||
		{ tail -n 30 "$out/program.log"; return 1; }
	sed -n 's/^execs_done *: */# runs: /p' "$afl/default/fuzzer_stats"
	for file in "$afl"/default/crashes/id*; do
		[ ! -e "$file" ] || { echo "$file"; afl_again "$file"; return 1; }
	done
	for file in "$afl"/default/hangs/id*; do
		[ -e "$file" ] || continue
		status=0
		timeout 600 "$program" report "$file" >/dev/null 2>&1 || status=$?
		[ "$status" -le 1 ] || { echo "$file: exit status $status"; return 1; }
	done
	grep -qE '^execs_done *: [1-9][0-9]{2}' "$afl/default/fuzzer_stats"
}

# afl_again FILE: what is wrong with an input that AFL has found
afl_again() {
	KMA_AFL_DIR=$out/afl/work "$out/afl-program" "$1" 2>&1 | tail -n 20
}

targets=${TARGETS:-$(cd "$here" && printf '%s\n' fuzz-*.c | sed 's/^fuzz-//; s/\.c$//') program}
flock "$out/../host.lock" make -s -C host O="$out/../host" >&2
goals=all
! grep -qw program <<<"$targets" || goals='all afl'
# shellcheck disable=SC2086 # words
make -s -j2 -C tests/fuzz O="$out" $goals >&2
make_seeds
ktap_plan "$(wc -w <<<"$targets")"
for target in $targets; do
	case $target in
	program)	ktap "fuzz the whole program for $seconds s" program ;;
	*)		ktap "fuzz $target for $seconds s" fuzz "$target" ;;
	esac
done
ktap_end
