#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Static sizes of made kernels, for four machines (big-endian and 32-bit among them),
# against readelf, size, nm, ar and the linker's map; comparisons of two trees; what
# cannot be read.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

targets='x86_64 aarch64 arm s390x'
keys='dir file object symbol section module'
declare -A cross=([x86_64]='' [aarch64]=aarch64-linux-gnu- [arm]=arm-linux-gnueabihf-
	[s390x]=s390x-linux-gnu-)

for target in $targets; do
	fixture mkstatic.sh "$work/$target" "$target" >"$work/log" 2>&1 ||
		{ cat "$work/log" >&2; exit 1; }
done
fixture mkstatic.sh "$work/output" x86_64 O
tree=$work/x86_64/tree

# static ARGUMENTS...: of the x86-64 tree
static() { "$program" static -k "$tree" "$@"; }

# truth TREE TARGET WHAT KEY [--image]
truth() {
	"$program" static -k "$1" --by "$4" ${5+"$5"} --format csv >"$work/got.csv" &&
		CROSS=${cross[$2]} python3 "$here/static.py" "$3" "$1" "$work/got.csv"
}

# total COLUMN: print the sum of a column of the csv on stdin. Fields are counted from the end,
# because a name in the first field may contain commas.
total() {
	awk -F, -v column="$1" '
		NR == 1 { for (i = 2; i <= NF; i++) if ($i == column) { from_end = NF - i; found = 1 } }
		NR > 1 { if ($(NF - from_end) !~ /^[0-9]+$/) exit found = 0; sum += $(NF - from_end) }
		END { if (!found) exit 1; printf "%d\n", sum }'
}

# Rows add up to the same whatever they are by, in each column.
same_total() {
	local key

	for key in $keys; do
		static --by "$key" "$@" --format csv >"$work/sum.$key"
	done
	python3 - "$work"/sum.* <<'PY'
import csv, sys
sums = []
for path in sys.argv[1:]:
    rows = list(csv.reader(open(path)))
    sums.append({name: sum(int(row[i]) for row in rows[1:]) for i, name in enumerate(rows[0]) if i})
assert all(s == sums[0] for s in sums), sums
assert all(sums[0][k] for k in ("text", "rodata", "data", "bss", "init", "static")), sums[0]
PY
}

# Names that are in no source file, and what they hold.
named_rows() {
	static --image --by dir --format csv | awk -F, '{ print $1, $8 }' >"$work/rows"
	grep -qx '\[kallsyms\] 320' "$work/rows" && grep -qx '\[init stack\] 512' "$work/rows" &&
		grep -qx '\[early brk\] 100' "$work/rows" && grep -qx '\[.made\] 8' "$work/rows" &&
		grep -q '^\[alignment\] [1-9]' "$work/rows"
}

symbols() {
	static --by symbol --format csv | awk -F, '{ print $1, $8 }' >"$work/rows"
	grep -qx 'twin (init/main.c) 16' "$work/rows" &&
		grep -qx 'twin (fs/sub/file.c) 16' "$work/rows" &&
		grep -qx 'common_large 400' "$work/rows" && grep -qx 'thread_zero 4' "$work/rows" &&
		grep -qx 'label_without_size 4' "$work/rows" &&
		[ "$(grep -cE '^(real|other_name) ' "$work/rows")" -eq 1 ] &&
		grep -q '^\[strings\] ' "$work/rows" && grep -qx '\[padding\] 3' "$work/rows"
}

# What is in neither the kernel nor a module: host program, tool, vDSO, the copied original.
not_counted() {
	static --by object --format csv | cut -d, -f 1 | sort >"$work/rows"
	! grep -E 'host|tool|vdso|copy\.o|both|mod/mod\.o|vmlinux|scripts' "$work/rows" &&
		grep -qx lib/copy.pi.o "$work/rows" && grep -qx drivers/part1.o "$work/rows" &&
		static --by file --format csv | grep '^lib/copy.c,' >/dev/null
}

# Kernels that keep no command of vmlinux.o: the folder decides. KVM's code of arm64 for
# either mode is the kernel's; what ld -r made of it is not counted again.
older() {
	local hyp=arch/x/kvm/hyp name

	cp -r "$tree" "$work/older"
	(
		cd "$work/older"
		rm .vmlinux.o.cmd
		mkdir -p $hyp/nvhe $hyp/vhe arch/x/boot
		for name in $hyp/nvhe/a.nvhe $hyp/vhe/a arch/x/boot/a; do
			cp fs/super.o "$name.o"
			sed "s,fs/super,$name,g" fs/.super.o.cmd >"${name%/*}/.${name##*/}.o.cmd"
		done
		cp fs/super.o $hyp/nvhe/kvm_nvhe.o
		sed 's,drivers/both,x,g' drivers/.both.o.cmd >$hyp/nvhe/.kvm_nvhe.o.cmd
	)
	"$program" static -k "$work/older" --by object --format csv | cut -d, -f 1 | sort >"$work/rows"
	grep -qx $hyp/nvhe/a.nvhe.o "$work/rows" && grep -qx $hyp/vhe/a.o "$work/rows" &&
		grep -qx lib/unused.o "$work/rows" &&
		! grep -E 'boot|vdso|tool|both|kvm_nvhe|copy.pi' "$work/rows"
}

modules() {
	static --by module --format csv >"$work/rows"
	[ "$(grep -c . "$work/rows")" -eq 3 ] && grep -q '^mod,' "$work/rows" &&
		grep -q '^vmlinux,' "$work/rows" && ! static --image --by object --format csv | grep mod_
}

# Sections by function are one row.
families() {
	static --by section --format csv | cut -d, -f 1 >"$work/rows"
	! grep -E 'sub_|twin' "$work/rows" && grep -qx .text "$work/rows" &&
		grep -qx .exit.text "$work/rows" && grep -qx .rodata.str1.1 "$work/rows"
}

branch() {
	local whole

	whole=$(static --by file --format csv | grep '^fs/' | cut -d, -f 8 | paste -sd+ | bc)
	[ "$(static -b fs --by symbol --format csv | total static)" -eq "$whole" ] &&
		[ "$(static -b fs/ --format csv | total static)" -eq "$whole" ] &&
		[ "$(static -b fs/super.c --by object --format csv | sed -n 2p | cut -d, -f 1)" = fs/super.o ]
}

# Of a branch the rows add up to the same, too: alignment is of the folder, not of the file.
branch_totals() {
	local below key want

	for below in init init/main.c 'init/[alignment]' /fs//sub/ lib; do
		want=$(static --image -b "$below" --by dir --format csv | total static)
		[ "$want" -gt 0 ] || { echo "nothing in $below"; return 1; }
		for key in $keys; do
			[ "$(static --image -b "$below" --by "$key" --format csv | total static)" -eq "$want" ] ||
				{ echo "$below by $key is not $want"; return 1; }
		done
	done
}

# A folder whose name is a pattern.
strange_folder() {
	local name="$work/a[b]*?"

	cp -r "$tree" "$name" &&
		exits 0 "$program" static -k "$name" --image --format csv && [ ! -s "$work/stderr" ] &&
		diff <(static --image --format csv) "$work/stdout"
}

# A command as long as it can be, and .cmd files that name each other.
strange_commands() {
	local i

	broken cmd && python3 - "$bad/fs/.super.o.cmd" <<'PY'
import sys
text = open(sys.argv[1]).read()
command, rest = text.split("\n", 1)
# the name of the source is cut by each size that may be looked at first
for size in (8192, 32768):
    pad = size - len(command) - len("\n\nsource_fs/super.o := fs/sup")
    open(sys.argv[1] + ".%d" % size, "w").write(command + " " * pad + "\n" + rest)
PY
	for i in 8192 32768; do
		mv "$bad/fs/.super.o.cmd.$i" "$bad/fs/.super.o.cmd"
		diff <(static --by file) <("$program" static -k "$bad" --by file) || return 1
	done
	broken cyclic && for i in $(seq 200); do printf ' drivers/both.o drivers/other.o'; done >"$work/many" &&
		echo "cmd_drivers/both.o := ld -r $(cat "$work/many") drivers/part1.o drivers/part2.o" >"$bad/drivers/.both.o.cmd" &&
		echo "cmd_drivers/other.o := ld -r $(cat "$work/many")" >"$bad/drivers/.other.o.cmd" &&
		timeout 120 "$program" static -k "$bad" --by file >"$work/stdout" && diff <(static --by file) "$work/stdout"
}

# Formats say the same; rows by the key that was asked for.
# Files of a subsystem add up to it; the rest is nobody's.
subsystems() {
	printf 'FIRST\nF:\tfs/\n\nSECOND\nF:\tlib/\n' >"$work/owners"
	static --by file --format csv | awk -F, 'NR > 1 {
		sub("/.*", "", $1)
		sum[$1 == "fs" ? "FIRST" : $1 == "lib" ? "SECOND" : "[no maintainer]"] += $(NF) }
		END { for (i in sum) print i "," sum[i] }' | sort >"$work/want"
	static --by subsystem --maintainers "$work/owners" --format csv |
		awk -F, 'NR > 1 { print $1 "," $(NF) }' | sort | diff "$work/want" - &&
		[ "$(wc -l <"$work/want")" -eq 3 ] &&
		exits 1 static --by subsystem --maintainers "$work/none" && says 'cannot open'
}

formats() {
	static --by file --format json >"$work/a.json" && static --by file --format csv >"$work/a.csv" &&
		static --by file --bytes -o text --columns text,static >"$work/a.txt" &&
		python3 - "$work"/a.{json,csv,txt} <<'PY'
import csv, json, sys
report = json.load(open(sys.argv[1]))
rows = list(csv.DictReader(open(sys.argv[2])))
assert [{k: str(v) for k, v in row.items()} for row in report["rows"]] == rows, report
assert report["total"]["static"] == sum(int(row["static"]) for row in rows)
lines = [line.split() for line in open(sys.argv[3])]
assert lines[0] == ["text", "static", "share", "file"], lines[0]
text = [int(line[0]) for line in lines[1:-1]]
assert text == sorted(text, reverse=True) and len(text) == len(rows)
PY
}

top() {
	[ "$(static --by symbol --top 3 --format csv | total static)" -eq \
		"$(static --by symbol --format csv | total static)" ] &&
		[ "$(static --by symbol --top 3 --format csv | grep -c .)" -eq 5 ]
}

# A log and a tree: sizes are those of static, and the footprint is the sum of both.
footprint() {
	local key

	nm -n "$tree/vmlinux" >"$work/symbols"
	spans "$work/symbols" | awk '$1 ~ /^(super_a|super_b|start|used)$/ {
		printf "%d %d %d 3 0 %s+0x1/0x%x\n", NR * 100 + 4, 4, NR * 100, $1, $3 }' >"$work/rows"
	account_of "$work/rows" >"$work/account"
	static --by file --format csv >"$work/static.csv"
	for key in file dir module; do
		"$program" report "$work/account" -k "$tree" --by "$key" --columns current,text \
			--format csv >"$work/both.$key" || return
		"$program" report -k "$tree" --by "$key" --format csv >"$work/alone.$key" || return
	done
	python3 - "$work/static.csv" "$work/account" "$work"/{both,alone}.{file,dir,module} <<'PY'
import csv, sys
kinds = ("text", "rodata", "data", "bss", "init", "other", "static")
static = {row["file"]: row for row in csv.DictReader(open(sys.argv[1]))}
live = int(open(sys.argv[2]).readline().split()[-1])
total = {kind: sum(int(row[kind]) for row in static.values()) for kind in kinds}
for path in sys.argv[3:]:
    rows = list(csv.DictReader(open(path)))
    assert {kind: sum(int(row[kind]) for row in rows) for kind in kinds} == total, path
    if "both" in path:
        assert sum(int(row["current_dynamic"]) for row in rows) == live > 0, path
        for row in rows:
            assert int(row["current"]) == int(row["static"]) + int(row["current_dynamic"]), row
    else:
        assert "current" not in rows[0] and "allocs" not in rows[0], rows[0]
    if path.endswith("file"):
        for row in rows:
            assert all(row[kind] == static[row["file"]][kind] for kind in kinds), row
    if path.endswith("module"):
        assert {row["module"] for row in rows} == {"vmlinux", "mod"}, rows
assert next(r for r in csv.DictReader(open(sys.argv[3])) if r["file"] == "fs/super.c")["current_dynamic"] != "0"
PY
}

footprint_usage() {
	exits 2 "$program" report "$data/small.account" -a text && says 'needs -k DIR' &&
		exits 2 "$program" report -k "$tree" -a waste && says 'only static attributes are available' &&
		exits 2 "$program" report -a static && says 'needs -k DIR' &&
		exits 1 "$program" report -k "$tree" -b fs/suber.c && says "nearest is 'fs/super.c'"
}

# another: the same kernel, built again with a function that grew, one gone and one new
another() {
	cp -r "$work/x86_64" "$work/another"
	(
		cd "$work/another/tree"
		printf '%s\n' 'int copied(void) { return 7; } int brand_new(int x) { return x * x + 11; }' >lib/copy.c
		printf '%s\n' 'int zero[1000]; int super_a(int x) { return zero[x] * zero[x + 1] - 7; }' >fs/super.c
		for object in lib/copy fs/super; do
			gcc -O1 -g0 -ffreestanding -fno-asynchronous-unwind-tables -fcommon -fno-pic \
				-fno-pie -fcf-protection=none -mcmodel=kernel -c -o "$object.o" "$object.c"
		done
		objcopy lib/copy.o lib/copy.pi.o
		ld -T arch/x/kernel/vmlinux.lds -Map=vmlinux.map -o vmlinux --whole-archive vmlinux.a \
			--no-whole-archive --start-group lib/lib.a --end-group 2>/dev/null
	)
}

# Functions of both by nm: each row's sizes, and the sum of the changes.
bloat() {
	"$program" diff "$tree" "$work/another/tree" --image --by symbol -a text --format csv \
		>"$work/diff.csv" && python3 - "$work/diff.csv" "$tree" "$work/another/tree" <<'PY'
import csv, subprocess, sys
def functions(tree):
    out = subprocess.run(["nm", "-S", tree + "/vmlinux"], stdout=subprocess.PIPE, text=True).stdout
    return {w[3]: int(w[1], 16) for w in map(str.split, out.splitlines())
            if len(w) == 4 and w[2] in "tT" and w[3] not in ("real", "other_name", "twin", "start", "over")}
rows = {row["symbol"]: row for row in csv.DictReader(open(sys.argv[1]))}
before, after = functions(sys.argv[2]), functions(sys.argv[3])
seen = 0
for name in set(before) | set(after):
    a, b = before.get(name, 0), after.get(name, 0)
    if a == b:
        assert name not in rows, rows[name]
        continue
    seen += 1
    row = rows[name]
    assert (int(row["before"]), int(row["after"])) == (a, b), (row, a, b)
    assert row["state"] == ("new" if not a else "gone" if not b else "changed"), row
assert seen >= 4, seen
PY
}

diff_dirs() {
	"$program" diff "$tree" "$work/another/tree" --image --bytes --by dir --format csv >"$work/diff.csv" &&
		python3 - "$work/diff.csv" "$tree" "$work/another/tree" <<'PY'
import csv, subprocess, sys
rows = list(csv.DictReader(open(sys.argv[1])))
size = [int(subprocess.run(["size", "-A", tree + "/vmlinux"], stdout=subprocess.PIPE, text=True)
            .stdout.split()[-1]) for tree in sys.argv[2:]]
assert sum(int(row["delta"]) for row in rows) == size[1] - size[0], (rows, size)
assert [sum(int(row[k]) for row in rows) for k in ("before", "after")] == size
assert {row["dir"] for row in rows} >= {"fs", "lib", "[unchanged]"}, rows
PY
}

# exits STATUS COMMAND...
exits() {
	local status=$1 got=0
	shift

	"$@" >"$work/stdout" 2>"$work/stderr" || got=$?
	[ "$got" -eq "$status" ] || { echo "exit status $got, not $status"; cat "$work/stderr"; return 1; }
}

# says PATTERN: one line on stderr, and this one
says() {
	if [ "$(grep -c . "$work/stderr")" -ne 1 ] || ! grep -q -e "$1" "$work/stderr"; then
		cat "$work/stderr"
		return 1
	fi
}

# One side without its MAINTAINERS is an error, whichever side that is; it is not a branch that is gone.
side_without_owners() {
	local args=(--by subsystem -b fs --fail-above 1K) without="$work/unowned"

	rm -rf "$work/owned" "$without"
	cp -r "$tree" "$work/owned"
	cp -r "$tree" "$without"
	cp "$work/owners" "$work/owned/MAINTAINERS"
	exits 0 "$program" diff "$work/owned" "$work/owned" "${args[@]}" &&
		exits 1 "$program" diff "$work/owned" "$without" "${args[@]}" &&
		says "unowned/source/MAINTAINERS: cannot open" && [ ! -s "$work/stdout" ] &&
		exits 1 "$program" diff "$without" "$work/owned" "${args[@]}" &&
		says "unowned/source/MAINTAINERS: cannot open" && [ ! -s "$work/stdout" ]
}

fail_above() {
	exits 3 "$program" diff "$work/another/tree" "$tree" --fail-above 0 && says 'more than before' &&
		exits 0 "$program" diff "$work/another/tree" "$tree" --fail-above 1M
}

diff_usage() {
	exits 2 "$program" diff "$tree" && says 'two built trees' &&
		exits 2 "$program" diff "$tree" "$work/another/tree" -k "$tree" && says '-k cannot be used with built trees' &&
		exits 2 "$program" diff "$data/small.account" "$data/small.account" --image &&
		says 'two built trees' &&
		exits 1 "$program" diff "$tree" "$data/small.account" && says 'not a directory' &&
		exits 1 "$program" diff "$tree" "$tree" -b fss && says "the nearest is 'fs'"
}

# broken NAME: a copy of the tree in $bad
broken() {
	bad=$work/bad.$1
	cp -r "$tree" "$bad"
}

unreadable() {
	local want

	broken unreadable
	rm "$bad/fs/super.o"
	truncate -s 200 "$bad/lib/asm.o"
	echo nonsense >"$bad/lib/used.o"
	want=$(static --by object --format csv | grep -vE '^(fs/super|lib/asm|lib/used)' | total static)
	exits 0 "$program" static -k "$bad" --format csv &&
		says ': cannot read 3 objects; .* the first: fs/super\.o: cannot open: ' &&
		[ "$(total static <"$work/stdout")" -eq "$want" ]
}

not_built() {
	mkdir -p "$work/empty"
	exits 1 "$program" static -k "$work/empty" && says 'not a built kernel tree' &&
		exits 1 "$program" static -k "$work/nowhere" && says 'cannot open' &&
		exits 1 "$program" static -k "$tree/vmlinux" && says 'not a directory'
}

# The objects are shown all the same.
image_of() {
	exits 1 "$program" static -k "$bad" --image --format csv && says "$1.*showing the objects" &&
		[ "$(total static <"$work/stdout")" -eq "$(static --format csv | total static)" ]
}

no_image() {
	broken cut && truncate -s 3000 "$bad/vmlinux" && image_of 'vmlinux: truncated' &&
		rm "$bad/vmlinux" && image_of 'vmlinux: cannot open' &&
		cp "$bad/vmlinux.o" "$bad/vmlinux" && image_of 'not a linked kernel' &&
		: >"$bad/vmlinux" && image_of 'not an ELF'
}

# Every cut of the kernel: no crash, one line.
cuts() {
	local size

	broken cuts
	for size in $(seq 0 1997 "$(stat -c %s "$tree/vmlinux")"); do
		head -c "$size" "$tree/vmlinux" >"$bad/vmlinux"
		head -c "$((size / 3))" "$tree/fs/super.o" >"$bad/fs/super.o"
		"$program" static -k "$bad" --image >/dev/null 2>"$work/stderr" || [ $? -eq 1 ] ||
			{ echo "at $size"; return 1; }
		[ -s "$work/stderr" ] || { echo "silent at $size"; return 1; }
	done
	cp "$tree/vmlinux" "$bad/" && cp "$tree/fs/super.o" "$bad/fs/"
	for size in $(seq 0 97 "$(stat -c %s "$tree/vmlinux.map")"); do
		head -c "$size" "$tree/vmlinux.map" >"$bad/vmlinux.map"
		if ! exits 1 "$program" static -k "$bad" --image || ! says 'showing the objects'; then
			echo "map at $size"
			return 1
		fi
	done
}

# Sums hold with an image that is of another build.
other_image() {
	broken other
	cp "$work/another/tree/fs/super.o" "$bad/fs/"
	echo 'static int big[5000] = { 1 }; int used(void) { return big[1]++; }' | gcc -fno-pic -x c -c -o "$bad/lib/used.o" -
	exits 0 "$program" static -k "$bad" --image --format csv && says 'another size than when vmlinux was linked' &&
		[ "$(total static <"$work/stdout")" -eq "$(static --image --format csv | total static)" ]
}

# Without a map, or with one that does not name the objects, and without debugging information, too.
no_map() {
	broken map
	rm "$bad/vmlinux.map" && image_of 'vmlinux.map: cannot open' &&
		sed '/^\.text /s/0x[0-9a-f]* load/0x7 load/' "$tree/vmlinux.map" >"$bad/vmlinux.map" && image_of 'of another build' &&
		echo nonsense >"$bad/vmlinux.map" && image_of 'names no object of this tree' &&
		(cd "$bad" && ld -T arch/x/kernel/vmlinux.lds -Map=vmlinux.map -o vmlinux vmlinux.o 2>/dev/null) &&
		image_of 'names no object of this tree.*CONFIG_X86_KERNEL_IBT' &&
		exits 1 "$program" static -k "$bad" --image --by object && says 'showing the objects'
}

# Debugging information in place of the map: sections are those of size -A, functions those of nm.
no_map_but_debug() {
	DEBUG=-g fixture mkstatic.sh "$work/debug" x86_64 >"$work/log" 2>&1 || { cat "$work/log"; return 1; }
	rm "$work/debug/tree/vmlinux.map"
	exits 0 "$program" static -k "$work/debug/tree" --image && says 'by its debugging information' &&
		truth "$work/debug/tree" x86_64 sections section --image &&
		truth "$work/debug/tree" x86_64 symbols symbol --image
}

# The map of LLVM's linker, which does not tell whose merged constants are.
lld_map() {
	local name size
	broken lld
	(
		cd "$bad"
		sed 's/^ \.tdata.*//' arch/x/kernel/vmlinux.lds >lld.lds
		gcc -x c -c -O1 -ffreestanding -fno-pic -mcmodel=kernel -fcf-protection=none -fcommon -fno-asynchronous-unwind-tables \
			-o init/main.o <(grep -v __thread init/main.c)
		ld.lld -T lld.lds -Map=vmlinux.map -o vmlinux --whole-archive vmlinux.a --no-whole-archive \
			--start-group lib/lib.a --end-group
	) || return 1
	exits 0 "$program" static -k "$bad" --image --by object --format csv && [ ! -s "$work/stderr" ] &&
		[ "$(total static <"$work/stdout")" -eq "$(size_a "$bad/vmlinux")" ] &&
		grep -q '^\[merged constants\],0,[1-9]' "$work/stdout" || return 1
	# the code of each object, by the map
	while read -r name size; do
		echo "$name $size"
		[ "$(awk -F, -v name="$name" '$1 ~ "(^|/)" name "$" { print $2 }' "$work/stdout")" -eq "$size" ] || return 1
	done < <(awk '$5 ~ /:\(\.text/ { sub(/:.*/, "", $5); sub(/.*\(/, "", $5); sub(/\)/, "", $5)
		print $5, $3 }' "$bad/vmlinux.map" | python3 -c '
import collections, sys
sums = collections.Counter()
for line in sys.stdin:
    name, size = line.split()
    sums[name] += int(size, 16)
for name, size in sums.items():
    if size and "both" not in name:
        print(name, size)')
}

# size_a FILE: bytes of all sections that take memory
size_a() { size -A "$1" | awk '$3 && !/debug|comment/ { s += $2 } END { print s }'; }

# Bitcode, and gcc's objects for the same.
lto() {
	broken lto
	echo 'int used(void) { return 1; }' >"$work/lto.c"
	clang -flto -c -o "$bad/lib/used.o" "$work/lto.c"
	gcc -flto -c -o "$bad/fs/super.o" "$work/lto.c"
	exits 0 "$program" static -k "$bad" --format csv &&
		says ' 2 of [0-9]* objects are for link-time' &&
		exits 1 "$program" static -k "$bad" --image --format csv &&
		grep -q 'names no object.*link-time.*showing the objects' "$work/stderr"
}

# lto_link COMPILER: the tree's C files optimised as a whole, with debugging information
lto_link() {
	local object flags
	broken "lto.$1"
	flags=(-flto -g -O1 -ffreestanding -fno-stack-protector -fno-asynchronous-unwind-tables -fno-unwind-tables
		-fcommon -fno-pic -fno-pie -mcmodel=kernel -fcf-protection=none -ffunction-sections -fdata-sections)
	cd "$bad"
	for object in init/main fs/sub/file fs/super lib/used; do
		"$1" "${flags[@]}" -c -o $object.o $object.c || return 1
	done
	case $1 in
	gcc) gcc -flto -O1 -g -nostdlib -r -flinker-output=nolto-rel -fno-pie -mcmodel=kernel -o vmlinux.o \
		-Wl,--whole-archive vmlinux.a -Wl,--no-whole-archive -Wl,--start-group lib/lib.a -Wl,--end-group ;;
	*) ld.lld -r -o vmlinux.o --whole-archive vmlinux.a --no-whole-archive --start-group lib/lib.a --end-group ;;
	esac
	ld -T arch/x/kernel/vmlinux.lds -o vmlinux vmlinux.o 2>/dev/null
	cd "$work"
}

# What nm says of symbols of these files: of functions by addr2line, of variables by hand.
lto_truth() {
	local addr size kind name file
	nm -S --defined-only "$bad/vmlinux" | awk 'NF == 4 && !seen[$1]++' | while read -r addr size kind name; do
		case $kind.$name in
		[tT].*) file=$(addr2line -e "$bad/vmlinux" "$addr") file=${file#"$bad/"} file=${file%%:*}
			# gcc's own unit has the line and not its file
			[ "$kind.$name.$file" != 't.twin.lto_priv.0.<artificial>' ] || file=fs/sub/file.c ;;
		*.zero | *.odd | *.aligned) file=fs/super.c ;;
		*.orphan) file=fs/sub/file.c ;;
		*.common_* | *.table | *.names | *.initialised) file=init/main.c ;;
		*) continue ;;
		esac
		[ "${file%.c}" = "$file" ] || echo "$file $((16#$size))"
	done | awk '{ s[$1] += $2 } END { for (f in s) print f "," s[f] }' | sort
}

# A file has at least what nm says of its symbols, and all rows add up. (Mainline links no kernel by
# gcc's plugin; it puts code into units without a file.)
lto_files() {
	lto_link "$1" || return 1
	exits 0 "$program" static -k "$bad" --image --by file --format csv && says 'by its debugging information' &&
		[ "$(total static <"$work/stdout")" -eq "$(size_a "$bad/vmlinux")" ] || return 1
	[ "$1" != gcc ] || return 0
	lto_truth >"$work/want"
	[ "$(wc -l <"$work/want")" -eq 4 ] && awk -F, 'NR == FNR { want[$1] = $2; next }
		$1 in want { print $1, $8, want[$1]; if ($8 < want[$1]) exit 1; seen++ }
		END { exit seen != 4 }' "$work/want" "$work/stdout" || return 1
	"$program" static -k "$bad" --image --by symbol --format csv 2>/dev/null | grep '^super_b' >/dev/null || return 1
	strip -g "$bad/vmlinux"
	exits 1 "$program" static -k "$bad" --image --by file --format csv && grep -q 'showing the objects' "$work/stderr"
}

# A unit that is corrupt: it and those after it are not read, which is said; the sum is the same.
lto_corrupt() {
	local files units section at
	lto_link clang || return 1
	exits 0 "$program" static -k "$bad" --image --by file --format csv || return 1
	files=$(awk -F, '/^(init|fs|lib)\// && $8' "$work/stdout" | wc -l)
	[ "$files" -ge 4 ] && says 'by its debugging information' || return 1
	mapfile -t units < <(readelf --debug-dump=info "$bad/vmlinux" | sed -n 's/.*Unit @ offset 0x\([0-9a-f]*\):$/\1/p;
		s/.*Unit @ offset \(0\):$/\1/p')
	section=$(readelf -SW "$bad/vmlinux" | sed -n 's/.* \.debug_info *PROGBITS *[0-9a-f]* \([0-9a-f]*\) .*/\1/p')
	echo "$section: ${units[*]}"
	[ ${#units[@]} -ge 4 ] || return 1
	# the version of the second unit
	at=$((16#$section + 16#${units[1]} + 4))
	printf '\377\377' | dd of="$bad/vmlinux" bs=1 seek=$at conv=notrunc status=none
	exits 0 "$program" static -k "$bad" --image --by file --format csv &&
		grep -q ' compilation unit.* corrupt or missing' "$work/stderr" &&
		[ "$(awk -F, '/^(init|fs|lib)\// && $8' "$work/stdout" | wc -l)" -lt "$files" ] &&
		[ "$(total static <"$work/stdout")" -eq "$(size_a "$bad/vmlinux")" ]
}

usage() {
	exits 2 static --by caller && says 'expected dir, file, subsystem, object' &&
		exits 2 static --by file --depth 2 && says 'needs --by dir' &&
		exits 2 static --format xml && says "invalid --format 'xml'" &&
		exits 2 static more && says 'too many arguments' &&
		exits 1 static -a waste && says "no attribute 'waste' in this input" &&
		exits 1 static -b fs/suber.c && says "nearest is 'fs/super.c'"
}

current_folder() { [ "$(cd "$tree" && "$program" static)" = "$(static)" ]; }

# The same sources, named by absolute paths.
output_folder() {
	diff <(static --by file) <("$program" static -k "$work/output/tree" --by file)
}

another
ktap_plan $((5 * 4 + 35))
for target in $targets; do
	ktap "$target: sections are those of size -A" truth "$work/$target/tree" "$target" sections section --image
	ktap "$target: objects are those of the linker's map" truth "$work/$target/tree" "$target" objects object --image
	ktap "$target: padding is in the directories of the linker's map" truth "$work/$target/tree" "$target" padding file --image
	ktap "$target: objects hold what readelf says" truth "$work/$target/tree" "$target" whole object
	ktap "$target: functions are those of nm" truth "$work/$target/tree" "$target" symbols symbol --image
done
ktap "rows add up to the same" same_total
ktap "rows add up to the same, linked" same_total --image
ktap "what the linker made has names" named_rows
ktap "symbols: same names, aliases, common, no size" symbols
ktap "what is not of the kernel is not counted" not_counted
ktap "an older kernel" older
ktap "modules" modules
ktap "sections of one symbol are one row" families
ktap "a branch" branch
ktap "a branch: rows add up to the same" branch_totals
ktap "a folder whose name is a pattern" strange_folder
ktap "commands that are long, or name themselves" strange_commands
ktap "by subsystem" subsystems
ktap "formats" formats
ktap "--top" top
ktap "report: static sizes beside live bytes, and alone" footprint
ktap "report: no tree, no account" footprint_usage
ktap "diff by symbol, against nm" bloat
ktap "diff by directory, against size -A" diff_dirs
ktap "diff --fail-above" fail_above
ktap "diff by subsystem: one side without MAINTAINERS" side_without_owners
ktap "diff: bad usage" diff_usage
ktap "objects that cannot be read" unreadable
ktap "trees that are not built" not_built
ktap "no vmlinux, or none of use" no_image
ktap "files cut short" cuts
ktap "a vmlinux of another build" other_image
ktap "no map, or none of use" no_map
ktap "debugging information in place of the map" no_map_but_debug
ktap "the map of LLVM's linker" lld_map
ktap "link-time optimisation" lto
ktap "link-time optimisation by clang: files from debugging information" lto_files clang
ktap "link-time optimisation by gcc: files from debugging information" lto_files gcc
ktap "link-time optimisation: a corrupt unit" lto_corrupt
ktap "bad usage, the current folder, O=" eval 'usage && current_folder && output_folder'
ktap_end
