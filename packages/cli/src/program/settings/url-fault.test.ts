import { expect, test } from "vitest";
import { database, url } from "./setting-readers.ts";

const smtp = url("smtp:", "smtps:");
const unescaped = "in names and passwords are written as";

test.each([
  ["127.0.0.1:70000", "has an invalid port"],
  ["mail.example:abc", "has an invalid port"],
  ["user:secret", "has an invalid port"],
  ["user:secret@:25", "names no host"],
  ["user:secret@", "names no host"],
  ["::1", "without brackets"],
  ["user:secret@::1:25", "without brackets"],
  ["mail.example :25", "has a blank"],
  ["user:se#cret@mail.example", unescaped],
  ["user:se/cret@mail.example:25", unescaped],
  ["user:se?cret@mail.example", unescaped],
  ["mail^example", "its host is no host name"],
])("a URL with %s: %s, and nothing of it is told", (rest, words) => {
  const told = (read: (value: string) => unknown, value: string): string => {
    try {
      read(value);
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };
  for (const message of [told(smtp, `smtp://${rest}`), told(database, `postgres://${rest}`)]) {
    expect(message).toContain(words);
    expect(message).not.toContain("secret");
  }
});

test("a URL with port 0 is refused: nobody listens on it", () => {
  expect(() => smtp("smtp://user:secret@mail.example:0")).toThrow(/^has port 0/);
  expect(() => url("http:", "https:")("https://mail.example.com:00/app")).toThrow(/^has port 0/);
});
