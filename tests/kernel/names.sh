#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kmem-account names in a stock kernel: the objects of names.c by their patterns, and what the kernel itself
# says of them; the same while files are renamed and removed.
#
#	names.sh [CPUS [KERNEL [RUNS [PINS]]]]	2 CPUs, the stock kernel, 5 runs under a storm; 2 dead cgroups for each
#						way to hold one (12: 108 in all)
#
# KTAP on stdout; what is made goes below O.
set -euo pipefail
# shellcheck source=tests/kernel/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/ktap.sh
. tests/ktap.sh

guest_of names 2 "${1-}" "${2-}"
program=${KMEM_ACCOUNT:-${O:-out}/host/kmem-account}
gcc -static -O2 -Wall -Wextra -Werror -o "$out/names" "$here/names.c"
truncate -s 128M "$out/ext4"
PATH=$PATH:/sbin:/usr/sbin mke2fs -q -F -t ext4 -N 20000 "$out/ext4"
echo 60000 >"$out/plan"
echo "${3:-5}" >"$out/runs"
echo "${4:-2}" >"$out/pins"
files=(--file "$program:/kmem-account" --file "$out/names:/names" --file "$out/plan:/plan" --file "$out/runs:/runs" --file "$out/pins:/pins")
libraries_of "$program"
guest "$cpus" "$here/names.guest" "$out" --timeout $((1800 + 40 * ${3:-5})) --modules ext4 --disk "$out/ext4" "${files[@]}"
rm -f "$out/ext4"
cp "$out/plan" "$out/runs" "$out/pins" "$out/guest/"

cases=(sample all storm inode tasks sockets cgroups pins kernfs nets bpf)
ktap_plan "${#cases[@]}"
for case in "${cases[@]}"; do
	ktap "$case" python3 "$here/names.py" "$out/guest" "$case"
done
ktap_end
