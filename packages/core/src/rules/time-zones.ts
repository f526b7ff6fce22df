/** Whether the name is an IANA time zone known here, such as `UTC` or `Europe/Paris`; offsets (`+02:00`) are not. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
