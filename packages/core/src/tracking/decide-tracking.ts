import type { EmailTracking, Settings } from "../ports/storage.ts";

interface Requested {
  fields: {
    tracking?: { opens?: boolean | undefined; clicks?: boolean | undefined } | undefined;
    sensitive: boolean;
  };
  isTest: boolean;
  workspace: { settings: Pick<Settings, "trackOpens" | "trackClicks" | "trackingTrap"> };
}

/**
 * Decides at an e-mail's acceptance what of it is tracked: what the caller asks for, else the workspace's settings.
 * `undefined` if nothing is; a sensitive e-mail and a test never are (platform.md P11).
 */
export function decideTracking({
  fields: { tracking, sensitive },
  isTest,
  workspace: { settings },
}: Requested): EmailTracking | undefined {
  if (sensitive || isTest) return undefined;
  const opens = tracking?.opens ?? settings.trackOpens;
  const clicks = tracking?.clicks ?? settings.trackClicks;
  return opens || clicks ? { opens, clicks, trap: clicks && settings.trackingTrap } : undefined;
}
