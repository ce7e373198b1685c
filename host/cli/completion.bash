# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Completion of bash for kmem-account and trace_analyze. Commands and options are taken from the
# program's own --help, so they are always up to date.

# _kmem_account_options COMMAND...: long and short options in a help text
_kmem_account_options() {
	"$@" --help 2>/dev/null | sed -nE 's/^ +(-[A-Za-z0-9],)? +(--[a-z.-]+).*/\1 \2/p' | tr ', ' '\n\n'
}

_kmem_account_commands() {
	"$1" --help 2>/dev/null | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p'
}

_kmem_account() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} words
	local -a command=("$1")

	COMPREPLY=()
	if [ "${1##*/}" = kmem-account ]; then
		if [ "$COMP_CWORD" -eq 1 ]; then
			words="$(_kmem_account_commands "$1") --help --version"
			mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
			return
		fi
		command+=("${COMP_WORDS[1]}")
	fi
	if [ "${command[1]-}" = db ] && [ "$COMP_CWORD" -eq 2 ]; then
		mapfile -t COMPREPLY < <(compgen -W "list show delete import" -- "$cur")
	elif [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_kmem_account_options "${command[@]}")" -- "$cur")
	elif [ "$prev" = --format ] && [ "${command[1]-}" = timeline ]; then
		mapfile -t COMPREPLY < <(compgen -W "csv json" -- "$cur")
	elif [ "$prev" = --format ]; then
		mapfile -t COMPREPLY < <(compgen -W "table csv json" -- "$cur")
	fi
	# nothing: the names of files, by the option of complete below
}

complete -o default -F _kmem_account kmem-account trace_analyze trace_analyze.py
