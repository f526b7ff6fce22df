import { bashScript } from "./bash-script.ts";
import { fishScript } from "./fish-script.ts";
import type { Place } from "./list-places.ts";
import { zshScript } from "./zsh-script.ts";

/**
 * Completion scripts by shell. Where a value belongs, an option's or an argument, what it can be is offered, or files, and no options:
 * those have "--" in common, which a shell inserts.
 */
export const scripts: Partial<Record<string, (places: readonly Place[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
