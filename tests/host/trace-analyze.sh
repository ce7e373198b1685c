#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# trace_analyze: every command line of the script's documentation, as typed, on a made
# tree and a made log; its files to the byte against trace-account.py, static sizes
# against readelf and size, places against addr2line.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

fixture mktree.sh "$work/mini" >/dev/null
tree=$work/mini/tree
cc=${CC:-gcc}
real=$data/logs/slab-3.x.log.gz
run=$work/a/b
unset BROWSER

# add PATH CODE: one more file of the kernel, built as kbuild does
add() {
	local object=${1%.c}.o

	mkdir -p "$tree/${1%/*}"
	printf '%s\n' "$2" >"$tree/$1"
	(cd "$tree" && "$cc" -g -O0 -fno-pie -ffreestanding -fno-stack-protector \
		-fno-asynchronous-unwind-tables -c -o "$object" "$1")
	printf 'cmd_%s := %s -c\n\nsource_%s := %s\n\n' "$object" "$cc" "$object" "$1" \
		>"$tree/${object%/*}/.${object##*/}.cmd"
}

# The directories that the documentation speaks of; what is hard to tell apart: foo and
# foobar, and a static function of one name and size in two files.
make_tree() {
	local twin='static int __attribute__((noinline)) same(int x) { return x * 3 + 1; }'

	add fs/ext2/inode.c "$twin int ext2_get(int x) { return same(x); }"
	add fs/ext4/inode.c "$twin int ext4_get(int x) { return same(x); } int ext4_more(void) { return 7; }"
	add drivers/base/core.c "int foo(int x) { return x + 1; } int device_add(int x) { return foo(x); }"
	add drivers/baseline/core.c "int foobar(int x) { return x * 5 + 2; }"
	add arch/x86/mm/init.c "int mem_init(int x) { return x - 1; } char mem_map[300];"
	add lib/sections.c '
const char kma_rodata[100] = { 1 };
asm(".section __ksymtab_strings,\"aMS\",%progbits,1\n\t.asciz \"to be merged\"\n\t.text");
int kma_data[25] = { 1 };
int kma_bss[50];
int kma_common __attribute__((common));
__attribute__((section(".init.text"))) int kma_start(void) { return 1; }
__attribute__((section(".init.data"))) int kma_once[9] = { 1 };
__attribute__((section(".initcall6.init"))) int (*kma_call)(void) = kma_start;
__attribute__((section(".exit.text"))) int kma_stop(void) { return 2; }
__attribute__((section("__ksymtab"))) const long kma_ksymtab[3] = { 1 };
int kma_code(void) { return 3; }'
	# of a module, .exit.text stays
	add drivers/foo/foo_main.c "$(cat "$tree/drivers/foo/foo_main.c")
__attribute__((section(\".exit.text\"))) int foo_stop(void) { return 2; }"
	# never in the kernel, but for what carries it
	add arch/x86/entry/vdso/vgettime.c "int vdso_only(void) { return 1; }"
	add arch/x86/entry/vdso/vma.c "int vdso_map(void) { return 1; }"
	add arch/x86/tools/relocs.c "int host_only(void) { return 1; }"
	add usr/initramfs.c "char initramfs[64] = { 1 };"
	(cd "$tree" && ld -Ttext=0x1000000 -o vmlinux init.o fs/*/*.o fs/super.o mm/slab.o \
		drivers/base/*.o drivers/baseline/*.o drivers/foo/core.o arch/x86/mm/init.o \
		lib/*.o arch/x86/entry/vdso/vma.o usr/initramfs.o && nm -n vmlinux >System.map)
}

# A log of random events by the tree's functions; two addresses are of no symbol.
make_log() {
	python3 - "$tree/System.map" >"$run/kmem.log" <<'PY'
import random, sys
random.seed(4)
symbols = [line.split() for line in open(sys.argv[1])]
starts = sorted({int(s[0], 16) for s in symbols})
end = {a: b for a, b in zip(starts, starts[1:])}
code = [int(s[0], 16) for s in symbols if s[1] in "tT" and s[2] != "_etext" and int(s[0], 16) in end]
sites = [a + k for a in code for k in (min(5, end[a] - a), end[a] - a)]
sites += [0xffffffff99887766, 0xc104dd2f]
print("# tracer: nop\n#\n# entries-in-buffer/entries-written: 4000/4017   #P:1\n#")
live = {}
for i in range(4000):
    site = random.choice(sites)
    kind = site % 2
    head = "%16s-%-5d [000] .N..  %3d.%06d:" % ("a task", 7, i // 100, i)
    if live and random.random() < 0.4:
        ptr = random.choice([p for p in live if live[p] == kind] or list(live))
        name = ("kfree", "kmem_cache_free")[live.pop(ptr)]
        print(head, "%s: call_site=%x ptr=%x" % (name, site, ptr))
    elif random.random() < 0.02:
        name = ("kfree", "kmem_cache_free")[kind]
        print(head, "%s: call_site=%x ptr=%x" % (name, site, 0xc0000000 + i))
        print(head, "%s: call_site=%x ptr=  (null)" % (name, site))
    else:
        ptr = 0xc1000000 + random.randrange(4000) * 64
        if ptr in live:
            continue
        req = random.randrange(1, 300)
        live[ptr] = kind
        print(head, "%s: call_site=%x ptr=%x bytes_req=%d bytes_alloc=%d gfp_flags=GFP_KERNEL"
              % (("kmalloc", "kmem_cache_alloc")[kind], site, ptr, req, (req + 31) // 32 * 32))
PY
	places "$run/kmem.log" "$tree" >"$work/files"
}

# places LOG TREE: what addr2line says of each call: of the byte before the address
places() {
	grep -o 'call_site=[0-9a-f]*' "$1" | sort -u | cut -d = -f 2 >"$work/sites"
	while read -r addr; do
		printf '%x\n' $((16#$addr - 1))
	done <"$work/sites" | addr2line -e "$2/vmlinux" | sed "s,^$2/,,; s/:.*//" >"$work/lines"
	paste -d ' ' "$work/sites" "$work/lines" | grep -v ' ??$'
}

# oracle ARGUMENTS...: what the account file has to be
oracle() {
	python3 "$here/trace-account.py" "$run/kmem.log" --map "$tree/System.map" \
		--files "$work/files" "$@"
}

# typed LINE: a command line as it stands in the documentation, from $run
typed() {
	(cd "$run" && rm -f ./*.png ./*.txt && eval "$1") >"$work/out" 2>"$work/said" ||
		{ cat "$work/said"; return 1; }
}

# picture FILE...: PNGs that are there and not blank
picture() {
	local file

	for file in "$@"; do
		[ "$(head -c 8 "$run/$file" | od -An -c | tr -d ' ')" = '211PNG\r\n032\n' ] || return 1
		[ "$(stat -c %s "$run/$file")" -gt 20000 ] || return 1
	done
}

# charts FILE LINE, account FILE LINE ORACLE-ARGUMENTS...: LINE makes just that
charts() {
	typed "$2" && picture "$1" && [ "$(cd "$run" && ls ./*.png ./*.txt 2>/dev/null)" = "./$1" ]
}

account() {
	typed "$2" && diff <(oracle "${@:3}") "$run/$1" &&
		[ "$(cd "$run" && ls ./*.png ./*.txt 2>/dev/null)" = "./$1" ]
}

mkdir -p "$run" "$work/usr/src"
make_tree
ln -s "$tree" "$work/torvalds"
ln -s "$tree" "$work/a/torvalds"
ln -s "$tree" "$run/linux"
ln -s "$tree" "$work/usr/src/linux"
ln -s "$program" "$run/trace_analyze"
ln -s "$program" "$run/trace_analyze.py"
make_log
cp "$run/kmem.log" "$run/boot_kmem.log"

# the script's documentation: a chart of static sizes, the name of the file behind "#"
static_lines="
./trace_analyze.py -k $work/usr/src/linux -r foo.png # foo.png
./trace_analyze.py --kernel $work/usr/src/linux --rings-file foo.png # foo.png
./trace_analyze.py -k ../../torvalds -r foo.png # foo.png
./trace_analyze -k linux --start-branch fs/ext2 -r ext2.png # ext2.png
./trace_analyze -k linux -b drivers -r drivers.png # drivers.png
./trace_analyze -k linux -b mm -r mm.png # mm.png"
# an account, and what it is of
account_lines="
./trace_analyze.py -k linux -f kmem.log --account-file account.txt #
./trace_analyze.py -k linux -f kmem.log -c account.txt #
./trace_analyze.py -k linux -f kmem.log -c account.txt --malloc # --kind kmalloc
./trace_analyze.py -k linux -f kmem.log -c account.txt --cache # --kind cache
./trace_analyze.py -k linux -f kmem.log -c account.txt --order-by=waste # --order waste
./trace_analyze.py -k linux -f kmem.log -c account.txt --malloc -o waste # --kind kmalloc --order waste
./trace_analyze.py -k linux -f kmem.log -c account.txt -b drivers/base/ # --branch drivers/base
./trace_analyze.py -k linux -f kmem.log -b fs -c account.txt -o current_dynamic --malloc # --branch fs --kind kmalloc
./trace_analyze -k linux -f kmem.log -c account.txt -o total_dynamic # --order total_dynamic
./trace_analyze -k linux -f kmem.log -c account.txt -o alloc_count # --order alloc_count
./trace_analyze -k linux -f kmem.log -c account.txt -o free_count # --order free_count
./trace_analyze -k linux -f kmem.log --acc account.txt --ord waste --st fs/ext4 # --order waste --branch fs/ext4"
# a chart of a log
chart_lines="
./trace_analyze.py -k linux -f kmem.log --rings-file=dynamic.png # dynamic.png
./trace_analyze.py -k linux -f kmem.log -r -a waste # rings.png
./trace_analyze.py -k ../torvalds -f kmem.log -r ext4_waste.png -a waste -b fs/ext4 # ext4_waste.png
./trace_analyze.py -k ../torvalds -f kmem.log -r x86_static.png -a static -b arch/x86/mm # x86_static.png
./trace_analyze.py -k linux/ -f boot_kmem.log -r kmallocs.png --malloc # kmallocs.png
./trace_analyze -k linux -f kmem.log -r a.png -a current # a.png
./trace_analyze -k linux -f kmem.log -r a.png -a current_dynamic # a.png
./trace_analyze -k linux -f kmem.log -r a.png -a total_dynamic # a.png
./trace_analyze -k linux -f kmem.log -r a.png -a total_dyamic # a.png
./trace_analyze -k linux -f kmem.log -a waste --rings-file # rings.png
./trace_analyze -k linux # rings_static.png"

db_lines() {
	typed "./trace_analyze.py -k ../torvalds/ -f kmem.log --save-db db" && [ ! -s "$work/out" ] &&
		typed "./trace_analyze.py -k ../torvalds/ --db-file db -r rings.png -c account.txt" &&
		picture rings.png && diff <(oracle) "$run/account.txt" &&
		# all of the log is in it, whatever was shown when it was saved
		typed "./trace_analyze -k linux -f kmem.log --save-db other.db --malloc -c a.txt" &&
		diff <(oracle --kind kmalloc) "$run/a.txt" &&
		typed "./trace_analyze -k linux --db-file other.db -c account.txt" &&
		diff <(oracle) "$run/account.txt" &&
		typed "./trace_analyze -k linux --db-file other.db -c account.txt --cache -b fs" &&
		diff <(oracle --kind cache --branch fs) "$run/account.txt"
}

callers() {
	typed "./trace_analyze -k linux -f kmem.log -l callers.txt" &&
		diff <(oracle --callers) "$run/callers.txt" &&
		typed "./trace_analyze -k linux -f kmem.log --callers-file callers.txt -o waste -b fs" &&
		diff <(oracle --callers --order waste --branch fs) "$run/callers.txt"
}

# A real boot of a 3.x kernel, whose tree is not at hand: callers as the log has them.
real_log() {
	local args oracle_args

	for args in " # " "--malloc # --kind kmalloc" "--cache -o waste # --kind cache --order waste"; do
		read -r -a oracle_args <<<"${args#*#}"
		typed "./trace_analyze -f $real -c account.txt ${args%#*}" &&
			diff <(python3 "$here/trace-account.py" "$real" "${oracle_args[@]}") \
				"$run/account.txt" || return 1
	done
	grep -q '  1100/1     c10a659f$' "$run/account.txt"
}

# What the script's classes print of a log with unknown frees, a double free, and a call site
# that allocates by kmalloc and from a cache.  By hand, from EventDB and print_account().
sums_of_the_script() {
	cat >"$work/odd.log" <<-EOT
	 a-1 [000] .N..  0.1: kmalloc: call_site=c1000010 ptr=d0000000 bytes_req=10 bytes_alloc=16 gfp_flags=GFP_KERNEL
	 a-1 [000] .N..  0.2: kmem_cache_alloc: call_site=c1000010 ptr=d0000100 bytes_req=30 bytes_alloc=32 gfp_flags=GFP_KERNEL
	 a-1 [000] .N..  0.3: kmalloc: call_site=c1000020 ptr=d0000200 bytes_req=8 bytes_alloc=8 gfp_flags=GFP_KERNEL
	 a-1 [000] .N..  0.4: kfree: call_site=c1000030 ptr=d0000200
	 a-1 [000] .N..  0.5: kfree: call_site=c1000020 ptr=d0000200
	 a-1 [000] .N..  0.6: kfree: call_site=c1000030 ptr=d0009000
	 a-1 [000] .N..  0.7: kfree: call_site=c1000010 ptr=d0008000
	EOT
	typed "./trace_analyze -f $work/odd.log -c account.txt -l callers.txt -o free_count" &&
		diff "$run/account.txt" - <<-EOT &&
		current bytes allocated:         48
		current bytes requested:         40
		current wasted bytes:             8
		number of allocs:                 3
		number of frees:                  1
		number of callers:                2

		   total    waste      net alloc/free  caller
		---------------------------------------------
		       8        0        0     1/1     c1000020
		      48        8       48     2/0     c1000010
		EOT
		diff <(awk '{ print $1, $2, $3 }' "$run/callers.txt") - <<-EOT &&
		c1000020 0 0
		c1000010 48 8
		EOT
		grep -q 'frees of unknown objects: 3$' "$work/said" &&
		"$program" report --by caller --format csv "$work/odd.log" | grep c1000030 >/dev/null
}

# Where the log knows names and sizes (5.4 and later): equal names are told apart.
told_apart() {
	awk '{ printf "%d 0 %d %d 0 %s\n", NR * 10, NR * 10, NR, $0 }' >"$work/rows" <<-EOT
	alpha+0x10/0x90
	alpha+0x10/0x50
	beta+0x10/0x50
	EOT
	account_of "$work/rows" >"$work/named"
	typed "./trace_analyze -f $work/named -c account.txt" &&
		diff <(awk 'NR > 9 { print $1, $5 }' "$run/account.txt") - <<-EOT
		- beta+0x10
		- alpha+0x10/0x50
		- alpha+0x10/0x90
		EOT
}

# foo has no part in foobar, and one twin none in the other.
not_by_prefix() {
	typed "./trace_analyze -k linux -f kmem.log -l b.txt" &&
		diff <(grep -E '^(foo|foobar|same)\+0x5' "$run/b.txt" | awk '{ sub("/0x.*", "/SIZE", $1)
			print $1, $NF }' | sort) - <<-EOT
		foo+0x5 drivers/base/core.c
		foobar+0x5 drivers/baseline/core.c
		same+0x5/SIZE fs/ext2/inode.c
		same+0x5/SIZE fs/ext4/inode.c
		EOT
}

# What lies in no symbol is in the whole account, and in the tree, under its name.
nothing_vanishes() {
	typed "./trace_analyze -k linux -f kmem.log -c account.txt" &&
		grep -q ' ffffffff99887766$' "$run/account.txt" &&
		grep -q '2 of .* addresses are not in any symbol' "$work/said" &&
		grep -q 'events not recorded: 17$' "$work/said" &&
		grep -q 'frees of unknown objects: [1-9]' "$work/said" &&
		typed "./trace_analyze -k linux -f kmem.log -b '[unknown address]' -c account.txt" &&
		diff <(oracle --branch '[unknown address]') "$run/account.txt"
}

# Sections by the rules of static.h, from readelf; the sum of each object by size, which
# knows its common symbols, too. Which objects: all that kbuild compiled but three.
static_truth() {
	python3 - <<'PY'
import collections, glob, os, re, subprocess
dirs = collections.defaultdict(lambda: [0] * 7)
module = open("drivers/foo/foo-mod.mod").read().split()
for cmd in glob.glob("**/.*.o.cmd", recursive=True, include_hidden=True):
    path = os.path.join(os.path.dirname(cmd), os.path.basename(cmd)[1:-4])
    if not re.search("^source_", open(cmd).read(), re.M) or path.startswith(
            ("scripts/", "arch/x86/tools/", "arch/x86/entry/vdso/vgettime")):
        continue
    n = dirs[os.path.dirname(path) or "."]
    out = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True, check=True).stdout
    total = 0
    for name, kind, size, flags in re.findall(
            r"^ +\[ *\d+\] (\S+) +([A-Z_]+) +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) \d\d +([A-Z]*) +\d+ +\d+ +\d+$",
            out, re.M):
        size = int(size, 16)
        if "A" not in flags:
            continue
        total += size
        if name.startswith(".init") or name.endswith(".init") or (
                path not in module and name.startswith(".exit")):
            n[4] += size
        elif kind == "NOBITS":
            n[3] += size
        elif "X" in flags:
            n[0] += size
        elif name.startswith(".rodata") or "M" in flags:
            n[1] += size
        else:
            n[2 if "W" in flags else 5] += size
    size = subprocess.run(["size", "--common", "-d", path], capture_output=True, text=True).stdout
    size = int(size.splitlines()[1].split()[3])
    n[3] += size - total
    n[6] += size
dirs["total"] = [sum(column) for column in zip(*dirs.values())]
for name, n in sorted(dirs.items()):
    print(*n, name)
PY
}

static_sizes() {
	(cd "$tree" && static_truth) >"$work/truth" && typed "./trace_analyze -k linux" &&
		diff "$work/truth" <(awk 'NR > 1 { print $1, $2, $3, $4, $5, $6, $7, $9 }' "$work/out" |
			LC_ALL=C sort -k 8) &&
		# the file that was made for it has some of each
		awk '$8 == "lib" && $1 && $2 && $3 && $4 && $5 && $6 { found = 1 } END { exit !found }' \
			"$work/truth"
}

# A chart of static and live bytes: angles are the sums of both.
footprint() {
	typed "./trace_analyze -k linux -f kmem.log -r a.svg -a current -l callers.txt" || return 1
	typed_static=$("$program" trace-analyze -k "$tree" -r "$work/unused.png" 2>/dev/null)
	python3 - "$run/a.svg" "$run/callers.txt" "$typed_static" <<'PY'
import math, re, sys, xml.etree.ElementTree as ET
svg, callers, static = sys.argv[1:]
want = {}
def top(path):
    return path if path[0] == "[" else path.split("/")[0]
for line in open(callers):
    live, _, path = line.rstrip("\n")[61:].split(None, 2)
    want[top(path)] = want.get(top(path), 0) + int(live)
for line in static.splitlines()[1:-1]:
    fields = line.split()
    name = top(fields[8]) if fields[8] != "." else "init.c"
    want[name] = want.get(name, 0) + int(fields[6])
total = sum(want.values())
ns, (cx, cy), seen = "{http://www.w3.org/2000/svg}", (516, 528), 0
for path in ET.parse(svg).getroot().iter(ns + "path"):
    title = path.find(ns + "title")
    if title is None or title.text.split(": ")[0] not in want:
        continue
    n = list(map(float, re.findall(r"-?[0-9.]+", path.get("d"))))
    angle = lambda p: math.atan2(p[0] - cx, cy - p[1]) % (2 * math.pi)
    share = (angle(n[7:9]) - angle(n[0:2])) % (2 * math.pi) / (2 * math.pi)
    assert abs(share - want[title.text.split(": ")[0]] / total) < 1e-3, (title.text, share)
    seen += 1
assert seen >= 5, (seen, want)
PY
}

# An input without a total, as /proc/kmem_account: "-", and asking for it is an error.
absent_number() {
	typed "./trace_analyze -f $data/small.account -c account.txt" &&
		grep -q '^       -     1024    20480    40/0     alloc_inode+0x59$' "$run/account.txt" &&
		! typed "./trace_analyze -f $data/small.account -c account.txt -o total_dynamic" &&
		grep -q "no attribute 'total_dynamic' in this input" "$work/said" && [ ! -e "$run/account.txt" ]
}

# A 32-bit kernel, linked where those of 3.x were; is the compiler able to make one?
can_32() {
	echo 'int x;' | "$cc" -m32 -ffreestanding -x c -c -o "$work/x32.o" - 2>/dev/null &&
		ld -m elf_i386 -e 0 -o "$work/x32" "$work/x32.o" 2>/dev/null
}

kernel_32() {
	local small=$work/small file

	mkdir -p "$small/fs" "$small/mm"
	for file in fs/inode mm/slab; do
		printf 'static int twin(int x) { return x * 3; }\nint %s_alloc(int x) { return twin(x); }\n' \
			"${file#*/}" >"$small/$file.c"
		(cd "$small" && "$cc" -m32 -g -O0 -fno-pie -ffreestanding \
			-fno-asynchronous-unwind-tables -c -o "$file.o" "$file.c")
		printf 'source_%s.o := %s.c\n' "$file" "$file" >"$small/${file%/*}/.${file#*/}.o.cmd"
	done
	(cd "$small" && ld -m elf_i386 -Ttext=0xc1000000 -e inode_alloc -o vmlinux fs/inode.o \
		mm/slab.o && nm -n vmlinux >System.map)
	nm "$small/vmlinux" | awk '$2 ~ /[tT]/ { print $1 }' | while read -r addr; do
		printf ' init-1 [000] .N..  0.170000: kmalloc: call_site=%x ptr=c2%s bytes_req=24 bytes_alloc=32 gfp_flags=GFP_KERNEL\n' \
			$((16#$addr + 5)) "${addr#??}"
	done >"$small/log"
	places "$small/log" "$small" >"$small/files"
	[ "$(cut -d ' ' -f 2 "$small/files" | sort | uniq -c | tr -s ' \n' ' ')" = \
		" 2 fs/inode.c 2 mm/slab.c " ] || { cat "$small/files"; return 1; }
	typed "./trace_analyze -k $small -f $small/log -l callers.txt" &&
		diff <(python3 "$here/trace-account.py" "$small/log" --map "$small/System.map" \
			--files "$small/files" --callers) "$run/callers.txt"
}

# /proc/allocinfo knows its files: a branch without a tree.
files_of_the_input() {
	typed "./trace_analyze -f $data/readers/allocinfo-2.0 -b fs -l callers.txt" &&
		diff <(grep ' fs/e' "$data/readers/allocinfo-2.0" | awk '{ print $1 }' | sort) \
			<(cut -c 61- "$run/callers.txt" | awk '$3 ~ /^fs\// { print $1 }' | sort)
}

# A tree of another kernel: no directories, but static sizes are its own.
other_kernel() {
	echo "10 0 10 1 0 device_add+0x1/0x7777" >"$work/rows"
	account_of "$work/rows" >"$work/strange"
	typed "./trace_analyze -k linux -f $work/strange -c account.txt" &&
		grep -q ' device_add+0x1$' "$run/account.txt" && grep -q "does not match the input" "$work/said" &&
		typed "./trace_analyze -k linux -f $work/strange -r s.png -a static -b fs" &&
		picture s.png && ! typed "./trace_analyze -k linux -f $work/strange -c a.txt -b fs" &&
		grep -q "cannot find source files by this tree, so branch 'fs' is not available" "$work/said" &&
		! typed "./trace_analyze -k linux -f $work/strange -r a.png -a current"
}

show() {
	printf '#!/bin/sh\nprintf "%%s|" "$@" >%s/shown\n' "$work" >"$work/viewer"
	chmod +x "$work/viewer"
	typed "BROWSER='no-such-program:$work/viewer --new %s' ./trace_analyze -k linux -f kmem.log -i" &&
		[ "$(cat "$work/shown")" = '--new|rings.png|' ] && picture rings.png &&
		typed "PATH=/nonexistent ./trace_analyze -k linux -f kmem.log --rings-show -r b" &&
		picture b.png && grep -q 'b.png: no program found that opens this file' "$work/said"
}

# usage TEXT LINE: bad usage, exit 2 with a sentence, and nothing written
usage() {
	local code=0

	(cd "$run" && rm -f ./*.png ./*.txt && eval "./trace_analyze $2") >"$work/out" 2>"$work/said" ||
		code=$?
	[ "$code" -eq 2 ] && grep -qF -- "$1" "$work/said" && [ "$(wc -l <"$work/said")" -eq 1 ] &&
		[ ! -s "$work/out" ] && ! ls "$run"/*.png "$run"/*.txt 2>/dev/null
}

bad_usage() {
	usage "ambiguous option --rings (expected --rings-file, --rings-show, --rings-attr)" "-k linux --rings x.png" &&
		usage "unknown option --foo" "-k linux --foo" &&
		usage "-k needs a value" "-r a.png -k" &&
		usage "--malloc takes no value" "-k linux -f kmem.log --malloc=yes" &&
		usage "too many arguments: kmem.log" "-k linux kmem.log" &&
		usage "invalid -a 'size' (expected current, static, waste, current_dynamic or total_dynamic)" "-k linux -f kmem.log -r -a size" &&
		usage "invalid -o 'name' (expected current_dynamic, total_dynamic, alloc_count, free_count or waste)" "-k linux -f kmem.log -c a.txt -o name" &&
		usage "-f cannot be combined with --db-file" "-k linux -f kmem.log --db-file db" &&
		usage "-c needs -f LOG or --db-file FILE" "-k linux -c account.txt" &&
		usage "unsupported picture format (expected a name that ends in one of .svg, .png" "-k linux -r a.jpg"
}

# bad TEXT LINE: bad data, exit 1 with a sentence, and nothing written
bad() {
	! typed "./trace_analyze $2" && grep -qF -- "$1" "$work/said" &&
		! ls "$run"/*.png "$run"/*.txt 2>/dev/null
}

bad_data() {
	mkdir -p "$work/empty" "$work/past"
	echo 'kmem_account history 1' >"$work/past/kmem-account-history"
	bad "not a built kernel tree" "-k $work/empty" &&
		bad "cannot open" "-k $work/nowhere -r a.png" &&
		bad "the nearest is 'fs/ext2'" "-k linux -b fs/ext -r a.png" &&
		bad "no wasted bytes in this input" "-k linux -f kmem.log -b usr -a waste -r a.png" &&
		bad "cannot open" "-k linux -f nosuch.log -c a.txt" &&
		bad "-b fs needs -k DIR" "-f kmem.log -b fs -c a.txt" &&
		bad "invalid time 'noon'" "-f $work/past@noon -c a.txt" &&
		bad "not a DB file" "-k linux --db-file kmem.log -c a.txt"
}

# A branch that is there and allocates nothing is an empty account, not an error.
empty_branch() {
	account account.txt "./trace_analyze -k linux -f kmem.log -b usr -c account.txt" --branch usr &&
		grep -q '^number of callers: *0$' "$run/account.txt"
}

lines() { grep -c . <<<"$1"; }

ktap_plan $(($(lines "$static_lines") + $(lines "$account_lines") + $(lines "$chart_lines") + 17))
while IFS='#' read -r line file; do
	[ -z "$line" ] || ktap "${line#./}" charts "${file# }" "$line"
done <<<"${static_lines//"$work"/"$work"}
$chart_lines"
while IFS='#' read -r line words; do
	read -r -a args <<<"$words"
	[ -z "$line" ] || ktap "${line#./}" account account.txt "$line" "${args[@]}"
done <<<"$account_lines"
ktap "the lines with a DB file" db_lines
ktap "the callers file" callers
ktap "a boot of a 3.x kernel" real_log
if can_32; then
	ktap "a 32-bit kernel" kernel_32
else
	ktap_skip "a 32-bit kernel" "the compiler makes no 32-bit code"
fi
ktap "unknown frees are in no sum" sums_of_the_script
ktap "callers of one name are told apart" told_apart
ktap "foo is not foobar, a twin not the other" not_by_prefix
ktap "what is in no symbol stays" nothing_vanishes
ktap "static sizes by readelf and size" static_sizes
ktap "a chart of static and live bytes" footprint
ktap "a number that the input does not have" absent_number
ktap "a branch of an input that knows its files" files_of_the_input
ktap "a tree of another kernel" other_kernel
ktap "the chart is opened" show
ktap "bad usage" bad_usage
ktap "bad data" bad_data
ktap "a branch without callers" empty_branch
ktap_end
