import { ApiError } from "./api-error.ts";
import { retryAfter } from "./retry-after.ts";

/**
 * Returns the data of a response, without their envelope. Throws an `ApiError` for a refusal; `lacks` names the client's
 * option that the request had no credential by.
 */
export async function readReply(response: Response, lacks: string | undefined): Promise<unknown> {
  if (response.status === 204) return undefined;
  // A file may be JSON, too.
  if (response.ok && isFile(response)) return new Uint8Array(await response.arrayBuffer());
  const isJson = hasType(response, "application/json");
  const body = isJson ? parseAnswer(await response.text()) : undefined;
  if (!response.ok) throw refusalOf(response, body ?? {}, lacks);
  if (body === undefined || !("data" in body)) throw foreignAnswer(response);
  return body.pagination === undefined ? body.data : { data: body.data, pagination: body.pagination };
}

/** Whether a response is one of the service's files, which are all for download. */
export const isFile = ({ headers }: Response): boolean =>
  headers.get("content-disposition")?.startsWith("attachment") === true;

/** Whether a response says that it is of this type. */
export const hasType = ({ headers }: Response, type: string): boolean =>
  headers.get("content-type")?.split(";")[0] === type;

/** Returns the error for a success that the service can't have told, such as a page with which another program answers everything. */
export const foreignAnswer = ({ status }: Response): ApiError =>
  new ApiError(`The answer ${status} is not the service's: a proxy gave it, or another program.`, { status });

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

function refusalOf(response: Response, { error = {} }: Answered, lacks: string | undefined): ApiError {
  const { status, headers } = response;
  const foreign =
    status === 404
      ? "The server answered 404: a client's URL ends before /api/v1."
      : foreignAnswer(response).message;
  const message = error.message ?? foreign;
  // An environment variable that is not set, or is empty, is given as an option all the same.
  const why = lacks && error.code === "unauthenticated" ? ` This client has no ${lacks}.` : "";
  return new ApiError(message + why, {
    status,
    code: error.code === "" ? undefined : error.code,
    details: error.details,
    requestId: headers.get("x-request-id") ?? "",
    retryAfter: retryAfter(response),
  });
}
