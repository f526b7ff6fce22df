import { createCaptureMailer } from "@posthorn/mailer-smtp";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { expect, test } from "vitest";
import { createWorld } from "../testing/index.ts";
import { createKeyPair } from "./adapters/create-key-pair.ts";

test("what a verified domain sends passes a receiver's check by the records as they are shown; a changed byte fails", async () => {
  const mailer = createCaptureMailer();
  const storage = await createSqliteStorage({ filename: ":memory:" });
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
    return results.map(({ signingDomain, status }) => `${signingDomain} ${status.result}`);
  };
  expect(await judge(source)).toEqual(["xn--bcher-kva.example pass"]);
  expect(await judge(source.replace("Subject:", "Subject: x"))).toEqual(["xn--bcher-kva.example fail"]);
  expect(await judge(`${source.slice(0, -4)}x${source.slice(-3)}`)).not.toEqual([
    "xn--bcher-kva.example pass",
  ]);
  await world.close();
});
