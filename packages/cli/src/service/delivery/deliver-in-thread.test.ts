import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeFolder } from "../../../test/run-command.ts";
import { startSmtpSink } from "../../commands/demo/smtp-sink.ts";
import { loadConfig } from "../../program/settings/config.ts";
import { openService } from "../open-service.ts";
import { deliverInThread } from "./deliver-in-thread.ts";

const baseUrl = "http://127.0.0.1:8080";

const valuesFor = (folder: string, smtpUrl: string) =>
  loadConfig(
    { databaseUrl: `sqlite:${join(folder, "posthorn.db")}` },
    { SERVICE_SMTP_URL: smtpUrl, SERVICE_DEFAULT_SENDER: "mail@example.com", SERVICE_REGISTRATION: "open" },
    {},
  ).values;

test("a thread delivers at once what the main thread accepts, reports its counts, and ends on request", async () => {
  const mails: string[] = [];
  const sink = await startSmtpSink({ onMail: ({ source }) => void mails.push(source) });
  onTestFinished(() => sink.close());
  const values = valuesFor(makeFolder(), sink.url);
  const writeTurns = new SharedArrayBuffer(4);
  const { posthorn, close } = await openService(values, { database: "make", mail: "deliver", writeTurns });
  onTestFinished(close);
  const fault = vi.fn();
  const thread = deliverInThread({ values, baseUrl, writeTurns }, fault);
  expect(await vi.waitUntil(() => thread.counters(), 50_000)).toMatchObject({ emails: { sent: 0 } });
  await posthorn.accounts.register({
    name: "Ada",
    email: "ada@example.com",
    password: "a long and odd passphrase",
  });
  await vi.waitUntil(async () => (await thread.counters())?.emails.sent === 1, 50_000);
  expect(mails).toHaveLength(1);
  await thread.stop();
  expect(fault).not.toHaveBeenCalled();
  expect((await thread.counters())?.emails.sent).toBe(1);
});

test("a thread that can't begin is reported once, with the reason", async () => {
  const fault = vi.fn();
  const values = valuesFor(makeFolder(), "smtp://127.0.0.1:1");
  const thread = deliverInThread({ values, baseUrl, writeTurns: new SharedArrayBuffer(4) }, fault);
  await vi.waitUntil(() => fault.mock.calls.length > 0, 50_000);
  await thread.stop();
  expect(fault.mock.calls).toEqual([
    [
      "the delivery thread failed",
      expect.objectContaining({ message: expect.stringContaining("no database at") }),
    ],
  ]);
});

test("a thread that does not respond is reported once, after a minute", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const fault = vi.fn();
  const values = valuesFor(makeFolder(), "smtp://127.0.0.1:1");
  const thread = deliverInThread({ values, baseUrl, writeTurns: new SharedArrayBuffer(4) }, fault);
  // The thread has no time to start, let alone to answer.
  vi.advanceTimersByTime(60_000);
  expect(fault).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(fault).toHaveBeenCalledExactlyOnceWith("the delivery thread does not respond", expect.any(Error));
  await thread.stop();
  expect(fault).toHaveBeenCalledOnce();
});
