import { type AddressInfo, createServer, type Socket } from "node:net";

/** A mail as received. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** The message, one character per byte (latin1), without dot-stuffing. */
  source: string;
}

/** A mail server on loopback that accepts every mail. */
export interface SmtpSink {
  /** URL of the server, `smtp://127.0.0.1:…`. */
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  close(): Promise<void>;
}

export interface SmtpSinkOptions {
  /** Called with each mail before it is acknowledged. */
  onMail?: (mail: ReceivedMail) => void;
}

/** Starts a mail server on loopback, with the part of RFC 5321 needed to receive mail. */
export async function startSmtpSink({ onMail }: SmtpSinkOptions = {}): Promise<SmtpSink> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    converse(socket, (mail) => {
      mails.push(mail);
      onMail?.(mail);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function converse(socket: Socket, take: (mail: ReceivedMail) => void): void {
  let buffered = "";
  let from: string | undefined;
  let to: string[] = [];
  let inData = false;
  const reply = (line: string): void => {
    if (socket.writable) socket.write(`${line}\r\n`);
  };

  const commands: Partial<Record<string, (argument: string) => void>> = {
    EHLO: () => reply("250-sink.example\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SIZE 52428800"),
    HELO: () => reply("250 sink.example"),
    MAIL(argument) {
      from = pathIn(argument);
      to = [];
      reply("250 2.1.0 ok");
    },
    RCPT(argument) {
      to.push(pathIn(argument));
      reply("250 2.1.5 ok");
    },
    DATA() {
      inData = from !== undefined && to.length > 0;
      reply(inData ? "354 end with a dot" : "503 5.5.1 no recipients");
    },
    RSET() {
      from = undefined;
      to = [];
      reply("250 2.0.0 ok");
    },
    NOOP: () => reply("250 2.0.0 ok"),
    QUIT() {
      reply("221 2.0.0 bye");
      socket.end();
    },
  };

  const receive = (source: string): void => {
    take({ from: from ?? "", to, source: source.replace(/^\./gm, "") });
    inData = false;
    from = undefined;
    to = [];
    reply("250 2.0.0 taken");
  };

  socket.setEncoding("latin1");
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk) => {
    buffered += chunk;
    for (;;) {
      // An empty message consists only of the dot.
      const end = inData
        ? buffered.startsWith(".\r\n")
          ? 0
          : buffered.indexOf("\r\n.\r\n")
        : buffered.indexOf("\r\n");
      if (end === -1) return;
      const part = buffered.slice(0, end);
      buffered = buffered.slice(end + (inData ? (part === "" ? 3 : 5) : 2));
      if (inData) receive(`${part}\r\n`);
      else {
        const [, verb = "", argument = ""] = /^(\w+)\s*(.*)$/.exec(part) ?? [];
        const run = commands[verb.toUpperCase()];
        if (run === undefined) reply("502 5.5.2 unknown command");
        else run(argument);
      }
    }
  });
  reply("220 sink.example ESMTP");
}

function pathIn(argument: string): string {
  return /<([^>]*)>/.exec(argument)?.[1] ?? "";
}
