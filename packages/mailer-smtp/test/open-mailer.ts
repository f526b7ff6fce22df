import type { Mailer, MailMessage } from "@posthorn/core";
import { expect, onTestFinished } from "vitest";
import { createSmtpMailer } from "../src/create-smtp-mailer.ts";
import type { SmtpMailerOptions } from "../src/smtp-mailer-options.ts";
import { sampleMessage } from "./sample-message.ts";
import type { Script } from "./scripted-server.ts";
import { startScriptedServer } from "./start-scripted-server.ts";

// Long enough for a busy machine; tests of silence advance the time.
export const long = { connect: 90_000, greeting: 90_000, command: 90_000, dot: 90_000 };

export async function start(script: Script = {}, options: Partial<SmtpMailerOptions> = {}) {
  const server = await startScriptedServer(script);
  const mailer = createSmtpMailer({ url: server.url, timeouts: long, ...options });
  onTestFinished(mailer.close);
  return { server, mailer };
}

/** Starts a mailer with one connection, and `send`, which tells what became of each recipient: `accepted 250`. */
export async function openSender(script: Script) {
  const server = await startScriptedServer(script);
  const mailer = createSmtpMailer({ url: server.url, connections: 1 });
  onTestFinished(mailer.close);
  const send = async (to = ["bob@example.net"], text = "Good day\n") => {
    const result = await mailer.send(sampleMessage({ envelope: { from: "ann@example.org", to }, text }));
    return {
      ...result,
      told: result.recipients.map(({ outcome, code }) => `${outcome} ${code ?? ""}`.trim()),
    };
  };
  return { server, send };
}

/** Sends and returns the outcomes in short form: `accepted 250`. */
export async function outcomes(mailer: Mailer, message: MailMessage = sampleMessage()) {
  const { recipients, inDoubt, held } = await mailer.send(message);
  expect(recipients.map(({ address }) => address)).toEqual(message.envelope.to);
  return {
    inDoubt,
    held: held?.cause,
    reason: held?.reason,
    results: recipients.map(({ outcome, code, atRecipient }) =>
      [outcome, code, atRecipient ? "at recipient" : undefined]
        .filter((part) => part !== undefined)
        .join(" "),
    ),
    replies: recipients.map(({ reply }) => reply),
  };
}

export const accepted = { inDoubt: false, held: undefined, results: ["accepted 250"] };
