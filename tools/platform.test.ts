import { readFileSync } from "node:fs";
import { permissions, webhookEventTypes } from "@posthorn/core/internal";
import { errorStatuses } from "@posthorn/http/internal";
import { expect, test } from "vitest";

/**
 * Compares the names that the specification lists with the existing ones: a missing name, or one with another meaning,
 * fails.
 */
const spec = readFileSync(new URL("../docs/spec/platform.md", import.meta.url), "utf8");
const common = spec.slice(spec.indexOf("## P0"), spec.indexOf("## P1"));

const people: Readonly<Record<string, readonly string[]>> = {
  everyone: ["owner", "admin", "editor", "viewer"],
  writers: ["owner", "admin", "editor"],
  managers: ["owner", "admin"],
};

test("its permissions are granted to the documented roles", () => {
  const listed = [...common.matchAll(/`([a-z_]+:[a-z]+)` (everyone|writers|managers)/g)];
  expect(listed.length).toBeGreaterThan(11);
  const given = permissions as Readonly<Record<string, readonly string[]>>;
  expect(Object.fromEntries(listed.map(([, name = ""]) => [name, given[name]]))).toEqual(
    Object.fromEntries(listed.map(([, name = "", who = ""]) => [name, people[who]])),
  );
});

test("its errors have the documented statuses", () => {
  const errors = common.slice(common.indexOf("New errors:"), common.indexOf("- Whatever is decided"));
  const listed = errors
    .split(/ ·\s+/)
    .flatMap((group) =>
      [...group.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, code = ""]) => [code, Number(/\d{3}/.exec(group))]),
    );
  expect(listed.length).toBeGreaterThan(12);
  const statuses = errorStatuses as Readonly<Record<string, number>>;
  expect(listed.map(([code = ""]) => [code, statuses[code]])).toEqual(listed);
});

test("each event documented for webhooks can be subscribed to", () => {
  const told = [
    "smtp_server.down",
    "smtp_server.recovered",
    "domain.verified",
    "domain.warning",
    "domain.failed",
  ];
  for (const type of told) expect(spec).toContain(type.split(".")[1]);
  expect(webhookEventTypes).toEqual(expect.arrayContaining(told));
  // The rescheduling of an e-mail is recorded only in its own log (P4).
  expect(webhookEventTypes).not.toContain("email.rescheduled");
});
