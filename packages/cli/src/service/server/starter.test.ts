import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";

/** Prints its starter, and once more when that changes; ends by itself in any case. */
const program = `
import { starter } from ${JSON.stringify(new URL("./starter.ts", import.meta.url))};
const first = starter();
console.log(first);
const looking = setInterval(() => {
  if (starter() === first) return;
  console.log(starter());
  clearInterval(looking);
}, 10);
setTimeout(() => clearInterval(looking), 20_000).unref();
`;

/** Runs the program as npm does, in a shell that stays. */
const npm = `
process.title = "npm exec posthorn serve";
const { spawn } = require("node:child_process");
const command = '"$0" --input-type=module -e "$1"; exit';
spawn("sh", ["-c", command, process.execPath, process.argv[1]], { stdio: "inherit" });
`;

test.skipIf(process.platform !== "linux")(
  "a program's starter is another once npm is gone, also if its shell stays",
  async () => {
    const started = spawn(process.execPath, ["-e", npm, program], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void started.kill("SIGKILL"));
    const lines = createInterface(started.stdout)[Symbol.asyncIterator]();
    const before = String((await lines.next()).value).split(" ");
    expect(before).toEqual([expect.stringMatching(/^\d+$/), String(started.pid)]);
    started.kill("SIGKILL");
    await once(started, "exit");
    expect((await lines.next()).value).toBe(before[0]);
  },
);
