import { createCaptureMailer } from "@posthorn/mailer-smtp";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld } from "../testing/index.ts";
import { createKeyPair } from "./adapters/create-key-pair.ts";

test("an e-mail of a verified domain passes a receiver's DKIM check with the records shown; a changed byte fails", async () => {
  const mailer = createCaptureMailer();
  const storage = await openTestSqlite();
  const world = await createWorld(storage, { mailer, createKeyPair });
  const workspace = await world.addWorkspace();
  const { id: domainId, records } = await world.posthorn.domains.create(
    { name: "bücher.example", includeSubdomains: true },
    workspace.asOwner,
  );
  for (const { name, value } of records) world.dns.set(name, value);
  await world.posthorn.domains.verify({ domainId }, workspace.asOwner);
  const mail = { from: "Ada <ada@neu.bücher.example>", to: ["x@y.example"], subject: "Grüße", text: "Grüße" };
  await world.posthorn.emails.send(mail, { workspaceId: workspace.id });
  await world.posthorn.drain();
  const source = mailer.find(mailer.list()[0]?.id ?? "")?.source ?? "";
  const judge = async (text: string): Promise<string[]> => {
    const resolver = async (name: string) => [[records.find((one) => one.name === name)?.value ?? ""]];
    const { results } = await dkimVerify(Buffer.from(text, "latin1"), { resolver });
    return results.map(({ algo, signingDomain, status }) => `${algo} ${signingDomain} ${status.result}`);
  };
  const both = (result: string): string[] =>
    ["rsa-sha256", "ed25519-sha256"].map((algorithm) => `${algorithm} xn--bcher-kva.example ${result}`);
  expect(await judge(source)).toEqual(both("pass"));
  expect(await judge(source.replace("Subject:", "Subject: x"))).toEqual(both("fail"));
  const spoilt = await judge(`${source.slice(0, -4)}x${source.slice(-3)}`);
  expect(spoilt.filter((one) => one.endsWith("pass"))).toEqual([]);
  // After a second rotation, both of the next keys sign.
  await world.posthorn.domains.rotateDkim({ domainId }, workspace.asOwner);
  mailer.clear();
  await world.posthorn.emails.send(mail, { workspaceId: workspace.id });
  await world.posthorn.drain();
  expect(await judge(mailer.find(mailer.list()[0]?.id ?? "")?.source ?? "")).toEqual(both("pass"));
  await world.close();
});
