#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# check --kernel: the types of a kernel are BTF that gcc writes for C prototypes, and the module is an
# object with a .modinfo. tests/kernel/selftest.sh has the module itself beside stock kernels.
set -euo pipefail
# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$work"

# types NAME: NAME.btf of the C declarations of the standard input
types() {
	gcc -gbtf -x c -c - -o "$1.o"
	objcopy -O binary -j .BTF --set-section-flags .BTF=alloc "$1.o" "$1.btf"
}

# module NAME EVENT...: NAME.ko with such lines in .modinfo
module() {
	local name=$1 event
	shift

	{
		echo '.section .modinfo'
		printf '.asciz "%s"\n' 'license=GPL' 'vermagic=6.1.0-test SMP mod_unload '
		for event; do printf '.asciz "event=%s"\n' "$event"; done
	} | as -o "$name.ko" -
}

types kernel <<'END'
typedef unsigned long size_t;
typedef _Bool bool;
struct page;
int __traceiter_kmalloc(void *__data, unsigned long call_site, const void *ptr, size_t bytes_req,
			size_t bytes_alloc) { return 0; }
int __traceiter_kfree(void *__data, unsigned long call_site, const void *ptr) { return 0; }
int __traceiter_mm_page_free(void *__data, struct page *page, unsigned int order) { return 0; }
int __traceiter_compaction(void *__data, unsigned long start, short unsigned n, bool sync) { return 0; }
int __traceiter_plain(void *__data) { return 0; }
int __traceiter_short(void *__data, unsigned a, long b, long int c, const short *d) { return 0; }
END

kmalloc='kmalloc(void *data, unsigned long call_site, const void *ptr, size_t bytes_req, size_t bytes_alloc)'
kfree='kfree(void *data, unsigned long call_site, const void *ptr)'
page='mm_page_free(void *data, struct page *page, unsigned int order)'
compaction='compaction(void *data, long unsigned int start, unsigned short n, bool sync)'
short='short(void *data, unsigned a, long b, long c, short const *d)'
module right "$kmalloc" "$kfree" "$page" "$compaction" 'plain(void *data)' "$short"

# verdicts STATUS MODULE: "EVENT VERDICT" of each row, from csv
verdicts() {
	local status=0

	"$program" check --kernel --btf kernel.btf "$2" --format csv >rows || status=$?
	cut -d , -f 1,2 rows | sed 1d
	[ "$status" = "$1" ]
}

fits() {
	verdicts 0 right.ko >got && diff got - <<-'END' || return
		kmalloc,same
		kfree,same
		mm_page_free,same
		compaction,same
		plain,same
		short,same
	END
	"$program" check --kernel --btf kernel.btf right.ko >table && grep -qx 'The module fits this kernel.' table &&
		grep -qx 'built for: 6.1.0-test' table || return
	xz -k right.ko && verdicts 0 right.ko.xz | diff got -
}

# Two arguments of one type changed places; another type; more and fewer; qualifiers; a pointer more; a kernel without the event.
differs() {
	module wrong "${kmalloc/bytes_req, size_t bytes_alloc/bytes_alloc, size_t bytes_req}" \
		"${kfree/const void/void}" "${page/unsigned int order/int order}" "${compaction/, bool sync/}" \
		'plain(void *data, int more)' 'kmalloc(void *data, unsigned long call_site, const void **ptr, size_t bytes_req, size_t bytes_alloc)' \
		'absent(void *data)'
	verdicts 1 wrong.ko | diff - <(printf '%s,differs\n' kmalloc kfree mm_page_free compaction plain kmalloc && echo absent,missing) || return
	"$program" check --kernel --btf kernel.btf wrong.ko --all >table || true
	grep -E '^kmalloc +differs +argument 3: size_t bytes_alloc in the module, size_t bytes_req in the kernel$' table &&
		grep -E '^compaction +differs +2 arguments in the module, 3 in the kernel$' table &&
		grep -qx 'The module does not fit this kernel. Build it for this kernel.' table
}

# Another name alone is no difference. Words for the compiler are not part of a type.
renamed() {
	module renamed "${kmalloc/bytes_req/asked}" "${kfree/const void /const void __attribute__((address_space(3))) __percpu }"
	verdicts 0 renamed.ko | diff - <(printf '%s\n' kmalloc,renamed kfree,same)
}

json() {
	"$program" check --kernel --btf kernel.btf wrong.ko --format json >got || true
	python3 -c '
import json
doc = json.load(open("got"))
assert doc["built_for"] == "6.1.0-test", doc
row = doc["events"][2]
assert row == {"event": "mm_page_free", "verdict": "differs", "module": "struct page *page, int order",
	       "kernel": "struct page *page, unsigned int order",
	       "difference": "argument 2: int order in the module, unsigned int order in the kernel"}, row'
}

# refused SENTENCE ARGUMENT...
refused() {
	local sentence=$1 status=0
	shift

	"$program" check "$@" >stdout 2>stderr || status=$?
	cat stderr
	[ "$status" != 0 ] && [ ! -s stdout ] && [ "$(wc -l <stderr)" = 1 ] && grep -qE -- "$sentence" stderr
}

bad_input() {
	module other && head -c 300 right.ko >cut.ko && head -c 100 kernel.btf >cut.btf && echo text >text || return
	refused 'other.ko: not a kmem_account.ko, or one of an older version: it has no list of its events' --kernel --btf kernel.btf other.ko &&
		refused 'cut.ko: truncated' --kernel --btf kernel.btf cut.ko &&
		refused 'text: not an ELF file' --kernel --btf kernel.btf text &&
		refused 'cut.btf: ' --kernel --btf cut.btf right.ko &&
		refused 'text: ' --kernel --btf text right.ko &&
		refused 'no-such' --kernel --btf no-such right.ko &&
		refused '--btf needs -k' --btf kernel.btf right.ko &&
		refused 'no kmem_account.ko is installed for' --kernel --btf kernel.btf
}

ktap_plan 5
ktap "a module that fits, also compressed" fits
ktap "arguments that differ, and an event that the kernel lacks" differs
ktap "an argument with another name" renamed
ktap "json has both lists" json
ktap "what is neither a module nor types is refused" bad_input
ktap_end
