import { inspect } from "node:util";
import { expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld } from "../testing/index.ts";
import { type Logger, unfailingLogger } from "./logger.ts";

const throwing = (): never => {
  throw new Error("the worker has exited");
};
const rejecting = async (): Promise<never> => throwing();

test.each([
  ["throws", throwing],
  ["rejects", rejecting],
])("a logger that %s costs no delivery, and ends nothing", async (_, line) => {
  const logger: Logger = { debug: line, info: line, warn: line, error: line };
  const { posthorn, addWorkspace, close } = await createWorld(await openTestSqlite(), {
    logger,
    mailer: { concurrency: 1, send: throwing, verify: async () => undefined, close: async () => {} },
  });
  posthorn.on("email.queued", throwing);
  const { id: workspaceId } = await addWorkspace();
  const { id: emailId } = await posthorn.emails.send(
    { to: ["ada@example.com"], subject: "Hi", text: "Hello" },
    { workspaceId },
  );
  await posthorn.drain();
  const { status, attempts } = await posthorn.emails.get({ emailId }, { workspaceId });
  expect([status, attempts.length]).toEqual(["queued", 1]);
  await close();
});

test("a line is written at once, by the logger's own method", () => {
  const lines: unknown[] = [];
  class Own implements Logger {
    #write = (...line: unknown[]): void => void lines.push(line);
    debug = (): void => {};
    info = (): void => {};
    warn(fields: object, message: string): void {
      this.#write(fields, message);
    }
    error = (): void => {};
  }
  unfailingLogger(new Own()).warn({ a: 1 }, "b");
  expect(lines).toEqual([[{ a: 1 }, "b"]]);
});

test("of an error, its message, stack, causes and harmless fields are told, and nothing else", () => {
  const lines: { err?: unknown }[] = [];
  const keep = (fields: object): void => void lines.push(fields);
  const cause = Object.assign(new TypeError("refused"), {
    code: "23505",
    detail: "Key (a)=(ada@example.com)",
  });
  const err = Object.assign(new Error("lost", { cause }), { client: { password: "pg's" }, table: "emails" });
  const circle = new AggregateError([new Error("part")], "circle");
  circle.cause = circle;
  const logger = unfailingLogger({ debug: keep, info: keep, warn: keep, error: keep });
  for (const each of [err, circle, "text", { token: "secret" }]) logger.warn({ err: each, id: 7 }, "m");
  const written = inspect(lines, { depth: null });
  expect(written).not.toMatch(/pg's|ada@example|detail|client|secret/);
  expect(lines[0]).toMatchObject({ id: 7, err: { message: "lost", stack: err.stack, table: "emails" } });
  expect(lines[0]?.err).toBeInstanceOf(Error);
  expect(lines[0]?.err).toMatchObject({ cause: { name: "TypeError", message: "refused", code: "23505" } });
  const json = JSON.parse(JSON.stringify(lines[0]));
  expect(json).toMatchObject({ err: { name: "Error", message: "lost", stack: err.stack, table: "emails" } });
  expect(json).toMatchObject({ err: { cause: { name: "TypeError", message: "refused", code: "23505" } } });
  expect(lines.slice(1)).toMatchObject([
    { err: { message: "circle" } },
    { err: "text" },
    { err: "[object Object]" },
  ]);
});
