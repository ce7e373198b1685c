#compdef kmem-account trace_analyze trace_analyze.py
# SPDX-License-Identifier: GPL-2.0-only
#
# Completion of zsh for kmem-account and trace_analyze. Commands, options and words are taken from
# the program itself, as in completion.bash, so they are always up to date.

# _kmem_account_rows EXPRESSION COMMAND...: "word:text" of the lines of a help text
_kmem_account_rows() {
	"${@:2}" --help 2>/dev/null | sed -nE "$1"
}

_kmem_account() {
	local -a rows command
	local program=$words[1] option=

	command=($program)
	if [[ ${program:t} == kmem-account ]]; then
		if (( CURRENT == 2 )) || [[ CURRENT -eq 3 && $words[2] == help ]]; then
			rows=("${(@f)$(_kmem_account_rows '/^Commands:/,/^$/s/^  ([a-z-]+) +(.*)/\1:\2/p' $program)}")
			(( CURRENT == 3 )) || rows+=('help:show the options of a command'
				'--help:show the commands' '--version:show the version')
			_describe 'command' rows
			return
		fi
		command+=($words[2])
	fi
	if [[ $PREFIX == -* ]]; then
		rows=("${(@f)$(_kmem_account_rows 's/:/\\:/g; s/^ +(-.,)? *(--[a-z.-]+)( [^ ]+)?( +(.*))?$/\2:\5/p' $command)}")
		_describe -o 'option' rows
		return
	fi
	# after an option its values, after a command its verbs
	[[ $words[CURRENT-1] != -* ]] || option=$words[CURRENT-1]
	if (( $#command == 1 )) && [[ -n $option ]]; then
		rows=(${(f)"$($program --words trace-analyze $option 2>/dev/null)"})
	elif (( $#command == 2 )) && [[ -n $option || CURRENT -eq 3 ]]; then
		rows=(${(f)"$($program --words $words[2] $option 2>/dev/null)"})
	fi
	if (( $#rows )); then compadd $rows; else _files; fi
}

_kmem_account "$@"
