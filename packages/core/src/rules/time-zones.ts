/** Whether the name is a known IANA time zone, such as `UTC` or `Europe/Paris`. Offsets (`+02:00`) are not. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
