# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What the tests of the host program share; sourced. Gives $program, $data, $work
# (removed at exit) and the functions below, and sources ../ktap.sh.

export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/ktap.sh
. "$here/../ktap.sh"
# shellcheck disable=SC2034 # for those who source this
data=$(cd "$here/../data" && pwd)
out=${O:-$here/../../out}
program=${KMEM_ACCOUNT:-$out/host/kmem-account}
if [ ! -x "$program" ]; then
	echo "no program $program: make host, or set KMEM_ACCOUNT" >&2
	exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# tables of inlines are kept there, not in the folder of whoever runs the tests
export XDG_CACHE_HOME=$work/cache XDG_CONFIG_HOME=$work/config

# a python3 that starts faster
PATH=$here/bin:$PATH

# fixture SCRIPT DIR [ARGUMENT...]: make DIR by tests/data/SCRIPT, which gets DIR and the arguments, once for
# each script, arguments, DEBUG, CC and compilers: later runs unpack what is kept in $out/fixtures. What an older
# script or older compilers made for the same arguments is removed.
# Debugging information and .cmd files name DIR. So a file that is kept begins with the name
# that its DIR had. The new name replaces it, and has as many bytes, so all offsets stay.
fixture() {
	local name=$1 script=$data/$1 dir made what key kept
	local -a tools

	rm -rf "$2"
	mkdir -p "$2"
	dir=$(cd "$2" && pwd)
	shift 2
	# all of a name in PATH: the first may be ccache
	mapfile -t tools < <(type -ap "${CC:-gcc}" clang as {,{aarch64,s390x}-linux-gnu-,arm-linux-gnueabihf-}{ld,ar,objcopy})
	what=$(printf '%s\n' "$name" "${CC-}" "${DEBUG-}" ${#dir} "$@" | sha256sum)
	key=$({ cat "$script"; stat -L -c '%n %s %Y' "${tools[@]}"; } | sha256sum)
	kept=$out/fixtures/${what:0:16}.${key:0:16}
	if [ -e "$kept" ]; then
		{ IFS= read -r made; sed "s|$(regex "$made")|$(replacement "$dir")|g" | (cd "$dir" && tar -xf -); } <"$kept"
		return
	fi
	"$script" "$dir" "$@" || return
	mkdir -p "$out/fixtures"
	made=$out/fixtures/.$$.${kept##*/}
	{ printf '%s\n' "$dir"; (cd "$dir" && tar -cf - .); } >"$made" || return
	rm -f "$out/fixtures/${what:0:16}".*
	mv "$made" "$kept"
}

# regex TEXT, replacement TEXT: TEXT for both sides of s|||, so that each character stands for itself
# shellcheck disable=SC2001 # "&" in the replacement of ${//} depends on the version of bash
regex() { sed 's/[][\\.*^$|]/\\&/g' <<<"$1"; }
# shellcheck disable=SC2001
replacement() { sed 's/[\\&|]/\\&/g' <<<"$1"; }

# header TOTAL REQ SLACK ALLOCS FREES CALLERS: the head of an account
header() {
	printf '%s: %11s\n' \
		"total bytes allocated" "$1" "total bytes requested" "$2" \
		"slack bytes allocated" "$3" "number of allocs" "$4" \
		"number of frees" "$5" "number of callers" "$6" \
		"frees of unknown objects" 12 "implied frees" 3
	printf 'events not recorded:   %12s\n\n   total    slack      req alloc/free  caller\n' 0
}

# account_of FILE: rows "total slack req alloc free caller" with their header
account_of() {
	# shellcheck disable=SC2046 # six numbers
	header $(awk '{ t += $1; s += $2; r += $3; a += $4; f += $5 }
		END { printf "%d %d %d %d %d %d", t, r, s, a, f, NR }' "$1")
	awk '{ caller = $6; for (i = 7; i <= NF; i++) caller = caller " " $i
		printf "%8d %8d %8d %5d/%-5d  %s\n", $1, $2, $3, $4, $5, caller }' "$1"
}

# own_account: whether the module is loaded on this machine and readable; a command without an account
# then shows this machine's
own_account() {
	[ -r /sys/kernel/debug/kmem_account/snapshot ] || [ -r /sys/kernel/debug/kmem_account/sites ] ||
		[ -r /proc/kmem_account ]
}

# spans FILE: "name address span" of each function, from an nm -n listing; the
# span is what kallsyms, and so %pS, takes for the size
spans() {
	awk '{ addr[NR] = $1; type[NR] = $2; name[NR] = $3 }
	END {
		for (i = NR; i >= 1; i--) {
			if (i < NR && addr[i] != addr[i + 1]) next_addr = addr[i + 1]
			if (type[i] ~ /^[tT]$/ && next_addr != "" && name[i] != "_etext") print name[i], addr[i], next_addr
		}
	}' "$1" | while read -r name addr end; do
		echo "$name $((16#$addr)) $((16#$end - 16#$addr))"
	done
}

# sum COLUMN: of a csv on stdin, whose first field may be quoted
sum() {
	awk -F, -v n="$1" 'NR > 1 { s += $(NF - 5 + n) } END { print s + 0 }'
}

# appears FILE: within two minutes
appears() {
	for _ in $(seq 1200); do
		[ ! -e "$1" ] || return 0
		sleep 0.1
	done
	echo "no $1"
	return 1
}

# feed FIFO FILE: write FILE into FIFO, and keep that open
feed() {
	rm -f "$1.fed"
	{ cat "$2"; : >"$1.fed"; exec sleep 600; } >"$1"
}

# taken FIFO: wait until all that feed has written was read
taken() {
	python3 -c 'import array, fcntl, os, sys, termios, time
fd = os.open(sys.argv[1], os.O_RDONLY | os.O_NONBLOCK)
left = array.array("i", [0])
while True:
    fed = os.path.exists(sys.argv[1] + ".fed")
    fcntl.ioctl(fd, termios.FIONREAD, left)
    if fed and not left[0]:
        break
    time.sleep(0.05)' "$1"
}

# inline_allocators PLAIN ZEROED: C source of two functions of these names, which are inlined into
# their callers and allocate by slow_alloc()
inline_allocators() {
	cat <<-END
		extern void *slow_alloc(long size, int flags);
		static inline __attribute__((always_inline)) void *$1(long size)
		{
			if (size > 4096)
				return slow_alloc(size, 1);
			return slow_alloc(size + 8, 2);
		}

		static inline __attribute__((always_inline)) void *$2(long size)
		{
			char *p = $1(size);

			p[size - 1] = 0;
			return p;
		}
	END
}

# inlined: a vmlinux of one file, and an account with each of its calls
inlined() {
	inline_allocators kmalloc kzalloc >inline.c
	cat >>inline.c <<-'END'
		__attribute__((noinline)) void *slow_alloc(long size, int flags)
		{
			__asm__ volatile("" ::: "memory");
			return (void *)(size + flags);
		}
		__attribute__((noinline)) void *inode_alloc(long n)
		{
			return n > 7 ? kzalloc(n * 3) : kmalloc(n);
		}
		int _start(long n)
		{
			char *p = inode_alloc(n), *q = kzalloc(n + 1);

			return *p + *q;
		}
	END
	${CC:-gcc} -g -O1 -fno-pie -no-pie -ffreestanding -fno-optimize-sibling-calls -nostdlib -static \
		-Wl,--build-id inline.c -o vmlinux-1
	# each call: the address behind it, as symbol+offset
	objdump -d --no-show-raw-insn vmlinux-1 | awk '
		function number(hex,   i, n) { for (i = 1; i <= length(hex); i++) n = 16 * n + index("0123456789abcdef", substr(hex, i, 1)) - 1; return n }
		/^[0-9a-f]+ <.*>:$/ { base = number($1); sub(/^0+/, "", $1); name = substr($2, 2, length($2) - 3); called = 0; next }
		/^ *[0-9a-f]+:/ {
			at = number(substr($1, 1, length($1) - 1))
			if (called) printf "%d 1 %d 1 0 %s+0x%x\n", at % 1000 + 2, at % 1000 + 1, name, at - base
			called = $2 ~ /^(call|bl$)/
		}' >calls
	[ "$(wc -l <calls)" -gt 3 ]
	account_of calls >calls.account
}

# inlined_truth: of the calls of inlined, as addr2line has them: NAME+OFFSET<TAB>FUNCTION FILE:LINE > ...
# from the outer function to the inner one
inlined_truth() {
	awk '{ print $6 }' calls | while read -r call; do
		printf '%s\t' "$call"
		address=$(nm vmlinux-1 | awk -v name="${call%+*}" '$3 == name { print $1 }')
		addr2line -fi -e vmlinux-1 "$(printf '0x%x' $((16#$address + ${call#*+} - 1)))" | paste - - |
			sed 's| (discriminator [0-9]*)||; s|\t.*/|\t|' | tac | awk -F'\t' '
			{ printf "%s%s %s", (NR > 1 ? " > " : ""), $1, $2 } END { print "" }'
	done
}

# golden_setup: what golden.list speaks of. Sites of the made tree have the sizes
# that this compiler gave its functions, so only what shows no caller is recorded.
golden_setup() {
	# the last change of a file in a checkout is no one's business
	export SOURCE_DATE_EPOCH=1700000000
	fixture mktree.sh "$work/mini" >/dev/null
	nm -n "$work/mini/tree/vmlinux" >"$work/symbols"
	spans "$work/symbols" | sort | awk '{ i = NR * NR * 37
		printf "%d %d %d %d %d %s+0x1/0x%x\n", i + NR, NR, i, NR * 3, NR, $1, $3 }' >"$work/rows"
	echo "640 0 640 10 0 nosuch+0x1/0x20 [not_there]" >>"$work/rows"
	account_of "$work/rows" >"$work/mine.account"
}

# golden_make ARGUMENTS...: the output that a line of golden.list asks for
golden_make() {
	local args=() word

	for word in "$@"; do
		case $word in
		ACCOUNT)	args+=("$data/small.account") ;;
		MINE)		args+=("$work/mine.account") ;;
		VMLINUX)	args+=("$work/mini/debug/boot/vmlinux-6.1.0-mini") ;;
		TREE)		args+=("$work/mini/tree") ;;
		SVG)		args+=("$work/out.svg") ;;
		*)		args+=("$word") ;;
		esac
	done
	rm -f "$work/out.svg"
	"$program" "${args[@]}"
	[ ! -e "$work/out.svg" ] || cat "$work/out.svg"
}

# golden_each COMMAND: calls COMMAND NAME ARGUMENTS... for each line of golden.list
golden_each() {
	local name words

	while read -r name words; do
		case $name in
		'' | '#'*)	continue ;;
		esac
		# shellcheck disable=SC2086 # words
		"$1" "$name" $words
	done <"$here/golden.list"
}

# charge FILE: debugfs' cgroups, or a snapshot, with its last column: half of the bytes of each second row
# is charged. Older files lack the column.
charge() {
	awk -F '\t' -v OFS='\t' '/^== / { on = $0 == "== cgroups" } /^kmem_account cgroups/ { on = 1 }
		/^# id/ { on = 0 }
		on && /^# site/ { print $0, "charged"; next }
		on && /^[0-9]/ { n++; print $0, n % 2 ? 0 : int($5 / 2); next }
		{ print }' "$1"
}
