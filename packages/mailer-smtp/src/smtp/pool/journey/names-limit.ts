import type { Ending } from "../../conversation/delivery.ts";
import { isLimit } from "../../conversation/judge-reply.ts";

/** Whether a reply names a limit, be it on messages or on connections. */
export const namesLimit = ({ code, reply }: Ending): boolean =>
  code !== undefined && isLimit({ code, text: reply });
