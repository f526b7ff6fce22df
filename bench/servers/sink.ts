/** An SMTP server that accepts everything and stores nothing. `sink.ts PORT`. */
import { createServer } from "node:net";

createServer({ noDelay: true }, (socket) => {
  let rest = "";
  let isContent = false;
  socket.on("error", () => {});
  socket.write("220 sink ESMTP\r\n");
  socket.on("data", (piece) => {
    rest += piece.toString("latin1");
    let replies = "";
    for (;;) {
      const end = rest.indexOf(isContent ? "\r\n.\r\n" : "\r\n");
      if (end === -1) {
        // Of a message only its end matters, which may arrive in two chunks.
        if (isContent) rest = rest.slice(-4);
        break;
      }
      const command = isContent ? "." : rest.slice(0, 4).toUpperCase();
      rest = rest.slice(end + (isContent ? 5 : 2));
      isContent = command === "DATA";
      replies +=
        command === "EHLO" ? "250-sink\r\n250 PIPELINING\r\n" : isContent ? "354 go\r\n" : "250 ok\r\n";
    }
    if (replies !== "") socket.write(replies);
  });
}).listen(Number(process.argv[2]), "127.0.0.1");
