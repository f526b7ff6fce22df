import { ApiError } from "./api-error.ts";

/**
 * Returns the data of a response, without their envelope. Throws an `ApiError` for a refusal; `lacks` names the client's
 * option that the request had no credential by.
 */
export async function readReply(response: Response, lacks: string | undefined): Promise<unknown> {
  if (response.status === 204) return undefined;
  // A file may be JSON, too.
  const isFile = response.headers.get("content-disposition")?.startsWith("attachment") === true;
  const isJson = !isFile && /^application\/json\b/.test(response.headers.get("content-type") ?? "");
  if (response.ok && !isJson) return new Uint8Array(await response.arrayBuffer());
  const body = isJson ? parseAnswer(await response.text()) : {};
  if (!response.ok) throw refusalOf(response, body ?? {}, lacks);
  if (body === undefined)
    throw new ApiError("The response is not JSON, although its Content-Type says so.", {
      status: response.status,
    });
  return body.pagination === undefined ? body.data : { data: body.data, pagination: body.pagination };
}

/** Parses a response; `undefined` if a proxy replaced its body. */
function parseAnswer(text: string): Answered | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

interface Answered {
  data?: unknown;
  pagination?: unknown;
  error?: { code?: ApiError["code"]; message?: string; details?: unknown };
}

function refusalOf(
  { status, headers }: Response,
  { error = {} }: Answered,
  lacks: string | undefined,
): ApiError {
  const after = Number(headers.get("retry-after") ?? Number.NaN);
  const advice = status === 404 ? ": a client's URL ends before /api/v1" : "";
  const message = error.message ?? `The server answered ${status}${advice}.`;
  // An environment variable that is not set, or is empty, is given as an option all the same.
  const why = lacks && error.code === "unauthenticated" ? ` This client has no ${lacks}.` : "";
  return new ApiError(message + why, {
    status,
    code: error.code === "" ? undefined : error.code,
    details: error.details,
    requestId: headers.get("x-request-id") ?? "",
    retryAfter: Number.isFinite(after) ? after : undefined,
  });
}
