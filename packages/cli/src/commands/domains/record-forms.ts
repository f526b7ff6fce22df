import type { Reply } from "@posthorn/client";
import type { RecordForm } from "../../terminal/output-formats.ts";

type DomainRecord = Pick<
  Reply<"GET /workspaces/current/domains/{id}">["records"][number],
  "purpose" | "type" | "name" | "value" | "ttl" | "priority" | "status" | "found"
>;

/** Writes the records in a tool's format: those to add, and those to keep. */
export function writeRecords(records: readonly DomainRecord[], form: RecordForm): string {
  const wanted = records.filter(isToPublish);
  if (form === "zone") return wanted.map(zoneLine).join("\n");
  if (form === "terraform") return [zoneVariable, ...wanted.map(terraformBlock)].join("\n\n");
  const posts = wanted.map(({ type, name, value, ttl, priority }) => ({
    ...{ type, name, content: type === "TXT" ? quoted(value) : value },
    ...(priority !== null && { priority }),
    ttl,
  }));
  return JSON.stringify({ posts }, undefined, 2);
}

/** A second SPF or DMARC record would invalidate both. */
function isToPublish({ purpose, status, found }: DomainRecord): boolean {
  if (purpose === "ownership" || purpose === "dkim") return status !== "removable";
  // All MX records of a name must lead here, and a name can have only one CNAME record: an added one would stand beside
  // existing ones.
  return found.length === 0;
}

/** A string in a TXT record holds at most 255 bytes (RFC 1035 §3.3); our values are ASCII. */
const stringsOf = (value: string): string[] => value.match(/.{1,255}/g) ?? [""];

const quoted = (value: string): string =>
  stringsOf(value)
    .map((text) => `"${text.replace(/["\\]/g, "\\$&")}"`)
    .join(" ");

const zoneLine = ({ name, ttl, type, value, priority }: DomainRecord): string =>
  `${name}. ${ttl} IN ${type} ${type === "TXT" ? quoted(value) : `${ofPriority(priority)}${value}.`}`;

const ofPriority = (priority: number | null): string => (priority === null ? "" : `${priority} `);

const zoneVariable = `variable "zone_id" {
  description = "The hosted zone of the domain in Route 53"
  type        = string
}`;

function terraformBlock({ name, ttl, type, value, priority }: DomainRecord): string {
  // Route 53 takes the strings of a record as one text, with inner quotes escaped.
  const text = type === "TXT" ? stringsOf(value).join('\\"\\"') : `${ofPriority(priority)}${value}`;
  const prefix = `${type.toLowerCase()}_`;
  return `resource "aws_route53_record" "${name.replace(/[^a-z0-9]+/g, "_").replace(/^_?/, prefix)}" {
  zone_id = var.zone_id
  name    = "${name}"
  type    = "${type}"
  ttl     = ${ttl}
  records = ["${text}"]
}`;
}
