import type { AddressInfo } from "node:net";
import dns2 from "dns2";

const { Packet } = dns2;

/** The records of a name. A text is one string of a TXT record; a list of texts is one record of several strings. */
export interface Standing {
  txt?: (string | string[])[];
  ns?: string[];
  mx?: [preference: number, host: string][];
  cname?: string;
  a?: string;
  /** With `silent` the server does not answer, with `fails` it answers SERVFAIL. */
  fault?: "silent" | "fails";
}

/** A fake name server on loopback. */
export interface DnsServer {
  /** Address and port, `address:port`, for a resolver. */
  address: string;
  port: number;
  /** Records by name, in lower case. Other names do not exist. */
  records: Record<string, Standing>;
  /** Queries received so far, such as `TXT name`. */
  asked: string[];
  close(): Promise<void>;
}

const typeNames = Object.fromEntries(Object.entries(Packet.TYPE).map(([name, code]) => [code, name]));

/** Starts a name server on its own loopback address. */
export async function startDnsServer(host = "127.0.0.1", port = 0): Promise<DnsServer> {
  const asked: string[] = [];
  const known: { records: Record<string, Standing> } = { records: {} };
  const handle: dns2.DnsHandler = (request, send) => {
    const [question] = request.questions;
    if (question === undefined) return;
    const name = question.name.toLowerCase();
    asked.push(`${typeNames[question.type ?? 0]} ${name}`);
    const standing = known.records[name];
    if (standing?.fault === "silent") return;
    const response = Packet.createResponseFromRequest(request);
    response.header.aa = 1;
    if (standing === undefined) response.header.rcode = Packet.RCODE.NXDOMAIN;
    else if (standing.fault === "fails") response.header.rcode = Packet.RCODE.SERVFAIL;
    else response.answers.push(...(answersOf(name, question.type, standing) as dns2.Packet["answers"]));
    send(response);
  };
  // Long answers are sent over TCP.
  const overTcp = dns2.createTCPServer(handle);
  await new Promise<void>((resolve, reject) => {
    overTcp.once("error", reject).listen(port, host, resolve);
  });
  const taken = (overTcp.address() as AddressInfo).port;
  const overUdp = dns2.createUDPServer(handle);
  await overUdp.listen(taken, host);
  return {
    ...{ address: `${host}:${taken}`, port: taken, asked },
    get records() {
      return known.records;
    },
    set records(records) {
      known.records = records;
    },
    close: async () => {
      overUdp.close();
      await new Promise((resolve) => overTcp.close(resolve));
    },
  };
}

/** The packet encodes the answer itself. */
type Answer = Omit<dns2.Packet["answers"][number], "toBuffer">;

function answersOf(name: string, type: number | undefined, standing: Standing): Answer[] {
  const about = { name, class: Packet.CLASS.IN, ttl: 60 };
  const { txt = [], ns = [], mx = [], cname, a } = standing;
  if (cname !== undefined) return [{ ...about, type: Packet.TYPE.CNAME, domain: cname }];
  if (type === Packet.TYPE.TXT) return txt.map((data) => ({ ...about, type: Packet.TYPE.TXT, data }));
  if (type === Packet.TYPE.NS) return ns.map((host) => ({ ...about, type: Packet.TYPE.NS, ns: host }));
  if (type === Packet.TYPE.MX)
    return mx.map(([priority, exchange]) => ({ ...about, type: Packet.TYPE.MX, priority, exchange }));
  if (type === Packet.TYPE.A && a !== undefined) return [{ ...about, type: Packet.TYPE.A, address: a }];
  return [];
}
