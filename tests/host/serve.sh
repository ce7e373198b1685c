#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# serve: metrics and profiles over HTTP, TLS and a UNIX socket; who may read what; bad
# configurations; a thousand clients that hang or do not read; an account that goes and comes back; the choice of
# call sites over time. The clients are python's own; a
# real Prometheus is in tests/fleet.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

run() {
	mkdir "$work/$1" && cd "$work/$1" &&
		PYTHONPATH=$here /usr/bin/python3 "$here/serve.py" "$program" "$data" "$1"
}

program=$(realpath "$program")
ktap_plan 10
ktap "metrics in both formats, packed, without addresses" run metrics
ktap "profiles for users, certificates and UNIX sockets of mode 0660 alone; the Host header" run access
ktap "TLS, client certificates, and configurations that are refused" run tls
ktap "addresses: in use, open to other machines, systemd's" run addresses
ktap "a thousand clients that hang or send garbage" run crowd
ktap "a thousand clients that never read a large answer" run unread
ktap "an account that cannot be read for a while" run module
ktap "cgroups on request" run groups
ktap "the largest cgroups, and the sum of the others; labels of profiles" run largest_groups
ktap "series: sums are exact, and no counter falls" run series
ktap_end
