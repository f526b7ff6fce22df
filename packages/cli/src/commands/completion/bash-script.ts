import type { Place } from "./list-places.ts";
import { names, pathList, scopes, valueTest, valueWriter } from "./shell-words.ts";

/** Completion script for bash. */
export const bashScript = (places: readonly Place[]): string => `# bash completion for posthorn
${valueTest(places)}
${valueWriter(places)}
_posthorn_unquoted() { word=\${1//[\\"\\'\\\\]/}; }
_posthorn() {
  local word typed awaits="" path="posthorn" at=0 scope=() places=${pathList(places)}
  for typed in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    _posthorn_unquoted "$typed"
    if [[ -n $awaits ]]; then
      [[ $word == "=" ]] && continue
      case "$awaits" in ${scopes}) scope+=("\${awaits##* }" "$word") ;; esac
      awaits=""
      continue
    fi
    case "$word" in
      --dev) scope+=(--dev) ;;
      -*) _posthorn_takes_value "$path $word" && awaits="$path $word" ;;
      *) case "$places" in *"|$path $word|"*) path="$path $word" at=0 ;; *) at=$((at + 1)) ;; esac ;;
    esac
  done
  local words="" flags="" current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  case "$path" in
${places.map(({ path, verbs, flags }) => `    "${path}") words="${names(verbs)}" flags="${names(flags)}" ;;`).join("\n")}
  esac
  if [[ -z $awaits && $current == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif [[ -z $awaits && -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    _posthorn_unquoted "$current"
    typed="$word"
    while IFS= read -r word; do
      [[ $word == "$typed"* ]] || continue
      case "$current" in
        [\\"\\']*) [[ $word == *[\\$\\\`\\"\\'\\\\!]* ]] || COMPREPLY+=("$word") ;;
        *) COMPREPLY+=("$(printf '%q' "$word")") ;;
      esac
    done < <(_posthorn_values "\${awaits:-$path $at}" "\${scope[@]}")
  fi
}
complete -o default -F _posthorn posthorn
`;
