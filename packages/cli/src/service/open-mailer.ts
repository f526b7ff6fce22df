import type { Mailer } from "@posthorn/core";
import type { CaptureMailer } from "@posthorn/mailer-smtp";
import { CliError } from "../program/errors/cli-error.ts";
import type { SettingValues } from "../program/settings/settings.ts";
import { defined } from "../program/verbs/defined.ts";
import { captureUrl } from "./capture-url.ts";
import { sqliteFile } from "./database/open-storage.ts";
import { readDkimKeys } from "./secrets/read-dkim-keys.ts";

/** `"deliver"` sends mail, `"show"` shows captured mail, and `"try"` checks whether delivery could be set up. */
export type MailUse = "deliver" | "show" | "try";

type MailSettings = Pick<
  SettingValues,
  "smtp_url" | "database_url" | "dkim_domain" | "dkim_keys" | "webhook_allow_private"
>;

/** Opens the mailer of a command. Without a mail server it is an error to deliver, unless capturing is configured. */
export async function openMailer(
  values: MailSettings,
  use: MailUse | undefined,
): Promise<{ mailer: Mailer; inbox: CaptureMailer | undefined }> {
  const { smtp_url: url } = values;
  const servers = { allowPrivateServers: values.webhook_allow_private };
  if (use === undefined || (use === "show" && url !== captureUrl))
    return { mailer: createIdleMailer(values), inbox: undefined };
  if (url === undefined) throw noMailServer();
  const dkim = await readDkimKeys(values);
  if (url === captureUrl && use === "try") return { mailer: createIdleMailer(values), inbox: undefined };
  const { createCaptureMailer, createSmtpMailer } = await import("@posthorn/mailer-smtp");
  if (url === captureUrl) {
    const inbox = createCaptureMailer({
      dkim,
      ...servers,
      ...defined({ directory: inboxDirectory(values.database_url) }),
    });
    return { mailer: inbox, inbox };
  }
  try {
    return { mailer: createSmtpMailer({ url, dkim, ...servers }), inbox: undefined };
  } catch (error) {
    throw new CliError(
      "usage",
      `SERVICE_SMTP_URL: ${(error as Error).message}.`,
      "An example: SERVICE_SMTP_URL=smtp://mail.example.com:587",
    );
  }
}

function noMailServer(): CliError {
  return new CliError(
    "usage",
    "There is no mail server: SERVICE_SMTP_URL is not set, and nothing could be delivered.",
    "Set it, such as SERVICE_SMTP_URL=smtp://user:password@mail.example.com:587. To keep mail instead of sending it: SERVICE_SMTP_URL=capture:, or posthorn dev",
  );
}

/** Mailer of a command that delivers nothing. */
function createIdleMailer({ webhook_allow_private: allowPrivateServers }: MailSettings): Mailer {
  const refuse = (): Promise<never> => Promise.reject(new Error("this command delivers nothing"));
  return {
    concurrency: 1,
    send: refuse,
    verify: refuse,
    async probe(server, given) {
      const { createServerProbe } = await import("@posthorn/mailer-smtp/internal");
      return createServerProbe({ allowPrivateServers })(server, given);
    },
    close: async () => {},
  };
}

/** Folder of captured mail, so that every process and the next start see it; `undefined` for a database in memory. */
function inboxDirectory(databaseUrl: string): string | undefined {
  const filename = sqliteFile(databaseUrl);
  if (filename === ":memory:") return undefined;
  return filename === undefined ? "posthorn.inbox" : `${filename.replace(/\.(db|sqlite3?)$/, "")}.inbox`;
}
