import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { CliError } from "../../program/errors/cli-error.ts";
import type { SettingValues } from "../../program/settings/settings.ts";
import { readCertificate } from "../../service/inbound/read-certificate.ts";
import { broken, type Finding, ok, warning } from "./finding.ts";

const name = "certificate";
const dayMs = 86_400_000;
/** Days before its end from which a certificate should have been renewed: by then others have been for a fortnight. */
const lateDays = 14;

/**
 * Looks at the ends of the inbound port's certificate and of the one that is shown to the mail server; returns nothing
 * for one that is not set. `now` is in ms since the epoch.
 */
export function checkCertificates(
  settings: Pick<SettingValues, "inbound_certificate" | "smtp_url">,
  now = Date.now(),
): Finding[] {
  return [...checkInbound(settings, now), ...checkClient(settings, now)];
}

function checkInbound(
  { inbound_certificate: files }: Pick<SettingValues, "inbound_certificate">,
  now: number,
): Finding[] {
  if (files === undefined) return [];
  try {
    const advice =
      "Renew it, in the files of SERVICE_INBOUND_CERTIFICATE: the service reads them once an hour.";
    const { hasEnded, finding } = judgeEnd(readCertificate(files), {
      whose: "the inbound port's",
      advice,
      now,
    });
    return [hasEnded ? { ...finding, state: "broken" } : finding];
  } catch (error) {
    const hint = error instanceof CliError ? error.hint : undefined;
    return [broken(name, (error as Error).message, hint ?? "Correct SERVICE_INBOUND_CERTIFICATE.")];
  }
}

/** One that has ended is no more than a warning, as servers may go by its fingerprint: the mail server's own check tells. */
function checkClient({ smtp_url }: Pick<SettingValues, "smtp_url">, now: number): Finding[] {
  const url = smtp_url !== undefined && URL.canParse(smtp_url) ? new URL(smtp_url) : undefined;
  const file = url?.searchParams.get("cert_file");
  if (file === undefined || file === null) return [];
  const advice =
    "Renew it, in the files that cert_file and key_file of SERVICE_SMTP_URL name: they are read at every connection.";
  try {
    return [judgeEnd(readFileSync(file, "utf8"), { whose: "for the mail server", advice, now }).finding];
  } catch {
    // The mail server's check names it.
    return [];
  }
}

/** Judges the end of a certificate in PEM; of a chain, that of the first. */
function judgeEnd(
  pem: string,
  { whose, advice, now }: { whose: string; advice: string; now: number },
): { hasEnded: boolean; finding: Finding } {
  const { validToDate: end, subject } = new X509Certificate(pem);
  const left = end.getTime() - now;
  const until = end.toISOString().slice(0, 10);
  const found = `${whose}, of ${subject.replaceAll("\n", ", ")}, ${left <= 0 ? "expired" : "expires"} on ${until}`;
  return {
    hasEnded: left <= 0,
    finding: left < lateDays * dayMs ? warning(name, found, advice) : ok(name, found),
  };
}
