import type { Flag, Place, Value, Word } from "./list-places.ts";

const names = (words: readonly Word[]): string => words.map(({ name }) => name).join(" ");

/** Text that finds a path between bars. */
const pathList = (places: readonly Place[]): string => `"|${places.map(({ path }) => path).join("|")}|"`;

const isAt = ({ path }: Place, { isCommon }: Flag): boolean => !isCommon || path === "posthorn";

/** A function of bash and zsh that tells whether the option at the end of a path is followed by its value. */
function valueTest(places: readonly Place[]): string {
  const patterns = places.flatMap((place) =>
    place.flags
      .filter((one) => one.takesValue && isAt(place, one))
      .map(({ name, isCommon }) => (isCommon ? `*" ${name}"` : `"${place.path} ${name}"`)),
  );
  return `_posthorn_takes_value() {
  case "$1" in
    ${patterns.join(" | \\\n    ")}) return 0 ;;
  esac
  return 1
}`;
}

const canBe = ({ choices, kind }: Value): boolean => choices.length > 0 || kind !== undefined;

/**
 * A function of bash and zsh that writes what a value can be, a line each: after a path and an option, or after a path and the place of
 * an argument. Names are anybody's, and no shell may run them: they are only ever read as lines.
 */
function valueWriter(places: readonly Place[]): string {
  const write = ({ choices, kind }: Value): string =>
    kind === undefined
      ? `printf '%s\\n' ${choices.join(" ")}`
      : `posthorn completion names ${kind} "\${@:2}" 2>/dev/null`;
  const lines = places.flatMap((place) => [
    ...place.flags
      .filter((one) => isAt(place, one) && canBe(one.value))
      .map(({ name, isCommon, value }) => ({
        at: isCommon ? `*" ${name}"` : `"${place.path} ${name}"`,
        value,
      })),
    ...place.args
      .map((value, at) => ({ at: `"${place.path} ${at}"`, value }))
      .filter(({ value }) => canBe(value)),
  ]);
  return `_posthorn_values() {
  case "$1" in
${lines.map(({ at, value }) => `    ${at}) ${write(value)} ;;`).join("\n")}
  esac
}`;
}

/** Options that say where names are looked up. */
const scopes = '*" --workspace" | *" --profile" | *" --database-url" | *" --env-file"';

// Where a value belongs, an option's or an argument, what it can be is offered, or files, and no options: those have "--" in common, which a shell inserts.
export const scripts: Partial<Record<string, (places: Place[]) => string>> = {
  bash: (places) => `# bash completion for posthorn
${valueTest(places)}
${valueWriter(places)}
_posthorn() {
  local word awaits="" path="posthorn" at=0 scope=() places=${pathList(places)}
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
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
    while IFS= read -r word; do
      [[ $word == "$current"* ]] && COMPREPLY+=("$(printf '%q' "$word")")
    done < <(_posthorn_values "\${awaits:-$path $at}" "\${scope[@]}")
  fi
}
complete -o default -F _posthorn posthorn
`,
  zsh: (places) => `#compdef posthorn
${valueTest(places)}
${valueWriter(places)}
_posthorn() {
  local word awaits="" here="posthorn" at=0 places=${pathList(places)}
  local -a scope
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $awaits ]]; then
      case "$awaits" in ${scopes}) scope+=("\${awaits##* }" "$word") ;; esac
      awaits=""
    elif [[ $word == --dev ]]; then
      scope+=(--dev)
    elif [[ $word == -* ]]; then
      _posthorn_takes_value "$here $word" && awaits="$here $word"
    elif [[ $places == *"|$here $word|"* ]]; then
      here="$here $word" at=0
    else
      at=$((at + 1))
    fi
  done
  local -a found flags values
  case "$here" in
${places.map(({ path, verbs, flags }) => `    "${path}") found=(${described(verbs)}) flags=(${described(flags)}) ;;`).join("\n")}
  esac
  if [[ -z $awaits && $PREFIX == -* ]]; then
    _describe posthorn flags
  elif [[ -z $awaits && \${#found} -gt 0 ]]; then
    _describe posthorn found
  else
    values=("\${(@f)$(_posthorn_values "\${awaits:-$here $at}" "\${scope[@]}")}")
    [[ -n "\${values[*]}" ]] && compadd -- "\${values[@]}" || _files
  fi
}
_posthorn "$@"
`,
  fish: (places) => `# fish completion for posthorn
function __posthorn_at
  set -l path posthorn
  set -l places ${places.map(({ path }) => quote(path)).join(" ")}
  for word in (commandline -opc)[2..-1]
    contains -- "$path $word" $places; and set path "$path $word"
  end
  test "$path" = "$argv[1]"
end
${places
  .flatMap((place) => {
    const complete = (word: string, summary: string): string =>
      `complete -c posthorn -n ${quote(`__posthorn_at "${place.path}"`)} ${word} -d ${quote(summary)}`;
    return [
      ...place.verbs.map(({ name, summary }) => complete(`-f -a ${name}`, summary)),
      ...place.args.filter(canBe).map((value) => complete(`-f -a ${offer(value)}`, "")),
      ...place.flags.map(({ name, summary, takesValue, value }) =>
        complete(
          `${takesValue ? "-r " : ""}${canBe(value) ? `-f -a ${offer(value)} ` : ""}-l ${name.slice(2)}`,
          summary,
        ),
      ),
    ];
  })
  .join("\n")}
`,
};

/** What a value can be, as fish reads it: each line of a command's output is one. */
const offer = ({ choices, kind }: Value): string =>
  kind === undefined ? quote(choices.join(" ")) : quote(`(posthorn completion names ${kind} 2>/dev/null)`);

/** Words with what they mean, as zsh reads them. */
function described(words: readonly Word[]): string {
  return words.map(({ name, summary }) => quote(`${name}:${summary.replaceAll(":", "\\:")}`)).join(" ");
}

/** A text in single quotes, as all three shells read it. */
function quote(text: string): string {
  return `'${text.replaceAll("\n", " ").replaceAll("'", "’")}'`;
}
