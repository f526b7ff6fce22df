import { expect, test } from "vitest";
import { openWorldForEach, send, workspace, world } from "../../../test/world-for-each.ts";

openWorldForEach();

test.each([
  "ada@bücher.example",
  "Ada@BÜCHER.example",
  "ada@bu\u0308cher.example",
  "ada@xn--bcher-kva.example",
])("finds a recipient by any spelling of the address, as a send takes it: %s", async (to) => {
  const sent = await send({ to: ["ada@bücher.example"] });
  await send({ to: ["ada@example.com"] });
  expect((await world.posthorn.emails.list({ to }, workspace.asOwner)).items).toMatchObject([
    { id: sent.id },
  ]);
});

test("finds nothing by what is no address", async () => {
  await send();
  expect((await world.posthorn.emails.list({ to: "ada@" }, workspace.asOwner)).total).toBe(0);
});

test("finds what a key sent, also after the key is revoked", async () => {
  const { id: apiKeyId, key } = await world.posthorn.apiKeys.create({ name: "leaked" }, workspace.asOwner);
  const as = await world.posthorn.authenticateApiKey(key);
  if (as === undefined) throw new Error("the key can't be used");
  const mail = { from: "a@shop.example", to: ["ada@example.com"], subject: "x", text: "x" };
  const { id } = await world.posthorn.as(as).emails.send(mail);
  await send();
  await world.posthorn.apiKeys.revoke({ apiKeyId }, workspace.asOwner);
  expect((await world.posthorn.emails.list({ apiKeyId }, workspace.asOwner)).items).toMatchObject([{ id }]);
});
