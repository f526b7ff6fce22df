import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("what the host preloads does not run in the thread, where it could fail", async () => {
  const preload =
    'import { isMainThread } from "node:worker_threads"; if (!isMainThread) throw new Error("twice");';
  const host = `
    import { createInliner } from ${JSON.stringify(join(import.meta.dirname, "create-inliner.ts"))};
    const inliner = createInliner();
    console.log(JSON.stringify(await inliner.inline({ html: "<p>x</p>", css: "p { color: red }" }, 1)));
    await inliner.close();`;
  const url = `data:text/javascript,${encodeURIComponent(preload)}`;
  const run = (args: string[], env: Record<string, string>) =>
    promisify(execFile)(process.execPath, [...args, "--input-type=module", "-e", host], {
      env: { ...process.env, ...env },
      timeout: 110_000,
    });
  for (const { stdout } of [
    await run(["--import", url], {}),
    await run([], { NODE_OPTIONS: `--import=${url}` }),
  ])
    expect(JSON.parse(stdout)).toEqual({ ok: true, html: '<p style="color: red;">x</p>' });
});
