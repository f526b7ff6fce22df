import { createPosthorn, type Posthorn } from "@posthorn/core";
import { toNodeHandler } from "@posthorn/http";
import { createSmtpMailer } from "@posthorn/mailer-smtp";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import Koa from "koa";

/** A Koa application with the mail API under `/mail`. */
export function createApp(posthorn: Posthorn): Koa {
  const app = new Koa();
  const handler = toNodeHandler(posthorn, { prefix: "/mail" });
  app.use(async (context, next) => {
    if (!context.path.startsWith("/mail/")) return next();
    // The handler writes to the raw response; Koa does not touch it from here on.
    context.respond = false;
    handler(context.req, context.res);
  });
  app.use((context) => {
    context.body = "The shop's own page";
  });
  return app;
}

if (import.meta.main) {
  const storage = await createSqliteStorage({ filename: "shop.db" });
  const mailer = createSmtpMailer({ url: process.env["SMTP_URL"] ?? "smtp://127.0.0.1:1025" });
  const posthorn = createPosthorn({
    storage,
    mailer,
    secretKey: process.env["SECRET_KEY"] ?? "",
    baseUrl: "http://127.0.0.1:3000/mail",
    defaultSender: "Shop <hello@shop.example>",
  });
  await posthorn.migrate();
  posthorn.start();
  createApp(posthorn).listen(3000, "127.0.0.1", () => console.log("Listening on http://127.0.0.1:3000"));
}
