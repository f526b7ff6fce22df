import { expect, test } from "vitest";
import { decideTracking } from "./decide-tracking.ts";

const off = { trackOpens: false, trackClicks: false, trackingTrap: false };
const all = { trackOpens: true, trackClicks: true, trackingTrap: true };

test.each([
  ["nothing is tracked by default", undefined, off, undefined],
  [
    "the settings apply to a send that says nothing",
    undefined,
    all,
    { opens: true, clicks: true, trap: true },
  ],
  ["a send overrides the settings", { opens: true }, off, { opens: true, clicks: false, trap: false }],
  ["member by member", { clicks: false }, all, { opens: true, clicks: false, trap: false }],
  ["and off altogether", { opens: false, clicks: false }, all, undefined],
  [
    "the trap comes with tracked links",
    { clicks: true },
    { ...off, trackingTrap: true },
    { opens: false, clicks: true, trap: true },
  ],
])("%s", (_, tracking, settings, expected) => {
  const workspace = { settings };
  expect(decideTracking({ fields: { tracking, sensitive: false }, isTest: false, workspace })).toEqual(
    expected,
  );
});

test("sensitive e-mails and tests are never tracked, whatever the settings", () => {
  const workspace = { settings: all };
  expect(decideTracking({ fields: { sensitive: true }, isTest: false, workspace })).toBeUndefined();
  expect(decideTracking({ fields: { sensitive: false }, isTest: true, workspace })).toBeUndefined();
});
