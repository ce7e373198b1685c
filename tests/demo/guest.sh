#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The demo's guest: load the module, do what a small server does (files on
# ext4, many processes, pipes, sockets), and save the account while part of it
# is still alive.  Then the module is unloaded, with the processes running.
#
# Runs under run.sh on busybox; nothing of it touches the host.
set -eu

files=120
dirs=16

progress() { echo "demo: $*"; }

# Every command substitution would be a process: loops use the shell's own means.
count() {
	i=$1
	while [ "$i" -gt 0 ]; do
		"$2" "$i"
		i=$((i - 1))
	done
}

make_dir() {
	mkdir -p "/mnt/tree/d$1/sub"
	f=$files
	while [ "$f" -gt 0 ]; do
		echo "file $f of directory $1" >"/mnt/tree/d$1/sub/f$f"
		f=$((f - 1))
	done
}

# Half of the tree goes again: what stays alive is not what was made.
drop_dir() { [ $(($1 % 2)) -eq 0 ] || rm -r "/mnt/tree/d$1"; }

file_tree() {
	mkdir -p /mnt
	mount -t ext4 /dev/vdb /mnt
	count "$dirs" make_dir
	dd if=/dev/zero of=/mnt/big bs=64k count=128 2>/dev/null
	sync
	find /mnt/tree -type f | wc -l
	find /sys /proc/self /proc/sys >/dev/null 2>&1 || true
	du -s /mnt /sys >/dev/null
	cp -r /mnt/tree/d1 /tmp/copy
	count "$dirs" drop_dir
}

sleeper() { sleep 1000 & }
pipeline() { sleep 1000 | cat | cat & }

# Short lives and long ones.
processes() {
	count 40 sleeper
	count 15 pipeline
	ps >/tmp/ps
	seq 150 | xargs -n 1 -P 4 true
	unshare -m -u -i -n sleep 1000 &
}

fetch() { wget -q -O /dev/null "http://127.0.0.1/index.html"; }
connection() { sleep 1000 | nc 127.0.0.1 80 & }

# TCP over lo, with connections that stay, and the unix sockets of syslog.
sockets() {
	mkdir -p /tmp/www
	dd if=/dev/zero of=/tmp/www/index.html bs=1k count=200 2>/dev/null
	httpd -h /tmp/www
	count 25 fetch
	count 10 connection
	syslogd -O /tmp/messages
	seq 100 | xargs -n 10 logger
	ping -c 2 -i 0.2 127.0.0.1 >/dev/null
}

progress "loading the module"
insmod /kmem_account.ko
progress "files on ext4"
file_tree
progress "processes and pipes"
processes
progress "sockets"
sockets
# what was freed with a delay (RCU, work queues) shall be gone
sleep 1

progress "saving the account"
for f in kmem_account slabinfo meminfo modules version uptime; do
	cat "/proc/$f" >"/out/$f"
done
cp /proc/kallsyms /out/kallsyms
progress "unloading the module, with everything running"
rmmod kmem_account
! [ -e /proc/kmem_account ]
