import { expect, test } from "vitest";
import { openWorldForEach, workspace, world } from "../../../test/world-for-each.ts";

openWorldForEach();

const create = (over: { name: string; priority?: number }) =>
  world.posthorn.smtpServers.create({ host: "smtp.relay.example", ...over }, workspace.asOwner);
const list = (page: object) => world.posthorn.smtpServers.list(page, workspace.asOwner);

test("mail servers are listed by pages, which a cursor continues", async () => {
  for (const name of ["a", "b", "c"]) await create({ name });
  const namesOf = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name);
  const first = await list({ size: 2 });
  expect([namesOf(first), first.total, first.page, first.size]).toEqual([["a", "b"], 3, 0, 2]);
  const second = await list({ size: 2, after: first.after });
  expect([namesOf(second), second.total, second.after]).toEqual([["c"], 3, undefined]);
  expect(namesOf(await list({ page: 1, size: 2 }))).toEqual(["c"]);
  expect(namesOf(await list({ page: 2, size: 2 }))).toEqual([]);
  await expect(list({ page: 1, after: first.after })).rejects.toMatchObject({ code: "validation_failed" });
  // A cursor that none of these pages gave.
  const made = Buffer.from(first.after ?? "", "base64url")
    .toString()
    .replace(/\d\.3\./, "-1.3.");
  const changed = list({ after: Buffer.from(made).toString("base64url") });
  await expect(changed).rejects.toMatchObject({ code: "validation_failed" });
});

test("each comes once in a walk through the pages, whatever is added and removed meanwhile", async () => {
  for (const name of ["a", "b", "c", "d"]) await create({ name, priority: 5 });
  const first = await list({ size: 2 });
  for (const name of ["e", "f"]) await create({ name, priority: 1 });
  const second = await list({ size: 1, after: first.after });
  await world.posthorn.smtpServers.delete({ smtpServerId: first.items[0]?.id ?? "" }, workspace.asOwner);
  const third = await list({ size: 2, after: second.after });
  const seen = [first, second, third].flatMap(({ items }) => items.map(({ name }) => name));
  expect(seen).toEqual(["a", "b", "c", "d"]);
  expect([second.total, third.total, third.after]).toEqual([4, 4, undefined]);
});
