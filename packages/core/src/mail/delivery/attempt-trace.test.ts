import { expect, test } from "vitest";
import type { HandoverStep } from "../../ports/mailer.ts";
import { type Handover, longestTrace, packTrace, unpackTrace } from "./attempt-trace.ts";

const recipients = [{ address: "a@example.com" }, { address: "b@example.com" }];
const steps: HandoverStep[] = [
  { step: "wait", ms: 0 },
  { step: "mail_from", ms: 0.1, code: 250, reply: "250 ok" },
  { step: "rcpt_to", ms: 0.2, code: 550, reply: "550 no", recipient: "b@example.com" },
  { step: "data", ms: 3, error: "no answer" },
];

test("a trace is parsed back unchanged", () => {
  const given: Handover[] = [
    { smtpServerId: "019b76da-a800-7000-8000-000000000001", held: "unreachable: refused", steps: [] },
    { smtpServerId: undefined, held: undefined, steps },
  ];
  expect(unpackTrace(packTrace(given, recipients), recipients)).toEqual(given);
});

test("a trace is limited, whatever servers reply, and contains how it ended", () => {
  const words = '"\\ä'.repeat(340);
  const many = Array.from({ length: 150 }, (_, n) => ({ address: `r${n}@example.com` }));
  const hostile: HandoverStep[] = [
    { step: "wait", ms: 1 },
    ...many.map(({ address }) => ({
      step: "rcpt_to" as const,
      ms: 12_345.6,
      code: 550,
      reply: words,
      recipient: address,
    })),
    { step: "end_of_data", ms: 2, code: 554, reply: words },
  ];
  const servers = Array.from({ length: 100 }, () => ({
    smtpServerId: "019b76da-a800-7000-8000-000000000001",
    held: words,
    steps: hostile,
  }));
  for (const handovers of [servers.slice(0, 1), servers.slice(0, 3), servers]) {
    const text = packTrace(handovers, many);
    expect(text?.length).toBeLessThanOrEqual(longestTrace);
    expect(unpackTrace(text, many)[0]?.steps.at(0)?.step).toBe("wait");
  }
  expect(unpackTrace(packTrace(servers.slice(0, 1), many), many)[0]?.steps.at(-1)?.step).toBe("end_of_data");
});

test("a damaged trace is ignored", () => {
  for (const text of ["", "{", "null", "[1]", '[{"steps":7}]'])
    expect(unpackTrace(text, recipients)).toEqual([]);
});
