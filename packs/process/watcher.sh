#!/bin/sh
# Ends every process group it was told of when its stdin closes, that is when the gateway is gone.
# Lines: "+ PGID" begin to watch, "- PGID" forget, "! PGID" end that group in an orderly way.

trap '' HUP INT TERM
groups=' '

# Every process that belongs to a group named or descends from a member, also in another group.
members_of() {
  ps -A -o pid= -o ppid= -o pgid= 2>/dev/null | awk -v wanted=" $* " '
    { parent[$1] = $2; if (index(wanted, " " $3 " ")) found[$1] = 1 }
    END {
      do {
        more = 0
        for (pid in parent) if (!(pid in found) && (parent[pid] in found)) { found[pid] = 1; more = 1 }
      } while (more)
      for (pid in found) print pid
    }'
}

signal_groups() {
  signal=$1
  shift
  for group in "$@"; do kill "-$signal" -- "-$group" 2>/dev/null; done
}

kill_all() {
  signal_groups KILL "$@"
  for member in $members; do kill -KILL "$member" 2>/dev/null; done
}

end_politely() {
  members=$(members_of "$1")
  signal_groups TERM "$1"
  sleep 1
  kill_all "$1"
}

# Stopped first, so that nobody can be born or adopted while the list is made.
end_now() {
  [ "$#" -gt 0 ] || return 0
  signal_groups STOP "$@"
  members=$(members_of "$@")
  kill_all "$@"
}

while read -r action group; do
  case $group in '' | *[!0-9]* | 0 | 1) continue ;; esac
  case $action in
    +) groups="$groups$group " ;;
    -)
      case $groups in
        *" $group "*) groups="${groups%% "$group" *} ${groups#* "$group" }" ;;
      esac
      ;;
    !) end_politely "$group" & ;;
  esac
done
# shellcheck disable=SC2086 # the list is split into its groups on purpose
end_now $groups
