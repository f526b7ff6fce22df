import { createWorld } from "@posthorn/core/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { openTestPostgres } from "../test/open-test-storage.ts";

test("a host whose tests fake timers can send, deliver and close: nothing waits for a timer of theirs", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const storage = await openTestPostgres();
  const { posthorn, mailer, addWorkspace, close } = await createWorld(storage);
  const { id: workspaceId } = await addWorkspace();
  const to = ["ada@example.com"];
  await posthorn.emails.send({ to, subject: "Hello", text: "…" }, { workspaceId });
  expect(await posthorn.drain()).toBe(1);
  expect(mailer.inbox.all()).toHaveLength(1);
  posthorn.start();
  await posthorn.stop();
  await close();
});
