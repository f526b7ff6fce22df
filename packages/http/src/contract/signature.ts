/** HTTP methods of the API. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Signature of a route: method and path below `/api/v1`, with parameters in braces. */
export type Signature = `${Method} /${string}`;

/** Names of a path's parameters. */
export type ParamsOf<S extends string> = S extends `${string}{${infer P}}${infer Rest}`
  ? P | ParamsOf<Rest>
  : never;

export interface ParsedSignature {
  method: Method;
  path: string;
  params: string[];
}

export function parseSignature(signature: Signature): ParsedSignature {
  const space = signature.indexOf(" ");
  const path = signature.slice(space + 1);
  const params = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  return { method: signature.slice(0, space) as Method, path, params };
}

/** Whether a route's body is a file of any type; its other fields come in the query. */
export const takesFile = (signature: string): boolean =>
  /^POST \/(?:(?:workspaces\/current\/)?attachments|workspaces\/current\/suppressions\/import)$/.test(
    signature,
  );

/** Fields of a route with such a body, by wire name: the file, and those read from its headers. */
export const fileFields: readonly string[] = ["content", "content_type", "size"];

/** Whether a route's fields come in the body. Otherwise they come in the query. */
export function takesBody(signature: string): boolean {
  if (takesFile(signature)) return false;
  // Deleting a workspace requires its name as confirmation (decisions §2), and deleting the own account the password,
  // so that these take a body.
  return !/^(GET|DELETE) /.test(signature) || /^DELETE \/(?:workspaces\/current|users\/me)$/.test(signature);
}
