import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "@posthorn/core";
import { closingReply } from "./closing-reply.ts";

interface ParserFault {
  status: string;
  code: ErrorCode;
  message: string;
}

const noHttp: ParserFault = {
  status: "400 Bad Request",
  code: "validation_failed",
  message: "The request is not valid HTTP.",
};

const timedOut: ParserFault = {
  status: "408 Request Timeout",
  code: "validation_failed",
  message: "The request did not arrive in time.",
};

const otherVersion: ParserFault = {
  status: "400 Bad Request",
  code: "validation_failed",
  message: "Only HTTP/1.1 is spoken here; HTTP/2 and HTTP/3 are for a proxy in front.",
};

const tunnel: ParserFault = {
  status: "400 Bad Request",
  code: "validation_failed",
  message: "The service is no proxy.",
};

const noLineEnd: ParserFault = {
  ...noHttp,
  message: "The request is not valid HTTP: a line ends with a carriage return and a line feed.",
};

const parserFaults: Record<string, ParserFault> = {
  HPE_HEADER_OVERFLOW: {
    status: "431 Request Header Fields Too Large",
    code: "payload_too_large",
    message: "The URL and the header fields are too large together.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: timedOut,
  HPE_INVALID_VERSION: otherVersion,
  HPE_PAUSED_H2_UPGRADE: otherVersion,
};

/** Node has one code for another version, and for whatever else follows it in the first line. */
const faultOf = ({ code = "", reason }: ParseError): ParserFault =>
  reason === "Expected CRLF after version" ? noLineEnd : (parserFaults[code] ?? noHttp);

interface ParseError extends NodeJS.ErrnoException {
  /** What the parser says of it. */
  reason?: string;
}

/** Ms after which a connection is closed whose peer neither reads nor closes. */
const closeMs = 2_000;

/** Ms between two looks at a body that takes longer than a request may. */
const lookMs = 2_000;
/** Bytes that come between two looks over the slowest line that an upload is made on. */
const lookBytes = 32 * 1024;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Whether part of the body has arrived that nobody has read yet: then the caller waits for the server. */
const isBehind = ({ request }: Exchange): boolean => request.readableLength > 0;

/** Answers what is no HTTP, or not for a server like this one. */
export interface FaultAnswers {
  /** Notes the latest request of a connection. */
  watch(request: IncomingMessage, response: ServerResponse): void;
  /** Listens for Node's "clientError". */
  answer(error: ParseError, socket: Duplex): void;
  /** Listens for "connect": without a listener Node drops the connection, and with it the answers to requests before. */
  refuseTunnel(request: IncomingMessage, socket: Duplex): void;
  /** Whether a request was refused because Node's parser takes `HTTP/2.0` for a version like 1.1. */
  refuseVersion(request: IncomingMessage, response: ServerResponse): boolean;
}

/** Creates the answers to what is no HTTP: they end the connection, behind the answers to valid requests before. */
export function createFaultAnswers(): FaultAnswers {
  const latest = new WeakMap<Duplex, Exchange>();
  const ending = new WeakSet<Duplex>();
  /**
   * Refuses a body that did not arrive in time, unless it still comes, over a slow line, or it is the server that reads it slowly: two
   * looks must agree.
   */
  const refuseUnlessComing = (exchange: Exchange, wasIdle = false): void => {
    const { socket } = exchange.request;
    const before = socket.bytesRead;
    const look = (): void => {
      if (exchange.request.complete || socket.destroyed || ending.has(socket)) return;
      const isIdle = !isBehind(exchange) && socket.bytesRead - before < lookBytes;
      if (isIdle && wasIdle) {
        ending.add(socket);
        endAfter(exchange, socket, timedOut);
      } else refuseUnlessComing(exchange, isIdle);
    };
    setTimeout(look, lookMs).unref();
  };
  const refuse = (socket: Duplex, fault: ParserFault): void => {
    ending.add(socket);
    const exchange = latest.get(socket);
    if (exchange === undefined || exchange.response.writableFinished) endWith(socket, fault);
    else endAfter(exchange, socket, fault);
  };
  return {
    watch: (request, response) => void latest.set(request.socket, { request, response }),
    answer(error, socket) {
      if (error.code === "ECONNRESET" || !socket.writable) {
        socket.destroy();
        return;
      }
      // Node's parser fails again for whatever follows.
      if (ending.has(socket)) return;
      const exchange = latest.get(socket);
      // Node tells of it once. An import's lines are read as fast as they are stored, which may take minutes.
      if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && exchange?.request.complete === false) {
        refuseUnlessComing(exchange);
        return;
      }
      refuse(socket, faultOf(error));
    },
    refuseTunnel(_, socket) {
      // Node listens for its errors no longer.
      socket.on("error", () => {});
      refuse(socket, tunnel);
    },
    refuseVersion({ httpVersionMajor }, response) {
      if (httpVersionMajor < 2) return false;
      const { status, fields, body } = closingReply(otherVersion.code, otherVersion.message);
      response.writeHead(status, fields).end(body);
      return true;
    },
  };
}

/** Ends a connection that owes the response to its latest request. */
function endAfter({ request, response }: Exchange, socket: Duplex, fault: ParserFault): void {
  if (request.complete) {
    // That response says that the connection closes, or it has begun.
    if (response.headersSent) response.once("finish", () => closeSoon(socket.end()));
    else response.shouldKeepAlive = false;
  } else if (response.headersSent) {
    // Answered before its body was read, such as with a 413.
    closeSoon(socket.end());
  } else if (response.socket === null) {
    // Others are answered before it, and its body will never be complete.
    closeSoon(socket);
  } else {
    endWith(socket, fault);
  }
}

function endWith(socket: Duplex, fault: ParserFault): void {
  const { fields, body } = closingReply(fault.code, fault.message);
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${fault.status}\r\n${lines.join("")}\r\n${body}`);
  closeSoon(socket);
}

/** Closes a connection if its peer does not. */
function closeSoon(socket: Duplex): void {
  socket.on("error", () => {});
  const timer = setTimeout(() => socket.destroy(), closeMs).unref();
  socket.once("close", () => clearTimeout(timer));
}
