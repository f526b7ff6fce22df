import { expect, test } from "vitest";
import { readCalendarObject } from "./calendar-object.ts";

const object = (...lines: string[]): string =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", ...lines, "END:VCALENDAR", ""].join("\r\n");

test("the method is read from the object", () => {
  const content = object("METHOD:REQUEST", "BEGIN:VEVENT", "SUMMARY:METHOD:x", "END:VEVENT");
  expect(readCalendarObject(content)).toEqual({ method: "REQUEST", content });
  expect(readCalendarObject(object("method;x-a=b:cancel").replaceAll("\r", ""))).toMatchObject({
    method: "CANCEL",
  });
});

test.each([
  ["BEGIN:VEVENT\r\nEND:VEVENT", "iCalendar object"],
  ["hello", "iCalendar object"],
  [object("METHOD:REQUEST").replace("END:VCALENDAR", ""), "iCalendar object"],
  [object(), "needs one METHOD"],
  [object("METHOD:INVITE"), "needs one METHOD"],
  [object("METHOD:REQUEST", "METHOD:CANCEL"), "needs one METHOD"],
  [object("METHOD:REQUEST", "X:\u0000"), "control character"],
])("%j is refused", (content, fault) => {
  expect(readCalendarObject(content)).toContain(fault);
});
