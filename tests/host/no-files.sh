#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Pipes without a writer, directories, devices and sockets in the place of each input: a sentence says
# what is there, within seconds. gaps.sh has those in a built tree.
set -euo pipefail
# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$work"
account=$data/small.account
snapshot=$data/readers/snapshot-cgroups-6.1

mkfifo a-pipe
mkdir a-dir
ln -s /dev/zero a-device
python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("a-socket")'

# refused SENTENCE COMMAND...: within a time that is far above the 5 s for the writer of a pipe, with one line
refused() {
	local sentence=$1 code=0
	shift

	timeout 60 "$program" "$@" >stdout 2>stderr </dev/null || code=$?
	if [ $code != 1 ] || [ "$(wc -l <stderr)" != 1 ] || ! grep -qE -- "$sentence" stderr; then
		echo "$*: exit $code"
		cat stderr
		return 1
	fi
}

writerless='cannot read: no process has opened this pipe for writing within 5 s'
pipe='cannot read: a pipe; copy it to a regular file'
directory='cannot read: a directory, not a file'
device='cannot read: a device, not a file'
socket='cannot read: a socket, not a file'

# An input that is read from begin to end may be a pipe.
inputs() {
	refused "a-pipe: $writerless" report a-pipe &&
		refused "a-device: $device" report a-device &&
		refused "a-socket: $socket" report a-socket &&
		refused "a-device: $device" diff "$account" a-device &&
		refused "a-socket: $socket" latency -t 9 -f a-socket &&
		refused "a-dir: $directory" latency -t 9 -f a-dir &&
		refused "a-pipe: $writerless" bundle -f a-pipe -O bundle &&
		refused "a-device: $device" check a-device &&
		refused "a-socket: $socket" objects a-socket &&
		refused "a-socket: $socket" serve a-socket --textfile metrics &&
		refused "a-pipe: $writerless" serve "$account" --web.listen-address 127.0.0.1:0 --web.config.file a-pipe
}

# Images are read in parts, so a pipe is refused at once.
images() {
	refused "a-pipe: $pipe" static --vmlinux a-pipe &&
		refused "a-dir: $directory" static --vmlinux a-dir &&
		refused "a-device: $device" static --vmlinux a-device &&
		refused "a-socket: $socket" static --vmlinux a-socket
}

# Symbols may come from a pipe, but not for ever.
symbols() {
	local what

	for what in "a-pipe: $writerless" "a-device: $device" "a-socket: $socket"; do
		timeout 60 "$program" report "$account" --vmlinux "${what%%:*}" >stdout 2>stderr </dev/null || return
		if [ ! -s stdout ] || ! grep -q "$what" stderr; then
			cat stderr
			return 1
		fi
	done
}

# What the program finds by itself is a regular file, in a history too.
found() {
	local there

	for there in a-pipe a-dir a-device a-socket; do
		rm -rf history
		mkdir history
		mv "$there" history/kmem-account-history
		refused 'history/kmem-account-history: cannot read: a ' report history || return
		mv -T history/kmem-account-history "$there"
		echo "kmem_account history 1" >history/kmem-account-history
		mv "$there" history/2026-11-28.kmh
		refused 'history/2026-11-28.kmh: cannot read: a ' report history || return
		mv -T history/2026-11-28.kmh "$there"
	done
}

# A day may be a link to a file elsewhere, but watch writes only to files of the history.
linked_day() {
	local now day

	rm -rf history days && mkdir days
	"$program" watch -f "$snapshot" -n 1 history >/dev/null 2>stderr || { cat stderr; return 1; }
	day=$(cd history && echo ????-??-??.kmh)
	now=$(sha256sum <"history/$day")
	"$program" report history --format csv >want && mv "history/$day" days && ln -s "../days/$day" "history/$day" &&
		"$program" report history --format csv | cmp - want || return
	timeout 60 "$program" watch -f "$snapshot" -n 1 history >/dev/null 2>stderr || :
	if ! grep -q "history/$day: cannot write: a symbolic link" stderr || [ "$(sha256sum <"days/$day")" != "$now" ]; then
		cat stderr
		return 1
	fi
}

# A recorder's files of the kernel; only the header is opened without O_NONBLOCK.
recorder() {
	local there trace=root/sys/kernel/debug/kmem_account/trace

	for there in a-pipe a-device a-socket; do
		rm -rf root
		mkdir -p $trace
		cp -a "$there" $trace/header
		refused '' record --root root -o log --no-tasks --attach || return
	done
}

# A pipe whose writer is slow to write is waited for: its data come after the time for its opening.
slow() {
	local pid

	mkfifo late
	exec 7<>late
	timeout 60 "$program" report late >got 2>stderr 7>&- &
	pid=$!
	sleep 6
	kill -0 $pid || { cat stderr; return 1; }
	cat "$account" >late
	exec 7>&-
	wait $pid && "$program" report "$account" >want && cmp got want
}

ktap_plan 7
ktap "inputs" inputs
ktap "images" images
ktap "symbols" symbols
ktap "files of a history" found
ktap "a link as a file of a day" linked_day
ktap "files of the event log" recorder
ktap "a pipe with a slow writer" slow
ktap_end
