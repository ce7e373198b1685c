#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The main job, end to end: set up, build, boot Debian's own kernel with the
# module, run a workload, and show its memory by owner.
#
# Results are in out/demo (O= for another place than out).  SMP is the number of
# the guest's CPUs, 2 by default.  Installs missing packages (it names them
# first) and fetches the kernel and its debug symbols into the cache; it loads
# nothing into the running kernel.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
top=$(cd "$here/../.." && pwd)
# shellcheck source=scripts/lib.sh
. "$top/scripts/lib.sh"

cd "$top"
O=${O:-out}
demo=$O/demo
host=$O/host/kmem-account
smp=${SMP:-2}

# Files on it are the workload's; run.sh drops what the guest changes.
make_disk() {
	rm -f "$O/demo.ext4"
	truncate -s 96M "$O/demo.ext4"
	PATH=$PATH:/sbin:/usr/sbin mke2fs -q -t ext4 -F "$O/demo.ext4"
}

build() {
	# not make host, which would install what PNG needs
	make --no-print-directory -C host O="$(mkdir -p "$O" && cd "$O" && pwd)/host"
	"$top/scripts/module.sh" build stock "$O/module" Kbuild module >"$O/module.folder"
}

fetch() { "$top/tests/qemu/kernel.sh" dir "$1" >"$O/$1.folder"; }

boot() {
	"$here/../qemu/run.sh" --script "$here/guest.sh" --out "$demo/guest" \
		--smp "$smp" --mem 1024 --modules loop --timeout 1800 \
		--kernel "$(cat "$O/image.folder")" --disk "$O/demo.ext4" \
		--file "$(cat "$O/module.folder")/module/kmem_account.ko"
}

# The debug symbols of modules are found beside those of the kernel.
report() {
	"$host" report -f "$demo/kmem_account" --vmlinux "$vmlinux" --by dir "$@"
}

can_png() { "$host" --version | grep -v 'cairo missing' >/dev/null; }

charts() {
	local kind

	for kind in rings treemap icicle; do
		"$host" $kind -f "$demo/kmem_account" --vmlinux "$vmlinux" -r "$demo/$kind.svg"
		! can_png || "$host" $kind -f "$demo/kmem_account" --vmlinux "$vmlinux" -r "$demo/$kind.png"
	done
	"$host" rings -f "$demo/kmem_account" --vmlinux "$vmlinux" -r "$demo/memory.html"
}

# Call sites, live bytes, and the share of bytes that has a directory.  Rows that
# have none are named in parentheses.
summary() {
	local sites bytes

	sites=$(sed -n 's/^number of callers: *//p' "$demo/kmem_account")
	bytes=$(sed -n 's/^total bytes allocated: *//p' "$demo/kmem_account")
	awk -F, -v sites="$sites" -v bytes="$bytes" '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == "current_dynamic") column = i; next }
	$1 ~ /^"?[(\[]/ { without += $column }
	{ all += $column }
	END {
		# rounded down: 100.00 is all of them
		share = all ? int(10000 * (all - without) / all) / 100 : 0
		printf "%d call sites, %d bytes live, %.2f %% of them with a directory\n",
			sites, bytes, share
	}' "$demo/report.csv"
}

start=$SECONDS
mkdir -p "$O"
"$top/scripts/setup.sh" build demo
say "kmem-account demo: Debian's kernel, $smp CPUs"
step "host program and module" build
step "kernel $("$top/tests/qemu/kernel.sh" release)" fetch image
step "its debug symbols" fetch dbg
step "ext4 image" make_disk
mkdir -p "$demo"
step "guest: workload and account" boot
find "$demo/guest" -maxdepth 1 -type f ! -name '*.log' ! -name dmesg.txt \
	-exec cp -f {} "$demo/" \;
vmlinux=$(find "$(cat "$O/dbg.folder")/usr/lib/debug/boot/" -name 'vmlinux-*')
step "report by directory" report -O "$demo/report.txt"
step "the same for machines" report --format csv -O "$demo/report.csv"
step "charts" charts
echo
report --top 10
echo
summary
cat <<END
Account:  $demo/kmem_account  (slabinfo and meminfo of the same moment beside it)
Report:   $demo/report.txt
Charts:   $demo/rings.svg, treemap.svg, icicle.svg$(! can_png || echo ", the same as .png"); memory.html
Log:      $demo/guest/console.log
Done in $((SECONDS - start)) s.
END
