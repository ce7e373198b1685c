#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Outputs and what lies at their names: links, files and pipes of another user, above all in a sticky
# directory, which everybody may write to. As root "another user" is the number 65534, who owns what
# is planted; nothing runs as that user. The kernel refuses links with fs.protected_symlinks=1, which
# is switched on as long as the test runs.
set -euo pipefail
# shellcheck source=tests/host/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "$work"

switch=/proc/sys/fs/protected_symlinks
account=$data/small.account
snapshot=$data/readers/snapshot-cgroups-6.1
evil=65534
mkdir sticky && chmod 1777 sticky

# protected COMMAND...: with the kernel's refusal. Several tests may run at once.
protected() {
	local before

	(
		flock 9
		before=$(<$switch)
		[ "$before" = 1 ] || echo 1 >$switch
		# shellcheck disable=SC2064 # its value now
		trap "[ $before = 1 ] || echo $before >$switch" EXIT
		"$@"
	) 9>"/tmp/kmem-account-links.lock"
}

# planted TARGET: in the sticky directory, a link of the other user to TARGET
planted() {
	rm -rf sticky/* victim
	mkdir victim
	ln -s "$PWD/victim/$1" sticky/link
	chown -h $evil sticky/link
}

# all_of DIR: names and content
all_of() {
	(cd "$1" && find . -type f -exec sha256sum {} + -o -print | sort)
}

# refused SENTENCE COMMAND...: fails with that sentence; victim/ and sticky/ stay as they are
refused() {
	local sentence=$1 code=0
	shift

	all_of victim >before && all_of sticky >>before
	timeout 60 "$@" >stdout 2>stderr </dev/null || code=$?
	all_of victim >after && all_of sticky >>after
	if [ $code = 0 ] || [ $code -gt 2 ] || ! grep -qF -- "$sentence" stderr || ! diff before after; then
		echo "$*: exit $code"
		cat stderr
		return 1
	fi
}

# link TARGET COMMAND...: both through a link to what exists and to what does not. Without the
# link the command works: "sticky/link" becomes "own".
link() {
	local target=$1
	shift

	planted "$target"
	[ -z "${make-}" ] || $make "victim/$target" || return
	refused 'Permission denied' "$@" || return
	planted new
	refused 'sticky/link: ' "$@" || return
	rm -rf own
	"${@/sticky\/link/own}" >stdout 2>stderr || { cat stderr; return 1; }
	[ -e own ] || { echo "$*: nothing was written"; return 1; }
}

precious() {
	echo precious >"$1"
	chmod 600 "$1"
}

text() { make=precious link v "$program" report "$account" -O sticky/link; }
# a picture has the name's ending
picture() {
	local kind

	for kind in svg png pdf html; do
		planted "v.$kind"
		precious "victim/v.$kind"
		mv sticky/link "sticky/link.$kind"
		refused 'Permission denied' "$program" rings "$account" -r "sticky/link.$kind" || return
	done
}
saved() { "$program" report "$account" --save-db "$1" >/dev/null; }
db() { make=saved link v "$program" report "$account" --save-db sticky/link; }
import() { make=saved link v "$program" db import sticky/link "$account"; }
deleted() {
	planted v
	saved victim/v
	refused 'Permission denied' "$program" db delete 'sticky/link@#1'
}
textfile() { make=precious link v "$program" serve "$account" --textfile sticky/link; }
trace() { make=precious link v "$program" trace-analyze -f "$account" -c sticky/link; }
bundle() {
	mkdir -p root
	make=precious link v "$program" bundle -f "$snapshot" --root root -O sticky/link
}
latency() { make=precious link v "$program" latency -t 1 -f "$data/logs/slab-6.1.log.xz" -O sticky/link; }
watched() { "$program" watch -f "$snapshot" -n 1 "$1" >/dev/null 2>&1; }
watch() {
	make="mkdir" link v "$program" watch -f "$snapshot" -n 1 sticky/link &&
		make=watched link v "$program" watch -f "$snapshot" -n 1 sticky/link
}

# log-fake.py is the module. It waits for a recording that never begins.
recorder() {
	local code=0 fake

	planted v
	precious victim/v
	"$here/log-make.py" --events 200 made.log made.csv
	"$here/log-fake.py" "$PWD/machine" made.log &
	fake=$!
	appears machine/ready && refused 'Permission denied' "$program" record -o sticky/link --root "$PWD/machine" || code=1
	kill $fake
	return $code
}

# In a sticky directory nothing of another user is written to, wherever a link comes from.
another_user() {
	planted v
	rm sticky/link
	echo theirs >sticky/file && chmod 666 sticky/file && chown $evil sticky/file
	refused 'belongs to another user' "$program" report "$account" -O sticky/file || return
	ln -s sticky/file mine
	refused 'belongs to another user' "$program" report "$account" -O mine || return
	mkfifo -m 666 sticky/fifo && chown $evil sticky/fifo
	refused 'belongs to another user' "$program" report "$account" -O sticky/fifo || return
	mkdir sticky/dir && chown $evil sticky/dir
	refused 'belongs to another user' "$program" watch -f "$snapshot" -n 1 sticky/dir || return
	saved db
	mv db sticky/db && chown $evil sticky/db
	refused 'belongs to another user' "$program" report "$account" --save-db sticky/db || return
	chown 0 sticky/db && : >sticky/db-journal && chown $evil sticky/db-journal
	refused "'db-journal' beside it belongs to another user" "$program" report "$account" --save-db sticky/db || return
	# elsewhere it is replaced, with no more rights than it had
	echo theirs >theirs && chown $evil theirs && chmod 640 theirs
	"$program" report "$account" -O theirs && [ "$(stat -c '%u %a' theirs)" = '0 600' ]
}

# who can remove a dead socket of another user may take its place
socket() {
	planted v
	rm sticky/link
	python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("sticky/sock")'
	chown $evil sticky/sock
	refused 'belongs to another user' "$program" serve "$account" --web.listen-address unix:sticky/sock
}

# An output keeps the mode and the group of the caller's file that it replaces.
modes() {
	local mode

	umask 022
	for mode in 600 640 755 666; do
		echo old >file && chmod $mode file
		"$program" report "$account" -O file && [ "$(stat -c %a file)" = $mode ] || return
	done
	rm file
	"$program" report "$account" -O file && [ "$(stat -c %a file)" = 644 ] || return
	(umask 077 && rm file && "$program" report "$account" -O file && [ "$(stat -c %a file)" = 600 ]) || return
	[ "$(id -u)" != 0 ] || {
		chgrp $evil file && chmod 640 file
		"$program" report "$account" -O file && [ "$(stat -c '%g %a' file)" = "$evil 640" ]
	}
}

# Addresses of the kernel are for the owner alone.
private() {
	umask 022
	mkdir -p root
	rm -f out && "$program" bundle -f "$snapshot" --root root -O out 2>/dev/null && [ "$(stat -c %a out)" = 600 ] || return
	chmod 644 out
	"$program" bundle -f "$snapshot" --root root -O out 2>/dev/null && [ "$(stat -c %a out)" = 600 ] || return
	mkdir -p tables
	printf 'kmem_account live 1\n# address\tsite\ttotal\treq\tkind\tage_ns\tcpu\n0xffff888003c41000\t1\t64\t60\tkmalloc\t5\t0\n' >tables/live
	printf 'kmem_account errors 1\n# error\tcount\taddress\tcache\tgiven\tfirst\tnow\tfirst_caller\tnow_caller\n' >tables/errors
	printf 'double free\t1\t0xffff888003c41000\tkmalloc-64\t-\t-\t-\tf+0x1/0x2\tg+0x1/0x2\n' >>tables/errors
	"$here/log-make.py" --events 90 made.log made.csv facts.json || return
	private_too table live tables/live && private_too table errors tables/errors &&
		private_too objects made.log || return
	# a DB file keeps the tables of a snapshot, and other users' access until then
	"$program" report "$account" --save-db out.db >/dev/null && [ "$(stat -c %a out.db)" = 644 ] &&
		"$program" report "$snapshot" --save-db out.db >/dev/null && [ "$(stat -c %a out.db)" = 600 ] &&
		"$program" report "$account" --save-db out.db >/dev/null && [ "$(stat -c %a out.db)" = 600 ] &&
		"$program" db list out.db --format csv | awk 'END { exit NR != 4 }' || return
	"$program" report "$snapshot" --save-db new.db >/dev/null && [ "$(stat -c %a new.db)" = 600 ]
}

# private_too COMMAND...: the output is the owner's, whether it is new or replaces a file
private_too() {
	rm -f out && "$program" "$@" -O out && [ "$(stat -c %a out)" = 600 ] && chmod 644 out || return
	"$program" "$@" -O out && [ -s out ] && [ "$(stat -c %a out)" = 600 ]
}

# The directory of an output is replaced by a link while the file is written.
swapped() {
	local how

	cat >swap.c <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <stdio.h>
		#include <sys/syscall.h>
		#include <unistd.h>

		static void swap(void)
		{
			if (syscall(SYS_renameat2, -100, "dir", -100, "moved", 0) || symlink("victim", "dir"))
				_exit(99);
		}

		int rename(const char *from, const char *to)
		{
			swap();
			return ((int (*)(const char *, const char *))dlsym(RTLD_NEXT, "rename"))(from, to);
		}

		int renameat(int a, const char *from, int b, const char *to)
		{
			swap();
			return ((int (*)(int, const char *, int, const char *))dlsym(RTLD_NEXT, "renameat"))(a, from, b, to);
		}

		int renameat2(int a, const char *from, int b, const char *to, unsigned int flags)
		{
			swap();
			return ((int (*)(int, const char *, int, const char *, unsigned int))dlsym(RTLD_NEXT, "renameat2"))(a, from, b, to, flags);
		}
	END
	"${CC:-gcc}" -shared -fPIC -o swap.so swap.c || return
	for how in -O --save-db; do
		rm -rf dir moved victim && mkdir dir victim
		LD_PRELOAD=$PWD/swap.so "$program" report "$account" $how dir/file >/dev/null || return
		if [ "$(ls -A moved)" != file ] || [ -n "$(ls -A victim)" ]; then
			ls -lA moved victim
			return 1
		fi
	done
}

# The standard output has no name of its own: nothing of it is replaced.
standard_output() {
	"$program" report "$account" >want
	echo before >got
	"$program" report "$account" -O /dev/stdout >>got && echo after >>got || return
	{ echo before; cat want; echo after; } | diff - got || return
	"$program" report "$account" -O /dev/fd/7 7>>got && { echo before; cat want; echo after; cat want; } | diff - got || return
	"$program" report "$account" -O /dev/stdout | diff want - || return
	{ "$program" report "$account" -O /dev/stdout; echo after; } >got && { cat want; echo after; } | diff - got
}

# The cache of another user's home is not used.
cache() {
	local home

	inlined
	for home in theirs own; do
		rm -rf $home && mkdir $home
		[ $home = own ] || chown $evil $home
		XDG_CACHE_HOME='' HOME=$PWD/$home "$program" report calls.account --vmlinux vmlinux-1 --inlines inner >/dev/null || return
	done
	if [ -n "$(ls -A theirs)" ] || [ -z "$(ls -A own)" ]; then
		ls -A theirs own
		return 1
	fi
}

why=
if [ "$(id -u)" != 0 ] || ! [ -w $switch ]; then
	why="needs root and a writable $switch"
fi

# as_root NAME COMMAND...
as_root() {
	if [ -n "$why" ]; then
		ktap_skip "$1" "$why"
	else
		ktap "$1" protected "${@:2}"
	fi
}

ktap_plan 18
as_root "-O through another user's link" text
as_root "-r through another user's link" picture
as_root "--save-db through another user's link" db
as_root "db import through another user's link" import
as_root "db delete through another user's link" deleted
as_root "serve --textfile through another user's link" textfile
as_root "trace-analyze -c through another user's link" trace
as_root "latency -O through another user's link" latency
as_root "bundle -O through another user's link" bundle
as_root "watch through another user's link" watch
as_root "record -o through another user's link" recorder
as_root "files, pipes and directories of another user in a sticky directory" another_user
as_root "a dead socket of another user" socket
as_root "the cache in another user's home" cache
ktap "modes of outputs that replace a file" modes
ktap "outputs with addresses are private" private
ktap "a directory that is replaced meanwhile" swapped
ktap "the standard output by name" standard_output
ktap_end
