import type { Place, Word } from "./list-places.ts";
import { pathList, pathTest, quote, scopes, valueTest, valueWriter } from "./shell-words.ts";

/** Completion script for zsh, as a file on the function path, or sourced. */
export const zshScript = (places: readonly Place[]): string => `#compdef posthorn
${valueTest(places)}
${pathTest(places)}
${valueWriter(places)}
_posthorn() {
  local word awaits="" here="posthorn" at=0 places=${pathList(places)}
  local -a scope
  for word in "\${(@Q)words[2,CURRENT-1]}"; do
    if [[ -n $awaits ]]; then
      case "$awaits" in ${scopes}) scope+=("\${awaits##* }" "$word") ;; esac
      awaits=""
    elif [[ $word == --dev ]]; then
      scope+=(--dev)
    elif [[ $word == --*=* ]]; then
      case "$here \${word%%=*}" in ${scopes}) scope+=("\${word%%=*}" "\${word#*=}") ;; esac
    elif [[ $word == -* ]]; then
      _posthorn_takes_value "$here $word" && awaits="$here $word"
    elif [[ $places == *"|$here $word|"* ]]; then
      here="$here $word" at=0
    else
      at=$((at + 1))
    fi
  done
  if [[ -z $awaits && $PREFIX == --*=* ]]; then
    awaits="$here \${PREFIX%%=*}"
    compset -P 1 '*='
  fi
  local -a found flags values
  case "$here" in
${places.map(({ path, verbs, flags }) => `    "${path}") found=(${described(verbs)}) flags=(${described(flags)}) ;;`).join("\n")}
  esac
  if [[ -z $awaits && $PREFIX == -* ]]; then
    _describe posthorn flags
  elif [[ -z $awaits && \${#found} -gt 0 ]]; then
    _describe posthorn found
  else
    awaits="\${awaits:-$here $at}"
    values=("\${(@f)$(_posthorn_values "$awaits" "\${scope[@]}")}")
    if [[ -n "\${values[*]}" ]]; then
      compadd -- "\${values[@]}"
    elif _posthorn_takes_path "$awaits"; then
      _files
    fi
  fi
}
if [[ $funcstack[1] == _posthorn ]]; then _posthorn "$@"; else compdef _posthorn posthorn; fi
`;

/** Words with their descriptions, in zsh's format. */
function described(words: readonly Word[]): string {
  return words.map(({ name, summary }) => quote(`${name}:${summary.replaceAll(":", "\\:")}`)).join(" ");
}
