import { addVerb } from "../program/add-verb.ts";
import { lazily } from "../program/lazily.ts";
import type { Register } from "../program/register.ts";

const run = lazily(() => import("./profiles/actions.ts"));

export const register: Register = (command, act) => {
  addVerb(command, "list", {
    summary: "list the servers that commands can ask in place of a database",
    details: "Their keys stay hidden. They are kept in posthorn/profiles.json in your folder of settings.",
    example: ["posthorn profiles", "posthorn emails list --profile prod"],
    isDefault: true,
  }).action(act(run("list")));
  addVerb(command, "add <name>", {
    summary: "keep a server and a workspace's API key under a name",
    details: "The key is tried before it is kept. With a key, commands send and see the workspace's e-mails.",
    example: "posthorn profiles add prod --url https://mail.example.com --key-stdin < key.txt",
  })
    .option("--url <url>", "the server (default: the one that the profile has)")
    .option("--key-stdin", "read the API key from standard input instead of asking")
    .action(act(run("add")));
  addVerb(command, "login <name>", {
    summary: "log in at a server, and keep the login under a name",
    details:
      "With a login, commands do what its user may. It ends like any other: see users revoke-sessions.",
    example: "posthorn profiles login prod --url https://mail.example.com --email ada@example.com",
  })
    .requiredOption("--email <address>", "who logs in")
    .option("--url <url>", "the server (default: the one that the profile has)")
    .option("--password-stdin", "read the password from standard input instead of asking")
    .option("--code <code>", "the code of two-factor login (default: asked for)")
    .action(act(run("logIn")));
  addVerb(command, "remove <name>", {
    summary: "forget a server, and end the login at it",
    example: "posthorn profiles remove prod",
  }).action(act(run("remove")));
};
