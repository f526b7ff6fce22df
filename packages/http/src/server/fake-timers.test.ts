import { createWorld } from "@posthorn/core/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { createPosthornServer } from "./server.ts";

test("a server answers and stops while the tests of a host fake timers", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const world = await createWorld(await openTestSqlite());
  const workspace = await world.addWorkspace();
  const { key } = await world.posthorn.apiKeys.create({ name: "shop" }, { workspaceId: workspace.id });
  const server = createPosthornServer(world.posthorn);
  const { url } = await server.listen(0);
  const { status } = await fetch(`${url}/api/v1/emails/send`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", connection: "close" },
    body: JSON.stringify({ to: ["ada@example.com"], subject: "Hello", text: "…" }),
  });
  expect(status).toBe(202);
  await server.stop();
  await world.close();
});
