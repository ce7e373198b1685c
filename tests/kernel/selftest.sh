#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The self-test at load: modules that were compiled with wrong lists of arguments are refused in a
# stock kernel, with one line that names the event and the argument. The module itself loads,
# beside tasks that allocate.
#
#	selftest.sh [CPUS [KERNEL]]	2 CPUs, the stock kernel
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"

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
	sed -i 's/check_trace_callback_type_##event(/(void)(/' "$source/module/source/tracepoint.c"
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

sed -i 's/size_t n = kma_regs_argument(regs, 1)/size_t n = kma_regs_argument(regs, 2)/' \
	"$source/module/source/kprobe.c"
expect 5 slab 'function kmem_cache_free_bulk: argument size '
build 5

sed -i 's/UTS_RELEASE/"0-other"/' "$source/module/source/tracepoint.c"
build release

guest "$cpus" "$here/selftest.guest" "$out" "${files[@]}" --file "$out/wrong.tsv" --file "$(module_ko)"
guest_results "$out/guest/ktap"
