import { expect, test } from "vitest";
import { host, openWorldForEach, send, workspace, world } from "../../../../test/world-for-each.ts";
import { acceptAll } from "../../../testing/memory-mailer.ts";

openWorldForEach();

const large = 10;
/** As many as fit into seven eighths of 32 MiB. */
const fitting = 7;
const row = "x".repeat(400);
const long = row.repeat(5_000);

/** Delivers, lets no large e-mail go on before one of another workspace has arrived, and returns how many were under way by then. */
async function underWayBesideAnother(): Promise<number> {
  const { mailer, posthorn } = world;
  const several = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  let underWay = 0;
  mailer.answerWith(async (message) => {
    if (message.subject === "other") arrived.resolve();
    else {
      underWay += 1;
      if (underWay === fitting) several.resolve();
      await arrived.promise;
    }
    return acceptAll(message);
  });
  posthorn.start();
  await several.promise;
  const { id: workspaceId } = await world.addWorkspace({ name: "Other" });
  await posthorn.emails.send({ subject: "other", text: "Hello", to: ["bob@example.com"] }, { workspaceId });
  await arrived.promise;
  const then = underWay;
  for (let number = 0; number < large; number += 1) await mailer.inbox.waitFor({ subject: `n ${number}` });
  return then;
}

const arrivedBodies = () =>
  world.mailer.inbox.all().flatMap(({ subject, html }) => (subject === "other" ? [] : [[subject, html]]));

test("rendered bodies of one workspace are limited by their bytes, and those that waited arrive whole", async () => {
  const part = `{{#rows}}${row}{{/rows}}{{n}}`;
  await world.posthorn.templates.create(
    { name: "long", subject: "n {{n}}", html: part, text: part },
    workspace.asOwner,
  );
  const rows = Array.from({ length: 5_000 }, () => 1);
  for (let n = 0; n < large; n += 1)
    await world.posthorn.emails.sendTemplate(
      { template: "long", to: ["ada@example.com"], templateData: { rows, n } },
      host(),
    );
  expect(await underWayBesideAnother()).toBe(fitting);
  const expected = Array.from({ length: large }, (_, n) => [`n ${n}`, `${long}${n}`]);
  expect(arrivedBodies().sort()).toEqual(expected);
});

test("so do contents that are sent as written", async () => {
  for (let n = 0; n < large; n += 1) await send({ subject: `n ${n}`, html: `${long}${n}`, text: long });
  expect(await underWayBesideAnother()).toBe(fitting);
  const expected = Array.from({ length: large }, (_, n) => [`n ${n}`, `${long}${n}`]);
  expect(arrivedBodies().sort()).toEqual(expected);
});

test("so does what tracked links add to contents that are sent as written", async () => {
  // Each letter takes six characters in the link's address, and eight in its token: 4 MB of 600 KB.
  const links = `<a href="https://a.example/${"ä".repeat(560)}">A</a>`.repeat(1_000);
  const mail = { html: links, tracking: { clicks: true } };
  for (let n = 0; n < large; n += 1) await send({ ...mail, subject: `n ${n}` });
  expect(await underWayBesideAnother()).toBe(fitting);
  expect(arrivedBodies()).toHaveLength(large);
  for (const [, html = ""] of arrivedBodies()) {
    const arrived = html.split("</a>");
    expect(arrived.pop()).toBe("");
    expect(arrived).toHaveLength(1_000);
    expect(arrived.filter((link) => !/^<a href="[^"ä]{4500,}">A$/.test(link))).toEqual([]);
  }
});

test("e-mails that still wait when the worker stops return to the queue, without an attempt", async () => {
  const { mailer, posthorn } = world;
  for (let n = 0; n < large; n += 1) await send({ subject: `n ${n}`, html: long, text: long });
  const [full, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let begun = 0;
  mailer.answerWith(async (message) => {
    begun += 1;
    if (begun === fitting) full.resolve();
    await goOn.promise;
    return acceptAll(message);
  });
  posthorn.start();
  await full.promise;
  const stopped = posthorn.stop();
  goOn.resolve();
  await stopped;
  expect(begun).toBe(fitting);
  expect(await posthorn.queueStatus()).toMatchObject({ due: large - fitting, leased: 0 });
});
