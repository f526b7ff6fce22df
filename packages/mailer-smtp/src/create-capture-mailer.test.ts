import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAttachment } from "@posthorn/core/internal";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { sampleMessage } from "../test/sample-message.ts";
import { createCaptureMailer } from "./create-capture-mailer.ts";

const directories: string[] = [];
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});
function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "posthorn-capture-"));
  directories.push(directory);
  return directory;
}

describe.each([
  ["in memory", () => ({})],
  ["in a directory", () => ({ directory: newDirectory() })],
])("createCaptureMailer %s", (_, options) => {
  test("accepts every recipient and lists newest first", async () => {
    const mailer = createCaptureMailer(options());
    const envelope = { from: "a@b.example", to: ["x@b.example", "y@b.example"] };
    const result = await mailer.send(sampleMessage({ subject: "1", envelope }));
    await mailer.send(sampleMessage({ subject: "2" }));
    expect(result).toEqual({
      inDoubt: false,
      recipients: envelope.to.map((address) => ({
        address,
        outcome: "accepted",
        code: 250,
        reply: "250 captured",
      })),
    });
    expect(mailer.list().map(({ subject }) => subject)).toEqual(["2", "1"]);
    expect(mailer.list()[1]?.to).toEqual(envelope.to);
    expect(mailer.list()[0]).not.toHaveProperty("source");
    const html = "<style>p { color: red }</style><p>Yes &amp;<br>no</p><!-- never --><style>a {";
    await mailer.send(sampleMessage({ text: "", html }));
    expect(mailer.list()[0]?.preview).toBe("Yes & no");
    // A tag ends before the next one begins: each `<` was searched for its end through all that follows.
    await mailer.send(sampleMessage({ text: "", html: "if 1 < 2 <b>or</b> <<<" }));
    expect(mailer.list()[0]?.preview).toBe("if 1 < 2 or <<<");
    // Neither the line nor what is read of a long text ends in half a character.
    await mailer.send(sampleMessage({ text: `${"a".repeat(139)}🎉` }));
    expect(mailer.list()[0]?.preview).toBe("a".repeat(139));
    await mailer.send(sampleMessage({ text: `b${" ".repeat(998)}🎉` }));
    expect(mailer.list()[0]?.preview).toBe("b");
  });

  test("stores nothing of a sensitive e-mail's content, its filenames included", async () => {
    const given: { directory?: string } = options();
    const mailer = createCaptureMailer(given);
    const secret = "the-code-is-4711";
    const heard: string[] = [];
    mailer.subscribe((mail) => heard.push(JSON.stringify(mail)));
    await mailer.send(
      sampleMessage({
        isSensitive: true,
        subject: secret,
        html: `<p>${secret}</p>`,
        text: secret,
        calendar: { method: "REQUEST", content: secret },
        attachments: [
          createAttachment({
            filename: `${secret}.txt`,
            contentType: "text/plain",
            content: Buffer.from(secret),
          }),
        ],
      }),
    );
    const [listed] = mailer.list();
    const { directory } = given;
    const files = directory === undefined ? [] : readdirSync(directory).map((name) => join(directory, name));
    const kept = [
      JSON.stringify(listed),
      JSON.stringify(mailer.find(listed?.id ?? "")),
      ...heard,
      ...files.map((file) => readFileSync(file, "utf8")),
    ];
    expect(listed?.to).toEqual(["bob@example.net"]);
    for (const word of [secret, Buffer.from(secret).toString("base64")])
      expect(kept.join()).not.toContain(word);
  });

  test("finds an e-mail with its content", async () => {
    const mailer = createCaptureMailer(options());
    const attachments = [
      createAttachment({ filename: "a.txt", contentType: "text/plain", content: new Uint8Array(3) }),
    ];
    await mailer.send(
      sampleMessage({ html: "<p>é</p>", headers: [{ name: "X-A", value: "1" }], attachments }),
    );
    const mail = mailer.find(mailer.list()[0]?.id ?? "");
    expect(mail).toMatchObject({
      html: "<p>é</p>",
      text: "Good day\n",
      headers: [{ name: "X-A", value: "1" }],
      attachments: [{ filename: "a.txt", contentType: "text/plain", size: 3 }],
    });
    expect(mail?.source).toMatch(/^From: Ann <ann@example.org>\r\n/);
    expect(mailer.find("../../etc/passwd")).toBeUndefined();
    expect(mailer.find("000000000000-0000-00000000")).toBeUndefined();
  });

  test("stores at most its limit, the newest", async () => {
    const mailer = createCaptureMailer({ ...options(), limit: 3 });
    expect(mailer.limit).toBe(3);
    for (const subject of ["1", "2", "3", "4", "5"]) await mailer.send(sampleMessage({ subject }));
    expect(mailer.list().map(({ subject }) => subject)).toEqual(["5", "4", "3"]);
  });

  test("notifies subscribers until they unsubscribe, and forgets all when cleared", async () => {
    const mailer = createCaptureMailer(options());
    const heard: string[] = [];
    const leave = mailer.subscribe(({ subject }) => heard.push(subject));
    await mailer.send(sampleMessage({ subject: "1" }));
    leave();
    await mailer.send(sampleMessage({ subject: "2" }));
    expect(heard).toEqual(["1"]);
    mailer.clear();
    expect(mailer.list()).toEqual([]);
  });

  test("keeps an e-mail once, whatever a subscriber throws or rejects with, and warns", async () => {
    const mailer = createCaptureMailer(options());
    const warned = vi.spyOn(process, "emitWarning").mockReturnValue();
    onTestFinished(() => warned.mockRestore());
    const heard: string[] = [];
    mailer.subscribe(() => {
      throw new Error("at once");
    });
    mailer.subscribe(async () => {
      throw new Error("later");
    });
    mailer.subscribe(({ subject }) => heard.push(subject));
    await mailer.send(sampleMessage({ subject: "1" }));
    expect(heard).toEqual(["1"]);
    await expect.poll(() => String(warned.mock.calls)).toMatch(/at once.*later/s);
  });
});

test("a folder that can't be pruned fails a send before its e-mail is kept, as it will be sent again", async () => {
  const directory = newDirectory();
  mkdirSync(join(directory, "000000000000-0000-00000000.json"));
  await expect(createCaptureMailer({ directory, limit: 1 }).send(sampleMessage({}))).rejects.toThrow(
    "EISDIR",
  );
  expect(readdirSync(directory)).toHaveLength(1);
});

test("processes that capture a few e-mails each keep no more files than the limit either", async () => {
  const directory = newDirectory();
  for (let each = 0; each < 25; each += 1)
    await createCaptureMailer({ directory, limit: 20 }).send(sampleMessage({}));
  expect(readdirSync(directory).length).toBe(2 * 20);
});

test("a second mailer on the same directory sees the e-mails of the first, and ignores other files", async () => {
  const directory = newDirectory();
  const first = createCaptureMailer({ directory });
  const second = createCaptureMailer({ directory });
  await first.send(sampleMessage({ subject: "1" }));
  writeFileSync(join(directory, "notes.json"), "{}");
  expect(second.list().map(({ subject }) => subject)).toEqual(["1"]);
  expect(second.find(second.list()[0]?.id ?? "")?.text).toBe("Good day\n");
  second.clear();
  expect(first.list()).toEqual([]);
  expect(readdirSync(directory)).toEqual(["notes.json"]);
});
