#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# allocinfo.py on made-up readings: does it say of each line that it differs? The call sites are those of a
# source file of four functions; nm and addr2line are scripts that know them.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/ktap.sh
. "$here/../ktap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

mkdir -p bin got tree/build tree/mm
touch tree/build/vmlinux
printf '%s\n' '#!/bin/sh' 'echo "ffffffff81000000 T _stext"' >bin/nm
cat >bin/addr2line <<'EOF'
#!/bin/sh
while read -r address; do
	echo "$address"
	case $address in
	*0f) printf 'one\nmm/made.c:2\n' ;;
	*1f) printf 'mempool_init_node\nmm/made.c:4\n' ;;
	esac
done
EOF
chmod +x bin/*
PATH=$work/bin:$PATH
cat >tree/mm/made.c <<'EOF'
{
	a = kmalloc(1);
	{
	b = element(2);
	c = alloc_pages(3);
	d = ODD_MACRO(4);
	e = mempool_init(5);
EOF

# reading NAME ONE POOL: bytes of the call sites of the account, each of 10 objects; 0: it does not have the site
sites() {
	printf 'kmem_account sites 1\n# caller\tfile\toffset\tcache\tallocs\tfrees\ttotal\n'
	[ "$2" = 0 ] || printf 'one\tvmlinux\t0x10\tkmalloc-8\t12\t2\t%s\n' "$2"
	[ "$3" = 0 ] || printf 'pool\tvmlinux\t0x20\tkmalloc-8\t10\t0\t%s\n' "$3"
} >"got/1.$1"

# round ONE POOL TRUE_ONE TRUE_POOL ODD: bytes in the account, then in /proc/allocinfo; objects are 10 or none
round() {
	sites before "$1" "$2"
	sites after "$1" "$2"
	{
		printf 'allocinfo - version: 1.0\n#     <size>  <calls> <tag info>\n'
		printf '%d %d mm/made.c:%d func:%s\n' "$3" $(($3 ? 10 : 0)) 2 one "$4" $(($4 ? 10 : 0)) 7 pool_user \
			4096 1 5 pages "$5" $(($5 ? 10 : 0)) 6 odd 0 0 6 nothing
	} >got/1.allocinfo
}

# says STATUS FIRST SECOND ROUND...: the exit status, and the results of lines and sums
says() {
	local status=$1 lines=$2 sums=$3 got=0
	shift 3

	round "$@"
	"$here/allocinfo.py" got tree/build >said || got=$?
	cat said
	[ "$got" = "$status" ] && grep -q "^$lines 1 each line" said && grep -q "^$sums 2 each sum" said
}

lacking_line() {
	says 1 "not ok" ok 80 160 80 160 64 && grep -q '^# mm/made.c:6 odd: 10 objects, 64 bytes there; 0 objects, 0 bytes here' said
}

ktap_plan 6
ktap "both agree" says 0 ok ok 80 160 80 160 0
ktap "a line differs" says 1 "not ok" ok 80 160 88 160 0
ktap "the account lacks a line" lacking_line
ktap "a sum differs" says 1 ok "not ok" 80 160 80 168 0
ktap "only the account has a sum" says 1 ok "not ok" 80 160 80 0 0
ktap "only /proc/allocinfo has a sum" says 1 ok "not ok" 80 0 80 160 0
ktap_end
