import { describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { faultyFields, refusal } from "./harness.ts";
import { editor, house, made, openTemplateHouse, templates } from "./template-house.ts";

// service.md, Templates (JWT + workspace header); decisions §5
describe.each(engines)("templates on $name", ({ open }) => {
  openTemplateHouse(open);

  const missing = "0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f";

  const addVersion = async (id: string, more: object = {}) => {
    const answer = await editor(`POST ${templates}/${id}/versions`, { text: "Hi {{name}}", ...more });
    expect(answer.status).toBe(201);
    return String(answer.body.data?.["id"]);
  };

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

    test("viewers can read, but not write", async () => {
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
