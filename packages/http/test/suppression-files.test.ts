import { createClient } from "@posthorn/client";
import { expect, test } from "vitest";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";
import { openHouse } from "./harness.ts";

test("suppressions of any number are imported from a file and exported to one unchanged", async () => {
  const house = await openHouse(() => openTestSqlite());
  const path = `${house.url}/api/v1/workspaces/current/suppressions`;
  const headers = {
    authorization: `Bearer ${house.owner.token}`,
    "x-service-workspace-id": String(house.workspace),
  };
  const send = async (query: string, type: string, body: string) => {
    const answer = await fetch(`${path}/import${query}`, {
      method: "POST",
      headers: { ...headers, "content-type": type },
      body,
    });
    return {
      status: answer.status,
      body: (await answer.json()) as { data?: object; error?: { code: string } },
    };
  };
  const file = "email,reason\nada@example.com,=1+1\nnobody\n";
  const counts = { added: 1, rejected_total: 1, last_line: 3 };
  expect((await send("?dry_run=true", "text/csv", file)).body.data).toMatchObject(counts);
  expect((await send("", "text/csv; charset=utf-8", file)).body.data).toMatchObject(counts);
  expect((await send("?from_line=2", "text/csv", file)).body.data).toMatchObject({ added: 0, unchanged: 1 });
  const lines = '{"email":"bob@example.com"}\n';
  expect((await send("", "application/x-ndjson", lines)).body.data).toMatchObject({ added: 1 });
  const refused = await send("", "application/json", "{}");
  expect([refused.status, refused.body.error?.code]).toEqual([415, "unsupported_media_type"]);

  const csv = await fetch(`${path}/export`, { headers });
  expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(csv.headers.get("content-disposition")).toContain('filename="suppressions.csv"');
  expect(csv.headers.get("etag")).toBe(`"${csv.headers.get("x-request-id")}"`);
  expect((await csv.text()).split("\r\n").slice(0, 2)).toEqual([
    "email,scope,origin,reason,created_at,expires_at",
    expect.stringMatching(/^ada@example\.com,\*,import,'=1\+1,2030-/),
  ]);
  // Its length is not known before it is made.
  const head = await fetch(`${path}/export`, { headers, method: "HEAD" });
  expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, null, ""]);
  const ndjson = await fetch(`${path}/export?format=ndjson`, { headers });
  expect((await ndjson.text()).trim().split("\n")).toHaveLength(2);
  const typeFor = async (accept: string, query = "") =>
    (await fetch(`${path}/export${query}`, { headers: { ...headers, accept } })).headers.get("content-type");
  expect(await typeFor("application/x-ndjson, */*;q=0.5")).toBe("application/x-ndjson");
  expect(await typeFor("text/csv;q=0.5, APPLICATION/x-ndjson;q=0.8")).toBe("application/x-ndjson");
  for (const accept of [
    "application/x-ndjson, text/csv",
    "application/x-ndjson;q=0, */*",
    "application/json",
  ])
    expect(await typeFor(accept)).toBe("text/csv; charset=utf-8");
  expect(await typeFor("application/x-ndjson", "?format=csv")).toBe("text/csv; charset=utf-8");
  await house.close();
});

test("files that come in several requests have one event, and the last may be empty", async () => {
  const house = await openHouse(() => openTestSqlite());
  const client = createClient(house.url, {
    token: house.owner.token,
    workspaceId: house.workspace,
  });
  const sums = async (type: string) =>
    (
      await house.world.storage.events.list({ type, workspaceId: house.workspace }, { offset: 0, limit: 9 })
    ).items.map(({ metadata }) => JSON.parse(metadata));
  const part = (name: string, more: boolean) => ({
    content: Buffer.from(name === "" ? "" : `{"email":"${name}@example.com"}\n`),
    content_type: "application/x-ndjson",
    import_id: "spring",
    more,
  });
  const parts = [part("ada", true), part("bob", true), part("", false)];
  for (const each of parts) await client.request("POST /workspaces/current/suppressions/import", each);
  expect(await sums("suppression.imported")).toEqual([{ count: 2 }]);
  const { id } = await client.request("POST /workspaces/current/campaigns", {
    name: "Spring",
    subject: "Hi",
    text: "x",
  });
  const recipients = "POST /workspaces/current/campaigns/{id}/recipients";
  for (const each of parts) await client.request(recipients, { id, ...each });
  expect(await sums("campaign.updated")).toEqual([
    { campaign_id: id, name: "Spring", added: 2, changes: {} },
  ]);
  const { import_id: _, ...nameless } = part("eve", true);
  await expect(client.request(recipients, { id, ...nameless })).rejects.toMatchObject({
    status: 400,
    details: [{ path: "import_id", message: "is required if more calls follow" }],
  });
  await house.close();
});
