import { statSync } from "node:fs";

/** Whether two paths lead to one file, such as through a link, a linked folder or a second name. */
export function isSameFile(one: string, other: string): boolean {
  const [there, here] = [one, other].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
  return there !== undefined && there.ino === here?.ino && there.dev === here.dev;
}
