import type { Reply } from "@posthorn/client";

type DomainRecord = Pick<
  Reply<"GET /workspaces/current/domains/{id}">["records"][number],
  "purpose" | "type" | "name" | "value" | "ttl" | "priority" | "status" | "found"
>;

/** The tools for which DNS records are written. */
export const recordForms = ["zone", "terraform", "cloudflare"] as const;

/** One of them. */
export type RecordForm = (typeof recordForms)[number];

/** The records as the text of a tool: what is to be added, and what is to stay. */
export function writeRecords(records: readonly DomainRecord[], form: RecordForm): string {
  const wanted = records.filter(isToPublish);
  if (form === "zone") return wanted.map(zoneLine).join("\n");
  if (form === "terraform") return [zoneVariable, ...wanted.map(terraformBlock)].join("\n\n");
  const posts = wanted.map(({ type, name, value, ttl, priority }) =>
    priority === null
      ? { type, name, content: quoted(value), ttl }
      : { type, name, content: value, priority, ttl },
  );
  return JSON.stringify({ posts }, undefined, 2);
}

/** A second SPF or DMARC record would invalidate both. */
function isToPublish({ purpose, status, found }: DomainRecord): boolean {
  if (purpose === "ownership" || purpose === "dkim") return status !== "removable";
  // All MX records of a name must lead here, and one more would be one beside others.
  return found.length === 0;
}

/** Strings of a TXT record hold 255 bytes at the most (RFC 1035 §3.3); all that we write is ASCII. */
const stringsOf = (value: string): string[] => value.match(/.{1,255}/g) ?? [""];

const quoted = (value: string): string =>
  stringsOf(value)
    .map((text) => `"${text.replace(/["\\]/g, "\\$&")}"`)
    .join(" ");

const zoneLine = ({ name, ttl, type, value, priority }: DomainRecord): string =>
  `${name}. ${ttl} IN ${type} ${priority === null ? quoted(value) : `${priority} ${value}.`}`;

const zoneVariable = `variable "zone_id" {
  description = "The hosted zone of the domain in Route 53"
  type        = string
}`;

function terraformBlock({ name, ttl, type, value, priority }: DomainRecord): string {
  // Route 53 wants strings of one record in one text, with their inner quotes escaped.
  const text = priority === null ? stringsOf(value).join('\\"\\"') : `${priority} ${value}`;
  const prefix = `${type.toLowerCase()}_`;
  return `resource "aws_route53_record" "${name.replace(/[^a-z0-9]+/g, "_").replace(/^_?/, prefix)}" {
  zone_id = var.zone_id
  name    = "${name}"
  type    = "${type}"
  ttl     = ${ttl}
  records = ["${text}"]
}`;
}
