import { expect, test } from "vitest";
import { remoteIdOf } from "./remote-id.ts";

test.each([
  [
    "250 Ok 0100018f0a1b2c3d-4e5f6a7b-8c9d-0e1f-2a3b-4c5d6e7f8a9b-000000",
    "0100018f0a1b2c3d-4e5f6a7b-8c9d-0e1f-2a3b-4c5d6e7f8a9b-000000",
  ],
  ["250 2.0.0 Ok: queued as 4WxYz12Abc", "4WxYz12Abc"],
  ["250 OK id=1rABcd-000123-4E", "1rABcd-000123-4E"],
  ["250 2.0.0 Ok: queued as 4WxYz12Abc.", "4WxYz12Abc"],
  ["250 Ok: queued as qL3f5-TeQ9-ZMFq", "qL3f5-TeQ9-ZMFq"],
  ["250 2.0.0 OK  1699999999 a640c23a62f3a-9e7bd1.123 - gsmtp", "a640c23a62f3a-9e7bd1.123"],
  [
    "250 2.6.0 <ours@shop.example> [InternalId=12345678901, Hostname=X.prod.outlook.com] 9 bytes Queued mail for delivery",
    "12345678901",
  ],
  ["250 2.0.0 Ok <20260101.AB12@relay.example> accepted", "20260101.AB12@relay.example"],
  ["250 2.0.0 56G1nLqd012345 Message accepted for delivery", "56G1nLqd012345"],
  ["250 2.0.0 7b2f01ac Message accepted for delivery", "7b2f01ac"],
  ["250 Message Queued (9D0AD92D-227E-49C9-A563-426355372597.1)", "9D0AD92D-227E-49C9-A563-426355372597.1"],
])("finds it in %s", (reply, id) => {
  expect(remoteIdOf(reply, [])).toBe(id);
});

test.each(["250 ok", "250 2.0.0 Ok", "250 Great success", "250 Message accepted for delivery", ""])(
  "finds none in %s",
  (reply) => {
    expect(remoteIdOf(reply, [])).toBeUndefined();
  },
);

test("searches only the beginning of a long reply", () => {
  expect(remoteIdOf(`250 ${"<a@".repeat(300)} queued as 4WxYz12Abc`, [])).toBe("4WxYz12Abc");
  expect(remoteIdOf(`250 ${"<a@".repeat(400)} queued as 4WxYz12Abc`, [])).toBeUndefined();
});

test("is none of the recipients, whom Dovecot names there", () => {
  const recipients = [{ address: "bob@example.com" }, { address: "Ada@Example.com" }];
  const saved = "250 2.0.0 <ada@example.com> 8zVVEV0nFGWtEgAA Saved";
  expect(remoteIdOf(saved, recipients)).toBeUndefined();
  expect(remoteIdOf("250 2.0.0 <ada@example.com> Ok: queued as 4WxYz12Abc", recipients)).toBe("4WxYz12Abc");
});
