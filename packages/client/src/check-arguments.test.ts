import { expect, test } from "vitest";
import { type Client, createClient } from "./client.ts";

const url = "http://mail.example";
const fetch = async () => Response.json({ data: [], pagination: { after: null } });
const client = createClient(url, { fetch });

/** A method of the client as a caller without types sees it, run to its first result. */
const call = async (name: keyof Client, ...given: unknown[]): Promise<void> => {
  const answer: unknown = await (client[name] as (...given: unknown[]) => unknown)(...given);
  if (Object(answer)[Symbol.asyncIterator] !== undefined) await (answer as AsyncGenerator).next();
};

const odd = [undefined, null, 5, Number.NaN, "text", true, [], [1], {}, () => {}, new Date(0)];

/** Texts of ours, or of a server that answers something else than an event stream or a file. */
const ours =
  /^(url|a route's signature|options(\.\w+)?|fields(\.\w+ of .*)?) must (be (an?|like)|not be) |^there is no option|answers no list$|^The answer 200 is not the service's/;

const routes = ["GET /emails", "GET /emails/{id}", "POST /emails/send", "GET /users/me/sessions"];
const withRoute = ["request", "dryRun", "download", "list"] as const;
const withoutRoute = ["send", "follow", "with"] as const;

test("every method refuses arguments of a wrong type by their name", async () => {
  const faults: string[] = [];
  const attempt = async (name: keyof Client, ...given: unknown[]) => {
    const fault: unknown = await call(name, ...given).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (fault instanceof Error && !ours.test(fault.message)) faults.push(`${name}: ${fault.message}`);
  };
  for (const value of odd) {
    for (const name of withRoute) {
      await attempt(name, value);
      for (const route of routes) {
        await attempt(name, route, value);
        await attempt(name, route, { id: value });
        await attempt(name, route, { id: 1 }, value);
        for (const option of ["signal", "idempotencyKey", "onDeduplicated", "onReplayed"])
          await attempt(name, route, { id: 1 }, { [option]: value });
      }
    }
    for (const name of withoutRoute) {
      await attempt(name, value);
      await attempt(name, {}, value);
      await attempt(name, {}, { signal: value });
    }
  }
  expect(faults).toEqual([]);
});

test.each([
  [
    "request",
    ["GET /emails/{id}"],
    "fields.id of GET /emails/{id} must be a string or number, not undefined",
  ],
  ["request", ["GET /emails", null], "fields must be an object, not null"],
  ["request", ["GET /emails/{id}", { id: "" }], "fields.id of GET /emails/{id} must not be empty"],
  ["request", ["GET /emails/{id}", { id: ".." }], 'fields.id of GET /emails/{id} must not be ".."'],
  [
    "request",
    ["GET /emails/{id}", { id: "a\ud83d" }],
    "fields.id of GET /emails/{id} must not contain half of a surrogate pair",
  ],
  ["request", ["GET /emails", { tag: null }], "fields.tag of GET /emails must not be null"],
  [
    "request",
    ["GET /emails", { metadata: { order: null } }],
    "fields.metadata[order] of GET /emails must not be null",
  ],
  [
    "request",
    ["GET /emails", { metadata: { order: undefined } }],
    "fields.metadata[order] of GET /emails must not be undefined",
  ],
  [
    "request",
    ["GET /emails", { metadata: { order: "a\ud83d" } }],
    "fields.metadata[order] of GET /emails must not contain half of a surrogate pair",
  ],
  [
    "request",
    ["POST /attachments", { filename: "a\ud83d", content: new Uint8Array() }],
    "fields.filename of POST /attachments must not contain half of a surrogate pair",
  ],
  ["download", ["GET /emails/{id}", { id: "." }], 'fields.id of GET /emails/{id} must not be "."'],
  [
    "request",
    ["POST /attachments", { filename: "a.txt", contents: "a" }],
    "fields.content of POST /attachments must be an object or string, not undefined",
  ],
  ["list", [], "a route's signature must be a string, not undefined"],
  ...["emails", "/emails", "GET emails", "get /emails", "GET  /emails", ""].map(
    (signature) =>
      [
        "request",
        [signature],
        `a route's signature must be like "GET /emails", not ${JSON.stringify(signature)}`,
      ] as const,
  ),
  ["send", [undefined, { signal: 5 }], "options.signal must be an AbortSignal"],
  [
    "send",
    [{}, { idempotency_key: "order-4711" }],
    "there is no option idempotency_key; the options are idempotencyKey, onDeduplicated, onReplayed, signal",
  ],
  ["follow", [{}, { on_gap: () => {} }], "there is no option on_gap; the options are signal, onGap"],
] as const)("%s%j: %s", async (name, given, message) => {
  await expect(call(name, ...given)).rejects.toThrow(new TypeError(message));
});

test("a download without fields is asked for as it is", async () => {
  const file = new Response("[]", { headers: { "content-disposition": 'attachment; filename="a.json"' } });
  const { download } = createClient(url, { fetch: async () => file });
  const ask = download as (signature: string) => AsyncGenerator<Uint8Array>;
  expect((await ask("GET /workspaces/current/suppressions/export").next()).value).toHaveLength(2);
});

test("a time that a caller without types gives as a Date filters a list, as it does in a body", async () => {
  let asked = "";
  const spy: typeof globalThis.fetch = async (url) => {
    asked = String(url);
    return await fetch();
  };
  const { request } = createClient(url, { fetch: spy });
  await (request as (...given: unknown[]) => unknown)("GET /emails", { from_date: new Date(0) });
  expect(asked).toBe("http://mail.example/api/v1/emails?from_date=1970-01-01T00%3A00%3A00.000Z");
  // The server refuses it.
  await (request as (...given: unknown[]) => unknown)("GET /emails", { from_date: new Date("soon") });
  expect(asked).toBe("http://mail.example/api/v1/emails?from_date=Invalid+Date");
});

test.each([
  [[undefined], "url must be a string, not undefined"],
  [[url, null], "options must be an object, not null"],
  [[url, { fetch: {} }], "options.fetch must be a function, not object"],
  [[url, { retries: Number.NaN }], "options.retries must be a number, not NaN"],
])("a client of %j is refused: %s", (given, message) => {
  expect(() => (createClient as (...given: unknown[]) => unknown)(...given)).toThrow(new TypeError(message));
});

test.each([
  "127.0.0.1:8080",
  "localhost:8080",
  "mail.example.com",
  "smtp://mail.example",
  "https://",
  "http://a b",
  "https://mail.example.com/?tenant=1",
  "/mail#top",
])("refuses %j as the URL of a server", (given) => {
  expect(() => createClient(given)).toThrow(
    `url must be a server's, such as https://mail.example.com, not ${JSON.stringify(given)}`,
  );
});

test("refuses a URL with a password, and does not tell it", () => {
  createClient("https://mail.example.com/@mail");
  expect(() => createClient("https://ann:secret@mail.example.com")).toThrow(
    new TypeError(`url must be a server's, such as https://mail.example.com, not "***@mail.example.com"`),
  );
});

test.each(["", "/", "/mail"])(
  "the path %j of a page is refused by name where there is no page",
  async (given) => {
    const { send } = createClient(given);
    await expect(send({ to: ["ada@example.com"], subject: "Hi", text: "Hi" })).rejects.toThrow(
      new TypeError(`url must be a server's, such as https://mail.example.com, not ${JSON.stringify(given)}`),
    );
    const asked: string[] = [];
    const fetch: typeof globalThis.fetch = async (url) => {
      asked.push(String(url));
      return new Response(null, { status: 204 });
    };
    await createClient(given, { fetch }).request("GET /users/me");
    expect(asked).toEqual([`${given.replace(/\/$/, "")}/api/v1/users/me`]);
  },
);

test("a character that a header field can't have is a mistake of the caller, and no unreachable server", async () => {
  const fetch = async () => new Response(null, { status: 204 });
  const client = createClient("http://mail.example", { apiKey: "sk_a\n", fetch });
  const mail = { to: ["ada@example.com"], subject: "Hi", text: "Hi" };
  await expect(client.send(mail, { idempotencyKey: "ä 1" })).resolves.toBeUndefined();
  await expect(client.send(mail, { idempotencyKey: "ł 1" })).rejects.toThrow(
    new TypeError('idempotency-key can\'t have "ł"'),
  );
  const file = { filename: "a.txt", content: new Uint8Array(), content_type: "text/plain\n;" };
  await expect(client.request("POST /attachments", file)).rejects.toThrow("content-type");
});
