import { expect, test } from "vitest";
import { routes } from "../contract/routes/index.ts";
import { createOpenApi } from "../open-api/open-api.ts";
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
  expect(new Set(named)).toEqual(new Set(["Idempotency-Key", "Last-Event-ID"]));
  expect(headers["access-control-allow-headers"]?.split(", ")).toEqual(
    expect.arrayContaining([...named, "Authorization", "Content-Type", "X-Service-Workspace-Id"]),
  );
});
