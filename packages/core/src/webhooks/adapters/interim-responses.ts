const statusLine = "HTTP/1._ 1__";
const [zero, two, lineFeed, carriageReturn] = [0x30, 0x32, 0x0a, 0x0d];

/**
 * Creates what makes each `100 Continue` of a response a `102 Processing`, in its bytes and in place. A server may send
 * any interim response unasked (RFC 9110 section 15.2), but undici ends the connection at a 100, so that an endpoint
 * that had taken the request got it again. `next` says that what follows a final response is another one.
 */
export function createContinueFilter(): { next(): unknown; pass(bytes: Uint8Array): void } {
  let reading: "status" | "head" | "final" = "status";
  let matched = 0;
  let digits = "";
  let isLineEmpty = false;

  function readStatus(bytes: Uint8Array, at: number): void {
    const [wanted, byte] = [statusLine[matched], bytes[at] ?? 0];
    if (wanted !== "_" && wanted !== String.fromCharCode(byte)) {
      reading = "final";
      return;
    }
    matched += 1;
    if (matched > statusLine.length - 2) digits += String.fromCharCode(byte);
    if (matched < statusLine.length) return;
    if (digits === "00") bytes[at] = two;
    reading = "head";
    isLineEmpty = false;
  }

  function readHead(byte: number): void {
    if (byte === lineFeed && isLineEmpty) begin();
    else if (byte !== carriageReturn) isLineEmpty = byte === lineFeed;
  }

  function begin(): void {
    reading = "status";
    matched = 0;
    digits = "";
  }

  return {
    // A request may be written in parts, with interim responses between them.
    next: () => reading === "final" && begin(),
    pass(bytes) {
      for (let at = 0; at < bytes.length && reading !== "final"; at += 1)
        if (reading === "status") readStatus(bytes, at);
        else readHead(bytes[at] ?? zero);
    },
  };
}
