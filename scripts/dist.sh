#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Write the source archive of the current commit, and print its path.
#
#	dist.sh DIR		write DIR/kmem-account-VERSION.tar.gz and its .sha256
#
# The archive has the tracked files of HEAD, never the changes that are not committed. Its bytes
# depend on the commit alone: git sorts the names, takes the commit's time for all files, and
# sets owner and mode; the settings of the user's git, umask, time zone and locale have no effect.
# A file appears under its name only when it is complete.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/lib.sh
. "$here/lib.sh"

dir=${1:?usage: dist.sh DIR}
top=$(cd "$here/.." && pwd)
command -v git >/dev/null || die "git is missing; install it"
git -C "$top" rev-parse -q --verify HEAD >/dev/null 2>&1 ||
	die "$top: not a git checkout; an archive is made from a commit"
[ -z "$(git -C "$top" status --porcelain)" ] ||
	say "dist.sh: warning: the changes that are not committed are not in the archive"
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
need_space "$dir" 32 "name another directory with O=DIR"

# git_plain ARGUMENT...: git without the settings that change an archive
git_plain() {
	GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 git -C "$top" -c tar.umask=0022 \
		-c core.autocrlf=false -c core.attributesFile=/dev/null -c safe.directory="$top" "$@"
}

# The version of the commit, which may not be that of the changed files.
version=$(git_plain show HEAD:module/uapi/version.h | sed -n 's/^#define KMA_VERSION "\(.*\)"$/\1/p')
[ -n "$version" ] || die "module/uapi/version.h has no KMA_VERSION in the commit"
name=kmem-account-$version
work=$(mktemp -d "$dir/.dist.XXXXXX")
trap 'rm -rf "$work"' EXIT
git_plain archive --format=tar --prefix="$name/" HEAD >"$work/tar"
# -n: neither the name nor the time of the file
gzip -9 -n <"$work/tar" >"$work/$name.tar.gz"
(cd "$work" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
mv "$work/$name.tar.gz" "$work/$name.tar.gz.sha256" "$dir/"
printf '%s\n' "$dir/$name.tar.gz"
