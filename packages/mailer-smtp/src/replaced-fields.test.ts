import { generateKeyPairSync } from "node:crypto";
import { Resolver } from "node:dns/promises";
import { afterAll, expect, test, vi } from "vitest";
import { start } from "../test/open-mailer.ts";
import { sampleMessage } from "../test/sample-message.ts";

vi.spyOn(Resolver.prototype, "resolve4").mockImplementation((async () => [
  { address: "127.0.0.1", ttl: 60 },
]) as never);
vi.spyOn(Resolver.prototype, "resolve6").mockResolvedValue([]);
afterAll(() => vi.restoreAllMocks());

const { privateKey } = generateKeyPairSync("ed25519");
const key = {
  domain: "example.org",
  selector: "ed1",
  privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
};

test.each([
  ["email-smtp.eu-west-1.amazonaws.com", false],
  ["EMAIL-SMTP-FIPS.us-east-1.amazonaws.com", false],
  ["vpce-1.email-smtp.us-east-1.vpce.amazonaws.com", false],
  ["email-smtp.cn-north-1.amazonaws.com.cn", false],
  ["email-smtp.eu-west-1.amazonaws.com.example", true],
  ["notemail-smtp.eu-west-1.amazonaws.com", true],
])("mail through %s is signed with its date and id: %s", async (host, isSigned) => {
  const { server } = await start();
  const url = `smtp://${host}:${server.port}?security=none`;
  const { mailer } = await start({}, { url, allowPrivateServers: true });
  const workspaceServer = { id: "1", version: 1, host, port: server.port, security: "none" as const };
  await mailer.send(sampleMessage({ dkim: [key] }));
  await mailer.send(sampleMessage({ dkim: [key], server: workspaceServer }));
  const signed = server.contents.map((content) => /h=([^;]*)/.exec(content)?.[1]);
  expect(signed.map((names) => /date|message-id/.test(names ?? "date"))).toEqual([isSigned, isSigned]);
  expect(signed[0]).toContain("subject:subject");
});
