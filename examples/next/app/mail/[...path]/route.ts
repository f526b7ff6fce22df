import { openMail } from "../../../lib/mail.ts";

/** Answers the mail API under `/mail`. Next imports this module also while it builds, so it opens nothing on import. */
async function handle(request: Request): Promise<Response> {
  const { handler } = await openMail();
  return handler(request);
}

// Next answers OPTIONS itself where it is not exported, and would refuse the pages of `corsOrigins`.
export { handle as DELETE, handle as GET, handle as OPTIONS, handle as PATCH, handle as POST, handle as PUT };
