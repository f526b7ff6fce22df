import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { faultyFields, type House, openHouse, refusal } from "./harness.ts";
import type { Answer } from "./start-server.ts";

const templates = "/workspaces/current/templates";
const missing = "0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f";

// service.md, Templates (JWT + workspace header); decisions §5
describe.each(engines)("templates on $name", ({ open }) => {
  let house: House;
  let count = 0;
  beforeAll(async () => {
    house = await openHouse(open);
  });
  afterAll(() => house.close());

  const editor = (signature: string, body?: unknown): Promise<Answer> =>
    house.call(signature, { as: house.editor, ...(body === undefined ? {} : { body }) });
  const create = (more: object = {}) =>
    editor(`POST ${templates}`, { name: `template ${++count}`, html: "<p>Hello {{name}}</p>", ...more });
  /** A new template's id and its first version's. */
  const made = async (more: object = {}) => {
    const { status, body } = await create(more);
    expect(status).toBe(201);
    return { id: String(body.data?.["id"]), first: String(body.data?.["active_version_id"]) };
  };
  const addVersion = async (id: string, more: object = {}) => {
    const answer = await editor(`POST ${templates}/${id}/versions`, { text: "Hi {{name}}", ...more });
    expect(answer.status).toBe(201);
    return String(answer.body.data?.["id"]);
  };

  describe("templates", () => {
    test("POST {name, description, html, text, sample_data} → 201 {success, data}", async () => {
      const answer = await editor(`POST ${templates}`, {
        name: "welcome",
        description: "Greets",
        html: "<p>Hello {{name}}</p>",
        text: "Hello {{name}}",
        sample_data: { name: "Ada" },
      });
      expect([answer.status, answer.body]).toEqual([
        201,
        {
          success: true,
          data: {
            id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/),
            name: "welcome",
            description: "Greets",
            active_version_id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
            default_language: "en",
            created_at: "2030-01-01T12:00:00.000Z",
            updated_at: "2030-01-01T12:00:00.000Z",
          },
        },
      ]);
    });

    test("a name that exists is a 409, by POST and PUT, but not in another workspace", async () => {
      expect(refusal(await create({ name: "welcome" }))).toEqual([409, "template_name_taken"]);
      const { id } = await made();
      expect(refusal(await editor(`PUT ${templates}/${id}`, { name: "welcome" }))).toEqual([
        409,
        "template_name_taken",
      ]);
      const workspace = await house.makeWorkspace(house.stranger, "Other");
      const other = await house.call(`POST ${templates}`, {
        as: house.stranger,
        workspace,
        body: { name: "welcome", text: "x" },
      });
      expect(other.status).toBe(201);
    });

    test("GET ?page&size: from 1, page 0 is the first too, and the page is echoed", async () => {
      for (let at = 0; at < 3; at += 1) await made();
      const page = (query: string) => house.call(`GET ${templates}${query}`, { as: house.viewer });
      const first = await page("?page=1&size=2");
      const total = Number(first.body.pagination?.["total"]);
      expect(first.body.pagination).toEqual({
        page: 1,
        size: 2,
        total,
        total_pages: Math.ceil(total / 2),
        after: expect.any(String),
      });
      const behind = await page(`?size=2&after=${first.body.pagination?.["after"]}`);
      expect(behind.body.data).toEqual((await page("?page=2&size=2")).body.data);
      expect(behind.body.pagination?.["page"]).toBe(1);
      const zero = await page("?page=0&size=2");
      expect([zero.body.data, zero.body.pagination?.["page"]]).toEqual([first.body.data, 0]);
      const second = await page("?page=2&size=2");
      const names = [...(first.body.data ?? []), ...(second.body.data ?? [])].map(({ name }) => name);
      expect(new Set(names).size).toBe(4);
      expect(names[0]).toBe(`template ${count}`);
      expect((await page("")).body.pagination).toMatchObject({ page: 1, size: 20 });
      expect((await page("?page=999")).body.data).toEqual([]);
      for (const bad of ["?page=-1", "?size=0", "?size=101", "?page=x", "?page=1.5", "?limit=1"])
        expect(refusal(await page(bad))).toEqual([400, "validation_failed"]);
    });

    test("GET …/{id} → everything, the active version's content included", async () => {
      const { id, first } = await made({ text: "t", sample_data: { name: "Ada" } });
      const { status, body } = await house.call(`GET ${templates}/${id}`, { as: house.viewer });
      expect(status).toBe(200);
      expect(body.data).toMatchObject({
        id,
        active_version_id: first,
        html: "<p>Hello {{name}}</p>",
        text: "t",
        sample_data: { name: "Ada" },
      });
    });

    test("PUT …/{id} {name, description, default_language} → the updated template", async () => {
      const { id } = await made();
      const answer = await editor(`PUT ${templates}/${id}`, {
        description: "New",
        default_language: "pt-BR",
      });
      expect([answer.status, answer.body.data]).toMatchObject([
        200,
        { id, description: "New", default_language: "pt-BR", name: `template ${count}` },
      ]);
      expect(refusal(await editor(`PUT ${templates}/${id}`, {}))).toEqual([400, "validation_failed"]);
      expect(
        faultyFields(await editor(`PUT ${templates}/${id}`, { default_language: "no language" })),
      ).toEqual([400, ["default_language"]]);
      expect(faultyFields(await editor(`PUT ${templates}/${id}`, { html: "x" }))).toEqual([400, ["html"]]);
    });

    test("DELETE …/{id} → 204, then 404", async () => {
      const { id } = await made();
      expect((await editor(`DELETE ${templates}/${id}`)).status).toBe(204);
      for (const signature of [
        `DELETE ${templates}/${id}`,
        `GET ${templates}/${id}`,
        `GET ${templates}/${id}/versions`,
      ])
        expect(refusal(await editor(signature))).toEqual([404, "not_found"]);
    });

    test("names are 1 to 100 characters on one line", async () => {
      for (const name of ["", "  ", "x".repeat(101), "a\nb", 5, null])
        expect(faultyFields(await create({ name }))).toEqual([400, ["name"]]);
      expect((await create({ name: "ü".repeat(100) })).status).toBe(201);
    });

    test("html or text must be there", async () => {
      const answer = await editor(`POST ${templates}`, { name: "empty" });
      expect(refusal(answer)).toEqual([400, "validation_failed"]);
    });

    test("a syntax error is a 400 with line and column", async () => {
      const answer = await create({ html: "<p>\n{{#a}}" });
      expect(faultyFields(answer)).toEqual([400, ["html"]]);
      expect(answer.body.error?.message).toMatch(/line 2, column 1/);
    });

    test("source past 512 KiB is a 400, and past the body's limit a 413", async () => {
      expect(faultyFields(await create({ html: "x".repeat(512 * 1024 + 1) }))).toEqual([400, ["html"]]);
      expect(refusal(await create({ html: "x".repeat(5 * 1024 * 1024) }))).toEqual([
        413,
        "payload_too_large",
      ]);
    });
  });

  // service.md, States and transitions, Template versions
  describe("versions", () => {
    test("POST …/versions {html, text, sample_data, note} → 201, numbered next, not active", async () => {
      const { id, first } = await made();
      const answer = await editor(`POST ${templates}/${id}/versions`, {
        html: "<b>{{name}}</b>",
        text: "{{name}}",
        sample_data: { name: "B" },
        note: "bolder",
      });
      expect([answer.status, answer.body.data]).toMatchObject([
        201,
        { version_number: 2, is_active: false, note: "bolder", created_at: "2030-01-01T12:00:00.000Z" },
      ]);
      const template = await editor(`GET ${templates}/${id}`);
      expect(template.body.data?.["active_version_id"]).toBe(first);
    });

    test("GET …/versions → a list, newest first, exactly one active", async () => {
      const { id, first } = await made();
      const second = await addVersion(id, { subject: "S" });
      const { status, body } = await house.call(`GET ${templates}/${id}/versions`, { as: house.viewer });
      expect(status).toBe(200);
      expect(body.data?.map((each) => [each["id"], each["version_number"], each["is_active"]])).toEqual([
        [second, 2, false],
        [first, 1, true],
      ]);
      expect(body.data?.[0]?.["subject"]).toBe("S");
    });

    test("GET …/versions/{versionId} → html, text and sample_data too", async () => {
      const { id } = await made();
      const version = await addVersion(id, { html: "<i>x</i>", sample_data: { a: [1, { b: null }] } });
      const { body } = await house.call(`GET ${templates}/${id}/versions/${version}`, { as: house.viewer });
      expect(body.data).toMatchObject({
        html: "<i>x</i>",
        text: "Hi {{name}}",
        sample_data: { a: [1, { b: null }] },
      });
    });

    test("PUT …/versions/{versionId} {html, text, sample_data} → the updated version", async () => {
      const { id, first } = await made();
      const answer = await editor(`PUT ${templates}/${id}/versions/${first}`, { html: "<p>New</p>" });
      expect([answer.status, answer.body.data]).toMatchObject([
        200,
        { id: first, html: "<p>New</p>", is_active: true },
      ]);
      expect(refusal(await editor(`PUT ${templates}/${id}/versions/${first}`, {}))).toEqual([
        400,
        "validation_failed",
      ]);
      expect(refusal(await editor(`PUT ${templates}/${id}/versions/${first}`, { html: "" }))).toEqual([
        400,
        "validation_failed",
      ]);
    });

    test("POST …/activate/{versionId} → the template with the new active_version_id; only one is active", async () => {
      const { id, first } = await made();
      const second = await addVersion(id);
      const answer = await editor(`POST ${templates}/${id}/activate/${second}`);
      expect([answer.status, answer.body.data]).toMatchObject([200, { id, active_version_id: second }]);
      const list = await editor(`GET ${templates}/${id}/versions`);
      expect(list.body.data?.map((each) => [each["id"], each["is_active"]])).toEqual([
        [second, true],
        [first, false],
      ]);
      expect((await editor(`POST ${templates}/${id}/activate/${second}`)).status).toBe(200);
    });

    test("DELETE of the active version is refused; another must be activated first", async () => {
      const { id, first } = await made();
      const second = await addVersion(id);
      expect(refusal(await editor(`DELETE ${templates}/${id}/versions/${first}`))).toEqual([
        409,
        "active_version",
      ]);
      await editor(`POST ${templates}/${id}/activate/${second}`);
      expect((await editor(`DELETE ${templates}/${id}/versions/${first}`)).status).toBe(204);
      expect(refusal(await editor(`GET ${templates}/${id}/versions/${first}`))).toEqual([404, "not_found"]);
      const third = await editor(`POST ${templates}/${id}/versions`, { text: "3" });
      expect(third.body.data?.["version_number"]).toBe(3);
    });

    test("another template's version is a 404 everywhere", async () => {
      const one = await made();
      const two = await made();
      const path = `${templates}/${one.id}/versions/${two.first}`;
      expect(refusal(await editor(`GET ${path}`))).toEqual([404, "not_found"]);
      expect(refusal(await editor(`PUT ${path}`, { html: "x" }))).toEqual([404, "not_found"]);
      expect(refusal(await editor(`DELETE ${path}`))).toEqual([404, "not_found"]);
      expect(refusal(await editor(`POST ${path}/preview`))).toEqual([404, "not_found"]);
      expect(refusal(await editor(`POST ${path}/test`, { to: "a@example.com" }))).toEqual([404, "not_found"]);
      expect(refusal(await editor(`POST ${templates}/${one.id}/activate/${two.first}`))).toEqual([
        404,
        "not_found",
      ]);
    });

    test("…/preview {template_data?} → {subject, html, text, missing}", async () => {
      const { id, first } = await made({ subject: "For {{name}}", sample_data: { name: "<Ada>" } });
      const path = `POST ${templates}/${id}/versions/${first}/preview`;
      expect((await editor(path)).body.data).toMatchObject({
        subject: "For <Ada>",
        html: expect.stringContaining("Hello &lt;Ada&gt;"),
        missing: [],
      });
      expect((await editor(path, { template_data: {} })).body.data).toMatchObject({ missing: ["name"] });
      expect(faultyFields(await editor(path, { template_data: [] }))).toEqual([400, ["template_data"]]);
    });

    test("…/test {to, template_data?} → 202, sent, and counted", async () => {
      const { id, first } = await made({ subject: "Try" });
      const answer = await editor(`POST ${templates}/${id}/versions/${first}/test`, {
        to: "try@example.com",
        template_data: { name: "Ada" },
      });
      expect([answer.status, answer.body.data]).toMatchObject([
        202,
        { status: "queued", to: ["try@example.com"], template_version_id: first },
      ]);
      await house.world.posthorn.drain();
      expect(house.world.mailer.inbox.find({ to: "try@example.com" })?.html).toContain("Hello Ada");
    });

    test("viewers read, and write nothing", async () => {
      const { id, first } = await made();
      const version = `${templates}/${id}/versions/${first}`;
      for (const [signature, body] of [
        [`POST ${templates}`, { name: "x", text: "x" }],
        [`PUT ${templates}/${id}`, { name: "x" }],
        [`DELETE ${templates}/${id}`],
        [`POST ${templates}/${id}/versions`, { text: "x" }],
        [`PUT ${version}`, { text: "x" }],
        [`DELETE ${version}`],
        [`POST ${templates}/${id}/activate/${first}`],
        [`POST ${version}/preview`, {}],
        [`POST ${version}/test`, { to: "a@example.com" }],
      ] as const) {
        const answer = await house.call(signature, {
          as: house.viewer,
          ...(body === undefined ? {} : { body }),
        });
        expect([signature, ...refusal(answer)]).toEqual([signature, 403, "forbidden"]);
      }
    });

    test.each(["0", "-1", "1e3", "0x1", "abc", "0190f3c1-7a2b-7c3d-8e4f", "%00", "..%2f"])(
      "the id %s is a 400",
      async (id) => {
        expect(faultyFields(await editor(`GET ${templates}/${id}`))).toEqual([400, ["id"]]);
        expect(faultyFields(await editor(`GET ${templates}/${missing}/versions/${id}`))).toEqual([
          400,
          ["versionId"],
        ]);
      },
    );
  });
});
