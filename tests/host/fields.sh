#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Fields in why, and types in lost: a made kernel and a made scan, whose objects are held at offsets that the
# compiler says by offsetof() of the expected field. What is in no field, in fields of several types, or in
# variables of one name and two types, has no field.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$work"

cat >types.h <<'E2'
struct list { struct list *next, *prev; };
struct base { struct list link; long number; };
struct thing {
	struct list list;
	int count;			/* 4 bytes of nothing after it */
	struct base a[4];
	unsigned long word;
	union { struct list alias; struct { struct base *next; void *more; } rcu; } u;
	union { long n; struct base *p; } mixed;
	struct { struct list *deep; struct { void *deeper[3]; } in; };
	void *ptrs[4];
	char text[16];
	unsigned int bits : 4;
	union { void *m1, *m2, *m3, *m4; } many;
};
struct flex { int n; struct list room[]; };
struct other { long b[64]; };
E2
cat >made.c <<'E2'
#include "types.h"
void *kmalloc(unsigned long size, int flags);
void use(const void *p), use_thing(const struct thing *p), use_other(const struct other *p);
static inline __attribute__((always_inline)) void *kcalloc(unsigned long n, unsigned long size, int flags)
{
	return kmalloc(n * size, flags);
}
struct thing *a_thing(long n) { struct thing *t = kmalloc(sizeof(*t), n); if (t) t->word = n; return t; }
struct base *an_array(long n) { struct base *b = kcalloc(n, sizeof(*b), 1); if (b) b[n - 1].number = 5; return b; }
struct flex *a_flex(long n) { struct flex *f = kmalloc(sizeof(*f) + n * 16, 1); if (f) f->n = n; return f; }
struct base *more(long n) { struct base *b = kmalloc(sizeof(*b) + n, 1); if (b) b->number = n; return b; }
int disagree(void)
{
	struct thing *t = kmalloc(512, 1);
	struct other *o = (struct other *)t;

	use_thing(t);
	use_other(o);
	return 0;
}
void *held(long n) { void *p = kmalloc(n, 3); __asm__ volatile("" ::: "memory"); return p; }
struct base the_table[8];
struct thing one_thing;
static struct list twice;
struct list *mine(void) { return &twice; }
E2
cat >rest.c <<'E2'
#include "types.h"
static char pool[65536];
static struct base twice;
void *kmalloc(unsigned long size, int flags) { return &pool[(size * flags) & 32767]; }
void use(const void *p) { pool[0] = *(const char *)p; }
void use_thing(const struct thing *p) { pool[1] = *(const char *)p; }
void use_other(const struct other *p) { pool[2] = *(const char *)p; }
struct base *also_mine(void) { return &twice; }
long _start(long n) { return n; }
E2
# function, bytes of the holder, C type and expression whose offset counts (or bytes), field
cat >cases <<'E2'
a_thing	thing	list.next	thing.list.next
a_thing	thing	list.prev	thing.list.prev
a_thing	thing	a[2].link.prev	thing.a[2].link.prev
a_thing	thing	a[0].number	thing.a[0].number
a_thing	thing	word	thing.word
a_thing	thing	u.alias.next	thing.u.alias.next or thing.u.rcu.next
a_thing	thing	u.rcu.more	thing.u.alias.prev or thing.u.rcu.more
a_thing	thing	mixed	thing.mixed.p
a_thing	thing	deep	thing.deep
a_thing	thing	in.deeper[1]	thing.in.deeper[1]
a_thing	thing	ptrs[3]	thing.ptrs[3]
a_thing	thing	text[8]	thing.text[8]
a_thing	thing	many	
an_array	base	number	base[0].number
an_array	base	link.prev+2*24	base[2].link.prev
a_flex	flex	room[3].prev	flex.room[3].prev
more	base	link.prev	base.link.prev
more	base	number+8	
disagree	thing	list.next	
of_table	base	link.next	the_table[0].link.next
of_table	base	number+7*24	the_table[7].number
of_table	base	number+8*24	
of_one	thing	in.deeper[2]	one_thing.in.deeper[2]
of_twice	base	link.next	
of_mod	base	link.prev+4*24	the_table[4].link.prev
of_none	base	link.prev	
E2
build() {
	local flags=(-ffreestanding -fno-pie -fno-pic -fcf-protection=none -O2 -g)

	gcc "${flags[@]}" -c -o made.o made.c
	gcc "${flags[@]}" -c -o rest.o rest.c
	ld --build-id=sha1 -Ttext=0x1000000 -o vmlinux made.o rest.o
	mkdir -p mods
	ld -r --build-id=sha1 -o mods/mod.ko made.o
	{
		printf '#include <stddef.h>\n#include <stdio.h>\n#include "types.h"\nint main(void)\n{\n'
		awk -F'\t' '{
			split($3, e, "+"); gsub(/ /, "", e[1])
			printf "\tprintf(\"%%zu\\t%%zu\\n\", offsetof(struct %s, %s) + (%s), sizeof(struct %s));\n", $2, e[1],
				e[2] == "" ? 0 : e[2], $2
		}' cases
		printf '\treturn 0;\n}\n'
	} >offsets.c
	gcc -o offsets offsets.c
	./offsets >offsets.txt
}

# sites: "function<TAB>text" of each call; the offset is that after the only call, by objdump
sites() {
	local name start at size

	nm -S vmlinux | awk '{ print $4 "\t0x" $1 "\t0x" $2 }' | sort >symbols
	objdump -d --no-show-raw-insn vmlinux | awk '
		/^[0-9a-f]+ <.*>:$/ { name = substr($2, 2, length($2) - 3); next }
		want { split($1, at, ":"); print name "\t0x" at[1]; want = 0 }
		/call/ && /<kmalloc>/ { want = 1 }' | sort | join -t $'\t' - symbols |
		while read -r name at start size; do
			printf '%s\t%s+0x%x/0x%x\n' "$name" "$name" $((at - start)) $((size))
		done
}

# The scan: for each case an object of "held" of its own site, in a holder of the case's site, below a root.
scan() {
	local held=1000 n=0 function size offset holder

	printf 'kmem_account scan 1\nkernel\trelease\t6.1.0-mini\n'
	awk -F'\t' '{ print "place\t-\t-\t-\t" $2 }' sites.txt
	printf 'place\t-\t-\t-\theld+0x8/0x10 [mod]\n'
	awk -F'\t' '{ print "site\t" NR "\t" $2 }' sites.txt
	while IFS=$'\t' read -r function _; do
		printf 'site\t%s\tcase_%s+0x4/0x10\n' $((held + n)) $((n += 1))
	done <cases
	printf 'root\t0\t%s\n' 'variable unknown' 'variable the_table' 'variable one_thing' 'variable twice' \
		'variable the_table [mod]' 'per-CPU variable none'
	# holders first: numbers 0 to n - 1
	n=0
	while IFS=$'\t' read -r function _ && IFS=$'\t' read -r offset size <&3; do
		case $function in
		of_*)
			# a root instead
			printf 'object\t%s\t64\t-\t%s\t%s\n' $((held + n)) "$(root "$function")" "$offset"
			;;
		*)
			holder=$(awk -F'\t' -v f="$function" '$1 == f { print NR }' sites.txt)
			[ "$function" != an_array ] || size=$((size * 8))
			[ "$function" != a_flex ] || size=$((size + 160))
			[ "$function" != more ] || size=$((size + 40))
			[ "$function" != disagree ] || size=512
			printf 'object\t%s\t%s\t-\t0\t8\n' "$holder" "$size"
			;;
		esac
		n=$((n + 1))
	done <cases 3<offsets.txt
	n=0
	while IFS=$'\t' read -r function _ && IFS=$'\t' read -r offset _ <&3; do
		case $function in
		of_*) ;;
		*) printf 'object\t%s\t64\t%s\t-\t%s\n' $((held + n)) $n "$offset" ;;
		esac
		n=$((n + 1))
	done <cases 3<offsets.txt
	# many slots of a table, and of several members of it
	printf 'object\t1\t64\t-\t1\t%s\n' 8 32 56 80 104
	printf 'live\t100\t100\t10000\nlost\t2\t5\t256\t4000000000\t2\t%s\n' "$(sed -n 's/^a_thing\t//p' sites.txt)"
}

root() {
	case $1 in
	of_table) echo 1 ;;
	of_one) echo 2 ;;
	of_twice) echo 3 ;;
	of_mod) echo 4 ;;
	of_none) echo 5 ;;
	esac
}

why() { "$program" why "$1" scan --vmlinux vmlinux --modules mods --force --format csv 2>said || { cat said >&2; return 1; }; }

fields() {
	local n=0 bad=0 function want got

	while IFS=$'\t' read -r function _ _ want && IFS=$'\t' read -r offset _ <&3; do
		n=$((n + 1))
		got=$(why "case_$n" | awk -F, -v at="$offset" '$1 == 1 { print $6; if ($5 != at) print "offset " $5 }')
		[ "$got" = "$want" ] || { echo "case $n, $function at $offset: got '$got', expected '$want'"; bad=1; }
	done <cases 3<offsets.txt
	return $bad
}

ended() { cat && printf 'end\t%s\n' "$1"; }

slots() {
	local first

	first=$(sed -n 1p sites.txt | cut -f1)
	# 8, 32, 56, 80 and 104: link.prev of five elements
	why "$first" >got || return
	grep -q ',,the_table\[\].link.prev,variable the_table$' got || { cat got; return 1; }
	sed 's/^\(object\t1\t64\t-\t1\t\)8$/\116/' scan >mixed
	"$program" why "$first" mixed --vmlinux vmlinux --force --format csv >got 2>/dev/null || return
	grep -q ',,,variable the_table$' got || { cat got; return 1; }
}

text() {
	"$program" why case_3 scan --vmlinux vmlinux --force >got 2>/dev/null
	cat got
	grep -qxF '1 (100 %) thing.a[2].link.prev <- variable unknown' got && grep -q ' field' got || return
	"$program" why case_3 scan >got 2>/dev/null
	! grep '<-\|field' got
}

lost() {
	"$program" lost scan --vmlinux vmlinux --force --format csv 2>/dev/null | awk -F, 'NR == 2 { print $9 }' | diff - <(echo thing)
}

# A target has no debugging information: a table and symbols name the same fields, and the type.
table() {
	local n

	"$program" types --vmlinux vmlinux -O types.kmt && nm -n vmlinux >System.map || return
	for n in $(seq 1 "$(wc -l <cases)"); do
		"$program" why "case_$n" scan --vmlinux vmlinux --force --format csv >want 2>/dev/null &&
			"$program" why "case_$n" scan --vmlinux System.map --types types.kmt --force --format csv >got 2>/dev/null &&
			diff <(grep '^1,' want) <(grep '^1,' got) || return
	done
	"$program" lost scan --vmlinux System.map --types types.kmt --force --format csv 2>/dev/null |
		awk -F, 'NR == 2 { print $9 }' | diff - <(echo thing)
}

build
sites >sites.txt
scan >body && ended "$(wc -l <body)" <body >scan
ktap_plan 5
ktap "the field at each offset is that of the compiler, or none" fields
ktap "slots of an array share their field" slots
ktap "the text has the path of most objects" text
ktap "lost names the type" lost
ktap "the same by a table of types" table
ktap_end
