import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "../../test/start-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({}, undefined, { trackingHost: "links.post.example" });
});
afterAll(() => server.close());

test("tells a proxy without credentials which names are verified tracking hosts", async () => {
  const { world } = server;
  const { asOwner } = await world.addWorkspace();
  const domain = await world.posthorn.domains.create({ name: "shop.example", tracking: "t" }, asOwner);
  for (const { name, type, value } of domain.records)
    if (type === "CNAME") world.dns.setCname(name, value);
    else world.dns.set(name, value);
  await world.posthorn.domains.verify({ domainId: domain.id }, asOwner);
  const ask = async (query: string, method = "GET") =>
    (await fetch(`${server.url}/tracking-host${query}`, { method })).status;
  expect(await ask("?domain=T.shop.example")).toBe(200);
  expect(await ask("?domain=t.shop.example", "HEAD")).toBe(200);
  expect(await ask("?domain=shop.example")).toBe(404);
  expect(await ask(`?domain=${"a".repeat(2_000)}`)).toBe(404);
  for (const query of ["", "?domain=%00", "?domain=a&domain=b"]) expect(await ask(query)).toBe(400);
  expect(await ask("?domain=t.shop.example", "POST")).toBe(405);
});
