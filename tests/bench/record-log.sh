#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A real ftrace log, recorded in a VM: prints its path.
#
#	record-log.sh [KERNEL [EVENTS [KIND]]]	6.1, 5000000, slab
#
# KIND slab has the events of kmalloc, the caches and their frees; pages has those of
# pages and per-CPU memory, too, each event with its stack. The text is that of
# trace_pipe; in front of it stands the header of the file trace. There are EVENTS of
# them or a little more, and none was lost.
#
# Logs are kept below the cache, by kernel and by the content of what records them.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

kernel=${1-6.1}
events=${2-5000000}
kind=${3-slab}
cpus=2

image=$(tests/qemu/kernel.sh dir image "$kernel")
key=$(cat "${BASH_SOURCE[0]}" "$here/record-log.guest" | sha256sum | cut -c 1-12)
cache=$(cache_dir)/logs
log=$cache/$(tests/qemu/kernel.sh release "$kernel")-$kind-$events-$key.log
if [ ! -e "$log" ]; then
	mkdir -p "$cache"
	work=$(mktemp -d "$cache/.record.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	# the text is in the guest's memory first
	[ "$kind" = slab ] && each=200 || each=2000
	mib=$((events * each / 1048576 + 64))
	printf 'events=%s\nkind=%s\n' "$events" "$kind" >"$work/want"
	tests/qemu/run.sh --script "$here/record-log.guest" --kernel "$image" \
		--smp "$cpus" --append nosoftlockup --mem $((mib + 1024)) --out-size "${mib}M" --timeout 3600 \
		--file "$work/want" --out "$work/guest" >&2
	mv "$work/guest/log" "$log"
fi
echo "$log"
