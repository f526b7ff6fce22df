import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { engines } from "./engines.ts";
import { faultyFields, type House, openHouse, refusal } from "./harness.ts";

const path = "/workspaces/current/settings";

// service.md, Workspace settings (JWT + workspace header)
describe.each(engines)("settings on $name", ({ open }) => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse(open);
  });
  afterAll(() => house.close());

  const put = (body: unknown, as = house.admin) => house.call(`PUT ${path}`, { as, body });

  test("GET → {data: Settings} with the documented defaults, for any member", async () => {
    const own = await openHouse(open);
    onTestFinished(() => own.close());
    for (const as of [own.owner, own.admin, own.editor, own.viewer]) {
      const { status, body } = await own.call(`GET ${path}`, { as });
      expect([status, body]).toEqual([
        200,
        {
          data: {
            id: expect.any(Number),
            workspace_id: own.workspace,
            timezone: "UTC",
            default_sender_name: "",
            default_sender_email: "",
            webhook_retry_count: 3,
            api_key_expiry_days: 90,
            dkim_rotation_days: 0,
            content_retention_days: 0,
            bounce_auto_suppress: true,
            require_verified_domain: false,
            platform_server: true,
            track_opens: false,
            track_clicks: false,
            tracking_details: false,
            tracking_trap: false,
            created_at: "2030-01-01T12:00:00.000Z",
            updated_at: "2030-01-01T12:00:00.000Z",
          },
        },
      ]);
    }
  });

  test.each([
    ["timezone", "Europe/Paris"],
    ["default_sender_name", "Ada & Co."],
    ["default_sender_email", "ada@example.com"],
    ["webhook_retry_count", 0],
    ["webhook_retry_count", 10],
    ["api_key_expiry_days", 0],
    ["bounce_auto_suppress", false],
    ["require_verified_domain", true],
    ["track_opens", true],
    ["track_clicks", true],
    ["tracking_details", true],
    ["tracking_trap", true],
    ["dkim_rotation_days", 180],
    ["content_retention_days", 30],
  ])("PUT {%s: %j} → the full object, in which only that changed", async (field, value) => {
    const before = await house.call(`GET ${path}`, { as: house.viewer });
    const { status, body } = await put({ [field]: value });
    expect(status).toBe(200);
    expect(body).toEqual({ data: { ...before.body.data, [field]: value, updated_at: expect.any(String) } });
    expect((await house.call(`GET ${path}`, { as: house.viewer })).body).toEqual(body);
  });

  test.each([
    ["timezone", "Mars/Olympus"],
    ["timezone", "+02:00"],
    ["timezone", ""],
    ["default_sender_name", "a\r\nBcc: b@example.com"],
    ["default_sender_email", "a@b@c"],
    ["default_sender_email", "a@example.com\r\nBcc: b@example.com"],
    ["webhook_retry_count", -1],
    ["webhook_retry_count", 11],
    ["webhook_retry_count", "3"],
    ["api_key_expiry_days", -1],
    ["bounce_auto_suppress", "yes"],
    ["require_verified_domain", null],
    ["dkim_rotation_days", 3651],
    ["content_retention_days", 3651],
    ["workspace_id", 2],
    ["id", 2],
    ["updated_at", "2030-01-01T12:00:00.000Z"],
  ])("PUT {%s: %j} → 400", async (field, value) => {
    expect(faultyFields(await put({ [field]: value }))).toEqual([400, [field]]);
  });

  test("an empty update is a 400", async () => {
    expect(refusal(await put({}))).toEqual([400, "validation_failed"]);
  });

  test("updating requires an owner or admin", async () => {
    expect((await put({ timezone: "UTC" }, house.owner)).status).toBe(200);
    for (const as of [house.editor, house.viewer])
      expect(refusal(await put({ timezone: "UTC" }, as))).toEqual([403, "forbidden"]);
    expect(refusal(await put({ timezone: "UTC" }, house.stranger))).toEqual([403, "not_a_member"]);
  });

  test("api_key_expiry_days is the lifetime of new keys; 0 means they never expire", async () => {
    await put({ api_key_expiry_days: 5 });
    const create = async () => {
      const { body } = await house.call("POST /workspaces/current/api-keys", {
        as: house.admin,
        body: { name: "k" },
      });
      return body.data?.["expires_at"];
    };
    expect(await create()).toBe("2030-01-06T12:00:00.000Z");
    await put({ api_key_expiry_days: 0 });
    expect(await create()).toBeNull();
  });

  test("a change records one event with the old and new values", async () => {
    await put({ timezone: "Asia/Tokyo" });
    const { body } = await house.call("GET /workspaces/current/audit-log?size=1", { as: house.owner });
    expect(body.data?.[0]?.["type"]).toBe("settings.updated");
    expect(JSON.parse(String(body.data?.[0]?.["metadata"]))).toMatchObject({
      changes: { timezone: { to: "Asia/Tokyo" } },
    });
  });
});
