import { Argument } from "commander";
import { lazily } from "../program/verbs/lazily.ts";
import type { Register } from "../program/verbs/register.ts";
import { bashScript } from "./completion/bash-script.ts";
import { fishScript } from "./completion/fish-script.ts";
import { listPlaces, type Place } from "./completion/list-places.ts";
import { zshScript } from "./completion/zsh-script.ts";

/**
 * Completion scripts by shell. For a value of an option or an argument they offer its candidates, or files, but no
 * options: all options share "--", which a shell would insert.
 */
const scripts: Partial<Record<string, (places: readonly Place[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

const run = lazily(() => import("./completion/names.ts"));

export const register: Register = (command, act) => {
  command
    .command("script", { isDefault: true, hidden: true })
    .description("Write a shell's completion script.")
    .addArgument(new Argument("<shell>", "the shell").choices(Object.keys(scripts)))
    .action(
      act(async ({ output }, shell: string) => {
        const write = scripts[shell];
        if (write === undefined || command.parent === null) throw new Error("a shell without a script");
        output.data(
          write(listPlaces(command.parent).filter(({ path }) => !path.endsWith(" completion script"))),
        );
      }),
    );
  command
    .command("names <kind>", { hidden: true })
    .description("Write names for a shell to complete.")
    .option("--workspace <id or name>", "the workspace")
    .action(act(run("names")));
  command.usage("<shell>").addHelpText(
    "after",
    `
Examples:
  mkdir -p ~/.local/share/bash-completion/completions
  posthorn completion bash > ~/.local/share/bash-completion/completions/posthorn
  posthorn completion zsh > "\${fpath[1]}/_posthorn"
  posthorn completion fish > ~/.config/fish/completions/posthorn.fish

Completes an option's possible values, and the names of workspaces, templates and everything else that a command finds by name.`,
  );
};
