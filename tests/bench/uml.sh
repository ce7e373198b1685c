#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Nanoseconds that a pair of allocation and free takes, in User Mode Linux: the kernel as a
# program, at the speed of the machine. Prints a table.
#
#	uml.sh [KERNEL]		a key of tests/qemu/kernel.sh (newest)
#
# Three kernels are built from Debian's source, with one CPU and without checks, and kept in the
# cache: a plain one for the module, and one each with the peers /proc/allocinfo and kmemleak.
# Each boots once with a folder of the host as its root. The loops are those of kma_bench with
# interrupts off, by the host's clock. A figure is the least of eight readings, because other
# programs use the machine as well. If permitted, the kernel runs with real-time priority
# (SCHED_FIFO).
#
# UML is not the hardware's kernel: it turns interrupts off by storing a flag, and it has no jump
# labels, so a switch that is off costs a load and a branch.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh
# shellcheck source=tests/qemu/kconfig.sh
. tests/qemu/kconfig.sh

kernel=${1:-newest}
mkdir -p "${O:-out}/bench/uml"
out=$(cd "${O:-out}/bench/uml" && pwd)
# the kernel's make is not to see what was typed for ours
unset MAKEFLAGS MFLAGS MAKELEVEL KBUILD_OUTPUT

# KIND	fragments
kinds='
plain		tests/bench/uml.config
allocinfo	tests/bench/uml.config tests/bench/uml-allocinfo.config
kmemleak	tests/bench/uml.config tests/bench/uml-kmemleak.config
'

# make_kernel FOLDER: build a kernel of the fragments in "${fragments[@]}". The commands are joined
# by &&, because the shell does not stop at an error in a function that step runs.
make_kernel() {
	mkdir "$1" &&
		ARCH=um configure "$source" "$1" tinyconfig '' "${fragments[@]}" &&
		make -s -C "$source" "O=$1" ARCH=um "-j$(nproc)" linux modules
}

# Set tree to the folder of the kernel KIND, which is built if it is not there.
locate() {
	local sum name
	local -a fragments

	read -ra fragments < <(awk -v kind="$1" '$1 == kind { $1 = ""; print }' <<<"$kinds")
	sum=$(sum_of "$(gcc --version)" "$(cat "${fragments[@]}")" | cut -c 1-12)
	name=$(basename "${source%.tree}")
	tree=$(cache_dir)/kernels/$name.uml-$1.$sum
	exec 9>"$(cache_dir)/kernels/.lock.$name.uml-$1"
	flock 9
	# a build knows its own path, so it is made in place
	if [ ! -e "$tree/.complete" ]; then
		rm -rf "$tree"
		step "building $kernel for UML, $1" make_kernel "$tree" ||
			die "cannot build $kernel for UML: the end of the compiler's output is above"
		: >"$tree/.complete"
	fi
	exec 9>&-
}

# boot KIND: leaves what uml.guest leaves in $out/KIND
boot() {
	local tree root=$out/$1 modules
	local -a priority=()

	locate "$1"
	[ ! -e "$root/init" ] || rm -rf "$root"
	mkdir -p "$root"/{bin,proc,sys,dev,tmp}
	cp "$(type -P busybox)" "$root/bin/busybox"
	modules=$(ARCH=um scripts/module.sh build "$tree" "$out/loops-$1" tests/bench)
	cp "$modules"/kma_{bench,hold}.ko "$root"
	if [ "$1" = plain ]; then
		modules=$(ARCH=um scripts/module.sh build "$tree" "$out/module" Kbuild module)
		cp "$modules/module/kmem_account.ko" "$root"
	fi
	cp tests/bench/uml.guest "$root/init"
	ln -s busybox "$root/bin/sh"
	! chrt -f 50 true 2>/dev/null || priority=(chrt -f 50)
	(cd "$root" && TMPDIR=$root/tmp timeout -k 5 1200 "${priority[@]}" "$tree/linux" mem=1024M \
		rootfstype=hostfs "rootflags=$root" rw init=/init console=tty panic=1 \
		sysctl.vm.mem_profiling=0 </dev/null >console 2>&1) || :
	[ -e "$root/done" ] || { tail -n 20 "$root/console" >&2; die "UML ($1) ended before its measurement"; }
}

# least KIND STATE LOOP: nanoseconds
least() {
	awk -v l="$3" '$1 == l && $2 == "off" && (!n++ || $3 / $4 < least) { least = $3 / $4 }
		END { if (n != 8) exit 1; printf "%.1f", least }' "$out/$1/$2.ticks"
}

source=$(tests/qemu/source.sh "$kernel")
for kind in plain allocinfo kmemleak; do boot "$kind"; done

# A row for each loop. STATE and STATE-million are files of uml.guest.
{
	printf '| ns a pair | no module | module | allocinfo off | on | kmemleak |\n|---|---|---|---|---|---|\n'
	for others in '' -million; do
		for loop in kmalloc cache batch; do
			printf '| %s%s |' "$loop" "${others:+, 1 M others}"
			printf ' %s |' "$(least plain "none$others" "$loop")" "$(least plain "account$others" "$loop")" \
				"$(least allocinfo "profiling-off$others" "$loop")" \
				"$(least allocinfo "profiling-on$others" "$loop")" "$(least kmemleak "kmemleak$others" "$loop")"
			printf '\n'
		done
	done
} >"$out/table"
least plain account-million kmalloc >"$out/hot-million"
{
	printf '%s under UML, one CPU; load of the machine %s; %s events were not recorded.\n\n' \
		"${source##*/}" "$(cut -d ' ' -f 1 /proc/loadavg)" "$(cat "$out/plain/lost")"
	cat "$out/table"
} | tee "$out/uml.md"
