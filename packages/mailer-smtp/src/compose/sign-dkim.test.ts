import { generateKeyPairSync } from "node:crypto";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { describe, expect, test } from "vitest";
import { sampleMessage } from "../../test/sample-message.ts";
import { composeMessage } from "./compose-message.ts";
import { createDkimSigner } from "./sign-dkim.ts";

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const key = {
  domain: "example.org",
  selector: "ph1",
  privateKey: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
};
const record = `v=DKIM1; k=rsa; p=${pair.publicKey.export({ type: "spki", format: "der" }).toString("base64")}`;

async function verdict(source: Buffer): Promise<{ result: string; fields: string }> {
  const resolver = async (name: string) => {
    expect(name).toBe("ph1._domainkey.example.org");
    return [[record]];
  };
  const { results } = await dkimVerify(source, { resolver });
  const [first] = results;
  return { result: first?.status.result ?? "none", fields: first?.signingHeaders?.keys ?? "" };
}

const full = sampleMessage({
  subject: "Grüße  an alle",
  html: "<p>x </p>\n\n",
  text: "a\t b  \n \n.\n\n",
  cc: [{ name: "C", address: "c@example.net" }],
  replyTo: [{ name: "", address: "r@example.org" }],
  headers: [
    { name: "List-Unsubscribe", value: "<https://example.org/u>" },
    { name: "List-Unsubscribe-Post", value: "List-Unsubscribe=One-Click" },
    { name: "X-Other", value: "1" },
  ],
});

describe("createDkimSigner", () => {
  test("signs so that another implementation agrees", async () => {
    const source = await createDkimSigner()(composeMessage(full), key, full.date);
    expect((await verdict(source)).result).toBe("pass");
    const tags = source.toString("latin1").split("\r\nFrom:", 1)[0]?.replace(/\s+/g, "");
    expect(tags).toContain(
      ";h=from:to:cc:subject:date:message-id:mime-version:content-type:reply-to:list-unsubscribe:list-unsubscribe-post:from;",
    );
  });

  test.each(["", "\n\n", "no end", "x \n\n \n"])("agrees on the body %j", async (text) => {
    const message = sampleMessage({ text });
    expect((await verdict(await createDkimSigner()(composeMessage(message), key, message.date))).result).toBe(
      "pass",
    );
  });

  test("gives the same bytes each time", async () => {
    const sign = createDkimSigner();
    const source = composeMessage(full);
    expect((await sign(source, key, full.date)).equals(await sign(source, key, full.date))).toBe(true);
  });

  test.each([
    ["Subject: =?UTF-8?", "Subject: X =?UTF-8?"],
    ["<p>x", "<p>y"],
    ["\r\nFrom: Ann", "\r\nFrom: Eve <eve@example.org>\r\nFrom: Ann"],
  ])("breaks when %j is changed on the way", async (before, after) => {
    const source = (await createDkimSigner()(composeMessage(full), key, full.date)).toString("latin1");
    const changed = source.replace(before, after);
    expect(changed).not.toBe(source);
    expect((await verdict(Buffer.from(changed, "latin1"))).result).not.toBe("pass");
  });

  test("rejects for a key that can't be read", async () => {
    await expect(
      createDkimSigner()(composeMessage(full), { ...key, privateKey: "nonsense" }, 0),
    ).rejects.toThrow();
  });
});
