// A host that embeds the service, copied beside the packed packages. `embedded-host.mjs DATABASE_URL SECRET_KEY SMTP_PORT`
import { createPosthorn } from "@posthorn/core";
import { createSmtpMailer } from "@posthorn/mailer-smtp";

const [url = "", secretKey = "", port] = process.argv.slice(2);
const storage = url.startsWith("sqlite:")
  ? await (await import("@posthorn/storage-sqlite")).createSqliteStorage({ filename: url.slice(7) })
  : await (await import("@posthorn/storage-postgres")).createPostgresStorage({ connectionString: url });
const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}` });
createPosthorn({ storage, mailer, secretKey }).start();
