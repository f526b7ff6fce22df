import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

/** Prints the cause of a file that SQLite can't open: while the process has no descriptor left, and after that. */
const script = `
import { closeSync, openSync } from "node:fs";
import { findCause } from ${JSON.stringify(new URL("./database-fault.ts", import.meta.url))};
const error = Object.assign(new Error("unable to open database file"), { code: "SQLITE_CANTOPEN" });
const open = [];
try { for (;;) open.push(openSync("/dev/null")); } catch {}
const lacking = findCause(error);
open.forEach((one) => closeSync(one));
process.stdout.write(JSON.stringify([lacking.words, findCause(error).words]), () => process.exit());
`;

test.skipIf(process.platform === "win32")(
  "a database that can't be opened for want of descriptors is not reported as forbidden",
  () => {
    const { stdout } = spawnSync(
      "sh",
      ["-c", 'ulimit -n 64 && exec "$0" --input-type=module -e "$1"', process.execPath, script],
      { encoding: "utf8", timeout: 30_000 },
    );
    expect(JSON.parse(stdout)).toEqual([
      "this process may not open another file",
      "this user may not use it",
    ]);
  },
);
