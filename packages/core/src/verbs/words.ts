// Printed by `npm run verbs`. Do not edit.
/** What each public verb does, by `aggregate.verb`: the words of its docstring, for references and help. */
export const verbWords: Readonly<Record<string, string>> = {
  "accounts.register":
    "Opens an account, as far as `registration` lets the caller (decisions §12). The token of an invitation verifies the address; without one, a link to verify it is mailed (decisions §2).",
  "accounts.verifyEmail":
    "Verifies an address by the token that was mailed to it (decisions §2), together with the account's password. The link alone would endorse the password of a stranger who opened the account in advance; who does not know it chooses a new one, and what the stranger set up ends.",
  "accounts.resendVerification":
    "Mails another link to verify an address; answers alike, and before it looks, whether or not the address is known (decisions §2).",
  "accounts.forgotPassword":
    "Mails a link to choose a new password; answers alike, and before it looks, whether or not the address is known (decisions §2).",
  "accounts.resetPassword":
    "Sets a new password by a mailed token; every session of the user is revoked, two-factor login stays (decisions §2). The token proves the address: one that was not verified is from here on, and what a stranger set up before is undone.",
  "accounts.login":
    "Logs a person in; an unknown address and a wrong password are told apart by nothing (decisions §2).",
  "users.getMe": "The caller's profile (decisions §2).",
  "users.updateMe": "Changes the caller's name (decisions §2).",
  "users.changePassword": "Changes the caller's password; all other sessions are revoked (decisions §2).",
  "users.list": "Every user, newest first; `q` is looked for in name and address (decisions §2).",
  "users.get": "One user.",
  "users.getByEmail": "The user with an address: for the command line, where people are named by it.",
  "users.create":
    "Makes a user whose address counts as verified, as who makes the account vouches for it. The first administrator is made by the operator, since only administrators may (decisions §2). Throws `email_taken`.",
  "users.ensure":
    "Makes sure that there is a user under the host's own id, with this name and address: made where there is none, changed where either is another. Such a user has no password, and the address counts as verified, as the host vouches for both. As often and as many at once as you like. Throws `email_taken` where the address is another account's: `users.link` ties that one to the id.",
  "users.link":
    "Ties an account to the host's own id, in place of a former one. A password that it has goes on working beside the host's login; but of an account whose address was never verified nothing stays that a stranger may have set up: password, two-factor login and sessions end. Throws `external_id_taken`.",
  "users.deleteMe":
    "Deletes the caller's account; the password is the confirmation. Logins end, memberships and the invitations that the person has open go; what the person did stays in the logs, by name. Throws `owns_workspaces` as long as a workspace would be left without an owner.",
  "users.delete": "Deletes a user's account, in the same way: for administrators.",
  "users.promote":
    "Makes a user an administrator. The first one only the operator can make: administrators are all that may (decisions §2).",
  "users.demote":
    "Makes an administrator a user like any other, from the next request on. Administrators don't demote themselves; the operator may demote the last of them.",
  "users.setPassword":
    "Gives a user a new password and ends all of the user's sessions: for the command line.",
  "users.resetTwoFactor":
    "An administrator disables a user's two-factor login; the user's sessions end (service.md, Two-factor authentication).",
  "users.listSessions": "A user's unexpired sessions, newest first, revoked ones included.",
  "users.revokeSessions":
    "Ends all of a user's sessions, the caller's own included where it is the caller: their tokens are refused from the next request on.",
  "sessions.list":
    "The caller's unexpired sessions, newest first, revoked ones included (service.md, Sessions).",
  "sessions.revoke":
    "Revokes one of the caller's sessions; its token is refused from the next request on (service.md, Sessions).",
  "sessions.revokeOthers": "Revokes all of the caller's sessions but the current one (service.md, Sessions).",
  "sessions.logout": "Ends the current session (service.md, Sessions).",
  "twoFactor.setup":
    "Makes a secret that waits ten minutes for its first code, in place of a former waiting one (decisions §2). The address must be verified.",
  "twoFactor.verify":
    "Enables two-factor login by a first valid code; the recovery codes are shown this once (decisions §2).",
  "twoFactor.disable":
    "Disables two-factor login by a valid code that was not used before (service.md, Two-factor authentication).",
  "twoFactor.qr":
    "The waiting set-up as a QR code, an SVG document; once enabled, the secret is never shown again.",
  "workspaces.list": "The caller's workspaces with the caller's role in each, newest first (decisions §2).",
  "workspaces.create":
    "Makes a workspace of which the caller becomes the owner, within the `max_workspaces` of the caller's plan (decisions §2, §6). It is trusted where the operator vouches for the caller; else an administrator has to (decisions §12).",
  "workspaces.createFor":
    "Makes a workspace for a user, who becomes its owner, within the same limit: for the command line.",
  "workspaces.ensure":
    "Makes sure that there is a workspace under the host's own id, with this name: made where there is none, renamed where it has another. It is trusted, and needs no owner: without one, only the host and its API keys act on it. As often and as many at once as you like.",
  "workspaces.get": "The workspace that the call names (decisions §2).",
  "workspaces.update": "Renames the workspace (decisions §2).",
  "workspaces.delete":
    "Deletes the workspace with all that belongs to it; its exact name is the confirmation (decisions §2). What it has very many of, such as e-mails, goes first, piece by piece: a deletion that is interrupted there leaves a workspace without them, to be deleted again. The only one of a service that has one stays.",
  "workspaces.transferOwnership":
    "Makes a member the owner and the owner an admin, at one instant (decisions §2, §3). The new owner's plan must have room for one more workspace: else transfers would lead around `max_workspaces`.",
  "workspaces.listAll": "Every workspace, newest first; `q` is looked for in the name (decisions §2).",
  "workspaces.find": "Any workspace, for administrators, who need not be members.",
  "workspaces.trust":
    "Vouches for a workspace: from here on it sends from the server's own sender and through its mail server (decisions §12).",
  "workspaces.distrust":
    "Withdraws the trust: the workspace's next send is refused. What is accepted already goes out.",
  "members.list": "The workspace's members, oldest first (service.md, Members).",
  "members.add":
    "Adds an account to a workspace at once, without an invitation, and tells its person by mail. For administrators alone: owners and admins invite, so that nobody joins by the word of people whom they never met, nor is asked for who has an account (decisions §4). Throws `already_member`; `owner_role_not_assignable` where the workspace has an owner.",
  "members.ensure":
    "Makes sure that a user is a member with this role, without an invitation: for the host, which knows who belongs together. Throws `owner_role_not_assignable` where another is the owner, `owner_role_immutable` where the user is.",
  "members.setRole":
    "Gives a member another role and tells the member by mail (service.md, Members). Nobody changes their own, and the owner's is not changed here (decisions §3). Who may no longer invite has their pending invitations withdrawn.",
  "members.remove":
    "Takes a member out of the workspace, with the invitations they have open. Managers remove others; anyone but the owner may leave (service.md, Members; decisions §3).",
  "invitations.create":
    "Invites an address into the workspace and mails it the link (service.md, Invitations; decisions §2, §4).",
  "invitations.list":
    "The workspace's pending invitations, newest first; expired ones are left out (service.md, Invitations).",
  "invitations.cancel": "Deletes a pending invitation of the workspace (service.md, Invitations).",
  "invitations.listMine":
    "The pending invitations to the caller's address, which must be verified: else a stranger could read them (service.md, Invitations).",
  "invitations.accept":
    "Joins the caller to the workspace, by the token from the mail; that proves the caller's address, and verifies it (service.md, Invitations; decisions §4).",
  "invitations.decline":
    "Declines an invitation by the token from the mail (service.md, Invitations; decisions §4).",
  "invitations.acceptById":
    "Joins the caller to the workspace, by the invitation's id; the caller's address must be verified (decisions §4).",
  "invitations.declineById":
    "Declines an invitation by its id; the caller's address must be verified (decisions §4).",
  "templates.create":
    "Makes a template, whose content becomes its first version, active at once (service.md, Templates).",
  "templates.list": "The workspace's templates, newest first (service.md, Templates).",
  "templates.get": "A template with what its active version says (decisions §5).",
  "templates.update":
    "Changes a template's name, description or language; its content is the versions' affair (service.md, Templates).",
  "templates.delete":
    "Deletes a template with its versions; e-mails already accepted are sent as they were (service.md, Templates).",
  "templateVersions.create":
    "Adds a version, numbered next; the active one stays active (service.md, Template versions).",
  "templateVersions.list": "A template's versions, newest first (service.md, Templates).",
  "templateVersions.get": "A version with all that it says (decisions §5).",
  "templateVersions.update":
    "Changes the given parts of a version; e-mails already accepted keep what was there (service.md, Templates; decisions §5).",
  "templateVersions.delete": "Deletes a version that is not the active one (service.md, Template versions).",
  "templateVersions.activate":
    "Makes a version the one that is sent, in place of the former (service.md, Template versions).",
  "templateVersions.preview":
    "A version as it would be sent, stylesheets inlined, with the names of placeholders that have no value. The version's sample data stand in where none are given. Throws `template_render_failed` past a limit (decisions §5).",
  "templateVersions.test":
    "Sends a version, active or not, to the given addresses: marked as a test, and counted against the quota (decisions §5).",
  "stylesheets.create":
    "Adds CSS that is inlined into the workspace's e-mails from now on (service.md, Stylesheets; decisions §5).",
  "stylesheets.list": "The workspace's stylesheets, newest first (service.md, Stylesheets).",
  "stylesheets.get": "One stylesheet (decisions §5).",
  "stylesheets.update":
    "Changes a stylesheet's name or CSS, and with it what is inlined from now on (service.md, Stylesheets).",
  "stylesheets.delete": "Deletes a stylesheet; it is inlined no more (service.md, Stylesheets).",
  "settings.get": "The workspace's settings, for any member (service.md, Workspace settings).",
  "settings.update":
    "Changes the given settings of the workspace; answers all of them (service.md, Workspace settings).",
  "plans.create": "Makes a plan, active and without limits where nothing else is said (service.md, Plan).",
  "plans.list": "Every plan, oldest first (service.md, Plans).",
  "plans.get": "One plan (service.md, Plans).",
  "plans.update":
    "Changes the given fields of a plan; the default plan can't be deactivated (service.md, Plans; decisions §6).",
  "plans.delete":
    "Deletes a plan; with `force` it is first unassigned from every workspace and user. The default plan stays (decisions §6).",
  "plans.setDefault": "Makes a plan the default; the previous default is unset (service.md, Plan).",
  "plans.assignToWorkspace": "Puts a workspace under a plan (service.md, Plans).",
  "plans.getForWorkspace": "The plan in force for a workspace, and where it comes from (decisions §6).",
  "plans.assignToUser":
    "Puts a user under a plan, which governs how many workspaces the user may own (decisions §6).",
  "plans.getForUser": "The plan in force for a user, and where it comes from (decisions §6).",
  "plans.getCurrent": "The plan of the workspace: its own, otherwise the default (service.md, Plans).",
  "plans.unassignFromWorkspace":
    "Puts a workspace back under the default plan; one that has none assigned stays as it is.",
  "plans.unassignFromUser":
    "Puts a user back under the default plan; one who has none assigned stays as they are.",
  "plans.listHolders":
    "Whom a plan is assigned to, workspaces before users; who is under it only as the default is not among them.",
  "auditLog.listForWorkspace":
    "The workspace's audit log, newest first (service.md, Audit logs and events). It holds the category audit only, so any other category finds nothing.",
  "auditLog.listMine":
    "The caller's own security log: logins, passwords, two-factor login, sessions (service.md, Audit logs and events).",
  "events.list":
    "Everything that happened on the platform, newest first (service.md, Audit logs and events).",
  "events.getPosition": "How far the log of events goes: where to follow it from.",
  "apiKeys.create":
    "Makes a key for sending, where the owner's address is verified, within the plan's `max_api_keys`; its text is answered this once (decisions §8).",
  "apiKeys.list": "The workspace's unrevoked keys, newest first (decisions §8).",
  "apiKeys.revoke": "Ends a key: it is refused from the next request on (decisions §8).",
  "webhooks.create":
    "Subscribes a URL to events; the signing secret is answered this once (service.md, Webhooks; decisions §10).",
  "webhooks.list": "The workspace's webhooks, newest first (service.md, Webhooks).",
  "webhooks.get": "One webhook, without its secret (decisions §10).",
  "webhooks.update":
    "Changes a webhook; enabled again, it starts with a clean slate of failures (decisions §10).",
  "webhooks.delete":
    "Deletes a webhook with its deliveries; nothing is sent to it any more (service.md, Webhooks). Many deliveries go first, piece by piece: a deletion that is interrupted there leaves a webhook without them, to be deleted again.",
  "webhooks.rotateSecret":
    "Gives a webhook a new signing secret, answered this once; the former stays valid for 24 h (decisions §10).",
  "webhooks.listDeliveries": "A webhook's deliveries, newest first (decisions §10).",
  "webhooks.redeliver":
    "Puts a settled delivery back into the queue, with all its attempts; one that still waits is left alone (decisions §10).",
  "webhooks.test":
    "Queues a delivery of `webhook.test`, whatever the webhook is subscribed to (decisions §10).",
  "attachments.upload":
    "Keeps a file for sends and campaigns to refer to by its id, for 7 days from now and from each use (platform.md P3, P9).",
  "attachments.get": "One uploaded file, without its content (platform.md P3).",
  "attachments.delete":
    "Deletes an uploaded file; e-mails that were accepted with it keep theirs (platform.md P3).",
  "suppressions.list":
    "Whom nothing is sent to, the latest first; those that have expired are left out (platform.md P8).",
  "suppressions.get": "One suppression of an address or a domain, by its scope (platform.md P8).",
  "suppressions.create":
    "Sends nothing more to an address, or to a whole domain (platform.md P8). One that stands already is answered as it is, unless it would end earlier: then it lasts as long as this one.",
  "suppressions.delete":
    "Lets mail through again (platform.md P8). What a complaint led to takes the permission `suppressions:release`.",
  "suppressions.check":
    "Tells which of up to 1,000 addresses are suppressed, as a send would find it (platform.md P8).",
  "suppressions.import":
    "Suppresses the addresses of a file (platform.md P8), a thousand at a time: what was kept stays, also where a later line can't be read, and a file may be imported again. Recognises what Amazon SES, SendGrid, Postmark and Mailgun hand out.",
  "suppressions.export":
    "The whole list, as it can be imported again (platform.md P8). It is read in pieces as it is taken; what comes in meanwhile is in it, or not. In CSV a reason that a spreadsheet would take for a formula is preceded by an apostrophe, and an address never is.",
  "unsubscriptions.get":
    "Tells what a link to unsubscribe is for, and changes nothing: scanners of mail open links (platform.md P10).",
  "unsubscriptions.create":
    "Unsubscribes by the link of an e-mail, from its list alone; once, however often it is asked for (platform.md P10, RFC 8058). Throws `not_found` for a link that is not ours.",
  "unsubscriptions.undo":
    "Takes back what a link just did, for ten minutes; later it changes nothing (platform.md P10). Throws `not_found` for a link that is not ours.",
  "domains.create":
    "Adds a domain to send from, within the plan's `max_domains`: answers the DNS records to publish, which are looked at from a minute later on, at growing distances for 30 days (platform.md P6).",
  "domains.list": "A page of the workspace's sending domains, newest first.",
  "domains.get": "One sending domain, with the records to publish and how they were found.",
  "domains.update": "Changes a sending domain. Holds for mail from its next attempt on.",
  "domains.verify":
    "Looks at a sending domain's records now, at the zone's own name servers: takes 10 seconds at the most, 30 times in ten minutes.",
  "domains.rotateDkim":
    "Lets the standby keys sign from the next attempt on, and makes new standbys whose records are to be published: RSA's always, and Ed25519's where that signs or its record is there. The records of the standbys must be there, which is looked at; else `dkim_not_published` with the record.",
  "domains.delete":
    "Removes a sending domain and its keys, which are gone for good. Mail that waits goes unsigned from here on; where it was accepted only because the domain was verified, it is refused.",
  "smtpServers.create":
    "Adds a mail server of the workspace's own, within the plan's `max_smtp_servers` (platform.md P5). Nothing is connected to: see `test`.",
  "smtpServers.list":
    "The workspace's own mail servers, by priority, then the oldest first (platform.md P5).",
  "smtpServers.get": "One of the workspace's own mail servers, and how it does (platform.md P5).",
  "smtpServers.update":
    "Changes a mail server; connections made by former settings are ended, and one that was down is tried anew (platform.md P5).",
  "smtpServers.delete":
    "Removes a mail server; what waits for it goes through another that may carry it (platform.md P5).",
  "smtpServers.test":
    "Tries a mail server step by step, and answers how far that went, whatever comes of it; at most 10 a minute and workspace. One that was down and answers is used again at once (platform.md P5).",
  "emails.sendTemplate":
    "Accepts an e-mail made from a template's active version (service.md, Sending with a template; decisions §7). Once that is answered, it is kept; started services, workers among them, deliver it.",
  "emails.send":
    "Accepts an e-mail whose content is given as it stands (decisions §7). Once that is answered, it is kept; started services, workers among them, deliver it.",
  "emails.sendBatch":
    "Accepts up to 10,000 e-mails at once: one for each of `recipients`, or `emails` that differ (platform.md P2). All of them or none, unless `onInvalid` is `skip`; a suppressed recipient refuses nobody else.",
  "emails.dryRunSendTemplate":
    "What `sendTemplate` would answer, with everything that stands against it. Keeps nothing.",
  "emails.dryRunSend": "What `send` would answer, with everything that stands against it. Keeps nothing.",
  "emails.dryRunSendBatch":
    "What `sendBatch` would answer, with everything that stands against it. Keeps nothing.",
  "emails.getBatch":
    "What became of a batch, counted from its e-mails as far as the log has them (platform.md P2).",
  "emails.cancelBatch":
    "Takes back what of a batch still waits; how many e-mails (platform.md P2). What they were charged is not given back.",
  "emails.list":
    "The workspace's e-mails, newest first (decisions §7). With the workspace `all`, for administrators, those of every workspace.",
  "emails.get":
    "One e-mail with its recipients' states, its attempts and all that happened to it (decisions §7). With the workspace `all`, for administrators, one of any workspace or of the service itself, with what its mail servers said of themselves.",
  "emails.cancel":
    "Takes an e-mail back that still waits (decisions §7; platform.md P4). Throws `not_cancellable` for one that a worker has, that is settled, or that a mail server may have taken. What it was charged is not given back.",
  "emails.reschedule":
    "Sends an e-mail that still waits at another time (platform.md P4). Throws `not_cancellable` for one that a worker has or that is settled, and `deadline_passed` for a time after its deadline.",
  "emails.retry":
    "Puts a failed e-mail back into the queue, for the recipients that did not get it (platform.md P4). Throws `not_retryable` for one that did not fail, that is kept no longer, or that is of use no more. With the workspace `all`, for administrators, one of any workspace.",
  "emails.getContent":
    "What an e-mail says, rendered as it is handed over; what is added at that moment, such as signatures, is not there. Refuses what is sealed, such as e-mails that were sent as sensitive, and what is kept no longer (`content_unavailable`).",
  "emails.getAttachment":
    "The content of one of an e-mail's files (platform.md P3). It is read when it is iterated over, after the call.",
  "inbound.feed":
    "Takes in a message that came back about the workspace's e-mails, from whatever reads the mailbox that bounces come to; the same message counts once (platform.md P7).",
  "inbound.receive":
    "Takes in a relay's own webhook, once its signature fits: a relay's customer never sees the notifications of the servers behind it (platform.md P7). Throws `not_found` for a path that nobody has, `unauthenticated` for a call that the provider did not make.",
  "inbound.knowsAddress":
    "Whether mail for an address is taken in here: a return path that this service made, an address to unsubscribe at, or the one for complaints at a domain whose mail comes back here (platform.md P7, P10).",
  "inbound.takeInMessage":
    "Takes in a message that came by mail, for whichever workspace it is about. Anybody may send one: without a signed token it is noted at most, and suppresses nobody (platform.md P7). What came to an address to unsubscribe at does that, and is no report (platform.md P10).",
  "inbound.list":
    "Messages that came back about the workspace's e-mails in the last 7 days, newest first (platform.md P7).",
  "inbound.get":
    "A message that came back, with its text: it tells why an address was suppressed (platform.md P7).",
  "inboundEndpoints.create":
    "Makes a place for a relay's webhooks to come to. Its path is shown this once, and so is the signing secret where we made it (platform.md P7).",
  "inboundEndpoints.list": "The places that relays' webhooks come to, newest first (platform.md P7).",
  "inboundEndpoints.delete": "Takes no more webhooks at this place (platform.md P7).",
  "campaigns.create": "Makes a campaign, a draft until it is started (platform.md P9).",
  "campaigns.list": "The workspace's campaigns, newest first (platform.md P9).",
  "campaigns.get": "One campaign, with what became of its recipients so far (platform.md P9).",
  "campaigns.update":
    "Says a campaign anew, with all of its fields, while it has not begun; its list stays, and so do what it says and its files where those are left out. One that is scheduled says from here on what its template says now, and begins at the time that is said here (platform.md P9).",
  "campaigns.delete":
    "Deletes a campaign that was never started, with its list, however long that is (platform.md P9).",
  "campaigns.addRecipients":
    "Adds recipients to a campaign that has not begun; whoever is on its list already stays as they are (platform.md P9).",
  "campaigns.importRecipients":
    "Puts those whom a file names on the list of a campaign that has not begun, a thousand at a time: who was added stays, also where a later line can't be read, and a file may come again (platform.md P9).",
  "campaigns.listRecipients":
    "Those on a campaign's list in its order, and what became of each; the e-mail itself tells the rest (platform.md P9).",
  "campaigns.check":
    "Goes through the whole list as if it were sent: tells what is missing, who is suppressed and how long it takes. Keeps nothing (platform.md P9).",
  "campaigns.test":
    "Sends what a campaign says to one address, with its files, marked as a test, and counted against the quota (platform.md P9).",
  "campaigns.start":
    "Starts a draft: at its time, or at once. From here on it says what its template says now, whatever becomes of the template (platform.md P9).",
  "campaigns.pause":
    "Pauses a running campaign: what waits stays, what is in a worker's hands still goes (platform.md P9).",
  "campaigns.resume":
    "Lets a paused campaign go on from where it was: at its pace, as if no time had passed, and judged by what comes back from now on (platform.md P9).",
  "campaigns.cancel":
    "Ends a campaign for good: nothing more goes out, and what waits is cancelled in the background (platform.md P9).",
  "metrics.get":
    "What became of the workspace's mail by hour or day and by domain, from counts that are written with each outcome (platform.md P12).",
  "queue.status": "How full the queue is, which routes are held and why, and who works on it.",
  "queue.pause":
    "Holds the delivery of e-mails, or of one route's; whether it was not held for good already. What is under way is finished.",
  "queue.resume":
    "Delivers e-mails again, or those of one route; whether it was held, and how many e-mails were cancelled before.",
  "queue.checkRestored":
    "Takes the database for a copy that was restored, such as by pg_restore: holds all delivery until `resume`, and tells what waits. Call it before anything delivers. For copies that `posthorn backup` made, it is done already.",
  "retention.run":
    "Removes what is kept no longer, at once instead of within the hour (platform.md P12), in short pieces that each have a transaction. Inside a transaction of the host's all is part of that, however long it takes. A dry run tells what would be removed, by table and clock, and removes nothing.",
  "recipients.export":
    "All that the workspace holds about a recipient (platform.md P12): a JSON object a line, each with what it is in `type`. It is read in pieces as it is taken, however much it is.",
  "recipients.erase":
    "Erases a recipient from the workspace (platform.md P12): a worker replaces the address, name, subjects, values and replies wherever they are, and takes back what waits for the person. Counts stay, and so do suppressions, under a hash. Asking again while it runs changes nothing.",
};
