import type { HttpPost, HttpPostResult, HttpSender } from "../ports/http-sender.ts";

/** An HTTP sender that connects to nothing, and what was posted by it. */
export interface MemoryHttpSender extends HttpSender {
  /** What was posted, oldest first. */
  posts: HttpPost[];
  /** Answers further posts with `respond`, until it is called with nothing. */
  answerWith(respond?: (request: HttpPost) => HttpPostResult | Promise<HttpPostResult>): void;
}

/** An HTTP sender for tests: keeps what is posted and answers 200. Connects to nothing. */
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
