import { connect } from "node:net";

/** Sends raw bytes and returns all that is received until the server closes the connection, or, if told, the first of it. */
export function rawRequest(port: number, bytes: string, leavesAtAnswer = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes, "latin1"));
    let answer = "";
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      answer += chunk;
      if (leavesAtAnswer) socket.end();
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}
