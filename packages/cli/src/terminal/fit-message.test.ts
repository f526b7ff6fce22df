import { expect, test } from "vitest";
import { fitMessage } from "./fit-message.ts";

const narrow = { isTTY: true, columns: 30 };

test("breaks a message between words at the terminal's width, line by line", () => {
  expect(
    fitMessage(
      "error: The database of the profile can't be reached.\n  a: is not known here and nowhere",
      narrow,
    ),
  ).toBe("error: The database of the\nprofile can't be reached.\n  a: is not known here and\n  nowhere");
  const secret = `whsec_${"x".repeat(40)}`;
  expect(fitMessage(`Deliveries are signed with a secret created for this run: ${secret}`, narrow)).toBe(
    `Deliveries are signed with a\nsecret created for this run:\n${secret}`,
  );
  const done = "\u001b[32m✓\u001b[39m Four words fit a line";
  expect(fitMessage(done, { isTTY: true, columns: 23 })).toBe(done);
  expect(fitMessage(done, { isTTY: true, columns: 22 })).toBe(done.replace(" line", "\nline"));
});

test("never breaks a command in a hint, or one that is a line", () => {
  const curl = `curl http://127.0.0.1:8080 -H "Authorization: Bearer key"`;
  expect(fitMessage(`\nSend a first e-mail:\n${curl}\n`, narrow)).toBe(`\nSend a first e-mail:\n${curl}\n`);
  expect(fitMessage("See where it leads, then try: posthorn profiles login --help", narrow)).toBe(
    "See where it leads, then try:\n  posthorn profiles login --help",
  );
  expect(fitMessage("Try: posthorn emails list", narrow)).toBe("Try: posthorn emails list");
});

test("leaves text for a pipe unchanged, and assumes 80 columns for a terminal of unknown width", () => {
  const long = "word ".repeat(30).trim();
  expect(fitMessage(long, {})).toBe(long);
  expect(
    fitMessage(long, { isTTY: true, columns: 0 })
      .split("\n")
      .map(({ length }) => length),
  ).toEqual([79, 69]);
});
