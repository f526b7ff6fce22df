import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenApi, Operation } from "../src/open-api/document.ts";
import { startServer, type TestServer } from "./start-server.ts";

type Run = (...values: unknown[]) => Promise<Response>;
// The only way to create an async function from text.
const AsyncFunction = (async () => {}).constructor as new (...texts: string[]) => Run;

let server: TestServer;
let reads: { path: string; operation: Operation }[];
let changes: { line: string; operation: Operation }[];
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
    provider: "ses",
    memberId: String(userId),
    sessionId: none,
    externalId: "user-7",
    userId: "999",
  };
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApi;
  reads = Object.entries(paths).flatMap(([path, { get: operation }]) =>
    operation === undefined || path.endsWith("/stream") ? [] : [{ path, operation }],
  );
  changes = Object.entries(paths).flatMap(([path, { get: _, ...others }]) =>
    Object.entries(others).map(([method, operation]) => ({
      line: `${method.toUpperCase()} ${path.slice("/api/v1".length)}`,
      operation,
    })),
  );
});
afterAll(() => server.close());

/** Ids that are numbers. */
const numbered = /\/(?:campaigns|plans|users|workspaces)\/\{id\}/;

test("the reference's TypeScript for each GET runs, and its curl line sends the same request", async () => {
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

/** Values that a sample can't have, and the status that it gets. */
const refused: Record<string, number> = {
  "POST /auth/register": 403, // an invitation
  "POST /auth/login": 401, // an account
  "POST /auth/verify-email": 400, // a token of a mail
  "POST /auth/reset-password": 400,
  "POST /inbound/{provider}/{token}": 400, // what only the relay can write
  "PUT /users/me/password": 400, // the password
  "DELETE /users/me": 400,
  "POST /users/me/2fa/verify": 400, // a secret that was set up
  "POST /users/me/2fa/disable": 400,
  "PUT /workspaces/current/members/{member_id}": 400, // anybody but the owner
  "DELETE /workspaces/current/members/{member_id}": 400,
  "POST /workspaces/current/transfer-ownership": 400,
};
const list = "email\neve@example.com\n";
/** Run last, because they end what the others depend on. */
const last = [
  "DELETE /admin/workspaces/{id}/trust",
  "DELETE /workspaces/current",
  "POST /users/me/sessions/logout",
];

test("the samples of each change are valid, in TypeScript and curl", async () => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-samples-"));
  for (const file of ["hello.txt", "suppressions.csv", "report.json"])
    writeFileSync(join(folder, file), list);
  const answers: [line: string, status: string][] = [];
  const runScript = async ({ line, operation }: (typeof changes)[number]): Promise<void> => {
    const { script, filled } = samplesOf(line, operation);
    const names = [...new Set([...script.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name ?? ""))];
    expect(names.filter((name) => filled[name] === undefined)).toEqual([]);
    const [, imported] = /^import \{ (\w+) \}/.exec(script) ?? [];
    expect(imported).toBe(script.includes("readFile(") ? "readFile" : undefined);
    const source = `${script.replace(/^import.*$/m, "")}\nreturn response;`;
    const run = new AsyncFunction("readFile", ...names, source);
    const { status } = await run(async () => list, ...names.map((name) => filled[name]));
    answers.push([line, String(status)]);
  };
  const isLast = ({ line }: { line: string }): boolean => last.includes(line);
  const others = changes.filter((one) => !isLast(one));
  for (const change of others) await runScript(change);
  const shells = others.map(({ line, operation }) => {
    const { shell, filled } = samplesOf(line, operation);
    const variables = Object.entries(filled).map(([name, value]) => `${shellName(name)}='${value}'`);
    return `${variables.join("; ")}\nprintf '%s\\t' '${line}'\n${shell}`;
  });
  const curl = `curl() { command curl -s -o /dev/null -w '%{http_code}\\n' "$@"; }`;
  writeFileSync(join(folder, "samples.sh"), [curl, ...shells].join("\n"));
  const { stdout } = await promisify(execFile)("bash", ["samples.sh"], { cwd: folder });
  const told = stdout.trimEnd().split("\n");
  answers.push(...told.map((one) => one.split("\t") as [string, string]));
  for (const line of last) for (const change of changes) if (change.line === line) await runScript(change);
  rmSync(folder, { recursive: true });
  expect(answers.length).toBe(2 * changes.length - last.length);
  // Some routes change a thing that does not exist, or is no longer in a state that allows it.
  const isTaken = (status: string): boolean => /^2/.test(status) || ["404", "409"].includes(status);
  expect(answers.filter(([line, status]) => !isTaken(status) && String(refused[line]) !== status)).toEqual(
    [],
  );
});

function samplesOf(line: string, operation: Operation) {
  const [shell = "", script = ""] = operation["x-codeSamples"]?.map(({ source }) => source) ?? [];
  const isNumbered = /\/(campaigns|plans|users|workspaces|invitations)\/\{id\}/.test(line);
  const filled: Record<string, string> = { ...values, ...(isNumbered ? { id: "1" } : {}) };
  return { shell, script, filled };
}

const shellName = (name: string): string => name.replace(/[A-Z]/g, "_$&").toUpperCase();

const camel = (name: string): string =>
  /[a-z]/.test(name)
    ? name
    : name.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
