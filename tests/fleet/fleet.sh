#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Exports and metrics, read by the programs that people read them with: go tool pprof, protoc,
# flamegraph.pl, promtool, prometheus, node_exporter, victoria-metrics, and three modules of npm
# (skipped if npm is absent or its registry does not answer). The accounts are files of tests/data and accounts
# made here; the truth is `report`, or the numbers that made the account.
#
#	fleet.sh [DIVISOR]	durations of the alert rules are divided by it (default 60)
#
# With 60, the live alerts take some five minutes, nearly all of it waiting.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../host/lib.sh"

divisor=${1:-60}
top=$(cd "$here/../.." && pwd)
fleet=$top/tests/fleet
rules=$top/packaging/prometheus
flamegraph=/usr/share/perl5/Devel/NYTProf/flamegraph.pl
program=$(realpath "$program")
cd "$work"
export HOME=$work PPROF_TMPDIR=$work GOCACHE=$work/go

export_() { "$program" export "$@" -q 2>/dev/null; }
live() { PYTHONPATH=$top/tests/host /usr/bin/python3 "$fleet/fleet.py" "$program" "$data" "$rules" "$divisor" "$@"; }

# the command before it has to refuse its input
must_fail() { ! "$@"; }

# accounts with objects, with stacks, of pages, and a log
inputs=("$data/small.account" "$data"/readers/{sites-6.1,sites-stack-6.1} "$data/logs/slab-3.x.log.gz")

# pprof_raw FILE TYPE: the sum over all samples, as go's pprof reads them
pprof_raw() {
	go tool pprof -raw "$1" 2>/dev/null | awk -v want="$2" '
		/^Locations/ { exit }
		/^Samples:/ { getline; for (i = 1; i <= NF; i++) { sub(/\/.*/, "", $i); if ($i == want) col = i }; next }
		col && /^ *[0-9]+ .*: [0-9]/ { sum += $col }
		END { print sum + 0 }'
}

# of each function the live bytes, as `pprof -top` and as `report` print them
by_pprof() {
	go tool pprof -top -nodefraction=0 -nodecount=1000000 -unit=B -sample_index=inuse_space "$1" 2>/dev/null |
		awk '{ sub(/^ */, "") } go && $1 != "0" { sub(/B$/, "", $1); live = $1; for (i = 1; i <= 5; i++) sub(/^[^ ]+ +/, ""); print live, $0 } $1 == "flat" { go = 1 }' | sort
}

# report FILE: live bytes, number of allocations, function
report() {
	"$program" report "$1" --by function --format csv -q 2>/dev/null | /usr/bin/python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row["current_dynamic"], row["allocs"], row["function"])' | sort
}

go_pprof() {
	local file

	for file in "${inputs[@]}"; do
		echo "$file"
		export_ pprof "$file" -O k.pb.gz
		report "$file" >report.txt
		[ "$(pprof_raw k.pb.gz inuse_space)" = "$(awk '{ s += $1 } END { print s + 0 }' report.txt)" ]
		[ "$(pprof_raw k.pb.gz alloc_objects)" = "$(awk '{ s += $2 } END { print s + 0 }' report.txt)" ]
	done
	# without stacks, a function is one node; pprof leaves parts of names in <> out
	for file in "$data/small.account" "$data/readers/sites-6.1"; do
		export_ pprof "$file" --keep-wrappers -O k.pb.gz
		by_pprof k.pb.gz >top
		[ "$(wc -l <top)" -gt 5 ]
		report "$file" | awk '$1 != 0 { sub(/ [0-9]+/, ""); sub(/<.*>/, ""); print }' | sort | diff - top
	done
}

# One call site has grown by 10,240 bytes, and no other line is in the difference.
go_base() {
	sed 's/^   20480     1024    19456 /   30720     1536    29184 /; s/44268/54508/; s/41036/50764/; s/3232/3744/' \
		"$data/small.account" >grown.account
	export_ pprof "$data/small.account" -O a.pb.gz
	export_ pprof grown.account -O b.pb.gz
	go tool pprof -top -unit=B -nodefraction=0 -base a.pb.gz b.pb.gz 2>/dev/null |
		awk 'go && $1 != "0" { print $1, $6 } $1 == "flat" { go = 1 }' >top
	echo "10240B alloc_inode" | diff - top
}

# The wire format by protoc, which knows no field's name: samples, strings, the sum of a column
protoc_raw() {
	export_ pprof "$data/small.account" -O k.pb.gz
	zcat k.pb.gz >k.pb
	protoc --decode_raw <k.pb >raw
	# rows of the account that have a number other than 0
	[ "$(grep -c '^2 {' raw)" = "$(awk 'rows && ($1 || $4 !~ "^0/") { n++ } $NF == "caller" { rows = 1 } END { print n }' \
		"$data/small.account")" ]
	[ "$(grep -c '^1 {' raw)" = 3 ]
	grep -x '6: "alloc_inode"' raw >/dev/null
	grep -x '6: "inuse_space"' raw >/dev/null
	head -c -1 k.pb >cut.pb
	must_fail protoc --decode_raw <cut.pb >/dev/null 2>&1
}

flame_graph() {
	export_ folded "$data/small.account" >k.folded
	perl "$flamegraph" --countname bytes k.folded >k.svg
	xmllint --noout k.svg
	grep 'alloc_inode (20,480 bytes, 46.26%)' k.svg >/dev/null
	grep 'all (44,268 bytes, 100%)' k.svg >/dev/null
	export_ folded "$data/small.account" grown.account >both.folded
	perl "$flamegraph" --countname bytes both.folded >both.svg
	grep 'alloc_inode (30,720 bytes, 56.36%; +[0-9.]*%)' both.svg >/dev/null
}

check_metrics() {
	local file

	for file in "${inputs[@]}"; do
		echo "$file"
		export_ prometheus "$file" >k.prom
		promtool check metrics <k.prom
		"$program" serve "$file" --textfile served.prom
		promtool check metrics <served.prom
	done
	# promtool's lint refuses what is wrong
	sed 's/_allocs_total/_allocs/' k.prom >wrong.prom
	must_fail promtool check metrics <wrong.prom
}

alert_rules() {
	promtool check rules "$rules/kmem-account.rules.yml"
	cp "$rules"/*.yml .
	promtool test rules kmem-account.test.yml
	# each alert that would not fire, or always, is noticed
	sed 's/> 50e6/> 50e9/' "$rules/kmem-account.rules.yml" >kmem-account.rules.yml
	must_fail promtool test rules kmem-account.test.yml
	sed 's/> 50e6/> -1/; s/{site!="other"}//' "$rules/kmem-account.rules.yml" >kmem-account.rules.yml
	must_fail promtool test rules kmem-account.test.yml
}

# Each expression of the dashboard, as a recording rule; each metric in it is one that we export
dashboard() {
	/usr/bin/python3 - "$rules/kmem-account.dashboard.json" >dash.yml 2>names <<-'END'
		import json, re, sys
		board = json.load(open(sys.argv[1]))
		assert len({p["id"] for p in board["panels"]}) == len(board["panels"])
		exprs = [t["expr"] for p in board["panels"] for t in p["targets"]]
		print("groups: [{name: dashboard, rules: [")
		for i, expr in enumerate(exprs):
		    print("{record: 'panel:%d', expr: %s}," % (i, json.dumps(expr)))
		print("]}]")
		queries = [v["query"]["query"] for v in board["templating"]["list"] if v["type"] == "query"]
		for name in sorted(set(re.findall(r"\bkmem_account_\w+", " ".join(exprs + queries)))):
		    print(name, file=sys.stderr)
	END
	promtool check rules dash.yml
	[ "$(wc -l <names)" -gt 8 ]
	golden_setup
	"$program" serve mine.account --vmlinux "$work/mini/debug/boot/vmlinux-6.1.0-mini" --textfile all.prom
	while read -r name; do
		grep "^# TYPE $name " all.prom || { echo "no metric $name"; return 1; }
	done <names
}

# npm's modules, of fixed versions; without the registry, or npm, their tests are skipped
modules() {
	command -v npm >/dev/null &&
		timeout 180 npm install --silent --no-audit --no-fund --no-save --ignore-scripts --prefix "$work/npm" \
			pprof-format@2.3.2 ajv@6.12.6 speedscope@1.25.0 typescript@5.4.5 @grafana/schema@13.2.3 >npm.log 2>&1
}

npm_pprof() {
	local want got

	export_ pprof "$data/readers/sites-6.1" -O k.pb.gz
	got=$(cd npm && node --input-type=module -e '
		import { Profile } from "pprof-format"; import fs from "fs"; import zlib from "zlib";
		const p = Profile.decode(zlib.gunzipSync(fs.readFileSync("../k.pb.gz")));
		const t = p.stringTable.strings, col = p.sampleType.findIndex(s => t[Number(s.type)] === "inuse_space");
		console.log(p.sample.reduce((sum, s) => sum + Number(s.value[col]), 0));')
	want=$(report "$data/readers/sites-6.1" | awk '{ s += $1 } END { print s }')
	[ "$got" = "$want" ]
}

npm_speedscope() {
	export_ speedscope "$data/readers/sites-6.1" -O k.json
	# shellcheck disable=SC2016 # JavaScript
	(cd npm && node -e '
		const Ajv = require("ajv"), fs = require("fs");
		const schema = JSON.parse(fs.readFileSync("node_modules/speedscope/dist/release/file-format-schema.json"));
		delete schema.$schema;
		const check = new Ajv({ schemaId: "auto" }).compile(schema);
		const file = JSON.parse(fs.readFileSync("../k.json"));
		if (!check(file)) { console.log(check.errors); process.exit(1); }
		file.profiles[0].unit = 7;
		if (check(file)) { console.log("the schema takes anything"); process.exit(1); }')
}

# The dashboard has the types of Grafana's own schema; a wrong one is noticed.
npm_dashboard() {
	cd npm
	typed() {
		{
			# an enumeration takes no text: its member stands for it
			echo 'import { Dashboard, ThresholdsMode } from "@grafana/schema";'
			printf 'export const board = %s satisfies Dashboard;\n' \
				"$(sed 's/"mode": "absolute"/"mode": ThresholdsMode.Absolute/')"
		} >board.ts
		node_modules/.bin/tsc --noEmit --strict --skipLibCheck --target es2020 --module esnext \
			--moduleResolution bundler board.ts
	}
	typed <"$rules/kmem-account.dashboard.json"
	must_fail eval "sed 's/\"schemaVersion\": 39/\"schemaVersion\": \"39\"/' '$rules/kmem-account.dashboard.json' | typed"
}

ktap_plan 14
ktap "go tool pprof: sums, and the bytes of each function, are those of report" go_pprof
ktap "go tool pprof -base: the one call site that has grown" go_base
ktap "protoc --decode_raw reads the profile" protoc_raw
ktap "flamegraph.pl draws folded stacks, of one account and of two" flame_graph
ktap "promtool check metrics" check_metrics
ktap "promtool: the alert rules and their tests" alert_rules
ktap "the dashboard's expressions, by promtool, and their metrics" dashboard
ktap "node_exporter serves the text file" live textfile
ktap "victoria-metrics takes both formats" live victoria
ktap "prometheus scrapes serve, over TLS with a user as well" live scrape
ktap "prometheus: the alerts fire, and only those that should" live alerts
if modules; then
	ktap "npm's pprof-format reads the profile" npm_pprof
	ktap "speedscope's schema accepts the file" npm_speedscope
	ktap "the dashboard has the types of @grafana/schema" npm_dashboard
else
	ktap_skip "npm's pprof-format reads the profile" "npm is absent, or its registry does not answer"
	ktap_skip "speedscope's schema accepts the file" "npm is absent, or its registry does not answer"
	ktap_skip "the dashboard has the types of @grafana/schema" "npm is absent, or its registry does not answer"
fi
ktap_end
