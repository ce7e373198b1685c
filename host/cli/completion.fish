# SPDX-License-Identifier: GPL-2.0-only
#
# Completion of fish for kmem-account and trace_analyze. Commands, options and words are taken from
# the program itself, as in completion.bash, so they are always up to date.

# "word<tab>text" of each command
function __kmem_account_commands
	set -l words (commandline -opc)
	$words[1] --help 2>/dev/null | sed -nE '/^Commands:/,/^$/s/^  ([a-z-]+) +(.*)/\1\t\2/p'
end

# "--option<tab>text" of the command on the command line
function __kmem_account_options
	set -l words (commandline -opc)
	set -l program $words[1]
	if string match -q -- '*kmem-account' $program; and set -q words[2]
		set program $program $words[2]
	end
	$program --help 2>/dev/null |
		sed -nE 's/^ +(-.,)? *(--[a-z.-]+)( [^ ]+)?( +(.*))?$/\2\t\5/p'
end

# The words that are possible at the cursor: after an option its values, after a command its verbs
function __kmem_account_words
	set -l words (commandline -opc)
	set -l option
	if string match -q -- '-*' $words[-1]
		set option $words[-1]
	else if test (count $words) -ne 2
		return
	end
	if set -q words[2]
		$words[1] --words $words[2] $option 2>/dev/null
	end
end

# The same for trace_analyze, which has no commands
function __kmem_account_trace_words
	set -l words (commandline -opc)
	if string match -q -- '-*' $words[-1]
		$words[1] --words trace-analyze $words[-1] 2>/dev/null
	end
end

function __kmem_account_is_first
	test (count (commandline -opc)) -eq 1
end

function __kmem_account_is_help
	set -l words (commandline -opc)
	test (count $words) -eq 2; and test $words[2] = help
end

complete -c kmem-account -n __kmem_account_is_first -f -a '(__kmem_account_commands)'
complete -c kmem-account -n __kmem_account_is_first -f -a help -d 'show the options of a command'
complete -c kmem-account -n __kmem_account_is_first -l help -d 'show the commands'
complete -c kmem-account -n __kmem_account_is_first -l version -d 'show the version'
complete -c kmem-account -n __kmem_account_is_help -f -a '(__kmem_account_commands)'
complete -c kmem-account -n '__kmem_account_words | string length -q' -f -a '(__kmem_account_words)'
complete -c kmem-account -n 'not __kmem_account_is_first; and string match -q -- "-*" (commandline -ct)' \
	-f -a '(__kmem_account_options)'
for name in trace_analyze trace_analyze.py
	complete -c $name -n '__kmem_account_trace_words | string length -q' -f -a '(__kmem_account_trace_words)'
	complete -c $name -n 'string match -q -- "-*" (commandline -ct)' -f -a '(__kmem_account_options)'
end
