#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# lost and why answer from a file of kmem-account scan. The file is of a made machine, and each answer is
# known beforehand: losses of three call sites of a made kernel, whose lines addr2line has, too; a chain
# of objects below a variable; what roots retain.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
fixture mktree.sh "$work/mini" >/dev/null
vmlinux=$work/mini/debug/boot/vmlinux-6.1.0-mini
nm -n "$vmlinux" >symbols
spans symbols | sort >sizes

# caller FUNCTION: as in an account
caller() { awk -v name="$1" '$1 == name { printf "%s+0x4/0x%x", $1, $3 }' sizes; }

# place FUNCTION: "FILE,LINE" of its call, by addr2line
place() {
	local addr
	addr=$(awk -v name="$1" '$3 == name { print $1 }' symbols)
	addr2line -e "$vmlinux" "$(printf '%x' $((0x$addr + 3)))" | sed 's/.*\/tree\///; s/:\([0-9]*\).*/,\1/'
}

alpha=$(caller alpha_inode_alloc) beta=$(caller beta_inode_alloc) slab=$(caller slab_alloc)
unseen='hsc_msg_alloc+0x10/0x40 [hsi_char]'
before=ffff888000001000

# made ADDRESSES: a scan, with addresses or without
made() {
	local a='' i
	printf 'kmem_account scan 1\nkernel\trelease\t6.1.0-mini\n'
	awk '{ printf "place\t-\t-\t-\t%s+0x4/0x%x\n", $1, $3 }' sizes
	printf 'note\tthis is a made machine\n'
	printf 'site\t%s\t%s\n' 1 "$alpha" 2 "$beta" 3 "$slab" 4 "$unseen"
	printf 'root\t0\tvariable table [foo_mod]\nroot\t2\ttask 7 (sh) stack\n'
	# one object of alpha holds a list of three of beta, each of which holds one of slab at 16
	for i in 0 1 2 3 4 5 6; do
		[ -z "$1" ] || a=$(printf '\t%x' $((0x$before + 256 * i)))
		case $i in
		0) printf 'object\t1\t64\t-\t0\t8%s\n' "$a" ;;
		1) printf 'object\t2\t32\t0\t-\t24%s\n' "$a" ;;
		[23]) printf 'object\t2\t32\t%s\t-\t0%s\n' $((i - 1)) "$a" ;;
		*) printf 'object\t3\t128\t%s\t-\t16%s\n' $((i - 3)) "$a" ;;
		esac
	done
	# one by the stack, one by nothing
	[ -z "$1" ] || a=$(printf '\t%x' $((0x$before + 256 * 7)))
	printf 'object\t3\t128\t-\t1\t-%s\n' "$a"
	[ -z "$1" ] || a=$(printf '\t%x' $((0x$before + 256 * 8)))
	printf 'object\t3\t128\t-\t-\t-%s\n' "$a"
	printf 'edge\t1\t24\t2\t1\nedge\t2\t0\t2\t2\nedge\t2\t16\t3\t3\nlive\t20\t9\t800\n'
	printf 'retained_root\t544\t7\t1\t0\tvariable table [foo_mod]\nretained_root\t128\t1\t1\t0\ttask 7 (sh) stack\n'
	printf 'retained_root\t128\t1\t-\t0\tnothing\n'
	printf 'retained_caller\t640\t5\t5\t640\t%s\nretained_caller\t544\t7\t1\t64\t%s\n' "$slab" "$alpha"
	printf 'pass\t20\t3\t4\t6\t100\t50\t0\t1000000\n'
	printf 'lost\t2\t5\t256\t4000000000\t2\t%s\nlost\t1\t3\t32\t-\t0\t%s\n' "$slab" "$beta"
	printf 'unseen\t6\t6\t600\t-\t6\t%s\tby the page and the offset in a scatterlist\tdrivers/a.c:1\tkmemleak_ignore()\n' "$unseen"
	printf 'lost_object\t3\t128\t1\t-\t-\n'
}
ended() { cat && printf 'end\t%s\n' "$1"; }
made '' >body && ended "$(wc -l <body)" <body >scan
made 1 >body && ended "$(wc -l <body)" <body >addresses
gzip -k scan

# says COMMAND...: the output is that of the standard input, from the file and from the compressed one
says() {
	cat >want
	for file in scan scan.gz addresses; do
		"$program" "$@" "$file" >got 2>said || { cat said; return 1; }
		diff want got && diff said - <<<"kmem-account: $1: this is a made machine" || return
	done
}

lost() {
	says lost --format csv <<-END
		caller,lost,live,bytes,oldest_ns,file,line,head,type
		$slab,2,5,256,4000000000,,,2,
		$beta,1,3,32,,,,0,
		[held in a way that a scan cannot see],0,6,0,,,,0,
	END
}

lines() {
	says lost --format csv --vmlinux "$vmlinux" <<-END
		caller,lost,live,bytes,oldest_ns,file,line,head,type
		$slab,2,5,256,4000000000,$(place slab_alloc),2,
		$beta,1,3,32,,$(place beta_inode_alloc),0,
		[held in a way that a scan cannot see],0,6,0,,,,0,
	END
	cat want && [[ $(place slab_alloc) =~ ^mm/slab.c,[1-9] ]]
}

sentences() {
	"$program" lost scan --vmlinux "$vmlinux" --all >got 2>/dev/null && cat got &&
		grep -qxF "2 of 5 objects of slab_alloc() ($(place slab_alloc | tr , :)) have no reference left in the kernel." got &&
		grep -q '^1 of 3 objects of beta_inode_alloc() .* has only references from other lost objects\.$' got &&
		grep -qxF '6 objects of hsc_msg_alloc() are held by the page and the offset in a scatterlist (drivers/a.c:1; kmemleak_ignore()).' got
}

status() {
	local code=0
	"$program" lost scan --fail-on lost >/dev/null 2>&1 || code=$?
	[ "$code" -eq 3 ]
}

why() {
	says why slab_alloc --format csv <<-END
		depth,objects,share,holder,offset,field,root
		0,5,100.000000,slab_alloc,,,
		1,3,60.000000,$beta,16,,
		2,2,40.000000,list of 2 through offset 0,0,,
		3,2,40.000000,$alpha,24,,
		4,2,40.000000,,8,,variable table [foo_mod]
		2,1,20.000000,$alpha,24,,
		3,1,20.000000,,8,,variable table [foo_mod]
		1,1,20.000000,,,,task 7 (sh) stack
		1,1,20.000000,nothing,,,
	END
}

from() {
	says why --from foo_mod --format csv <<-END
		depth,objects,share,holder,offset,field,root
		0,7,100.000000,,,,foo_mod
		1,7,100.000000,$alpha,,,
		2,6,85.714286,$beta,,,
		3,3,42.857143,$slab,,,
	END
}

# A chain of a million objects of six call sites in turns, of which each object has the whole chain
# before it above it: work for each object that grows with its depth would take many minutes.
long() {
	{
		printf 'kmem_account scan 1\n'
		printf 'site\t%s\t%s+0x1/0x2\n' 1 a 2 b 3 c 4 d 5 e 6 f
		printf 'root\t0\tvariable table [foo_mod]\n'
		awk 'BEGIN {
			print "object\t1\t64\t-\t0\t8"
			for (i = 1; i < 1000000; i++) printf "object\t%d\t64\t%d\t-\t8\n", i % 6 + 1, i - 1
		}'
		printf 'live\t1000000\t1000000\t64000000\n'
	} >body
	ended "$(wc -l <body)" <body >chain
	timeout 120 "$program" why --from foo_mod --depth 3 --format csv chain >got 2>said || { cat said; return 1; }
	diff got - <<-END
		depth,objects,share,holder,offset,field,root
		0,1000000,100.000000,,,,foo_mod
		1,1000000,100.000000,a+0x1/0x2,,,
		2,999999,99.999900,b+0x1/0x2,,,
		3,999998,99.999800,c+0x1/0x2,,,
	END
}

retained() {
	says why --retained root --format csv <<-END
		root,retained,objects,direct
		variable table [foo_mod],544,7,1
		task 7 (sh) stack,128,1,1
		nothing,128,1,
	END
	says why --retained caller --format csv <<-END
		caller,retained,objects,live,bytes
		$slab,640,5,5,640
		$alpha,544,7,1,64
	END
}

address() {
	"$program" why "$(printf '%x' $((0x$before + 256 * 4 + 8)))" addresses --format csv 2>/dev/null | tee got | sed 1,2d | diff - <(
		printf '%s\n' "1,1,100.000000,$beta,16,," "2,1,100.000000,$alpha,24,," '3,1,100.000000,,8,,variable table [foo_mod]'
	)
}

# refused STATUS SENTENCE ARGUMENT...
refused() {
	local code=0
	"$program" "${@:3}" >got 2>said || code=$?
	[ "$code" -eq "$1" ] && [ ! -s got ] && diff said - <<<"kmem-account: $2"
}

refusals() {
	local no='lost: --workload, --passes, --between, --before and --no-age need the running kernel'
	refused 1 'why: the scan has no addresses; make it with --addresses' why "$before" scan &&
		refused 1 'no live object has this address' why fffffffffffffff0 addresses &&
		refused 2 "$no" lost scan --passes 2 && refused 2 "$no" lost scan --no-age &&
		refused 2 "$no" lost scan --between 1 && refused 2 "$no" lost --workload true scan &&
		refused 2 "lost: unexpected argument 'scan'" lost scan scan &&
		refused 2 'scan: give --output FILE and no argument' scan || return
	head -n 5 scan >short
	sed 's/^object\t2\t32\t0/object\t2\t32\t7/' scan >bad
	refused 1 "short:6: truncated: the line 'end' is missing" lost short &&
		refused 1 "bad:$(awk '/^object\t2\t32\t7/ { print NR }' bad): invalid number '7'" lost bad
}

# A bundle carries a scan, as it is; lost and why answer from the bundle.
bundled() {
	local no='--no-addresses cannot remove what is in this scan; make one without --addresses and --content' name

	mkdir -p root/proc root/sys/kernel/debug/kmem_account
	cp "$data/readers/snapshot-cgroups-6.1" root/sys/kernel/debug/kmem_account/snapshot
	for name in version meminfo slabinfo zoneinfo vmstat modules kmem_account; do : >"root/proc/$name"; done
	"$program" bundle --root root -O none 2>/dev/null &&
		refused 1 'none: no scan in this snapshot or bundle; kmem-account bundle --scan FILE adds one' lost none || return
	for name in scan scan.gz addresses; do
		"$program" bundle --root root --scan "$name" -O b 2>/dev/null || return
		sed '1,/^== scan$/d; /^== /,$d' b | cmp - "${name%.gz}" && [ "$(stat -c %a b)" = 600 ] || return
		for args in "lost --format csv" "why slab_alloc --format csv" "why --retained root --format csv"; do
			# shellcheck disable=SC2086 # words
			"$program" $args "$name" >want 2>/dev/null && "$program" $args b >got 2>said && cmp want got &&
				grep -q ': this is a made machine$' said || return
		done
		"$program" report b --by caller --format csv >got && "$program" report none --by caller --format csv | cmp - got || return
	done
	"$program" bundle --root root --scan scan --no-addresses -O b 2>/dev/null && "$program" lost b >/dev/null 2>&1 || return
	for name in addresses content; do
		sed 's/^\(lost_object.*\)-$/\100112233445566778899aabbccddeeff/' scan >content
		refused 1 "$name: $no" bundle --root root --scan "$name" --no-addresses -O no && [ ! -e no ] || return
	done
	sed '/^end/d; s/^kernel\trelease.*/&\nkernel\tboot_id\t11111111-2222-3333-4444-555555555555/' scan >body
	ended "$(wc -l <body)" <body >other
	"$program" bundle --root root --scan other -O b 2>said && cat said &&
		grep -qx 'kmem-account: bundle: other is of another machine or boot than the snapshot' said || return
	# what is no scan, or damaged
	head -n 5 scan >short
	refused 1 "short:6: truncated: the line 'end' is missing" bundle --root root --scan short -O no &&
		refused 1 'b: a bundle, not a file of kmem-account scan' bundle --root root --scan b -O no && [ ! -e no ] || return
	head -c -7 b >cropped && refused 1 "cropped:$(($(wc -l <cropped) + 1)): truncated: no line '== end'" lost cropped || return
	{ sed '/^== end$/d' b; sed '1,/^== modules$/d' b | sed -n '/^== scan$/,$p'; } >twice
	refused 1 "twice:$(grep -n '^== scan$' twice | tail -n 1 | cut -d: -f1): section 'scan' occurs twice" lost twice
}

ktap_plan 11
ktap "lost" lost
ktap "lost with file and line" lines
ktap "sentences" sentences
ktap "exit status" status
ktap "why" why
ktap "why --from" from
ktap "why --from of a long chain" long
ktap "why --retained" retained
ktap "why ADDRESS" address
ktap "what is refused" refusals
ktap "in a bundle" bundled
ktap_end
