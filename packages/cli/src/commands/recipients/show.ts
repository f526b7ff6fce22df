import type { Reply } from "@posthorn/client";
import type { Api } from "../../program/connection/api.ts";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { hasCode } from "../../program/errors/has-code.ts";
import { type EmailDetails, getEmail } from "../../service/wait-for-email.ts";
import { countOf } from "../../terminal/count-of.ts";
import { readable } from "../../terminal/report-done.ts";
import { reportedWords } from "../emails/reported-words.ts";

type Suppression = Reply<"GET /workspaces/current/suppressions/{email}">;
type Recipient = EmailDetails["recipients"][number];

/** Shows whether mail reaches an address: its suppressions, and what became of the newest e-mails to it. */
export async function show(
  context: CommandContext,
  address: string,
  { workspace: named, size = 10 }: { workspace?: string; size?: number },
): Promise<void> {
  const { output } = context;
  const api = await context.inWorkspace(named);
  const { email, suppressions } = await findSuppressions(api, address);
  const { data, pagination } = await api.request("GET /workspaces/current/emails", { to: email, size });
  const emails: EmailDetails[] = [];
  for (const { id } of data) emails.push(await getEmail(api, id));
  if (output.json) return output.record({}, { email, suppressions, emails });
  const stopped = suppressions.map(
    ({ email: what, scope, origin, created_at, reason }) =>
      `${what}${scope === "*" ? "" : ` for the list ${scope}`}: ${origin} at ${readable(created_at)}${reason === "" ? "" : `, ${reason}`}`,
  );
  const none = emails.length === 0;
  output.record({
    address: email,
    suppressed: stopped.length === 0 ? "no" : stopped.join("; "),
    ...(none ? { "e-mails": "none" } : {}),
  });
  if (none) return;
  output.data("");
  const rows = emails.map((mail) => ({ mail, recipient: recipientOf(mail, email) }));
  output.list(rows, [
    { title: "ID", cell: ({ mail }) => mail.id },
    { title: "ACCEPTED", cell: ({ mail }) => readable(mail.created_at), narrow: "spare" },
    { title: "STATE", cell: ({ recipient }) => recipient?.state },
    { title: "LAST REPLY", cell: ({ recipient }) => recipient?.last_reply, narrow: "cut" },
    { title: "REPORTED", cell: ({ recipient }) => (recipient === undefined ? "" : reportedWords(recipient)) },
    { title: "SUBJECT", cell: ({ mail }) => mail.subject, narrow: "spare" },
  ]);
  const rest = pagination.total - emails.length;
  if (rest > 0) output.note(`${countOf(rest, "older e-mail is", "older e-mails are")} not shown: --size`);
  output.note("See why for one of them: posthorn emails explain ID");
}

/** Finds what stops mail to an address, its own suppressions in every scope and its domain's. Refuses what is none. */
async function findSuppressions(
  api: Api,
  address: string,
): Promise<{ email: string; suppressions: Suppression[] }> {
  const [checked] = await api.request("POST /workspaces/current/suppressions/check", { emails: [address] });
  // Suppressions have no capitals.
  const email = (checked?.email ?? address).toLowerCase();
  const { data } = await api.request("GET /workspaces/current/suppressions", { q: email, size: 100 });
  const suppressions = data.filter((one) => one.email === email);
  if (checked?.suppressed !== true || suppressions.some(({ scope }) => scope === "*"))
    return { email, suppressions };
  const find = (named: string) =>
    api.request("GET /workspaces/current/suppressions/{email}", { email: named });
  // An erased address is in no list: it is found only by whoever names it.
  const other = await find(email).catch((error: unknown) => {
    if (!hasCode(error, "not_found")) throw error;
    return find(email.slice(email.lastIndexOf("@")));
  });
  return { email, suppressions: [other, ...suppressions] };
}

const recipientOf = ({ recipients }: EmailDetails, email: string): Recipient | undefined =>
  recipients.find(({ address }) => address.toLowerCase() === email);
