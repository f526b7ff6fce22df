import type { ClientBase } from "pg";
import { endsConnection } from "../postgres-errors.ts";
import { plainValue } from "./plain-value.ts";
import { parserOf } from "./postgres-types.ts";

/** Methods through which pg lets a query send itself; its types omit them. */
interface Wire {
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
  stream: { write(bytes: Uint8Array): unknown; cork(): void; uncork(): void };
  parse(message: { name: string; text: string; types: readonly number[] }): void;
  bind(message: { portal: string; statement: string; values: readonly unknown[] }): void;
}

/** Column names and parsers for a statement's rows. */
interface Shape {
  names: readonly string[];
  parsers: readonly ((text: string) => unknown)[];
}

/** Result of a statement. */
export interface Answer {
  /** The command tag, such as `INSERT 0 5`. */
  tag: string;
  found: Record<string, unknown>[];
}

/** A statement of a flight, until its answer. */
interface Leg extends Answer {
  /** Empty if the statement is parsed for this flight alone. */
  name: string;
  text: string;
  values: readonly (string | null)[];
  shape: Shape | undefined;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** Statements that are sent with one sync, as one query of pg's. */
interface Flight {
  /** Name and text of the leg that is answered next: pg notes that it is prepared. */
  name: string;
  text: string;
  legs: readonly Leg[];
  /** How many legs are answered. */
  answered: number;
  /** Statements of the connection whose row descriptions are known. */
  shapes: Map<string, Shape>;
  submitted: Wire["submittedNamedStatements"] | undefined;
  query_timeout: number;
  callback(error: unknown): void;
}

const noRows: Shape = { names: [], parsers: [] };

/** For the portal without a name, and the end of a flight (PostgreSQL: Message Formats). */
const execute = Buffer.from("45000000090000000000", "hex");
const describeAndExecute = Buffer.concat([Buffer.from("44000000065000", "hex"), execute]);
const sync = Buffer.from("5300000004", "hex");
const executeAndSync = Buffer.concat([execute, sync]);
const describeAndSync = Buffer.concat([describeAndExecute, sync]);

/** What a leg gets after another one of its flight failed: the server skipped it. */
const skipped = () =>
  Object.assign(new Error("a statement before this one failed"), { code: "25P02" as const });

/** Methods with the names by which pg calls its own queries. */
const methods = {
  submit(this: Flight, wire: Wire): Error | null {
    this.submitted = wire.submittedNamedStatements;
    const last = this.legs.at(-1);
    const isAlone = this.legs.length === 1;
    if (!isAlone) wire.stream.cork();
    for (const leg of this.legs) {
      // The statement on its way with this name may yet fail to be prepared, which would fail this one, too.
      if (this.submitted[leg.name] !== undefined) leg.name = "";
      const { name, text } = leg;
      if (wire.parsedStatements[name] === undefined) {
        wire.parse({ name, text, types: [] });
        if (name !== "") this.submitted[name] = text;
      }
      wire.bind({ portal: "", statement: name, values: leg.values });
      if (leg === last) wire.stream.write(leg.shape === undefined ? describeAndSync : executeAndSync);
      else wire.stream.write(leg.shape === undefined ? describeAndExecute : execute);
    }
    if (!isAlone) wire.stream.uncork();
    faceNext(this);
    return null;
  },
  handleRowDescription(this: Flight, { fields }: { fields: { name: string; dataTypeID: number }[] }) {
    const leg = this.legs[this.answered];
    if (leg === undefined) return;
    leg.shape = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => parserOf(dataTypeID)),
    };
  },
  handleDataRow(this: Flight, { fields }: { fields: (string | null)[] }) {
    const leg = this.legs[this.answered];
    const { names, parsers } = leg?.shape ?? noRows;
    const row: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index += 1) {
      const text = fields[index] ?? null;
      row[names[index] as string] = text === null ? null : parsers[index]?.(text);
    }
    leg?.found.push(row);
  },
  handleCommandComplete(this: Flight, { text }: { text: string }) {
    const leg = this.legs[this.answered];
    if (leg === undefined) return;
    leg.tag = text;
    if (leg.name !== "") this.shapes.set(leg.name, leg.shape ?? noRows);
    this.answered += 1;
    faceNext(this);
  },
  handleReadyForQuery(this: Flight) {
    this.callback(null);
    for (const leg of this.legs) leg.resolve(leg);
  },
  handleError(this: Flight, error: unknown) {
    this.callback(error);
    // A single statement may fail after its answer, at its commit.
    const failed = Math.min(this.answered, this.legs.length - 1);
    const isLost = endsConnection(error);
    for (const [at, leg] of this.legs.entries()) {
      if (at < failed) leg.resolve(leg);
      else leg.reject(at === failed || isLost ? error : skipped());
      if (at > failed && this.submitted?.[leg.name] === leg.text) delete this.submitted[leg.name];
    }
  },
};

/** Shows pg the leg that is answered next. */
function faceNext(flight: Flight): void {
  const leg = flight.legs[flight.answered];
  if (leg === undefined) return;
  flight.name = leg.name;
  flight.text = leg.text;
}

/** Prototypes by pg's query class, as pg pipelines only instances of its own class. */
const prototypes = new WeakMap<object, object>();

const prototypeOf = (client: ClientBase): object => {
  const { Query } = client.constructor as unknown as { Query: { prototype: object } };
  const known = prototypes.get(Query) ?? Object.assign(Object.create(Query.prototype), methods);
  prototypes.set(Query, known);
  return known;
};

const shapesOf = new WeakMap<ClientBase, Map<string, Shape>>();

const textOf = (value: unknown): string | null => {
  const plain = plainValue(value);
  return plain === null || plain === undefined ? null : String(plain);
};

/** Values as the protocol sends them. */
export const textsOf = (values: readonly unknown[]): (string | null)[] => values.map(textOf);

/**
 * Whether `runFlight` can run on the client, which must pipeline statements and have the structure of pg 8.23. In other
 * versions the parts outside pg's public types may have other names.
 */
export const takesNamed = (client: ClientBase): boolean => {
  const { pipeline, connection } = client as { pipeline?: boolean; connection?: Partial<Wire> };
  if (pipeline !== true || connection === undefined) return false;
  const { parsedStatements, submittedNamedStatements, parse, bind, stream } = connection;
  const tables = [parsedStatements, submittedNamedStatements];
  const functions = [
    parse,
    bind,
    stream?.write,
    stream?.cork,
    stream?.uncork,
    (client.constructor as { Query?: unknown }).Query,
  ];
  return (
    tables.every((part) => typeof part === "object") && functions.every((part) => typeof part === "function")
  );
};

/** A statement with the name under which it is prepared; without one it is parsed for this use alone. */
export interface Statement {
  name: string | undefined;
  text: string;
  values: readonly unknown[];
}

/** A statement with its values as texts, and what gets its answer. */
export type Sent = Statement & Pick<Leg, "values" | "resolve" | "reject">;

/**
 * Runs statements on a client that pipelines, with one sync behind them all: once one fails, the server skips the rest,
 * which reject as in an aborted transaction. Outside a transaction, several are one.
 */
export const runFlight = (client: ClientBase, statements: readonly Sent[], timeoutMs: number): void => {
  const shapes = shapesOf.get(client) ?? new Map<string, Shape>();
  shapesOf.set(client, shapes);
  const flight: Flight = Object.assign(Object.create(prototypeOf(client)), {
    name: "",
    text: "",
    legs: statements.map(
      ({ name = "", text, values, resolve, reject }): Leg => ({
        name,
        text,
        values,
        shape: shapes.get(name),
        tag: "",
        found: [],
        resolve,
        reject,
      }),
    ),
    answered: 0,
    shapes,
    submitted: undefined,
    query_timeout: timeoutMs,
    callback: () => {},
  });
  client.query(flight as never);
};

/**
 * Runs one statement. pg's own query requests a description of the rows at each execution, and creates an event emitter
 * each time: without both, an e-mail accepted alone takes 0.88 of the CPU. The row description of a prepared statement
 * can't change: PostgreSQL then refuses to run it.
 */
export const runNamed = (client: ClientBase, statement: Statement, timeoutMs: number): Promise<Answer> =>
  new Promise((resolve, reject) => {
    runFlight(client, [{ ...statement, values: textsOf(statement.values), resolve, reject }], timeoutMs);
  });
