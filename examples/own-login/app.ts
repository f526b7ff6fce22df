import { randomUUID } from "node:crypto";
import { createPosthorn, type Posthorn } from "@posthorn/core";
import { toNodeHandler } from "@posthorn/http";
import { createSmtpMailer } from "@posthorn/mailer-smtp";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import express, { type Express, type Request } from "express";

/** A person's account in the application, with their company. */
export interface Account {
  id: string;
  name: string;
  email: string;
  company: { id: string; name: string };
  /** The person's role in the company's mail. */
  role: "admin" | "editor" | "viewer";
}

/**
 * An application with its own logins, in a cookie. A person who is logged in uses the mail API under `/mail` as
 * themselves.
 */
export function createApp(posthorn: Posthorn, accounts: ReadonlyMap<string, Account>): Express {
  const app = express();
  const sessions = new Map<string, Account>();
  const accountOf = (request: Request): Account | undefined =>
    sessions.get(/\bsession=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1] ?? "");

  app.post("/login/:id", async (request, response) => {
    // In your application: your password form, or single sign-on.
    const account = accounts.get(request.params.id);
    if (account === undefined) {
      response.sendStatus(401);
      return;
    }
    // The company's workspace exists from the first login on, under the company's own id.
    await posthorn.workspaces.ensure({ externalId: account.company.id, name: account.company.name });
    const session = randomUUID();
    sessions.set(session, account);
    // Behind TLS, also `secure: true`.
    response.cookie("session", session, { httpOnly: true, sameSite: "lax" }).sendStatus(204);
  });

  const mail = toNodeHandler(posthorn, {
    // No password, no token of Posthorn, and no list of members to synchronise: the application's answer decides.
    authenticate(request: Request) {
      const account = accountOf(request);
      if (account === undefined) return undefined;
      const { id, name, email, company, role } = account;
      return { externalId: id, profile: { name, email }, workspace: { externalId: company.id }, role };
    },
  });
  app.use("/mail", mail);
  return app;
}

if (import.meta.main) {
  const storage = await createSqliteStorage({ filename: "app.db" });
  const posthorn = createPosthorn({
    storage,
    mailer: createSmtpMailer({ url: process.env["SMTP_URL"] ?? "smtp://127.0.0.1:1025" }),
    secretKey: process.env["SECRET_KEY"] ?? "",
    baseUrl: "http://127.0.0.1:3000/mail",
    defaultSender: "App <hello@app.example>",
  });
  await posthorn.migrate();
  posthorn.start();
  const ada: Account = {
    id: "ada",
    name: "Ada",
    email: "ada@acme.example",
    company: { id: "acme", name: "Acme" },
    role: "editor",
  };
  createApp(posthorn, new Map([[ada.id, ada]])).listen(3000, "127.0.0.1", (error) => {
    if (error !== undefined) throw error;
    console.log("Listening on http://127.0.0.1:3000");
    console.log("Log Ada in with POST /login/ada, whose cookie is the login of /mail");
  });
}
