import type { Place } from "./list-places.ts";
import { names, pathList, pathTest, scopes, valueTest, valueWriter } from "./shell-words.ts";

/**
 * Completion script for bash. Readline splits words at ":", "@" and "=", which URLs and addresses contain:
 * `_posthorn_words` joins what no space separates, except an option and its value, and `_posthorn_kept` finds what
 * stands before the part that readline replaces.
 */
export const bashScript = (places: readonly Place[]): string => `# bash completion for posthorn
${valueTest(places)}
${pathTest(places)}
${valueWriter(places)}
_posthorn_unquoted() { word=\${1//[\\"\\'\\\\]/}; }
_posthorn_words() {
  local line="\${COMP_LINE#*"$COMP_WORDS"}" piece last=0
  words=("$COMP_WORDS")
  for piece in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ $line == [[:space:]]* || \${words[last]} == "=" || "\${words[last]} $piece" == -*" =" ]]; then
      words[++last]="$piece"
    else
      words[last]+="$piece"
    fi
    line="\${line#*"$piece"}"
  done
}
_posthorn_kept() {
  local at
  kept=""
  [[ $1 == [\\"\\']* ]] && return
  for ((at = \${#1}; at > 0; at--)); do
    word="\${1:at-1:1}"
    [[ $word == [:=@] && $COMP_WORDBREAKS == *"$word"* ]] || continue
    [[ $word == "@" ]] && kept="\${1:0:at-1}" || kept="\${1:0:at}"
    return
  done
}
_posthorn() {
  local word typed kept awaits="" path="posthorn" at=0 words scope=() places=${pathList(places)}
  _posthorn_words
  local current="\${words[\${#words[@]} - 1]}"
  for typed in "\${words[@]:1:\${#words[@]}-2}"; do
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
  local verbs="" flags=""
  COMPREPLY=()
  _posthorn_takes_path "\${awaits:-$path $at}" || compopt +o default 2>/dev/null
  case "$path" in
${places.map(({ path, verbs, flags }) => `    "${path}") verbs="${names(verbs)}" flags="${names(flags)}" ;;`).join("\n")}
  esac
  if [[ -z $awaits && $current == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif [[ -z $awaits && -n $verbs ]]; then
    COMPREPLY=($(compgen -W "$verbs" -- "$current"))
  else
    [[ -n $awaits && $current == "=" ]] && current=""
    _posthorn_kept "$current"
    _posthorn_unquoted "$kept"
    kept="$word"
    _posthorn_unquoted "$current"
    typed="$word"
    while IFS= read -r word; do
      [[ $word == "$typed"* ]] || continue
      case "$current" in
        [\\"\\']*) [[ $word == *[\\$\\\`\\"\\'\\\\!]* ]] || COMPREPLY+=("$word") ;;
        *) COMPREPLY+=("$(printf '%q' "\${word#"$kept"}")") ;;
      esac
    done < <(_posthorn_values "\${awaits:-$path $at}" "\${scope[@]}")
  fi
}
complete -o default -F _posthorn posthorn
`;
