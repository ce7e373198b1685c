#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What the tests in stock kernels share; sourced, never run; it goes to the top of
# the tree. A test is a driver (NAME.sh), the script that runs in the guest
# (NAME.guest, with what is in lib.guest) and a comparison with something that is
# not ours.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.." || exit
# shellcheck source=scripts/machine.sh
. scripts/machine.sh

# kernel_out NAME: an empty folder for what a test makes.
kernel_out() {
	local dir=${O:-$PWD/out}/kernel/$1

	rm -rf "$dir"
	mkdir -p "$dir"
	(cd "$dir" && pwd)
}

# What is built for a test is built with all warnings, as build-all.sh wants it.
export W=${W-1}

# The kernel to run in, of those that kernel.sh knows; empty is the stock one. Or the
# folder of an image, if there is one.
kernel=
kernel_image=

# guest_of NAME CPUS [ASKED [KERNEL]]: the arguments of test NAME, which runs on
# CPUS unless others are asked for. Sets cpus, kernel and out.
guest_of() {
	cpus=${3:-$2}
	kernel=${4-}
	out=$(kernel_out "$1-$cpus${kernel:+-$kernel}")
}

# libraries_of PROGRAM...: add the shared libraries of programs of this machine to the array files.
libraries_of() {
	local -a libs
	local lib

	mapfile -t libs < <(ldd "$@" | grep -o '/lib[^ :]*' | sort -u)
	for lib in "${libs[@]}"; do
		files+=(--file "$lib:$lib")
	done
}

# kernel_at_least VERSION: the kernel that runs in the guest is of VERSION or later. What a
# test expects depends on the kernel, never on the key that the kernel was asked for by.
kernel_at_least() {
	local release

	if [ -n "$kernel_image" ]; then
		release=$(basename "$kernel_image"/lib/modules/*)
	else
		# callers ask in a condition, where the shell does not stop at an error
		release=$(tests/qemu/kernel.sh release ${kernel:+"$kernel"}) || exit
	fi
	release=${release%%[-+]*}
	[ "$(printf '%s\n' "$1" "$release" | sort -V | sed -n 1p)" = "$1" ]
}

# debug_vmlinux: the vmlinux of $kernel with debugging information
debug_vmlinux() {
	local dir

	dir=$(tests/qemu/kernel.sh dir dbg ${kernel:+"$kernel"}) || return
	echo "$dir"/usr/lib/debug/boot/vmlinux-*
}

# The modules, built for $kernel.
module_ko() {
	echo "$(scripts/module.sh build "stock:$kernel" "${O:-out}/module" Kbuild module)/module/kmem_account.ko"
}

# kmod_ko NAME: one of the tests' own
kmod_ko() {
	echo "$(scripts/module.sh build "stock:$kernel" "${O:-out}/kmod" tests/kmod)/$1.ko"
}

known_ko() {
	kmod_ko kma_known
}

# Answers that differ on the machine of $kernel, to come after the others.
known_answers_of_machine() {
	cat "tests/kmod/known-answers-$(machine_of_kernel "$kernel").txt" 2>/dev/null || true
}

# What guests with trace-cmd allow: poll(2) of a trace buffer reads its counts of pages while
# a writer changes them, and the kernel then warns once (ring_buffer_nr_dirty_pages() in
# kernel/trace/ring_buffer.c, seen on 6.1.192).  The kernel takes 0 pages and goes on.
# shellcheck disable=SC2034 # used by the scripts that read this file
trace_cmd_allow='kernel/trace/ring_buffer\.c:[0-9]+ ring_buffer_nr_dirty_pages'

# guest CPUS SCRIPT OUT ARGUMENT...: boot $kernel and run the script; GUEST_ARGS are
# further words for run.sh.
# Its files are in OUT/guest. A guest that fails is the test's only result. In a
# debug kernel any report ends the guest; it needs more memory and time. no5lvl: while
# 6.12 finds out about the CPU anew, it does not know of its five levels of page
# tables, and KASAN calls what an interrupt touches meanwhile wild. What it does against
# faults of CPUs takes a tenth of the time, and nothing looks at it there.
# The time limit is that of a hang: a guest takes up to a minute of CPU time, of which a load
# of 10 on two CPUs makes seven.
guest() {
	local cpus=$1 script=$2 out=$3 image
	local -a args=(--mem 1024 --timeout 1800)
	shift 3

	image=${kernel_image:-$(tests/qemu/kernel.sh dir image ${kernel:+"$kernel"})}
	case $kernel in
	*-debug | *-rtdebug) args=(--mem 2048 --timeout 3600
		--append 'panic_on_warn=1 no5lvl mitigations=off'
		--append 'rcupdate.rcu_cpu_stall_timeout=300'
		--append sysctl.kernel.hung_task_timeout_secs=900) ;;
	# a report of KCSAN is no end: the test looks for the module in it
	*-kcsan) args=(--mem 1024 --timeout 3600
		--append 'no5lvl mitigations=off rcupdate.rcu_cpu_stall_timeout=300') ;;
	esac
	mkdir -p "$out"
	# shellcheck disable=SC2086 # words
	tests/qemu/run.sh --script "$script" --kernel "$image" --smp "$cpus" \
		--out "$out/guest" --file tests/kernel/lib.guest:/lib.guest \
		"${args[@]}" ${GUEST_ARGS-} "$@" >"$out/run" 2>&1 && return
	printf 'KTAP version 1\n1..1\nnot ok 1 the guest ran %s on %s CPUs of %s\n' \
		"$(basename "$script")" "$cpus" "${image##*/}"
	why_ended "$out"
	exit 1
}

# What run.sh said of a guest, and the console from the kernel's first report on, or its
# end, as KTAP comments: what is seen of a failure on another machine.
why_ended() {
	local console=$1/guest/console.log report from

	{
		tail -n 3 "$1/run"
		if report=$(tests/qemu/faults.sh "$console"); then
			from=$(grep -nFm 1 -e "$report" "$console")
			sed -n "${from%%:*},+19p" "$console"
		else
			tail -n 8 "$console"
		fi
	} 2>&1 | cut -c 1-200 | sed 's/\r$//; s/^/# /'
}

# server_libraries: the paths of the libraries that kmem-account loads when it serves; ldd does not
# name them (host/serve/loaded.c).
server_libraries() {
	/sbin/ldconfig -p | sed -n 's,.*(libc6\,x86-64) => \(/.*/lib\(microhttpd\.so\.12\|gnutls\.so\.30\)\)$,\1,p'
}

# complete FILE: as many results as planned, and none that is not ok. Else what wrote FILE, a guest or
# the script that compares what a guest has left, did not come to its end.
complete() {
	awk -v name="${1##*/}" '
		/^1\.\.[0-9]+/ { planned += substr($1, 4) }
		/^(not )?ok [0-9]+/ { results++ }
		/^not ok/ { failed = 1 }
		END {
			if (!results || results != planned) {
				printf "# %s: %d results, %d planned: what wrote them did not come to its end\n", name, results, planned
				failed = 1
			}
			exit failed
		}' "$1"
}

# guest_results FILE...: what guests have left, and whether all is well
guest_results() {
	local file status=0

	for file in "$@"; do
		cat "$file" || status=1
		complete "$file" || status=1
	done
	return "$status"
}

# merged_results FILE...: the results of all as one KTAP, with numbers of their own, and whether all is well
merged_results() {
	local file status=0

	awk '/^1\.\.[0-9]+/ { planned += substr($1, 4) } END { print "KTAP version 1\n1.." planned + 0 }' "$@"
	sed -E '/^(KTAP|1\.\.)/d' "$@" | awk '/^(not )?ok / { sub(/ok [0-9]+ /, "ok " ++n " ") } { print }'
	for file in "$@"; do
		complete "$file" || status=1
	done
	return "$status"
}
