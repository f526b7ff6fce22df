import { expect, test, vi } from "vitest";
import { hour, openWorldForEach, workspace, world } from "../../../test/world-for-each.ts";
import type { MailResult } from "../../ports/mailer.ts";
import { StorageUnavailable } from "../../ports/storage.ts";

const missing = "450 4.1.2 <ada@nowhere.example>: Recipient address rejected: Domain not found";

openWorldForEach();

const view = () => world.posthorn.workspace(workspace.id);
const send = (...to: string[]) => view().emails.send({ subject: "Hi", text: "Hello", to });
const nextAt = async () => (await world.storage.emailQueue.look(world.clock.now(), 9)).nextAt;

/** Defers every recipient, with the reply that `say` returns for the address and the hours since the start. */
function putOff(say: (address: string, hours: number) => string): void {
  const begun = world.clock.now();
  world.mailer.answerWith(
    ({ envelope }): MailResult => ({
      recipients: envelope.to.map((address) => {
        const reply = say(address, (world.clock.now() - begun) / hour);
        return { address, outcome: "deferred", code: 450, reply };
      }),
      inDoubt: false,
    }),
  );
}

/** Delivers until nothing is left, or for the given number of hours. */
async function tryFor(hours = 100): Promise<void> {
  const until = world.clock.now() + hours * hour;
  await world.posthorn.drain();
  for (let next = await nextAt(); next !== undefined && next <= until; next = await nextAt()) {
    world.clock.set(next);
    await world.posthorn.drain();
  }
}

const bounceOf = async (id: string, place = 0) => {
  const { status, recipients } = await view().emails.get({ emailId: id });
  const { state, class: of, category, settledAt } = recipients[place] ?? {};
  return { status, state, of, category, settledAt };
};
const suppressed = async () => (await view().suppressions.list({})).items.map(({ email }) => email);

test("a domain missing for 48 hours is a hard bounce, and suppresses; before that it defers", async () => {
  const begun = world.clock.now();
  putOff(() => missing);
  const { id } = await send("ada@nowhere.example");
  await tryFor(47.9);
  expect(await bounceOf(id)).toMatchObject({ status: "queued", state: "deferred", category: undefined });
  expect(await suppressed()).toEqual([]);
  await tryFor();
  const gone = await bounceOf(id);
  expect(gone).toMatchObject({ status: "failed", of: "hard", category: "bad_domain" });
  expect(world.clock.now() - begun).toBe(48 * hour);
  expect(await suppressed()).toEqual(["ada@nowhere.example"]);
});

test("a domain found in between does not bounce, nor one found missing late", async () => {
  putOff((address, hours) => {
    const [from, until] = address.startsWith("late") ? [0, 10] : [20, 21];
    return hours >= from && hours <= until ? "450 4.2.0 Greylisted" : missing;
  });
  const { id } = await send("late@nowhere.example", "back@nowhere.example");
  await tryFor();
  for (const place of [0, 1])
    expect(await bounceOf(id, place)).toMatchObject({ state: "failed", of: "soft" });
  expect(await suppressed()).toEqual([]);
});

test("other recipients of the e-mail are given up in time, and not retried with it", async () => {
  putOff((address) => (address.startsWith("ada") ? missing : "450 4.2.0 Greylisted"));
  const begun = world.clock.now();
  const { id } = await send("ada@nowhere.example", "bob@example.com");
  await tryFor();
  const [ada, bob] = [await bounceOf(id), await bounceOf(id, 1)];
  expect([ada.category, bob.category]).toEqual(["bad_domain", "greylisted"]);
  expect((bob.settledAt ?? 0) - begun).toBeLessThan(48 * hour);
  expect(await suppressed()).toEqual(["ada@nowhere.example"]);
});

test("a manual retry begins anew", async () => {
  putOff(() => missing);
  const { id } = await send("ada@nowhere.example");
  await tryFor();
  await view().suppressions.delete({ email: "ada@nowhere.example" });
  await view().emails.retry({ emailId: id });
  await tryFor(47.9);
  expect(await bounceOf(id)).toMatchObject({ state: "deferred", category: undefined });
  await tryFor();
  expect(await bounceOf(id)).toMatchObject({ state: "failed", of: "hard", category: "bad_domain" });
});

test("days that a clock skipped, or in which the queue was paused, are none of a missing domain", async () => {
  putOff((_, hours) => (hours < 30 ? "450 4.2.0 Greylisted" : missing));
  const { id } = await send("ada@nowhere.example");
  await tryFor(32);
  await world.posthorn.queue.pause({});
  world.clock.advance(72 * hour);
  await world.posthorn.queue.resume({});
  await tryFor();
  expect(await bounceOf(id)).toMatchObject({ state: "failed", of: "soft" });
  expect(await suppressed()).toEqual([]);
});

test("a domain counts as missing as long as it was, though the earlier attempts could not be read once", async () => {
  putOff(() => missing);
  await send("ada@nowhere.example");
  await tryFor(46.5);
  vi.spyOn(world.storage.emails, "attempts").mockRejectedValueOnce(new StorageUnavailable("gone"));
  await tryFor();
  expect(await suppressed()).toEqual(["ada@nowhere.example"]);
});
