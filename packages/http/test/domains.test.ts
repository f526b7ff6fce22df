import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { type House, openHouse, refusal } from "./harness.ts";

const path = "/workspaces/current/domains";

describe.each(engines)("sending domains on $name", ({ open }) => {
  let house: House;
  let workspace: number;
  beforeEach(async () => {
    house = await openHouse(open, {}, { trackingHost: "links.post.example" });
    workspace = await house.makeWorkspace(house.owner);
  });
  afterEach(() => house.close());

  const call = (signature: string, body?: object) =>
    house.call(signature, { as: house.owner, workspace, ...(body === undefined ? {} : { body }) });

  test("are added, verified, rotated, changed, listed and removed", async () => {
    const added = await call(`POST ${path}`, { name: "Shop.Example", include_subdomains: true });
    expect(added.status).toBe(201);
    const { id, records } = added.body.data as unknown as {
      id: string;
      records: { name: string; value: string }[];
    };
    expect(added.body.data).toMatchObject({
      name: "shop.example",
      status: "pending",
      status_reason: "",
      include_subdomains: true,
      verified_at: null,
      checked_at: null,
      next_check_at: "2030-01-01T12:01:00.000Z",
      return_path: "bounces",
      return_path_verified: false,
      tracking: null,
      tracking_verified: false,
      tls: "opportunistic",
      dkim: [
        { state: "active", algorithm: "rsa-2048", signs: true, retired_at: null },
        { state: "standby", signs: false, activated_at: null },
        { state: "active", algorithm: "ed25519", signs: false },
        { state: "standby", algorithm: "ed25519", signs: false },
      ],
    });
    expect(records[0]).toEqual({
      purpose: "ownership",
      required: true,
      type: "TXT",
      name: "_posthorn.shop.example",
      host: "_posthorn",
      value: expect.stringMatching(/^posthorn-verification=/),
      ttl: 3600,
      priority: null,
      status: "unchecked",
      found: [],
      problem: null,
      hint: "",
    });
    expect(refusal(await call(`POST ${path}/${id}/rotate-dkim`))).toEqual([422, "dkim_not_published"]);
    for (const { name, value } of records) house.world.dns.set(name, value);
    const verified = await call(`POST ${path}/${id}/verify`);
    expect([verified.status, verified.body.data?.["status"]]).toEqual([200, "verified"]);
    const rotated = await call(`POST ${path}/${id}/rotate-dkim`);
    const states = ["retired", "active", "retired", "active", "standby", "standby"];
    expect(rotated.body.data?.["dkim"]).toMatchObject(states.map((state) => ({ state })));
    const changes = { include_subdomains: false, return_path: "mail.r", tracking: "t", tls: "required" };
    const changed = await call(`PUT ${path}/${id}`, changes);
    expect(changed.body.data).toMatchObject(changes);
    expect(changed.body.data?.["records"]).toContainEqual(
      expect.objectContaining({ purpose: "tracking", type: "CNAME", host: "t", value: "links.post.example" }),
    );
    const listed = await call(`GET ${path}?size=5`);
    expect(listed.body).toMatchObject({ success: true, data: [changed.body.data], pagination: { total: 1 } });
    expect((await call(`DELETE ${path}/${id}`)).status).toBe(204);
    expect(refusal(await call(`DELETE ${path}/${id}`))).toEqual([404, "not_found"]);
  });

  test("are refused if invalid, or if the workspace has them already", async () => {
    expect(refusal(await call(`POST ${path}`, { name: "co.uk" }))).toEqual([400, "domain_not_registrable"]);
    expect(refusal(await call(`POST ${path}`, { name: "a b" }))).toEqual([400, "validation_failed"]);
    expect(refusal(await call(`POST ${path}`, { name: "a.example", tracking: "t_t" }))).toEqual([
      400,
      "validation_failed",
    ]);
    await call(`POST ${path}`, { name: "a.example" });
    expect(refusal(await call(`POST ${path}`, { name: "A.EXAMPLE" }))).toEqual([409, "domain_taken"]);
  });
});
