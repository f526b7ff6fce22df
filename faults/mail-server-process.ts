import { type Script, startScriptedServer } from "../packages/mailer-smtp/test/scripted-server.ts";

/** What a mail server does from now on: at a word of the conversation, instead of its usual answer. */
export interface Fault {
  at: "none" | "greeting" | "EHLO" | "MAIL" | "RCPT" | "DATA" | "dot";
  /** The reply; `undefined`: none. */
  reply?: string;
}

/** What the process tells its parent: where it listens, and each mail that it is about to say it took. */
export type ProcessMessage = { port: number } | { took: string };

let fault: Fault = { at: "none" };
const tell = (told: ProcessMessage, then: () => void = () => {}): void => void process.send?.(told, then);

const script: Script = {
  greeting: () => (fault.at === "greeting" ? fault.reply : "220 test"),
  command: (line) => (fault.at !== "none" && line.startsWith(fault.at) ? fault.reply : null),
  dot(content, { socket }) {
    if (fault.at === "dot") return fault.reply;
    const [, id = "?"] = /^X-Service-Email-Id: (\S+)/m.exec(content) ?? [];
    // What it says to have taken is told before, so that none is forgotten where it is killed.
    tell({ took: id }, () => socket.write("250 2.0.0 Ok: queued as 4F2Qab\r\n"));
    return undefined;
  },
};

const { port } = await startScriptedServer(script, Number(process.argv[2] ?? 0));
process.on("message", (next) => {
  fault = next as Fault;
});
process.on("disconnect", () => process.exit());
tell({ port });
