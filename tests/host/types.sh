#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Types of objects: of made calls, whose types are known from their source, by compilers, levels of
# optimisation and versions of DWARF, in a linked file and in a module; by what a struct or a bare
# address says of their sizes. Only gcc -O2 has to find each type; a wrong one is an error everywhere.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$work"

# The calls: a function each. The comment says: sizes of two objects, the type.
cat >made.c <<'E2'
typedef unsigned long size_t;
struct list { struct list *next, *prev; };
struct thing { struct list list; long a[7]; };
struct other { long b[9]; };
struct base { long x[4]; };
struct wide { struct base base; long more[6]; };
struct flex { int n; long room[]; };
struct holder { long pad; struct thing *thing; void *blob; struct { struct wide *wide; } in; };
union either { long x[3]; char *y; };
typedef struct { long z[5]; } named_t;
struct thing *the_thing;
struct base *some[4];

void *kmalloc(size_t size, int flags);
void *(*chosen)(size_t size, int flags);
void use(const void *p), use_thing(const struct thing *p), use_other(const struct other *p);

#define INLINE static inline __attribute__((always_inline))
#define KEEP() __asm__ volatile("" ::: "memory")
INLINE void *kzalloc(size_t size, int flags) { return kmalloc(size, flags | 0x100); }
INLINE void *kcalloc(size_t n, size_t size, int flags)
{
	if (n > 1000)
		return 0;
	return kmalloc(n * size, flags | 0x100);
}
INLINE void list_init(struct list *l) { l->next = l; l->prev = l; }

struct thing *variable(long n) /* 72 72 thing */
{
	struct thing *t = kmalloc(sizeof(*t), n);

	if (!t)
		return 0;
	list_init(&t->list);
	t->a[0] = n;
	return t;
}
void inlined(long n) /* 72 72 thing */
{
	struct thing *t = kzalloc(sizeof(*t), n);

	if (t)
		t->a[2] = n;
	use(t);
}
int member(struct holder *h) /* 72 72 thing */
{
	h->thing = kmalloc(sizeof(*h->thing), 1);
	return h->thing ? 0 : -12;
}
int inner_member(struct holder *h) /* 80 80 wide */
{
	h->in.wide = kzalloc(sizeof(*h->in.wide), 1);
	return h->in.wide ? 0 : -12;
}
int global(void) /* 72 72 thing */
{
	the_thing = kmalloc(sizeof(*the_thing), 2);
	return the_thing ? 0 : -12;
}
struct wide *returned(void) /* 80 80 wide */
{
	void *p = kmalloc(sizeof(struct wide), 3);

	KEEP();
	return p;
}
void *of_void(long n) /* 72 72 [no type] */
{
	void *p = kmalloc(n, 3);

	KEEP();
	return p;
}
int void_member(struct holder *h, long n) /* 72 72 [no type] */
{
	h->blob = kmalloc(n, 3);
	return h->blob ? 0 : -12;
}
struct base *array(long n) /* 64 96 base[] */
{
	struct base *b = kcalloc(n, sizeof(*b), 1);

	if (b)
		b[n - 1].x[0] = 5;
	return b;
}
void pointers(long n) /* 16 32 thing *[] */
{
	struct thing **v = kcalloc(n, sizeof(*v), 1);

	if (v)
		v[n] = the_thing;
	use(v);
}
struct base *more(long n) /* 40 51 base+ */
{
	struct base *b = kmalloc(sizeof(*b) + n, 1);

	if (b)
		b->x[1] = n;
	return b;
}
struct flex *flexible(long n) /* 24 88 flex */
{
	struct flex *f = kmalloc(sizeof(*f) + n * sizeof(long), 1);

	if (f)
		f->n = n;
	return f;
}
void too_small(void) /* 32 32 [no type] */
{
	struct wide *w = kmalloc(sizeof(struct base), 1);

	use(w);
}
void cut(void) /* 56 56 wide */
{
	struct wide *w = kmalloc(sizeof(struct base) + 3 * sizeof(long), 1);

	use(w);
}
void *part(long n) /* 200 200 [no type] */
{
	void *p = kmalloc(200, 1);

	list_init(p);
	KEEP();
	return p;
}
void outer(long n) /* 80 80 wide */
{
	struct base *b = kmalloc(sizeof(struct wide), 1);
	struct wide *w = (struct wide *)b;

	b->x[0] = n;
	w->more[0] = n;
	use(w);
}
void outer_more(long n) /* 100 110 wide+ */
{
	struct base *b = kmalloc(sizeof(struct wide) + n, 1);
	struct wide *w = (struct wide *)b;

	b->x[0] = n;
	w->more[0] = n;
	use(w);
}
int kept_member(struct holder *h) /* 80 80 wide */
{
	void *p = kmalloc(sizeof(struct wide), 1);

	use(h);
	h->in.wide = p;
	return 0;
}
char *bytes(long n) /* 5 17 char[] */
{
	char *s = kmalloc(n, 1);

	if (s)
		s[n - 1] = 0;
	return s;
}
unsigned long *words(long n) /* 8 24 unsigned long[] */
{
	unsigned long *w = kmalloc(n * sizeof(*w), 1);

	if (w)
		w[0] = 7;
	return w;
}
void of_union(long n) /* 24 24 either */
{
	union either *e = kmalloc(sizeof(*e), 1);

	e->x[1] = n;
	use(e);
}
void of_typedef(long n) /* 40 40 named_t */
{
	named_t *p = kmalloc(sizeof(*p), 1);

	p->z[1] = n;
	use(p);
}
int disagree(void) /* 72 72 thing or other */
{
	struct thing *t = kmalloc(sizeof(*t), 1);
	struct other *o = (struct other *)t;

	use_thing(t);
	use_other(o);
	return 0;
}
/* The call in make_thing() is a jump, so the account has its caller. */
__attribute__((noinline)) struct thing *make_thing(long n)
{
	return kmalloc(sizeof(struct thing) + n, 1);
}
void made(long n) /* 72 72 thing : make_thing */
{
	struct thing *t = make_thing(n);

	t->a[0] = n;
	use(t);
}
/* What a maker of things allocates besides. */
void beside(long n) /* 500 720 [no type] : make_thing */
{
	struct thing *t = make_thing(n);

	t->a[0] = n;
	use(t);
}
void pointed(long n) /* 72 72 thing : * */
{
	struct thing *t = chosen(sizeof(*t), n);

	t->a[0] = n;
	use(t);
}
void pointed_other(long n) /* 100 110 [no type] : * */
{
	struct thing *t = chosen(sizeof(*t), n);

	t->a[0] = n;
	use(t);
}
/* Where it is NULL the register is free for another variable. */
void failed(struct other *o) /* 72 72 thing */
{
	struct thing *t = kmalloc(sizeof(*t), 1);

	if (!t) {
		o = 0;
		use_other(o);
		return;
	}
	use_thing(t);
}
int later(struct holder *h, long n) /* 80 80 wide */
{
	struct wide *w = kzalloc(sizeof(*w), 1);

	if (!w)
		return -12;
	w->more[2] = n;
	use(h);
	h->in.wide = w;
	return 0;
}
E2
cat >rest.c <<'E2'
static char pool[65536];
void *kmalloc(unsigned long size, int flags) { return &pool[(size * flags) & 32767]; }
void use(const void *p) { pool[0] = *(const char *)p; }
void use_thing(const void *p) { pool[1] = *(const char *)p; }
void use_other(const void *p) { pool[2] = *(const char *)p; }
long _start(long n) { return n; }
__asm__(".globl __x86_return_thunk, __x86_indirect_thunk_rax\n"
	"__x86_return_thunk: ret\n__x86_indirect_thunk_rax: jmp *%rax\n");
E2
# function, sizes, callee, type
sed -nE 's@^[a-z].*[ *]([a-z_]+)\(.*/\* ([0-9]+) ([0-9]+) ([^:]*[^ :])( : (\S+))? \*/@\1\t\2\t\3\t\6\t\4@p' made.c >calls

# build NAME COMPILER FLAGS...: NAME/vmlinux, and NAME/mod.ko with the same calls
build() {
	local name=$1 cc=$2

	shift 2
	mkdir -p "$name"
	"$cc" -ffreestanding -fno-pie -fno-pic -fcf-protection=none "$@" -c -o "$name/made.o" made.c
	gcc -O1 -ffreestanding -fno-pie -fno-pic -c -o "$name/rest.o" rest.c
	ld --build-id=sha1 -Ttext=0x1000000 -o "$name/vmlinux" "$name/made.o" "$name/rest.o"
	ld -r --build-id=sha1 -o "$name/mod.ko" "$name/made.o"
}

# account NAME [MODULE]: two objects of each call
account() {
	local file=$1/vmlinux

	[ -z "${2:-}" ] || file=$1/mod.ko
	"$here/typed-calls.py" "$file" calls ${2:+"$2"} >rows
	account_of rows >account
}

# The same for arm64, where only the places of variables after the call are known.
other_machine() {
	local target=aarch64-linux-gnu

	mkdir -p arm64
	clang --target=$target -ffreestanding -fno-pic -O2 -g -c -o arm64/made.o made.c
	sed '/__asm__/,$d' rest.c >plain-rest.c
	clang --target=$target -ffreestanding -fno-pic -O1 -c -o arm64/rest.o plain-rest.c
	$target-ld --build-id=sha1 -Ttext=0x1000000 -o arm64/vmlinux arm64/made.o arm64/rest.o
	"$here/typed-calls.py" arm64/vmlinux calls "" $target- >rows
	account_of rows >account
	compare arm64 $((all / 2))
}

# types NAME: "function<TAB>type" of the account
types() {
	"$program" report account --vmlinux "$1/vmlinux" --modules "$1" --by function,type --format csv |
		awk -F, 'NR > 1 { sub(/ .*/, "", $1); print $1 "\t" $2 }' | sort
}

# compare NAME LEAST: no type of the account is wrong, and at least LEAST are right
compare() {
	types "$1" >got
	sort calls | join -t $'\t' -o 1.1,1.5,2.2 - got |
		awk -F'\t' -v least="$2" '
		$3 == $2 { right++; next }
		$3 == "[no type]" { none = none " " $1; next }
		{ print $1 ": got " $3 ", expected " $2; bad = 1 }
		END {
			if (right < least) { printf "%d right, without:%s\n", right, none; bad = 1 }
			exit bad
		}'
}

# right NAME LEAST [MODULE]: compare for all calls of a file
right() {
	account "$1" "${3:-}"
	compare "$1" "$2"
}

# rule PATTERN FUNCTIONS
ruled() {
	"$program" report account --vmlinux gcc/vmlinux --modules gcc --only "type=$1" --by function --format csv |
		awk -F, 'NR > 1 { sub(/ .*/, "", $1); print $1 }' | sort | paste -sd ' ' | diff - <(echo "$2")
}

refused() {
	local said

	said=$("$program" "$@" 2>&1) && return 1
	grep -q 'need --vmlinux FILE with debugging information' <<<"$said" || { echo "$said"; return 1; }
}

no_debug() {
	strip -g -o gcc/stripped gcc/vmlinux
	refused report account --by type --vmlinux gcc/stripped &&
		refused report account --by type && refused report account --only type=thing &&
		refused rings account --by type -r out.svg && refused top -b -n 1 account --by type
}

# Lengths of instructions, as objdump has them, of a program that is at hand: this one.
lengths() {
	gcc -std=gnu11 -D_GNU_SOURCE -O1 -iquote "$here/../../host" -o lengths "$here/flow-lengths.c" || return
	objdump -d -w --insn-width=16 "$program" | ./lengths >said || { cat said; return 1; }
	# user space has instructions that kernels do not use
	awk '{ exit !($1 > 50000 && $3 < $1 / 10) }' said || { cat said; return 1; }
}

# slab FUNCTION SIZE KIND CACHE TYPE: what objects of a kind and a cache are, by debugfs' file sites
slab() {
	local site got

	site=$(grep -o "$1+0x.*" rows)
	{
		echo 'kmem_account sites 1'
		printf '# id\taddress\ttotal\tslack\treq\tallocs\tfrees\tunknown\tfailed\tall_total\tall_req\tfile\toffset\tbuild_id\tcaller\tkind\tcache\tpeak\tpeak_max\tstack\n'
		printf '1\t0xffffffff81000000\t%d\t0\t%d\t5\t2\t0\t0\t0\t0\t-\t-\t-\t%s\t%s\t%s\t0\t0\t-\n' \
			$((3 * $2)) $((3 * $2)) "$site" "$3" "$4"
	} >sites
	got=$("$program" report sites --vmlinux gcc/vmlinux --by type --format csv | awk -F, 'NR == 2 { print $1 }')
	[ "$got" = "$5" ] || { echo "$*: got $got"; return 1; }
}

# A cache aligns its objects, and its name counts where a struct is not allocated as a whole.
caches() {
	account gcc
	slab variable 72 cache things thing && slab variable 128 cache things thing &&
		slab variable 136 cache things thing+ && slab variable 128 kmalloc kmalloc-128 thing+ &&
		slab too_small 32 cache wides "[no type]" && slab too_small 32 cache wide wide &&
		slab variable 4096 page - "[no type]" && slab variable 72 percpu - "[no type]"
}

# The bytes of a type are the same in each command.
commands() {
	local want

	account gcc
	want=$(awk -F'\t' '$5 == "thing" { n += $2 + $3 } END { print n }' calls)
	bytes() { awk -F, -v at="$1" -v type="${2:-thing}" '$NF == type || $1 == type { print $at }' | diff - <(echo "$want"); }
	"$program" report account --vmlinux gcc/vmlinux --by type --format csv | bytes 2 || return
	"$program" diff account account --vmlinux gcc/vmlinux --by type --floor 0 --format csv | bytes 4 || return
	"$program" top -b -n 1 account --vmlinux gcc/vmlinux --by type --format csv | bytes 2 || return
	"$program" export folded account --vmlinux gcc/vmlinux --by type |
		awk '/^thing;/ { n += $NF } END { print n }' | diff - <(echo "$want") || return
	"$program" rings account --vmlinux gcc/vmlinux --by type -r out.html -r out.svg
	"$here/page.py" keys out.html | grep -qx type || return
	"$here/page.py" rows out.html type | awk -F'\t' '$1 == "current_dynamic" && $3 == "thing" { print $4 }' |
		diff - <(echo "$want") || return
	"$program" watch -f account -n 2 --interval 1 history >/dev/null 2>&1
	"$program" leaks history --vmlinux gcc/vmlinux --by type --format csv | grep thing >/dev/null || return
	"$program" timeline history --vmlinux gcc/vmlinux --by type --format csv | grep thing >/dev/null
}

# A table has the same types as the debugging information of which it was made, with symbols alone.
table() {
	local name

	"$program" types --vmlinux gcc/vmlinux gcc/mod.ko -O types.kmt && "$program" types --vmlinux gcc/vmlinux gcc/mod.ko -O again.kmt &&
		cmp types.kmt again.kmt || return
	nm -n gcc/vmlinux >System.map
	mkdir -p none
	for name in "" mod; do
		"$here/typed-calls.py" "gcc/${name:-vmlinux}${name:+.ko}" calls $name >rows
		account_of rows >account
		types gcc >want
		"$program" report account --vmlinux System.map --force --types types.kmt --by function,type --format csv 2>said |
			awk -F, 'NR > 1 { sub(/ .*/, "", $1); print $1 "\t" $2 }' | sort | diff want - || { cat said; return 1; }
	done
	# another build of the function is none of this table
	sed 's@/0x@/0x1@' rows >longer
	account_of longer >account
	"$program" report account --vmlinux System.map --force --types types.kmt --by type --format csv 2>/dev/null |
		awk -F, 'NR > 1 && $1 != "[no type]"' | diff /dev/null -
}

# fails_with TEXT COMMAND...: the command fails and says TEXT
fails_with() {
	local text=$1

	shift
	if "$program" "$@" >/dev/null 2>said || ! grep -qF "$text" said; then
		echo "$*:"
		cat said
		return 1
	fi
}

# Bytes of the numbers, the checksum, the frame of zstd and its content.
table_refused() {
	local at

	fails_with 'rows:1: not a call site and its type' report account --vmlinux System.map --types rows --by type || return
	for at in 16 30 80 90 200; do
		cp types.kmt damaged
		printf '\001' | dd of=damaged bs=1 seek=$at conv=notrunc 2>/dev/null
		cmp -s types.kmt damaged && continue
		fails_with 'damaged: the checksum' report account --vmlinux System.map --types damaged --by type || return
	done
	head -c 1000 types.kmt >damaged
	fails_with 'damaged: the checksum' report account --vmlinux System.map --types damaged --by type || return
	fails_with 'stripped: no debugging information' types --vmlinux gcc/stripped -O none.kmt && [ ! -e none.kmt ]
}

# built ID CALL...: debugfs' file sites with the calls of gcc/vmlinux, by a kernel of this build ID
built() {
	awk -v id="$1" 'BEGIN {
		OFS = "\t"
		print "kmem_account sites 1"
		print "# id\taddress\ttotal\tslack\treq\tallocs\tfrees\tunknown\tfailed\tall_total\tall_req\tfile\toffset\tbuild_id\tcaller\tkind\tcache\tpeak\tpeak_max\tstack"
	}
	{
		print NR, "0xffffffff81000000", $1, $2, $3, $4, $5, 0, 0, $1, $3, "vmlinux", "0x0", id, $6, "kmalloc", "-", 0, 0, "-"
	}' rows
}

# by_function OPTION...: "function<TAB>type" of the file sites
by_function() {
	"$program" report sites "$@" --by function,type --format csv 2>said |
		awk -F, 'NR > 1 { sub(/ .*/, "", $1); print $1 "\t" $2 }' | sort
}

# A table is found by the build ID: where "types" puts it, beside the vmlinux; and no other is used.
found() {
	local id home other

	id=$(readelf -n gcc/vmlinux | awk '/Build ID/ { print $3 }')
	other=$(readelf -n O1/vmlinux | awk '/Build ID/ { print $3 }')
	home=$XDG_CONFIG_HOME/kmem-account/types
	account gcc
	types gcc >want
	built "$id" >sites
	refused report sites --by type || return
	"$program" types --vmlinux gcc/vmlinux >said && diff said <(echo "$home/$id.kmt") || return
	by_function | diff want - && diff /dev/null said || return
	# the input says that it is of another kernel
	built "$other" >sites
	refused report sites --by type || return
	built "$id" >sites
	mkdir -p beside
	strip -g -o beside/vmlinux gcc/vmlinux
	for name in types.kmt vmlinux.kmt; do
		rm -f beside/*.kmt
		mv "$home/$id.kmt" "beside/$name"
		refused report sites --by type || return
		by_function --vmlinux beside/vmlinux | diff want - || { cat said; return 1; }
		mv "beside/$name" "$home/$id.kmt"
	done
	# another build in its place: said, and not used
	"$program" types --vmlinux O1/vmlinux -O beside/types.kmt
	by_function --vmlinux beside/vmlinux | diff want - && grep -qF 'beside/types.kmt: the table of types is of another build' said || return
	rm "$home/$id.kmt"
	refused report sites --by type --vmlinux beside/vmlinux || return
	cp beside/types.kmt "$home/$id.kmt"
	refused report sites --by type && ! by_function | grep . && grep -qF 'is of another build' said || return
	head -c 200 beside/types.kmt >"$home/$id.kmt"
	refused report sites --by type && ! by_function | grep . && grep -qF 'the table is not used' said || return
	# one that the user names gives types for no build but its own
	by_function --types beside/types.kmt | awk -F'\t' '$2 != "[no type]"' | diff /dev/null - || return
	grep -F 'is not of the build of the input' said || { cat said; return 1; }
	# no build ID, no place
	ld --build-id=none -Ttext=0x1000000 -o beside/none gcc/made.o gcc/rest.o
	fails_with 'no build ID' types --vmlinux beside/none
}

# doctor has the same types as report, with older objects by their caches; what it lacks is said.
doctor() {
	local id home

	id=$(readelf -n gcc/vmlinux | awk '/Build ID/ { print $3 }')
	home=$XDG_CONFIG_HOME/kmem-account/types
	rm -rf machine
	mkdir machine
	account gcc
	built "$id" >machine/account
	rm -f "$home/$id.kmt"
	"$program" doctor machine --format json >got || return
	! grep '"types"' got && grep -F '"types: no BTF and no table of this kernel"' got >/dev/null || return
	"$program" types --vmlinux gcc/vmlinux >/dev/null || return
	# a cache of the account, and one that it does not have
	printf '1000\t0xffffffff81000000\t720\t0\t720\t10\t0\t0\t0\t720\t720\tvmlinux\t0x0\t%s\tnone+0x8/0x90\tcache\tthing\t0\t0\t-\n' "$id" >>machine/account
	for slabs in no yes; do
		if [ $slabs = yes ]; then
			printf 'slabinfo - version: 2.1\n# name\n' >machine/slabinfo
			printf '%s 100 110 %d 50 1 : tunables 0 0 0 : slabdata 2 2 0\n' thing 72 wide_cache 80 others 80 >>machine/slabinfo
			set -- --slabinfo machine/slabinfo
		fi
		"$program" report machine/account "$@" --by cache,type --format csv | python3 -c 'import collections, csv, json, subprocess, sys
sums = collections.Counter()
for row in csv.DictReader(sys.stdin):
	sums[row["type"]] += int(row["current_dynamic"])
want = sorted(((-size, name) for name, size in sums.items()))[:20]
got = json.loads(subprocess.run([sys.argv[1], "doctor", "machine", "--format", "json"], check=True, stdout=subprocess.PIPE).stdout)
assert [(-row["bytes"], row["owner"]) for row in got["types"]] == want, (got["types"], want)
assert sys.argv[2] == "no" or sums["wide"] > 8000, sums' "$program" $slabs || return
	done
	"$program" doctor machine | grep '^By type: ' >/dev/null
}

# sizeof by the compiler, and what is requested beyond it; neither for arrays, two types, and none.
sizes() {
	{
		cat made.c
		echo '#include <stdio.h>'
		echo 'void *kmalloc(size_t size, int flags) { return 0; }'
		echo 'void use(const void *p) { } void use_thing(const struct thing *p) { } void use_other(const struct other *p) { }'
		echo 'int main(void) {'
		for type in 'struct thing' 'struct base' 'struct wide' 'struct flex' 'union either' named_t; do
			printf 'printf("%s\\t%%zu\\n", sizeof(%s));\n' "${type##* }" "$type"
		done
		echo '}'
	} >sizes.c
	gcc -w -o sizes sizes.c || return
	./sizes >sizes.txt
	account gcc
	"$program" report account --vmlinux gcc/vmlinux --by function,type --format csv |
		python3 -c 'import csv, sys
sizes = dict(line.rstrip("\n").split("\t") for line in open("sizes.txt"))
calls = {line.split("\t")[0]: sum(map(int, line.split("\t")[1:3])) for line in open("calls")}
seen = set()
for row in csv.DictReader(sys.stdin):
	name, kind = row["function"].split(" ")[0], row["type"]
	size = int(sizes.get(kind.removesuffix("+"), 0)) if "[" not in kind else 0
	beyond = calls[name] - 2 * size
	want = (str(size) if size else "", str(beyond) if size and beyond >= 0 else "")
	assert (row["sizeof"], row["beyond"]) == want, (row, want)
	seen.add((bool(size), beyond > 0, beyond < 0))
assert len(seen) > 3, seen'
	# two types in a row of a type: one size, the sum of what is beyond
	"$program" report account --vmlinux gcc/vmlinux --by type --format csv |
		python3 -c 'import csv, sys
rows = {row["type"]: row for row in csv.DictReader(sys.stdin)}
assert rows["wide+"]["sizeof"] == "80" and rows["wide+"]["beyond"] == "50", rows["wide+"]
assert rows["base[]"]["sizeof"] == "" == rows["thing or other"]["beyond"], rows'
}

# guessed SIZE SLOT FUNCTION KIND CACHE TYPE: what two objects are by BTF alone
guessed() {
	local got

	{
		built - </dev/null | sed -n 1,2p
		printf '1\t0xffffffff81000000\t%d\t%d\t%d\t3\t1\t0\t0\t0\t0\t-\t-\t-\t%s+0x8/0x90\t%s\t%s\t0\t0\t-\n' \
			$((2 * $2)) $((2 * ($2 - $1))) $((2 * $1)) "$3" "$4" "$5"
	} >sites
	got=$("$program" report sites --types made.btf --by type --format csv | awk -F, 'NR == 2 { print $1 }')
	[ "$got" = "$6" ] || { echo "$*: got $got"; return 1; }
}

# The compiler's BTF of the same source.
by_btf() {
	{
		cat made.c
		echo 'struct big { struct list list; long x[20]; };'
		echo 'struct list *list_of(struct big *b) { return &b->list; }'
	} >btf.c
	gcc -ffreestanding -fno-pie -fno-pic -O2 -gbtf -c -o made-btf.o btf.c || return
	objcopy -O binary --only-section=.BTF --set-section-flags .BTF=alloc made-btf.o made.btf || return
	# what a function returns: the size, and the slot of that size
	guessed 72 96 variable kmalloc - thing || return
	guessed 80 96 returned kmalloc - wide || return
	guessed 80 96 returned.constprop.0 kmalloc - wide || return
	guessed 72 96 returned kmalloc - "[no type]" || return
	guessed 72 80 variable kmalloc - "[no type]" || return
	guessed 72 96 inlined kmalloc - "[no type]" || return
	guessed 72 4096 variable page - "[no type]" || return
	# in what it returns: a base of 32 bytes is in wide, and a thing in nothing
	guessed 80 96 more kmalloc - wide || return
	guessed 88 96 more kmalloc - "[no type]" || return
	guessed 128 128 variable kmalloc - "[no type]" || return
	# a list may be in anything
	guessed 176 192 list_of kmalloc - "[no type]" || return
	# objects of 64 and 96 bytes have the mean of wide
	guessed 80 80 array kmalloc - "[no type]" || return
	# names of caches
	guessed 72 128 inlined cache thing thing || return
	guessed 136 192 inlined cache thing "[no type]" || return
	guessed 72 72 inlined cache thing_cache thing || return
	guessed 72 72 inlined cache my_thing thing || return
	guessed 64 64 inlined cache my_thing "[no type]" || return
	guessed 72 72 inlined cache my_things "[no type]" || return
	guessed 72 72 inlined kmalloc thing "[no type]" || return
	# the function says more than the name, which may be that of a merged cache
	guessed 72 72 variable cache other thing || return
	# no type of the account is wrong, whatever the sizes
	account gcc
	built - >sites
	by_function --types made.btf >got
	sort calls | join -t $'\t' -o 1.1,1.5,2.2 - got |
		awk -F'\t' '$3 != $2 && $3 != "[no type]" { print; bad = 1 } END { exit bad }' || return
	# the running kernel, or the vmlinux of an account, has it without an option
	objcopy --add-section .BTF=made.btf gcc/stripped with-btf || return
	guessed 72 96 variable kmalloc - thing || return
	"$program" report sites --vmlinux with-btf --force --by type --format csv 2>/dev/null |
		awk -F, 'NR == 2 { print $1 }' | diff - <(echo thing)
	head -c 500 made.btf >damaged
	fails_with 'damaged: ' report sites --types damaged --by type
}

# Objects that are older than the module, in a scan: by the names of their caches, if nothing was merged.
older() {
	{
		printf 'kmem_account scan 1\nkernel\trelease\t6.1.0-mini\n'
		printf 'site\t%s\t[before: %s]\n' 1 thing 2 'other, merged' 3 kmalloc-96
		printf 'root\t0\tvariable a\n'
		printf 'object\t%s\t%s\t-\t0\t8\n' 1 80 1 80 2 72 3 96
		printf 'live\t4\t4\t328\n'
		printf 'retained_root\t328\t4\t4\t0\tvariable a\n'
		printf 'retained_caller\t%s\t%s\t%s\t%s\t[before: %s]\n' 160 2 2 160 thing 96 1 1 96 kmalloc-96 \
			72 1 1 72 'other, merged'
		printf 'retained_part\t0\t%s\t%s\t%s\n' 0 2 160 1 1 96 2 1 72
	} >body
	{ cat body && printf 'end\t%s\n' "$(wc -l <body)"; } >scan
	"$program" report scan --types made.btf --by cache,type --format csv | cut -d, -f1-4 | sort >got
	diff - got <<-'E3' || return
		"other, merged [before]",[no type],72
		cache,type,current_dynamic,objects
		kmalloc-96 [before],[no type],96,1
		thing [before],thing,160,2
	E3
	"$program" report scan --types types.kmt --by cache,type --format csv | cut -d, -f1-4 | sort | diff got - || return
	"$program" why '[before: thing]' scan --types made.btf --format csv >got
	grep -q field got || return
	# "why" finds a merged cache by its name, and no other one
	"$program" why other scan >got || return
	fails_with "no live object of the call site 'oth'" why oth scan || return
	printf '[before: kmalloc-96] blob\n[before: other, merged] other\n' >stated
	"$program" report scan --types stated --by type --format csv | cut -d, -f1,2 | sort |
		diff - <(printf '[no type],160\nblob,96\nother,72\ntype,current_dynamic\n') || return
	# a statement and a rule need not have the mark; what "why" uses is used
	printf '[before: kmalloc-96] blob\n[before: other] other\n' >stated
	"$program" report scan --types stated --by cache,type --only cache=other --only type=other --format csv |
		cut -d, -f1-4 >got
	diff - got <<-'E3' || return
		cache,type,current_dynamic,objects
		"other, merged [before]",other,72
	E3
	"$program" why other scan --types stated >/dev/null 2>said && diff /dev/null said || return
	# a file of types is opened also without places of call sites
	grep -v ^kernel body >bare
	{ cat bare && printf 'end\t%s\n' "$(wc -l <bare)"; } >bare-scan
	fails_with 'the scan has no places of call sites' why other bare-scan --types stated
}

# rows FORMAT...: the file sites with a row for each FORMAT, which begins with the number of objects and the bytes of one
sites_of() {
	local id=0 row objects size caller kind cache

	built - </dev/null | sed -n 1,2p >sites
	for row; do
		read -r objects size caller kind cache <<<"$row"
		printf '%d\t0xffffffff81000000\t%d\t0\t%d\t%d\t0\t0\t0\t0\t0\t-\t-\t-\t%s\t%s\t%s\t0\t0\t-\n' \
			$((++id)) $((objects * size)) $((objects * size)) "$objects" "$caller" "$kind" "$cache" >>sites
	done
}

# Rows of one call site, as of its caches or cgroups.
joined() {
	# the name of one cache says nothing of another one's objects, nor does the mean of their sizes
	sites_of '3 72 inlined+0x8/0x90 cache thing' '3 72 inlined+0x8/0x90 cache thing'
	"$program" report sites --types made.btf --by type --format csv | awk -F, 'NR > 1 { print $1, $2 }' | diff - <(echo 'thing 432') || return
	sites_of '3 72 inlined+0x8/0x90 cache thing' '3 72 inlined+0x8/0x90 cache others'
	"$program" report sites --types made.btf --by type --format csv | awk -F, 'NR > 1 { print $1, $2 }' | diff - <(echo '[no type] 432') || return
	sites_of '3 64 variable+0x8/0x90 cache one' '3 80 variable+0x8/0x90 cache two'
	"$program" report sites --types made.btf --by type --format csv | awk -F, 'NR > 1 { print $1, $2 }' | diff - <(echo '[no type] 432') || return
	# the largest call site without a type, not the largest row
	sites_of '3 100 a+0x8/0x90 kmalloc -' '5 77 b+0x8/0x90 kmalloc -' '2 100 a+0x8/0x90 kmalloc -' '1 9000 c+0x8/0x90 page -'
	"$program" report sites --types made.btf --by type --format json | grep -F '"largest_unknown": "a+0x8/0x90"' >/dev/null || return
	"$program" report sites --types made.btf --by type --bytes | grep -F 'without a type is a+0x8/0x90 (500)' >/dev/null
}

# A type is stated of what %pS prints, whatever is shown of inlined functions; also where the input has addresses.
stated_inlined() {
	local site at start span mode text input

	account gcc
	# kcalloc(), which the file itself has, is inlined there
	site=$(grep -o 'array+0x.*' rows)
	at=${site#*+} at=${at%%/*}
	read -r _ start span < <(nm -n gcc/vmlinux | spans /dev/stdin | grep '^array ')
	awk -v at="$(printf '0x%x' $((start + at)))" '$6 ~ /^array[+]/ { print $1, $2, $3, $4, $5, at }' rows >addresses
	sed "s@/0x.*@/$(printf '0x%x' "$span")@" rows | grep 'array+' >named
	site=$(grep -o 'array+0x.*' named)
	account_of named >account
	account_of addresses >by-address
	for mode in outer inner both; do
		for text in "$site" array; do
			echo "$text stated_type" >stated
			for input in account by-address; do
				"$program" report $input --vmlinux gcc/vmlinux --types stated --inlines $mode --by type --format csv 2>said |
					grep '^stated_type,' >/dev/null || { echo "$mode $text $input"; cat said; return 1; }
				! grep 'not used' said || return
			done
		done
		# what the report proposes can be stated
		printf 'none x\n' >stated
		"$program" report by-address --vmlinux gcc/stripped --types stated --inlines $mode --by type --format json 2>/dev/null |
			grep -F "\"largest_unknown\": \"$site\"" >/dev/null || return
	done
}

# What a person states of a call site, or of a function, counts; what it contradicts is said.
stated() {
	local site

	account gcc
	types gcc >want
	site=$(grep -o 'variable+0x.*' rows)
	printf '# a comment\n \n %s  wide \nof_void\tchar[]\r\ntoo_small+0x1/0x2\t [mod]  thing\n' "$site" >stated
	"$program" report account --vmlinux gcc/vmlinux --types stated --by function,type --format csv 2>said |
		awk -F, 'NR > 1 { sub(/ .*/, "", $1); print $1 "\t" $2 }' | sort >got
	sed 's/^variable\t.*/variable\twide/; s/^of_void\t.*/of_void\tchar[]/' want | diff - got || return
	grep -qF "the stated type of $site is wide, but the debugging information says thing" said || return
	grep -qF '1 stated type is not used: no such call site, as too_small+0x1/0x2 [mod],' said || return
	[ "$(wc -l <said)" = 2 ] || { cat said; return 1; }
	# alone, and with the sentence about the sources
	"$program" report account --types stated --by type >got 2>/dev/null
	grep '^Types: .* stated, .* unknown; the largest call site without a type is ' got || { cat got; return 1; }
	"$program" report account --types stated --by type --format json 2>/dev/null | python3 -c 'import json, sys
data = json.load(sys.stdin)
by, rows = data["types_by"], {row["type"]: row["current_dynamic"] for row in data["rows"]}
assert by["stated"] == rows["wide"] + rows["char[]"] and by["unknown"] == rows["[no type]"], by
assert sum(by[how] for how in by if how != "largest_unknown") == data["total"]["current_dynamic"]' || return
	largest=$(grep -v 'variable+\|of_void+' rows | sort -k1,1nr | awk 'NR == 1 { print $1 }')
	"$program" report account --types stated --by type --format json 2>/dev/null | grep -o '"largest_unknown": "[^"]*' |
		sed 's/.*"//' | grep -Ff - rows | awk -v n="$largest" '{ exit $1 != n }' || return
	printf 'variable+0x1\n' >bad
	fails_with 'bad:1: not a call site and its type' report account --types bad --by type
}

# running_id: the build ID of the running kernel; nothing if it cannot be read
running_id() {
	python3 -c 'import struct
data = open("/sys/kernel/notes", "rb").read()
while data:
	name, desc, kind = struct.unpack("=3I", data[:12])
	at = 12 + (name + 3) // 4 * 4
	if kind == 3 and data[12:16] == b"GNU\0":
		print(data[at:at + desc].hex())
	data = data[at + (desc + 3) // 4 * 4:]' 2>/dev/null || true
}

# An account of the running kernel need not say so.
running() {
	account gcc
	types gcc >want
	ld --build-id="0x$1" -Ttext=0x1000000 -o vmlinux-running gcc/made.o gcc/rest.o
	"$program" types --vmlinux vmlinux-running >/dev/null || return
	cp account sites
	refused report sites --by type || return
	"$program" report "/proc/self/cwd/account" --by function,type --format csv |
		awk -F, 'NR > 1 { sub(/ .*/, "", $1); print $1 "\t" $2 }' | sort | diff want -
}

all=$(wc -l <calls)
[ "$all" = "$(grep -c '/\* [0-9]* [0-9]* ' made.c)" ]
build gcc gcc -O2 -gdwarf-5
build v4 gcc -O2 -gdwarf-4
build O1 gcc -O1 -g
build O3 gcc -O3 -g
build Os gcc -Os -g
build thunk gcc -O2 -g -mfunction-return=thunk-extern -mindirect-branch=thunk-extern
build clang clang -O2 -g
ktap_plan 25
ktap "gcc -O2: each of the $all types" right gcc "$all"
ktap "without debugging information: refused" no_debug
ktap "a rule by type, with and without its mark" eval 'ruled base "array more" && ruled "base*" "array more" && ruled other disagree && ruled "thing or*" disagree'
ktap "sizes and names of caches" caches
ktap "each command has the key" commands
ktap "lengths of instructions" lengths
# of the address of a variable the module has only a relocation
ktap "a module" right gcc $((all - 1)) mod
ktap "DWARF 4" right v4 "$all"
ktap "a table of types" table
ktap "a table that is none, damaged, or cannot be made" table_refused
ktap "a table is found by its build ID" found
ktap "types in doctor" doctor
ktap "sizes of types, and what is beyond" sizes
ktap "types by BTF alone" by_btf
ktap "objects that are older than the module" older
ktap "types that a person states" stated
ktap "rows of one call site" joined
ktap "types that are stated, with inlined functions" stated_inlined
id=$(running_id)
if [ -n "$id" ]; then
	ktap "a table of the running kernel" running "$id"
else
	ktap_skip "a table of the running kernel" "/sys/kernel/notes has no build ID"
fi
ktap "arm64: no wrong type" other_machine
for how in O1 O3 Os thunk clang; do
	ktap "$how: no wrong type" right $how $((all / 2))
done
ktap_end
