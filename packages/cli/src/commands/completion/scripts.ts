import { bashScript } from "./bash-script.ts";
import { fishScript } from "./fish-script.ts";
import type { Place } from "./list-places.ts";
import { zshScript } from "./zsh-script.ts";

/**
 * Completion scripts by shell. For a value of an option or an argument they offer its candidates, or files, but no
 * options: all options share "--", which a shell would insert.
 */
export const scripts: Partial<Record<string, (places: readonly Place[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};
