import { runScriptedServer, type Script } from "../packages/mailer-smtp/test/scripted-server.ts";

/** New behaviour of a mail server at one command of the session, instead of its usual reply. */
export interface Fault {
  at: "none" | "greeting" | "EHLO" | "MAIL" | "RCPT" | "DATA" | "dot";
  /** The reply; `undefined` for none. */
  reply?: string;
}

/** Messages of the process to its parent: its port, and each mail that it is about to accept. */
export type ProcessMessage = { port: number } | { took: string };

let fault: Fault = { at: "none" };
const tell = (told: ProcessMessage, then: () => void = () => {}): void => void process.send?.(told, then);

const script: Script = {
  greeting: () => (fault.at === "greeting" ? fault.reply : "220 test"),
  command: (line) => (fault.at !== "none" && line.startsWith(fault.at) ? fault.reply : null),
  dot(content, session) {
    if (fault.at === "dot") return fault.reply;
    const { socket, behind } = session;
    const [, id = "?"] = /^X-Service-Email-Id: (\S+)/m.exec(content) ?? [];
    // An envelope that came with the content is answered after it: in its place, a refusal would be taken for the content's.
    session.behind = "";
    socket.pause();
    // Reported before it accepts a mail, so that none is missing if it is killed.
    tell({ took: id }, () => {
      socket.write("250 2.0.0 Ok: queued as 4F2Qab\r\n");
      if (behind !== "") socket.emit("data", Buffer.from(behind, "latin1"));
      socket.resume();
    });
    return undefined;
  },
};

const { port } = await runScriptedServer(script, Number(process.argv[2] ?? 0));
process.on("message", (next) => {
  fault = next as Fault;
});
process.on("disconnect", () => process.exit());
tell({ port });
