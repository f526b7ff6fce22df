import type { Command } from "commander";
import type { Register } from "../commands.ts";
import { CliError } from "../program/cli-error.ts";

export const register: Register = (command, act) => {
  command
    .argument("<shell>", "bash, zsh or fish")
    .addHelpText(
      "after",
      `
Examples:
  posthorn completion bash > ~/.local/share/bash-completion/completions/posthorn
  posthorn completion zsh > "\${fpath[1]}/_posthorn"
  posthorn completion fish > ~/.config/fish/completions/posthorn.fish`,
    )
    .action(
      act(async ({ output }, shell: string) => {
        const write = Object.hasOwn(writers, shell) ? writers[shell] : undefined;
        if (write === undefined || command.parent === null) {
          throw new CliError(
            "usage",
            `There is no completion for ${JSON.stringify(shell)}.`,
            "Name bash, zsh or fish.",
          );
        }
        output.data(write(listPlaces(command.parent)));
      }),
    );
};

/** What can follow after some words: verbs, and options. */
interface Place {
  /** `posthorn users create`. */
  path: string;
  verbs: Word[];
  flags: Flag[];
}

interface Word {
  name: string;
  summary: string;
}

interface Flag extends Word {
  /** Whether the next word is its value. */
  takesValue: boolean;
  /** Whether every command has it. */
  isCommon: boolean;
}

function listPlaces(command: Command, above = ""): Place[] {
  const path = `${above} ${command.name()}`.trim();
  const common = rootOf(command).options.filter(({ hidden }) => !hidden);
  const own = command.parent === null ? [] : command.options;
  const flags = [...own, ...common].flatMap((option): Flag[] => {
    const { long, description, required } = option;
    if (long === undefined || long === null) return [];
    return [{ name: long, summary: description, takesValue: required, isCommon: common.includes(option) }];
  });
  const help: Flag = { name: "--help", summary: "show help", takesValue: false, isCommon: true };
  const verbs = command.commands.map((one) => ({
    name: one.name(),
    summary: one.summary() || one.description(),
  }));
  return [
    { path, verbs, flags: [...flags, help] },
    ...command.commands.flatMap((one) => listPlaces(one, path)),
  ];
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

const names = (words: readonly Word[]): string => words.map(({ name }) => name).join(" ");

/** Text that finds a path between bars. */
const pathList = (places: readonly Place[]): string => `"|${places.map(({ path }) => path).join("|")}|"`;

/** A function of bash and zsh that tells whether the option at the end of a path is followed by its value. */
function valueTest(places: readonly Place[]): string {
  const patterns = places.flatMap(({ path, flags }) =>
    flags
      .filter(({ takesValue, isCommon }) => takesValue && (!isCommon || path === "posthorn"))
      .map(({ name, isCommon }) => (isCommon ? `*" ${name}"` : `"${path} ${name}"`)),
  );
  return `_posthorn_takes_value() {
  case "$1" in
    ${patterns.join(" | \\\n    ")}) return 0 ;;
  esac
  return 1
}`;
}

// Where a value belongs, an option's or an argument, files are offered and no options: those have "--" in common, which a shell inserts.
const writers: Partial<Record<string, (places: Place[]) => string>> = {
  bash: (places) => `# bash completion for posthorn
${valueTest(places)}
_posthorn() {
  local word awaits="" path="posthorn" places=${pathList(places)}
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [[ -n $awaits ]]; then
      [[ $word == "=" ]] || awaits=""
      continue
    fi
    case "$word" in
      -*) _posthorn_takes_value "$path $word" && awaits=1 ;;
      *) case "$places" in *"|$path $word|"*) path="$path $word" ;; esac ;;
    esac
  done
  COMPREPLY=()
  [[ -n $awaits ]] && return
  local words="" flags="" current="\${COMP_WORDS[COMP_CWORD]}"
  case "$path" in
${places.map(({ path, verbs, flags }) => `    "${path}") words="${names(verbs)}" flags="${names(flags)}" ;;`).join("\n")}
  esac
  [[ $current == -* ]] && words="$flags"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _posthorn posthorn
`,
  zsh: (places) => `#compdef posthorn
${valueTest(places)}
_posthorn() {
  local word awaits="" here="posthorn" places=${pathList(places)}
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $awaits ]]; then
      awaits=""
    elif [[ $word == -* ]]; then
      _posthorn_takes_value "$here $word" && awaits=1
    elif [[ $places == *"|$here $word|"* ]]; then
      here="$here $word"
    fi
  done
  if [[ -n $awaits ]]; then
    _files
    return
  fi
  local -a found flags
  case "$here" in
${places.map(({ path, verbs, flags }) => `    "${path}") found=(${described(verbs)}) flags=(${described(flags)}) ;;`).join("\n")}
  esac
  [[ $PREFIX == -* ]] && found=("\${flags[@]}")
  _describe posthorn found || _files
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
  .flatMap(({ path, verbs, flags }) => {
    const complete = (word: string, summary: string): string =>
      `complete -c posthorn -n ${quote(`__posthorn_at "${path}"`)} ${word} -d ${quote(summary)}`;
    return [
      ...verbs.map(({ name, summary }) => complete(`-f -a ${name}`, summary)),
      ...flags.map(({ name, summary, takesValue }) =>
        complete(`${takesValue ? "-r " : ""}-l ${name.slice(2)}`, summary),
      ),
    ];
  })
  .join("\n")}
`,
};

/** Words with what they mean, as zsh reads them. */
function described(words: readonly Word[]): string {
  return words.map(({ name, summary }) => quote(`${name}:${summary.replaceAll(":", "\\:")}`)).join(" ");
}

/** A text in single quotes, as all three shells read it. */
function quote(text: string): string {
  return `'${text.replaceAll("\n", " ").replaceAll("'", "’")}'`;
}
