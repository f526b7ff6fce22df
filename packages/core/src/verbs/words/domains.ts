// Printed by `npm run verbs`. Do not edit.
export const domainsWords = {
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
};
