import { expect, test } from "vitest";
import { routes } from "../../contract/routes/index.ts";
import { createOpenApi } from "../../open-api/open-api.ts";
import { createCors } from "./create-cors.ts";

test("a page of a listed origin may send every header field that the document names", () => {
  const origin = "https://app.example";
  const headers: Record<string, string> = { allow: "GET, OPTIONS" };
  const request = { method: "OPTIONS", headers: { origin } };
  createCors([origin])(request as never, { status: 204, headers, body: "" });
  const operations = Object.values(createOpenApi(routes).paths).flatMap((path) => Object.values(path));
  const named = operations.flatMap(({ parameters = [] }) =>
    parameters.flatMap((parameter) => (parameter.in === "header" ? [parameter.name] : [])),
  );
  expect(new Set(named)).toEqual(new Set(["Idempotency-Key"]));
  expect(headers["access-control-allow-headers"]?.split(", ")).toEqual(
    expect.arrayContaining([
      ...named,
      "Authorization",
      "Last-Event-ID",
      "Content-Type",
      "X-Service-Workspace-Id",
    ]),
  );
});

test("a listed origin is answered by name, what is asked before a call with its methods, and caches keep origins apart", () => {
  const origin = "https://app.example";
  const cors = createCors([origin]);
  const answer = (method: string, from: string | undefined, headers: Record<string, string> = {}) => {
    cors({ method, headers: { origin: from } } as never, { status: 200, headers, body: "" });
    return headers;
  };
  const read = {
    vary: "Origin",
    "access-control-allow-origin": origin,
    "access-control-expose-headers": expect.stringContaining("Retry-After"),
  };
  expect(answer("GET", origin)).toEqual(read);
  expect(answer("OPTIONS", origin, { allow: "GET, POST" })).toEqual({
    ...read,
    allow: "GET, POST",
    "access-control-allow-methods": "GET, POST",
    "access-control-allow-headers": expect.any(String),
    "access-control-max-age": "600",
  });
  for (const other of [undefined, "https://app.example.evil", "null"])
    expect(answer("OPTIONS", other, { vary: "Accept" })).toEqual({ vary: "Accept, Origin" });
});
