import { expect, test } from "vitest";
import { createClient } from "./client.ts";

/** A client of a server that answers these pages, one after another, and the queries of its requests. */
function answering(...pages: { after: string | null; ids: number[] }[]) {
  const queries: string[] = [];
  const fetch = async (url: string | URL | Request) => {
    queries.push(new URL(String(url)).search);
    const { after, ids } = pages[queries.length - 1] ?? { after: null, ids: [] };
    const pagination = { page: 0, size: 2, total: 3, total_pages: 2, after };
    return Response.json({ success: true, data: ids.map((id) => ({ id })), pagination });
  };
  return { queries, client: createClient("http://mail.example", { apiKey: "sk_a", fetch }) };
}

test("iterates a list through its pages, in order", async () => {
  const { client, queries } = answering({ after: "Mi4z", ids: [3, 2] }, { after: null, ids: [1] });
  const ids: unknown[] = [];
  for await (const { id } of client.list("GET /emails", { status: "sent" })) ids.push(id);
  expect(ids).toEqual([3, 2, 1]);
  expect(queries).toEqual(["?status=sent&size=100", "?status=sent&after=Mi4z&size=100"]);
});

test("fetches pages of the given size, from the given cursor on", async () => {
  const { client, queries } = answering({ after: "Mi4z", ids: [3] }, { after: null, ids: [2] });
  const ids: unknown[] = [];
  for await (const { id } of client.list("GET /emails", { size: 1, after: "NC4z" })) ids.push(id);
  expect(ids).toEqual([3, 2]);
  expect(queries).toEqual(["?size=1&after=NC4z", "?size=1&after=Mi4z"]);
});
