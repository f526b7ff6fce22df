import { createServer, type Server } from "node:http";
import { createPosthorn, type Mailer, type Posthorn } from "@posthorn/core";
import { errorResponse, toNodeHandler } from "@posthorn/http";
import { createSmtpMailer } from "@posthorn/mailer-smtp";
import { createSqliteStorage } from "@posthorn/storage-sqlite";

/** A service for one tenant: the application itself. */
export type ShopMail = Posthorn<never, "workspace">;

/** Opens the shop's mail on its own file; creates the only workspace if it is missing. */
export async function openMail(options: {
  filename: string;
  mailer: Mailer;
  secretKey: string;
}): Promise<{ mail: ShopMail; close(): Promise<void> }> {
  const { filename, mailer, secretKey } = options;
  const storage = await createSqliteStorage({ filename });
  const mail = createPosthorn({
    storage,
    mailer,
    secretKey,
    baseUrl: "http://127.0.0.1:3000/mail",
    defaultSender: "Shop <hello@shop.example>",
    workspace: { name: "Shop" },
  });
  await mail.migrate();
  return {
    mail,
    async close() {
      await mail.close();
      await storage.close();
    },
  };
}

/** The shop's server: orders, and the mail API under `/mail`. No request needs a workspace id. */
export function createShop(mail: ShopMail): Server {
  const handler = toNodeHandler(mail, { prefix: "/mail" });
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/mail/")) {
      handler(request, response);
      return;
    }
    // Not the constructor, which throws for a path such as `//`.
    const url = URL.parse(request.url ?? "", "http://shop");
    if (request.method !== "POST" || url?.pathname !== "/orders") {
      response.writeHead(404).end();
      return;
    }
    const to = [url.searchParams.get("to") ?? ""];
    mail.emails.send({ to, subject: "Your order", text: "It is on its way." }).then(
      ({ id }) => response.writeHead(202).end(id),
      (error) => {
        // Says what is wrong with the address; of any other error the client learns nothing.
        const answer = errorResponse(error);
        response.writeHead(answer?.status ?? 500, answer?.headers).end(JSON.stringify(answer?.body));
      },
    );
  });
  server.once("close", handler.close);
  return server;
}

if (import.meta.main) {
  const mailer = createSmtpMailer({ url: process.env["SMTP_URL"] ?? "smtp://127.0.0.1:1025" });
  const { mail } = await openMail({
    filename: "shop.db",
    mailer,
    secretKey: process.env["SECRET_KEY"] ?? "",
  });
  mail.start();
  createShop(mail).listen(3000, "127.0.0.1", () => console.log("Listening on http://127.0.0.1:3000"));
}
