import { expect, test } from "vitest";
import { ApiError } from "./api-error.ts";
import { createClient } from "./client.ts";

interface Call {
  url: string;
  key: string | null;
}

/** Returns a fetch with scripted responses; an error stands for a network failure. */
function scripted(...answers: (Response | Error)[]): { fetch: typeof fetch; calls: Call[] } {
  const calls: Call[] = [];
  return {
    calls,
    fetch: async (url, init) => {
      calls.push({ url: String(url), key: new Headers(init?.headers).get("idempotency-key") });
      const answer = answers[calls.length - 1];
      if (answer === undefined)
        throw new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") });
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
const soon = { "retry-after": "0" };
const mail = { subject: "Hi", text: "Hi", to: ["ada@example.com"] };
const url = "http://mail.example";

test("retries a send that failed on the way under the same key, and each call has its own key", async () => {
  const accepted = () => json(202, { success: true, data: { id: "a" } });
  const { fetch, calls } = scripted(json(503, {}, soon), accepted(), accepted());
  const client = createClient(url, { fetch, apiKey: "sk_a" });
  expect(await client.send(mail)).toEqual({ id: "a" });
  await client.send(mail);
  const [first, again, other] = calls.map(({ key }) => key);
  expect(first).toMatch(/^[\da-f-]{36}$/);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

test("tries calls that are not idempotent once, except after a refusal that comes before the work", async () => {
  const made = scripted(json(503, {}, soon));
  const create = createClient(url, { fetch: made.fetch }).request("POST /workspaces", { name: "Shop" });
  await expect(create).rejects.toMatchObject({ status: 503, code: "" });
  expect(made.calls).toHaveLength(1);
  const later = scripted(json(429, {}, soon), json(201, { success: true, data: { id: 1 } }));
  expect(
    await createClient(url, { fetch: later.fetch }).request("POST /workspaces", { name: "Shop" }),
  ).toEqual({ id: 1 });
});

test.each(["a text", new Uint8Array(3), new Blob(["a text"])])(
  "sends an upload again whose content is at hand: %s",
  async (content) => {
    const { fetch, calls } = scripted(json(429, {}, soon), json(201, { success: true, data: { id: "f" } }));
    // Without types, a text comes through, too.
    const file = { filename: "a.txt", content: content as Blob, content_type: "text/plain" };
    await createClient(url, { fetch, apiKey: "sk_a" }).request("POST /attachments", file);
    expect(calls).toHaveLength(2);
  },
);

test("reports a Retry-After of more than ten seconds instead of waiting for it", async () => {
  const { fetch, calls } = scripted(
    json(429, { error: { code: "rate_limited" } }, { "retry-after": "3600" }),
  );
  await expect(createClient(url, { fetch }).send(mail)).rejects.toMatchObject({
    code: "rate_limited",
    retryAfter: 3600,
  });
  expect(calls).toHaveLength(1);
});

test.each([
  ["a time", () => new Date(Date.now() + 900).toUTCString(), 2],
  ["a time that has passed", () => "Sun, 06 Nov 1994 08:49:37 GMT", 2],
  ["a time in an hour", () => new Date(Date.now() + 3_600_000).toUTCString(), 1],
  ["no time", () => "soon", 2],
])("obeys a proxy's Retry-After that is %s", async (_, after, tries) => {
  const { fetch, calls } = scripted(
    json(503, {}, { "retry-after": after() }),
    json(202, { success: true, data: { id: "a" } }),
  );
  await createClient(url, { fetch })
    .send(mail)
    .catch(({ retryAfter }) => expect(retryAfter).toBeGreaterThan(3_500));
  expect(calls).toHaveLength(tries);
});

test("an unreachable server is an ApiError with the reason", async () => {
  const error = await createClient(url, { fetch: scripted().fetch, retries: 0 })
    .send(mail)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({
    status: 0,
    code: "unreachable",
    message: "http://mail.example can't be reached: connect ECONNREFUSED.",
  });
});

test.each([
  [
    "405382D0207F0000:error:0A00010B:SSL routines:tls_validate_record_header:wrong version number:../deps/tlsany_meth.c:78:\n",
    "it does not answer in TLS; without TLS, its URL begins with http://",
  ],
  [
    "40:error:0A000410:SSL routines:ssl3_read_bytes:handshake failure:../a.c:1:\n",
    "TLS failed: handshake failure",
  ],
])("words OpenSSL's %s for people", async (message, reason) => {
  const fetch = async () => {
    throw new TypeError("fetch failed", { cause: new Error(message) });
  };
  await expect(createClient("https://mail.example", { fetch, retries: 0 }).send(mail)).rejects.toMatchObject({
    message: `https://mail.example can't be reached: ${reason}.`,
  });
});

test("a 404 of another program says what a client's URL is", async () => {
  const { fetch } = scripted(new Response("<h1>Not Found</h1>", { status: 404 }));
  await expect(createClient(`${url}/api/v1`, { fetch }).send(mail)).rejects.toMatchObject({
    code: "",
    message: "The server answered 404: a client's URL ends before /api/v1.",
  });
});

test("names the page's server where the URL is a path of it", async () => {
  const unreachable = createClient("/mail", { fetch: scripted().fetch, retries: 0 }).send(mail);
  await expect(unreachable).rejects.toThrow("The page's server can't be reached: connect ECONNREFUSED.");
});

test("retries a send whose answer breaks off, under the same key", async () => {
  const broken = (): Response => {
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new TypeError("terminated"));
      },
    });
    return new Response(body, { status: 202, headers: { "content-type": "application/json" } });
  };
  const { fetch, calls } = scripted(broken(), json(202, { success: true, data: { id: "a" } }));
  expect(await createClient(url, { fetch }).send(mail)).toEqual({ id: "a" });
  expect(new Set(calls.map(({ key }) => key)).size).toBe(1);
  const once = createClient(url, { fetch: scripted(broken()).fetch, retries: 0 }).send(mail);
  await expect(once).rejects.toMatchObject({ name: "ApiError", status: 0, code: "unreachable" });
});

test("an answer labelled as JSON that is not JSON is an ApiError, whatever its status", async () => {
  for (const [status, text] of [
    [200, "<html>"],
    [200, "null"],
    [500, "<html>"],
  ] as const) {
    const answer = new Response(text, { status, headers: { "content-type": "application/json" } });
    const asked = createClient(url, { fetch: scripted(answer).fetch }).request("POST /workspaces", {
      name: "Shop",
    });
    await expect(asked).rejects.toMatchObject({ name: "ApiError", status, code: "" });
  }
});

test("reports faulty fields, and an answer that is not the service's", async () => {
  const details = [{ path: "to.0", message: "is no address" }];
  const { fetch } = scripted(
    json(400, { error: { code: "validation_failed", message: "to.0: is no address", details } }),
    new Response("<html>", { status: 400 }),
  );
  const client = createClient(url, { fetch });
  await expect(client.send(mail)).rejects.toMatchObject({ fields: details });
  await expect(client.send(mail)).rejects.toMatchObject({
    code: "",
    message: "The answer 400 is not the service's: a proxy gave it, or another program.",
  });
});

test.each([
  ["a page", "text/html", "<html></html>"],
  ["another program's JSON", "application/json", "{}"],
  ["nothing", undefined, null],
])("takes %s for no success", async (_, type, body) => {
  const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
  const client = createClient(url, { fetch: async () => new Response(body, { status: 200, headers }) });
  const foreign = { name: "ApiError", status: 200, message: expect.stringContaining("is not the service's") };
  await expect(client.send(mail)).rejects.toMatchObject(foreign);
  await expect(client.list("GET /emails").next()).rejects.toMatchObject(foreign);
  const file = client.download("GET /workspaces/current/suppressions/export", {});
  await expect(file.next()).rejects.toMatchObject(foreign);
  await expect(client.follow({ wait: false }).next()).rejects.toMatchObject(foreign);
});

test.each([
  [{ apiKey: undefined }, "POST /emails/send", " This client has no apiKey."],
  [{ apiKey: "" }, "POST /emails/send", " This client has no apiKey."],
  [{ apiKey: "sk_wrong", token: "" }, "GET /users/me", " This client has no token."],
  [{ apiKey: "sk_wrong" }, "POST /emails/send", ""],
  [{ apiKey: "sk_wrong" }, "POST /workspaces/current/inbound", ""],
  [{ apiKey: "sk_a", token: "sk_wrong" }, "POST /workspaces/current/inbound", ""],
] as const)("says of %j, refused at %s, what the client lacks:%s", async (options, signature, lack) => {
  const sent: (string | null)[] = [];
  const client = createClient(url, {
    ...options,
    fetch: async (_, init) => {
      sent.push(new Headers(init?.headers).get("authorization"));
      return json(401, { error: { code: "unauthenticated", message: "Credentials are missing." } });
    },
  });
  await expect(client.request(signature, mail as never)).rejects.toMatchObject({
    code: "unauthenticated",
    message: `Credentials are missing.${lack}`,
  });
  expect(sent).toEqual([lack === "" ? "Bearer sk_wrong" : null]);
});

test("an abort ends the wait between attempts", async () => {
  const controller = new AbortController();
  const { fetch } = scripted(json(503, {}, { "retry-after": "9" }));
  const sent = createClient(url, { fetch }).send(mail, { signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(sent).rejects.toThrow("enough");
});

test("an object in a query becomes one parameter per entry", async () => {
  const { fetch, calls } = scripted(
    json(200, {
      success: true,
      data: [],
      pagination: { page: 0, size: 20, total: 0, total_pages: 0, after: null },
    }),
  );
  await createClient(url, { fetch }).request("GET /emails", {
    tag: "a&b",
    metadata: { "order=": "7", b: "c" },
  });
  expect(calls[0]?.url).toBe(
    "http://mail.example/api/v1/emails?tag=a%26b&metadata%5Border%3D%5D=7&metadata%5Bb%5D=c",
  );
});

test("a dry run sets the query parameter, and sends its fields in the body", async () => {
  let body = "";
  const { fetch, calls } = scripted(json(200, { success: true, data: { would_send: false } }));
  const spy: typeof fetch = (input, init) => {
    body = String(init?.body);
    return fetch(input, init);
  };
  const tried = await createClient(url, { fetch: spy }).dryRun("POST /emails/send", mail);
  expect(tried).toEqual({ would_send: false });
  expect(calls[0]?.url).toBe("http://mail.example/api/v1/emails/send?dry_run=true");
  expect(JSON.parse(body)).toEqual(mail);
});

test("reports that a dedupe key was already used and nothing new was sent", async () => {
  const repeat = json(200, { data: { id: "a" } }, { "posthorn-deduplicated": "true" });
  const { fetch } = scripted(json(202, { data: { id: "a" } }), repeat);
  const client = createClient(url, { fetch, apiKey: "sk_a" });
  const told: string[] = [];
  for (const attempt of ["first", "second"])
    expect(await client.send(mail, { onDeduplicated: () => told.push(attempt) })).toEqual({ id: "a" });
  expect(told).toEqual(["second"]);
});

test("reports that an answer was given before to the same idempotency key", async () => {
  const repeat = json(202, { data: { id: "a" } }, { "idempotent-replayed": "true" });
  const { fetch } = scripted(json(202, { data: { id: "a" } }), repeat);
  const client = createClient(url, { fetch, apiKey: "sk_a" });
  const told: string[] = [];
  for (const attempt of ["first", "second"])
    expect(await client.send(mail, { onReplayed: () => told.push(attempt) })).toEqual({ id: "a" });
  expect(told).toEqual(["second"]);
});

test("refuses an unknown option by name", () => {
  expect(() => createClient(url, { apikey: "sk_a" } as object)).toThrow(
    "there is no option apikey; the options are apiKey, token, workspaceId, retries, timeoutMs, fetch",
  );
  expect(() => createClient(url).with({ workspace: 1 } as object)).toThrow(/^there is no option workspace;/);
});

test.each([0, -1, Number.POSITIVE_INFINITY, 2 ** 31])(
  "refuses the timeout %d, which no timer can have",
  (timeoutMs) => {
    expect(() => createClient(url, { timeoutMs })).toThrow(
      new TypeError(`options.timeoutMs must be from 1 to 2147483647, not ${timeoutMs}`),
    );
  },
);
