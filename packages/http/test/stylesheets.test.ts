import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { faultyFields, type House, openHouse, refusal } from "./harness.ts";

const stylesheets = "/workspaces/current/stylesheets";

// service.md, Stylesheets (JWT + workspace header); decisions §5
describe.each(engines)("stylesheets on $name", ({ open }) => {
  let house: House;
  beforeEach(async () => {
    house = await openHouse(open);
  });
  afterEach(() => house.close());

  const editor = (signature: string, body?: unknown) =>
    house.call(signature, { as: house.editor, ...(body === undefined ? {} : { body }) });
  const made = async (name: string, css = "p { color: red }") => {
    const answer = await editor(`POST ${stylesheets}`, { name, css });
    expect(answer.status).toBe(201);
    return String(answer.body.data?.["id"]);
  };

  test("POST {name, css} → 201 {success, data}", async () => {
    const answer = await editor(`POST ${stylesheets}`, { name: "base", css: "p { color: red }" });
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        success: true,
        data: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          name: "base",
          css: "p { color: red }",
          created_at: "2030-01-01T12:00:00.000Z",
          updated_at: "2030-01-01T12:00:00.000Z",
        },
      },
    ]);
  });

  test("GET ?page&size → paged from 1, 0 being the first too", async () => {
    for (const name of ["base", "one", "two", "three"]) await made(name);
    const page = (query: string) => house.call(`GET ${stylesheets}${query}`, { as: house.viewer });
    const first = await page("?page=1&size=2");
    expect(first.body.pagination).toEqual({
      page: 1,
      size: 2,
      total: 4,
      total_pages: 2,
      after: expect.any(String),
    });
    expect((await page("?page=0&size=2")).body).toEqual({
      ...first.body,
      pagination: { page: 0, size: 2, total: 4, total_pages: 2, after: expect.any(String) },
    });
    expect(first.body.data?.map(({ name }) => name)).toEqual(["three", "two"]);
    expect((await page("?page=2&size=2")).body.data?.map(({ name }) => name)).toEqual(["one", "base"]);
    expect((await page("")).body.pagination).toMatchObject({ page: 1, size: 20 });
    for (const bad of ["?page=-1", "?page=9007199254740992", "?size=0", "?size=101", "?sort=name"])
      expect(refusal(await page(bad))).toEqual([400, "validation_failed"]);
  });

  test("GET …/{id} → the stylesheet", async () => {
    const id = await made("read", "b { margin: 0 }");
    const answer = await house.call(`GET ${stylesheets}/${id}`, { as: house.viewer });
    expect(answer.body.data).toMatchObject({ id, name: "read", css: "b { margin: 0 }" });
  });

  test("PUT …/{id} {name, css} → the updated stylesheet", async () => {
    const id = await made("old");
    const answer = await editor(`PUT ${stylesheets}/${id}`, { name: "new", css: "p{color:blue}" });
    expect([answer.status, answer.body.data]).toMatchObject([200, { id, name: "new", css: "p{color:blue}" }]);
    expect(refusal(await editor(`PUT ${stylesheets}/${id}`, {}))).toEqual([400, "validation_failed"]);
    expect((await editor(`PUT ${stylesheets}/${id}`, { name: "new" })).status).toBe(200);
  });

  test("DELETE …/{id} → 204, then 404", async () => {
    const id = await made("gone");
    expect((await editor(`DELETE ${stylesheets}/${id}`)).status).toBe(204);
    for (const method of ["GET", "DELETE"])
      expect(refusal(await editor(`${method} ${stylesheets}/${id}`))).toEqual([404, "not_found"]);
    expect(refusal(await editor(`PUT ${stylesheets}/${id}`, { name: "x" }))).toEqual([404, "not_found"]);
  });

  test("a name that exists is a 409", async () => {
    await made("taken");
    const id = await made("free");
    expect(refusal(await editor(`POST ${stylesheets}`, { name: "taken", css: "p{}" }))).toEqual([
      409,
      "stylesheet_name_taken",
    ]);
    expect(refusal(await editor(`PUT ${stylesheets}/${id}`, { name: "taken" }))).toEqual([
      409,
      "stylesheet_name_taken",
    ]);
  });

  test("invalid, missing or too much CSS, and unknown fields are a 400", async () => {
    const post = (body: object) => editor(`POST ${stylesheets}`, body);
    expect(faultyFields(await post({ name: "x", css: "p { color: red" }))).toEqual([400, ["css"]]);
    expect(faultyFields(await post({ name: "x", css: "{{#if}} p {}" }))).toEqual([400, ["css"]]);
    expect(faultyFields(await post({ name: "x", css: `p{${"a:b;".repeat(70_000)}}` }))).toEqual([
      400,
      ["css"],
    ]);
    expect(faultyFields(await post({}))).toEqual([400, ["css", "name"]]);
    expect(faultyFields(await post({ name: "x", css: "p{}", id: "y" }))).toEqual([400, ["id"]]);
  });

  test("viewers can read, but not write", async () => {
    const id = await made("locked");
    for (const [signature, body] of [
      [`POST ${stylesheets}`, { name: "x", css: "p{}" }],
      [`PUT ${stylesheets}/${id}`, { name: "x" }],
      [`DELETE ${stylesheets}/${id}`, undefined],
    ] as const) {
      const answer = await house.call(signature, {
        as: house.viewer,
        ...(body === undefined ? {} : { body }),
      });
      expect(refusal(answer)).toEqual([403, "forbidden"]);
    }
  });

  test("all are inlined in the order of their names, into e-mails and previews", async () => {
    const workspace = await house.makeWorkspace(house.owner, "Styled");
    const as = house.owner;
    for (const [name, css] of [
      ["b", "p { color: blue }"],
      ["a", "p { color: red; margin: 1px } a:hover { color: green }"],
    ])
      await house.call(`POST ${stylesheets}`, { as, workspace, body: { name, css } });
    const body = { name: "styled", html: "<html><head></head><body><p>{{name}}</p></body></html>" };
    const template = await house.call("POST /workspaces/current/templates", { as, workspace, body });
    const [id, version] = [template.body.data?.["id"], template.body.data?.["active_version_id"]];
    const preview = await house.call(`POST /workspaces/current/templates/${id}/versions/${version}/preview`, {
      as,
      workspace,
      body: { template_data: { name: "Ada" } },
    });
    const html = String(preview.body.data?.["html"]);
    expect(html).toMatch(/<p style="[^"]*margin: 1px[^"]*">Ada/);
    expect(html).toMatch(/<p style="[^"]*color: blue/);
    expect(html).toContain("a:hover");
    const key = await house.makeKey({ workspace });
    const sent = await house.call("POST /emails/send-template", {
      as: key,
      body: { template: "styled", to: ["s@example.com"], template_data: { name: "Ada" } },
    });
    expect(sent.status).toBe(202);
    await house.world.posthorn.drain();
    expect(house.world.mailer.inbox.find({ to: "s@example.com" })?.html).toBe(html);
  });
});
