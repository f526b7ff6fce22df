import type { BounceRule } from "../../../inbound/rules/bounces/bounce-rule.ts";
import type { HandoverStepName, MailMessage, MailResult } from "../../../ports/mailer.ts";
import type { SmtpServer } from "../../../ports/storage.ts";
import type { Tenure } from "../../../queue/loop/work.ts";
import { SecretUnreadable } from "../../../rules/secret-box.ts";
import type { Runtime } from "../../../service/runtime.ts";
import { serverAddress } from "../../smtp-servers/server-address.ts";
import { findSettingsFault } from "./find-settings-fault.ts";
import { isServersFault, type RouteHold } from "./route-hold.ts";
import { createServerHealthWatch, type ServerHealthWatch } from "./server-health.ts";
import { createServerTurns } from "./server-turns.ts";
import { createWorkerShare } from "./worker-share.ts";

/** The result of one server, and which of the workspace's own that was: `undefined` for the operator's. */
export interface OneWay {
  result: Omit<MailResult, "held"> & { held?: RouteHold };
  server: SmtpServer | undefined;
}

/** Sends one message. Throws what tells a fault of the mailer from any other. */
export type MarkedSend = (message: MailMessage, units: number, tenure: Tenure) => Promise<MailResult>;

/** Ms until mail without a server is looked at again. Creating or changing a server brings that forward. */
export const lonely = { cause: "settings", retryAfterMs: 600_000 } as const;

interface WayOptions {
  tenure: Tenure;
  units: number;
  patienceMs: number | undefined;
  needsLogin: boolean;
  sender: () => string;
}

/**
 * Creates the function that sends through a workspace's server, with respect to its known health, its pace and its
 * limit of connections.
 */
export function createServerWay(
  runtime: Runtime,
  send: MarkedSend,
): (server: SmtpServer, message: MailMessage, options: WayOptions) => Promise<OneWay> {
  const health = createServerHealthWatch(runtime);
  const share = createWorkerShare(runtime);
  const turns = createServerTurns(runtime, { health, share });
  const rules = runtime.config.bounceRules;

  async function sendNow(
    known: SmtpServer,
    message: MailMessage,
    { tenure, units, patienceMs, needsLogin, sender }: WayOptions,
  ): Promise<OneWay> {
    const server = await health.begin(known);
    if ("cause" in server) return holdAll(message, server);
    const address = serverAddress(runtime, server);
    if (address instanceof SecretUnreadable)
      return holdAll(message, await health.failed(server, { ...lonely, reason: address.message }));
    message.server = {
      ...address,
      connections: await share(server.maxConnections),
      ...(patienceMs === undefined ? {} : { patienceMs }),
      ...(needsLogin ? { needsLogin } : {}),
    };
    message.envelope = { ...message.envelope, from: sender() };
    const result = await send(message, units, tenure);
    try {
      return { result: await noteResult(health, server, { result, rules, mail: message.emailId }), server };
    } catch (error) {
      // What the server did with the message stands: as a failure of the attempt, it would be sent once more.
      runtime.logger.warn({ err: error }, "the state of a workspace's mail server could not be stored");
      return { result, server };
    }
  }

  return async (known, message, options) => {
    const turn = await turns(known, options.tenure);
    if ("cause" in turn) return holdAll(message, turn);
    try {
      return await sendNow(known, message, options);
    } finally {
      turn.end();
    }
  };
}

/** Records what the result says about the server's health; returns it with the time to leave the server alone. */
async function noteResult(
  health: ServerHealthWatch,
  server: SmtpServer,
  { result, rules, mail }: { result: MailResult; rules: readonly BounceRule[]; mail: string },
): Promise<MailResult> {
  const { held } = result;
  if (held !== undefined && isServersFault(held) && !isUntried(result))
    return { ...result, held: await health.failed(server, held, tookSender(result) ? mail : undefined) };
  if (held !== undefined) {
    await health.untried(server, held);
    return result;
  }
  const [first] = result.recipients;
  const fault = findSettingsFault(result, rules);
  if (fault !== undefined && server.health.state !== "down") await health.marked(server, fault);
  else if (result.recipients.some(({ code }) => code !== undefined)) await health.worked(server);
  // A mail that tried a server which was down got no reply: the server is still down.
  else if (server.health.state === "down")
    await health.failed(server, { cause: "unreachable", reason: first?.reply ?? "", retryAfterMs: 1_000 });
  return result;
}

/** Whether the mailer asked the server nothing, because a hold that it knew of still stood. */
const isUntried = ({ steps }: MailResult): boolean => steps?.every(({ step }) => step === "wait") === true;

/** Whether the server failed only after it had taken the mail's sender. */
const tookSender = ({ steps = [] }: MailResult): boolean =>
  afterSender.has(steps.at(-1)?.step) && steps.some(({ step, code }) => step === "mail_from" && code === 250);

const afterSender = new Set<HandoverStepName | undefined>(["rcpt_to", "data", "content", "end_of_data"]);

export const deferAll = ({ envelope }: MailMessage, reply: string): MailResult => ({
  recipients: envelope.to.map((address) => ({ address, outcome: "deferred", reply })),
  inDoubt: false,
});

export const holdAll = (message: MailMessage, held: RouteHold): OneWay => ({
  result: { ...deferAll(message, held.reason), held },
  server: undefined,
});
