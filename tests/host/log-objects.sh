#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kmem-account objects: log-make.py has its own idea of each allocation and each free, and
# of which frees are wrong. All tables agree, also with losses and for an interval.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"

# same OPTION...: of log-make.py; those of an interval are the program's as well
same() {
	"$here/log-make.py" --events 9000 "$@" made.log made.csv facts.json || return 1
	case " $* " in
	*" --from "*)	"$program" objects made.log --format json "${@: -4}" >out.json ;;
	*)		"$program" objects made.log --format json >out.json ;;
	esac 2>stderr || { cat stderr; return 1; }
	python3 - <<-'END'
		import json
		got, want = json.load(open("out.json")), json.load(open("facts.json"))["objects"]
		number = lambda r: [r["objects"], r["requested"], r["allocated"]]
		total = {r["what"]: r["objects"] for r in got["total"]}

		def same(what, a, b):
		    assert a == b, (what, [x for x in a if x not in b][:3], [x for x in b if x not in a][:3])
		    print("#", what, len(a))

		for what in "sizes", "waste":
		    same(what, [[[r["to"]], number(r)] for r in got[what]], want[what])
		    assert all(r["waste"] == r["allocated"] - r["requested"] for r in got[what])
		ends = [1000 * 10 ** i for i in range(10)] + [None]
		same("lifetimes", [[[ends.index(r["to_ns"])], number(r)] for r in got["lifetimes"]], want["lifetimes"])
		for what in "cpus", "nodes":
		    pair = lambda r: [r["allocated_on_" + what[:-1]], r["freed_on_" + what[:-1]]]
		    same(what, [[pair(r), number(r)] for r in got[what]], want[what])
		same("sites", {r["caller"]: [r["allocs"], r["freed"], r["live"], r["mean_ns"], r["max_ns"]]
		               for r in got["sites"]},
		     {k: [s["allocs"], s["freed"], s["live"]] +
		         ([s["life"] // s["freed"], s["longest"]] if s["freed"] else [None] * 2)
		      for k, s in want["sites"].items()})
		where = lambda r, w: [r[w + "_ns"], r[w + "_cpu"], r[w + "_tid"], r[w + "_site"]]
		same("errors", [[r["error"]] + where(r, "alloc") + where(r, "free") + where(r, "again")
		                for r in got["errors"]], want["errors"])
		same("total", [total[x] for x in ("frees of unknown objects", "implied frees", "live at the end",
		                                  "allocations that failed", "of these allocated before")],
		     [want[x] for x in ("unknown", "implied", "live", "failed", "before")])
		lost = json.load(open("facts.json"))["lost"]
		assert total["events not recorded"] == lost, (total, lost)
		said = "kmem-account: made.log: %d events were lost because the buffers were full" % lost
		assert (said in open("stderr").read().splitlines()) == bool(lost), open("stderr").read()
		assert total["double frees"] + total["frees by another function"] == len(got["errors"]) > 20
	END
}

certain() {
	"$here/log-make.py" --events 9000 made.log made.csv && "$program" objects made.log --show errors --format csv >out.csv
	[ "$(tail -n +2 out.csv | cut -d, -f 2 | sort -u)" = yes ] || return 1
	"$here/log-make.py" --events 9000 --lose made.log made.csv && "$program" objects made.log --show errors --format csv >out.csv
	[ "$(grep -c ',no: events lost,' out.csv)" -gt 5 ] && [ "$(grep -c ',yes,' out.csv)" -gt 5 ]
}

# From 6.4 on kfree() frees all. kmem_cache_free() does not, of which there are a few.
legal() {
	local before

	"$here/log-make.py" --events 9000 made.log made.csv && before=$(others) || return
	same --release 6.12.1 || return
	echo "before: $before, now: $(others)"
	[ "$(others)" -gt 0 ] && [ "$(others)" -lt "$before" ]
}

others() { "$program" objects made.log --show errors --format csv | grep -c '^other function'; }

# The table has as many rows as asked for, and what is left as one.
table() {
	local all

	"$program" objects made.log --show sites --top 3 >out.txt || return 1
	cat out.txt
	[ "$(wc -l <out.txt)" = 6 ] && tail -n 1 out.txt | grep 'other ([0-9]* rows)' >/dev/null || return
	# one row that is left is shown, not replaced by "other (1 rows)"
	all=$(("$("$program" objects made.log --show sites --format csv | wc -l)" - 1))
	[ $all -gt 4 ] && "$program" objects made.log --show sites --top $((all - 1)) >out.txt &&
		[ "$(wc -l <out.txt)" = $((all + 2)) ] && ! grep 'other (' out.txt
}

# Of wrong frees as well: those that are not shown are counted.
errors_left() {
	local all

	all=$("$program" objects made.log --show errors --format csv | tail -n +2 | wc -l)
	"$program" objects made.log --show errors --top 3 >out.txt || return 1
	cat out.txt
	[ "$all" -gt 20 ] && [ "$(wc -l <out.txt)" = 6 ] && tail -n 1 out.txt | grep "^other ($((all - 3))) " >/dev/null
}

# refuse CODE SENTENCE ARGUMENTS...
refuse() {
	local code=0 want=$1 sentence=$2

	shift 2
	"$program" objects "$@" >out.txt 2>stderr || code=$?
	[ $code = "$want" ] && [ ! -s out.txt ] && [ "$(wc -l <stderr)" = 1 ] && grep -q -e "$sentence" stderr
}

refused() {
	refuse 1 'not an event log' "$data/small.account" || return 1
	refuse 2 "invalid --show 'all' (expected total, sizes" made.log --show all || return 1
	refuse 2 'csv writes one table' made.log --format csv
}

ktap_plan 11
ktap "all tables" same
ktap "with losses" same --lose
ktap "big-endian, 32 bits" same --order big --bits 32
ktap "a counter of 2.79 GHz" same --counter 2793486123
ktap "a counter of 62.5 MHz, big-endian" same --counter 62500000 --order big
ktap "an interval" same --from 0.0008 --to 0.0018
ktap "errors that are certain" certain
ktap "kfree() of objects of a cache is legal from 6.4 on" legal
ktap "a table" table
ktap "wrong frees that are not shown" errors_left
ktap "refused" refused
ktap_end
