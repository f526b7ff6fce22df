/** A name server's answer about the TXT, MX or CNAME records of a name. */
export type DnsAnswer =
  /**
   * Records, each as the strings that it consists of. An MX record is one string (preference, blank, host), and so is a
   * CNAME record (the host).
   */
  | { kind: "found"; records: string[][] }
  /**
   * There is no such record. `alias` is the target if the name has a CNAME instead, `address` the address that a name
   * has instead of a CNAME.
   */
  | { kind: "none"; alias?: string | undefined; address?: string | undefined }
  /** No usable answer: a timeout, a failure or a refusal. */
  | { kind: "silent" };

/** A DNS zone. */
export interface DnsZone {
  /** The zone's name. */
  name: string;
  /** The name servers that it is delegated to; empty if none are known. */
  nameServers: string[];
  /**
   * Name servers in the zone's own NS records that it is not delegated to: they may serve a copy that no resolver
   * queries.
   */
  strangers: string[];
  /**
   * Queries the zone's own name servers for a name's TXT records, one answer for each server, so that no cache returns
   * an old record. If none answers, queries the system's resolver. Never empty.
   */
  txt(name: string): Promise<DnsAnswer[]>;
  /** Queries the MX records in the same way. */
  mx(name: string): Promise<DnsAnswer[]>;
  /** Queries the CNAME record in the same way. */
  cname(name: string): Promise<DnsAnswer[]>;
}

/** A group of queries with a common end. */
export interface DnsInquiry {
  /** Finds the zone that contains a name: the lowest from the name up to `top`, which always counts as one. */
  zoneOf(name: string, top: string): Promise<DnsZone>;
  /** Queries the system's name servers for a name in any zone. */
  txt(name: string): Promise<DnsAnswer>;
  /** Ends the inquiry: pending and later queries resolve to `silent`. */
  end(): void;
}

/** A DNS client. */
export interface Dns {
  /** Begins an inquiry, which ends by itself after `timeoutMs`. */
  inquire(timeoutMs: number): DnsInquiry;
}
