import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const preload =
  'import { isMainThread } from "node:worker_threads"; if (!isMainThread) throw new Error("twice");';
const url = `data:text/javascript,${encodeURIComponent(preload)}`;

/** Returns what a host that begins with these lines prints of its inlining. */
async function inlineIn(
  args: string[],
  { env = {}, begin = "" }: { env?: Record<string, string>; begin?: string },
) {
  const host = `
    import { createInliner } from ${JSON.stringify(join(import.meta.dirname, "create-inliner.ts"))};
    ${begin}
    const inliner = createInliner();
    console.log(JSON.stringify(await inliner.inline({ html: "<p>x</p>", css: "p { color: red }" }, 1)));
    await inliner.close();`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...args, "--input-type=module", "-e", host],
    { env: { ...process.env, ...env }, timeout: 110_000 },
  );
  return JSON.parse(stdout) as unknown;
}

test("what the host preloads does not run in the thread, where it could fail", async () => {
  const inlined = { ok: true, html: '<p style="color: red;">x</p>' };
  expect(await inlineIn(["--import", url], {})).toEqual(inlined);
  expect(await inlineIn([], { env: { NODE_OPTIONS: `--import=${url}` } })).toEqual(inlined);
});

test("Yarn's loader does run in the thread, whose code is in an archive", async () => {
  const begin = 'Object.defineProperty(process, "versions", { value: { ...process.versions, pnp: "3" } });';
  expect(await inlineIn(["--import", url], { begin })).toMatchObject({ ok: false, reason: "unavailable" });
});
