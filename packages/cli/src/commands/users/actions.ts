import { allPages, type RequestedPage } from "../../program/connection/all-pages.ts";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { operatorCall } from "../../program/connection/operator-call.ts";
import { defined } from "../../program/verbs/defined.ts";
import { findUser, type User } from "../../program/verbs/find-user.ts";
import { countOf } from "../../terminal/count-of.ts";
import { readNewPassword } from "../../terminal/read-input.ts";
import { readable, reportDone } from "../../terminal/report-done.ts";

const nameOf = ({ id, name, email }: Pick<User, "id" | "name" | "email">): string =>
  `${name} <${email}> (user ${id})`;

export async function show(context: CommandContext, named: string): Promise<void> {
  const user = await findUser(context, named);
  context.output.record(
    {
      id: user.id,
      name: user.name,
      "e-mail": user.email,
      verified: user.email_verified ? "yes" : "no",
      "two-factor login": user.two_factor_enabled ? "on" : "off",
      administrator: user.is_admin ? "yes" : "no",
      "external id": user.external_id,
      created: readable(user.created_at),
    },
    user,
  );
}

export async function link(context: CommandContext, named: string, externalId: string): Promise<void> {
  const { id: userId, email } = await findUser(context, named);
  const api = await context.api();
  const linked = await api.request("PUT /admin/users/{userId}/external-id", {
    userId,
    external_id: externalId,
  });
  reportDone(context, `The external id of ${email} is now "${linked.external_id}".`, linked);
}

interface NewUser {
  email: string;
  name?: string;
  admin?: boolean;
  passwordStdin?: boolean;
}

export async function create(context: CommandContext, options: NewUser): Promise<void> {
  const { email, admin } = options;
  const name = options.name ?? email.slice(0, email.lastIndexOf("@"));
  const api = await context.api();
  const password = await readNewPassword(context, options);
  const fields = { email, name, password, ...defined({ is_admin: admin }) };
  const user = await api.request("POST /admin/users", fields);
  reportDone(
    context,
    `${nameOf(user)} is created as ${user.is_admin ? "an administrator" : "a user"}.`,
    user,
  );
}

export async function promote(context: CommandContext, named: string): Promise<void> {
  const { id: userId } = await findUser(context, named);
  const api = await context.api();
  const user = await api.request("POST /admin/users/{userId}/administrator", { userId });
  reportDone(context, `${nameOf(user)} is now an administrator.`, user);
}

export async function demote(context: CommandContext, named: string): Promise<void> {
  const before = await findUser(context, named);
  await context.confirm(`Remove the administrator rights of ${nameOf(before)}?`);
  const api = await context.api();
  const user = await api.request("DELETE /admin/users/{userId}/administrator", { userId: before.id });
  reportDone(context, `${nameOf(user)} is no longer an administrator.`, user);
}

export async function resetTwoFactor(context: CommandContext, named: string): Promise<void> {
  const user = await findUser(context, named);
  if (user.two_factor_enabled) {
    const sessions = await describeSessions(context, user);
    context.output.note(
      `This disables two-factor login for ${nameOf(user)}, ends ${sessions}, and notifies them by e-mail.`,
    );
    await context.confirm(`Disable two-factor login for ${user.email}?`);
  }
  // If two-factor login is not enabled, the service itself refuses.
  const api = await context.api();
  await api.request("DELETE /admin/users/{userId}/2fa", { userId: user.id });
  reportDone(context, `Two-factor login of ${nameOf(user)} is disabled; the password alone logs in.`, {
    ...user,
    two_factor_enabled: false,
  });
}

export async function setPassword(
  context: CommandContext,
  named: string,
  options: { passwordStdin?: boolean },
): Promise<void> {
  context.ownDatabase(
    "A server lets nobody set another user's password: users set a new one through the link in the e-mail that a password reset sends.",
  );
  const posthorn = await context.posthorn();
  const user = await findUser(context, named);
  const sessions = await describeSessions(context, user);
  context.output.note(
    `This gives ${nameOf(user)} a new password, ends ${sessions}, and notifies them by e-mail.`,
  );
  await context.confirm(`Set a new password for ${user.email}?`);
  const password = await readNewPassword(context, options);
  await posthorn.users.setPassword({ userId: user.id, password }, operatorCall());
  reportDone(context, `${nameOf(user)} has the new password.`, user);
}

export async function remove(context: CommandContext, named: string): Promise<void> {
  const user = await findUser(context, named);
  const sessions = await describeSessions(context, user);
  context.output.note(
    `This deletes ${nameOf(user)} with their memberships, ends ${sessions}, and notifies them by e-mail. It can't be undone.`,
  );
  await context.confirm(`Delete the account of ${user.email}?`);
  const api = await context.api();
  await api.request("DELETE /admin/users/{userId}", { userId: user.id });
  reportDone(context, `The account of ${nameOf(user)} is deleted.`, user);
}

export async function revokeSessions(context: CommandContext, named: string): Promise<void> {
  const user = await findUser(context, named);
  context.output.note(
    `This ends ${await describeSessions(context, user)} of ${nameOf(user)}; they must log in again.`,
  );
  await context.confirm(`End every session of ${user.email}?`);
  const api = await context.api();
  const { revoked } = await api.request("DELETE /admin/users/{userId}/sessions", { userId: user.id });
  reportDone(context, `${countOf(revoked, "session", "sessions")} of ${nameOf(user)} ended.`, {
    user_id: user.id,
    revoked,
  });
}

async function describeSessions(context: CommandContext, user: User): Promise<string> {
  const { request } = await context.api();
  let open = 0;
  const ask = (page: RequestedPage) =>
    request("GET /admin/users/{userId}/sessions", { ...page, userId: user.id });
  for await (const page of allPages(ask)) open += page.filter(({ revoked }) => !revoked).length;
  return countOf(open, "session", "sessions");
}

export async function plan(context: CommandContext, named: string): Promise<void> {
  const { id, email } = await findUser(context, named);
  const api = await context.api();
  const found = await api.request("GET /admin/users/{id}/plan", { id });
  context.output.record({ user: email, plan: found.plan.name, source: found.source }, found);
}
