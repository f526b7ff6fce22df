import { type AddressInfo, createServer, type Socket } from "node:net";
import { TLSSocket, type TLSSocketOptions } from "node:tls";
import { testCertificate } from "./test-certificate.ts";

/** One client of a scripted server. */
export interface ScriptedSession {
  socket: Socket;
  /** Number of the connection, from 1. */
  number: number;
  /** Number of the message on this connection, from 1. */
  message: number;
  /** What came behind the content that was just ended; what a script puts in its place is read instead. */
  behind: string;
}

/**
 * Behaviour of a scripted server. A step that returns `undefined` sends no reply (and may do something to the socket).
 */
export interface Script {
  greeting?: (session: ScriptedSession) => string | undefined;
  /** Additional lines of the EHLO reply. */
  extensions?: string[];
  /** The reply to a command; `null` for the usual one. */
  command?: (line: string, session: ScriptedSession) => string | undefined | null;
  /** Whether TLS follows a 220 to STARTTLS. */
  hasTls?: boolean;
  /** What that TLS asks of the client. */
  tls?: Pick<TLSSocketOptions, "ca" | "requestCert" | "rejectUnauthorized">;
  /** Called for every chunk of content. */
  content?: (piece: Buffer, session: ScriptedSession) => void;
  /** The reply to the final dot; `null` for the usual one. */
  dot?: (content: string, session: ScriptedSession) => string | undefined | null;
}

/**
 * Starts an SMTP server on loopback, on a free port unless one is given, that follows a script and otherwise accepts
 * everything.
 */
export async function runScriptedServer(script: Script = {}, wantedPort = 0) {
  const sessions: ScriptedSession[] = [];
  const commands: string[] = [];
  const contents: string[] = [];
  const silence = Promise.withResolvers<void>();
  const server = createServer({ noDelay: true }, (socket) => {
    const session: ScriptedSession = { socket, number: sessions.length + 1, message: 0, behind: "" };
    sessions.push(session);
    socket.on("error", () => {});
    const say = (reply: string | undefined) => {
      if (reply === undefined) silence.resolve();
      else if (!session.socket.destroyed) session.socket.write(reply.endsWith("\n") ? reply : `${reply}\r\n`);
    };
    let rest = "";
    let isContent = false;
    say(script.greeting === undefined ? "220 test" : script.greeting(session));
    // Content without its end, apart from the rest: to search all of it at each piece took longest of all.
    const before: string[] = [];
    const hear = (piece: Buffer) => {
      rest += piece.toString("latin1");
      if (isContent) script.content?.(piece, session);
      for (;;) {
        const end = isContent ? rest.indexOf("\r\n.\r\n") : rest.indexOf("\r\n");
        if (end === -1) {
          if (isContent) before.push(rest.slice(0, -4));
          if (isContent) rest = rest.slice(-4);
          return;
        }
        const text = [...before.splice(0), rest.slice(0, end)].join("");
        rest = rest.slice(end + (isContent ? 5 : 2));
        if (isContent) {
          isContent = false;
          contents.push(text);
          session.behind = rest;
          const reply = script.dot?.(text, session);
          rest = session.behind;
          say(reply === null || script.dot === undefined ? "250 taken" : reply);
          continue;
        }
        commands.push(text);
        if (text.startsWith("MAIL")) session.message += 1;
        const own = script.command?.(text, session);
        const reply =
          own === null || script.command === undefined
            ? usual(text, script.extensions ?? ["PIPELINING"])
            : own;
        if (text === "DATA" && reply?.startsWith("354")) isContent = true;
        say(reply);
        if (text === "STARTTLS" && script.hasTls && reply?.startsWith("220")) secure();
        if (text === "QUIT") session.socket.end();
      }
    };
    const secure = () => {
      socket.off("data", hear);
      session.socket = new TLSSocket(socket, { isServer: true, ...testCertificate, ...script.tls });
      session.socket.on("error", () => {}).on("data", hear);
    };
    socket.on("data", hear);
  });
  await new Promise<void>((resolve) => server.listen(wantedPort, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    for (const { socket } of sessions) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    sessions,
    commands,
    contents,
    /** Resolves when it first sends no reply. */
    silent: silence.promise,
    close,
  };
}

function usual(command: string, extensions: string[]): string {
  if (command.startsWith("EHLO"))
    return ["250-test", ...extensions.map((line) => `250-${line}`), "250 HELP"].join("\r\n");
  if (command === "DATA") return "354 go on";
  if (command === "QUIT") return "221 bye";
  return "250 ok";
}
