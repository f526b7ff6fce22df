import { expect, test } from "vitest";
import { bounced, deliver, happened, makeEndpoint, receive } from "../../test/relay-reports.ts";
import { openWorldForEach, world } from "../../test/world-for-each.ts";

openWorldForEach();

const secret = "ours:a-long-password";
const headers = { authorization: `Basic ${Buffer.from(secret).toString("base64")}` };

test("refuses a verified call of a relay that is no JSON, as it was cut off: its reports would be lost", async () => {
  const { token } = await makeEndpoint("postmark", secret);
  const cutOff = receive({ provider: "postmark", token, body: '{"RecordType":', headers });
  await expect(cutOff).rejects.toMatchObject({
    code: "validation_failed",
    details: [{ path: "body", message: "is not JSON" }],
  });
});

test("reads a relay's call that quotes a server's reply in another encoding than UTF-8", async () => {
  const { token } = await makeEndpoint("postmark", secret);
  const id = await deliver();
  const bounce = {
    RecordType: "Bounce",
    Type: "HardBounce",
    Email: "ada@example.com",
    Details: "smtp;550 5.1.1 Empf\u00e4nger unbekannt",
    Metadata: { email_id: id },
  };
  const call = { provider: "postmark", token, headers, body: JSON.stringify(bounce) } as const;
  expect(await world.posthorn.inbound.receive(call, { as: { kind: "anonymous" } })).toEqual({ matched: 1 });
  expect(await happened()).toEqual([bounced(id)]);
});

/** A call of SendGrid's as large as it may be: reports with a dozen values each. */
const reports = (count: number) =>
  `[${Array.from({ length: count }, () => `{${Array.from("abcdefghijkl", (key) => `"${key}":1`).join()}}`).join()}]`;

test("reads a relay's call of thousands of reports", async () => {
  const { token } = await makeEndpoint("postmark", secret);
  const call = { provider: "postmark", token, headers, body: reports(15_000) } as const;
  expect(await world.posthorn.inbound.receive(call, { as: { kind: "anonymous" } })).toEqual({ matched: 0 });
});

test.each([
  ["body", "holds more than 300000 values", reports(25_000)],
  ["body.a", "is nested more than 32 levels deep", `{"a":${"[".repeat(40)}${"]".repeat(40)}}`],
])("refuses a relay's JSON beyond a limit by its name: %s %s", async (path, message, body) => {
  for (const provider of ["postmark", "mailgun"] as const) {
    const { token } = await makeEndpoint(
      provider,
      provider === "postmark" ? secret : "signing-key-of-mailgun",
    );
    await expect(receive({ provider, token, body, headers })).rejects.toMatchObject({
      code: "validation_failed",
      details: [{ path: expect.stringMatching(new RegExp(`^${path}`)), message }],
    });
  }
});
