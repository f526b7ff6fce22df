import { generateSync } from "otplib";
import type { VerbCalls } from "./verb-calls.ts";
import { type Inside, MINUTE, password } from "./world.ts";

const codeAt = (secret: string, ms: number): string =>
  generateSync({ secret, epoch: Math.floor(ms / 1_000) });
/** Sets up two-factor login; returns the secret. */
async function setUpTwoFactor({ owner, now }: Inside): Promise<string> {
  const { secret } = await owner.twoFactor.setup();
  await owner.twoFactor.verify({ code: codeAt(secret, now()) });
  return secret;
}

/** Calls about users, their workspaces, and the logs of their actions. */
export const peopleCalls: Pick<
  VerbCalls,
  | "accounts"
  | "users"
  | "sessions"
  | "twoFactor"
  | "workspaces"
  | "members"
  | "invitations"
  | "plans"
  | "auditLog"
  | "events"
  | "apiKeys"
> = {
  accounts: {
    register: ({ posthorn }) =>
      posthorn.accounts.register({ name: "Eve", email: "eve@example.com", password }),
    verifyEmail: ({ posthorn, verificationToken: token }) =>
      posthorn.accounts.verifyEmail({ token, password }),
    resendVerification: ({ posthorn, newcomer: { email } }) =>
      posthorn.accounts.resendVerification({ email }),
    forgotPassword: ({ posthorn, ada: { email } }) => posthorn.accounts.forgotPassword({ email }),
    resetPassword: ({ posthorn, resetToken: token }) =>
      posthorn.accounts.resetPassword({ token, password: `${password} anew` }),
    login: ({ posthorn, ada: { email } }) => posthorn.accounts.login({ email, password }),
  },
  users: {
    getMe: ({ owner }) => owner.users.getMe(),
    updateMe: ({ owner }) => owner.users.updateMe({ name: "Ada L." }),
    changePassword: ({ owner }) =>
      owner.users.changePassword({ currentPassword: password, password: `${password} anew` }),
    list: ({ posthorn }) => posthorn.users.list(),
    get: ({ posthorn, ada: { userId } }) => posthorn.users.get({ userId }),
    getByEmail: ({ posthorn, ada: { email } }) => posthorn.users.getByEmail({ email }),
    create: ({ posthorn }) => posthorn.users.create({ name: "Eve", email: "eve@example.com", password }),
    ensure: ({ posthorn }) =>
      posthorn.users.ensure({ externalId: "7", name: "Eve", email: "eve@example.com" }),
    link: ({ posthorn, nobody: { userId } }) => posthorn.users.link({ userId, externalId: "8" }),
    async deleteMe({ posthorn, owner, ada }) {
      await posthorn.workspaces.createFor({ name: "Other", userId: ada.userId });
      const { items } = await owner.workspaces.list();
      for (const { id, name } of items) await posthorn.workspace(id).workspaces.delete({ name });
      await owner.users.deleteMe({ password });
    },
    delete: ({ posthorn, nobody: { userId } }) => posthorn.users.delete({ userId }),
    promote: ({ posthorn, nobody: { userId } }) => posthorn.users.promote({ userId }),
    demote: ({ posthorn, secondAdministrator: { userId } }) => posthorn.users.demote({ userId }),
    setPassword: ({ posthorn, nobody: { userId } }) => posthorn.users.setPassword({ userId, password }),
    async resetTwoFactor(at) {
      await setUpTwoFactor(at);
      await at.posthorn.users.resetTwoFactor({ userId: at.ada.userId });
    },
    listSessions: ({ posthorn, ada: { userId } }) => posthorn.users.listSessions({ userId }),
    revokeSessions: ({ posthorn, ada: { userId } }) => posthorn.users.revokeSessions({ userId }),
  },
  sessions: {
    list: ({ owner }) => owner.sessions.list(),
    revoke: ({ owner, otherSessionId: sessionId }) => owner.sessions.revoke({ sessionId }),
    revokeOthers: ({ owner }) => owner.sessions.revokeOthers(),
    logout: ({ owner }) => owner.sessions.logout(),
  },
  twoFactor: {
    setup: ({ owner }) => owner.twoFactor.setup(),
    verify: setUpTwoFactor,
    async disable(at) {
      const secret = await setUpTwoFactor(at);
      // A code is accepted only once, so the next one is used, half a minute early.
      await at.owner.twoFactor.disable({ code: codeAt(secret, at.now() + MINUTE / 2) });
    },
    async qr({ owner }) {
      await owner.twoFactor.setup();
      await owner.twoFactor.qr();
    },
  },
  workspaces: {
    list: ({ owner }) => owner.workspaces.list(),
    create: ({ owner }) => owner.workspaces.create({ name: "New" }),
    createFor: ({ posthorn, nobody: { userId } }) => posthorn.workspaces.createFor({ name: "New", userId }),
    ensure: ({ posthorn }) => posthorn.workspaces.ensure({ externalId: "9", name: "New" }),
    get: ({ shop }) => shop.workspaces.get(),
    update: ({ shop }) => shop.workspaces.update({ name: "Renamed" }),
    delete: ({ shop }) => shop.workspaces.delete({ name: "Shop" }),
    transferOwnership: ({ shop, memberId: userId }) => shop.workspaces.transferOwnership({ userId }),
    listAll: ({ posthorn }) => posthorn.workspaces.listAll(),
    find: ({ posthorn, workspaceId }) => posthorn.workspaces.find({ workspaceId }),
    trust: ({ posthorn, workspaceId }) => posthorn.workspaces.trust({ workspaceId }),
    distrust: ({ posthorn, workspaceId }) => posthorn.workspaces.distrust({ workspaceId }),
  },
  members: {
    list: ({ shop }) => shop.members.list(),
    add: ({ posthorn, workspaceId, nobody: { userId } }) =>
      posthorn.members.add({ workspaceId, userId, role: "editor" }),
    ensure: ({ shop, nobody: { userId } }) => shop.members.ensure({ userId, role: "editor" }),
    setRole: ({ shop, memberId }) => shop.members.setRole({ memberId, role: "editor" }),
    remove: ({ shop, memberId }) => shop.members.remove({ memberId }),
  },
  invitations: {
    create: ({ shop }) => shop.invitations.create({ email: "fay@example.com", role: "editor" }),
    list: ({ shop }) => shop.invitations.list(),
    cancel: ({ shop, sparedInvitationId: id }) => shop.invitations.cancel({ id }),
    listMine: ({ guest }) => guest.invitations.listMine(),
    accept: ({ guest, invitationToken: token }) => guest.invitations.accept({ token }),
    decline: ({ guest, invitationToken: token }) => guest.invitations.decline({ token }),
    acceptById: ({ guest, invitationId: id }) => guest.invitations.acceptById({ id }),
    declineById: ({ guest, invitationId: id }) => guest.invitations.declineById({ id }),
  },
  plans: {
    create: ({ posthorn }) => posthorn.plans.create({ name: "New", isDefault: true }),
    list: ({ posthorn }) => posthorn.plans.list(),
    get: ({ posthorn, planId }) => posthorn.plans.get({ planId }),
    update: ({ posthorn, planId }) => posthorn.plans.update({ planId, hourlyRateLimit: 5 }),
    delete: ({ posthorn, planId }) => posthorn.plans.delete({ planId, force: true }),
    setDefault: ({ posthorn, planId }) => posthorn.plans.setDefault({ planId }),
    assignToWorkspace: ({ posthorn, workspaceId, sparePlanId: planId }) =>
      posthorn.plans.assignToWorkspace({ workspaceId, planId }),
    getForWorkspace: ({ posthorn, workspaceId }) => posthorn.plans.getForWorkspace({ workspaceId }),
    assignToUser: ({ posthorn, ada: { userId }, sparePlanId: planId }) =>
      posthorn.plans.assignToUser({ userId, planId }),
    getForUser: ({ posthorn, ada: { userId } }) => posthorn.plans.getForUser({ userId }),
    getCurrent: ({ shop }) => shop.plans.getCurrent(),
    unassignFromWorkspace: ({ posthorn, workspaceId }) =>
      posthorn.plans.unassignFromWorkspace({ workspaceId }),
    unassignFromUser: ({ posthorn, ada: { userId } }) => posthorn.plans.unassignFromUser({ userId }),
    listHolders: ({ posthorn, planId }) => posthorn.plans.listHolders({ planId }),
  },
  auditLog: {
    listForWorkspace: ({ shop }) => shop.auditLog.listForWorkspace(),
    listMine: ({ owner }) => owner.auditLog.listMine(),
  },
  events: {
    list: ({ posthorn }) => posthorn.events.list(),
    getPosition: ({ posthorn }) => posthorn.events.getPosition(),
  },
  apiKeys: {
    create: ({ shop }) => shop.apiKeys.create({ name: "new" }),
    list: ({ shop }) => shop.apiKeys.list(),
    revoke: ({ shop, apiKeyId }) => shop.apiKeys.revoke({ apiKeyId }),
  },
};
