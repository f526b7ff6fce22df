import { connect } from "node:net";
import { createSmtpMailer } from "@posthorn/mailer-smtp";
import { expect, onTestFinished, test } from "vitest";
import { type ReceivedMail, startSmtpSink } from "./smtp-sink.ts";

async function start() {
  const told: ReceivedMail[] = [];
  const sink = await startSmtpSink({ onMail: (mail) => told.push(mail) });
  onTestFinished(() => sink.close());
  return { sink, told };
}

/** Sends the text, `chunk` bytes per write, and returns all replies. */
function converse(url: string, text: string, chunk = text.length): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => {
      for (let at = 0; at < text.length; at += chunk) socket.write(text.slice(at, at + chunk));
    });
    let replies = "";
    socket.on("data", (data) => {
      replies += data;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(replies));
  });
}

const mail =
  "MAIL FROM:<a@x>\r\nRCPT TO:<b@x>\r\nRCPT TO:<c@x>\r\nDATA\r\nSubject: s\r\n\r\n..a\r\n...\r\nend\r\n.\r\n";

test("accepts e-mails however the bytes are split, and removes dot-stuffing", async () => {
  const { sink, told } = await start();
  for (const chunk of [1, 7, 1_000]) await converse(sink.url, `EHLO me\r\n${mail}${mail}QUIT\r\n`, chunk);
  expect(told).toHaveLength(6);
  expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(told[0]).toEqual({
    from: "a@x",
    to: ["b@x", "c@x"],
    source: "Subject: s\r\n\r\n.a\r\n..\r\nend\r\n",
  });
  expect(sink.mails).toEqual(told);
});

test("refuses DATA without a recipient, and unknown commands", async () => {
  const { sink, told } = await start();
  const replies = await converse(sink.url, "EHLO me\r\nDATA\r\nVRFY x\r\nQUIT\r\n");
  expect(replies).toMatch(/^503 /m);
  expect(replies).toMatch(/^502 /m);
  expect(told).toEqual([]);
});

test("works as a mail server for the mailer", async () => {
  const { sink } = await start();
  const mailer = createSmtpMailer({ url: sink.url });
  onTestFinished(() => mailer.close());
  expect(await mailer.verify()).toBeUndefined();
});
