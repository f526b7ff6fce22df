import { expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld, type World, type WorldOptions } from "../../testing/index.ts";
import type { DomainView } from "../domain-view.ts";

const before = { inboundHost: "in.post.example", trackingHost: "links.post.example" };

function publish({ dns }: World, { records }: DomainView): void {
  for (const { name, type, value, priority } of records)
    if (type === "MX") dns.setMx(name, `${priority} ${value}`);
    else if (type === "CNAME") dns.setCname(name, value);
    else dns.set(name, value);
}

/** A domain that a service verified, and another service on the same database, with other settings. */
async function setUp(after: WorldOptions) {
  const storage = await openTestSqlite();
  const first = await createWorld(storage, before);
  const workspace = await first.addWorkspace();
  const domain = await first.posthorn.domains.create(
    { name: "shop.example", tracking: "links" },
    workspace.asOwner,
  );
  publish(first, domain);
  await first.posthorn.domains.verify({ domainId: domain.id }, workspace.asOwner);
  await first.posthorn.drain();
  const second = await createWorld(storage, after);
  publish(second, domain);
  second.clock.advance(1_000);
  const look = async () => {
    await second.posthorn.drain();
    return await second.posthorn.domains.get({ domainId: domain.id }, { workspaceId: workspace.id });
  };
  const checkedAt = second.clock.now();
  return { first, second, look, checkedAt };
}

test.each([
  ["inbound", { ...before, inboundHost: "else.post.example" }, [false, true]],
  ["tracking", { ...before, trackingHost: "else.post.example" }, [true, false]],
])("a change of the %s host is found at the next start, not a day later", async (_, after, verdicts) => {
  const { look, checkedAt, first } = await setUp(after);
  const seen = await look();
  expect([seen.returnPathVerified, seen.trackingVerified]).toEqual(verdicts);
  expect(seen.checkedAt).toBe(checkedAt);
  await first.close();
});

test("a start without a change checks nothing before it is due", async () => {
  const { look, checkedAt, first } = await setUp(before);
  expect((await look()).checkedAt).toBe(checkedAt - 1_000);
  await first.close();
});
