import { ServiceError } from "@posthorn/core";
import { headerOf, type WireRequest } from "../../contract/wire-request.ts";

/** The types that clients send if they were given none; those generated from the document send its range of types. */
const noType = /^(?:application\/(?:octet-stream|x-www-form-urlencoded)|\*\/\*) *(?:;|$)/i;

/** Reads a body that is a file, as a stream, with the fields from its headers: together the use case's input. */
export function readFile(request: WireRequest): Record<string, unknown> {
  refuseEncoded(request);
  const type = headerOf(request, "content-type");
  const length = headerOf(request, "content-length");
  return {
    content: request.openBody(),
    ...(type === undefined || noType.test(type) ? {} : { contentType: type }),
    ...(length === undefined || !/^\d{1,15}$/.test(length) ? {} : { size: Number(length) }),
  };
}

/** Whether the declared type of a body is other than JSON. */
export function isListFile(request: WireRequest): boolean {
  const type = headerOf(request, "content-type");
  return type !== undefined && !noType.test(type) && !/^application\/json *(?:;|$)/i.test(type);
}

/**
 * Throws `unsupported_media_type` for a compressed body. A transfer coding under `chunked` is one: Node leaves it in
 * place.
 */
export function refuseEncoded(request: WireRequest): void {
  const encoding = headerOf(request, "content-encoding");
  const transfer = headerOf(request, "transfer-encoding");
  if (
    (encoding !== undefined && encoding.toLowerCase() !== "identity") ||
    (transfer !== undefined && transfer.trim().toLowerCase() !== "chunked")
  )
    throw new ServiceError("unsupported_media_type", { message: "Send the body uncompressed." });
}
