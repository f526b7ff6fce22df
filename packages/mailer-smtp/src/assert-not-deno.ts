/** Throws on Deno: in its 2.9, connections to mail servers stand still without an error, and e-mails stay unsent. */
export function assertNotDeno({ deno }: Readonly<Record<string, string | undefined>>): void {
  if (deno === undefined) return;
  throw new Error(
    `Posthorn's SMTP mailer does not run on Deno (${deno}), where connections to mail servers stand still. Use Node 22.19 or newer.`,
  );
}
