import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

/** Posts three times: without free descriptors, with one, with all. */
const script = `
import { closeSync, openSync } from "node:fs";
import { createServer } from "node:http";
import { createHttpSender } from ${JSON.stringify(new URL("./http-sender.ts", import.meta.url))};
const server = createServer((_, response) => response.end());
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const sender = createHttpSender();
const open = [];
const fill = () => { try { for (;;) open.push(openSync("/dev/null")); } catch {} };
const results = [];
for (const free of [0, 1, Number.POSITIVE_INFINITY]) {
  fill();
  for (const one of open.splice(0, free)) closeSync(one);
  const url = "http://127.0.0.1:" + server.address().port + "/";
  const result = await sender.post({ url, headers: {}, body: "", timeoutMs: 3_600_000, allowPrivate: true });
  results.push(result.fault ?? result.status);
}
process.stdout.write(JSON.stringify(results), () => process.exit());
`;

test.skipIf(process.platform === "win32")(
  "a library that can't be loaded for want of descriptors is loaded once there are some",
  () => {
    const { stdout } = spawnSync(
      "sh",
      ["-c", 'ulimit -n 64 && exec "$0" --input-type=module -e "$1"', process.execPath, script],
      { encoding: "utf8", timeout: 110_000 },
    );
    const results: unknown[] = JSON.parse(stdout);
    // With one descriptor left, how far the library gets is a matter of Node.
    expect([results[0], results[2]]).toEqual(["exhausted", 200]);
  },
);
