import { createPosthorn, type Posthorn } from "@posthorn/core";
import { errorResponse, toNodeHandler } from "@posthorn/http";
import { createSmtpMailer } from "@posthorn/mailer-smtp";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import createFastify, { type FastifyInstance } from "fastify";

/** A Fastify application with the mail API under `/mail`, and a route of its own that sends. */
export async function createApp(posthorn: Posthorn, workspaceId: number): Promise<FastifyInstance> {
  const app = createFastify();

  await app.register(
    async (mail) => {
      const handler = toNodeHandler(posthorn, { prefix: "/mail" });
      // The handler reads bodies itself; all other routes keep Fastify's own parsers.
      mail.removeAllContentTypeParsers();
      mail.addContentTypeParser("*", (_request, _payload, done) => done(null));
      mail.all("/*", (request, reply) => {
        // The response is written to the raw response object.
        reply.hijack();
        handler(request.raw, reply.raw);
      });
      // Ends the event streams, which would keep the server open.
      mail.addHook("preClose", async () => handler.close());
    },
    { prefix: "/mail" },
  );

  // Fastify itself refuses a request without a body.
  const schema = { body: { type: "object", required: ["name", "address"] } };
  app.post<{ Body: { name: string; address: string } }>("/signups", { schema }, async (request, reply) => {
    const { name, address } = request.body;
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
    return reply.status(202).send({ email_id: id });
  });

  // A refusal, such as of a mistyped address, is answered as the API does.
  app.setErrorHandler((error, _request, reply) => {
    const answer = errorResponse(error);
    if (answer === undefined) throw error;
    return reply.status(answer.status).headers(answer.headers).send(answer.body);
  });

  // Delivery starts and stops with the application.
  app.addHook("onReady", async () => posthorn.start());
  app.addHook("onClose", () => posthorn.stop());
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
  const app = await createApp(posthorn, workspaceId);
  console.log(`Listening on ${await app.listen({ port: 3000, host: "127.0.0.1" })}`);
}
