import { expect, test } from "vitest";
import { createCaptureMailer } from "./create-capture-mailer.ts";
import { createSmtpMailer } from "./create-smtp-mailer.ts";

const url = "smtp://127.0.0.1:1";

test.each<[unknown, RegExp]>([
  [{ url, conections: 5 }, /^there is no option conections; the options are url, connections, /],
  [{ url, timeouts: { dots: 1 } }, /^there is no option timeouts\.dots; the options are timeouts\.connect, /],
  [{ url, serverTimeouts: { idle: 1 } }, /^there is no option serverTimeouts\.idle; /],
  [{ url, tls: { rejectUnauthorized: false } }, /^there is no option tls\.rejectUnauthorized; /],
])("createSmtpMailer refuses the unknown option of %j by name", (options, message) => {
  expect(() => createSmtpMailer(options as { url: string })).toThrow(message);
});

test("createCaptureMailer refuses an unknown option by name", () => {
  expect(() => createCaptureMailer({ folder: "mails" } as object)).toThrow(
    /^there is no option folder; the options are directory, limit, /,
  );
});
