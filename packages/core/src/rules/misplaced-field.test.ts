import { expect, test } from "vitest";
import { useCases } from "../use-cases.ts";
import { misplacedField } from "./misplaced-field.ts";

const { send, sendTemplate, sendBatch } = useCases.emails;
const fieldsOf = ({ input }: { input: { shape: object } }): string[] => Object.keys(input.shape);

test("each way to send is named for the fields that only it takes", () => {
  const only = (one: string[], other: string[]) => one.filter((field) => !other.includes(field));
  const [literal, template] = [fieldsOf(send), fieldsOf(sendTemplate)];
  for (const field of only(template, literal))
    expect(misplacedField(field, literal, "call")).toBe(`${field} of emails.sendTemplate`);
  for (const field of only(literal, template))
    expect(misplacedField(field, template, "call")).toBe(`${field} of emails.send`);
  expect([only(template, literal).length, only(literal, template)]).toEqual([4, ["html", "text"]]);
});

test("other services' names of a field, and slips, are understood", () => {
  const literal = fieldsOf(send);
  expect(misplacedField("template_id", literal, "route")).toBe("template of POST /emails/send-template");
  expect(misplacedField("templateData", literal, "route")).toBe(
    "template_data of POST /emails/send-template",
  );
  expect(misplacedField("htm", fieldsOf(sendTemplate), "call")).toBe("html of emails.send");
});

test("no other call is named where both are possible, or neither", () => {
  expect(misplacedField("templates", fieldsOf(sendBatch), "call")).toBeUndefined();
  expect(misplacedField("template", ["subject", "html", "text"], "call")).toBeUndefined();
  expect(misplacedField("nickname", fieldsOf(send), "call")).toBeUndefined();
});
