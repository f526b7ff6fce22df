import { generateKeyPairSync, type KeyObject } from "node:crypto";
import type { DkimKey, MailMessage } from "@posthorn/core";
import { createAttachment } from "@posthorn/core/internal";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { describe, expect, test } from "vitest";
import { sampleMessage } from "../../test/sample-message.ts";
import { readAttachedMessages } from "./attached-messages.ts";
import { createComposer } from "./compose-message.ts";
import { readDkimKey } from "./dkim-key.ts";
import { gather } from "./message-source.ts";
import { createDkimSigner } from "./sign-dkim.ts";

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
const ed25519 = generateKeyPairSync("ed25519");
const pem = (privateKey: KeyObject) => privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const key: DkimKey = { domain: "example.org", selector: "ph1", privateKey: pem(rsa.privateKey) };
const edKey: DkimKey = { ...key, selector: "ed1", privateKey: pem(ed25519.privateKey) };
const spki = rsa.publicKey.export({ type: "spki", format: "der" }).toString("base64");
const records: Record<string, string> = {
  "ph1._domainkey.example.org": `v=DKIM1; k=rsa; p=${spki}`,
  "ed1._domainkey.example.org": `v=DKIM1; k=ed25519; p=${ed25519.publicKey.export({ type: "spki", format: "der" }).subarray(-32).toString("base64")}`,
};

async function verdicts(source: Buffer): Promise<string[]> {
  const { results } = await dkimVerify(source, { resolver: async (name: string) => [[records[name] ?? ""]] });
  return results
    .filter(({ selector }) => selector !== undefined)
    .map(({ status, selector, algo }) => `${selector} ${algo} ${status.result}`);
}

const full = sampleMessage({
  subject: "Grüße  an alle",
  sender: { name: "", address: "team@example.org" },
  html: "<p>x </p>\n\n",
  text: "a\t b  \n \n.\n\n",
  cc: [{ name: "C", address: "c@example.net" }],
  replyTo: [{ name: "", address: "r@example.org" }],
  headers: [
    { name: "List-Unsubscribe", value: "<https://example.org/u>" },
    { name: "List-Unsubscribe-Post", value: "List-Unsubscribe=One-Click" },
    { name: "List-Id", value: "<shop.example.org>" },
    { name: "References", value: "<a@example.org>" },
    { name: "References", value: "<b@example.org>" },
    { name: "X-Other", value: "1" },
  ],
});
const signed = async (message: MailMessage, keys = [key]) =>
  gather(await createDkimSigner(keys)(createComposer()(message), message));

const verdictsOf = async (message: MailMessage) => verdicts(await signed(message));

describe("createDkimSigner", () => {
  test("keeps the two hundred keys used last as they were read", async () => {
    const sign = createDkimSigner();
    const message = sampleMessage();
    let reads = 0;
    const counted: DkimKey = {
      ...edKey,
      get privateKey() {
        reads += 1;
        return edKey.privateKey;
      },
    };
    const signWith = (dkim: DkimKey) => sign(createComposer()(message), { ...message, dkim: [dkim] });
    let others = 0;
    const signWithOthers = async (count: number) => {
      for (const end = others + count; others < end; others += 1)
        await signWith({ ...edKey, selector: `other${others}` });
    };
    /** How often a known key is looked at: its name alone. */
    const readsOf = async () => {
      reads = 0;
      await signWith(counted);
      return reads;
    };
    await signWith(counted);
    const known = await readsOf();
    for (let times = 0; times < 2; times += 1) {
      await signWithOthers(199);
      expect(await readsOf()).toBe(known);
    }
    await signWithOthers(200);
    expect(await readsOf()).toBeGreaterThan(known);
  });

  test("signatures verify in another implementation", async () => {
    const source = await signed(full);
    expect(await verdicts(source)).toEqual(["ph1 rsa-sha256 pass"]);
    const [field = ""] = source.toString("latin1").split("\r\nFrom:", 1);
    expect(Math.max(...field.split("\r\n").map(({ length }) => length))).toBeLessThanOrEqual(78);
    const tags = field.replace(/\s+/g, "");
    expect(tags).toContain(`;t=${full.date / 1000};`);
    expect(tags).toContain(
      ";h=from:from:sender:to:to:cc:cc:reply-to:reply-to:subject:subject:date:date:message-id:message-id:references:references:references:mime-version:mime-version:content-type:content-type:list-id:list-unsubscribe:list-unsubscribe:list-unsubscribe-post:list-unsubscribe-post;",
    );
    const alone = (await signed(sampleMessage())).toString("latin1").replace(/\s+/g, "");
    expect(alone).toContain(":to:to:cc:reply-to:subject:");
    expect(alone).toContain(
      ":content-type:content-type:content-transfer-encoding:content-transfer-encoding;",
    );
  });

  test.each([
    "From",
    "To",
    "Cc",
    "Reply-To",
    "Subject",
    "Date",
    "Message-ID",
    "MIME-Version",
    "Content-Type",
    "References",
    "List-Unsubscribe",
    "List-Unsubscribe-Post",
  ])("a signature fails when another %s is added in transit, before or after", async (name) => {
    const source = (await signed(full)).toString("latin1");
    const before = source.replace("\r\nFrom: ", `\r\n${name}: x\r\nFrom: `);
    const after = source.replace("\r\n\r\n", `\r\n${name}: x\r\n\r\n`);
    for (const changed of [before, after])
      expect(await verdicts(Buffer.from(changed, "latin1"))).not.toContain("ph1 rsa-sha256 pass");
  });

  test("a signature holds when a relay or a mailing list adds a field of its own", async () => {
    const source = (await signed(sampleMessage())).toString("latin1");
    const own = ["Received", "Sender", "Feedback-ID", "List-Id", "List-Unsubscribe", "In-Reply-To"];
    const added = own.map((name) => `${name}: x\r\n`).join("");
    expect(await verdicts(Buffer.from(added + source, "latin1"))).toEqual(["ph1 rsa-sha256 pass"]);
  });

  test("covers no field that the server replaces", async () => {
    const source = await createDkimSigner([key])(createComposer()(full), full, ["date", "message-id"]);
    const changed = (await gather(source))
      .toString("latin1")
      .replace(/\r\nDate: .*/, "\r\nDate: Sun, 29 Nov 2026 12:00:00 +0000")
      .replace(/\r\nMessage-ID: .*/, "\r\nMessage-ID: <its-own@ses.example>");
    expect(await verdicts(Buffer.from(changed, "latin1"))).toEqual(["ph1 rsa-sha256 pass"]);
  });

  test("signs once for each key, with RSA and with Ed25519", async () => {
    expect(await verdicts(await signed(full, [key, edKey]))).toEqual([
      "ph1 rsa-sha256 pass",
      "ed1 ed25519-sha256 pass",
    ]);
  });

  test("signs with the mailer's keys for their domain and its subdomains, and with the message's own keys for any", async () => {
    const from = (address: string, dkim?: DkimKey[]) =>
      verdictsOf(sampleMessage({ from: { name: "", address }, ...(dkim && { dkim }) }));
    expect(await from("a@Example.ORG")).toEqual(["ph1 rsa-sha256 pass"]);
    expect(await from("a@mail.example.org")).toEqual(["ph1 rsa-sha256 pass"]);
    expect(await from("a@notexample.org")).toEqual([]);
    expect(await from("a@example.org", [edKey])).toEqual(["ed1 ed25519-sha256 pass"]);
    expect(await from("a@example.com", [edKey])).toEqual(["ed1 ed25519-sha256 pass"]);
    expect(await from("a@example.org", [])).toEqual([]);
  });

  test.each(["", "\n\n", "no end", "x \n\n \n"])(
    "canonicalises the body %j like another implementation",
    async (text) => {
      expect(await verdicts(await signed(sampleMessage({ text })))).toEqual(["ph1 rsa-sha256 pass"]);
    },
  );

  test("signs with the message's key, even if another of the same domain and selector signed before", async () => {
    const sign = createDkimSigner();
    const signWith = async (one: DkimKey) =>
      verdicts(await gather(await sign(createComposer()(full), { ...full, dkim: [one] })));
    const former = generateKeyPairSync("rsa", { modulusLength: 2048 });
    expect(await signWith({ ...key, privateKey: pem(former.privateKey) })).toEqual(["ph1 rsa-sha256 fail"]);
    expect(await signWith(key)).toEqual(["ph1 rsa-sha256 pass"]);
  });

  test("gives the same bytes each time", async () => {
    expect((await signed(full, [key, edKey])).equals(await signed(full, [key, edKey]))).toBe(true);
  });

  test.each([
    ["Subject: =?UTF-8?", "Subject: X =?UTF-8?"],
    ["<p>x", "<p>y"],
    ["\r\nFrom: Ann", "\r\nFrom: Eve <eve@example.org>\r\nFrom: Ann"],
    ["References: <a@", "References: <x@"],
    ["List-Id: <shop", "List-Id: <shopp"],
  ])("a signature fails when %j is changed in transit", async (before, after) => {
    const source = (await signed(full)).toString("latin1");
    const changed = source.replace(before, after);
    expect(changed).not.toBe(source);
    expect(await verdicts(Buffer.from(changed, "latin1"))).not.toContain("ph1 rsa-sha256 pass");
  });
});

describe("a key", () => {
  const ec = pem(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey);
  const short = pem(generateKeyPairSync("rsa", { modulusLength: 512 }).privateKey);

  test.each([
    ["domain", "example.org\r\nBcc: v@evil.example"],
    ["domain", "example.org\u560d\u560aBcc: v@evil.example"],
    ["domain", "exa\0mple.org"],
    ["domain", "b\u00fccher.example"],
    ["domain", "example.org; x=1"],
    ["domain", "example"],
    ["domain", `${"a.".repeat(130)}example`],
    ["selector", "a\r\nb"],
    ["selector", "a\u560d\u560ab"],
    ["selector", "a b"],
    ["selector", ""],
    ["privateKey", "nonsense"],
    ["privateKey", ec],
    ["privateKey", short],
  ])("with a bad %s is refused by name (%#)", async (field, value) => {
    const bad = { ...key, [field]: value };
    expect(() => createDkimSigner([bad])).toThrow(new RegExp(`^dkim\\.${field} `));
    await expect(signed(sampleMessage({ dkim: [bad] }))).rejects.toThrow(TypeError);
  });

  test("that is none is refused by what one is", () => {
    for (const none of [undefined, null, "dkim.pem"])
      expect(() => readDkimKey(none as never)).toThrow(
        new TypeError("readDkimKey takes an object with domain, selector and privateKey"),
      );
  });

  test("reports the record to publish", () => {
    expect([key, edKey].map((one) => readDkimKey(one).record)).toEqual(Object.values(records));
  });

  test("signs files that are read twice, once to sign and once to send, however they are split", async () => {
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 256));
    const attachments = [
      createAttachment({ filename: "a.bin", contentType: "a/b", content }),
      createAttachment({ filename: "b", contentType: "a/b", content: new Uint8Array() }),
      createAttachment({
        filename: "c",
        contentType: "message/rfc822",
        content: Buffer.from("A: b \n\n x  \n\n"),
      }),
      createAttachment({ filename: "d", contentType: "a/b", content: Buffer.from("last"), contentId: "d" }),
    ];
    for (const body of [{ text: "a \t b \n\n\n" }, { html: "<p>\u00e9  </p>\n\n" }]) {
      const message = sampleMessage({ ...body, attachments });
      const composed = createComposer()(message, await readAttachedMessages(message));
      const source = await createDkimSigner([key, edKey])(composed, message);
      const bytes = await gather(source);
      expect(bytes).toHaveLength(source.size);
      expect(await verdicts(bytes)).toEqual(["ph1 rsa-sha256 pass", "ed1 ed25519-sha256 pass"]);
    }
  });
});
