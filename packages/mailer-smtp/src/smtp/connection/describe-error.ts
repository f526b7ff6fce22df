const wrongVersions = new Set(["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "ERR_SSL_UNSUPPORTED_PROTOCOL"]);

/** Whether an error of a socket is one of TLS, such as an alert of the server. */
export const isTlsError = ({ code }: NodeJS.ErrnoException): boolean => code?.startsWith("ERR_SSL_") === true;

/** Returns an error of a socket in words for people. */
export function describeError(error: NodeJS.ErrnoException): string {
  if (error instanceof AggregateError && error.message === "")
    return error.errors.map(({ message }) => message).join("; ");
  if (error.code !== undefined && wrongVersions.has(error.code))
    return "it supports no permitted TLS version";
  if (error.code === "ERR_SSL_WRONG_VERSION_NUMBER") return "it answers in the clear (wrong version number)";
  // OpenSSL's messages name its source files, and Node adds advice about its own options.
  if (isTlsError(error) && "reason" in error) return String(error.reason);
  return error.message.split("; if the root CA", 1)[0] || error.code || "unknown fault";
}
