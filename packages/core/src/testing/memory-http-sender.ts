import type { HttpPost, HttpPostResult, HttpSender } from "../ports/http-sender.ts";

/** An HTTP sender without a network, and its posts. */
export interface MemoryHttpSender extends HttpSender {
  /** The posts, oldest first. */
  posts: HttpPost[];
  /** Answers further posts with `respond`, or with 200 again if called without an argument. */
  answerWith(respond?: (request: HttpPost) => HttpPostResult | Promise<HttpPostResult>): void;
}

/** Creates an HTTP sender for tests: it stores posts and answers 200. It opens no connections. */
export function createMemoryHttpSender(): MemoryHttpSender {
  const ok = (): HttpPostResult => ({ kind: "response", status: 200, body: "", durationMs: 1 });
  let respond: (request: HttpPost) => HttpPostResult | Promise<HttpPostResult> = ok;
  const posts: HttpPost[] = [];
  return {
    posts,
    async post(request) {
      posts.push(request);
      return respond(request);
    },
    close: async () => {},
    answerWith(given = ok) {
      respond = given;
    },
  };
}
