#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Who may read the module's files, see addresses in them, and write commands: every
# attempt of users with and without capabilities in a stock kernel (access.c is the
# program that takes their identity). Then the answers of the host program: they are the
# same for captures with and without addresses.
#
#	access.sh [CPUS [KERNEL]]	2 CPUs, the stock kernel
#
# Answers by line, file and directory need debug symbols, which are large. They are
# compared for the stock kernel only.
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of access 2 "$@"
program=${KMEM_ACCOUNT:-${O:-$PWD/out}/host/kmem-account}
known=$(known_ko)
image=$(tests/qemu/kernel.sh dir image ${kernel:+"$kernel"})
attributes='caller'
vmlinux=()
if [ -z "$kernel" ]; then
	attributes='caller function module line file dir'
	vmlinux=(--vmlinux "$(debug_vmlinux)")
fi
loop=$(find "$image/lib/modules" -name 'loop.ko*')
case $loop in
*.xz)	xz -dc "$loop" >"$out/loop.ko"; loop=$out/loop.ko ;;
esac
gcc -static -O2 -Wall -Wextra -Werror -o "$out/access" "$here/access.c"

guest "$cpus" "$here/access.guest" "$out" --file "$out/access:/access" \
	--file "$(module_ko)" --file "$known" --file "${known%/*}/kma_aged.ko" \
	--file "$loop:/loop.ko"

# same_answers ATTRIBUTE: the reports of both captures are the same
same_answers() {
	local kind

	for kind in shown hidden; do
		"$program" report "$out/guest/sites.$kind" "${vmlinux[@]}" --by "$1" \
			--format csv >"$out/$kind.$1.csv" || return
	done
	wc -l "$out/shown.$1.csv"
	[ "$(wc -l <"$out/shown.$1.csv")" -gt 3 ] &&
		cmp "$out/shown.$1.csv" "$out/hidden.$1.csv"
}

# The captures differ in the column of addresses alone, and they differ in each row.
captures() {
	awk -F'\t' '
		/^kmem_account|^#/ { next }
		FILENAME ~ /hidden$/ && $2 != "0x0" { print; bad = 1 }
		FILENAME ~ /shown$/ && $1 && $2 !~ /^0xff/ { print; bad = 1 }
		{ rows++ }
		END { exit bad || rows < 100 }' "$out"/guest/sites.{hidden,shown} &&
		cmp <(cut -f 1,3- "$out/guest/sites.hidden") <(cut -f 1,3- "$out/guest/sites.shown")
}

read -ra words <<<"$attributes"
guest_results "$out/guest/ktap" && ktap_plan $((1 + ${#words[@]})) || exit 1
ktap "captures with and without addresses differ in nothing else" captures
for word in "${words[@]}"; do
	ktap "report --by $word answers the same without addresses" same_answers "$word"
done
ktap_end
