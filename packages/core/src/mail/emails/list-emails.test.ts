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
