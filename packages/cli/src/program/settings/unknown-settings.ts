import { settings } from "./settings.ts";

/** Every name that the command reads. A profile is no setting: `posthorn.config.json` can't name it. */
const known: readonly string[] = [...Object.values(settings).map(({ env }) => env), "SERVICE_PROFILE"];

/** Whether a name begins as those of settings do, and is none of them. */
export const isUnknownSetting = (name: string): boolean =>
  name.startsWith("SERVICE_") && !known.includes(name);

/** A variable of the environment that looks like a setting. */
interface UnknownSetting {
  fault: string;
  hint: string;
}

/**
 * Returns the variables of the environment that are set and look like settings without being any. They are no error,
 * because other programs use such names too.
 */
export const findUnknownSettings = (env: NodeJS.ProcessEnv = process.env): UnknownSetting[] =>
  Object.keys(env)
    .filter((name) => env[name] !== "" && isUnknownSetting(name))
    .map((name) => ({
      fault: `${name} in the environment is no setting, and is ignored`,
      hint: suggestSetting(name),
    }));

/** Warns of each of them. */
export function warnOfUnknownSettings({ warn }: { warn(text: string): void }): void {
  for (const { fault, hint } of findUnknownSettings()) warn(`${fault}. ${hint}`);
}

/** Returns a sentence that names the setting nearest to a name, if one is near enough to be meant. */
export function suggestSetting(name: string): string {
  const [nearest] = known
    .map((meant) => ({ meant, edits: countEdits(name, meant) }))
    .toSorted((one, other) => one.edits - other.edits);
  return nearest !== undefined && nearest.edits <= mostEdits
    ? `Did you mean ${nearest.meant}?`
    : "See the settings that there are: posthorn config show --origin";
}

const mostEdits = 3;

/** Counts the characters to insert, delete or replace so that one text becomes the other (Levenshtein's distance). */
function countEdits(from: string, to: string): number {
  let before = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [row, letter] of [...from].entries()) {
    const now = [row + 1];
    for (const [column, other] of [...to].entries()) {
      const [left = 0, above = 0, diagonal = 0] = [now[column], before[column + 1], before[column]];
      now.push(Math.min(left + 1, above + 1, diagonal + (letter === other ? 0 : 1)));
    }
    before = now;
  }
  return before.at(-1) ?? 0;
}
