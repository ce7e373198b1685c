#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# leaks --prometheus: the series of a server on loopback (prometheus.py) that has stored what serve
# writes; gaps, restarts and several machines; and servers that answer nonsense, too much, or
# nothing. A real Prometheus is in tests/fleet.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
python3 "$here/leaks.py" make .
mkdir scrapes
for file in s??; do
	"$program" serve "$file" --textfile kept.prom && cp kept.prom "scrapes/$file"
done
python3 "$here/prometheus.py" serve scrapes port &
server=$!
trap 'kill $server; wait $server || true; rm -rf "$work"' EXIT
for _ in $(seq 300); do [ ! -e port ] || break; sleep 0.1; done
url=http://127.0.0.1:$(cat port)
# the times of prometheus.py: 48 scrapes, a minute apart
between=(--from 1700000000 --to 1700003000)

leaks() { "$program" leaks --prometheus "$url/$1" "${@:2}"; }

# refused STATUS SENTENCE ARGUMENT...
refused() {
	local code=0

	"$program" leaks "${@:3}" >out 2>said || code=$?
	if [ "$code" != "$1" ] || [ -s out ] || ! grep -F -- "$2" said >/dev/null || [ "$(wc -l <said)" != 1 ]; then
		echo "status $code: $(cat said)"
		return 1
	fi
}

verdicts() {
	leaks good "${between[@]}" --format csv >good.csv && python3 "$here/prometheus.py" check good.csv || return
	# what the files of the same accounts say of the leak
	"$program" leaks s?? --interval 60 --format csv | awk -F, '/leaky/ { print $2, $4, $5, $6 }' >want
	awk -F, '/leaky/ { print $2, $4, $5, $6 }' good.csv | diff want - || return
	# steps of ten seconds repeat no scrape
	leaks good --from 1700000000 --to 1700002880 --format csv | cut -d , -f 2-12 >fine
	cut -d , -f 2-12 good.csv | diff fine -
}

fail_on() {
	local code=0

	leaks good "${between[@]}" --fail-on leak >/dev/null 2>said || code=$?
	[ $code = 3 ] && grep 'call sites with verdict leak: 1$' said >/dev/null
}

# Five minutes after the last scrape before a gap there is nothing, and nothing is made up.
gaps() {
	leaks gaps "${between[@]}" --format csv >gaps.csv && python3 "$here/prometheus.py" check gaps.csv
}

# A call site that gets series late held memory before: no growth.
late() {
	leaks late "${between[@]}" --format csv | awk -F, '/flat/ { print $2, $4, $5 }' >got
	"$program" leaks s[2-4]? --interval 60 --format csv | awk -F, '/flat/ { print $2, $4, $5 }' | diff got -
}

again() {
	leaks again --from 1700000000 --to 1700003600 --format csv >again.csv 2>said &&
		python3 "$here/prometheus.py" check again.csv &&
		grep 'the number of allocations decreased, as after a reboot or a clear; using the longest series (48 of 58 inputs)' said >/dev/null
}

points() {
	leaks points "${between[@]}" --format csv >points.csv 2>said && python3 "$here/prometheus.py" check points.csv &&
		grep 'left out [0-9]* points with an invalid value or time' said >/dev/null
}

# Neither of two machines is taken by chance.
machines() {
	refused 1 "the series are of 2 machines; choose one with --match 'instance=\"a:9770\",job=\"kmem\"' or 'instance=\"b:9770\",job=\"kmem\"'" \
		--prometheus "$url/two" "${between[@]}" || return
	leaks two --match 'instance="b:9770"' "${between[@]}" --format csv | diff good.csv - || return
	refused 1 'no series kmem_account_live_bytes{instance="c"} in this interval' \
		--prometheus "$url/two" --match 'instance="c"' "${between[@]}"
}

too_early() {
	leaks good --from 1700000000 --to 1700000300 --format csv >early && [ "$(grep -c ',too-early,' early)" = 4 ]
}

nonsense() {
	refused 1 'the answer is not JSON at byte' --prometheus "$url/json" || return
	refused 1 'the answer has no series; give the address of a Prometheus server' --prometheus "$url/other" || return
	refused 1 'the answer has no series' --prometheus "$url/shape" || return
	refused 1 'the server refuses the query: too many ?[31m points' --prometheus "$url/refused" || return
	refused 1 'no series kmem_account_live_bytes in this interval; let Prometheus scrape' --prometheus "$url/none" || return
	refused 1 'the server answers with HTTP status 404' --prometheus "$url/404" || return
	refused 1 'the server answers with HTTP status 301' --prometheus "$url/moved" || return
	refused 1 'cannot query this server: ' --prometheus http://127.0.0.1:1
}

# Sent as it is, and packed into a hundredth of it
too_large() {
	refused 1 'the answer is larger than 32 MiB' --prometheus "$url/huge" &&
		refused 1 'the answer is larger than 32 MiB' --prometheus "$url/bomb"
}

# Begun first, because it waits for half a minute.
begin_hang() {
	local code=0

	"$program" leaks --prometheus "$url/hang" >hang.out 2>hang.said || code=$?
	echo "$code" >hang.code.new && mv hang.code.new hang.code
}
begin_hang &

hangs() {
	for _ in $(seq 1200); do [ ! -e hang.code ] || break; sleep 0.1; done
	[ "$(cat hang.code)" = 1 ] && [ ! -s hang.out ] && grep 'the server does not answer: ' hang.said >/dev/null
}

usage() {
	refused 2 "invalid address 'host:9090' (expected http://HOST:PORT)" --prometheus host:9090 || return
	refused 2 "invalid address 'ftp://host'" --prometheus ftp://host || return
	refused 2 'which other users of this machine can read; put them into ~/.netrc' --prometheus http://me:secret@host:9090 || return
	! grep secret said || return
	refused 2 '--prometheus takes no input: s00' --prometheus "$url/good" s00 || return
	refused 2 '--to is not after --from' --prometheus "$url/good" --from 1700000000 --to 1600000000 || return
	refused 2 '--match needs --prometheus' s00 --match x || return
	refused 2 '--prometheus cannot be combined with --interval' --prometheus "$url/good" --interval 3
}

ktap_plan 12
ktap "the verdicts of stored series" verdicts
ktap "--fail-on" fail_on
ktap "steps without scrapes" gaps
ktap "a call site that gets series late" late
ktap "an account that begins again" again
ktap "points that are no numbers" points
ktap "two machines" machines
ktap "too few scrapes" too_early
ktap "servers that answer nonsense" nonsense
ktap "answers that are too large" too_large
ktap "what is refused" usage
ktap "a server that hangs" hangs
ktap_end
