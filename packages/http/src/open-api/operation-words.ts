// Printed by `npm run verbs`. Do not edit.
/** What each operation of the API does, by the verb that it calls: the words of its docstring. */
export const operationWords: Readonly<Record<string, string>> = {
  "accounts.register":
    "Creates an account if `registration` allows the caller to. An invitation's token verifies the address; without one, a verification link is mailed.",
  "accounts.verifyEmail":
    "Verifies an address by the token that was mailed to it, together with the account's password. The link alone would endorse the password of a stranger who created the account in advance. A person who does not know the password chooses a new one, which ends the stranger's sessions.",
  "accounts.resendVerification":
    "Sends another verification link. The answer is the same whether or not the address is known, and is given before the look-up.",
  "accounts.forgotPassword":
    "Sends a link to choose a new password. The answer is the same whether or not the address is known, and is given before the look-up.",
  "accounts.resetPassword":
    "Sets a new password by a mailed token and revokes all sessions of the user. The token also verifies the address. Two-factor login stays on.",
  "accounts.login":
    "Logs a user in. The answer does not distinguish an unknown address from a wrong password.",
  "users.getMe": "Returns the caller's profile.",
  "users.updateMe": "Changes the caller's name.",
  "users.changePassword": "Changes the caller's password and revokes all other sessions.",
  "users.list": "Lists all users, newest first. `q` is searched in name and address.",
  "users.get": "Returns one user.",
  "users.create":
    "Creates a user with a verified address, as the creator vouches for it. The operator creates the first administrator, since only administrators can create others. Fails with `email_taken`.",
  "users.ensure":
    "Creates or updates the user with the host's own id: created if there is none, updated if the name or address differs. Such a user has no password, and the address counts as verified, as the host vouches for both. Repeating it is safe, and so are concurrent calls. Fails with `email_taken` if another account has the address: set that account's external id instead.",
  "users.link":
    "Sets or replaces an account's external id, which is the host's own. The password keeps working beside the host's login. An account whose address was never verified loses its password and sessions, as a stranger may have opened it. Fails with `external_id_taken`.",
  "users.deleteMe":
    "Deletes the caller's account; the password is the confirmation. Revokes its sessions and removes its memberships and pending invitations. The logs keep the user's actions, with the name. Fails with `owns_workspaces` if a workspace would lose its last owner, `forbidden` for an administrator.",
  "users.delete":
    "Deletes a user's account, with the effects of the user's own deletion. For administrators.",
  "users.promote":
    "Makes a user an administrator, whose address must be verified. Only the operator can make the first one, since only administrators may do this.",
  "users.demote":
    "Removes a user's administrator rights, from the next request on. Administrators can't demote themselves. The operator may demote the last administrator.",
  "users.resetTwoFactor":
    "Disables a user's two-factor login and revokes the user's sessions. For administrators.",
  "users.listSessions": "Lists a user's unexpired sessions, newest first, including revoked ones.",
  "users.revokeSessions":
    "Revokes all of a user's sessions, including the current one if the user is the caller. Their tokens are refused from the next request on.",
  "sessions.list": "Lists the caller's unexpired sessions, newest first, including revoked ones.",
  "sessions.revoke": "Revokes one of the caller's sessions. Its token is refused from the next request on.",
  "sessions.revokeOthers": "Revokes all of the caller's sessions except the current one.",
  "sessions.logout": "Ends the current session.",
  "twoFactor.setup":
    "Creates a secret that a first code must confirm within ten minutes, and replaces a pending one. The address must be verified.",
  "twoFactor.verify":
    "Enables two-factor login with a first valid code. The recovery codes are shown only once.",
  "twoFactor.disable": "Disables two-factor login, given a valid code that was not used before.",
  "twoFactor.qr":
    "Draws the pending set-up as a QR code, an SVG document. Once two-factor login is enabled, the secret is never shown again.",
  "workspaces.list": "Lists the caller's workspaces with the caller's role in each, newest first.",
  "workspaces.create":
    "Creates a workspace with the caller as its owner, within the `max_workspaces` of the caller's plan. It is trusted if the operator vouches for the caller; otherwise an administrator must trust it. In a single-workspace service only the host creates others.",
  "workspaces.ensure":
    "Creates or updates the workspace with the host's own id: created if there is none, renamed if its name differs. It is trusted, and needs no owner: without one, only the host and its API keys act on it. Repeating the call is safe, and so are concurrent calls.",
  "workspaces.get": "Returns the workspace of the call.",
  "workspaces.update": "Renames the workspace.",
  "workspaces.delete":
    "Deletes the workspace with everything in it. Its exact name is the confirmation. Large tables, such as e-mails, are deleted first, in pieces, and meanwhile the workspace sends nothing more. After an interrupted deletion it remains without those rows, sends again within a minute, and can be deleted again. The only workspace of a single-workspace service can't be deleted.",
  "workspaces.transferOwnership":
    "Makes a member the owner and the owner an admin, atomically. The new owner's plan must allow one more workspace: otherwise transfers would bypass `max_workspaces`.",
  "workspaces.listAll": "Lists all workspaces, newest first. `q` is searched in the name.",
  "workspaces.find": "Returns any workspace. For administrators, who need not be members.",
  "workspaces.trust":
    "Trusts a workspace: it may then send from the server's default sender and through its mail server.",
  "workspaces.distrust":
    "Withdraws the trust: the workspace sends only from its own verified domains, or through mail servers of its own. That also holds for e-mails that wait, except those of the last minute.",
  "members.list":
    "Lists the workspace's members, oldest first. All come in one answer; many are read in pieces, between which others' calls go on.",
  "members.add":
    "Adds a user to a workspace at once, without an invitation, and notifies them by e-mail. For administrators only: owners and admins must invite, so that strangers can't add anybody or find out who has an account. Fails with `already_member`, `email_not_verified`, `owner_role_not_assignable` if the workspace has an owner, or `plan_limit_reached` if an owner's plan allows no further workspace.",
  "members.setRole":
    "Changes a member's role and notifies the member by e-mail. Nobody can change their own role, and the owner's role can't be changed here. If the new role may not invite, the member's pending invitations are withdrawn.",
  "members.remove":
    "Removes a member from the workspace, and the pending invitations that they sent. Owner and admins remove others; any member but the owner may leave.",
  "invitations.create": "Invites an address to the workspace and mails it the link.",
  "invitations.list": "Lists the workspace's pending invitations, newest first, without expired ones.",
  "invitations.cancel": "Deletes a pending invitation of the workspace.",
  "invitations.listMine":
    "Lists the pending invitations to the caller's address. The address must be verified: otherwise a stranger could read them.",
  "invitations.accept":
    "Joins the caller to the workspace by the token from the e-mail, which also proves and verifies the caller's address.",
  "invitations.decline": "Declines an invitation by the token from the mail.",
  "invitations.acceptById":
    "Joins the caller to the workspace by the invitation's id. The caller's address must be verified.",
  "invitations.declineById": "Declines an invitation by its id. The caller's address must be verified.",
  "templates.create": "Creates a template. Its content becomes its first version, which is active at once.",
  "templates.list": "Lists the workspace's templates, newest first.",
  "templates.get": "Returns a template with its active version's content.",
  "templates.update":
    "Changes a template's name, description or language. Its content belongs to the versions.",
  "templates.delete": "Deletes a template with its versions. E-mails already accepted are sent unchanged.",
  "templateVersions.create": "Creates a version with the next number. The active one stays active.",
  "templateVersions.list": "Lists a template's versions, newest first.",
  "templateVersions.get": "Returns a version with its content.",
  "templateVersions.update":
    "Changes the given parts of a version. E-mails already accepted keep the former content.",
  "templateVersions.delete": "Deletes a version other than the active one.",
  "templateVersions.activate": "Activates a version, which is sent from then on in place of the former one.",
  "templateVersions.preview":
    "Renders a version as it would be sent, with stylesheets inlined, and returns the names of placeholders that have no value. Default values: the version's sample data. Fails with `template_render_failed` past a limit.",
  "templateVersions.test":
    "Sends a version, active or not, to the given addresses. The e-mail is marked as a test, and counts towards the quota.",
  "stylesheets.create": "Creates a stylesheet, which is inlined into the workspace's e-mails from then on.",
  "stylesheets.list": "Lists the workspace's stylesheets, newest first.",
  "stylesheets.get": "Returns one stylesheet.",
  "stylesheets.update": "Changes a stylesheet's name or CSS. Later e-mails use the new one.",
  "stylesheets.delete": "Deletes a stylesheet, which is no longer inlined.",
  "settings.get": "Returns the workspace's settings, for any member.",
  "settings.update": "Changes the given settings of the workspace and returns all of them.",
  "plans.create": "Creates a plan. It is active and without limits by default.",
  "plans.list": "Lists all plans, oldest first.",
  "plans.get": "Returns one plan.",
  "plans.update": "Changes the given fields of a plan. The default plan can't be deactivated.",
  "plans.delete":
    "Deletes a plan. With `force` it is first unassigned from all workspaces and users, in pieces: after an interrupted deletion the plan remains with the rest of them, and can be deleted again. The default plan can't be deleted.",
  "plans.setDefault": "Makes a plan the default and unsets the previous one.",
  "plans.assignToWorkspace": "Assigns a plan to a workspace.",
  "plans.getForWorkspace":
    "Returns the plan that applies to a workspace, and whether it is assigned or the default.",
  "plans.assignToUser": "Assigns a plan to a user. It limits how many workspaces the user may own.",
  "plans.getForUser": "Returns the plan that applies to a user, and whether it is assigned or the default.",
  "plans.getCurrent": "Returns the workspace's own plan, otherwise the default.",
  "plans.unassignFromWorkspace":
    "Unassigns a workspace's plan, so that the default plan applies again. Does nothing if none is assigned.",
  "plans.unassignFromUser":
    "Unassigns a user's plan, so that the default plan applies again. Does nothing if none is assigned.",
  "plans.listHolders":
    "Lists the workspaces and users that a plan is assigned to, workspaces first. Those that have it only as the default are not included.",
  "auditLog.listForWorkspace":
    "Lists the workspace's audit log, newest first: the category `audit`, or another that is asked for. E-mails tell of their own events, so that a filter for `email` finds nothing.",
  "auditLog.listMine":
    "Lists the caller's own security log: logins, passwords, two-factor login and sessions.",
  "events.list": "Lists all events of the platform, newest first.",
  "events.getPosition": "Returns the position of the event log, as a start for followers.",
  "apiKeys.create":
    "Creates an API key, within the plan's `max_api_keys`. The owner's address must be verified. The key's text is returned only here.",
  "apiKeys.list": "Lists the workspace's unrevoked keys, newest first.",
  "apiKeys.revoke": "Revokes a key. It is refused from the next request on.",
  "webhooks.create":
    "Creates a webhook that posts events to a URL. The signing secret is returned only here.",
  "webhooks.list": "Lists the workspace's webhooks, newest first.",
  "webhooks.get": "Returns one webhook, without its secret.",
  "webhooks.update": "Changes a webhook. Another URL, or enabling it again, resets its count of failures.",
  "webhooks.delete":
    "Deletes a webhook with its deliveries. The deliveries are deleted first, in pieces: after an interrupted deletion the webhook remains without them, and can be deleted again.",
  "webhooks.rotateSecret":
    "Rotates a webhook's signing secret and returns the new one, only here. The former one stays valid for 24 h.",
  "webhooks.listDeliveries": "Lists a webhook's deliveries, newest first.",
  "webhooks.redeliver":
    "Queues a delivery that is settled, or waits for its next attempt, to be posted now, with the full number of attempts. One that is due or under way is left unchanged. A pause that the endpoint asked for ends.",
  "webhooks.test":
    "Queues a delivery of `webhook.test`, whichever types the webhook subscribes to. A pause that the endpoint asked for ends.",
  "attachments.upload":
    "Stores a file that sends and campaigns can refer to by its id, for 7 days from the upload, and at least as long from each use.",
  "attachments.get": "Reads an uploaded file's metadata, without its content.",
  "attachments.delete": "Deletes an uploaded file; e-mails that were accepted with it keep their copy.",
  "suppressions.list": "Lists the workspace's suppressions, newest first, without expired ones.",
  "suppressions.get": "Returns one suppression of an address or a domain, by its scope.",
  "suppressions.create":
    "Suppresses an address or a whole domain. An existing suppression is returned unchanged, unless it would expire earlier: then its end is extended to this one's.",
  "suppressions.delete":
    "Deletes a suppression. If a complaint caused it, the permission `suppressions:release` is needed.",
  "suppressions.check":
    "Checks which of up to 1,000 addresses are suppressed, by the rules that apply to sending.",
  "suppressions.import":
    "Suppresses the addresses of a file, a thousand per transaction: those stored stay even if a later line can't be read, and importing a file twice is safe. One event tells of all that was stored. Recognises exports of Amazon SES, SendGrid, Postmark and Mailgun.",
  "suppressions.export":
    "Exports all suppressions in a form that can be imported again. They are read in pieces while they are consumed, so that suppressions added in the meantime may be included or not. In CSV, a reason that a spreadsheet would take for a formula is preceded by an apostrophe; an address never is.",
  "domains.create":
    "Adds a sending domain, within the plan's `max_domains`. Returns the DNS records to publish, which are checked from a minute later on, at growing intervals, for 30 days.",
  "domains.list": "Lists the workspace's sending domains, newest first.",
  "domains.get": "Returns one sending domain, with the records to publish and the status of each.",
  "domains.update":
    "Changes a sending domain. The change applies from each e-mail's next delivery attempt on.",
  "domains.verify":
    "Checks a sending domain's records now, at the zone's own name servers. Takes at most 10 seconds; allowed 30 times in ten minutes.",
  "domains.rotateDkim":
    "Rotates the DKIM keys. Standby keys sign from the next delivery attempt on, and new standby keys are created, whose records are to be published: always for RSA, and for Ed25519 if that signs or its record is published. Fails with `dkim_not_published`, with the record, if a standby key's record is not published.",
  "domains.delete":
    "Deletes a sending domain and its keys, irrevocably. Waiting e-mails are sent unsigned from then on; those accepted only because the domain was verified are refused.",
  "smtpServers.create":
    "Adds a mail server to the workspace, within the plan's `max_smtp_servers`. Does not connect to it; `test` does.",
  "smtpServers.list": "Lists the workspace's own mail servers, by priority, then oldest first.",
  "smtpServers.get": "Reads one of the workspace's own mail servers, with its state.",
  "smtpServers.update":
    "Changes a mail server; connections with the former settings are closed, and a server that was down is tried again.",
  "smtpServers.delete":
    "Removes a mail server; e-mails that wait for it use another one that accepts their sender.",
  "smtpServers.test":
    "Tests a mail server step by step, and returns how far the test went, whether or not it succeeded; at most 10 times a minute per workspace. A server that was down and answers is used again at once.",
  "emails.sendTemplate":
    "Accepts an e-mail from a template's active version. Once the call returns, the e-mail is stored; started services, workers among them, deliver it.",
  "emails.send":
    "Accepts an e-mail whose content is in the call. Once the call returns, the e-mail is stored; started services, workers among them, deliver it.",
  "emails.sendBatch":
    "Accepts up to 10,000 e-mails at once: one for each of `recipients`, or `emails` that differ. All of them or none, unless `on_invalid` is `skip`; a suppressed recipient does not affect the others.",
  "emails.getBatch": "Reads a batch's delivery status, counted from its e-mails that are still in the log.",
  "emails.cancelBatch":
    "Cancels a batch's waiting e-mails and returns their number. Their quota is not given back.",
  "emails.list": "Lists the workspace's e-mails, newest first.",
  "emails.get": "Reads an e-mail with its recipients' states, its attempts and its timeline.",
  "emails.cancel":
    "Cancels an e-mail that still waits. Fails with `not_cancellable` if a worker has leased it, if it is settled, or if a mail server may have accepted it. One that some recipients got is partially sent. Its quota is not given back.",
  "emails.reschedule":
    "Reschedules an e-mail that still waits. Fails with `not_cancellable` if a worker has leased it or it is settled, and `deadline_passed` for a time after its deadline. One that `when_limited` charged to a later hour is sent in that hour at the earliest.",
  "emails.retry":
    "Queues a failed e-mail again, for the recipients that did not get it. Fails with `not_retryable` if it did not fail, its content is removed, or its deadline has passed, and `all_recipients_suppressed` if each of these recipients is suppressed.",
  "emails.getContent":
    "Reads an e-mail's content, rendered as it is transmitted, without additions made at that time, such as signatures. Refuses sealed content, such as that of sensitive e-mails, and content that was removed (`content_unavailable`).",
  "emails.getAttachment":
    "Reads the content of one of an e-mail's files. It is read after the call, during iteration.",
  "inbound.feed":
    "Processes a bounce, complaint or other report about the workspace's e-mails, from a program that reads the mailbox of bounces; the same message counts only once.",
  "inbound.receive":
    "Processes a relay's own webhook, if its signature is valid: a relay's customer never sees the notifications of the servers behind it. Fails with `not_found` for an unknown path, `unauthenticated` for a call that the provider did not make, or whose signature came with another content before, and `unavailable`, so that the relay repeats its call, if that can't be verified for the moment, or if it names an e-mail by the relay's own id alone while one to the recipient is being sent.",
  "inbound.list":
    "Lists bounces, delays and complaints about the workspace's e-mails of the last 7 days, newest first.",
  "inbound.get": "Reads a report with its message, which shows why an address was suppressed.",
  "inboundEndpoints.create":
    "Creates an endpoint for a relay's webhooks. Its path is shown only once, and so is the signing secret if it was generated.",
  "inboundEndpoints.list": "Lists the endpoints for relays' webhooks, newest first.",
  "inboundEndpoints.delete": "Deletes an endpoint: its webhooks are refused from now on.",
  "campaigns.create":
    "Creates a campaign, which is a draft until it is started. A template that it names must exist, here and again at the start.",
  "campaigns.list": "Lists the workspace's campaigns, newest first.",
  "campaigns.get": "Reads a campaign, with its recipients so far by outcome.",
  "campaigns.update":
    "Replaces all fields of a campaign that has not begun; its list stays, and so do its content and its files if they are left out. A scheduled campaign takes its template's current content, and begins at the time given here.",
  "campaigns.delete": "Deletes a campaign that was never started, with its list of any length.",
  "campaigns.addRecipients":
    "Adds recipients to a campaign that has not begun; those who are already on its list stay unchanged.",
  "campaigns.listRecipients":
    "Lists a campaign's recipients in the order of its list, with the state of each; the e-mail itself has further details.",
  "campaigns.check":
    "Checks the whole list as if it were sent: reports missing values, suppressed recipients and the expected duration. Stores nothing.",
  "campaigns.test":
    "Sends a campaign's content with its files to one address, marked as a test and counted against the quota.",
  "campaigns.start":
    "Starts a draft: at its scheduled time, or at once. It uses its template's current content, and later changes to the template don't affect it.",
  "campaigns.pause":
    "Pauses a running campaign: waiting e-mails stay in the queue, those on their way to a mail server are still sent.",
  "campaigns.resume":
    "Resumes a paused campaign: at its pace, as if no time had passed, and judged by bounces and complaints from now on.",
  "campaigns.cancel":
    "Cancels a campaign for good: nothing more is sent, and waiting e-mails are cancelled in the background.",
  "metrics.get":
    "Reads the workspace's delivery figures by hour or day and by domain, from counts that are written with each outcome.",
  "queue.status":
    "Returns the queue's status: its size, the routes that are held and why, and the workers that deliver.",
  "queue.pause":
    "Pauses delivery of all e-mails, or of one route's. Returns whether this changed anything. Attempts in progress are finished.",
  "queue.resume":
    "Resumes delivery of all e-mails, or of one route's. Returns whether it was paused, and how many e-mails were cancelled before.",
  "recipients.export":
    "Exports all of the workspace's data about a recipient as NDJSON: one JSON object per line, each with its `type`. It is read in pieces while it is consumed, so that any size is possible.",
  "recipients.erase":
    "Erases a recipient from the workspace: a worker replaces the address, name, subjects, values and replies wherever they are stored, and cancels the recipient's waiting e-mails. Counts stay, and so do suppressions, under a hash. Repeating the call while the erasure runs changes nothing.",
};
