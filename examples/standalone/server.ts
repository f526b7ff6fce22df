import { createPosthorn, type Posthorn } from "@posthorn/core";
import { createPosthornServer } from "@posthorn/http";
import { createSmtpMailer } from "@posthorn/mailer-smtp";
import { createSqliteStorage } from "@posthorn/storage-sqlite";

export interface Settings {
  /** Path of the SQLite file, which is created if missing. */
  filename: string;
  /** URL of the mail server: `smtp://user:password@mail.example.com:587`. */
  smtpUrl: string;
  /** At least 32 characters; keep it as long as the file. */
  secretKey: string;
  /** Port to listen on, also of links in e-mails; 0 uses a free one, for tests that follow no link. */
  port: number;
}

/** Runs Posthorn as a server of its own: the API and the delivery in one process, on one SQLite file. */
export async function startServer({
  filename,
  smtpUrl,
  secretKey,
  port,
}: Settings): Promise<{ url: string; posthorn: Posthorn; stop(): Promise<void> }> {
  const storage = await createSqliteStorage({ filename });
  const mailer = createSmtpMailer({ url: smtpUrl });
  const posthorn = createPosthorn({
    storage,
    mailer,
    secretKey,
    baseUrl: `http://127.0.0.1:${port}`,
    defaultSender: "Shop <hello@shop.example>",
  });
  await posthorn.migrate();

  const server = createPosthornServer(posthorn);
  const { url } = await server.listen(port);
  posthorn.start();

  return {
    url,
    posthorn,
    async stop() {
      // First the server and the worker stop; then the storage and the mailer close.
      await Promise.all([server.stop(), posthorn.close()]);
      await mailer.close();
      await storage.close();
    },
  };
}

if (import.meta.main) {
  const { url, stop } = await startServer({
    filename: process.env["DATABASE_FILE"] ?? "shop.db",
    smtpUrl: process.env["SMTP_URL"] ?? "smtp://127.0.0.1:1025",
    secretKey: process.env["SECRET_KEY"] ?? "",
    port: Number(process.env["PORT"] ?? 8080),
  });
  console.log(`Listening on ${url}`);
  // The library handles no signals: the host decides when to stop.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
}
