import { findListed } from "../program/verbs/find-listed.ts";
import { inboundEndpoints } from "../program/verbs/listed-things.ts";
import type { Register } from "../program/verbs/register.ts";
import { addRouteVerb } from "../program/verbs/route-verb.ts";
import { isLoopback } from "../service/server/is-loopback.ts";
import { readTextFile } from "../terminal/read-input.ts";
import { readable } from "../terminal/report-done.ts";

const readSecret = async (file: string): Promise<string> => (await readTextFile(file)).trim();

export const register: Register = (command, act) => {
  addRouteVerb(command, act, "list", {
    asks: "GET /workspaces/current/inbound-endpoints",
    summary: "list the endpoints for relays' webhooks",
    example: "posthorn inbound-endpoints list --workspace Shop",
    isDefault: true,
    pagesFrom: 0,
    columns: [
      { title: "ID", cell: ({ id }) => id },
      { title: "PROVIDER", cell: ({ provider }) => provider },
      { title: "SINCE", cell: ({ created_at }) => readable(created_at) },
    ],
  });
  addRouteVerb(command, act, "create <provider>", {
    asks: "POST /workspaces/current/inbound-endpoints",
    summary: "create an endpoint for webhooks of ses, postmark, sendgrid, mailgun, resend or generic",
    details: "Its URL is shown only once, and so is the signing secret of generic.",
    example: [
      "posthorn inbound-endpoints create sendgrid --secret-file key.txt --workspace Shop",
      "posthorn inbound-endpoints create ses --workspace Shop",
    ],
    args: ["provider"],
    options: [
      {
        flags: "--secret-file <file>",
        field: "secret",
        describes: "a file with the key or secret that verifies its calls; - for standard input",
        load: readSecret,
      },
    ],
    done: ({ provider }) => `The endpoint for webhooks of ${provider} is created with a URL of its own.`,
    caution: ({ url }) =>
      isLoopback(new URL(url).hostname)
        ? "No relay reaches this address: it is of this machine. Set SERVICE_BASE_URL to the service's own, or put that before the path."
        : undefined,
    secret: {
      of: ({ url, secret }) => (secret === null ? url : `${url}\n${secret}`),
      ifLost: "Delete it, and create another: posthorn inbound-endpoints list",
    },
  });
  addRouteVerb(command, act, "delete <endpoint>", {
    asks: "DELETE /workspaces/current/inbound-endpoints/{id}",
    summary: "delete an endpoint, named by id, or by provider if it is the only one",
    example: "posthorn inbound-endpoints delete ses --workspace Shop",
    find: { id: findListed(inboundEndpoints) },
    confirm: ([id], workspace) => `Delete the endpoint ${id} of "${workspace?.name}"?`,
    done: (_, [id]) => `The endpoint ${id} is deleted.`,
  });
};
