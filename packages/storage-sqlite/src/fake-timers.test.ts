import { createWorld } from "@posthorn/core/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { createSqliteStorage } from "./create-sqlite-storage.ts";

test("a host whose tests fake timers can send, deliver and close: nothing waits for a timer of theirs", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { posthorn, mailer, addWorkspace, close } = await createWorld(
    await createSqliteStorage({ filename: ":memory:" }),
  );
  const { id: workspaceId } = await addWorkspace();
  const html = "<style>p { top: 0 }</style><p>x</p>";
  await posthorn.templates.create({ name: "welcome", subject: "Hello", html }, { workspaceId });
  const to = ["ada@example.com"];
  await posthorn.emails.sendTemplate({ template: "welcome", to }, { workspaceId });
  await posthorn.emails.send({ to, subject: "Hello", text: "…" }, { workspaceId });
  expect(await posthorn.drain()).toBe(2);
  expect(mailer.inbox.all()).toHaveLength(2);
  posthorn.start();
  await posthorn.stop();
  await close();
});

test("under fake timers, draining waits for what a started worker has in hand, and so does stopping", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { posthorn, mailer, addWorkspace, close } = await createWorld(
    await createSqliteStorage({ filename: ":memory:" }),
  );
  const { id: workspaceId } = await addWorkspace();
  const mail = { to: ["ada@example.com"], subject: "Hello", text: "…" };
  await posthorn.emails.send(mail, { workspaceId });
  posthorn.start();
  await mailer.inbox.waitFor({ to: "ada@example.com" });
  await posthorn.drain();
  expect((await posthorn.emails.list({ status: "sent" }, { workspaceId })).total).toBe(1);
  await posthorn.stop();
  mailer.inbox.clear();
  await posthorn.emails.send(mail, { workspaceId });
  posthorn.start();
  await mailer.inbox.waitFor({ to: "ada@example.com" });
  await posthorn.stop();
  expect((await posthorn.emails.list({ status: "sent" }, { workspaceId })).total).toBe(2);
  await close();
});
