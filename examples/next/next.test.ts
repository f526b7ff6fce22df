import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@posthorn/client";
import { expect, test, vi } from "vitest";
import { prepareWorkspace } from "../prepare-workspace.ts";
import { GET, OPTIONS, POST } from "./app/mail/[...path]/route.ts";
import { register } from "./instrumentation.ts";
import { openMail } from "./lib/mail.ts";

test("the server's start opens one service, which routes and reloaded modules share until SIGTERM", async () => {
  vi.stubEnv("DATABASE_FILE", join(mkdtempSync(join(tmpdir(), "posthorn-next-")), "shop.db"));
  vi.stubEnv("SECRET_KEY", "a secret key that only this test ever uses");
  const listeners = process.listeners("SIGTERM");
  const shared = globalThis as { mail?: unknown };
  await register();
  expect(shared.mail, "for the edge").toBeUndefined();
  vi.stubEnv("NEXT_RUNTIME", "nodejs");
  await register();
  expect(shared.mail).toBe(openMail());
  const copy = new URL("./lib/mail.ts?reloaded", import.meta.url).href;
  const reloaded: typeof import("./lib/mail.ts") = await import(copy);
  expect(reloaded.openMail).not.toBe(openMail);
  expect(reloaded.openMail()).toBe(openMail());

  const { posthorn } = await openMail();
  const { apiKey } = await prepareWorkspace(posthorn);
  const client = createClient("http://127.0.0.1:3000/mail", {
    apiKey,
    fetch: (url, init) => POST(new Request(url, init)),
  });
  const { status } = await client.request("POST /emails/send-template", {
    template: "welcome",
    to: ["grace@example.com"],
    template_data: { name: "Grace" },
  });
  expect(status).toBe("queued");
  await expectForwardedAddress();
  const preflight = await OPTIONS(
    new Request("http://127.0.0.1:3000/mail/api/v1/emails/send", { method: "OPTIONS" }),
  );
  expect([preflight.status, preflight.headers.get("allow")]).toEqual([204, "POST, OPTIONS"]);

  const [stop] = process.listeners("SIGTERM").filter((one) => !listeners.includes(one));
  stop?.("SIGTERM");
  expect((await GET(new Request("http://127.0.0.1:3000/mail/healthz"))).status).toBe(503);
  await posthorn.close();
});

/** The address that a session is shown with is the proxy's word, and not what the client wrote before it. */
async function expectForwardedAddress(): Promise<void> {
  const url = "http://127.0.0.1:3000/mail/api/v1";
  const login = await POST(
    new Request(`${url}/auth/login`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-forwarded-for": "192.0.2.66, 198.51.100.7",
        "x-real-ip": "192.0.2.66",
      },
      body: JSON.stringify({ email: "grace@shop.example", password: "compilers speak English" }),
    }),
  );
  const { data } = (await login.json()) as { data: { token: string } };
  const sessions = await GET(
    new Request(`${url}/users/me/sessions`, { headers: { authorization: `Bearer ${data.token}` } }),
  );
  expect(await sessions.json()).toMatchObject({ data: [{ ip_address: "198.51.100.7" }] });
}
