import type { Flag, Place, Value } from "./list-places.ts";
import { canBe, isAt, quote, scopeOptions } from "./shell-words.ts";

/** Completion script for fish. */
export const fishScript = (places: readonly Place[]): string => `# fish completion for posthorn
complete -c posthorn -f
${fishWalk(places)}
function __posthorn_at
  __posthorn_walk
  test "$__posthorn_path" = "$argv[1]"; and test (count $argv) = 1 -o "$__posthorn_args" = "$argv[2]"
end
function __posthorn_names
  __posthorn_walk
  posthorn completion names $argv[1] $__posthorn_scope 2>/dev/null
end
${places
  .flatMap((place) => {
    const complete = (word: string, summary: string, at = ""): string =>
      `complete -c posthorn -n ${quote(`__posthorn_at "${place.path}"${at}`)} ${word}${summary === "" ? "" : ` -d ${quote(summary)}`}`;
    return [
      ...place.verbs.map(({ name, summary }) => complete(`-f -a ${name}`, summary)),
      ...place.args.flatMap((value, at) =>
        canBe(value) || value.isPath ? complete(candidates(value), "", ` ${at}`) : [],
      ),
      ...place.flags
        .filter((one) => isAt(place, one))
        .map((one) => (one.isCommon ? `complete -c posthorn ${fishFlag(one)}` : complete(fishFlag(one), ""))),
    ];
  })
  .join("\n")}
`;

/** An option with its possible values and its description. */
const fishFlag = ({ name, summary, takesValue, value }: Flag): string =>
  `${takesValue ? `-r ${candidates(value)} ` : ""}-l ${name.slice(2)} -d ${quote(summary)}`;

/** What may stand in a value's place; files only where it is a path. */
function candidates(value: Value): string {
  if (value.isPath) return "-F";
  return canBe(value) ? `-f -a ${offer(value)}` : "-f";
}

/**
 * A fish function that parses the words of a line once: the verb they lead to, its number of arguments, and the options
 * that determine where names are looked up.
 */
function fishWalk(places: readonly Place[]): string {
  const valued = places.flatMap(({ path, flags }) =>
    flags.flatMap((one) =>
      one.takesValue && (!one.isCommon || path === "posthorn")
        ? [quote(one.isCommon ? one.name : `${path} ${one.name}`)]
        : [],
    ),
  );
  return `function __posthorn_walk
  set -l words (commandline -opc)
  test "$words" = "$__posthorn_words"; and return
  set -g __posthorn_words $words
  set -g __posthorn_path posthorn
  set -g __posthorn_args 0
  set -g __posthorn_scope
  set -l awaits
  set -l places ${places.map(({ path }) => quote(path)).join(" ")}
  set -l valued ${valued.join(" ")}
  for word in $words[2..-1]
    if test -n "$awaits"
      contains -- $awaits ${scopeOptions.join(" ")}; and set -a __posthorn_scope $awaits $word
      set awaits
    else if test "$word" = --dev
      set -a __posthorn_scope --dev
    else if string match -q -- '--*=*' $word
      set -l parts (string split -m 1 = -- $word)
      contains -- $parts[1] ${scopeOptions.join(" ")}; and set -a __posthorn_scope $parts
    else if string match -q -- '-*' $word
      contains -- "$__posthorn_path $word" $valued; or contains -- $word $valued; and set awaits $word
    else if contains -- "$__posthorn_path $word" $places
      set __posthorn_path "$__posthorn_path $word"
      set __posthorn_args 0
    else
      set __posthorn_args (math $__posthorn_args + 1)
    end
  end
end`;
}

/** Completes a value in fish: each line of a command's output is a candidate. */
const offer = ({ choices, kind }: Value): string =>
  kind === undefined ? quote(choices.join(" ")) : quote(`(__posthorn_names ${kind})`);
