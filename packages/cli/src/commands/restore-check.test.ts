import { expect, test } from "vitest";
import { openVerbWorld } from "../../test/verb-world.ts";

test("a copy in which nothing waits is told of in fewer words than one with mail that may have been sent", async () => {
  const { world, shop, run, told } = await openVerbWorld();
  const counts = { due: 0, waiting: 0, oldest_due_at: null };
  expect(await run("restore-check")).toEqual([counts]);
  await run("queue", "status");
  const mail = { from: "a@shop.example", to: ["ada@example.com"], subject: "S", text: "T" };
  await world.posthorn.emails.send(mail, { workspaceId: shop.id });
  expect(await run("restore-check")).toMatchObject([{ due: 1 }]);
  await run("queue", "status");
  expect(told).toEqual([
    expect.stringMatching(/^No e-mail waits\. Delivery is paused, and begins with posthorn queue resume\./),
    expect.stringMatching(/^This database is a copy, and no e-mail waits in it\./),
    expect.stringMatching(/^Delivery is paused\. To deliver everything that waits: /),
    expect.stringMatching(/^This database is a copy, and due e-mails may have been sent since\./),
  ]);
});
