import { expect, test } from "vitest";
import { addShop, openCommandWorld } from "./command-world.ts";
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

test("shows whether mail reaches an address, and why not", async () => {
  const { world, run, shop } = await openVerbWorld();
  const workspaceId = shop.id;
  world.mailer.answerWith(({ envelope }) => ({
    inDoubt: false,
    recipients: envelope.to.map((address) =>
      address.startsWith("eve")
        ? { address, outcome: "refused", code: 550, reply: "550 5.1.1 no such user" }
        : { address, outcome: "accepted", code: 250, reply: "250 ok" },
    ),
  }));
  const mail = { subject: "Hi", text: "x", to: ["ada@example.com"], cc: ["eve@example.org"] };
  const { id } = await world.posthorn.emails.send(mail, { workspaceId });
  await world.posthorn.drain();
  await world.posthorn.suppressions.create({ email: "@example.org", reason: "asked to" }, { workspaceId });

  expect(await run("recipients", "show", "Eve@Example.ORG", "--workspace", "Shop")).toMatchObject([
    {
      email: "eve@example.org",
      suppressions: [{ email: "eve@example.org", origin: "bounce" }],
      emails: [{ id, recipients: [{}, { state: "failed", last_reply: "550 5.1.1 no such user" }] }],
    },
  ]);
  expect(await run("recipients", "show", "mia@example.org", "--workspace", "Shop")).toMatchObject([
    { suppressions: [{ email: "@example.org", reason: "asked to" }], emails: [] },
  ]);
  expect(await run("recipients", "show", "ada@example.com", "--workspace", "Shop")).toMatchObject([
    { suppressions: [], emails: [{ id }] },
  ]);
});

test("shows what suppresses an address whose data was erased", async () => {
  const { world, run, shop } = await openVerbWorld();
  const email = "zoe@example.com";
  await world.posthorn.suppressions.create({ email, reason: "" }, { workspaceId: shop.id });
  await run("recipients", "erase", email, "--workspace", "Shop");
  await world.posthorn.drain();
  expect(await run("recipients", "show", email, "--workspace", "Shop")).toMatchObject([
    { email, suppressions: [{ email: expect.stringMatching(/^erased-/), origin: "manual" }], emails: [] },
  ]);
});

test("tells people that an address got no e-mail", async () => {
  const world = await openCommandWorld();
  await addShop(world);
  const { stdout } = await world.run("recipients", "show", "eve@example.org", "--format", "table");
  expect(stdout).toBe("address     eve@example.org\nsuppressed  no\ne-mails     none\n");
});
