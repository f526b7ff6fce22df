import { expect, test } from "vitest";
import { addShop, openCommandWorld } from "./command-world.ts";

test("an empty list in CSV has the header line that it has with rows", async () => {
  const world = await openCommandWorld();
  const { workspace } = await addShop(world);
  const lists = [
    ["suppressions"],
    ["suppressions", "list", "--all"],
    ["domains"],
    ["plans", "compare"],
    ["templates"],
    ["emails"],
  ];
  const read = () =>
    Promise.all(
      lists.map(async (words) => {
        const { code, stdout, stderr } = await world.run(...words, "--format", "csv");
        expect([code, stderr]).toEqual([0, ""]);
        return stdout;
      }),
    );
  const empty = await read();
  expect(empty[0]).toMatch(/^email,scope,origin,\S+\r\n$/);
  expect(empty[1]).toBe(empty[0]);
  const exported = await world.run("suppressions", "export");
  expect(exported.stdout).toBe("email,scope,origin,reason,created_at,expires_at\r\n");
  const { suppressions, domains, templates, emails } = world.posthorn.workspace(workspace.id);
  await suppressions.create({ email: "ada@example.com" });
  await domains.create({ name: "shop.example" });
  await templates.create({ name: "welcome", subject: "Hi", text: "Hi" });
  await emails.send({ to: ["ada@shop.example"], subject: "Hi", text: "Hi" });
  await world.posthorn.plans.create({ name: "Pro" });
  const full = await read();
  expect(full.map((text) => text.split("\r\n")[0])).toEqual(empty.map((text) => text.trimEnd()));
  expect(full.every((text) => text.split("\r\n").length === 3)).toBe(true);
  const other = await world.run("suppressions", "--format", "ndjson", "--query", "nobody");
  expect(other).toMatchObject({ code: 0, stdout: "" });
});

test("a domain's records have formats of tools beside those of data", async () => {
  const world = await openCommandWorld();
  const { workspace } = await addShop(world);
  await world.posthorn.workspace(workspace.id).domains.create({ name: "shop.example" });
  const records = async (...options: string[]) => {
    const { code, stdout, stderr } = await world.run("domains", "records", "shop.example", ...options);
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  };
  const zone = await records("--format", "zone");
  expect(zone).toMatch(/^_posthorn\.shop\.example\. 3600 IN TXT "posthorn-verification=/);
  expect(await records("--format=zone")).toBe(zone);
  expect(await records("--as", "zone")).toBe(zone);
  expect(await records("--format", "terraform")).toContain("aws_route53_record");
  expect(JSON.parse(await records("--format=cloudflare"))).toMatchObject({ posts: expect.any(Array) });
  expect(JSON.parse(await records("--format", "json"))[0]).toMatchObject({ purpose: "ownership" });
  const other = await world.run("domains", "list", "--format", "zone");
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("Allowed choices are table, json")]);
});

test("an export of suppressions has the format that is asked for, by its own option or by that of all data", async () => {
  const world = await openCommandWorld();
  const { workspace } = await addShop(world);
  await world.posthorn.workspace(workspace.id).suppressions.create({ email: "ada@example.com" });
  const write = async (...options: string[]) =>
    (await world.run("suppressions", "export", ...options)).stdout.split("\n")[0];
  const [csv, ndjson] = await Promise.all([write(), write("--as", "ndjson")]);
  expect(JSON.parse(ndjson ?? "")).toMatchObject({ email: "ada@example.com" });
  expect(csv).toMatch(/^email,/);
  for (const options of [["--json"], ["--format", "ndjson"]]) expect(await write(...options)).toBe(ndjson);
  expect(await write("--format", "csv")).toBe(csv);
  expect(await write("--as", "csv", "--json")).toBe(csv);
});
