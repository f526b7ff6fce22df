/** Amazon has one for each region, and replaces it about once a year. */
const maxKept = 20;

/** The certificates by which Amazon SNS signs. */
export interface SnsCertificates {
  /**
   * Whether `verify` accepts the certificate at a URL: the one that it accepted before, or else one that is fetched, for
   * all that ask at the same time. Rejects if `fetch` does.
   */
  isAccepted(
    url: string,
    fetch: (url: string) => Promise<string | undefined>,
    verify: (pem: string) => boolean,
  ): Promise<boolean>;
}

/**
 * Keeps certificates that have verified a message. If each message fetched its own, none could be verified while Amazon's
 * server can't be reached, and SNS by default gives up after a minute; a thousand bounces at once would be a thousand requests.
 */
export function createSnsCertificates(): SnsCertificates {
  const kept = new Map<string, string>();
  const fetching = new Map<string, Promise<string | undefined>>();
  return {
    async isAccepted(url, fetch, verify) {
      const known = kept.get(url);
      if (known !== undefined && verify(known)) return true;
      const fetched = fetching.get(url) ?? fetch(url).finally(() => fetching.delete(url));
      fetching.set(url, fetched);
      const pem = await fetched;
      if (pem === undefined || !verify(pem)) return false;
      if (kept.size >= maxKept) kept.clear();
      kept.set(url, pem);
      return true;
    },
  };
}
