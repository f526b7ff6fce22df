import { type HttpBindings, serve } from "@hono/node-server";
import { createPosthorn, type Posthorn } from "@posthorn/core";
import { errorResponse, toWebHandler } from "@posthorn/http";
import { createSmtpMailer } from "@posthorn/mailer-smtp";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { type Context, Hono } from "hono";

type Bindings = { Bindings: Partial<HttpBindings> };

/** A Hono application with the mail API under `/mail`, and a route of its own that sends. */
export function createApp(posthorn: Posthorn, workspaceId: number): Hono<Bindings> {
  const app = new Hono<Bindings>();

  const handler = toWebHandler(posthorn, {
    prefix: "/mail",
    // Behind a proxy: the last entry of X-Forwarded-For, which the proxy wrote.
    clientAddress: (_, { env }: Context<Bindings>) => env.incoming?.socket.remoteAddress,
  });
  app.all("/mail/*", (context) => handler(context.req.raw, context));

  app.post("/signups", async (context) => {
    // Hono throws at a body that is no JSON: without an address, it is refused below.
    const signup = await context.req.json<{ name: string; address: string }>().catch(() => undefined);
    const { name = "", address = "" } = signup ?? {};
    const { id } = await posthorn.emails.sendTemplate(
      {
        template: "welcome",
        to: [address],
        templateData: { name },
        // One welcome for an address: otherwise strangers could fill a mailbox from here. How many sign-ups a client may
        // make is for the application to limit.
        dedupeKey: `welcome ${String(address).toLowerCase()}`,
      },
      { workspaceId },
    );
    return context.json({ email_id: id }, 202);
  });
  // A refusal, such as of a mistyped address, is answered as the API does.
  app.onError((error, context) => {
    const answer = errorResponse(error);
    if (answer !== undefined)
      return Response.json(answer.body, { status: answer.status, headers: answer.headers });
    console.error(error);
    return context.text("Internal Server Error", 500);
  });
  return app;
}

if (import.meta.main) {
  const workspaceId = Number(process.env["WORKSPACE_ID"]);
  if (!(workspaceId > 0)) throw new Error("WORKSPACE_ID is not set to a workspace's number");
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
  const { fetch } = createApp(posthorn, workspaceId);
  serve({ fetch, port: 3000, hostname: "127.0.0.1" }, () =>
    console.log("Listening on http://127.0.0.1:3000"),
  );
}
