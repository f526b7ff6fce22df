import type { WireReply } from "../contract/wire-request.ts";
import { htmlReply } from "../server/replies/plain-reply.ts";
import { pageFrame } from "./page-frame.ts";

/** The response to a link of an e-mail that is not one of ours as it is. */
export function incompleteLink(): WireReply {
  const html = pageFrame(
    "This link is incomplete",
    "<p>Mail programs sometimes break long links. Open it again from the e-mail, or copy the whole link.</p>",
    "recipients",
  );
  return htmlReply({ html, status: 404 });
}
