import { describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { faultyFields, refusal } from "./harness.ts";
import { count, create, editor, house, made, openTemplateHouse, templates } from "./template-house.ts";

// service.md, Templates (JWT + workspace header); decisions §5
describe.each(engines)("templates on $name", ({ open }) => {
  openTemplateHouse(open);

  describe("templates", () => {
    test("POST {name, description, html, text, sample_data} → 201 {success, data}", async () => {
      const answer = await editor(`POST ${templates}`, {
        name: "greeting",
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
            name: "greeting",
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
      expect((await create({ name: "welcome" })).status).toBe(201);
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

    test("GET ?page&size: pages count from 1, page 0 is the first too, and the page is echoed", async () => {
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

    test("GET …/{id} → the template with the active version's content", async () => {
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

    test("html or text is required", async () => {
      const answer = await editor(`POST ${templates}`, { name: "empty" });
      expect(refusal(answer)).toEqual([400, "validation_failed"]);
    });

    test("a syntax error is a 400 with line and column", async () => {
      const answer = await create({ html: "<p>\n{{#a}}" });
      expect(faultyFields(answer)).toEqual([400, ["html"]]);
      expect(answer.body.error?.message).toMatch(/line 2, column 1/);
    });

    test("a source over 512 KiB is a 400, and over the body's limit a 413", async () => {
      expect(faultyFields(await create({ html: "x".repeat(512 * 1024 + 1) }))).toEqual([400, ["html"]]);
      expect(refusal(await create({ html: "x".repeat(5 * 1024 * 1024) }))).toEqual([
        413,
        "payload_too_large",
      ]);
    });
  });
});
