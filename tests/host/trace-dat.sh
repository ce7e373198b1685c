#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Recordings of trace-cmd: every number of every row agrees with an independent
# script's account of what trace-cmd report prints of the same file, and with the
# account of that text; in each version, packed and through a pipe. What is damaged
# ends with one sentence and exit 1, also when the library crashes.
# shellcheck disable=SC2015,SC2094 # what fails shows its output; want and got differ
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

samples=$data/trace-dat
columns=caller,current_dynamic,requested,waste,allocs,frees,total_dynamic,peak,objects,remote_frees,wrong_frees,kind
cd "$work"

# text FILE: what trace-cmd prints of it
text() {
	trace-cmd report -i "$1" 2>/dev/null
}

# compare FILE [--functions]
compare() {
	text "$1" >log
	{ echo "$columns"; "$here/log-account.py" log; } >want
	"$program" report "$1" --format csv >got 2>stderr || { cat stderr; return 1; }
	"$here/trace-dat.py" ${2:+"$2"} want got || return 1
	"$program" report log --format csv >got-text 2>stderr || { cat stderr; return 1; }
	"$here/trace-dat.py" ${2:+"$2"} got-text got
}

# options FILE OPTION...: what trace-cmd report prints with each of them gives the same report as without
options() {
	local option file=$1

	shift
	text "$file" >log
	"$program" report log --format csv >want 2>said
	for option; do
		# shellcheck disable=SC2086 # several words
		trace-cmd report $option -i "$file" >log 2>/dev/null
		"$program" report log --format csv 2>stderr | cmp - want && cmp said stderr || {
			echo "$option"
			cat stderr
			return 1
		}
	done
}

# rewrite FILE VERSION COMPRESSION: the same in another form, and its account
rewrite() {
	trace-cmd convert -i "$samples/$1" -o form.dat --file-version "$2" ${3:+--compression "$3"} >/dev/null 2>&1
	"$program" report "$samples/$1" --format csv >want 2>/dev/null
	"$program" report form.dat --format csv 2>/dev/null | cmp - want || return 1
	file form.dat >/dev/null && [ "$(head -c 11 form.dat | tail -c 1)" = "$2" ]
}

through() {
	"$program" report "$samples/kmem-6.1.dat" --format csv >want
	$1 <"$samples/kmem-6.1.dat" | "$program" report - --format csv | cmp - want
}

# What the kernel itself prints (%pS) of the callers that a recording has, too.
sizes() {
	local of both

	for of in account account-stack; do
		sed -n '/caller$/,$s/.* \([^ ]*+0x[^ ]*\)$/\1/p' "$data/readers/$of-6.1"
	done | sort -u >kernel
	"$program" report "$samples/kmem-6.1.dat" --format csv | cut -d, -f1 | grep + | sort -u >ours
	cut -d/ -f1 kernel | sort >a
	cut -d/ -f1 ours | sort >b
	both=$(comm -12 a b | wc -l)
	[ "$both" -ge 20 ] || { echo "only $both callers in both"; return 1; }
	[ "$(comm -12 kernel ours | wc -l)" -eq "$both" ] || { comm -3 kernel ours; return 1; }
}

# The kernel says how many events it dropped; so does trace-cmd.
lost() {
	local dropped unsaid

	text "$samples/lost-6.12.dat" >log
	dropped=$(sed -n 's/^CPU:[0-9]* \[\([0-9]*\) EVENTS DROPPED\]$/\1/p' log | awk '{ n += $1 } END { print n + 0 }')
	unsaid=$(grep -c '^CPU:[0-9]* \[EVENTS DROPPED\]$' log || true)
	"$program" report "$samples/lost-6.12.dat" --format json >json 2>stderr
	[ "$dropped" -gt 0 ] || { echo "none is lost"; return 1; }
	grep -q "\"events_not_recorded\": $dropped\b" json || { cat stderr; return 1; }
	[ "$unsaid" -eq 0 ] || grep -q ": $unsaid times\? events were lost" stderr
}

# A tracepoint that is on in two buffers is booked once: from the first of them.
doubled() {
	text "$samples/both-6.1.dat" >log
	sed -n 's/^one: *//p' log >instance
	grep -v '^one:' log >top
	{ echo "$columns"; "$here/log-account.py" top; } >want
	"$program" report "$samples/both-6.1.dat" --format csv >got 2>stderr
	"$here/trace-dat.py" want got || return 1
	grep -q ": $(grep -c ': k' instance) events are in another buffer of the file, too" stderr || { cat stderr; return 1; }
}

# refused FILE PATTERN [COMMAND...]: exit 1, one line, no output
refused() {
	local got=0 file=$1 pattern=$2
	shift 2

	"$@" "$program" report "$file" >stdout 2>stderr || got=$?
	[ "$got" -eq 1 ] && [ ! -s stdout ] && [ "$(wc -l <stderr)" -eq 1 ] &&
		grep -qE "^kmem-account: [^ ]*$file: $pattern" stderr || { echo "exit $got"; cat stderr; return 1; }
}

# A library that crashes, after 1000 records.
crash() {
	cat >crash.c <<'EOF'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
void *tracecmd_read_data(void *handle, int cpu)
{
	static void *(*real)(void *handle, int cpu);
	static int nr;

	if (!real)
		real = dlsym(RTLD_NEXT, "tracecmd_read_data");
	if (++nr == 3000)
		raise(SIGSEGV);
	return real(handle, cpu);
}
EOF
	gcc -shared -fPIC -o crash.so crash.c -ldl || return 1
	cp "$samples/kmem-6.1.dat" crash.dat
	refused crash.dat "corrupt: libtracecmd cannot read it .after [0-9]+ events" env LD_PRELOAD="$work/crash.so"
}

# Each is changed in some bytes, or cut: it is read, or refused by one line.
mutants() {
	python3 - "$program" "$1" "$2" <<'EOF'
import random, subprocess, sys
program, path, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
source = open(path, "rb").read()
random.seed(path)
refused = 0
for i in range(count):
    mutant = bytearray(source)
    for _ in range(random.choice([1, 5, 20, 100])):
        # the beginning of a file is what most depends on
        mutant[random.randrange(len(mutant) if i % 2 else 4096)] = random.randrange(256)
    if i % 8 == 0:
        del mutant[random.randrange(len(mutant)):]
    open("mutant.dat", "wb").write(mutant)
    run = subprocess.run([program, "report", "mutant.dat"], capture_output=True, timeout=600)
    lines = run.stderr.splitlines()
    if run.returncode == 1 and not run.stdout and len(lines) == 1:
        refused += 1
    elif run.returncode or not run.stdout:
        sys.exit(f"mutant {i}: exit {run.returncode}: {run.stderr}")
print(f"{refused} of {count} refused")
sys.exit(refused < count / 10)
EOF
}

trace-cmd convert -i "$samples/kmem-6.1.dat" -o v6.dat --file-version 6 >/dev/null 2>&1
trace-cmd convert -i "$samples/kmem-6.1.dat" -o none.dat --file-version 7 --compression none >/dev/null 2>&1
python3 - <<'EOF'
data = open("none.dat", "rb").read()
at = data.index(b"none\0")
open("zlib.dat", "wb").write(data[:at] + b"zlib\0001.2.13\0" + data[at + 6:])
open("v8.dat", "wb").write(data[:10] + b"8" + data[11:])
open("magic.dat", "wb").write(data[:10])
open("cut.dat", "wb").write(data[:len(data) // 2])
open("cut-end.dat", "wb").write(data[:-5000])
data = open("v6.dat", "rb").read()
for name in b"kmalloc", b"kfree", b"kmem_cache_alloc", b"kmem_cache_free":
    data = data.replace(b"name: " + name + b"\n", b"name: " + name[:-1] + b"_\n")
open("other.dat", "wb").write(data)
EOF

# The file has the size of a page in its header; another one makes the rows of pages larger, and no other row.
page_size() {
	"$program" report "$samples/pages-6.1.dat" --format csv >small 2>said &&
		grep "each page counts as 4.0 KiB (the header of the file)$" said &&
		"$program" report "$samples/pages-6.1.dat" --format csv --page-size 64K >large 2>said &&
		grep "each page counts as 64.0 KiB (--page-size)$" said || { cat said; return 1; }
	python3 - <<-'EOF'
		import csv

		small, large = [{(row["caller"], row["kind"]): row for row in csv.DictReader(open(name))}
		                for name in ("small", "large")]
		assert small.keys() == large.keys() and any(kind == "page" for _, kind in small)
		for key, row in small.items():
		    for column in ("current_dynamic", "requested", "total_dynamic", "allocs", "frees"):
		        times = 16 if key[1] == "page" and column[-1] not in "s" else 1
		        assert int(large[key][column]) == times * int(row[column]), (key, column)
	EOF
}

ktap_plan $((7 + 1 + 2 + 3 + 3 + 1 + 5 + 1 + 1 + 3 + 3))
for kernel in 5.10 6.1 6.12 7.2; do
	ktap "kmem events of $kernel" compare "$samples/kmem-$kernel.dat"
done
ktap "an instance" compare "$samples/instance-6.1.dat"
ktap "lost events" compare "$samples/lost-6.12.dat"
ktap "pages, by their stacks" compare "$samples/pages-6.1.dat" --functions
ktap "the size of a page" page_size
ktap "lost events are counted" lost
ktap "two buffers have the same events" doubled
ktap "version 6" rewrite kmem-6.12.dat 6 ''
ktap "version 6, an instance" rewrite instance-6.1.dat 6 ''
ktap "version 7, not compressed" rewrite pages-6.1.dat 7 none
ktap "through a pipe" through cat
ktap "packed by gzip" through "gzip -c"
ktap "packed by xz" through "xz -1 -c"
ktap "sizes of functions are the kernel's" sizes
forms=(-l --ts-diff -t -N -w --align-ts --raw-ts '-l --ts-diff')
ktap "the options of trace-cmd report" options "$samples/kmem-6.1.dat" -R "${forms[@]}"
ktap "the same with stacks" options "$samples/pages-6.1.dat" "${forms[@]}"
ktap "the same of an instance" options "$samples/instance-6.1.dat" -R "${forms[@]}"
ktap "version 7 with zlib" refused zlib.dat "compressed with zlib, which this libtracecmd cannot read"
ktap "version 8" refused v8.dat "unsupported trace.dat version 8 .supported: 6, 7."
ktap "only the magic" refused magic.dat "truncated in the header"
ktap "cut in the middle" refused cut.dat "(cannot read: libtracecmd|corrupt)"
ktap "cut near the end" refused cut-end.dat "(cannot read: libtracecmd|corrupt)"
ktap "no kmem events" refused other.dat "no events of allocations or frees in this input, only other events"
ktap "the library crashes" crash
ktap "damaged, version 6" mutants v6.dat "${MUTANTS:-60}"
ktap "damaged, version 7" mutants none.dat "${MUTANTS:-60}"
ktap "damaged, zstd" mutants "$samples/kmem-6.1.dat" "${MUTANTS:-60}"
ktap_end
