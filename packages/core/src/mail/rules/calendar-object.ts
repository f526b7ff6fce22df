/** Maximum characters of a calendar object (an invitation has a few thousand). */
export const longestCalendar = 65_536;

const methods = ["PUBLISH", "REQUEST", "REPLY", "ADD", "CANCEL", "REFRESH", "COUNTER", "DECLINECOUNTER"];

/**
 * Reads the parts of an iCalendar object that mail needs: its bounds and its METHOD, which the part's `method`
 * parameter must repeat (RFC 6047 section 2.4). Returns the fault as text if it can't be sent.
 */
export function readCalendarObject(content: string): { method: string; content: string } | string {
  if (/[^\P{Cc}\t\r\n]/u.test(content)) return "contains a control character";
  const lines = content.trim().split(/\r?\n/);
  if (!/^BEGIN:VCALENDAR$/i.test(lines[0] ?? "") || !/^END:VCALENDAR$/i.test(lines.at(-1) ?? ""))
    return "is not an iCalendar object, from BEGIN:VCALENDAR to END:VCALENDAR";
  const found = lines.flatMap((line) => /^METHOD(?:;[^:]*)?:(.*)$/i.exec(line)?.[1] ?? []);
  const [method = ""] = found;
  if (found.length !== 1 || !methods.includes(method.trim().toUpperCase()))
    return `needs one METHOD, of ${methods.join(", ")} (RFC 5546)`;
  return { method: method.trim().toUpperCase(), content };
}
