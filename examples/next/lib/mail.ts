import { createPosthorn, type Posthorn } from "@posthorn/core";
import { toWebHandler, type WebHandler } from "@posthorn/http";
import { createSmtpMailer } from "@posthorn/mailer-smtp";
import { createSqliteStorage } from "@posthorn/storage-sqlite";

interface Mail {
  posthorn: Posthorn;
  handler: WebHandler;
}

async function open(): Promise<Mail> {
  const storage = await createSqliteStorage({ filename: process.env["DATABASE_FILE"] ?? "shop.db" });
  const posthorn = createPosthorn({
    storage,
    mailer: createSmtpMailer({ url: process.env["SMTP_URL"] ?? "smtp://127.0.0.1:1025" }),
    secretKey: process.env["SECRET_KEY"] ?? "",
    baseUrl: "http://127.0.0.1:3000/mail",
    defaultSender: "Shop <hello@shop.example>",
  });
  await posthorn.migrate();
  const handler = toWebHandler(posthorn, {
    prefix: "/mail",
    // A Next route is not told the client's address. The last entry is the proxy's; the client may write those before it.
    clientAddress: (request) => request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim(),
  });
  posthorn.start();
  process.once("SIGTERM", () => {
    // Next waits for open requests, and event streams end only here.
    handler.close();
    void posthorn.close();
  });
  return { posthorn, handler };
}

// In development Next imports this module again after changes, and each bundle has a copy of it: all share one service.
const shared = globalThis as typeof globalThis & { mail?: Promise<Mail> };

/** Returns the one service of this process, which the first call opens. */
export function openMail(): Promise<Mail> {
  shared.mail ??= open();
  return shared.mail;
}
