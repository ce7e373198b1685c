#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# --by subsystem over the stock kernel's MAINTAINERS: 1,500 files of its source against an
# independent script, and that against get_maintainer.pl. No VM is needed.
#
#	maintainers.sh [COUNT [SAMPLE [SEED]]]
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/ktap.sh
. "$here/../ktap.sh"
cd "$here/../.."
program=${KMEM_ACCOUNT:-$PWD/out/host/kmem-account}
[ -n "${KMEM_ACCOUNT-}" ] || [ -z "${O-}" ] || program=$O/host/kmem-account
source=$(tests/qemu/kernel.sh dir source 6.1)
people=${source%.source}.people

# Taken out of the source once, into the cache: it takes half a minute to unpack. Made beside
# its place and renamed into it; who comes second throws its own away.
take_people() {
	local tmp

	tmp=$(mktemp -d "$people.XXXXXX")
	mkfifo "$tmp/pipe"
	tar -t <"$tmp/pipe" | sed -n 's:^[^/]*/\(.*\.[chS]\)$:\1:p' >"$tmp/files" &
	xz -dc "$source/linux-source.tar.xz" | tee "$tmp/pipe" | tar -x -C "$tmp" --strip-components=1 \
		--wildcards '*/MAINTAINERS' '*/scripts/get_maintainer.pl'
	wait $!
	rm "$tmp/pipe"
	mv -T "$tmp" "$people" 2>/dev/null || { rm -rf "$tmp"; test -d "$people"; }
}

[ -d "$people" ] || take_people
seed=${3:-$(date +%Y%m%d)}
ktap_plan 1
echo "# seed $seed, $(wc -l <"$people/files") files, $(grep -c '^F:' "$people/MAINTAINERS") patterns"
ktap "subsystems are those of an independent script, and of get_maintainer.pl" \
	tests/host/maintainers.py "$program" "$people/MAINTAINERS" "$people/files" "${1:-1500}" "$seed" \
	"$people/scripts/get_maintainer.pl" "${2:-20}"
ktap_end
