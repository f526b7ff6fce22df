import { createPosthorn, type Mailer, type Posthorn } from "@posthorn/core";
import { errorResponse, toNodeHandler } from "@posthorn/http";
import { createSmtpMailer } from "@posthorn/mailer-smtp";
import { createPostgresStorage } from "@posthorn/storage-postgres";
import express, { type ErrorRequestHandler, type Express } from "express";

/** An application that greets people who sign up, and serves the whole mail API under `/mail`. */
export function createApp(posthorn: Posthorn, workspaceId: number): Express {
  const app = express();
  // Before the body parser, which would apply its own limits to bodies. Express strips the prefix, so the handler need
  // not know it.
  app.use("/mail", toNodeHandler(posthorn));
  app.use(express.json());

  app.post("/signups", async (request, response) => {
    // Without a body there is none to read; the send refuses what lacks an address.
    const { name, address } = (request.body ?? {}) as { name: string; address: string };
    // Resolves once the e-mail is on disk. The worker delivers it, now or when the mail server is back.
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
    response.status(202).json({ email_id: id });
  });
  app.use(refuse);
  return app;
}

/** Answers a refusal, such as of a mistyped address, as the API does. */
const refuse: ErrorRequestHandler = (error, _request, response, next) => {
  const answer = errorResponse(error);
  if (answer === undefined) next(error);
  else response.status(answer.status).set(answer.headers).json(answer.body);
};

/** Opens Posthorn in the application's own database, in a schema beside the application's tables. */
export async function openPosthorn(options: {
  connectionString: string;
  mailer: Mailer;
  secretKey: string;
  /** Default `posthorn`. */
  schema?: string;
}): Promise<{ posthorn: Posthorn; close(): Promise<void> }> {
  const { connectionString, mailer, secretKey, schema = "posthorn" } = options;
  const storage = await createPostgresStorage({ connectionString, schema });
  const posthorn = createPosthorn({
    storage,
    mailer,
    secretKey,
    // Links in e-mails lead here; the pages are under the same prefix as the API.
    baseUrl: "https://shop.example/mail",
    defaultSender: "Shop <hello@shop.example>",
  });
  // Safe from many processes at once: one migrates, the others wait.
  await posthorn.migrate();
  return {
    posthorn,
    async close() {
      await posthorn.close();
      await storage.close();
    },
  };
}

if (import.meta.main) {
  const workspaceId = Number(process.env["WORKSPACE_ID"]);
  if (!(workspaceId > 0)) throw new Error("WORKSPACE_ID is not set to a workspace's number");
  const mailer = createSmtpMailer({ url: process.env["SMTP_URL"] ?? "smtp://127.0.0.1:1025" });
  const { posthorn } = await openPosthorn({
    connectionString: process.env["DATABASE_URL"] ?? "postgres://127.0.0.1/shop",
    mailer,
    secretKey: process.env["SECRET_KEY"] ?? "",
  });
  posthorn.start();
  createApp(posthorn, workspaceId).listen(3000, "127.0.0.1", (error) => {
    if (error !== undefined) throw error;
    console.log("Listening on http://127.0.0.1:3000");
  });
}
