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
