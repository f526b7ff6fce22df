/** The preferred form, then the obsolete ones of RFC 850 and of `asctime()`, which writes no zone. */
const forms = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];

/**
 * Reads an HTTP date in any of the three forms that a recipient must take (RFC 9110 §5.6.7), in ms since the epoch;
 * `undefined` for anything else. A year of two digits is the one that lies at most 50 years after `now`.
 */
export function parseHttpDate(text: string, now: number): number | undefined {
  for (const form of forms) {
    const { day, month, year, time } = form.exec(text)?.groups ?? {};
    if (year === undefined) continue;
    const at = Date.parse(
      `${day} ${month} ${year.length === 2 ? fullYear(Number(year), now) : year} ${time} GMT`,
    );
    return Number.isNaN(at) ? undefined : at;
  }
  return undefined;
}

function fullYear(lastDigits: number, now: number): number {
  const latest = new Date(now).getUTCFullYear() + 50;
  return latest - ((latest - lastDigits) % 100);
}
