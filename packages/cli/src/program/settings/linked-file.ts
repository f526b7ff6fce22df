import { lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Follows symbolic links, such as those that a manager of dotfiles makes, which a rename would replace; also a link to
 * nothing yet, which `realpath` refuses.
 */
export function linkedFile(file: string): string {
  // Throws where links lead in a circle.
  statSync(file, { throwIfNoEntry: false });
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return file;
  return linkedFile(resolve(realpathSync(dirname(file)), readlinkSync(file)));
}
