import { expect, test } from "vitest";
import { nearestName } from "./nearest-name.ts";

const fields = [
  "to",
  "cc",
  "html",
  "text",
  "subject",
  "reply_to",
  "template_data",
  "scheduled_at",
  "deliver_before",
];

test.each([
  ["replyTo", "reply_to"],
  ["Reply-To", "reply_to"],
  ["templateData", "template_data"],
  ["tempalte_data", "template_data"],
  ["htm", "html"],
  ["hmtl", "html"],
  ["Subject", "subject"],
  ["subjet", "subject"],
  ["data", "template_data"],
])("%s was meant as %s", (name, meant) => {
  expect(nearestName(name, fields)).toBe(meant);
});

test.each(["variables", "ab", "at", "", "nickname", "is_admin"])("nothing is near %j", (name) => {
  expect(nearestName(name, fields)).toBeUndefined();
});

test("of two that are as near, the first is named; of two that end in the name, none", () => {
  expect(nearestName("texts", ["texta", "textb"])).toBe("texta");
  expect(nearestName("data", ["template_data", "sample_data"])).toBeUndefined();
});

test("a name as long as a body is compared with nothing", () => {
  expect(nearestName(`${"_".repeat(1_000_000)}html`, fields)).toBeUndefined();
});
