import stringWidth from "fast-string-width";
import { expect, test } from "vitest";
import { timelineLines } from "./timeline-lines.ts";

type Entry = Parameters<typeof timelineLines>[0][number];
const plain = { recipient: null, details: {}, handovers: [] };
const step = { code: null, reply: "", error: null, recipient: null };
const id = "019b76da-a800-7000-8000-000000000001";

const timeline: Entry[] = [
  {
    ...plain,
    at: "2030-01-31T23:59:59.250Z",
    type: "accepted",
    message:
      "Accepted from API key Shop (sk_ab12cd34…) for 1 recipient, made from template welcome, version 3.",
    details: {
      request_id: "req-1",
      idempotency_key: "k".repeat(90),
      checks: { suppressed: 0, sender_domain: "not_required", limits: { hour: 10, day: 0 } },
    },
  },
  {
    ...plain,
    at: "2030-02-01T00:00:00.000Z",
    type: "attempt",
    message: "Attempt 1: accepted through Relay after 80 ms: 250 2.0.0 \u001b[31mOk",
    handovers: [
      { smtp_server_id: id, name: "Relay", held: "unreachable: no greeting", steps: [] },
      {
        smtp_server_id: null,
        name: null,
        held: null,
        steps: [
          { ...step, step: "wait", ms: 0.1 },
          { ...step, step: "rcpt_to", ms: 12.5, code: 250, reply: "250 ok", recipient: "ada@example.com" },
          { ...step, step: "end_of_data", ms: 30_000, error: "no answer to the final dot within 30000 ms" },
        ],
      },
    ],
  },
];

test("formats a timeline for 80 columns", () => {
  const lines = timelineLines(timeline, 80);
  expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(80);
  expect(lines.join("\n")).toMatchInlineSnapshot(`
    "2030-01-31 (UTC)
    23:59:59.250  accepted     Accepted from API key Shop (sk_ab12cd34…) for 1
                               recipient, made from template welcome, version 3.
                               request id: req-1
                               idempotency key:
                               kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk
                               kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk
                               checks: suppressed 0, sender domain not required,
                               limits (hour 10, day 0)
    2030-02-01 (UTC)
    00:00:00.000  attempt      Attempt 1: accepted through Relay after 80 ms: 250
                               2.0.0 �[31mOk
                  - Relay, which was not used: unreachable: no greeting
                  - the operator's mail server, over a kept connection
                    WAIT             0.1 ms
                    RCPT TO         12.5 ms  ada@example.com: 250 ok
                    END OF DATA    30000 ms  no answer to the final dot within 30000
                                             ms"
  `);
});

test("puts texts below their times on a narrower terminal, so that an id stays in one line", () => {
  const [accepted, attempt] = timeline;
  const named = { ...accepted, details: { request_id: id } } as Entry;
  const lines = timelineLines([named, attempt as Entry], 60);
  expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(60);
  expect(lines.join("\n")).toMatchInlineSnapshot(`
    "2030-01-31 (UTC)
    23:59:59.250  accepted
        Accepted from API key Shop (sk_ab12cd34…) for 1
        recipient, made from template welcome, version 3.
        request id: 019b76da-a800-7000-8000-000000000001
    2030-02-01 (UTC)
    00:00:00.000  attempt
        Attempt 1: accepted through Relay after 80 ms: 250 2.0.0
        �[31mOk
        - Relay, which was not used: unreachable: no greeting
        - the operator's mail server, over a kept connection
          WAIT             0.1 ms
          RCPT TO         12.5 ms  ada@example.com: 250 ok
          END OF DATA    30000 ms  no answer to the final dot
                                   within 30000 ms"
  `);
});

test("ends on a terminal of any width", () => {
  expect(timelineLines(timeline, 1).length).toBeLessThan(200);
});
