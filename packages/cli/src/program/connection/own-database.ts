import { CliError } from "../errors/cli-error.ts";

/**
 * Throws a usage error if a profile is selected, whether it exists or not. `why` is a sentence on what a server does
 * instead.
 */
export function assertOwnDatabase(profile: string | undefined, why?: string): void {
  if (profile === undefined) return;
  const reach = `This works on the database itself, which the profile "${profile}" does not reach.`;
  throw new CliError(
    "usage",
    why === undefined ? reach : `${reach} ${why}`,
    "Run it where the database is, without --profile and SERVICE_PROFILE.",
  );
}
