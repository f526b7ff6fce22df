import type { Counters, Logger } from "@posthorn/core";
import type { DevelopmentHome, PosthornServer, ServerOptions, TemplatePreviews } from "@posthorn/http";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { sizeYoungGeneration } from "../../program/process/young-generation.ts";
import type { SettingValues } from "../../program/settings/settings.ts";
import { createLogger } from "../../terminal/create-logger.ts";
import type { Notices } from "../../terminal/create-notices.ts";
import type { DeliveryThread } from "../delivery/deliver-in-thread.ts";
import { deliversInThread } from "../delivery/delivers-in-thread.ts";
import type { InboundListener } from "../inbound/inbound-listener.ts";
import { readCertificate } from "../inbound/read-certificate.ts";
import type { OpenedService } from "../open-service.ts";
import { addCounters } from "./add-counters.ts";
import { assertNoneAbandoned } from "./assert-none-abandoned.ts";
import { cannotListen, hostInUrl } from "./cannot-listen.ts";
import { holdFreePort } from "./hold-free-port.ts";
import { isLoopback } from "./is-loopback.ts";
import { referenceProgram } from "./reference-program.ts";
import { createShutdown } from "./shutdown.ts";

/** A listening server. */
export interface RunningServer extends OpenedService {
  logger: Logger;
  /** URL of the server. */
  url: string;
  /** URL of captured mail, for callers on the same machine only. */
  inboxUrl: string | undefined;
  /** URL of the metrics' own port. */
  metricsUrl?: string | undefined;
  /** URL of the inbound port. */
  inboundUrl?: string | undefined;
}

export interface RunServerOptions {
  /** Where it warns at its start. */
  notices: Notices;
  /** Whether this process also delivers. */
  worker: boolean;
  /** Content of `/` for callers on this machine. Default: there is no such page. */
  home?: () => DevelopmentHome | undefined;
  /** Content of `/previews` for callers on this machine. Default: there is no such page. */
  previews?: () => TemplatePreviews | undefined;
  /** Called for each request that is refused. */
  onRefused?: ServerOptions["onRefused"];
  /** Called once the server listens. */
  onListening(server: RunningServer): Promise<void> | void;
}

/**
 * Serves the API until Ctrl-C, SIGTERM, SIGQUIT or SIGHUP, then stops gracefully. Throws a `CliError` if it can't start
 * or has to give up.
 */
export async function runServer(context: CommandContext, options: RunServerOptions): Promise<void> {
  const { values } = context.config();
  const logger = createLogger(values.log_level);
  const shutdown = createShutdown(context.signal, logger);
  try {
    // The base URL must be known before the server is created, so a free port is reserved for it meanwhile.
    const refuse = (port: number) => (error: NodeJS.ErrnoException) => {
      throw cannotListen(error, values.host, { port, settings: "--port (0 takes a free one) or --host" });
    };
    const held = values.port === 0 ? await holdFreePort(values.host).catch(refuse(0)) : undefined;
    const port = held?.port ?? values.port;
    const baseUrl = `http://${hostInUrl(values.host)}:${port}`;
    const writeTurns = options.worker && deliversInThread(values) ? new SharedArrayBuffer(64) : undefined;
    const service = await context.open({
      database: "make",
      mail: options.worker ? "deliver" : "show",
      logger,
      baseUrl,
      writeTurns,
      onFatal: (error) => shutdown.fail("the storage failed", error),
    });
    const { createPosthornServer } = await import("@posthorn/http");
    // Before a public name stands a proxy, and nginx's defaults hide it: a reader elsewhere would seem to be on this machine.
    const isAtHome = [values.host, new URL(values.base_url ?? baseUrl).hostname].every(isLoopback);
    const inbox = isAtHome ? service.inbox : undefined;
    const { posthorn } = service;
    let thread: DeliveryThread | undefined;
    const counters = async (): Promise<Counters> =>
      addCounters(posthorn.counters(), await thread?.counters());
    const server = createPosthornServer({ ...posthorn, counters }, serverOptions(values, options, inbox));
    await held?.release();
    const { url } = await server.listen(port, values.host).catch(refuse(port));
    const metricsUrl = await listenForMetrics(server, values);
    const reports = await openListener(service, values, logger).catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
    sizeYoungGeneration();
    if (writeTurns !== undefined)
      thread = (await import("../delivery/deliver-in-thread.ts")).deliverInThread(
        { values, baseUrl, writeTurns },
        shutdown.fail,
      );
    else if (options.worker) posthorn.start();
    const running = {
      ...{ ...service, logger, url },
      inboxUrl: inbox && `${url}/inbox`,
      metricsUrl,
      inboundUrl: reports && `smtp://${hostInUrl(values.inbound_listen_host ?? values.host)}:${reports.port}`,
    };
    let abandoned = 0;
    try {
      await options.onListening(running);
      await shutdown.ended;
    } finally {
      logger.info({}, "stopping: work in progress is finished first");
      const stops = [posthorn.stop(), thread?.stop(), server.stop(), reports?.close()] as const;
      const [own, ofThread = 0] = await Promise.all(stops);
      abandoned = own + ofThread;
    }
    assertNoneAbandoned(abandoned);
  } finally {
    shutdown.close();
  }
}

/** Listens for metrics, if these have a port of their own, and returns their URL. */
async function listenForMetrics(
  server: Pick<PosthornServer, "listenForMetrics" | "stop">,
  { metrics_port: port, metrics_host, host: ofApi }: SettingValues,
): Promise<string | undefined> {
  if (port === undefined) return undefined;
  const host = metrics_host ?? ofApi;
  await server.listenForMetrics(port, host).catch(async (error: NodeJS.ErrnoException) => {
    await server.stop();
    throw cannotListen(error, host, { port, settings: "--metrics-port or --metrics-host" });
  });
  return `http://${hostInUrl(host)}:${port}/metrics`;
}

function serverOptions(
  values: SettingValues,
  { home, previews, onRefused }: RunServerOptions,
  inbox: OpenedService["inbox"],
): ServerOptions {
  return {
    trustProxy: values.trust_proxy,
    corsOrigins: values.cors_origins,
    reference: referenceProgram,
    inbox,
    home,
    previews,
    onRefused,
    metricsToken: values.metrics_token,
  };
}

/** Opens the inbound port, if one is configured. */
async function openListener(
  { posthorn }: OpenedService,
  {
    inbound_port: port,
    return_path_domain: domain,
    inbound_host: inboundHost,
    inbound_listen_host: listenHost,
    inbound_certificate: files,
    host: ofApi,
  }: SettingValues,
  logger: Logger,
): Promise<InboundListener | undefined> {
  if (port === undefined) return undefined;
  const name = inboundHost ?? domain;
  if (name === undefined)
    throw new CliError(
      "usage",
      "SERVICE_INBOUND_PORT needs SERVICE_RETURN_PATH_DOMAIN or SERVICE_INBOUND_HOST.",
      "Name the domain whose MX leads here, such as bounces.example.com, or the host that MX records may lead to.",
    );
  const { listenForReports } = await import("../inbound/inbound-listener.ts");
  const host = listenHost ?? ofApi;
  const certificate = files && (() => readCertificate(files));
  return await listenForReports(posthorn, { name, port, host, certificate, logger }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error instanceof CliError) throw error;
      throw cannotListen(error, host, {
        port,
        settings: "SERVICE_INBOUND_PORT or SERVICE_INBOUND_LISTEN_HOST",
      });
    },
  );
}

/** Prints the server's addresses, and what happens to mail. */
export function tellAddresses(
  { note, warn }: Notices,
  {
    url,
    inboxUrl,
    inbox,
    metricsUrl,
    inboundUrl,
  }: Pick<RunningServer, "url" | "inboxUrl" | "inbox" | "metricsUrl" | "inboundUrl">,
): void {
  note(`Listening on ${url}`);
  note(`Reference:   ${url}/docs`);
  if (metricsUrl !== undefined) note(`Metrics:     ${metricsUrl}`);
  if (inboundUrl !== undefined) note(`Inbound:     ${inboundUrl} (bounces and complaints by mail)`);
  if (inboxUrl !== undefined) note(`Inbox:       ${inboxUrl} (e-mails are captured, not sent)`);
  else if (inbox !== undefined) {
    warn(
      "E-mails are captured and not sent, because of SERVICE_SMTP_URL=capture:. /inbox is served on loopback addresses only, and below a base URL that has one.",
    );
  }
}
