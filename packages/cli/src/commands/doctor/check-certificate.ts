import { X509Certificate } from "node:crypto";
import { CliError } from "../../program/errors/cli-error.ts";
import type { SettingValues } from "../../program/settings/settings.ts";
import { readCertificate } from "../../service/read-certificate.ts";
import { broken, type Finding, ok, warning } from "./finding.ts";

const name = "certificate";
const dayMs = 86_400_000;
/** Days before its end from which a certificate should have been renewed: by then others have been for a fortnight. */
const lateDays = 14;

/** Looks at the end of the inbound port's certificate; returns nothing if none is set. `now` is in ms since the epoch. */
export function checkCertificate(
  { inbound_certificate: files }: Pick<SettingValues, "inbound_certificate">,
  now = Date.now(),
): Finding[] {
  if (files === undefined) return [];
  try {
    const { validToDate: end, subject } = new X509Certificate(readCertificate(files));
    const until = end.toISOString().slice(0, 10);
    const advice =
      "Renew it, in the files of SERVICE_INBOUND_CERTIFICATE: the service reads them once an hour.";
    const whose = `the inbound port's, of ${subject.replaceAll("\n", ", ")},`;
    if (end.getTime() <= now) return [broken(name, `${whose} expired on ${until}`, advice)];
    const found = `${whose} expires on ${until}`;
    return [end.getTime() - now < lateDays * dayMs ? warning(name, found, advice) : ok(name, found)];
  } catch (error) {
    const hint = error instanceof CliError ? error.hint : undefined;
    return [broken(name, (error as Error).message, hint ?? "Correct SERVICE_INBOUND_CERTIFICATE.")];
  }
}
