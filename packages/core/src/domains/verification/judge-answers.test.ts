import { expect, test } from "vitest";
import type { DnsAnswer, DnsZone } from "../../ports/dns.ts";
import { fine, wrong } from "../rules/verdict.ts";
import { judgeAnswers } from "./judge-answers.ts";

const none: DnsAnswer = { kind: "none" };
const nowhere = async (): Promise<DnsAnswer[]> => [none];
const zone: DnsZone = {
  name: "shop.example",
  nameServers: ["ns1.example", "ns2.example"],
  strangers: [],
  txt: nowhere,
  mx: nowhere,
  cname: nowhere,
};
const found = (...texts: string[]): DnsAnswer => ({ kind: "found", records: texts.map((text) => [text]) });

/** Judges answers for a record with the value "right"; `elsewhere` are the answers at other names. */
const problemOf = async (
  answers: DnsAnswer[],
  {
    elsewhere = {},
    name = "_posthorn.shop.example",
  }: { elsewhere?: Record<string, DnsAnswer>; name?: string } = {},
) => {
  const verdict = await judgeAnswers(zone, {
    type: "TXT",
    name,
    answers,
    ask: async (place) => [elsewhere[place] ?? none],
    judge: ([text]) => (text === "right" ? fine : wrong(text === "old" ? "other_value" : "quoted", "")),
  });
  return verdict.problem;
};

test("name servers differ if one has no record, another value, or another mistake", async () => {
  expect(await problemOf([found("right"), found("right")])).toBeUndefined();
  expect(await problemOf([found("right"), none])).toBe("name_servers_differ");
  expect(await problemOf([found("old"), found("new")])).toBe("name_servers_differ");
  expect(await problemOf([found("old"), found("old")])).toBe("other_value");
  expect(await problemOf([found("right"), { kind: "silent" }])).toBeUndefined();
});

test("a record at the wrong place is named only if its value is right", async () => {
  const doubled = "_posthorn.shop.example.shop.example";
  expect(await problemOf([none], { elsewhere: { [doubled]: found("right") } })).toBe("name_doubled");
  expect(await problemOf([none], { elsewhere: { [doubled]: found("old") } })).toBe("not_found");
  const bare = { "ph1.domainkey.shop.example": found("right") };
  expect(await problemOf([none], { name: "ph1._domainkey.shop.example", elsewhere: bare })).toBe(
    "underscore_missing",
  );
  expect(await problemOf([none], { elsewhere: { "posthorn.shop.example": found("old") } })).toBe("not_found");
});
