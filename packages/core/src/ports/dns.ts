/** What a name server says of the TXT or MX records of a name. */
export type DnsAnswer =
  /** Each record in the pieces that it is kept in; an MX record as one: preference, blank, host. */
  | { kind: "found"; records: string[][] }
  /** It says that there is none; `alias` is where a CNAME leads that stands in their place. */
  | { kind: "none"; alias?: string | undefined }
  /** No answer, or none that tells anything: a time-out, a failure, a refusal. */
  | { kind: "silent" };

/** A part of the DNS that is kept in one place. */
export interface DnsZone {
  /** The name it begins at. */
  name: string;
  /** The name servers that it is delegated to; empty where nobody tells. */
  nameServers: string[];
  /** Name servers that the zone itself names and that it is not delegated to: a sign of a zone that nobody asks. */
  strangers: string[];
  /**
   * What the zone's own name servers say of a name, one answer each, so that no cache tells of yesterday; what the world is told where
   * none of them answers. Never empty.
   */
  txt(name: string): Promise<DnsAnswer[]>;
  /** The same of its MX records. */
  mx(name: string): Promise<DnsAnswer[]>;
}

/** A handful of questions that belong together, and end together. */
export interface DnsInquiry {
  /** The zone that a name lies in: the lowest from the name upwards to `top`, which is always one. */
  zoneOf(name: string, top: string): Promise<DnsZone>;
  /** What the system's name servers say of a name in whoever's zone. */
  txt(name: string): Promise<DnsAnswer>;
  /** Ends it: whatever is asked or under way is silent from here on. */
  end(): void;
}

/** Asks the domain name system. */
export interface Dns {
  /** Begins an inquiry, which ends by itself after so many ms. */
  inquire(timeoutMs: number): DnsInquiry;
}
