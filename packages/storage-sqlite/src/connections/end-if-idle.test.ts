import { useCase } from "@posthorn/core";
import { createWorld } from "@posthorn/core/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { openTestSqlite } from "../../test/open-test-sqlite.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

test("a use case that awaits a call of the service is rolled back, and holds up nothing else for ever", async () => {
  const { posthorn, addWorkspace, close } = await createWorld(await openTestSqlite());
  const { id: workspaceId } = await addWorkspace();
  const mail = { to: ["ada@example.com"], subject: "Hi", text: "Hello" };
  const waiting = Promise.withResolvers<void>();
  const waits = useCase({
    access: "templates:write",
    input: z.strictObject({}),
    async run({ emit, storage, workspace }) {
      await storage.templates.list(workspace.id, { offset: 0, limit: 1 });
      emit("queue.paused");
      waiting.resolve();
      return await posthorn.emails.send(mail, { workspaceId });
    },
  });
  const caller = { kind: "operator", name: "host" } as const;
  const executed = posthorn.execute(waits, {}, { caller, client: { ip: "", userAgent: "" }, workspaceId });
  const refused = expect(executed).rejects.toThrow(/^a transaction was rolled back, because for 10 s/);
  const beside = posthorn.emails.send(mail, { workspaceId });
  await waiting.promise;
  vi.advanceTimersByTime(20_000);
  await refused;
  await beside;
  const { items } = await posthorn.auditLog.listForWorkspace({}, { workspaceId });
  expect(items.filter(({ type }) => type === "queue.paused")).toEqual([]);
  await close();
});
