import { ServiceError } from "@posthorn/core";
import type { WireRequest } from "../contract/wire-request.ts";

/**
 * Throws `forbidden` unless a request has the token of the page that it comes from: a page of another program on this
 * machine can post here, but does not know it.
 */
export async function assertFormToken(request: WireRequest, formToken: string): Promise<void> {
  const fields = new URLSearchParams(Buffer.from(await request.readBody(1024)).toString());
  if (fields.get("token") !== formToken)
    throw new ServiceError("forbidden", { message: "The page is out of date: load it again." });
}
