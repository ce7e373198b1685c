#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
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
out=${O:-$PWD/out}/kernel/maintainers
mkdir -p "$out"
source=$(tests/qemu/kernel.sh dir source 6.1)/linux-source.tar.xz

# Taken out of the source once: it takes half a minute to unpack.
if [ ! -e "$out/files" ] || [ "$source" -nt "$out/files" ]; then
	tar -C "$out" --strip-components=1 -xJf "$source" --wildcards '*/MAINTAINERS' \
		'*/scripts/get_maintainer.pl' --index-file="$out/taken" -v
	xz -dc "$source" | tar -t | sed -n 's:^[^/]*/\(.*\.[chS]\)$:\1:p' >"$out/files.new"
	mv "$out/files.new" "$out/files"
fi

seed=${3:-$(date +%Y%m%d)}
ktap_plan 1
echo "# seed $seed, $(wc -l <"$out/files") files, $(grep -c '^F:' "$out/MAINTAINERS") patterns"
ktap "subsystems are those of an independent script, and of get_maintainer.pl" \
	tests/host/maintainers.py "$program" "$out/MAINTAINERS" "$out/files" "${1:-1500}" "$seed" \
	"$out/scripts/get_maintainer.pl" "${2:-20}"
ktap_end
