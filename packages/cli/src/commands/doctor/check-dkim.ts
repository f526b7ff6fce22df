import { resolveTxt } from "node:dns/promises";
import type { SettingValues } from "../../program/settings/settings.ts";
import { readDkimKeys } from "../../service/secrets/read-dkim-keys.ts";
import { broken, type Finding, ok, warning } from "./finding.ts";

type LookUp = (name: string) => Promise<string[][]>;

/** Compares each DKIM key with its published record; returns nothing if no key is set. */
export async function checkDkim(values: SettingValues, lookUp: LookUp = resolveTxt): Promise<Finding[]> {
  let keys: Awaited<ReturnType<typeof readDkimKeys>>;
  try {
    keys = await readDkimKeys(values);
  } catch (error) {
    return [broken("DKIM", (error as Error).message, "Correct the setting, or unset both to send unsigned.")];
  }
  return await Promise.all(
    keys.map(async ({ domain, selector, record }) => {
      const name = `${selector}._domainkey.${domain}`;
      const advice = `Publish this TXT record at ${name}: ${record}`;
      try {
        const published = (await lookUp(name)).map((strings) => strings.join(""));
        if (published.some((one) => publicKeyOf(one) === publicKeyOf(record)))
          return ok("DKIM", `${name} is published`);
        return broken("DKIM", `${name} holds another key: receivers reject signed e-mails`, advice);
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === "ENOTFOUND" || code === "ENODATA")
          return broken("DKIM", `${name} is not published`, advice);
        return warning("DKIM", `${name} can't be looked up: ${message}`, advice);
      }
    }),
  );
}

function publicKeyOf(record: string): string | undefined {
  return /(?:^|;)\s*p\s*=([^;]*)/.exec(record)?.[1]?.replace(/\s+/g, "");
}
