/** In the order of the reference: what programs call comes first, administration last. */
export const tagDescriptions: Record<string, string> = {
  emails: "Sending, and the log of what was sent.",
  attachments: "Files that are uploaded to be sent.",
  inbound: "Handing in what comes back about e-mails.",
  "inbound-endpoints": "Where relays report to by their own webhooks.",
  "inbound-reports": "What came back: bounces, delays and complaints.",
  campaigns: "Mail to many: lists, pace, pauses, and what became of each.",
  metrics: "What became of mail, in numbers.",
  templates: "What e-mails are made from.",
  domains: "Domains to send from: DNS records, verification, DKIM keys.",
  stylesheets: "CSS that is inlined into e-mails.",
  "smtp-servers": "Mail servers of the workspace's own.",
  webhooks: "Telling other services what happened.",
  suppressions: "Whom nothing is sent to.",
  recipients: "What is held about somebody, and its end.",
  deliveries: "What was posted to webhooks.",
  "api-keys": "Keys that programs send with.",
  auth: "The way into an account.",
  users: "The own profile, sessions and two-factor login.",
  workspaces: "Where people work together.",
  members: "Who belongs to the workspace, with which role.",
  invitations: "Asking people to join, and joining.",
  "transfer-ownership": "Giving the workspace to someone else.",
  settings: "How the workspace sends.",
  plan: "The limits in force.",
  "audit-log": "Who changed what in the workspace.",
  admin: "For the platform's administrators.",
};

const tagOrder = Object.keys(tagDescriptions);
const placeOf = (tag: string): number => (tagOrder.includes(tag) ? tagOrder.indexOf(tag) : tagOrder.length);
/** Compares tags by their place in the reference. */
export const byTag = (a: string, b: string): number => placeOf(a) - placeOf(b) || (a < b ? -1 : 1);

/** A tag as a heading shows it. */
export const tagTitle = (tag: string): string =>
  titles[tag] ?? `${tag.charAt(0).toUpperCase()}${tag.slice(1).replaceAll("-", " ")}`;
const titles: Record<string, string> = {
  emails: "E-mails",
  "api-keys": "API keys",
  auth: "Log in and register",
  "smtp-servers": "SMTP servers",
};

/** The tag of a path below `/api/v1`. */
export function tagOf(path: string): string {
  const [first = "", second = "", third] = path.split("/").slice(1);
  if (first === "workspaces" && second === "current") return third === undefined ? "workspaces" : third;
  return first;
}
