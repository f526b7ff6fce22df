import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenApi, Operation } from "../src/open-api/document.ts";
import { startServer, type TestServer } from "./start-server.ts";

type Run = (...values: (string | undefined)[]) => Promise<Response>;
// The only way to make an async function of a text.
const AsyncFunction = (async () => {}).constructor as new (...texts: string[]) => Run;

let server: TestServer;
let reads: { path: string; operation: Operation }[];
let values: Record<string, string>;

beforeAll(async () => {
  server = await startServer();
  const { world, logIn, url } = server;
  const { token, userId } = await logIn({ admin: true });
  const { id } = await world.posthorn.workspaces.createFor({ name: "Shop", userId });
  const shop = world.posthorn.workspace(id);
  const { key } = await shop.apiKeys.create({ name: "reference" });
  const template = await shop.templates.create({ name: "hello", subject: "Hello", text: "Hello" });
  const none = "00000000-0000-7000-8000-000000000000";
  values = {
    posthornUrl: url,
    token,
    apiKey: key,
    workspace: String(id),
    templateId: template.id,
    versionId: template.activeVersionId,
    id: none,
    webhookId: none,
    position: "0",
    email: "ada@example.com",
  };
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
  reads = Object.entries(paths).flatMap(([path, { get: operation }]) =>
    operation === undefined || path.endsWith("/stream") ? [] : [{ path, operation }],
  );
});
afterAll(() => server.close());

/** Ids that are numbers. */
const numbered = /\/(?:campaigns|plans|users|workspaces)\/\{id\}/;

test("the reference's TypeScript for each GET runs, and its curl line asks for the same", async () => {
  expect(reads.length).toBeGreaterThan(40);
  const answers: Record<string, string> = {};
  for (const { path, operation } of reads) {
    const [shell, script] = operation["x-codeSamples"]?.map(({ source }) => source) ?? [];
    if (shell === undefined || script === undefined) throw new Error(`${path} has no samples`);
    const filled: Record<string, string> = { ...values, ...(numbered.test(path) ? { id: "1" } : {}) };
    const names = [...new Set([...script.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name ?? ""))];
    expect(names.filter((name) => filled[name] === undefined)).toEqual([]);
    const run = new AsyncFunction(...names, `${script}\nreturn response;`);
    const { status } = await run(...names.map((name) => filled[name]));
    answers[path] = String(status);
    const variables = (text: string) =>
      [...text.matchAll(/\$\{?(\w+)\}?/g)].map(([, name = ""]) => camel(name));
    expect(variables(shell)).toEqual(variables(script));
    expect([...shell.matchAll(/-H "([\w-]+): /g)].map(([, name]) => name)).toEqual(
      [...script.matchAll(/^ {4}"?([\w-]+)"?: /gm)].map(([, name]) => name),
    );
  }
  const unexpected = Object.entries(answers).filter(([, status]) => status !== "200" && status !== "404");
  // There is nothing to show before it is set up.
  expect(unexpected).toEqual([["/api/v1/users/me/2fa/qr", "400"]]);
});

const camel = (name: string): string =>
  /[a-z]/.test(name)
    ? name
    : name.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
