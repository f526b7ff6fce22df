/**
 * Returns the IANA time zone of a name such as `UTC` or `Europe/Paris`, or `undefined` if there is none. Offsets (`+02:00`) are
 * none. `europe/paris` is one here and not to all that read a zone's file: it is returned in its usual case.
 */
export function timeZoneNamed(name: string): string | undefined {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    if (timeZone.toLowerCase() === name.toLowerCase()) return timeZone;
    // Another name of a zone is kept, as `CET` is resolved to a city, and `asia/kolkata` to a former name; its case is
    // that of nearly all such places.
    const isLower = name === name.toLowerCase() && name.includes("/");
    return isLower ? name.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase()) : name;
  } catch {
    return undefined;
  }
}
