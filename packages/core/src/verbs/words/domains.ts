// Printed by `npm run verbs`. Do not edit.
export const domainsWords = {
  "domains.create":
    "Adds a sending domain, within the plan's `max_domains`. Returns the DNS records to publish, which are checked from a minute later on, at growing intervals, for 30 days (platform.md P6).",
  "domains.list": "Lists the workspace's sending domains, newest first.",
  "domains.get": "Returns one sending domain, with the records to publish and the status of each.",
  "domains.update":
    "Changes a sending domain. The change applies from each e-mail's next delivery attempt on.",
  "domains.verify":
    "Checks a sending domain's records now, at the zone's own name servers. Takes at most 10 seconds; allowed 30 times in ten minutes.",
  "domains.rotateDkim":
    "Rotates the DKIM keys. Standby keys sign from the next delivery attempt on, and new standby keys are created, whose records are to be published: always for RSA, and for Ed25519 if that signs or its record is published. Throws `dkim_not_published`, with the record, if a standby key's record is not published.",
  "domains.delete":
    "Deletes a sending domain and its keys, irrevocably. Waiting e-mails are sent unsigned from then on; those accepted only because the domain was verified are refused.",
  "domains.knowsTrackingHost":
    "Checks whether a name is the verified tracking host of any workspace's sending domain. A proxy asks this before it requests a certificate for the name (platform.md P6).",
};
