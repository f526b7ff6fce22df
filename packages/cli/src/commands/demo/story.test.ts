import { expect, test } from "vitest";
import { createStory } from "./story.ts";

test("prints no line that is wider than the terminal", async () => {
  const lines: string[] = [];
  const story = createStory((line) => lines.push(line), 40);
  await story.step("Send an e-mail, with the key and a note", async () => {
    story.called("GET", "/emails/01a2077e-6d1f-747b-acf0-35f75ecd98cf/x", 200);
    story.called("POST", "/workspaces/current/templates/current/activate", 422);
    story.tell("an address that nobody has verified until now");
    story.quote("body", `  one\n{"event":"email.sent","email_id":"01a2077e-6e85-7522"}`);
  });
  expect(lines).toEqual([
    "\n 1 Send an e-mail, with the key and a",
    "   note",
    "   GET  /emails/…5ecd98cf/x → 200",
    "   POST /workspaces/current/templa",
    "        tes/current/activate → 422",
    "   an address that nobody has verified",
    "   until now",
    "   body",
    "   │   one",
    '   │ {"event":"email.sent","email_id":"0',
    '   │ 1a2077e-6e85-7522"}',
  ]);
  expect(story.steps[0]?.calls[0]?.path).toContain("01a2077e-6d1f-747b-acf0-35f75ecd98cf");
});

test.each([undefined, 0])(
  "breaks no line for a width of %s, which terminals without a size tell",
  (width) => {
    const lines: string[] = [];
    createStory((line) => lines.push(line), width).tell("http://127.0.0.1:8080 and more");
    expect(lines).toEqual(["   http://127.0.0.1:8080 and more"]);
  },
);
