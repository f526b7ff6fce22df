// Printed by `npm run verbs`. Do not edit.
export const domainsWords = {
  "domains.create":
    "Adds a domain to send from, within the plan's `max_domains`: returns the DNS records to publish, which are checked from a minute later on, at growing intervals for 30 days (platform.md P6).",
  "domains.list": "A page of the workspace's sending domains, newest first.",
  "domains.get": "One sending domain, with the records to publish and the status of each.",
  "domains.update": "Changes a sending domain. Takes effect from each e-mail's next attempt on.",
  "domains.verify":
    "Checks a sending domain's records now, at the zone's own name servers: takes at most 10 seconds, and is allowed 30 times in ten minutes.",
  "domains.rotateDkim":
    "Rotates the DKIM keys: the standby keys sign from the next attempt on, and new standbys are made, whose records are to be published: RSA's always, and Ed25519's if that signs or its record is published. Checks that the records of the standbys are published; else throws `dkim_not_published` with the record.",
  "domains.delete":
    "Removes a sending domain and its keys, which are gone for good. Waiting e-mails are sent unsigned from now on; those accepted only because the domain was verified are refused.",
};
