import { generateKeyPairSync } from "node:crypto";
import type { DkimKey } from "@posthorn/core";
import { createSmtpMailer } from "@posthorn/mailer-smtp";
import fc from "fast-check";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { expect, test } from "vitest";
import { attachment, bodyText, headerText, mailbox } from "../packages/mailer-smtp/test/arbitrary-message.ts";
import { sampleMessage } from "../packages/mailer-smtp/test/sample-message.ts";
import { startScriptedServer } from "../packages/mailer-smtp/test/start-scripted-server.ts";

/**
 * Third-party mail systems that run on this machine, each with the port where it accepts mail and the one to which it
 * relays all of it: `FAULTS_MAIL_SYSTEMS="exim=2531:2541 postfix=2534:2544"`.
 */
const systems = (process.env["FAULTS_MAIL_SYSTEMS"] ?? "")
  .split(" ")
  .filter((text) => text !== "")
  .map((text) => {
    const [, name = "", port, sink] = /^(\w+)=(\d+):(\d+)$/.exec(text) ?? [];
    return { name, port: Number(port), sink: Number(sink) };
  });
/** `FAULTS_MESSAGES=2000`: number of messages for each system. */
const count = Number(process.env["FAULTS_MESSAGES"] ?? 500);

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const key: DkimKey = {
  domain: "example.org",
  selector: "ph",
  privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
};
const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: "spki", format: "der" }).toString("base64")}`;

const arbitrary = fc.record({
  from: fc.record({ name: headerText, address: fc.constant("shop@example.org") }),
  to: fc.array(mailbox, { minLength: 1, maxLength: 3 }),
  cc: fc.array(mailbox, { maxLength: 2 }),
  subject: headerText,
  text: bodyText,
  html: bodyText,
  attachments: fc.array(attachment, { maxLength: 2 }),
});

interface Arrival {
  source: Buffer;
  to: string[];
}

/** Starts a server that stores all mail. */
async function startSink(port: number) {
  const arrivals: Arrival[] = [];
  const recipients = new Map<number, string[]>();
  const server = await startScriptedServer(
    {
      command(line, { number }) {
        if (/^(?:MAIL|RSET)/i.test(line)) recipients.set(number, []);
        const [, address] = /^RCPT TO:<([^>]*)>/i.exec(line) ?? [];
        if (address !== undefined) recipients.get(number)?.push(address);
        return null;
      },
      dot(content, { number }) {
        const source = Buffer.from(`${content.replaceAll("\r\n..", "\r\n.")}\r\n`, "latin1");
        arrivals.push({ source, to: recipients.get(number) ?? [] });
        return null;
      },
    },
    port,
  );
  return { arrivals, close: server.close };
}

test.for(systems.length > 0 ? systems : [{ name: "", port: 0, sink: 0 }])(
  "messages through $name arrive complete, once, with a valid signature",
  { timeout: 1_800_000 },
  async ({ name, port, sink: sinkPort }, { task, skip }) => {
    if (name === "") return skip("FAULTS_MAIL_SYSTEMS names no mail system");
    const sink = await startSink(sinkPort);
    const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, dkim: [key] });
    const wanted = new Map<string, number>();
    const refused: string[] = [];
    const started = performance.now();
    const send = async (
      changes: typeof arbitrary extends fc.Arbitrary<infer T> ? T : never,
      index: number,
    ) => {
      const messageId = `<trial-${index}@example.org>`;
      const to = [...new Set([...changes.to, ...changes.cc].map(({ address }) => address))];
      const { recipients, inDoubt } = await mailer.send(
        sampleMessage({
          ...changes,
          emailId: `trial-${index}`,
          messageId,
          envelope: { from: "shop@example.org", to },
        }),
      );
      const taken = recipients.filter(({ outcome }) => outcome === "accepted").length;
      if (taken < to.length || inDoubt) refused.push(recipients.map(({ reply }) => reply).join());
      wanted.set(messageId, taken);
    };
    const messages = fc.sample(arbitrary, { numRuns: count, seed: 20261121 });
    await Promise.all(messages.map(send));
    const total = [...wanted.values()].reduce((sum, each) => sum + each, 0);
    const idOf = ({ source }: Arrival) =>
      /^Message-ID:\s*(<[^>]*>)/im.exec(source.toString("latin1"))?.[1] ?? "";
    const arrived = () =>
      new Set(sink.arrivals.flatMap((one) => one.to.map((address) => `${idOf(one)} ${address}`))).size;
    await expect.poll(arrived, { timeout: 900_000, interval: 500 }).toBeGreaterThanOrEqual(total);
    await mailer.close();
    await sink.close();

    const got = new Map<string, string[]>();
    const changed: string[] = [];
    for (const arrival of sink.arrivals) {
      const { source, to } = arrival;
      const id = idOf(arrival);
      got.set(id, [...(got.get(id) ?? []), ...to]);
      const { results } = await dkimVerify(source, { resolver: async () => [[record]] });
      if (results.length !== 1 || results[0]?.status.result !== "pass")
        changed.push(`${id}: ${results[0]?.status.result} ${results[0]?.status.comment ?? ""}`);
    }
    const lost = [...wanted].filter(([id, taken]) => new Set(got.get(id)).size < taken);
    const doubled = [...got].filter(([, to]) => new Set(to).size < to.length);
    expect({ refused, lost, doubled, changed }).toEqual({ refused: [], lost: [], doubled: [], changed: [] });
    task.meta.figures = `${count} messages to ${total} recipients: 0 lost, 0 doubled, 0 changed; ${Math.round((performance.now() - started) / 1000)} s`;
  },
);
