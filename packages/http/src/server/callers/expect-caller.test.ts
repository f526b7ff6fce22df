import type { ApiKeyCaller } from "@posthorn/core";
import { expect, test } from "vitest";
import type { Route } from "../../contract/route.ts";
import { routes } from "../../contract/routes/index.ts";
import { expectCaller } from "./expect-caller.ts";

const caller: ApiKeyCaller = {
  kind: "api_key",
  apiKeyId: "1",
  workspaceId: 1,
  name: "app",
  lastUsedAt: undefined,
};
const routeOf = (signature: string): Route => {
  const route = routes.find((one) => one.signature === signature);
  if (route === undefined) throw new Error(`there is no route ${signature}`);
  return route;
};

test.each([
  ["POST /emails/send", "65536", true],
  ["POST /emails/send", "65537", false],
  ["POST /emails/send", "x", false],
  ["POST /emails/send", undefined, false],
  ["GET /emails", "10", false],
])("for %s with a body of %s bytes, whether the key is expected: %s", (signature, length, isExpected) => {
  const unread = () => {
    throw new Error("the body was read");
  };
  const expected = expectCaller(
    { expectApiKey: () => caller },
    routeOf(signature),
    {
      method: "POST",
      target: "/",
      headers: { authorization: "Bearer sk_a", ...(length !== undefined && { "content-length": length }) },
      repeatedAuthorization: false,
      ip: "",
      readBody: unread,
      openBody: unread,
    },
    "id",
  );
  expect(expected?.caller).toBe(isExpected ? caller : undefined);
});
