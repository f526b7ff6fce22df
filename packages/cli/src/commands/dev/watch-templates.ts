import type { CommandContext } from "../../program/connection/command-context.ts";
import { filesIn } from "../../template-folder/apply-changes.ts";
import { paint } from "../../terminal/paint.ts";
import { safeText } from "../../terminal/safe-text.ts";
import type { DevTemplates, SaveResult } from "./dev-templates.ts";
import { watchFolder } from "./watch-folder.ts";

/** Path of the folder, and URL of its previews. */
export interface Watched {
  path: string;
  templates: DevTemplates;
  /** URL of the previews. */
  url: string;
}

/**
 * Pushes a folder now, and again whenever a file in it is saved, with a line for each; `stop` waits for a push in
 * progress.
 */
export async function watchTemplates(
  { output }: Pick<CommandContext, "output">,
  { path, templates, url }: Watched,
): Promise<{ stop(): Promise<void> }> {
  const tell = (told: SaveResult): void => {
    for (const line of linesOf(told, url)) output.note(paint("dim", `${clock()} ${line}`, process.stderr));
    for (const fault of told.faults)
      output.warn(`${clock()} ${fault.split("\n").map(safeText).join("\n  ")}`);
  };
  const push = async (): Promise<void> => {
    await templates.push().then(tell, (error: Error) => output.warn(`${clock()} ${error.message}`));
  };
  let pushing = Promise.resolve();
  // Watches before the first read, so that saves in between are noticed.
  const watching = await watchFolder(path, {
    onChange() {
      // One push after another: a save during a push is read by the next.
      pushing = pushing.then(push);
    },
    onTrouble: (message) => output.warn(`${clock()} ${message}.`),
  });
  pushing = pushing.then(push);
  await pushing;
  return {
    async stop() {
      watching.stop();
      await pushing;
    },
  };
}

const clock = (): string => new Date().toTimeString().slice(0, 8);

function linesOf({ pushed, mended }: SaveResult, url: string): string[] {
  const again = mended.filter((name) => !pushed.some((each) => each.name === name));
  const lines = pushed.map(({ kind, name, diffs }) => {
    const files = filesIn(diffs).map(safeText).join(", ");
    const link = kind === "template" ? `  ${url}#${encodeURIComponent(name)}` : "";
    return `pushed ${kind} ${safeText(name)}${files === "" ? "" : `: ${files}`}${link}`;
  });
  return [...lines, ...again.map((name) => `${safeText(name)} is unchanged`)];
}
