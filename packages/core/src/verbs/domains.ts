// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.

import type { Page } from "../calls/paging.ts";
import type { DomainView } from "../domains/domain-view.ts";
import type { CallShapes } from "./call-options.ts";

/** What `create` takes. */
export interface CreateDomainInput {
  /** The domain: one that can be registered, or one beneath it. International names are turned into punycode. */
  name: string;
  /**
   * Whether mail from domains beneath it counts as its own, and is signed with its key. A domain beneath it that was
   * added itself goes first. Default false.
   */
  includeSubdomains?: boolean | undefined;
  /** What stands before the domain's name in that of its return paths, at most 100 characters. Default `bounces`. */
  returnPath?: string | undefined;
  /**
   * `required`: mail from it is handed only to mail servers that speak TLS, and waits for one. Default
   * `opportunistic`.
   */
  tls?: "opportunistic" | "required" | undefined;
}

/** What `list` takes. */
export interface ListDomainsInput {
  /** Which page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Items a page, 1 to 100. Default 20. */
  size?: number | undefined;
  /**
   * In place of `page`: the `after` of a former page. The list goes on behind it, whatever came in since, and costs
   * the same however deep that is.
   */
  after?: string | undefined;
}

/** What `get` takes. */
export interface GetDomainInput {
  /** The domain's id, a UUID. */
  domainId: string;
}

/** What `update` takes. */
export interface UpdateDomainInput {
  /** The domain's id, a UUID. */
  domainId: string;
  /**
   * Whether mail from domains beneath it counts as its own, and is signed with its key. A domain beneath it that was
   * added itself goes first. Default false.
   */
  includeSubdomains?: boolean | undefined;
  /** What stands before the domain's name in that of its return paths, at most 100 characters. Default `bounces`. */
  returnPath?: string | undefined;
  /**
   * `required`: mail from it is handed only to mail servers that speak TLS, and waits for one. Default
   * `opportunistic`.
   */
  tls?: "opportunistic" | "required" | undefined;
}

/** What `verify` takes. */
export interface VerifyDomainInput {
  /** The domain's id, a UUID. */
  domainId: string;
}

/** What `rotateDkim` takes. */
export interface RotateDkimInput {
  /** The domain's id, a UUID. */
  domainId: string;
}

/** What `delete` takes. */
export interface DeleteDomainInput {
  /** The domain's id, a UUID. */
  domainId: string;
}

/** The domains that a workspace sends from. */
export interface DomainsVerbs<K extends CallShapes = CallShapes> {
  /**
   * Adds a domain to send from, within the plan's `max_domains`: returns the DNS records to publish, which are
   * checked from a minute later on, at growing intervals for 30 days (platform.md P6).
   *
   * May refuse with `domain_not_registrable`, `domain_taken`, `plan_limit_reached`, `rate_limited`.
   */
  create(input: CreateDomainInput, ...call: K["workspace"]): Promise<DomainView>;
  /** A page of the workspace's sending domains, newest first. */
  list(input?: ListDomainsInput, ...call: K["workspace"]): Promise<Page<DomainView>>;
  /** One sending domain, with the records to publish and the status of each. */
  get(input: GetDomainInput, ...call: K["workspace"]): Promise<DomainView>;
  /** Changes a sending domain. Takes effect from each e-mail's next attempt on. */
  update(input: UpdateDomainInput, ...call: K["workspace"]): Promise<DomainView>;
  /**
   * Checks a sending domain's records now, at the zone's own name servers: takes at most 10 seconds, and is allowed
   * 30 times in ten minutes.
   *
   * May refuse with `rate_limited`.
   */
  verify(input: VerifyDomainInput, ...call: K["workspace"]): Promise<DomainView>;
  /**
   * Rotates the DKIM keys: the standby keys sign from the next attempt on, and new standbys are made, whose records
   * are to be published: RSA's always, and Ed25519's if that signs or its record is published. Checks that the
   * records of the standbys are published; else throws `dkim_not_published` with the record.
   *
   * May refuse with `dkim_not_published`, `rate_limited`.
   */
  rotateDkim(input: RotateDkimInput, ...call: K["workspace"]): Promise<DomainView>;
  /**
   * Removes a sending domain and its keys, which are gone for good. Waiting e-mails are sent unsigned from now on;
   * those accepted only because the domain was verified are refused.
   */
  delete(input: DeleteDomainInput, ...call: K["workspace"]): Promise<void>;
}
