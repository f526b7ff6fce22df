import { expect, test } from "vitest";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";
import { openHouse, refusal } from "./harness.ts";

test("a suppression is created with 201, returned with 200 if it exists, read by any spelling, and deleted with 204", async () => {
  const house = await openHouse(() => openTestSqlite());
  const { owner: as, workspace } = house;
  const call = (signature: string, body?: object) =>
    house.call(signature, { as, workspace, ...(body === undefined ? {} : { body }) });
  const path = "/workspaces/current/suppressions";

  const made = await call(`POST ${path}`, { email: "Ada+1@Example.com", scope: "news", reason: "said so" });
  expect([made.status, made.body.data]).toEqual([
    201,
    {
      email: "Ada+1@example.com",
      scope: "news",
      origin: "manual",
      reason: "said so",
      email_id: null,
      created_by: as.userId,
      created_at: expect.any(String),
      expires_at: null,
    },
  ]);
  const again = await call(`POST ${path}`, { email: "ada+1@example.com", scope: "news", reason: "again" });
  expect([again.status, again.body.data?.["reason"]]).toEqual([200, "said so"]);

  const one = `${path}/${encodeURIComponent("ADA+1@example.com")}`;
  expect((await call(`GET ${one}?scope=news`)).body.data).toEqual(made.body.data);
  expect(refusal(await call(`GET ${one}`))).toEqual([404, "not_found"]);
  expect(refusal(await call(`GET ${path}/nothing`))).toEqual([400, "validation_failed"]);

  const checked = await call(`POST ${path}/check`, { emails: ["ada+1@example.com"], scope: "news" });
  expect(checked.body.data).toMatchObject([{ suppressed: true, origin: "manual" }]);
  const listed = await call(`GET ${path}?q=ada&origin=manual&from_date=2020-01-01`);
  expect(listed.body.pagination).toMatchObject({ total: 1 });

  const gone = await call(`DELETE ${one}?scope=news`);
  expect([gone.status, gone.text]).toEqual([204, ""]);
  expect(refusal(await call(`DELETE ${one}?scope=news`))).toEqual([404, "not_found"]);
  await house.close();
});
