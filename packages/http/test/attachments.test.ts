import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { createClient } from "@posthorn/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { faultyFields, type House, openHouse, refusal } from "./harness.ts";

const mebibyte = 1024 * 1024;
type Body = Awaited<ReturnType<House["call"]>>["body"];

// platform.md P3
describe.each(engines)("attachments on $name", ({ open }) => {
  let house: House;
  let key: string;
  beforeAll(async () => {
    house = await openHouse(open, {}, { maxMessageMb: 2 });
    key = await house.makeKey();
  });
  afterAll(() => house.close());

  /** Uploads raw bytes. */
  async function upload(
    content: Uint8Array | string,
    { filename = "a.pdf", headers = {} }: { filename?: string; headers?: Record<string, string> } = {},
  ) {
    const response = await fetch(`${house.url}/api/v1/attachments?filename=${encodeURIComponent(filename)}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, ...headers },
      body: Buffer.from(content),
    });
    return { status: response.status, body: (await response.json()) as Body };
  }
  const send = (attachments: object[], more: object = {}) =>
    house.call("POST /emails/send", {
      as: key,
      body: { subject: "S", text: "T", to: ["ada@example.com"], attachments, ...more },
    });

  test("a file is uploaded unchanged, sent by its id, and downloaded by permitted callers", async () => {
    const content = randomBytes(300_000);
    const uploaded = await upload(content, { filename: "Größe 💶.pdf" });
    const hash = createHash("sha256").update(content).digest("hex");
    expect([uploaded.status, uploaded.body.data]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        filename: "Größe 💶.pdf",
        content_type: "application/pdf",
        size: 300_000,
        digest: `sha256:${hash}`,
        created_at: "2030-01-01T12:00:00.000Z",
        expires_at: "2030-01-08T12:00:00.000Z",
      },
    ]);
    const id = uploaded.body.data?.["id"];
    const read = await house.call(`GET /attachments/${id}`, { as: key });
    expect(read.body.data).toEqual(uploaded.body.data);
    const sent = await send([{ id }, { filename: "b.txt", content: "aGk=" }]);
    const pdf = { filename: "Größe 💶.pdf", content_type: "application/pdf", size: 300_000 };
    expect(sent.body.data?.["attachments"]).toEqual([
      { position: 0, ...pdf, content_id: null },
      { position: 1, filename: "b.txt", content_type: "text/plain", size: 2, content_id: null },
    ]);
    const path = `/workspaces/current/emails/${sent.body.data?.["id"]}/attachments`;
    const response = await fetch(`${house.url}/api/v1${path}/0`, {
      headers: {
        authorization: `Bearer ${house.editor.token}`,
        "x-service-workspace-id": String(house.workspace),
      },
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-length": "300000",
      "content-disposition": `attachment; filename="Gr__e __.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%F0%9F%92%B6.pdf`,
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
    });
    expect((await house.call(`GET ${path}/1`, { as: house.owner })).text).toBe("hi");
    expect(refusal(await house.call(`GET ${path}/2`, { as: house.owner }))).toEqual([404, "not_found"]);
    expect(refusal(await house.call(`GET ${path}/0`, { as: house.viewer }))).toEqual([403, "forbidden"]);
    expect((await house.call(`DELETE /attachments/${id}`, { as: key })).status).toBe(204);
    expect(refusal(await house.call(`DELETE /attachments/${id}`, { as: key }))).toEqual([404, "not_found"]);
    expect(refusal(await send([{ id }]))).toEqual([422, "attachment_not_found"]);
    // Accepted e-mails keep their files.
    expect((await house.call(`GET ${path}/0`, { as: house.owner })).text.length).toBeGreaterThan(100_000);
  });

  test("a media type that no file can have is refused under the header's name", async () => {
    for (const type of ["multipart/mixed; boundary=x", "text/plain, text/html"]) {
      const refused = await upload("x", { headers: { "content-type": type } });
      expect(refused).toMatchObject({
        status: 400,
        body: {
          error: {
            message: expect.stringMatching(/^Content-Type: /),
            details: [expect.objectContaining({ path: "Content-Type" })],
          },
        },
      });
    }
  });

  test("base64 with line breaks is accepted; the URL alphabet, missing padding and anything else is a 400 that names the field", async () => {
    const bytes = Buffer.from([0xfb, 0xff, 0xbf, 1]);
    const text = bytes.toString("base64");
    const taken = await send([
      { filename: "a", content: `${text.slice(0, 4)}\r\n ${text.slice(4)}\n` },
      { filename: "empty", content: "" },
    ]);
    expect(taken.body.data?.["attachments"]).toMatchObject([{ size: 4 }, { size: 0 }]);
    for (const content of [bytes.toString("base64url"), text.replaceAll("=", ""), `${text}=`, "a!==", "é"])
      expect(faultyFields(await send([{ filename: "a", content }]))).toEqual([
        400,
        ["attachments.0.content"],
      ]);
  });

  test("a file without a name, with two sources or none, or of a forbidden type is refused by its field", async () => {
    const file = { filename: "a", content: "YQ==" };
    const id = "0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f";
    const cases: [object[], string[]][] = [
      [[{ content: "YQ==" }], ["attachments.0.filename"]],
      [[file, { filename: "b" }], ["attachments.1"]],
      [[{ ...file, id }], ["attachments.0"]],
      [[{ id, content_type: "text/plain" }], ["attachments.0.content_type"]],
      [[{ ...file, filename: "../" }], ["attachments.0.filename"]],
      [[{ ...file, content_type: "multipart/mixed" }], ["attachments.0.content_type"]],
      [[{ ...file, content_type: "message/partial" }], ["attachments.0.content_type"]],
      [[{ ...file, content_type: "text/plain\r\nX: y" }], ["attachments.0.content_type"]],
      [[{ ...file, content_id: "a b" }], ["attachments.0.content_id"]],
      [[{ ...file, content_id: "logo" }], ["attachments.0.content_id"]],
      [[{ ...file, url: "https://example.com/a.pdf" }], ["attachments.0.url"]],
      [Array(21).fill(file), ["attachments"]],
    ];
    for (const [attachments, fields] of cases)
      expect(faultyFields(await send(attachments))).toEqual([400, fields]);
    const twice = ["Logo", "logo"].map((content_id) => ({ ...file, content_id }));
    expect(faultyFields(await send(twice, { html: "<p>" }))).toEqual([400, ["attachments.1.content_id"]]);
  });

  test("files are limited by the plan and by the server, and compressed uploads are refused", async () => {
    const workspace = await house.makeWorkspace(house.owner, "Small");
    const plan = await house.call("POST /admin/plans", {
      as: house.administrator,
      body: { name: "1 MB", max_attachment_size_mb: 1 },
    });
    await house.call(`POST /admin/workspaces/${workspace}/plan`, {
      as: house.administrator,
      body: { plan_id: plan.body.data?.["id"] },
    });
    const small = await house.makeKey({ workspace });
    const content = Buffer.alloc(mebibyte + 1).toString("base64");
    const attachments = [{ filename: "big.bin", content }];
    const refused = await house.call("POST /emails/send", {
      as: small,
      body: { subject: "S", text: "T", to: ["ada@example.com"], attachments },
    });
    expect([refusal(refused), refused.body.error?.details]).toEqual([
      [413, "attachment_too_large"],
      { limit: "max_attachment_size_mb", value: 1, filename: "big.bin", size: mebibyte + 1 },
    ]);
    expect(refusal(await send([...attachments, ...attachments]))).toEqual([413, "message_too_large"]);
    const packed = await upload("x", { headers: { "content-encoding": "gzip" } });
    const tooLarge = await upload(Buffer.alloc(2 * mebibyte + 1));
    expect([packed, tooLarge].map(({ status, body }) => [status, body.error?.code])).toEqual([
      [415, "unsupported_media_type"],
      [413, "message_too_large"],
    ]);
  });

  test("a stream without a length is refused as soon as it is too large, and an aborted one leaves nothing", async () => {
    const start = () =>
      request(`${house.url}/api/v1/attachments?filename=a.bin`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "transfer-encoding": "chunked" },
      });
    const endless = start();
    endless.on("error", () => {});
    const answered = once(endless, "response");
    endless.write(Buffer.alloc(2 * mebibyte));
    endless.write(Buffer.alloc(mebibyte));
    const [response] = (await answered) as [{ statusCode: number; resume(): void }];
    expect(response.statusCode).toBe(413);
    response.resume();
    endless.destroy();
    const { attachments } = house.world.storage;
    const { addChunk, dropUpload } = attachments;
    const broken = start();
    broken.on("error", () => {});
    const left = new Promise<Buffer | undefined>((resolve) => {
      attachments.addChunk = async (...chunk) => {
        await addChunk(...chunk);
        broken.destroy();
      };
      attachments.dropUpload = async (id) => {
        await dropUpload(id);
        Object.assign(attachments, { addChunk, dropUpload });
        resolve(await attachments.readChunk(id, 0));
      };
    });
    broken.write(Buffer.alloc(400_000));
    expect(await left).toBeUndefined();
  });

  test("a filename is cut to its last path segment, and a missing type is derived from it", async () => {
    const named = await upload("x", {
      filename: "C:\\Users\\me/..\\\u202Egpj.exe",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(named.body.data).toMatchObject({
      filename: "gpj.exe",
      content_type: "application/octet-stream",
    });
    // As clients generated from the document send it.
    const ranged = await upload("x", { filename: "a.pdf", headers: { "content-type": "*/*" } });
    expect(ranged.body.data).toMatchObject({ content_type: "application/pdf" });
    const typed = await upload('{"a":1}', { headers: { "content-type": "application/json" } });
    expect(typed.body.data).toMatchObject({ content_type: "application/json", size: 7 });
    expect((await upload("", { filename: "" })).status).toBe(400);
  });

  test("a filename loses its control characters, NUL included, in each place that takes one; other fields may have none", async () => {
    const to = ["ada@example.com"];
    const [filename, content] = ["a\0b\u0007.pdf", "aGk="];
    const named = (name: string) => ({ attachments: [{ filename: name }] });
    expect((await upload("x", { filename })).body.data).toMatchObject({ filename: "ab.pdf" });
    expect((await send([{ filename, content }])).body.data).toMatchObject(named("ab.pdf"));
    const email = { subject: "S", text: "T", to, attachments: [{ filename, content }] };
    const batch = await house.call("POST /emails/batch", { as: key, body: { emails: [email] } });
    const listed = await house.call(`GET /emails?batch_id=${batch.body.data?.["batch_id"]}`, { as: key });
    expect(listed.body.data).toMatchObject([named("ab.pdf")]);
    expect(refusal(await send([{ filename: "\0", content }]))).toEqual([400, "validation_failed"]);
    const elsewhere = { template_data: named(filename) };
    for (const [fields, path] of [
      [{ subject: "\0" }, "subject"],
      [{ html: "\ud800" }, "html"],
      [elsewhere, "template_data.attachments.0.filename"],
    ] as const)
      expect(faultyFields(await send([{ filename, content }], fields))).toEqual([400, [path]]);
  });

  test("the client uploads bytes and streams, and downloads, whatever the type", async () => {
    const client = createClient(house.url, {
      apiKey: key,
      token: house.owner.token,
      workspaceId: house.workspace,
    });
    async function* stream() {
      yield new TextEncoder().encode('{"a":');
      yield new TextEncoder().encode("1}");
    }
    const [logo, json] = await Promise.all([
      client.request("POST /attachments", { filename: "c.png", content: new Uint8Array([1, 2]) }),
      client.request("POST /attachments", {
        filename: "d",
        content: stream(),
        content_type: "application/json",
      }),
    ]);
    const email = await client.request("POST /emails/send", {
      subject: "S",
      html: '<img src="cid:logo">',
      to: ["ada@example.com"],
      attachments: [{ id: json.id }, { id: logo.id, content_id: "logo" }],
    });
    const file = await client.request("GET /workspaces/current/emails/{id}/attachments/{position}", {
      id: email.id,
      position: 0,
    });
    expect([new TextDecoder().decode(file), email.attachments[1]?.content_id]).toEqual(['{"a":1}', "logo"]);
  });
});
