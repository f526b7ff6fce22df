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

/** What can follow after some words: commands and options. */
interface Place {
  /** `posthorn users create`. */
  path: string;
  words: { name: string; summary: string }[];
}

function listPlaces(command: Command, above = ""): Place[] {
  const path = `${above} ${command.name()}`.trim();
  const inherited = command.parent === null ? [] : rootOf(command).options.filter(({ hidden }) => !hidden);
  const words = [
    ...command.commands.map((one) => ({ name: one.name(), summary: one.summary() || one.description() })),
    ...[...command.options, ...inherited].flatMap(({ long, description }) =>
      long === undefined || long === null ? [] : { name: long, summary: description },
    ),
    { name: "--help", summary: "show help" },
  ];
  return [{ path, words }, ...command.commands.flatMap((one) => listPlaces(one, path))];
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

const names = ({ words }: Place): string => words.map(({ name }) => name).join(" ");

const writers: Partial<Record<string, (places: Place[]) => string>> = {
  bash: (places) => `# bash completion for posthorn
_posthorn() {
  local word path="posthorn" places="|${places.map(({ path }) => path).join("|")}|"
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) continue ;; esac
    case "$places" in *"|$path $word|"*) path="$path $word" ;; esac
  done
  local words=""
  case "$path" in
${places.map((place) => `    "${place.path}") words="${names(place)}" ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _posthorn posthorn
`,
  zsh: (places) => `#compdef posthorn
_posthorn() {
  local word here="posthorn" places="|${places.map(({ path }) => path).join("|")}|"
  for word in "\${(@)words[2,CURRENT-1]}"; do
    [[ $word == -* ]] && continue
    [[ $places == *"|$here $word|"* ]] && here="$here $word"
  done
  local -a found
  case "$here" in
${places
  .map(
    ({ path, words }) =>
      `    "${path}") found=(${words.map(({ name, summary }) => quote(`${name}:${summary.replaceAll(":", "\\:")}`)).join(" ")}) ;;`,
  )
  .join("\n")}
  esac
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
  .flatMap(({ path, words }) =>
    words.map(({ name, summary }) => {
      const word = name.startsWith("--") ? `-l ${name.slice(2)}` : `-f -a ${name}`;
      return `complete -c posthorn -n ${quote(`__posthorn_at "${path}"`)} ${word} -d ${quote(summary)}`;
    }),
  )
  .join("\n")}
`,
};

/** A text in single quotes, as all three shells read it. */
function quote(text: string): string {
  return `'${text.replaceAll("\n", " ").replaceAll("'", "’")}'`;
}
