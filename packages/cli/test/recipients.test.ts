import { expect, test } from "vitest";
import { openVerbWorld } from "./verb-world.ts";

test("erases a recipient after confirmation, in the worker", async () => {
  const { world, run, told, questions, shop } = await openVerbWorld();
  const to = "ada@example.com";
  const { id } = await world.posthorn.emails.send(
    { subject: "Hi", text: "x", to: [to] },
    { workspaceId: shop.id },
  );
  await world.posthorn.drain();
  const [counts] = await run("recipients", "erase", to, "--workspace", "Shop");
  expect(counts).toEqual({ emails: 1, campaigns: 0, events: 0 });
  expect(questions).toEqual([`Erase ${to} from "Shop" for good?`]);
  expect(told.at(-1)).toContain("in 1 e-mail, ");
  await world.posthorn.drain();
  const [{ to: left }] = (await run("emails", "show", id, "--workspace", "Shop")) as [{ to: string[] }];
  expect(left).toEqual([expect.stringMatching(/^erased-[0-9a-f]{8}@invalid$/)]);
});
