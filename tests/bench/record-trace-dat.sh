#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A real trace.dat of millions of events, recorded in a VM: prints its path.
#
#	record-trace-dat.sh [SECONDS]	of guest time; 240: some 2.7 million events of 6.1
#
# It is version 6; trace-cmd convert makes the others of it. Kept below the cache, by
# kernel and by the content of what records it.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$here/../.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh

seconds=${1-240}
image=$(tests/qemu/kernel.sh dir image 6.1)
key=$(sha256sum <"$here/record-trace-dat.guest" | cut -c 1-12)
cache=$(cache_dir)/logs
recording=$cache/$(tests/qemu/kernel.sh release 6.1)-$seconds-$key.dat
if [ ! -e "$recording" ]; then
	mkdir -p "$cache"
	work=$(mktemp -d "$cache/.record.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	echo "seconds=$seconds" >"$work/want"
	tool=$(command -v trace-cmd)
	files=(--file "$tool:/bin/trace-cmd" --file "$work/want")
	for lib in $(ldd "$tool" | grep -o '/lib[^ ]*'); do
		files+=(--file "$lib:$lib")
	done
	tests/qemu/run.sh --script "$here/record-trace-dat.guest" --kernel "$image" --smp 2 \
		--allow 'ring_buffer\.c:[0-9]+ ring_buffer_nr_dirty_pages' \
		--append nosoftlockup --mem 2560 --out-size 1500M --timeout 3600 \
		"${files[@]}" --out "$work/guest" >&2
	mv "$work/guest/trace.dat" "$recording"
fi
echo "$recording"
