#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What the module costs, beside its peers: out/bench/module.md.
# Long file: the parts share one kernel, one set of boots and one table of bars.
#
#	bench.sh		all parts
#	PARTS="cost" bench.sh	some of the parts below; the report has only these
#	KERNEL=6.12 bench.sh	on another of the kernels that kernel.sh knows
#	PEERS="hist" bench.sh	beside fewer peers: ftrace hist perf bpftrace allocinfo
#
# cost	instructions that a pair of allocation and free takes more: one boot of
#	the kernel, and one of a 6.12 that has /proc/allocinfo
# null	kfree(NULL): instructions that it takes more, and two CPUs against one in user space
# irqoff	how long a call of the allocator keeps irqs off: a boot of the kernel
# stacks	instructions that stacks add, on stock kernels of 6.1 that unwind by ORC and by frame
#	pointers: a boot of each
# memory	bytes a live object, events lost, at 1 and 10 million, 1 and 2 CPUs
# scale	two CPUs against one, the core in user space
# sites	a pair from 40 and from 4,000 call sites, the core in user space, by valgrind
# own	what the module takes when it is loaded on a large machine, and after the demo's work
# peaks	one look at the peaks of 5,000 sites on 256 CPUs, the core in user space
# heap	what `kmem-account lost` takes in a guest with a million objects
# uml	nanoseconds of a pair in User Mode Linux, see uml.sh
# bars	a table of the above: each figure beside its bar and its peers of the same run
# rate	events a second from two CPUs into a file: out/bench/rate.md, see rate.sh
# host	the host program: out/bench/host.md, see host.sh
# page	the page in a browser: out/bench/page.md, see page.sh
# static	the same on built trees: out/bench/static.md, see static.sh
#
# Documentation/design/bench.rst tells how, and what the numbers mean.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

# shellcheck source=tests/bench/stacks.sh
. tests/bench/stacks.sh

all_parts='cost null irqoff stacks memory scale sites own peaks heap uml bars rate host page static'
parts=${PARTS-$all_parts}
kernel=${KERNEL-6.1}
peers=${PEERS-ftrace hist perf bpftrace allocinfo}
allocinfo=6.12-allocinfo	# tests/qemu/build.sh
mkdir -p "${O:-out}/bench"
out=$(cd "${O:-out}/bench" && pwd)
report=$out/module.md

known_part() {
	[[ " $all_parts " == *" $1 "* ]] || die "no part $1; there are: $all_parts"
}

# module KERNEL: kmem_account.ko
module() {
	echo "$(scripts/module.sh build "stock:$1" "${O:-out}/module" Kbuild module)/module/kmem_account.ko"
}

# kmod KERNEL NAME: one of the modules of tests/bench
kmod() {
	echo "$(scripts/module.sh build "stock:$1" "$out/kmod" tests/bench)/$2.ko"
}

head_of_report() {
	printf '# What the module costs\n\n'
	printf '* machine: %s, %s CPUs\n' \
		"$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sed -n 1p)" "$(nproc)"
	printf '* kernel of the guest: %s\n' "$(tests/qemu/kernel.sh release "$kernel")"
	printf '* %s\n' "$(qemu-system-x86_64 --version | sed -n 1p)"
	printf '* commit: %s\n' "$(git describe --always --dirty 2>/dev/null || echo unknown)"
	printf '* date: %s\n' "$(date -u '+%Y-%m-%d %H:%M UTC')"
	printf '* load of the machine when it began: %s\n' "$(cut -d ' ' -f 1 /proc/loadavg)"
	printf '* command: %s%s%smake bench\n' "${PARTS+PARTS=\"$PARTS\" }" \
		"${KERNEL+KERNEL=$KERNEL }" "${PEERS+PEERS=\"$PEERS\" }"
}

# cost: a boot of a kernel, each recorder in turn

# cost_boot KERNEL FOLDER APPEND RECORDER...
cost_boot() {
	local kernel=$1 folder=$out/$2 append=$3 image bench hold module
	local -a disk=()
	shift 3

	# for peers that are programs
	[ ! -e "$out/tools.img" ] || disk=(--disk "$out/tools.img")

	image=$(tests/qemu/kernel.sh dir image "$kernel") || return
	bench=$(kmod "$kernel" kma_bench) || return
	hold=$(kmod "$kernel" kma_hold) || return
	module=$(module "$kernel") || return
	printf '%s\n' "$@" >"$folder.recorders"
	tests/qemu/run.sh --script tests/bench/bench.guest --icount --smp 1 --mem 2048 \
		--kernel "$image" --append "mitigations=off $append" --timeout 2400 \
		--out "$folder" --file "$folder.recorders:/recorders" \
		--file "$bench" --file "$hold" --file "$module" "${disk[@]}"
}

# The kernel with /proc/allocinfo has to be built: rows without a number if it
# cannot be had. It is booted with that off, but possible.
run_cost() {
	local -a recorders=(kmem_account cgroup node stack_depth sampled_8 sampled_4 latency age errors log_alone log_beside probes) asked
	local cpus

	tests/bench/tools.sh "$out/tools.img" >"$out/tools.txt"
	read -ra asked <<<"${peers/allocinfo/}"
	cost_boot "$kernel" cost '' "${recorders[@]}" "${asked[@]}"
	for cpus in 1 64 256; do
		cost_boot "$kernel" "million-$cpus" "possible_cpus=$cpus" probes million
	done
	rm -rf "$out/allocinfo"
	[[ " $peers " != *" allocinfo "* ]] ||
		cost_boot "$allocinfo" allocinfo sysctl.vm.mem_profiling=0 \
			"${recorders[@]}" allocinfo || true
}

# ticks RECORDER LOOP IRQS: ticks a pair, as a fraction
ticks() {
	awk -v l="$2" -v i="$3" '$1 == l && $2 == i { printf "%.3f", $3 / $4 }' \
		"$boot/$1.ticks"
}

# added RECORDER LOOP IRQS: whole instructions a pair, more than with no recorder
added() {
	local none=none

	[[ $1 != million* ]] || none="none-million"
	awk -v a="$(ticks "$1" "$2" "$3")" -v b="$(ticks "$none" "$2" "$3")" \
		'BEGIN { d = a - b; printf "%d", d < 0 ? d - 0.5 : d + 0.5 }'
}

spread() {
	local f

	for f in none again none-after; do
		ticks "$f" "$1" "$2"
		echo
	done | awk '
		NR == 1 { min = max = $1 }
		{ if ($1 < min) min = $1; if ($1 > max) max = $1 }
		END { printf "%.1f", max - min }'
}

content() { cat "$boot/$1" 2>/dev/null || echo -; }

# Who takes less than an empty probe did not listen: say so.
listening() {
	local loop

	case $1 in none | off | allocinfo) return 0 ;; esac
	for loop in 'kmalloc off' 'kmalloc on' 'cache off' 'cache on' 'batch off'; do
		# shellcheck disable=SC2086 # two words
		[ "$(added "$1" $loop)" -ge "$(added probes $loop)" ] ||
			{ echo "it did not listen ($loop)"; return; }
	done
}

# cost_row FILES LABEL
cost_row() {
	local f=$1 loop why

	printf '| %s |' "$2"
	if [ ! -e "$boot/none.ticks" ]; then
		why="that kernel was not asked for, cannot be had, or did not run"
	elif [ -e "$boot/$f.why" ]; then
		why=$(cat "$boot/$f.why")
	elif [ ! -e "$boot/$f.ticks" ]; then
		why="not asked for"
	else
		why=$(listening "$f")
	fi
	if [ -n "$why" ]; then
		printf ' not measured: %s | | | | | | |\n' "$why"
		return
	fi
	for loop in 'kmalloc off' 'kmalloc on' 'cache off' 'cache on' 'batch off'; do
		# shellcheck disable=SC2086 # two words
		printf ' %s |' "$(added "$f" $loop)"
	done
	printf ' %s | %s |\n' "$(content "$f.lost")" "$(content "$f.kept")"
}

version() { awk -v n="$1" '$1 == n { print $2 }' "$out/tools.txt"; }

# The loops themselves, and whether they take the same each time.
report_loops() {
	local loop

	[ -e "$boot/none.ticks" ] || return 0
	for loop in 'kmalloc off' 'kmalloc on' 'cache off' 'cache on' 'batch off'; do
		# shellcheck disable=SC2086 # two words
		printf '| %s: %s | %.0f | %s |\n' "$1" "${loop/ /, irqs }" "$(ticks none $loop)" \
			"$(spread $loop)"
	done
}

report_cost() {
	local boot=$out/cost cpus

	cat <<-EOF

	## Cost

	Whole guest instructions added to a pair of allocation and free
	(\`-icount shift=0,sleep=off\`, one CPU, \`mitigations=off\`, one boot of each
	kernel for all its rows). \`off\`, \`on\`: interrupts during the loop.

	| $(tests/qemu/kernel.sh release "$kernel") | kmalloc+kfree, off | on | cache, off | on | 20,000 live, off | events lost | kept in the end |
	|---|---|---|---|---|---|---|---|
	EOF
	cost_row none 'no module'
	cost_row off 'kmem_account loaded, off'
	cost_row probes 'four empty probes'
	printf '| kmem_account, counters only | left out: without the live map a free names no site, so there is no such mode | | | | | | |\n'
	cost_row on '**kmem_account on: counters and live map, the default**'
	for cpus in 1 64 256; do
		boot=$out/million-$cpus
		cost_row million "**the same, among a million other live objects**, $cpus possible CPUs"
		cost_row million_cgroup "the same, then with cgroup on, $cpus possible CPUs"
	done
	boot=$out/cost
	cost_row cgroup 'kmem_account, with cgroup=1'
	cost_row node 'kmem_account, with node=1'
	cost_row stack_depth 'kmem_account, with stacks of 8'
	cost_row sampled_8 'kmem_account, with stacks of 8, one in 256 (on: a burst without a sample)'
	cost_row sampled_4 'kmem_account, with stacks of 4, one in 64 (on: as above)'
	cost_row latency 'kmem_account, with latency=1'
	cost_row age 'kmem_account, with age=1'
	cost_row errors 'kmem_account, with errors=1'
	cost_row log_alone '**kmem_account, log of events alone** (on=0 log=1)'
	cost_row log_beside 'kmem_account, account and log'
	cost_row ftrace 'ftrace ring buffer, default size'
	cost_row hist 'hist triggers by call site'
	cost_row perf "perf record $(version perf)"
	cost_row bpftrace "bpftrace $(version bpftrace), site sums and live map"
	boot=$out/allocinfo
	printf '| **%s**, built with /proc/allocinfo, that being off | | | | | | | |\n' "$allocinfo"
	cost_row none 'nothing'
	cost_row allocinfo '/proc/allocinfo turned on (bytes live; no slack, no frees)'
	cost_row probes 'four empty probes'
	cost_row on '**kmem_account on, the default**'
	cost_row stack_depth 'kmem_account, with stacks of 8'
	cost_row latency 'kmem_account, with latency=1'
	cost_row log_alone 'kmem_account, log of events alone'
	boot=$out/cost
	cat <<-EOF

	Events lost: of the $(awk '$1 == "all" { print 2 * $4 }' "$boot/none.ticks") of a run.

	| no recorder | instructions a pair, its loop included | three runs differ by |
	|---|---|---|
	EOF
	report_loops "$kernel"
	boot=$out/allocinfo
	report_loops "$allocinfo"
}

# null: kfree(NULL), in a guest and in user space

null_bar=25 null_factor=1.95

# The best factor of five runs: others use the machine as well.
run_null() {
	cost_boot "$kernel" null '' kmem_account probes
	make -s -C tests/unit O="$out/scale" SAN=-DSHIM_FAST "$out/scale/scale"
	for _ in 1 2 3 4 5; do
		chrt -f 10 "$out/scale/scale" null || "$out/scale/scale" null
	done >"$out/null/result"
}

# null_factors: the best factor of two threads to one, and that of private accounts
null_factors() {
	awk '$1 != "null" { next }
		$3 == 1 { one[$2] = $4 }
		$3 == 2 && one[$2] / $4 > best[$2] { best[$2] = one[$2] / $4 }
		END { printf "%.2f %.2f\n", best["shared"], best["private"] }' "$out/null/result"
}

report_null() {
	local boot=$out/null shared private

	read -r shared private < <(null_factors)
	cat <<-EOF

	## kfree(NULL)

	The kernel reports an event for each kfree(NULL). Whole guest instructions added to a call,
	interrupts off, as above; and the work of two threads to that of one in user space, each
	pinned to a CPU: the best of five runs. *Private* is two processes with an account each.

	| what | figure | bar | | beside it |
	|---|---|---|---|---|
	| instructions added | $(added on null off) | $null_bar | $(verdict "$(added on null off)" "$null_bar") | an empty probe $(added probes null off); a hot pair $(added on kmalloc off) |
	| two threads to one | $shared | $null_factor | $(verdict "$shared" "$null_factor" least) | private $private |
	EOF
}

# irqoff: the longest sections with irqs off, in a guest

irqoff_bar=20000

run_irqoff() {
	tests/qemu/run.sh --script tests/bench/irqoff.guest --icount --smp 1 --mem 1024 \
		--kernel "$(tests/qemu/kernel.sh dir image "$kernel")" \
		--append mitigations=off --timeout 1200 --out "$out/irqoff" \
		--file "$(kmod "$kernel" kma_irqoff)" --file "$(module "$kernel")"
}

# irqoff_rows NAME LABEL: the figures of each call, and what it takes more than without the module: the
# largest difference of the medians, of the longest calls and of the first ones. Both have the allocator's own work,
# which varies, so a difference of the longest alone can hide what was added to a shorter call.
irqoff_rows() {
	local call median tail longest first base_median base_longest base_first more difference

	while read -r call median tail longest first; do
		printf '| %s | %s | %s | %s | %s | %s |' "$2" "$call" "$median" "$tail" "$longest" "$first"
		if [ "$1" = none ]; then
			echo ' | |'
			continue
		fi
		read -r base_median base_longest base_first < <(awk -v c="$call" '$1 == c { print $2, $4, $5 }' "$out/irqoff/none.irqoff")
		more=$((longest - base_longest))
		for difference in $((median - base_median)) $((first - base_first)); do
			[ "$difference" -le "$more" ] || more=$difference
		done
		printf ' %s | %s |\n' "$more" "$(verdict "$more" "$irqoff_bar")"
	done <"$out/irqoff/$1.irqoff"
}

report_irqoff() {
	cat <<-EOF

	## Sections with interrupts off

	Instructions of one call of the allocator with interrupts off, 4,000 calls of each kind, 100
	of blocks of order 10, 20 of their first page (\`-icount\`, one CPU). *First* is the first call after the
	switches are on. *More* is what a
	call takes more than without the module, the largest difference of the medians, of the longest
	calls and of the first ones: at most $irqoff_bar. A block of alloc_pages has 8
	pages, which are freed one by one; free_page is the first of them. kfree_bulk/256 frees 256
	objects, and its figures are those of one object: the module's handler has a section for each.
	The sections of workers are not here: unit tests count their steps.

	| switches | call | median | 99.9 % | longest | first | more | |
	|---|---|---|---|---|---|---|---|
	EOF
	irqoff_rows none 'no module'
	irqoff_rows default 'none'
	irqoff_rows switches 'stacks 8, wrappers, errors, node'
	irqoff_rows all 'the same, age, all allocators'
}

# memory: many live objects, not under icount

run_memory() {
	local cpus

	for cpus in 1 2; do
		tests/qemu/run.sh --script tests/bench/hold.guest --smp "$cpus" --mem 4096 \
			--kernel "$(tests/qemu/kernel.sh dir image "$kernel")" \
			--append mitigations=off --timeout 2400 --out "$out/memory-$cpus" \
			--file "$(kmod "$kernel" kma_hold)" --file "$(module "$kernel")"
	done
}

report_memory() {
	local cpus

	cat <<-EOF

	## Memory and loss

	Live objects of 16 bytes, allocated as fast as the CPUs can, in a guest of
	4 GiB, counters and live map on from the start; not under icount.

	| CPUs | live objects | found in the account | events not recorded | live map, bytes | load | bytes an object | 20 s later | other tables, bytes | live map 10 s after they have gone, bytes |
	|---|---|---|---|---|---|---|---|---|---|
	EOF
	for cpus in 1 2; do
		awk -v cpus="$cpus" '{
			printf "| %d | %d | %d | %d | %d | %d %% | %.2f | %.2f | %d | %d |\n", cpus,
				$1, $2, $3, $4, $5, $4 / $2, $10 / $2, $6, $8
		}' "$out/memory-$cpus/hold"
	done
}

# scale: the core in user space

run_scale() {
	make -s -C tests/unit O="$out/scale" SAN=-DSHIM_FAST "$out/scale/scale"
	# before all others for its seconds, where it may
	chrt -f 10 "$out/scale/scale" >"$out/scale/result" ||
		"$out/scale/scale" >"$out/scale/result"
}

scale_label() {
	case $1 in
	machine) echo "arithmetic, as much at once as a CPU can" ;;
	pair)	echo "one object each, again and again" ;;
	own)	echo "4096 objects each, a million others live" ;;
	small)	echo "4096 objects each, smallest map" ;;
	roomy)	echo "4096 objects each, when the million are gone" ;;
	handed)	echo "each frees what the other allocated, same sites" ;;
	esac
}

report_scale() {
	local name

	cat <<-EOF

	## Two CPUs against one

	The module's core in user space, \`-O2\`, no sanitizers; turning interrupts off
	costs nothing there (SHIM_FAST). Best of 400 short rounds, wall time for a pair
	of all threads together. Bar 1.8, aim 1.95. *Private* is the control: two
	processes with an account each, that do the same and share nothing, in the same
	seconds: what this machine gains by its second CPU at most.

	| case | 1 thread, ns | 2 threads, ns | factor | private: 1, ns | 2, ns | factor |
	|---|---|---|---|---|---|---|
	EOF
	for name in machine pair roomy own small handed; do
		awk -v n="$name" -v label="$(scale_label "$name")" '
			$1 == n { ns[$2, $3] = $4 }
			function columns(world) {
				if (!((world, 1) in ns))
					return " - | - | - |"
				return sprintf(" %.2f | %.2f | %.2f |", ns[world, 1], ns[world, 2],
					ns[world, 1] / ns[world, 2])
			}
			END { printf "| %s |%s%s\n", label, columns("shared"), columns("private") }
		' "$out/scale/result"
	done
}

# sites: the core in user space, instructions by callgrind

# instructions SITES ROUNDS
instructions() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$out/scale/sites" "$1" "$2" \
		2>&1 | awk '/Collected/ { print $4 }'
}

run_sites() {
	local n rounds

	: >"$out/sites"
	command -v valgrind >/dev/null || return 0
	make -s -C tests/unit O="$out/scale" SAN=-DSHIM_FAST "$out/scale/sites"
	for n in 40 400 4000; do
		rounds=$((40000 / n))
		echo "$n $((($(instructions "$n" "$rounds") - $(instructions "$n" 0)) / 40000))"
	done >"$out/sites"
}

report_sites() {
	printf '\n## Many call sites\n\n'
	if [ ! -s "$out/sites" ]; then
		echo 'Not measured: there is no valgrind.'
		return
	fi
	cat <<-EOF
	The module's core in user space, \`-O2\`, no sanitizers, SHIM_FAST: instructions of a pair,
	by callgrind, with as many call sites in turn, each with a size of its own.

	| call sites | instructions a pair |
	|---|---|
	EOF
	awk '{ printf "| %d | %d |\n", $1, $2 }' "$out/sites"
}

# own: what the module takes, by its own file stats and by the kernel's list of its sections

run_own() {
	local image

	image=$(tests/qemu/kernel.sh dir image "$kernel") || return
	tests/qemu/run.sh --script tests/bench/own.guest --smp 4 --mem 2048 --kernel "$image" \
		--append possible_cpus=256 --timeout 1200 --out "$out/own-256" \
		--file "$(module "$kernel")" || return
	rm -f "$out/own.ext4"
	truncate -s 96M "$out/own.ext4"
	PATH=$PATH:/sbin:/usr/sbin mke2fs -q -t ext4 -F "$out/own.ext4" || return
	tests/qemu/run.sh --script tests/demo/guest.sh --smp 1 --mem 1024 --modules loop \
		--kernel "$image" --disk "$out/own.ext4" --timeout 1200 --out "$out/own-demo" \
		--file "$(module "$kernel")" || return
	tests/kernel/size.sh "$kernel" >"$out/size.ktap" || true
	cp "${O:-out}/kernel/size-1-$kernel/bytes" "$out/own-size"
}

# stat_of FOLDER KEY: a figure of its stats
stat_of() { sed -n "s/^$2: //p" "$out/$1/stats" 2>/dev/null; }

report_own() {
	local folder key

	cat <<-EOF

	## Memory of the module itself

	By debugfs' \`stats\`, in bytes: loaded with 4 CPUs online of 256 possible, and after the work of
	\`make demo\` on one CPU. Text, data and bss that stay after loading: $(cat "$out/own-size") bytes.

	| | 4 of 256 CPUs | one CPU, after the demo's work |
	|---|---|---|
	EOF
	for key in 'sites bytes' 'classes bytes' 'map bytes' 'peak looks bytes' 'module bytes' 'own bytes'; do
		printf '| %s | %s | %s |\n' "$key" "$(stat_of own-256 "$key")" "$(stat_of own-demo "$key")"
	done
}

# peaks: the core in user space

run_peaks() {
	make -s -C tests/unit O="$out/peaks-256" SAN="-DSHIM_FAST -DSHIM_CPUS=256" "$out/peaks-256/peaks"
	"$out/peaks-256/peaks" >"$out/peaks"
}

report_peaks() {
	cat <<-EOF

	## A look at the peaks

	The module's core in user space, \`-O2\`, no sanitizers: 5,000 call sites of two sizes, counters
	of 256 CPUs, all of them in use; CPU time of one look.

	| since the last look | ms |
	|---|---|
	EOF
	awk 'BEGIN { label["quiet"] = "no event"; label["busy"] = "each CPU had events of 40 classes"
			label["all"] = "each CPU had events of all classes" }
		{ printf "| %s | %.2f |\n", label[$1], $2 / 1e6 }' "$out/peaks"
}

# heap: what kmem-account lost takes, not under icount

heap_seconds=10		# a pass with a million objects
heap_timer=1.2		# how much later a timer is beside scans

run_heap() {
	local program=${O:-out}/host/kmem-account lib
	local -a libs files=()

	make -s -C host O="${O:-$PWD/out}/host" || return
	mapfile -t libs < <(ldd "$program" | grep -o '/lib[^ :]*' | sort -u)
	for lib in "${libs[@]}"; do
		files+=(--file "$lib:$lib")
	done
	tests/qemu/run.sh --script tests/bench/heap.guest --smp 2 --mem 4096 \
		--kernel "$(tests/qemu/kernel.sh dir image "$kernel")" \
		--append mitigations=off --timeout 1200 --out "$out/heap" "${files[@]}" \
		--file "$program:/kmem-account" --file "$(kmod "$kernel" kma_hold)" --file "$(module "$kernel")" || return
	${CC:-cc} -O2 -o "$out/timer" tests/bench/timer.c || return
	tests/qemu/run.sh --script tests/bench/heap-timer.guest --icount --smp 1 --mem 4096 \
		--kernel "$(tests/qemu/kernel.sh dir image "$kernel")" \
		--append mitigations=off --append clearcpuid=erms --timeout 1800 --out "$out/heap-timer" "${files[@]}" \
		--file "$out/timer:/timer" --file "$program:/kmem-account" \
		--file "$(kmod "$kernel" kma_hold)" --file "$(module "$kernel")" || return
	tests/bench/heap-made.sh >"$out/heap-made"
}

report_heap() {
	local label objects edges read seconds memory bar quiet loop scan times

	cat <<-EOF

	## A scan of the heap

	\`kmem-account lost\`, three passes, in a guest with two CPUs and 4 GB under TCG. *Seconds* are the
	longest pass (bar, for a million objects on an idle machine: $heap_seconds). *Memory* is the most that
	the program had; its bar is 32 bytes an object, 5 an edge and 64 MB.

	| guest | objects | edges | MB read | seconds | | MB of memory | bar | |
	|---|---|---|---|---|---|---|---|---|
	EOF
	while IFS='|' read -r label objects edges read seconds memory bar; do
		printf '| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n' "$label" "$objects" "$edges" "$read" \
			"$seconds" "$(verdict "$seconds" "$heap_seconds")" "$memory" "$bar" "$(verdict "$memory" "$bar")"
	done < <(
		tests/bench/heap.py row "$out/heap" small 'the guest as it is'
		tests/bench/heap.py row "$out/heap" list 'a million objects of 96 bytes in lists'
		tests/bench/heap.py row "$out/heap" edges 'the same, ten pointers more in each'
	)
	cat <<-EOF

	How late a timer of 1 ms is in a guest with one CPU and a million objects in lists, in microseconds
	of \`-icount\` (an instruction takes 1 ns; copies without ERMS, by 8 bytes): medians of ten runs of
	2 s each, on the quiet machine, beside a process that only computes, and beside
	scans. Bar: $heap_timer times.

	| | quiet | beside a loop | beside scans | times | |
	|---|---|---|---|---|---|
	EOF
	while IFS='|' read -r label quiet loop scan times; do
		printf '| %s | %s | %s | %s | %s | %s |\n' "$label" "$quiet" "$loop" "$scan" "$times" "$(verdict "$times" "$heap_timer")"
	done < <(tests/bench/heap.py timer "$out/heap-timer/timer")
	IFS='|' read -r label objects edges read seconds memory bar <"$out/heap-made"
	printf '\nOn %s: %s objects, %s edges; what is lost was found, and nothing else. %s s, %s s a GB that is read; %s MB of memory, bar %s: %s.\n' \
		"$label" "$objects" "$edges" "$seconds" "$(awk -v s="$seconds" -v mb="$read" 'BEGIN { printf "%.1f", s * 1024 / mb }')" \
		"$memory" "$bar" "$(verdict "$memory" "$bar")"
}

# bars: nothing is measured for it

run_bars() { :; }

# verdict FIGURE BAR [least]: is the figure within the bar, or at least the bar?
verdict() {
	awk -v f="$1" -v b="$2" -v least="${3-}" 'BEGIN {
		if (f == "")
			print "not measured"
		else
			print (least ? f + 0 >= b : f + 0 <= b) ? "met" : "**missed**"
	}'
}

# bar WHAT FIGURE BAR AIM PEERS [least]
bar() { printf '| %s | %s | %s | %s | %s | %s |\n' "$1" "${2:--}" "$3" "$4" "$(verdict "$2" "$3" "${6-}")" "$5"; }

# added_of FOLDER RECORDER LOOP: "" without a measurement
added_of() {
	local boot=$out/$1

	# shellcheck disable=SC2086 # two words
	[ ! -e "$boot/$2.ticks" ] || added "$2" $3
}

# more_than_on RECORDER: what a switch adds to the account; "" without a measurement
more_than_on() {
	awk -v on="$(added_of cost on 'kmalloc off')" -v with="$(added_of cost "$1" 'kmalloc off')" \
		'BEGIN { if (on != "" && with != "") print with - on }'
}

# peers LOOP: what others add to the same loop in the same run
peers_of() {
	local name figure text=

	for name in probes ftrace hist perf bpftrace; do
		figure=$(added_of cost "$name" "$1")
		[ -z "$figure" ] || text+="${text:+, }$name $figure"
	done
	figure=$(added_of allocinfo allocinfo "$1")
	[ -z "$figure" ] || text+=", /proc/allocinfo $figure"
	echo "${text:--}"
}

# column FILE ROW COLUMN, ROW is the value of a column of its own
held() { awk -v n="$2" -v c="$3" '$1 == n { print $c }' "$out/memory-$1/hold" 2>/dev/null; }

factor() {
	awk -v w="$1" '$1 == "own" && $2 == w { ns[$3] = $4 }
		END { if (2 in ns) printf "%.2f", ns[1] / ns[2] }' "$out/scale/result" 2>/dev/null
}

report_bars() {
	local cpus n

	cat <<-EOF

	## Bars

	Instructions are those added to a pair of kmalloc(64) and kfree, interrupts off; memory is in bytes.
	Peers are of the same run; those of the batch have no million others, which costs them nothing.

	| what | figure | bar | aim | | peers |
	|---|---|---|---|---|---|
	EOF
	for cpus in 1 64 256; do
		bar "batch, 1 M others live, $cpus possible CPUs" \
			"$(added_of "million-$cpus" million 'batch off')" 120 110 "$(peers_of 'batch off')"
	done
	for cpus in 1 64 256; do
		bar "hot, 1 M others live, $cpus possible CPUs: mean of 64 addresses" \
			"$(added_of "million-$cpus" million 'places off')" 122 110 \
			"$(peers_of 'kmalloc off')"
		bar "the same: the worst of these addresses" \
			"$(added_of "million-$cpus" million 'worst off')" 130 - -
	done
	bar 'hot, empty map' "$(added_of cost on 'kmalloc off')" 120 110 "$(peers_of 'kmalloc off')"
	bar '4,000 call sites, all warm: more than 40' \
		"$(awk '{ n[$1] = $2 } END { if (4000 in n) print n[4000] - n[40] }' "$out/sites" 2>/dev/null)" 10 - -
	for n in 1000000 10000000; do
		bar "bytes per live object, $n live, one CPU" \
			"$(awk -v b="$(held 1 $n 4)" -v n=$n 'BEGIN { if (b) printf "%.2f", b / n }')" 6 3.5 -
	done
	bar 'own memory after loading, 4 CPUs online of 256' "$(stat_of own-256 'own bytes')" \
		1048576 - -
	bar 'text, data and bss' "$(cat "$out/own-size" 2>/dev/null)" 131072 - -
	bar "tables without the map, one CPU, after the demo's work" \
		"$(own_tables)" 524288 307200 -
	bar 'live map 10 s after 10 M objects are freed, parts of that of the loaded module' \
		"$(awk -v b="$(held 1 10000000 8)" -v n="$(held 1 10000000 9)" \
			'BEGIN { if (b && n) printf "%.2f", b / n }')" 1.1 - -
	bar 'work of two threads to one, 1 M others live' "$(factor shared)" 1.97 - \
		"private maps $(factor private)" least
	bar 'one look at the peaks, 5,000 sites, 256 CPUs, no event since the last one, ms' \
		"$(awk '$1 == "quiet" { printf "%.2f", $2 / 1e6 }' "$out/peaks" 2>/dev/null)" 1 - -
	bar 'the same, after events of 40 classes on each CPU' \
		"$(awk '$1 == "busy" { printf "%.2f", $2 / 1e6 }' "$out/peaks" 2>/dev/null)" 1 - -
	for n in cgroup node; do
		bar "$n on, instructions added to a pair" "$(more_than_on "$n")" 25 15 -
	done
	bar 'stacks of 4 for one allocation in 64, added to a pair' "$(more_than_on sampled_4)" 40 - -
	printf '| nanoseconds of a pair of kmalloc in UML, 1 M others live, in all | %s | stated | 25 | stated | %s |\n' \
		"$(cat "$out/uml/hot-million" 2>/dev/null || echo -)" "see uml/uml.md"
}

own_tables() {
	[ ! -e "$out/own-demo/stats" ] ||
		echo $(($(stat_of own-demo 'own bytes') - $(stat_of own-demo 'module bytes') -
			$(stat_of own-demo 'map bytes')))
}

# uml: two kernels, see uml.sh

run_uml() {
	tests/bench/uml.sh
}

report_uml() {
	printf '\n## Nanoseconds\n\n'
	cat "$out/uml/uml.md"
}

# rate: it has a report of its own

run_rate() {
	KERNEL=$kernel tests/bench/rate.sh
}

report_rate() { printf '\nHow many events a second are carried away: rate.md.\n'; }

# host: so has this

run_host() {
	tests/bench/host.sh
}

report_host() { printf '\nWhat the host program costs: host.md.\n'; }

# page: so has this

run_page() {
	make -s -C host O="$(cd "${O:-out}" && pwd)/host" && tests/bench/page.sh
}

report_page() { printf '\nWhat the page costs a browser: page.md.\n'; }

# static: the same

run_static() {
	tests/bench/static.sh
}

report_static() { printf '\nHow fast a built tree is read: static.md.\n'; }

for part in $parts; do
	known_part "$part"
done
scripts/setup.sh build demo
head_of_report >"$report"
for part in $parts; do
	step "measuring: $part" "run_$part" || die "$part could not be measured"
	"report_$part" >>"$report"
done
cat "$report"
say "Written: $report"
