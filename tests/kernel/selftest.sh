#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The self-test at load: modules that were compiled with wrong lists of arguments are refused in a
# stock kernel, with one line that names the event and the argument. The module itself loads,
# beside tasks that allocate. `kmem-account check --kernel` says the same of each of these files
# and of the kernel's BTF, also of the events that the self-test cannot make.
#
#	selftest.sh [CPUS [KERNEL]]	2 CPUs, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

program=${KMEM_ACCOUNT:-${O:-$PWD/out}/host/kmem-account}
guest_of selftest 2 "$@"
source=$out/source
call='unsigned long call_site, const void *ptr'
swapped_call='const void *ptr, unsigned long call_site'
page='struct page *page, unsigned int order'
swapped_page='unsigned int order, struct page *page'
files=()

# change MACRO FROM TO: in each definition of a list of arguments
change() {
	awk -v name="$1" -v from="$2" -v to="$3" '
	$1 == "#define" && $2 == name { inside = 1 }
	inside && (at = index($0, from)) {
		$0 = substr($0, 1, at - 1) to substr($0, at + length(from))
		changed = 1
	}
	{ print }
	!/\\$/ { inside = 0 }
	END { exit !changed }' "$source/module/compat/events.h" >"$source/new"
	mv "$source/new" "$source/module/compat/events.h"
}

# original: the sources as they are, but that the compiler accepts each list
original() {
	rm -rf "$source"
	mkdir -p "$source"
	cp -a Kbuild module "$source"
	sed -i 's/check_trace_callback_type_\(##event\|mark_victim\)(/(void)(/' "$source/module/source/tracepoint.c"
}

# build NAME: the changed sources; then the original ones again. Only what differs is compiled.
build() {
	local folder

	folder=$(cd "$source" && W='' "$OLDPWD/scripts/module.sh" build "stock:$kernel" "$out/wrong" Kbuild module)
	cp "$folder/module/kmem_account.ko" "$out/wrong-$1.ko"
	files+=(--file "$out/wrong-$1.ko")
	original
}

# expect NAME EVENTS PATTERN: what a module is refused for
expect() { printf '%s\t%s\t%s\n' "$@" >>"$out/wrong.tsv"; }

original
change KMA_KMALLOC_ARGS 'size_t bytes_req, size_t bytes_alloc' 'size_t bytes_alloc, size_t bytes_req'
change KMA_PAGE_ALLOC_ARGS "$page" "$swapped_page"
change KMA_PERCPU_ALLOC_ARGS 'size_t align, void *base_addr' 'void *base_addr, size_t align'
expect 1 slab 'tracepoint kmalloc: argument bytes_req '
expect 1 page 'tracepoint mm_page_alloc: argument page '
expect 1 percpu 'tracepoint percpu_alloc_percpu: argument align '
build 1

change KMA_PAGE_FREE_ARGS "$page" "$swapped_page"
change KMA_PERCPU_FREE_ARGS 'void *base_addr, int off' 'int off, void *base_addr'
# before 6.1 the list is that of kmalloc
if kernel_at_least 6.1; then
	change KMA_CACHE_ALLOC_ARGS "$call" "$swapped_call"
	expect 2 slab 'tracepoint kmem_cache_alloc: argument call_site '
fi
expect 2 page 'tracepoint mm_page_free: argument page '
expect 2 percpu 'tracepoint percpu_free_percpu: argument base_addr '
build 2

change KMA_KFREE_ARGS "$call" "$swapped_call"
expect 3 slab 'tracepoint kfree: argument call_site '
build 3

change KMA_CACHE_FREE_ARGS "$call" "$swapped_call"
expect 4 slab 'tracepoint kmem_cache_free: argument call_site '
build 4

change KMA_RECLAIM_BEGIN_ARGS 'int order' 'long order'
change KMA_OOM_VICTIM_ARGS 'void *data, ' 'void *data, int more, '
build waits

sed -i 's/size_t n = kma_regs_argument(regs, 1)/size_t n = kma_regs_argument(regs, 2)/' \
	"$source/module/source/kprobe.c"
expect 5 slab 'function kmem_cache_free_bulk: argument size '
build 5

sed -i 's/UTS_RELEASE/"0-other"/' "$source/module/source/tracepoint.c"
build release

# verdicts MODULE: "EVENT VERDICT" of each event that is not the kernel's
verdicts() {
	local status=0

	"$program" check --kernel --btf "$out/guest/btf" "$1" --format csv >"$out/fit" || status=$?
	awk -F , 'NR > 1 && $2 != "same" { print $1, $2 } END { exit NR < 13 }' "$out/fit" || return 2
	return "$status"
}

# No event is another, and the program says so by its status.
fits() {
	local found

	found=$(verdicts "$(module_ko)") || { echo "status $?"; cat "$out/fit"; return 1; }
	echo "$found"
	[ -z "$found" ]
}

# Each event of which a module was refused; on kernels with events for nodes, kmalloc's list is theirs, too.
differs() {
	local name event status

	for name in 1 2 3 4; do
		status=0
		verdicts "$out/wrong-$name.ko" >"$out/got" || status=$?
		[ "$status" = 1 ] || { echo "wrong-$name: status $status"; return 1; }
		while read -r event; do
			grep -x "$event differs" "$out/got" || { echo "wrong-$name: $event is not found"; return 1; }
		done < <(awk -F '\t' -v name="$name" '$1 == name { sub(/^tracepoint /, "", $3); sub(/:.*/, "", $3); print $3 }' "$out/wrong.tsv")
		[ "$name" = 1 ] || [ "$(wc -l <"$out/got")" = "$(grep -c "^$name	" "$out/wrong.tsv")" ] || { cat "$out/got"; return 1; }
	done
}

waits() {
	diff <(verdicts "$out/wrong-waits.ko" | LC_ALL=C sort) - <<-END
		mark_victim differs
		mm_vmscan_direct_reclaim_begin differs
		mm_vmscan_memcg_reclaim_begin differs
	END
}

guest "$cpus" "$here/selftest.guest" "$out" "${files[@]}" --file "$out/wrong.tsv" --file "$(module_ko)"
{
	ktap_plan 3
	ktap "check --kernel: the module fits" fits
	ktap "check --kernel finds each wrong list" differs
	ktap "check --kernel finds wrong lists of events that the self-test cannot make" waits
	ktap_end || true
} >"$out/check.ktap"
guest_results "$out/guest/ktap" "$out/check.ktap"
