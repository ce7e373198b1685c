#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# static --vmlinux and --kernel-package: kernels by their debugging information alone, of three
# machines, against readelf and the linker's map; packages as distributions lay them out;
# files that are of no use.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

targets='x86_64 aarch64 s390x'
for target in $targets; do
	DEBUG=-g fixture mkstatic.sh "$work/$target" "$target" >"$work/log" 2>&1 ||
		{ cat "$work/log" >&2; exit 1; }
done
tree=$work/x86_64/tree
vmlinux=$tree/vmlinux

# stock ARGUMENTS...: of the x86-64 kernel
stock() { "$program" static --vmlinux "$vmlinux" "$@"; }

# truth TARGET WHAT KEY
truth() {
	local kernel=$work/$1/tree/vmlinux

	"$program" static --vmlinux "$kernel" --by "$3" --format csv >"$work/got.csv" || return
	case $2 in
	map) python3 "$here/stock.py" map "${kernel%/*}" "$work/got.csv" ;;
	*) python3 "$here/stock.py" sections "$kernel" "$work/got.csv" ;;
	esac
}

# Rows add up to the allocated sections, whatever they are by.
same_total() {
	local key

	for key in dir file symbol section module; do
		stock --by "$key" --format csv >"$work/got.csv" &&
			python3 "$here/stock.py" total "$work/got.csv" "$vmlinux" || return
	done
}

named_rows() {
	stock --by dir --format csv | awk -F, '{ print $1, $8 }' >"$work/rows"
	grep -qx '\[kallsyms\] 320' "$work/rows" && grep -qx '\[init stack\] 512' "$work/rows" &&
		grep -qx '\[early brk\] 100' "$work/rows" && grep -qx '\[.made\] 8' "$work/rows"
}

symbols() {
	stock --by symbol --format csv | awk -F, '{ print $1, $8 }' >"$work/rows"
	grep -qx 'twin (init/main.c) 16' "$work/rows" &&
		grep -qx 'twin (fs/sub/file.c) 16' "$work/rows" &&
		grep -qx 'common_large 400' "$work/rows" && grep -qx 'label_without_size 4' "$work/rows"
}

# exits STATUS COMMAND...
exits() {
	local status=$1 got=0
	shift

	"$@" >"$work/stdout" 2>"$work/stderr" || got=$?
	[ "$got" -eq "$status" ] || { echo "exit status $got, not $status"; cat "$work/stderr"; return 1; }
}

# says PATTERN: one line on stderr, and this one; nothing on stdout
says() {
	if [ -s "$work/stdout" ] || [ "$(grep -c . "$work/stderr")" -ne 1 ] ||
		! grep -q -e "$1" "$work/stderr"; then
		cat "$work/stderr"
		return 1
	fi
}

# A table of entries, strings that the linker merged, and what EXPORT_SYMBOL() makes belong
# to the file that the code lies in.
tables() {
	local top=$work/tables

	mkdir -p "$top/a" "$top/b"
	cat >"$top/a/one.c" <<'END'
#define ENTRY(label) __asm__ volatile("1: nop\n.pushsection __places,\"a\"\n.long 1b - .\n.popsection")
const char *one_name(int i) { ENTRY(); ENTRY(); ENTRY(); return i ? "a string of the first file" : "another of its strings"; }
static const int __ksymtab_one_name[3] __attribute__((used, section("exports"))) = { 1, 2, 3 };
int one_variable = 5;
END
	cat >"$top/b/two.c" <<'END'
#define ENTRY(label) __asm__ volatile("1: nop\n.pushsection __places,\"a\"\n.long 1b - .\n.popsection")
const char *two_name(void) { ENTRY(); return "what the second file says"; }
static int two_local = 9;
int two(void) { static int count = 3; ENTRY(); return two_local += count++; }
void _start(void) { two(); }
END
	(
		cd "$top"
		for name in a/one b/two; do
			gcc -g -O1 -ffreestanding -fno-pic -fno-pie -mcmodel=kernel -fcf-protection=none \
				-fno-asynchronous-unwind-tables -c -o $name.o $name.c
		done
		ld --build-id -Ttext=0xffffffff81000000 -Trodata-segment=0xffffffff82000000 -o vmlinux a/one.o b/two.o 2>/dev/null ||
			ld --build-id -Ttext=0xffffffff81000000 -o vmlinux a/one.o b/two.o
	)
	"$program" static --vmlinux "$top/vmlinux" --by file --format csv >"$work/got.csv" &&
		python3 "$here/stock.py" total "$work/got.csv" "$top/vmlinux" || return
	"$program" static --vmlinux "$top/vmlinux" -b a/one.c --by symbol --format csv |
		awk -F, '{ print $1, $8 }' >"$work/one"
	"$program" static --vmlinux "$top/vmlinux" -b b/two.c --by symbol --format csv |
		awk -F, '{ print $1, $8 }' >"$work/two"
	# 3 and 2 entries of 4 bytes, 50 and 26 bytes of strings
	if ! { grep -qx '\[__places\] 12' "$work/one" && grep -qx '\[__places\] 8' "$work/two" &&
		grep -qx '\[strings\] 50' "$work/one" && grep -qx '\[strings\] 26' "$work/two" &&
		grep -qx '__ksymtab_one_name 12' "$work/one" && grep -q '^count' "$work/two" &&
		grep -qx 'two_local 4' "$work/two"; }; then
		cat "$work/one" "$work/two"
		return 1
	fi
}

# The same from the cache; a file of it that is damaged or cut short is made again. The kernel
# of the test before has a build ID.
kept() {
	local file want vmlinux=$work/tables/vmlinux

	rm -rf "$XDG_CACHE_HOME"
	stock --by symbol --format csv >"$work/first" && file=$(echo "$XDG_CACHE_HOME"/kmem-account/static/*) &&
		[ -s "$file" ] && want=$(md5sum <"$file") &&
		stock --by symbol --format csv | cmp - "$work/first" || return
	printf 'X' | dd of="$file" bs=1 seek=200 conv=notrunc status=none
	stock --by symbol --format csv | cmp - "$work/first" && [ "$(md5sum <"$file")" = "$want" ] || return
	truncate -s 500 "$file"
	stock --by symbol --format csv | cmp - "$work/first" && [ "$(md5sum <"$file")" = "$want" ] || return
	rm "$file"
	chmod a-w "$XDG_CACHE_HOME/kmem-account/static"
	stock --by symbol --format csv | cmp - "$work/first"
	chmod u+w "$XDG_CACHE_HOME/kmem-account/static"
}

# A file of debugging information alone says the same of sections and files.
debug_only() {
	objcopy --only-keep-debug "$vmlinux" "$work/only.debug"
	"$program" static --vmlinux "$work/only.debug" --by section --format csv >"$work/got.csv" &&
		python3 "$here/stock.py" sections "$vmlinux" "$work/got.csv" &&
		"$program" static --vmlinux "$work/only.debug" --by file --format csv >"$work/got.csv" &&
		python3 "$here/stock.py" map "$tree" "$work/got.csv"
}

# package DIR FORM: what distributions lay out, of a kernel 6.1.0-1-test
package() {
	local modules=$1/usr/lib/debug/lib/modules/6.1.0-1-test

	mkdir -p "$modules/kernel/drivers/mod" "$1/usr/lib/debug/boot"
	cp "$tree/drivers/mod/mod.o" "$modules/kernel/drivers/mod/mod-a.ko"
	case $2 in
	debian) cp "$vmlinux" "$1/usr/lib/debug/boot/vmlinux-6.1.0-1-test" ;;
	fedora) cp "$vmlinux" "$modules/vmlinux" ;;
	esac
}

packages() {
	local form

	for form in debian fedora; do
		package "$work/$form" "$form"
		"$program" static --kernel-package "$work/$form" --by module --format csv >"$work/got.csv" &&
			python3 "$here/stock.py" total "$work/got.csv" "$vmlinux" "$tree/drivers/mod/mod.o" &&
			cut -d, -f 1 "$work/got.csv" | sort | paste -sd' ' | grep -qx 'mod_a module vmlinux' || return
		"$program" static --kernel-package "$work/$form" --by file --format csv | grep '^drivers/mod/mod_a.c,' >/dev/null ||
			return
	done
	"$program" static --vmlinux "$vmlinux" --modules "$work/debian/usr/lib/debug" --by module --format csv |
		cmp - "$work/got.csv" &&
		"$program" diff "$work/debian" "$work/fedora" --by module --format csv >"$work/diff.csv" &&
		grep -q '^\[unchanged\],' "$work/diff.csv" && [ "$(grep -c . "$work/diff.csv")" -eq 2 ] &&
		cp "$vmlinux" "$work/debian/usr/lib/debug/boot/vmlinux-6.1.0-2-test" &&
		exits 1 "$program" static --kernel-package "$work/debian" && says 'has 2 kernels (.*choose one with --vmlinux' &&
		mkdir -p "$work/empty" && exits 1 "$program" static --kernel-package "$work/empty" &&
		says 'has no vmlinux; give the directory' &&
		exits 1 "$program" static --kernel-package "$work/nowhere" && says 'nowhere: not a directory'
}

# Two kernels: changes add up to the difference of their sections.
differ() {
	cp -r "$work/x86_64" "$work/another"
	(
		cd "$work/another/tree"
		echo 'int zero[1000]; int super_a(int x) { return zero[x] * zero[x + 1] - 7; }' >fs/super.c
		gcc -g -O1 -ffreestanding -fno-asynchronous-unwind-tables -fcommon -fno-pic -fno-pie \
			-fcf-protection=none -mcmodel=kernel -c -o fs/super.o fs/super.c
		ld -T arch/x/kernel/vmlinux.lds -o vmlinux --whole-archive vmlinux.a --no-whole-archive \
			--start-group lib/lib.a --end-group 2>/dev/null
	)
	"$program" diff "$vmlinux" "$work/another/tree/vmlinux" --by file --bytes --format csv -r "$work/diff.svg" \
		>"$work/diff.csv" 2>"$work/stderr" || { cat "$work/stderr"; return 1; }
	[ -s "$work/diff.svg" ] || return
	python3 - "$work/diff.csv" "$vmlinux" "$work/another/tree/vmlinux" "$here" <<'PY'
import csv, re, subprocess, sys
def size(path):
    out = subprocess.run(["readelf", "-SW", path], stdout=subprocess.PIPE, text=True).stdout
    return sum(int(s, 16) for s, f in re.findall(r"\] \S+ +\S+ +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) +\S+ +([A-Z]*) ", out) if "A" in f)
rows = list(csv.DictReader(open(sys.argv[1])))
assert [sum(int(r[k]) for r in rows) for k in ("before", "after")] == [size(p) for p in sys.argv[2:4]], rows
assert next(r for r in rows if r["file"] == "fs/super.c")["delta"] != "0"
PY
}

# Pictures and the page are of the same bytes.
drawn() {
	stock -r "$work/a.svg" -r "$work/a.html" --chart treemap && grep -q 'fs' "$work/a.svg" && [ -s "$work/a.html" ]
}

useless() {
	local size

	mkdir -p "$work/empty"
	exits 1 "$program" static --vmlinux "$work/empty" && says 'empty: cannot read: a directory, not a file$' || return
	for size in 40 3000 "$(($(stat -c %s "$vmlinux") * 2 / 3))" "$(($(stat -c %s "$vmlinux") - 1))"; do
		head -c "$size" "$vmlinux" >"$work/cut"
		exits 1 "$program" static --vmlinux "$work/cut" &&
			says 'cut: truncated; copy, install or build it again$' || return
		"$program" report "$data/small.account" --vmlinux "$work/cut" >"$work/stdout" 2>"$work/stderr" || return
		cat "$work/stderr"
		grep -qx 'kmem-account: .*/cut: truncated; copy, install or build it again; reporting by caller only' "$work/stderr" ||
			return
	done
	# the size of a vmlinux is no account's
	exits 2 "$program" rings --vmlinux "$vmlinux" -a static -r "$work/x.svg" &&
		says "-a static needs -k DIR, a built kernel tree; 'kmem-account static --vmlinux FILE' shows the sizes of a vmlinux" &&
		exits 1 "$program" rings "$vmlinux" -r "$work/x.svg" &&
		says 'an ELF file, not an account; use --vmlinux for a vmlinux, or kmem-account static for its sizes' || return
	strip -g -o "$work/stripped" "$vmlinux"
	exits 1 "$program" static --vmlinux "$work/stripped" && says 'no debugging information (DWARF); install' || return
	echo text >"$work/text"
	exits 1 "$program" static --vmlinux "$work/text" && says 'ELF' &&
		exits 1 "$program" static --vmlinux "$work/nowhere" && says 'cannot open' &&
		exits 1 "$program" static --vmlinux "$tree/fs/super.o" && says 'not a vmlinux' &&
		exits 1 "$program" static --vmlinux "$vmlinux" --modules "$work/empty" && says 'has no module' &&
		exits 1 "$program" static --vmlinux "$vmlinux" --modules "$work/nowhere" && says 'not a directory' &&
		exits 1 "$program" static --vmlinux "$vmlinux" -b fss && says "the nearest is 'fs'" &&
		exits 1 "$program" diff "$vmlinux" "$work/stripped" && says 'no debugging information'
}

# Compressed DWARF whose bytes are not what the compressor wrote: libdw leaves such a section out, and does not say so.
corrupt() {
	local kind

	objcopy --compress-debug-sections=zlib "$vmlinux" "$work/corrupt" || return
	python3 - "$work/corrupt" <<-'END' || return
		import struct, sys
		data = bytearray(open(sys.argv[1], "rb").read())
		wide = data[4] == 2
		head = 24 if wide else 12
		table, = struct.unpack_from("<Q" if wide else "<I", data, 40 if wide else 32)
		each, count = struct.unpack_from("<HH", data, 58 if wide else 46)
		done = 0
		for at in range(table, table + each * count, each):
		    if wide:
		        flags, _, start, size = struct.unpack_from("<4Q", data, at + 8)
		    else:
		        flags, _, start, size = struct.unpack_from("<4I", data, at + 8)
		    if flags & 0x800:  # SHF_COMPRESSED
		        data[start + head:start + size] = bytes(size - head)
		        done += 1
		assert done
		open(sys.argv[1], "wb").write(data)
	END
	for kind in svg html csv; do
		rm -f "$work/corrupt.$kind"
		if [ $kind = csv ]; then set -- --format csv -O; else set -- -r; fi
		XDG_CACHE_HOME=$work/corrupt-cache exits 1 "$program" static --vmlinux "$work/corrupt" "$@" "$work/corrupt.$kind" &&
			says 'cannot read its debugging information: its section .debug_info is corrupt' &&
			[ ! -e "$work/corrupt.$kind" ] || return
	done
}

# Static sizes in the formats of other tools: the sums are those of size -A, the names those of static.
exported() {
	"$program" export folded "$vmlinux" >"$work/folded" && "$program" export pprof "$vmlinux" -O "$work/static.pb.gz" &&
		"$program" export speedscope "$vmlinux" -O "$work/static.json" || return
	readelf -SW "$vmlinux" | sed 's/^ *\[ *\([0-9]*\)\]//' | awk '$7 ~ /A/ { print $5 }' >"$work/sections"
	PYTHONPATH=$here /usr/bin/python3 - "$work" <(stock --by symbol --format csv) <<-'END'
		import collections, csv, json, sys
		import export
		work = sys.argv[1]
		size = sum(int(line, 16) for line in open(work + "/sections"))
		lines = [line.rsplit(" ", 1) for line in open(work + "/folded")]
		assert sum(int(n) for _, n in lines) == size, (sum(int(n) for _, n in lines), size)
		sums = export.Profile(work + "/static.pb.gz").sums()
		kinds = ("text", "rodata", "data", "bss", "init", "other")
		assert sums["static_space"] == size == sum(sums[kind + "_space"] for kind in kinds), (sums, size)
		with open(work + "/static.json") as f:
		    profiles = {p["name"]: sum(p["weights"]) for p in json.load(f)["profiles"]}
		assert profiles["static bytes"] == size and profiles["code"] == sums["text_space"], profiles
		# what one symbol has in all files
		want, got = collections.Counter(), collections.Counter()
		for row in csv.DictReader(open(sys.argv[2])):
		    if not row["symbol"].startswith(("[", "total")):
		        want[row["symbol"].split(" (")[0]] += int(row["static"])
		for stack, number in lines:
		    name = stack.split(";")[-1]
		    if not name.startswith("["):
		        got[name] += int(number)
		assert +want == +got and len(got) > 5, (want, got)
	END
}

# Formats and options for which a kernel is not an input.
export_refused() {
	exits 2 "$program" export prometheus "$vmlinux" && says "x86_64/tree/vmlinux: a kernel, not an account; format prometheus has no static sizes; use pprof, folded or speedscope" &&
		exits 2 "$program" export openmetrics "$work/fedora" && says "fedora: a kernel, not an account; format openmetrics" &&
		exits 2 "$program" export folded "$vmlinux" --by cgroup && says "a kernel, not an account; static sizes cannot be combined with --by" &&
		exits 2 "$program" export folded "$vmlinux" --vmlinux "$vmlinux" && says "a kernel, not an account; static sizes cannot be combined with --vmlinux" &&
		exits 1 "$program" export folded "$data/small.account" "$vmlinux" && says "no attribute 'static'"
}

# A compression that the library does not read: what to do is said, or it is read.
compressed() {
	objcopy --compress-debug-sections=zlib "$vmlinux" "$work/zlib" &&
		"$program" static --vmlinux "$work/zlib" --by file --format csv | cmp - <(stock --by file --format csv) || return
	objcopy --compress-debug-sections=zstd "$vmlinux" "$work/zstd" 2>/dev/null || return 0
	if "$program" static --vmlinux "$work/zstd" --by file --format csv >"$work/stdout" 2>"$work/stderr"; then
		cmp "$work/stdout" <(stock --by file --format csv)
	else
		says 'objcopy --decompress-debug-sections'
	fi
}

# Modules of another kernel would make a kernel that there is not.
other_build() {
	local dir=$work/other

	mkdir -p "$dir/modules"
	echo 'const char banner[] = "Linux version 6.1.0-1-test (cc)"; int _start(void) { return banner[3]; }' >"$dir/a.c"
	echo 'static const char v[] __attribute__((used, section(".modinfo"))) = "vermagic=6.1.0-2-test SMP"; int m(void) { return 1; }' \
		>"$dir/m.c"
	gcc -g -O1 -ffreestanding -fno-pie -no-pie -nostdlib -static -o "$dir/vmlinux" "$dir/a.c"
	gcc -g -O1 -ffreestanding -c -o "$dir/modules/m.ko" "$dir/m.c"
	exits 1 "$program" static --vmlinux "$dir/vmlinux" --modules "$dir/modules" &&
		says 'm.ko: a module of kernel 6.1.0-2-test, but .*vmlinux is kernel 6.1.0-1-test; give the modules of kernel 6.1.0-1-test'
}

# A module that cannot be read is missing, and said.
bad_module() {
	package "$work/gap" fedora
	echo junk >"$work/gap/usr/lib/debug/lib/modules/6.1.0-1-test/kernel/drivers/junk.ko"
	exits 0 "$program" static --kernel-package "$work/gap" --by module --format csv &&
		grep -q 'cannot read 1 module' "$work/stderr" && grep -q '^mod_a,' "$work/stdout"
}

# Split debugging information (.dwo) gives the same rows, and without its files it is said what is missing.
split() {
	local version

	for version in 4 5; do
		if ! DEBUG=-gdwarf-$version fixture mkstatic.sh "$work/whole$version" >"$work/log" 2>&1 ||
			! DEBUG="-gdwarf-$version -gsplit-dwarf" fixture mkstatic.sh "$work/split$version" >"$work/log" 2>&1; then
			cat "$work/log"
			return 1
		fi
		"$program" static --vmlinux "$work/whole$version/tree/vmlinux" --by file --format csv >"$work/want.csv" &&
			"$program" static --vmlinux "$work/split$version/tree/vmlinux" --by file --format csv >"$work/got.csv" &&
			diff "$work/want.csv" "$work/got.csv" || return
		find "$work/split$version" -name '*.dwo' -delete
		XDG_CACHE_HOME=$work/cold exits 0 "$program" static --vmlinux "$work/split$version/tree/vmlinux" --by file --format csv &&
			grep -q 'vmlinux: [0-9]* compilation units are corrupt or missing' "$work/stderr" &&
			python3 "$here/stock.py" total "$work/stdout" "$work/split$version/tree/vmlinux" || return
	done
}

# A module that is in two files counts once: a kernel can load one of them. depmod searches updates/ first.
twice() {
	local dir=$work/twice/usr/lib/debug/lib/modules/6.1.0-1-test

	package "$work/twice" fedora
	exits 0 "$program" static --kernel-package "$work/twice" --by module --format csv && cp "$work/stdout" "$work/want.csv" &&
		[ ! -s "$work/stderr" ] && mkdir "$dir/updates" && cp "$dir/kernel/drivers/mod/mod-a.ko" "$dir/updates/mod_a.ko" &&
		exits 0 "$program" static --kernel-package "$work/twice" --by module --format csv && diff "$work/want.csv" "$work/stdout" &&
		grep -q "twice: 1 file is left out, because another file has the same module ($dir/kernel/drivers/mod/mod-a.ko, also in $dir/updates/mod_a.ko)" "$work/stderr"
}

# A package of modules beside that of their debugging information: the stripped twin, which is the first by path and
# in updates/, takes away nothing, and is no gap.
stripped_twin() {
	local debug=$work/both/usr/lib/debug/lib/modules/6.1.0-1-test stripped=$work/both/lib/modules/6.1.0-1-test/updates

	package "$work/both" fedora
	mkdir -p "$stripped"
	strip -g -o "$stripped/mod-a.ko" "$debug/kernel/drivers/mod/mod-a.ko"
	exits 0 "$program" static --vmlinux "$vmlinux" --modules "$work/both" --by module --format csv || return
	cat "$work/stderr"
	python3 "$here/stock.py" total "$work/stdout" "$vmlinux" "$tree/drivers/mod/mod.o" &&
		[ "$(cat "$work/stderr")" = "kmem-account: $vmlinux: 1 file is left out, because another file has the same module ($stripped/mod-a.ko, also in $debug/kernel/drivers/mod/mod-a.ko)" ]
}

usage() {
	exits 2 "$program" static --vmlinux "$vmlinux" -k "$tree" && says 'vmlinux.*kernel\|kernel.*vmlinux\|-k' &&
		exits 2 "$program" static --vmlinux "$vmlinux" --image && says image &&
		exits 2 "$program" static --modules "$work" && says 'needs --vmlinux' &&
		exits 2 "$program" static --kernel-package "$work" --vmlinux "$vmlinux" && says vmlinux &&
		exits 1 "$program" static --vmlinux "$vmlinux" --by object && says 'use --by file' &&
		exits 1 "$program" diff "$vmlinux" "$vmlinux" --image && says 'needs a built tree'
}

ktap_plan 26
for target in $targets; do
	ktap "$target: sections are those of readelf" truth "$target" sections section
	ktap "$target: files hold what the linker's map says" truth "$target" map file
done
ktap "rows add up to the same" same_total
ktap "what the linker made has names" named_rows
ktap "symbols: same names, common, no size" symbols
ktap "tables, strings and exports belong to the files of their code" tables
ktap "the cache: the same again, and damaged files are made anew" kept
ktap "a file of debugging information alone" debug_only
ktap "packages of Debian and Fedora" packages
ktap "diff of two kernels, against readelf" differ
ktap "pictures and the page" drawn
ktap "files of no use" useless
ktap "compressed debugging information that is corrupt" corrupt
ktap "export of static sizes: their sums and names" exported
ktap "export of static sizes: what is refused" export_refused
ktap "debugging information that is compressed" compressed
ktap "modules of another kernel" other_build
ktap "a module that cannot be read" bad_module
ktap "split debugging information" split
ktap "a module in two files" twice
ktap "a stripped module beside the one with debugging information" stripped_twin
ktap "bad usage" usage
ktap_end
