/** Tags in the order of the reference: calls of programs first, administration last. */
export const tagDescriptions: Record<string, string> = {
  emails: "Send e-mails, and read their log.",
  attachments: "Upload files to send.",
  inbound: "Submit bounces and complaints.",
  "inbound-endpoints": "Endpoints for relays' own webhooks.",
  "inbound-reports": "Reports that came back: bounces, delays and complaints.",
  campaigns: "Mail to many: lists, pace, pauses, and each recipient's outcome.",
  metrics: "Delivery figures.",
  templates: "Templates of e-mails, and their versions.",
  domains: "Domains to send from: DNS records, verification, DKIM keys.",
  stylesheets: "CSS that is inlined into e-mails.",
  "smtp-servers": "Mail servers of the workspace's own.",
  webhooks: "Notify other services of events.",
  suppressions: "Addresses that nothing is sent to.",
  recipients: "Export or erase a person's data.",
  deliveries: "Deliveries to webhooks.",
  "api-keys": "Keys for programs.",
  auth: "Register, log in, and recover an account.",
  users: "Your profile, sessions and two-factor login.",
  workspaces: "Your workspaces.",
  members: "The workspace's members and their roles.",
  invitations: "Invite people, accept and decline.",
  "transfer-ownership": "Transfer the workspace to another owner.",
  settings: "The workspace's settings.",
  plan: "The workspace's limits in force.",
  "audit-log": "Changes in the workspace, and who made them.",
  admin: "For the platform's administrators.",
};

const tagOrder = Object.keys(tagDescriptions);
const placeOf = (tag: string): number => (tagOrder.includes(tag) ? tagOrder.indexOf(tag) : tagOrder.length);
/** Compares tags by their position in the reference. */
export const byTag = (a: string, b: string): number => placeOf(a) - placeOf(b) || (a < b ? -1 : 1);

/** Returns a tag as a heading. */
export const tagTitle = (tag: string): string =>
  titles[tag] ?? `${tag.charAt(0).toUpperCase()}${tag.slice(1).replaceAll("-", " ")}`;
const titles: Record<string, string> = {
  emails: "E-mails",
  "api-keys": "API keys",
  auth: "Log in and register",
  "smtp-servers": "SMTP servers",
};

/** Returns the tag of a path below `/api/v1`. */
export function tagOf(path: string): string {
  const [first = "", second = "", third] = path.split("/").slice(1);
  if (first === "workspaces" && second === "current") return third === undefined ? "workspaces" : third;
  return first;
}
