import { type ErrorCode, ServiceError } from "@posthorn/core";
import { errorReply } from "../replies/error-response.ts";
import { newRequestId } from "../requests/request-id.ts";

/** An answer that is written without the dispatcher, and ends its connection. */
export interface ClosingReply {
  status: number;
  fields: Record<string, string>;
  body: string;
}

/** Creates the answer to what reaches no dispatcher. */
export function closingReply(
  code: ErrorCode,
  message: string,
  requestId: string = newRequestId(),
): ClosingReply {
  const { status, headers, body } = errorReply(new ServiceError(code, { message }), requestId);
  return {
    status,
    fields: { ...headers, connection: "close", "content-length": String(Buffer.byteLength(body)) },
    body,
  };
}
