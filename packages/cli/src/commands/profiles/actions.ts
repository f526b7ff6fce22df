import { ApiError, type Client, createClient } from "@posthorn/client";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { openProfiles, type Profile, profilesFile, serverUrl } from "../../program/settings/profiles.ts";
import { defined } from "../../program/verbs/defined.ts";
import { readSecret } from "../../terminal/read-input.ts";
import { readable, reportDone } from "../../terminal/report-done.ts";
import type { Column } from "../../terminal/table.ts";

/** The parts of a profile that may be shown. */
const shown = ([name, profile]: [string, Profile]) => ({
  name,
  url: profile.url,
  has_key: profile.api_key !== undefined,
  has_login: profile.token !== undefined,
  expires_at: profile.expires_at ?? null,
});

export async function list({ output }: CommandContext): Promise<void> {
  const columns: Column<ReturnType<typeof shown>>[] = [
    { title: "NAME", cell: ({ name }) => name },
    { title: "URL", cell: ({ url }) => url },
    { title: "KEY", cell: ({ has_key }) => (has_key ? "yes" : "no") },
    { title: "LOGIN EXPIRES", cell: ({ expires_at }) => readable(expires_at) },
  ];
  const all = Object.entries(openProfiles(profilesFile()).all()).map(shown);
  await output.answers(all, columns, async () => Object.keys(shown(["", { url: "" }])));
}

/** Returns the server of the profile to change, and how to store more about it. */
function begin(
  name: string,
  given: string | undefined,
): { url: string; save(more: Partial<Profile>): Promise<Profile> } {
  if (!/^[\w.-]{1,64}$/.test(name))
    throw new CliError("usage", "A profile's name has letters, digits and any of . _ - in it.");
  const profiles = openProfiles(profilesFile());
  const url = given === undefined ? profiles.all()[name]?.url : serverUrl(given);
  if (url === undefined)
    throw new CliError(
      "usage",
      `There is no profile "${name}" yet: give its server.`,
      "Add --url https://mail.example.com",
    );
  return {
    url,
    // Credentials for one server must not be sent to another.
    save: (more) =>
      profiles.change(name, (standing) => ({ ...(standing?.url === url ? standing : { url }), ...more })),
  };
}

export async function add(
  context: CommandContext,
  name: string,
  { url, keyStdin = false }: { url?: string; keyStdin?: boolean },
): Promise<void> {
  const { url: server, save } = begin(name, url);
  const asking = { message: "API key", fromStdin: keyStdin, flag: "--key-stdin" };
  const key = (await readSecret(context, asking)).trim();
  const { signal } = context;
  await createClient(server, { apiKey: key }).request("GET /emails", { size: 1 }, { signal });
  const changed = await save({ api_key: key });
  reportDone(
    context,
    `The profile "${name}" for ${server} is saved. To use it: posthorn emails list --profile ${name}`,
    shown([name, changed]),
  );
}

interface LoginOptions {
  email: string;
  url?: string;
  passwordStdin?: boolean;
  codeStdin?: boolean;
}

export async function logIn(
  context: CommandContext,
  name: string,
  { email, url, passwordStdin = false, codeStdin = false }: LoginOptions,
): Promise<void> {
  const { url: server, save } = begin(name, url);
  if (codeStdin && !passwordStdin)
    throw new CliError("usage", "--code-stdin reads the line after the password: add --password-stdin.");
  const asking = { message: `Password of ${email}`, fromStdin: passwordStdin, flag: "--password-stdin" };
  const read = await readSecret(context, asking);
  const { password, code } = codeStdin ? splitLines(read) : { password: read, code: undefined };
  const client = createClient(server);
  const askCode = async () =>
    (
      await readSecret(context, { message: "Two-factor code", fromStdin: false, flag: "--code-stdin" })
    ).trim();
  const login = await enter(client, { email, password, ...defined({ two_factor_code: code }) }, askCode);
  const changed = await save({ token: login.token, expires_at: login.expires_at });
  reportDone(
    context,
    `${login.user.email} is logged in at ${server} until ${readable(login.expires_at)}. To use it: --profile ${name}`,
    shown([name, changed]),
  );
}

/** Reads a password and the two-factor or recovery code of the line after it. */
function splitLines(text: string): { password: string; code: string } {
  const [, password, code] = /^([^\r\n]+)\r?\n([^\r\n]+)$/.exec(text) ?? [];
  if (password === undefined || code === undefined)
    throw new CliError("usage", "Standard input must have two lines: the password, and the two-factor code.");
  return { password, code: code.trim() };
}

async function enter(
  { request }: Client,
  fields: { email: string; password: string; two_factor_code?: string },
  askCode: () => Promise<string>,
) {
  try {
    return await request("POST /auth/login", fields);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "two_factor_required")) throw error;
    return await request("POST /auth/login", { ...fields, two_factor_code: await askCode() });
  }
}

export async function remove(context: CommandContext, name: string): Promise<void> {
  const profiles = openProfiles(profilesFile());
  const { url, token } = profiles.get(name);
  await context.confirm(`Remove the profile "${name}" for ${url}?`);
  await profiles.remove(name);
  if (token !== undefined) {
    await createClient(url, { token, retries: 0, timeoutMs: 5_000 })
      .request("POST /users/me/sessions/logout")
      .catch((error: unknown) => {
        const why = error instanceof Error ? error.message : String(error);
        context.output.warn(`The login may stay valid on the server until it expires: ${why}`);
      });
  }
  context.output.done(`The profile "${name}" is removed.`);
}
