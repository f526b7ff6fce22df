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
