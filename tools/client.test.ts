import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { runInNewContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { contractFolder, printContract } from "./client/print-contract.ts";

const root = resolve(import.meta.dirname, "..");

/**
 * Removes imports, and what the formatter decides: whitespace, line ends, trailing commas, added brackets, and a
 * union's first bars.
 */
const unformatted = (text: string): string =>
  text
    .replace(/^import .*?;$/gms, "")
    .replace(/[\s,()]+/g, "")
    .replace(/(?<=[:<=])\|+/g, "")
    .replaceAll('"', "");

test("the client's contract matches the server's: else run `npm run docs:routes`", () => {
  const printed = printContract();
  const kept = globSync("**/*.ts", { cwd: join(root, contractFolder) });
  expect(kept.sort()).toEqual([...printed.keys()].sort());
  for (const [name, text] of printed)
    expect(unformatted(readFileSync(join(root, contractFolder, name), "utf8")), name).toBe(unformatted(text));
});

test("the client runs without Node's APIs", async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: 'import { createClient } from "./index.ts"; globalThis.createClient = createClient;',
      resolveDir: join(root, "packages/client/src"),
    },
    bundle: true,
    write: false,
    minify: true,
    platform: "browser",
    format: "iife",
  });
  const [code] = outputFiles;
  // Small enough for a Worker, and for a page.
  expect(code?.contents.byteLength).toBeLessThan(12_000);
  const asked: string[] = [];
  const answer = async (url: string) => {
    asked.push(url);
    return new Response(JSON.stringify({ data: { id: "a" } }), {
      headers: { "content-type": "application/json" },
    });
  };
  const web = {
    fetch: answer,
    Response,
    URL,
    URLSearchParams,
    AbortController,
    AbortSignal,
    crypto,
    setTimeout,
    clearTimeout,
  };
  const sent = runInNewContext(
    `${code?.text ?? ""}; createClient("https://mail.example", { apiKey: "k" }).send({ template: "t", to: ["a@b.example"] })`,
    web,
  );
  expect(await sent).toEqual({ id: "a" });
  expect(asked).toEqual(["https://mail.example/api/v1/emails/send-template"]);
});
