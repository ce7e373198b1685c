#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The page, without a browser: what it holds is what the report says, in every number
# of every node; names of any kind are data; it has no way out and its policy the right
# hashes; what is too much is gathered, and still adds up.
# shellcheck disable=SC2015 # what fails shows its output
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

golden_setup
cd "$work"
samples=$data/readers

page() {
	"$program" rings "$@" -r page.html 2>/dev/null
}

well_made() {
	page mine.account -k mini/tree --title '</title><script>alert(1)</script>' &&
		"$here/page.py" check page.html
}

# metric<TAB>name<TAB>number: callers and files of the page, against reports
rows_of() {
	"$here/page.py" rows page.html | awk -F'\t' -v kind="$1" '
		$2 == kind { s[$1 "\t" $3] += $4 }
		END { for (k in s) print k "\t" s[k] }' | sort
}

report_of() {
	"$program" report "$@" --format csv 2>/dev/null | python3 -c '
import collections, csv, sys
rows = list(csv.reader(sys.stdin))
sums = collections.Counter()
for row in rows[1:]:
    for metric, value in zip(rows[0][1:], row[1:]):
        if metric != "kind":
            sums[metric, row[0]] += int(value)
for (metric, name), value in sums.items():
    print(metric, name, value, sep="\t")' | sort
}

# Files of the kernel whose objects were looked up; what is in brackets is no file.
files_agree() {
	page mine.account --vmlinux mini/debug/boot/vmlinux-6.1.0-mini
	rows_of file >got
	report_of mine.account --vmlinux mini/debug/boot/vmlinux-6.1.0-mini --by file |
		grep -v "$(printf '\t')\[" >want
	[ "$(wc -l <want)" -gt 20 ] && diff want got
}

callers_agree() {
	page "$samples/account-6.1"
	rows_of caller >got
	report_of "$samples/account-6.1" --by caller >want
	[ "$(wc -l <want)" -gt 50 ] && diff want got
}

allocinfo_agrees() {
	page "$samples/allocinfo-6.12"
	rows_of file >got
	report_of "$samples/allocinfo-6.12" --by file >want
	[ "$(wc -l <want)" -gt 100 ] && diff want got
}

# The static sizes of a built tree beside the account, and all of it: as the chart's metric is.
static_too() {
	page mine.account -k mini/tree
	"$here/page.py" rows page.html | awk -F'\t' '
		$2 == "root" { root[$1] = $4 }
		$2 == "section" { sum[$1] += $4; if ($1 == "current_dynamic" && $4) bad = 1 }
		END { exit bad || !root["text"] || root["text"] != sum["text"] ||
			root["static"] != sum["static"] || root["current_dynamic"] + root["static"] != root["current"] }'
}

# What an input does not have is no metric of the page.
absent() {
	page "$samples/allocinfo-6.12"
	"$here/page.py" rows page.html | cut -f 1 | sort -u | tr '\n' ' ' >got
	[ "$(cat got)" = "current_dynamic objects " ] || { cat got; return 1; }
}

# Names that would end a script, a string or a field, and bytes that are no text.
hostile_names() {
	cat >names <<'END'
</script><script>alert(1)</script>+0x1/0x20
<!--<script>+0x1/0x20
"quoted"'and'\back\slash+0x1/0x20
comma,tilde~plus+0x1/0x20
~c~p~t
+1f/2c
+0x1f/0x2c+0x3/0x4
a+0xg/0x2
line separator and paragraph
‮right to left‬
<img src=x onerror=alert(1)>
~3
END
	awk '{ printf "%8d %8d %8d %5d/%-5d  %s\n", 100 * NR, NR, 99 * NR, NR, 0, $0; n += NR }
		END { printf "%d\n", n >"sum" }' names >rows
	sum=$(cat sum)
	{ header $((100 * sum)) $((99 * sum)) "$sum" "$sum" 0 "$(wc -l <names)"; cat rows; } >hostile.account
	page hostile.account
	"$here/page.py" check page.html
	"$here/page.py" names page.html | sort >got
	sort names | diff - got
	printf '%8d %8d %8d %5d/%-5d  bad\xff\xc3utf8\n' 100 1 99 1 0 >>rows
	{ header $((100 * sum + 100)) $((99 * sum + 99)) $((sum + 1)) $((sum + 1)) 0 13; cat rows; } >hostile.account
	page hostile.account
	"$here/page.py" check page.html
	"$here/page.py" rows page.html | grep >/dev/null "$(printf 'bad\xef\xbf\xbd\xef\xbf\xbdutf8')"
}

# Twelve levels down, and up again.
deep() {
	{
		printf 'allocinfo - version: 1.0\n#     <size>  <calls> <tag info>\n'
		printf '100 1 a/b/c/d/e/f/g/h/i/j/k/l/m.c:1 func:deep\n200 1 z.c:1 func:flat\n'
	} >deep.allocinfo
	page deep.allocinfo
	"$here/page.py" rows page.html | awk -F'\t' '$1 == "current_dynamic" && $2 == "file"' >got
	printf 'current_dynamic\tfile\t%s\t%s\n' a/b/c/d/e/f/g/h/i/j/k/l/m.c 100 z.c 200 | diff - got
}

# folded N: at most N nodes and what gathers the rest; leaves and sums are still all there
folded() {
	page "$samples/allocinfo-6.12"
	"$here/page.py" rows page.html >all
	page "$samples/allocinfo-6.12" --max-nodes "$1"
	"$here/page.py" rows page.html >some
	awk -F'\t' -v n="$1" -v gathered="$("$here/page.py" size page.html | cut -d ' ' -f 2)" '
	FNR == 1 { file++ }
	$1 == "current_dynamic" && $2 == "root" { root[file] = $4 }
	$1 == "current_dynamic" && $2 == "caller" { leaves[file]++ }
	$1 == "current_dynamic" && $2 != "folded" { nodes[file]++ }
	$1 == "current_dynamic" && $2 == "file" { files[file, $3] = $4 }
	END {
		for (k in files) { split(k, p, SUBSEP); if (p[1] == 2 && files[k] != files[1, p[2]]) bad = 1 }
		print n, root[1], root[2], nodes[2], leaves[1], leaves[2], gathered
		exit bad || root[1] != root[2] || nodes[2] != n || leaves[1] != leaves[2] + gathered
	}' all some
}

branch() {
	page "$samples/allocinfo-6.12" -b drivers
	"$here/page.py" rows page.html | awk -F'\t' '$2 == "file" && $1 == "objects" { print $3 "\t" $4 }' |
		sort >got
	report_of "$samples/allocinfo-6.12" -b drivers --by file | awk -F'\t' '$1 == "objects" { print $2 "\t" $3 }' |
		sort >want
	[ "$(wc -l <want)" -gt 3 ] && diff want got
}

# A page that is not packed holds the same, and more bytes.
plain() {
	page "$samples/allocinfo-6.12" --plain && mv page.html plain.html && page "$samples/allocinfo-6.12" &&
		"$here/page.py" check plain.html && grep -q '"names":' plain.html &&
		! grep -q '"names":' page.html &&
		diff <("$here/page.py" rows plain.html) <("$here/page.py" rows page.html) &&
		[ "$(stat -c %s plain.html)" -gt "$(stat -c %s page.html)" ]
}

# 40,000 functions with every number that an input has, none of which follows another.
size() {
	awk 'BEGIN {
		srand(7); OFS = "\t"
		print "kmem_account sites 1"
		print "# id", "total", "slack", "req", "allocs", "frees", "all_total", "all_req", "caller", "kind",
			"peak", "remote_cpu"
		words = split("alloc init get put dev net skb inode page sched task map tcp ext4 blk irq acpi pci " \
			"mem cache work queue lock timer event group node reg usb scsi sysfs proc bpf trace", w, " ")
		for (i = 1; i <= 40000; i++) {
			req = int(64 / (rand() ^ 1.5 + 0.0005)); slack = int(req * rand() / 4); span = 32 + int(rand() * 3000)
			allocs = 1 + int(500 * rand() / (rand() + 0.01)); frees = int((allocs - 1) * rand())
			name = w[1 + int(rand() * words)] "_" w[1 + int(rand() * words)] "_" w[1 + int(rand() * words)]
			print i, req + slack, slack, req, allocs, frees, (req + slack) * (1 + int(rand() * 20)), 0,
				sprintf("%s_%x+0x%x/0x%x", name, i, 1 + int(rand() * span), span), "kmalloc",
				req + slack + int(rand() * req), int(frees * rand())
		} }' >large.sites
	page large.sites && "$here/page.py" rows page.html | cut -f 1 | sort | uniq -c >got
	echo "# $(stat -c %s page.html) bytes, $(wc -l <got) metrics"
	[ "$(wc -l <got)" -eq 9 ] && awk '$1 != 40001 { exit 1 }' got && [ "$(stat -c %s page.html)" -le 1500000 ]
}

# Each side of a comparison is what a report of that side says; what one lacks is 0 there.
sides_agree() { # sides_agree KIND BY BEFORE AFTER
	local side name
	for side in before after; do
		name=$3
		[ "$side" = before ] || name=$4
		rows_of "$1" | awk -F'\t' -v side=" $side" '
			sub(side "$", "", $1) && $3 { print $1 "\t" $2 "\t" $3 }' | sort >got
		report_of "$name" --by "$2" | awk -F'\t' '$3' | sort >want
		[ "$(wc -l <want)" -gt 100 ] && diff want got || return 1
	done
}

# Of three rows one stays, one grows, one shrinks; one in 40 goes, another in 40 is new.
two_allocinfos() {
	awk '!/^ *[0-9]/ { print; next } { n++ } n % 40 == 7 { next }
		{ $1 = n % 3 == 1 ? 2 * $1 + 64 : n % 3 == 2 ? int($1 / 2) : $1 }
		n % 40 == 9 { $3 = "brand/new.c:" n } { print }' "$samples/allocinfo-6.12" >after.allocinfo
}

comparison() {
	two_allocinfos
	"$program" diff "$samples/allocinfo-6.12" after.allocinfo -r page.html >said
	[ ! -s said ] && "$here/page.py" check page.html &&
		grep -q '<title>What changed in kernel memory</title>' page.html &&
		sides_agree file file "$samples/allocinfo-6.12" after.allocinfo
}

# Callers alone, five attributes, one of them a difference of two others.
comparison_of_callers() {
	awk '$4 ~ "/" { split($4, c, "/"); $4 = c[1] " " c[2]; n++
		if (n % 3) { $1 += 8 * n; $3 += 5 * n; $2 = $1 - $3 } print }' "$samples/account-6.1" >rows
	account_of rows >after.account
	"$program" diff "$samples/account-6.1" after.account -r page.html >said 2>&1 || { cat said; return 1; }
	sides_agree caller caller "$samples/account-6.1" after.account
}

# top BRANCH [OPTION...]: what the page's root has on both sides
top() {
	"$program" diff "$samples/allocinfo-6.12" after.allocinfo -r page.html "$@"
	"$here/page.py" rows page.html | awk -F'\t' '!seen[$1]++ { print $1, $4 }'
}

# What is gathered counts on its own side, of all and of a branch.
comparison_gathered() {
	local branch
	two_allocinfos
	for branch in '' '-b fs'; do
		# shellcheck disable=SC2086 # words
		{ top $branch >want; top $branch --max-nodes 3 >got; }
		[ "$("$here/page.py" size page.html | cut -d ' ' -f 2)" -gt 40 ] || return 1
		[ "$(wc -l <want)" -eq 4 ] && diff want got || return 1
	done
	! top >want || ! cmp -s want got
}

comparison_of_trees() {
	"$program" diff mini/tree mini/tree -r page.html >said 2>&1
	"$program" static -k mini/tree --by file --format csv 2>/dev/null >sizes.csv
	"$here/page.py" rows page.html >nodes
	awk -F'\t' '$2 == "root" && $1 ~ /^static / { print $4 }' nodes | sort -u >got
	awk -F, 'NR > 1 { s += $NF } NR == 1 { print $NF >"last" } END { print s }' sizes.csv >want
	[ "$(cat last)" = static ] && diff want got && [ "$(cat want)" -gt 1000 ]
}

# An allocinfo with modules, and the subsystems of its files.
module_allocinfo() {
	awk '!/^ *[0-9]/ { print; next } { n++ } n % 5 == 1 { $3 = $3 " [ext4]" } n % 5 == 2 { $3 = $3 " [a,b+~c]" }
		n % 5 == 3 { $3 = $3 " [<b>]" } { print }' "$samples/allocinfo-6.12" >modules.allocinfo
	printf 'List of maintainers\n---\n\n%s\nF:\tfs/\n\n%s\nF:\tmm/\n' 'FILE, SYSTEMS <i>' MEMORY >MAINTAINERS
}

# first_level BY: key<TAB>number of what is right below the root of the tree by that key
first_level() {
	"$here/page.py" rows page.html "$1" | awk -F'\t' '
		$1 == "current_dynamic" && $2 == "dir" && $3 !~ "/" { print $3 "\t" $4 }' | sort
}

# The keys of a page, each as its own report has it: a row for each key, and the same sum.
groups_agree() {
	local by
	local -a how
	module_allocinfo
	page modules.allocinfo --maintainers MAINTAINERS
	"$here/page.py" check page.html || return 1
	[ "$("$here/page.py" keys page.html | paste -sd ' ')" = "dir subsystem module size" ] || return 1
	for by in module subsystem; do
		first_level $by >got
		how=(--by "$by")
		[ $by = module ] || how+=(--maintainers MAINTAINERS)
		report_of modules.allocinfo "${how[@]}" >want
		awk -F'\t' '$1 == "current_dynamic" { print $2 "\t" $3 }' want | sort | diff - got || return 1
		[ "$(wc -l <got)" -ge 3 ] || return 1
	done
	first_level module >got
	awk '/^ *[0-9]/ { m = "vmlinux"; if ($4 ~ /^\[/) { m = $4; gsub(/[][]/, "", m) } n[m] += $1 }
		END { for (m in n) printf "%s\t%d\n", m, n[m] }' modules.allocinfo | sort | diff - got || return 1
	page "$samples/sites-6.1"
	for by in kind size cache; do
		first_level $by >got
		report_of "$samples/sites-6.1" --by $by | awk -F'\t' '$1 == "current_dynamic" { print $2 "\t" $3 }' |
			sort | diff - got || return 1
	done
	[ "$(wc -l <got)" -gt 10 ]
}

# What is gathered has the key of all that it is made of, or one that says so; the sums stay.
groups_gathered() {
	module_allocinfo
	page modules.allocinfo && first_level module | awk -F'\t' '{ n += $2 } END { print n }' >want
	page modules.allocinfo --max-nodes 40 && first_level module >some
	grep -q '^\[gathered\]' some && awk -F'\t' '{ n += $2 } END { print n }' some | diff want -
}

# Trees with numbers of their own; -b is of directories, and a picture has the tree that it is asked for.
groups_own() {
	page "$samples/snapshot-cgroups-6.1"
	"$here/page.py" keys page.html | grep >/dev/null -x cgroup || return 1
	"$here/page.py" rows page.html cgroup | awk -F'\t' '$1 == "current_dynamic" && $2 == "caller" { n += $4 }
		END { print n }' >got
	report_of "$samples/snapshot-cgroups-6.1" --by cgroup | awk -F'\t' '$1 == "current_dynamic" { n += $3 }
		END { print n }' | diff - got || return 1
	page "$samples/sites-stack-6.1" --by callers
	[ "$("$here/page.py" keys page.html | paste -sd ' ')" = "dir cache kind size stack callers" ] || return 1
	"$here/page.py" rows page.html | awk -F'\t' '$1 == "current_dynamic" && $2 == "root" { print $4 }' >got
	"$here/page.py" rows page.html dir | awk -F'\t' '$1 == "current_dynamic" && $2 == "root" { print $4 }' |
		diff - got || return 1
	"$here/page.py" rows page.html | grep >/dev/null "dir	alloc_inode+0x[^/]*/0x[^/]*	" || return 1
	module_allocinfo
	page modules.allocinfo -b fs && [ "$("$here/page.py" keys page.html | paste -sd ' ')" = "dir module size" ]
}

# Lines and inlined functions, as addr2line has them; of an allocinfo the line that it has itself.
lines_agree() {
	inlined
	inlined_truth | sort >want
	page calls.account --vmlinux vmlinux-1
	"$here/page.py" check page.html || return 1
	"$here/page.py" lines page.html | sed 's|/0x[0-9a-f]*\t|\t|; s|?:|inline.c:|' | sort | diff want - || return 1
	grep >/dev/null ' > kzalloc .* > kmalloc ' want || return 1
	page "$samples/allocinfo-6.12" && "$here/page.py" lines page.html | sed 's/.*?//' | sort >got
	awk '$1 ~ /^[0-9]/ { sub(/.*:/, "", $3); print ":" $3 }' "$samples/allocinfo-6.12" | sort | diff - got
}

# A template may not let a name choose the host, or be no address of the web.
source_urls() {
	local url
	page "$samples/allocinfo-6.12" --plain --source-url 'https://elixir.bootlin.com/linux/v6.1/source/{file}#L{line}' &&
		grep >/dev/null '"source":"https://elixir.bootlin.com/linux/v6.1/source/{file}#L{line}"' page.html || return 1
	page "$samples/allocinfo-6.12" --plain && ! grep -q '"source":' page.html || return 1
	for url in 'javascript:alert(1)//{file}' 'https://{file}/x' 'https:///{file}' 'https://h/file' 'file:///{file}' \
		'https://h/"{file}' 'https://h?{file}/' 'HTTPS://h/{file}' ''; do
		"$program" rings "$samples/allocinfo-6.12" -r x.html --source-url "$url" 2>said && return 1
		grep >/dev/null 'invalid --source-url' said && [ ! -e x.html ] || return 1
	done
	! "$program" rings "$samples/allocinfo-6.12" -r x.svg --source-url 'https://h/{file}' 2>said &&
		grep >/dev/null 'source-url needs -r FILE.html' said
}

# Several inputs: each time of the page is its own report, in the order of their times.
times_agree() {
	local i name
	for i in 1 2 3 4; do
		awk -v i=$i '!/^ *[0-9]/ { print; next } { n++ } n % 9 == i { next }
			{ $1 = n % 3 == 1 ? $1 * i : n % 3 == 2 ? int($1 / i) : $1 } { print }' "$samples/allocinfo-6.12" >t$i
		touch -d "2026-11-25 0$((9 - i)):00:00 UTC" t$i
	done
	"$program" rings t1 t2 t3 t4 -r page.html 2>said
	grep >/dev/null 'in the order of their times' said && "$here/page.py" check page.html || return 1
	"$here/page.py" times page.html >got
	for i in 4 3 2 1; do
		printf '%s000\tt%s\t0\t0\n' "$(date -d "2026-11-25 0$((9 - i)):00:00 UTC" +%s)" $i
	done | diff - got || return 1
	for i in 0 1 2 3; do
		name=t$((4 - i))
		"$here/page.py" rows page.html dir $i | awk -F'\t' '
			$2 == "file" && $4 { print $1 "\t" $3 "\t" $4 }' | sort >got
		report_of $name --by file | awk -F'\t' '$3' | diff - got || return 1
	done
	[ "$(wc -l <got)" -gt 100 ]
}

# Which events the newest input did not count is a fact of the page, wherever it stands on the command line.
newest_losses() {
	local order

	sed 's/^frees of unknown objects: .*/frees of unknown objects: 4711/' "$data/small.account" >newest
	cp "$data/small.account" oldest
	touch -d '2026-11-25 08:00:00 UTC' oldest && touch -d '2026-11-25 09:00:00 UTC' newest
	for order in "newest oldest" "oldest newest"; do
		# shellcheck disable=SC2086 # two words
		"$program" rings $order -r "page-${order%% *}.html" 2>/dev/null || return
	done
	"$here/page.py" facts page-newest.html | grep >/dev/null "^frees of unknown objects$(printf '\t')4711$" || return
	cmp page-newest.html page-oldest.html
}

# Times that stand still keep the order of the command line; an input without one brings no clock.
times_stand() {
	touch -d '2026-11-25 08:00:00 UTC' t1 t2 t3
	"$program" rings t3 t1 t2 -r page.html 2>said && [ ! -s said ] &&
		[ "$("$here/page.py" times page.html | cut -f 2 | paste -sd ' ')" = "t3 t1 t2" ] || return 1
	"$program" rings t1 - <t2 -r page.html 2>said &&
		grep >/dev/null 'kmem-account: standard input: no time in this input; the page shows all inputs' said &&
		[ "$("$here/page.py" times page.html | cut -f 1 | paste -sd ' ')" = "0 0" ] || return 1
	"$program" rings t1 "$samples/account-6.1" -r page.html 2>/dev/null &&
		[ "$("$here/page.py" rows page.html | cut -f 1 | sort -u)" = current_dynamic ] || return 1
	! "$program" rings "$samples/sites-stack-6.1" t1 --by stack -r x.html 2>said && [ ! -e x.html ] &&
		grep >/dev/null -x 'kmem-account: rings: --by stack takes one input' said || return 1
	! "$program" rings t1 t2 -r x.svg 2>said && grep >/dev/null 'several inputs need -r FILE.html' said
}

# One input of several that is corrupt, truncated or no account costs that input, and the page counts it.
times_damaged() {
	{ head -n 5 t1 && printf '       40960        1 fs/xfs/xfs_log.c:12'; } >torn && echo text >other && touch -d '2026-11-25 08:00:00 UTC' t1 t2 torn other
	"$program" rings t1 torn other t2 -r page.html 2>said || { cat said; return 1; }
	cat said
	[ "$(wc -l <said)" = 2 ] && grep >/dev/null 'torn:.*truncated.*; this input is left out' said &&
		grep >/dev/null 'other:.*unknown type of input.*; this input is left out' said &&
		[ "$("$here/page.py" times page.html | cut -f 2 | paste -sd ' ')" = "t1 t2" ] &&
		"$here/page.py" facts page.html | grep >/dev/null -x 'Damaged files	2' || return 1
	"$program" rings t1 t2 -r page.html && ! "$here/page.py" facts page.html | grep 'Damaged' || return 1
	# one is left, whose time is known; the one without a time is named although another one was left out
	"$program" rings torn t2 -r page.html 2>said && "$here/page.py" check page.html &&
		[ "$("$here/page.py" times page.html | cut -f 2)" = t2 ] || return 1
	"$program" rings torn t1 - <t2 -r page.html 2>said &&
		grep >/dev/null 'kmem-account: standard input: no time in this input' said || { cat said; return 1; }
	# all, or the name of one: no page
	! "$program" rings torn other -r x.html 2>said && [ ! -e x.html ] &&
		grep >/dev/null -x 'kmem-account: rings: all inputs are corrupt, truncated, or not accounts' said &&
		! "$program" rings t1 nosuch -r x.html 2>said && [ ! -e x.html ] &&
		grep >/dev/null -x 'kmem-account: nosuch: cannot open: No such file or directory' said
}

same_again() {
	page "$samples/allocinfo-6.12" && mv page.html first.html && page "$samples/allocinfo-6.12" &&
		cmp first.html page.html
}

ktap_plan 29
ktap "policy, hashes, no way out" well_made
ktap "files as the report has them" files_agree
ktap "callers as the report has them" callers_agree
ktap "an input that knows files" allocinfo_agrees
ktap "static sizes with a built tree" static_too
ktap "what an input does not have is absent" absent
ktap "hostile names are data" hostile_names
ktap "twelve levels" deep
ktap "all but one node gathered" folded 1
ktap "50 nodes" folded 50
ktap "300 nodes" folded 300
ktap "a branch" branch
ktap "--plain" plain
ktap "40,000 functions, all metrics: at most 1.5 MB" size
ktap "a comparison: each side as its report has it" comparison
ktap "a comparison of call sites alone" comparison_of_callers
ktap "a comparison of which much is gathered" comparison_gathered
ktap "a comparison of two built trees" comparison_of_trees
ktap "by module, cache and subsystem as the reports have them" groups_agree
ktap "by module, and much is gathered" groups_gathered
ktap "by cgroup and by stack: numbers of their own" groups_own
ktap "lines and inlined functions as addr2line has them" lines_agree
ktap "links to a source browser: what a template may be" source_urls
ktap "several inputs: each time is its own report" times_agree
ktap "losses are those of the newest input" newest_losses
ktap "times that stand still, or are not known" times_stand
ktap "several inputs of which some are damaged" times_damaged
ktap "the same from run to run" same_again
ktap "a file that cannot be written is no page" bash -c \
	"! '$program' rings '$data/small.account' -r nosuch/dir/x.html 2>/dev/null"
ktap_end
