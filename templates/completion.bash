_openclaw_memory() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
  local path='' words='' flags='' word i=1 skip=0
  COMPREPLY=()
  if [ "${COMP_WORDS[0]##*/}" = openclaw ]; then
    if [ "$COMP_CWORD" = 1 ]; then COMPREPLY=($(compgen -W memory -- "$cur")); return; fi
    i=2
  fi
  while [ "$i" -lt "$COMP_CWORD" ]; do
    word=${COMP_WORDS[i]}
    i=$((i + 1))
    if [ "$skip" = 1 ]; then skip=0; continue; fi
    case "$word" in
    {{values}}) skip=1 ;;
    -*) ;;
    *) case ' {{names}} ' in *" ${path:+$path/}$word "*) path="${path:+$path/}$word" ;; esac ;;
    esac
  done
  case "$prev" in
    {{folders}}) COMPREPLY=($(compgen -d -- "$cur")); return ;;
    --entity) COMPREPLY=($(compgen -W "$({{entities}})" -- "$cur")); return ;;
{{choices}}
  esac
  case "$path" in
{{paths}}
  esac
  if [ "$path" = entity/show ]; then words=$({{entities}}); fi
  case "$cur" in -*) words=$flags ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _openclaw_memory openclaw openclaw-memory
