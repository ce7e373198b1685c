#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# kmem-account record, without a kernel: log-fake.py is the module, its streams FIFOs. What was
# recorded gives the account that the log was made from; whatever ends a recording, the
# module's parameters are as before.
set -euo pipefail

# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cd "$work"
"$here/log-make.py" --events 4000 made.log made.csv
root=$work/root

fake() {
	rm -f "$root/ready" "$root/done" "$root/words" "$root/flushes"
	"$here/log-fake.py" "$root" "$work/made.log" &
	wait_for ready
}

# wait_for FILE: of the fake
wait_for() {
	appears "$root/$1"
}

parameter() {
	cat "$root/sys/module/kmem_account/parameters/$1"
}

put_back() {
	wait_for words || return 1
	[ "$(parameter subbufs)" = 16 ] && [ ! -e "$root/run/kmem-account.record" ] &&
		[ "$(cat "$root/words")" = "log on log off log free" ]
}

until_done="while [ ! -e $root/done ]; do sleep 0.1; done"

same_account() {
	"$program" report "$1" --format csv 2>/dev/null | tail -n +2 | sort | diff made.csv -
}

whole() {
	fake || return 1
	"$program" record --root "$root" -o got.log --subbufs 8 -- sh -c "$until_done" 2>stderr ||
		{ cat stderr; return 1; }
	grep -q '4028 records, 0 lost; ended with the command' stderr || return 1
	# without tracefs
	grep -q 'cannot create .*/kmem_account_record: .*; tasks have the names and cgroups that they have now' stderr || return 1
	put_back && same_account got.log && "$program" check got.log >/dev/null &&
		[ "$(head -c 4 got.log | od -An -tx1)" = " 28 b5 2f fd" ]
}

plain() {
	fake || return 1
	"$program" record --root "$root" -o plain.log --no-pack -q -- sh -c "$until_done" || return 1
	put_back && same_account plain.log && "$program" check plain.log >/dev/null &&
		[ "$(head -c 6 plain.log)" = KMALOG ] && [ "$(stat -c %s plain.log)" -gt "$(stat -c %s got.log)" ]
}

# The recorder ends the file with totals: one byte less, and the end is missing.
cut_short() {
	[ "$(tail -n 1 plain.log)" = "#end 4" ] || return 1
	head -c -1 plain.log >cut.log
	if "$program" check cut.log --format csv >cut.csv; then return 1; fi
	[ "$(cut -d , -f 1 cut.csv | tail -n +2 | xargs)" = "cut no_end" ] && same_account cut.log
}

piped() {
	fake || return 1
	"$program" record --root "$root" -o - -q -- sh -c "$until_done" | cat >got.zst || return 1
	put_back && [ "$(head -c 4 got.zst | od -An -tx1)" = " 28 b5 2f fd" ] && same_account got.zst
}

# With -O - the log has the standard output for itself: what the command prints goes to stderr.
piped_command() {
	fake || return 1
	"$program" record --root "$root" -o - -q --no-pack -- sh -c "echo printed; $until_done; echo twice" 2>stderr |
		cat >piped.log || return 1
	put_back && [ "$(cat stderr)" = "printed
twice" ] && same_account piped.log && "$program" check piped.log >/dev/null
}

# Other names of the standard output. A device has no log that could be mixed with something.
named_stdout() {
	local name

	for name in /dev/stdout /dev/fd/1 /proc/self/fd/1; do
		fake || return 1
		"$program" record --root "$root" -O $name -q --no-pack -- sh -c "echo printed; $until_done; echo twice" 2>stderr |
			cat >piped.log || return 1
		echo $name
		cat stderr
		put_back && [ "$(cat stderr)" = "printed
twice" ] && same_account piped.log && "$program" check piped.log >/dev/null || return
	done
	fake || return 1
	"$program" record --root "$root" -O /dev/stdout -q --no-pack -- sh -c "echo printed; $until_done" >named.log 2>stderr &&
		put_back && [ "$(cat stderr)" = printed ] && same_account named.log || return 1
	fake || return 1
	"$program" record --root "$root" -O /dev/null -q -- sh -c "echo printed; $until_done" >/dev/null 2>stderr &&
		put_back && [ ! -s stderr ] || return 1
	fake || return 1
	"$program" record --root "$root" -O other.log -q -- sh -c "echo printed; $until_done" >out.txt 2>stderr &&
		put_back && [ ! -s stderr ] && [ "$(cat out.txt)" = printed ]
}

# A machine with so many CPUs that the list of a node has more than a page.
many_cpus() {
	local node list

	fake || return 1
	for node in 0 1; do
		mkdir -p "$root/sys/devices/system/node/node$node"
		seq -s , $node 2 4095 >"$root/sys/devices/system/node/node$node/cpulist"
	done
	"$program" record --root "$root" -o cpus.log -q --no-pack --no-tasks -- sh -c "$until_done" || return 1
	for node in 0 1; do
		list=$(cat "$root/sys/devices/system/node/node$node/cpulist")
		grep -aqx "#node $node $list" cpus.log || { grep -a "^#node $node" cpus.log; return 1; }
	done
	rm -r "$root/sys/devices"
	put_back
}

# Each CPU takes files: the limit is raised as far as is permitted, but not that of the command. If
# that is not enough, no CPU is left out in silence.
few_files() {
	local code=0

	fake || return 1
	(
		ulimit -Sn 14
		exec "$program" record --root "$root" -o files.log -q --no-tasks -- sh -c "ulimit -Sn >limit; $until_done"
	) || return 1
	put_back && same_account files.log && [ "$(cat limit)" = 14 ] || return 1
	fake || return 1
	(
		ulimit -n 14
		exec "$program" record --root "$root" -o files.log --no-tasks --duration 600 2>stderr
	) || code=$?
	cat stderr
	[ $code = 1 ] && grep -q 'Too many open files.*(ulimit -n)' stderr && put_back
}

# The log is on as long as was asked for, however long the reading of what goes with it takes.
lasting() {
	local slow=$root/sys/devices/system/node/node0/cpulist feeder

	fake || return 1
	mkdir -p "${slow%/*}"
	mkfifo "$slow"
	{ sleep 1.5 && echo 0-1; } >"$slow" &
	feeder=$!
	"$program" record --root "$root" -o lasting.log --subbufs 8 --no-tasks --duration 1 2>stderr
	wait $feeder
	[ "$(head -n 2 stderr)" = "kmem-account: reading the kernel's symbols; nothing is recorded yet
kmem-account: recording to lasting.log" ] || return 1
	rm -r "$root/sys/devices"
	put_back && echo "$(cat "$root/ms") ms" && [ "$(cat "$root/ms")" -ge 1000 ] && same_account lasting.log
}

# says SENTENCE: on stderr, within two minutes
says() {
	for _ in $(seq 1200); do
		! grep -q "$1" stderr || return 0
		sleep 0.1
	done
	cat stderr
	return 1
}

# Whoever waits for the log's beginning is told when it is on, and not before.
told() {
	local slow=$root/sys/devices/system/node/node0/cpulist pid feeder

	fake && mkdir -p "${slow%/*}" && mkfifo "$slow" || return 1
	# It opens the pipe at once, because the recorder does not wait long for that.
	rm -f go
	{ while [ ! -e go ]; do sleep 0.1; done; echo 0-1; } >"$slow" &
	feeder=$!
	# not what the test before has left: the shell opens the file again in the background
	rm -f stderr && touch stderr
	"$program" record --root "$root" -o told.log --no-pack --no-tasks --subbufs 8 2>>stderr &
	pid=$!
	if ! says "reading the kernel's symbols; nothing is recorded yet" ||
		[ -e "$root/sys/kernel/debug/kmem_account/trace/cpu0" ] || [ "$(wc -l <stderr)" != 1 ]; then
		# a recorder that is left keeps the output of the test open
		kill -KILL $pid $feeder
		return 1
	fi
	touch go
	wait $feeder
	rm -r "$root/sys/devices"
	says 'recording to told.log' || return 1
	[ "$(head -c 6 "$(echo told.log.??????)")" = KMALOG ] || return 1
	wait_for "done" && kill -TERM $pid && wait $pid && put_back && same_account told.log
}

interrupted() {
	local pid

	fake || return 1
	# in the background SIGINT is ignored, which the program leaves so: SIGTERM
	"$program" record --root "$root" -o int.log --subbufs 8 2>stderr &
	pid=$!
	wait_for "done" || return 1
	kill -TERM $pid
	wait $pid || { cat stderr; return 1; }
	grep -q 'ended by a signal' stderr || return 1
	put_back && same_account int.log
}

# However little memory there is: settings are put back. If the log was on, all its events are there.
little_memory() {
	local limit code complete=0

	for limit in $(seq 30000 10000 80000); do
		fake || return 1
		awk 'BEGIN { for (i = 0; i < 500000; i++) printf "ffffffffe%07x t a_function_with_a_long_name_%d\n", 16 * i, i }' \
			>>"$root/proc/kallsyms"
		rm -f memory.log
		code=0
		(ulimit -v "$limit"
			exec "$program" record --root "$root" -o memory.log --subbufs 8 -- sh -c "$until_done") 2>stderr || code=$?
		echo "limit $limit: exit $code"
		cat stderr
		[ $code = 0 ] || [ "$(tail -n 1 stderr)" = "kmem-account: out of memory" ] || return 1
		if grep -q 'recording to memory.log' stderr; then
			put_back && same_account memory.log || return 1
			complete=$((complete + (code == 1)))
			continue
		fi
		# it has ended before
		printf 'log free' >"$root/proc/kmem_account"
		wait_for words && [ "$(parameter subbufs)" = 16 ] && [ ! -e memory.log ] || return 1
		rm -f "$root/run/kmem-account.record"
	done
	echo "$complete logs without memory"
	[ $complete -gt 0 ]
}

# A command that does not end when it is told to: the recording ends all the same.
stubborn() {
	local pid

	rm -f release
	fake || return 1
	"$program" record --root "$root" -o stubborn.log --duration 0.3 -- \
		sh -c 'trap "" TERM; until [ -e release ]; do sleep 0.1; done' 2>stderr &
	pid=$!
	put_back || {
		touch release
		return 1
	}
	touch release
	wait $pid || { cat stderr; return 1; }
	grep -q 'ended after --duration' stderr && "$program" check stubborn.log >out.txt
}

# A recorder is killed when all is in its file.
kill_one() {
	local pid

	fake || return 1
	"$program" record --root "$root" -o killed.log --subbufs 8 2>stderr &
	pid=$!
	wait_for "done" || return 1
	kill -KILL $pid
	wait $pid 2>/dev/null || :
	[ "$(parameter subbufs | cut -c 1)" = 8 ] && [ ! -e killed.log ]
}

# The next one puts back the parameters, and has no file for the events that were not read. The
# one after it takes them over.
killed() {
	kill_one || return 1
	if "$program" record --root "$root" -o - 2>stderr | cat >piped.out; then return 1; fi
	grep -q "record it with --attach, or discard it with 'log free'" stderr && [ ! -s piped.out ] || return 1
	[ "$(parameter subbufs)" = 16 ] || return 1
	"$program" record --root "$root" -o rest.log --attach -q -- true || return 1
	put_back
}

# The next one saves what was not read in a file of its own and frees the buffers. This one then
# fails, for a parameter or because the fake has not freed its buffers yet, which the module
# does at once (tests/kernel/log-record.guest).
drained() {
	local cpu parameters=$root/sys/module/kmem_account/parameters

	kill_one || return 1
	# the beginning of a stream alone is unread: the fake keeps the FIFOs open
	for cpu in "$root"/sys/kernel/debug/kmem_account/trace/cpu*; do
		dd if="$cpu" of=/dev/null iflag=nonblock status=none 2>/dev/null || :
	done
	dd if=made.log of="${cpu%/*}/cpu0" bs=4096 count=1 status=none iflag=skip_bytes \
		skip=$(($(od -An -t u4 -j 16 -N 4 made.log) + 16)) conv=notrunc || return 1
	echo kept >next.log.unread
	refuse 1 'next.log.unread: already exists' --root "$root" -o next.log || return 1
	[ "$(cat next.log.unread)" = kept ] && rm next.log.unread "$parameters/subbufs" || return 1
	if "$program" record --root "$root" -o next.log --subbufs 4 2>stderr; then return 1; fi
	grep -q 'next.log.unread: saved .* that a killed recorder had not read; the buffers are freed' stderr &&
		grep -Eq 'subbufs: cannot read|the event log is on' stderr || return 1
	echo 16 >"$parameters/subbufs"
	put_back && [ ! -e next.log ] || return 1
	"$program" check next.log.unread --format json >unread.json || :
	grep -q '"allocations": [1-9]' unread.json
}

# The module is told to flush, however long nothing is read: the command waits for three.
flushed() {
	fake || return 1
	"$program" record --root "$root" -o flushed.log --subbufs 8 --flush 0.1 -q -- \
		sh -c "until grep -q '[3-9]' $root/flushes; do sleep 0.1; done; $until_done" || return 1
	put_back && same_account flushed.log
}

# Before the module is told to flush again, the disk has what it has handed out before.
synced() {
	printf '%s\n' '#include <fcntl.h>' '#include <unistd.h>' \
		'int fdatasync(int fd) { int to = open("syncs", O_WRONLY | O_CREAT | O_APPEND, 0600);' \
		'	fd = fd < 0 || write(to, "x", 1) != 1; return close(to) | -fd; }' >syncs.c
	${CC-cc} -shared -fPIC -o syncs.so syncs.c && fake || return 1
	LD_PRELOAD=$PWD/syncs.so "$program" record --root "$root" -o synced.log --flush 0.1 -q -- \
		sh -c "until grep -q '[3-9]' $root/flushes; do sleep 0.1; done; $until_done; cp syncs before" || return 1
	echo "$(wc -c <before) calls of fdatasync, $(wc -c <syncs) in all"
	[ "$(wc -c <before)" -ge 2 ] && [ "$(wc -c <syncs)" -gt "$(wc -c <before)" ] && put_back && same_account synced.log
}

# The next one leaves alone what it had changed, which has gone; but not its note.
left_alone() {
	refuse 1 'nosuch' --root "$root" -o nosuch/log || return 1
	[ "$(parameter subbufs)" = 32 ] && [ ! -e "$root/run/kmem-account.record" ] || return 1
	printf 'log free' >"$root/proc/kmem_account"
	wait_for words && [ "$(cat "$root/words")" = "log on log free" ] || return 1
	echo 16 >"$root/sys/module/kmem_account/parameters/subbufs"
}

# The module was unloaded and loaded again: its folder in sysfs is another one.
reloaded() {
	local module=$root/sys/module/kmem_account

	kill_one || return 1
	cp -r "$module" "$module.new"
	rm -r "$module"
	mv "$module.new" "$module"
	echo 32 >"$module/parameters/subbufs"
	left_alone
}

# Somebody has switched the log on since: it goes on, too.
another_log() {
	kill_one || return 1
	printf 'xxxxxxxx' | dd of="$root/sys/kernel/debug/kmem_account/trace/header" bs=1 seek=40 conv=notrunc 2>/dev/null
	refuse 1 'the event log is on or has unread data' --root "$root" -o another.log || return 1
	[ "$(parameter subbufs)" = 16 ] && [ ! -e "$root/run/kmem-account.record" ] || return 1
	printf 'log free' >"$root/proc/kmem_account"
	wait_for words && [ "$(cat "$root/words")" = "log on log free" ]
}

# A machine whose /run outlives a boot.
rebooted() {
	kill_one || return 1
	echo 2b1f5a60-0000-4000-8000-000000000002 >"$root/proc/sys/kernel/random/boot_id"
	echo 32 >"$root/sys/module/kmem_account/parameters/subbufs"
	left_alone
}

# Two at once: the second one changes nothing.
twice() {
	local pid

	fake || return 1
	"$program" record --root "$root" -o first.log --subbufs 8 2>stderr &
	pid=$!
	wait_for "done" || return 1
	# the first one ends in any case: a recorder that is left keeps the output of the test open
	if ! refuse 1 "locked by another 'kmem-account record'" --root "$root" -o second.log; then
		kill -TERM $pid
		return 1
	fi
	kill -TERM $pid
	wait $pid && put_back && same_account first.log
}

sized() {
	fake || return 1
	"$program" record --root "$root" -o sized.log --no-pack --subbufs 8 --size 20K 2>stderr || { cat stderr; return 1; }
	grep -q 'ended at --size' stderr && [ "$(stat -c %s sized.log)" -ge 20480 ] && put_back
}

# A log that somebody else has switched on is left alone, unless it shall be taken.
attached() {
	fake || return 1
	printf 'log on' >"$root/proc/kmem_account"
	wait_for sys/kernel/debug/kmem_account/trace/cpu0 || return 1
	refuse 1 'the event log is on or has unread data' --root "$root" -o attached.log || return 1
	"$program" record --root "$root" -o attached.log --attach -q -- sh -c "$until_done" || return 1
	put_back && same_account attached.log && refuse 1 'the event log is off and has no unread data' --root "$root" --attach
}

# The kernel refuses a file of the log to a recorder without CAP_SYSLOG. Whether the log has unread
# events is unknown then: no word is written, and nothing of the killed recorder's is changed.
no_capability() {
	local file want attach

	${CC-cc} -shared -fPIC -o refused.so "$here/refuse-open.c" -ldl && kill_one || return 1
	cp "$root/run/kmem-account.record" note
	for file in cpu0 cpu3 header; do
		for want in "1 cannot open: Operation not permitted; .* needs CAP_SYSLOG and CAP_PERFMON" \
			"24 cannot open: Too many open files"; do
			export REFUSED=$file WHY=${want%% *}
			for attach in --attach ""; do
				# shellcheck disable=SC2086 # no word without --attach
				LD_PRELOAD=$PWD/refused.so refuse 1 "/trace/$file: ${want#* }" --root "$root" -o refused.log $attach || {
					echo "$file $want"
					cat stderr
					return 1
				}
			done
			cmp note "$root/run/kmem-account.record" && [ "$(parameter subbufs | cut -c 1)" = 8 ] &&
				[ ! -e refused.log ] && [ ! -e refused.log.unread ] && [ -e "$root/sys/kernel/debug/kmem_account/trace/$file" ] ||
				return 1
		done
	done
	"$program" record --root "$root" -o rest.log --attach -q -- true && put_back
}

# The log is there all the same.
no_command() {
	local code=0

	fake || return 1
	"$program" record --root "$root" -o none.log -- ./nosuch 2>stderr || code=$?
	[ $code = 1 ] && grep -q 'nosuch: cannot run: No such file or directory' stderr && [ -s none.log ] && put_back || return 1
	# quiet: an error is shown all the same
	fake || return 1
	code=0
	"$program" record --root "$root" -o none.log -q -- ./nosuch 2>stderr || code=$?
	[ $code = 1 ] && [ "$(cat stderr)" = 'kmem-account: ./nosuch: cannot run: No such file or directory' ] && put_back
}

# A command that fails by itself does not make the recording fail.
failed_command() {
	fake || return 1
	"$program" record --root "$root" -o failed.log -- sh -c 'exit 127' 2>stderr || return 1
	tail -n 1 stderr | grep 'sh: ended with status 127' && put_back || return 1
	fake || return 1
	"$program" record --root "$root" -o failed.log -- sh -c 'kill -SEGV $$' 2>stderr || return 1
	tail -n 1 stderr | grep 'sh: ended by signal 11 (Segmentation fault)' && put_back
}

# A status that the command has because the recorder ended it is none of its own.
told_to_end() {
	fake || return 1
	"$program" record --root "$root" -o told.log --duration 0.5 -- sh -c 'trap "echo trapped; exit 7" TERM; while :; do sleep 0.1; done' \
		>out.txt 2>stderr || return 1
	cat out.txt stderr
	put_back && [ "$(cat out.txt)" = trapped ] && tail -n 1 stderr | grep 'ended after --duration$'
}

full() {
	local code=0

	fake || return 1
	"$program" record --root "$root" -o /dev/full --duration 600 2>stderr || code=$?
	[ $code = 1 ] && grep -q 'cannot write: No space' stderr && put_back
}

# What found space is kept, and is reported as what it is.
filled() {
	local code=0

	fake || return 1
	(
		ulimit -f 80
		trap '' XFSZ
		exec "$program" record --root "$root" -o filled.log --no-pack --duration 600 2>stderr
	) || code=$?
	cat stderr
	[ $code = 1 ] && grep -q 'filled.log: cannot write: File too large' stderr && put_back || return 1
	ls -l filled.log
	[ "$(stat -c %s filled.log)" -gt 16384 ] || return 1
	if "$program" check filled.log --format csv >filled.csv; then return 1; fi
	cat filled.csv
	[ "$(cut -d , -f 1 filled.csv | tail -n +2 | xargs)" = no_end ] &&
		"$program" report filled.log 2>&1 >/dev/null | grep 'filled.log: the end is missing: the last event is' >/dev/null
}

# The name of the file is taken when the recording ends: the data stay, and the message says where.
taken_name() {
	local code=0 kept

	fake || return 1
	"$program" record --root "$root" -o taken.log --no-tasks -- sh -c "$until_done; mkdir taken.log" 2>stderr || code=$?
	cat stderr
	kept=$(sed -n 's/.*taken.log: cannot write: .*; the recorded data are in //p' stderr)
	[ $code = 1 ] && put_back && same_account "$kept"
}

# The same after another error, which is the one that is reported.
taken_and_full() {
	local code=0 kept

	fake || return 1
	# the file may be full, and the recording at its end, before the command begins
	: >"$root/hold"
	(
		ulimit -f 80
		trap '' XFSZ
		exec "$program" record --root "$root" -o both.log --no-pack -- sh -c "mkdir both.log; rm $root/hold; $until_done" 2>stderr
	) || code=$?
	cat stderr
	kept=$(sed -n 's/.*both.log: cannot write: File too large; the recorded data are in //p' stderr)
	[ $code = 1 ] && put_back && [ "$(stat -c %s "$kept")" -gt 16384 ]
}

# refuse CODE SENTENCE ARGUMENTS...
refuse() {
	local code=0 want=$1 sentence=$2

	shift 2
	"$program" record "$@" >out.txt 2>stderr || code=$?
	[ $code = "$want" ] && [ "$(wc -l <stderr)" = 1 ] && grep -q "$sentence" stderr
}

refused() {
	mkdir -p nothing
	refuse 1 'load the module first' --root "$work/nothing" || return 1
	refuse 2 "record: invalid --duration 'x' (expected more than 0 and up to 1000000000 seconds" --duration x || return 1
	refuse 2 "record: invalid --size '1X' (expected 1 to 9223372036854775807 bytes" --size 1X || return 1
	refuse 2 "record: invalid --flush '-1' (expected more than 0 and up to 1000000000 seconds" --flush -1 || return 1
	refuse 2 "record: invalid --interval '0' (expected more than 0 and up to 1000000000 seconds" --interval 0 || return 1
	refuse 2 'write the command after' ls || return 1
	refuse 2 "record: no command given after '--'" -O x -- || return 1
	refuse 2 "invalid --subbufs '1' (expected 2 to 4096 sub-buffers for each CPU" --subbufs 1 || return 1
	refuse 2 "invalid --subbufs '4097' (expected 2 to 4096 sub-buffers for each CPU" --subbufs 4097 || return 1
	refuse 2 "invalid --subbuf-size '4095' (expected 4096 to 67108864 bytes" --subbuf-size 4095 || return 1
	refuse 2 "invalid --subbuf-size '65M' (expected 4096 to 67108864 bytes" --subbuf-size 65M || return 1
	refuse 2 'record: --attach cannot be combined with --subbufs' --attach --subbufs 2 || return 1
	refuse 2 'record: --attach cannot be combined with --subbuf-size' --attach --subbuf-size 64K || return 1
	refuse 2 'record: --zstd cannot be combined with --no-pack' --zstd --no-pack || return 1
	refuse 2 'unknown option' --nosuch
}

ktap_plan 32
ktap "all that a command did" whole
ktap "all of it, not packed" plain
ktap "cut short by one byte" cut_short
ktap "packed, to a pipe" piped
ktap "to a pipe, of a command that prints" piped_command
ktap "to the standard output by another name" named_stdout
ktap "nodes with thousands of CPUs" many_cpus
ktap "few open files" few_files
ktap "ended after a time" lasting
ktap "reports when it begins to record" told
ktap "ended by a signal" interrupted
ktap "little memory" little_memory
ktap "a command that does not end" stubborn
ktap "a command that is not there" no_command
ktap "a command that fails" failed_command
ktap "a command that the recorder ends" told_to_end
ktap "killed, and put back by the next one" killed
ktap "killed, and the next one saves what was not read" drained
ktap "killed, and another log since" another_log
ktap "killed, and the module loaded again" reloaded
ktap "killed, and booted again" rebooted
ktap "flushed at an interval" flushed
ktap "brought to the disk at an interval" synced
ktap "ended at a size" sized
ktap "two at once" twice
ktap "a log that is on already" attached
ktap "a log that may not be read" no_capability
ktap "disk full" full
ktap "disk full after some events" filled
ktap "the name is taken at the end" taken_name
ktap "disk full, and the name is taken at the end" taken_and_full
ktap "refused" refused
ktap_end
