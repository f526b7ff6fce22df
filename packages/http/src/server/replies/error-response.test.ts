import { fieldError, ServiceError, StorageUnavailable } from "@posthorn/core";
import { expect, test } from "vitest";
import { errorResponse } from "./error-response.ts";

test("a host's own route answers a refusal as the API does", () => {
  const refused = errorResponse(fieldError("to.0", "is not an e-mail address"));
  expect(refused).toMatchObject({
    status: 400,
    headers: { "content-type": "application/json; charset=utf-8" },
  });
  expect(refused?.body).toEqual({
    success: false,
    error: {
      code: "validation_failed",
      message: "to.0: is not an e-mail address",
      details: [{ path: "to.0", message: "is not an e-mail address" }],
    },
    request_id: refused?.headers["x-request-id"],
  });
  expect(refused?.body.request_id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7/);
  const limited = errorResponse(new ServiceError("rate_limited", { retryAfter: 12.2 }));
  expect(limited).toMatchObject({ status: 429, headers: { "retry-after": "13" } });
});

test("it says nothing of the driver's words, and leaves errors that are not the service's to the host", () => {
  const away = errorResponse(new StorageUnavailable("connect ECONNREFUSED 10.0.0.7:5432"));
  expect(away).toMatchObject({ status: 503, headers: { "retry-after": "1" } });
  expect(JSON.stringify(away)).not.toContain("10.0.0.7");
  for (const other of [new Error("a bug"), undefined, "rate_limited"])
    expect(errorResponse(other)).toBeUndefined();
});
