#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The demo's guest: load the module, do what a small server does (files on
# ext4, many processes, pipes, sockets, containers, a disk image on a loop
# device), and save the account while part of it is still alive.  Then the module
# is unloaded, with the processes running.
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
	find /mnt/tree /sys/class /sys/kernel/slab /proc/sys >/tmp/found
	du -s /mnt >/dev/null
	cp -r /mnt/tree/d1 /tmp/copy
	count "$dirs" drop_dir
}

sleeper() { sleep 1000 & }
pipeline() { sleep 1000 | cat | cat & }

# Short lives and long ones.
processes() {
	count 120 sleeper
	count 20 pipeline
	ps >/tmp/ps
	seq 150 | xargs -n 1 -P 4 true
}

fetch() { wget -q -O /dev/null http://127.0.0.1/index.html; }
connection() { sleep 1000 | nc 127.0.0.1 80 & }
# what nobody reads stays in the kernel
backlog() {
	nc -l -p "$((9000 + $1))" -e sleep 1000 &
	usleep 50000
	yes | nc 127.0.0.1 "$((9000 + $1))" &
}
address() { ip addr add "127.0.1.$1/32" dev lo; }

# TCP over lo, with connections that stay, and the unix sockets of syslog.
sockets() {
	mkdir -p /tmp/www
	dd if=/dev/zero of=/tmp/www/index.html bs=1k count=200 2>/dev/null
	httpd -h /tmp/www
	count 25 fetch
	count 40 connection
	count 8 backlog
	count 60 address
	syslogd -O /tmp/messages
	seq 100 | xargs -n 10 logger
	ping -c 2 -i 0.2 127.0.0.1 >/dev/null
}

# Namespaces of its own, a control group, a file system in memory.
container() {
	mkdir "/tmp/cgroup/c$1"
	unshare -m -u -i -n -p -f sh -c "
		echo 0 >/tmp/cgroup/c$1/cgroup.procs
		mkdir /tmp/c$1
		mount -t tmpfs tmpfs /tmp/c$1
		for f in \$(seq 40); do echo \$f >/tmp/c$1/\$f; done
		ip link set lo up
		exec sleep 1000" &
}

containers() {
	mkdir /tmp/cgroup
	mount -t cgroup2 cgroup /tmp/cgroup
	for c in memory pids io; do
		echo "+$c" >/tmp/cgroup/cgroup.subtree_control || true
	done
	count 12 container
}

# loop is loaded again, so that what a module allocates at its start is seen too.
disk_image() {
	rmmod loop
	insmod /modules/loop.ko
	truncate -s 16M /mnt/image
	mke2fs -F /mnt/image >/dev/null
	mkdir /tmp/image
	mount -o loop -t ext4 /mnt/image /tmp/image
	cp -r /mnt/tree/d2/sub /tmp/image/
}

progress "loading the module"
insmod /kmem_account.ko
progress "files on ext4"
file_tree
progress "processes and pipes"
processes
progress "sockets"
sockets
progress "containers"
containers
progress "a disk image on a loop device"
disk_image
# what was freed with a delay (RCU, work queues) shall be gone
sleep 1

progress "saving the account"
for f in kmem_account slabinfo meminfo modules version uptime; do
	cat "/proc/$f" >"/out/$f"
done
cp /proc/kallsyms /out/kallsyms
mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null || true
cat /sys/kernel/debug/kmem_account/stats >/out/stats
cat /sys/kernel/debug/kmem_account/sites >/out/sites
progress "unloading the module, with everything running"
rmmod kmem_account
! [ -e /proc/kmem_account ]
