import { expect, test } from "vitest";
import { createHostLogin } from "./host-login.ts";

const service = { config: { baseUrl: "https://mail.example" } } as Parameters<typeof createHostLogin>[0];
const hostLogin = createHostLogin<[]>(service, { authenticate: () => ({ externalId: "crm-1" }) });

test.each<[Record<string, string>, boolean]>([
  [{ ":authority": "app.example", origin: "https://app.example" }, true],
  [{ ":authority": "app.example", origin: "https://evil.example" }, false],
  [{ ":authority": "app.example", origin: "null" }, false],
  [{ origin: "null" }, false],
])(
  "a change that says %j, without a Host field as by HTTP/2, is from here: %s",
  async (headers, isFromHere) => {
    const asked = hostLogin({ method: "PUT", headers }, [])?.();
    if (isFromHere) await expect(asked).resolves.toEqual({ externalId: "crm-1" });
    else await expect(asked).rejects.toMatchObject({ code: "forbidden" });
  },
);
