#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Each command of Documentation/admin-guide/kmemtrace.rst, as it stands there: those of the
# host with a made log, those of the target with log-fake.py for the module. Programs that
# would do something else than what is tested (ssh, nc, insmod, find) are small scripts.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
page=$here/../../Documentation/admin-guide/kmemtrace.rst
root=$work/root
"$here/log-make.py" --events 4000 kmem.log made.csv
cp kmem.log before.log
"$here/log-make.py" --events 3000 --seed 2 after.log after.csv
cp kmem.log made.log

# tool NAME: on stdin what it is instead
mkdir bin
tool() {
	{ echo '#!/bin/bash' && cat; } >"bin/$1"
	chmod +x "bin/$1"
}
# What has no end is ended by Ctrl-C, when all is in the log. The made directory has no tracefs, which
# record needs for the names of tasks.
tool kmem-account <<END
[ "\$1" = record ] || exec "$program" "\$@"
shift
[ ! -e bin/ends ] || exec "$program" record --no-tasks --root "$root" "\$@"
"$program" record --no-tasks --root "$root" "\$@" <&0 &
for _ in \$(seq 1200); do
	# it minds signals, and notes what it changes
	[ ! -e "$root/done" ] || [ ! -s "$root/run/kmem-account.record" ] || break
	sleep 0.1
done
kill -TERM \$!
wait \$!
END
tool kmem-account-record <<<'exec kmem-account record "$@"'
tool ssh <<<'shift && exec "$@"'
tool nc <<<'cat >kmem.zst'
tool insmod <<<"echo 'log on' >$root/proc/kmem_account; until [ -e $root/done ]; do sleep 0.1; done"
tool find <<<"until [ -e $root/done ]; do sleep 0.1; done"
# shellcheck disable=SC2016 # for that shell
tool cat <<<'exec /bin/cat "${@/#\/sys/'"$root/sys"'}"'
PATH=$work/bin:$PATH

on_target() {
	local fake code=0

	case $1 in
	*--attach)	set -- "$insmod && $1" ;;
	*' -- '*)	touch bin/ends ;;
	esac
	rm -f "$root/ready" "$root/done" "$root/words" kmem.zst
	"$here/log-fake.py" "$root" made.log &
	fake=$!
	until [ -e "$root/ready" ]; do sleep 0.1; done
	eval "timeout 600 bash -c '$1'" >out.txt 2>err.txt || code=$?
	rm -f bin/ends
	# the fake writes it after the recorder's last word, so perhaps after its end
	[[ $1 != *record* ]] || appears "$root/words" || :
	kill $fake 2>/dev/null || :
	wait $fake 2>/dev/null || :
	echo "exit status $code"
	tail -n 3 err.txt
	[ $code = 0 ] && if [[ $1 = *record* ]]; then
		[ -s "$root/words" ] && ! grep 'kmem-account: .*cannot' err.txt && recorded "$1"
	else
		[ -s out.txt ]
	fi
}

# There is a whole log wherever the command puts it.
recorded() {
	case $1 in
	*report*)	[ "$(wc -l <out.txt)" -gt 3 ] ;;
	*nc*)		"$program" check kmem.zst ;;
	*)		"$program" check kmem.log ;;
	esac
}

# It works, and says something of the log.
on_host() {
	local code=0

	cp made.log kmem.log
	eval "timeout 600 $1" >out.txt 2>err.txt || code=$?
	tail -n 3 err.txt
	echo "exit status $code"
	[ $code = 0 ] && { [ "$(wc -l <out.txt)" -ge 2 ] || [ -s live.svg ]; }
}

python3 "$here/log-doc.py" "$page" | sort -u >all
insmod=$(sed -n 's/^# \(insmod.*\)/\1/p' all)
grep -v insmod all >commands
ktap_plan $(($(wc -l <commands) + 1))
ktap "they were found" test "$(wc -l <commands)" -ge 25
while read -r prompt command <&3; do
	if [[ $prompt = '#' || $command = ssh* ]]; then
		ktap "$command" on_target "$command"
	else
		ktap "$command" on_host "$command"
	fi
done 3<commands
ktap_end
