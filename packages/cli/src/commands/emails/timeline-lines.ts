import type { EmailDetails } from "../../service/wait-for-email.ts";
import { paint } from "../../terminal/paint.ts";
import { safeText } from "../../terminal/safe-text.ts";
import { wrapText } from "../../terminal/wrap-text.ts";

type Entry = EmailDetails["timeline"][number];
type Handover = Entry["handovers"][number];

/** Columns before an entry's text: time of day and type. */
const margin = 27;
const stepMargin = 16;
/** On a terminal that leaves no room for an id beside them, the text stands below, with so many columns before it. */
const narrowMargin = 4;
const leastBeside = margin + "request id: ".length + 36;

/** Formats a timeline for people, at most `width` columns wide: times in UTC, with a line for each new day. */
export function timelineLines(timeline: readonly Entry[], width: number): string[] {
  let day = "";
  return timeline.flatMap((entry) => {
    const [date = "", time = ""] = entry.at.split("T");
    const heading = date === day ? [] : [paint("bold", `${date} (UTC)`)];
    day = date;
    return [...heading, ...entryLines(entry, time.slice(0, 12), width)];
  });
}

function entryLines({ type, message, details, handovers }: Entry, time: string, width: number): string[] {
  const isBeside = width >= leastBeside;
  const before = isBeside ? margin : narrowMargin;
  const room = Math.max(20, width - before);
  const words = wrapText(safeText(message), room);
  const more = detailWords(type, details).flatMap((text) => wrapText(safeText(text), room));
  const blank = " ".repeat(before);
  const heading = `${paint("dim", time.padEnd(14))}${type.replace("_", " ")}`;
  const beside = isBeside ? words.splice(0, 1) : [];
  return [
    `${heading}${beside.map((line) => `${" ".repeat(13 - type.length)}${line}`).join("")}`,
    ...words.map((line) => `${blank}${line}`),
    ...more.map((line) => `${blank}${paint("dim", line)}`),
    ...handovers.flatMap((one) => handoverLines(one, width)),
  ];
}

/** Details that the message leaves out and that get a line each. */
const told: Partial<Record<Entry["type"], readonly string[]>> = {
  accepted: ["request_id", "idempotency_key", "dedupe_key", "priority", "deliver_before", "checks"],
  deferred: ["from", "until"],
  rescheduled: ["from", "to"],
  bounced: ["class", "enhanced_code", "source"],
  complained: ["source"],
  opened: ["agent_class", "address", "user_agent"],
  clicked: ["agent_class", "address", "user_agent"],
  machine: ["agent_class", "address", "user_agent"],
  webhook: ["due_at", "delivery_id"],
};

const detailWords = (type: Entry["type"], details: Entry["details"]): string[] =>
  (told[type] ?? []).flatMap((name) => {
    const value = details[name];
    if (value === undefined || value === null) return [];
    return `${name.replaceAll("_", " ")}: ${typeof value === "object" ? listed(value) : String(value)}`;
  });

const listed = (value: object): string =>
  Object.entries(value)
    .map(([name, one]) => `${name.replaceAll("_", " ")} ${one === null ? "none" : said(one)}`)
    .join(", ");

const said = (value: unknown): string =>
  typeof value === "object" && value !== null ? `(${listed(value)})` : String(value).replaceAll("_", " ");

function handoverLines({ smtp_server_id: id, name, held, steps }: Handover, width: number): string[] {
  const whose = name ?? (id === null ? "the operator's mail server" : `mail server ${id}`);
  const how = held === null ? "" : `, which was not used: ${held}`;
  const kept =
    steps.length > 0 && !steps.some(({ step }) => step === "connect") ? ", over a kept connection" : "";
  const blank = blankBefore(width);
  const heading = wrapText(safeText(`${whose}${kept}${how}`), Math.max(20, width - blank.length));
  return [
    ...heading.map((line, at) => `${at === 0 ? `${blank.slice(2)}- ` : blank}${line}`),
    ...steps.flatMap((step) => stepLines(step, width)),
  ];
}

const blankBefore = (width: number): string =>
  " ".repeat(width >= leastBeside ? stepMargin : narrowMargin + 2);

function stepLines({ step, ms, code, reply, error, recipient }: Handover["steps"][number], width: number) {
  const start = `${blankBefore(width)}${step.toUpperCase().replaceAll("_", " ").padEnd(12)}${`${ms} ms`.padStart(11)}  `;
  const about = recipient === null ? "" : `${recipient}: `;
  const answer = reply === "" ? (code === null ? "" : String(code)) : reply;
  const text = `${about}${[error, answer].filter(Boolean).join(": ")}`;
  const lines = wrapText(safeText(text), Math.max(20, width - start.length));
  const blank = " ".repeat(start.length);
  return [`${start}${lines[0] ?? ""}`.trimEnd(), ...lines.slice(1).map((line) => `${blank}${line}`)];
}
