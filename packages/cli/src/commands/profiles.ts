import { addVerb } from "../program/verbs/add-verb.ts";
import { lazily } from "../program/verbs/lazily.ts";
import type { Register } from "../program/verbs/register.ts";

const run = lazily(() => import("./profiles/actions.ts"));

export const register: Register = (command, act) => {
  addVerb(command, "list", {
    summary: "list the servers that commands can use instead of a database",
    details: "Keys stay hidden. Profiles are kept in posthorn/profiles.json in your settings folder.",
    example: ["posthorn profiles", "posthorn emails list --profile prod"],
    isDefault: true,
  }).action(act(run("list")));
  addVerb(command, "add <name>", {
    summary: "save a server and a workspace's API key under a name",
    details:
      "The key is tried before it is saved. With a key, commands send and read the workspace's e-mails.",
    example: "posthorn profiles add prod --url https://mail.example.com --key-stdin < key.txt",
  })
    .option("--url <url>", "the server (default: the profile's)")
    .option("--key-stdin", "read the API key from standard input instead of asking")
    .action(act(run("add")));
  addVerb(command, "login <profile>", {
    summary: "log in to a server, and save the login under a name",
    details:
      "With a login, commands have its user's permissions. It ends like any other login: see users revoke-sessions.",
    example: "posthorn profiles login prod --url https://mail.example.com --email ada@example.com",
  })
    .requiredOption("--email <address>", "the user's e-mail address")
    .option("--url <url>", "the server (default: the profile's)")
    .option("--password-stdin", "read the password from standard input instead of asking")
    .option("--code-stdin", "read the two-factor code there, too, from the line after the password")
    .action(act(run("logIn")));
  addVerb(command, "remove <profile>", {
    summary: "remove a server, and end its login",
    example: "posthorn profiles remove prod",
  }).action(act(run("remove")));
};
