import type { HttpPostResult, HttpSender } from "../../ports/http-sender.ts";

/** Ms that a sender has beyond a request's time limit: half of what the lease of a delivery leaves. */
const graceMs = 5_000;

/**
 * Creates a sender that gives a request up soon after its `timeoutMs`: one that a host's sender never answers would hold
 * its slot, and a stop of the service, for ever.
 */
export function createBoundedSender(sender: HttpSender): HttpSender {
  return {
    async post(request) {
      const durationMs = request.timeoutMs + graceMs;
      const givenUp = Promise.withResolvers<HttpPostResult>();
      const timer = setTimeout(
        () => givenUp.resolve({ kind: "fault", fault: "timeout", durationMs }),
        durationMs,
      );
      try {
        return await Promise.race([sender.post(request), givenUp.promise]);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => sender.close(),
  };
}
