#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The tables of the module with their own columns: out of files and snapshots, from DB files, and
# compared. The truth is awk's, of the module's own text; a folder of files is cut out of a snapshot of a guest.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
snap=$data/readers/snapshot-cgroups-6.1
python3 "$here/snapshot.py" make . 60

# section SNAPSHOT NAME: the file of that name
section() { awk -v name="$2" '/^== / { on = $0 == "== " name; next } on' "$1"; }

# as_csv FILE: what the module wrote; a time that is not known is empty. No cell here has a comma.
as_csv() {
	awk -F'\t' -v OFS=, 'NR == 1 { next } NR == 2 { sub(/^# /, ""); for (i = 1; i <= NF; i++) time[i] = $i ~ /_ns$/ }
		{ for (i = 1; i <= NF; i++) if (time[i] && $i == "-") $i = ""; $1 = $1; print }' "$1"
}

mkdir files
for name in sites caches stats pinned cgroups ages; do
	section "$snap" "$name" >"files/$name"
	[ -s "files/$name" ] || section s059 "$name" >"files/$name"
done
cp files/ages .

# Each row and each column of the file, in its order.
own_columns() {
	local name

	for name in sites caches ages; do
		section s059 "$name" >file
		[ -s file ] || section "$snap" "$name" >file
		[ "$(wc -l <file)" -gt 2 ] || { echo "no table $name"; return 1; }
		as_csv file >want
		mkdir -p alone && mv file "alone/$name" && "$program" table "$name" "alone/$name" --format csv >got || return
		diff want got && rm "alone/$name" || return
	done
	"$program" report files/stats --format csv >got || return
	sed 's/: /,/; 1i key,value' files/stats | diff - got
}

# A file that is no account needs no option.
recognised() {
	"$program" report ages --format csv >got && as_csv ages | diff - got &&
		"$program" report files/stats >got && grep -q 'allocations' got || return
	! "$program" rings ages -r x.svg 2>said && grep -q "a table of the module, not an account; 'kmem-account table TABLE FILE' shows it" said
}

# The tables of a snapshot are those of its files; a number of a call site gets its name.
joined() {
	"$program" table cgroups "$snap" --format csv >got || return
	awk -F'\t' -v OFS=, 'FNR == NR { if (FNR > 2) caller[$1] = $c; else for (i = 1; i <= NF; i++) if ($i == "caller") c = i; next }
		FNR == 2 { sub(/^# /, ""); $1 = $1; print $0, "path", "caller"; n = NF; next }
		/^# id/ { paths = 1; next }
		paths { path[$1] = $2; next }
		FNR > 2 { $1 = $1; row[++rows] = $0; of[rows] = $2; at[rows] = $1 }
		END { for (i = 1; i <= rows; i++) print row[i], of[i] in path ? path[of[i]] : "-", at[i] in caller ? caller[at[i]] : "-" }' \
		files/sites files/cgroups >want
	head -n 3 want
	[ "$(wc -l <want)" -gt 10 ] && diff want got || return
	"$program" table cgroups files/cgroups --format csv | diff want - || return
	! grep -q ',-$' want
}

# A file "sites" of another account is not joined.
another_account() {
	local code=0

	mkdir -p other && cp ages other/ages && sed 's/leaky+/other+/' <(section s059 sites) >other/sites
	"$program" report other/ages >got 2>said || code=$?
	cat said
	[ $code = 1 ] && [ ! -s got ] && grep -q "the files 'ages' and 'sites' are not of the same account: call site 1 is 'leaky+0x10/0x90' in the first and 'other+0x10/0x90' in the second" said
}

# What a DB file gives back is what the snapshot had; a DB file without tables says so.
in_db() {
	local name

	"$program" report s000 --save-db t.db@a >/dev/null && "$program" report s059 --save-db t.db@b >/dev/null || return
	for name in sites ages stats; do
		"$program" table "$name" s059 --format csv >want && "$program" table "$name" t.db@b --format csv >got &&
			diff want got && "$program" report --db-file t.db --table "$name" --format csv | diff want - || return
	done
	"$program" report files/sites --save-db t.db@c >/dev/null || return
	! "$program" table ages t.db@c 2>said && grep -q 'was saved without the tables of the module' said || return
	"$program" table ages t.db@a t.db@b --format csv >got && "$program" diff s000 s059 --table ages --format csv | diff - got || return
	"$program" db delete t.db@b >/dev/null && [ "$(sqlite3 t.db 'SELECT count(tables) FROM label')" = 1 ]
}

# Changes are differences of the files' numbers, by the names of the rows; numbers of sites are none.
compare() {
	sed '/^== ages/,$s/^\([0-9]\)\t/9\1\t/; /^== sites/,/^== stats/s/^\([0-9]\)\t/9\1\t/' s059 >renumbered
	"$program" table ages s000 renumbered --format csv >got || return
	awk -F'\t' -v OFS=, -v CONVFMT=%.0f 'FNR == 2 { sub(/^# /, ""); for (i = 1; i <= NF; i++) { at[$i] = i; name[i] = $i }; n = NF; next }
		FNR < 2 { next }
		NR == FNR { for (i = 2; i <= n; i++) before[$at["caller"], i] = $i; next }
		{ line = $at["caller"] ",changed"; for (i = 2; i <= n; i++) if (i != at["caller"]) line = line "," $i - before[$at["caller"], i]; print line }' \
		<(section s000 ages) <(section s059 ages) | sort >want
	tail -n +2 got | sort | diff want - || return
	[ "$(wc -l <want)" = 4 ] || return
	"$program" diff s059 --table=ages renumbered >shown && grep -q 'rows without a change: 4' shown || return
	sed '/^leaky/d; /leaky+/d' s059 >without
	"$program" table ages s059 without --format csv >shown && grep -q '^leaky+0x10/0x90,gone,-' shown || return
	"$program" table stats s059 without >shown && "$program" diff ages ages --format json >shown &&
		python3 -c 'import json; d = json.load(open("shown")); assert d["table"] == "ages" and d["unchanged"] == 4 and d["rows"] == []'
}

# refused WORDS STATUS COMMAND...
refused() {
	local words=$1 want=$2 code=0

	shift 2
	"$@" >shown 2>said </dev/null || code=$?
	cat said
	[ $code = "$want" ] && [ ! -s shown ] && [ "$(wc -l <said)" = 1 ] && grep -q -- "$words" said
}

bad() {
	sed 's/^3\t/3\t\t/' ages >wide && head -c 700 ages >short && sed '1s/1$/2/' ages >newer
	sed '/^== ages/,/^== end/{/^== ages/!{/^== end/!d}}; s/^== ages/&\nerror: -95/' s059 >unmade
	printf 'kmem_account live 1\n# address\tsite\ttotal\treq\tkind\n0x0\t1\t64\t60\tobject\n' >live
	refused 'wide:5: the row has more or fewer columns' 1 "$program" report wide &&
		refused 'truncated in a row' 1 "$program" report short &&
		refused "expected 'kmem_account ages 1'" 1 "$program" report newer &&
		refused 'the module could not make this table (error: -95)' 1 "$program" table ages unmade &&
		refused "truncated: no line '== end'" 1 "$program" report --table ages <(sed '$d' s059) &&
		refused "no table 'errors' in this snapshot; write 'errors on' to" 1 "$program" table errors s059 &&
		refused "no table 'live' in this snapshot; read /sys/kernel/debug/kmem_account/live" 1 "$program" table live s059 &&
		refused "the file has table 'ages', not 'stats'" 2 "$program" table stats ages &&
		refused 'neither a table nor a snapshot of the module; read /sys/' 1 "$program" table ages "$data/small.account" &&
		refused "cannot compare table 'live': only addresses identify its rows, and the kernel reuses addresses" 2 "$program" diff live live &&
		refused "cannot compare table 'ages' with table 'stats'" 1 "$program" diff ages files/stats &&
		refused 'table: unknown option --columns' 2 "$program" report ages --table ages --columns all &&
		refused "unknown table 'age' (did you mean ages? expected sites, ages, .* or errors)" 2 "$program" table age s059 &&
		refused 'no table given (expected sites' 2 "$program" table &&
		refused 'a snapshot has several tables' 2 "$program" diff ages s059 &&
		refused 'too many arguments: s000' 2 "$program" table ages s059 -f s000 s000
}

# What report --table and diff --table were, they are; what they refused is refused.
old_spellings() {
	local words

	"$program" table ages s059 --format csv >want && "$program" table ages s000 s059 --format csv >changes || return
	for words in '--tab ages s059' 's059 --ta=ages' '--table stats s059 --table ages' '--table=stats --tabl ages s059' \
		'--table ages s059 --depth 2' '--table ages s059 --to 2' '--table ages -f s059' '--table ages -- s059'; do
		# shellcheck disable=SC2086 # words
		if ! "$program" report --format csv $words >got || ! diff want got; then
			echo "report $words"
			return 1
		fi
	done
	"$program" diff s000 s059 --tab ages --depth 2 --all --top 100 --format csv | diff changes - || return
	refused 'table: no table given (expected sites' 2 "$program" report s059 --table &&
		refused 'table: no table given (expected sites' 2 "$program" diff s000 s059 --table &&
		refused 'no table given (expected sites' 2 "$program" report --table --bytes ages s059 &&
		refused 'table: too many arguments: s000' 2 "$program" report s059 s000 --table ages &&
		refused 'table: too many arguments: s000' 2 "$program" report -f s059 s000 --table ages &&
		refused 'diff --table: needs two inputs' 2 "$program" diff s059 --table ages &&
		refused 'diff --table: needs two inputs' 2 "$program" diff --table ages &&
		refused 'diff --table: needs two inputs' 2 "$program" diff nosuch --table ages &&
		refused 'table: too many arguments: s059' 2 "$program" diff s000 s000 s059 --table ages &&
		refused 'table: only one input can be the standard input' 2 "$program" diff --table ages - - &&
		refused 'unknown option --where' 2 "$program" report --table ages --where s059
}

# An option that table has not is no abbreviation of one that it has.
not_abbreviated() {
	refused 'table: only one input can be the standard input' 2 "$program" table ages - - &&
		refused 'table: unknown option --by' 2 "$program" table ages s000 --by s059 &&
		refused 'table: unknown option --by' 2 "$program" report s059 --table ages --by dir &&
		refused 'ambiguous option --b (expected --bytes)' 2 "$program" table ages s059 --b &&
		refused 'table: --from or --to has no effect on a table' 2 "$program" table ages s059 --to 5 &&
		refused 'table: --depth has no effect on a table' 2 "$program" table ages s059 --depth 2 &&
		refused 'table: --all cannot be combined with --top' 2 "$program" table ages s059 --all --top 2 &&
		refused 'table: --all cannot be combined with --top' 2 "$program" report --table ages s059 --all --top 2
}

ktap_plan 9
ktap "rows and columns are the file's" own_columns
ktap "a table that is no account is recognised" recognised
ktap "names of call sites and cgroups" joined
ktap "a file of another account is not joined" another_account
ktap "kept in a DB file" in_db
ktap "compared" compare
ktap "refused: damaged tables, and what is none" bad
ktap "report --table and diff --table" old_spellings
ktap "options that table does not have" not_abbreviated
ktap_end
