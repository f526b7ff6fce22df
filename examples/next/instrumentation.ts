/** Next calls this when a server starts, and never while it builds. */
export async function register(): Promise<void> {
  if (process.env["NEXT_RUNTIME"] === "nodejs") await (await import("./lib/mail.ts")).openMail();
}
