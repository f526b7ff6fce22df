import type { ClientBase } from "pg";
import { plainValue } from "./plain-value.ts";
import { parserOf } from "./postgres-types.ts";

/** Methods through which pg lets a query send itself; its types omit them. */
interface Wire {
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
  stream: { write(bytes: Uint8Array): unknown };
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

interface NamedQuery extends Answer {
  /** Empty if the statement is parsed for this query alone. */
  name: string;
  text: string;
  values: readonly unknown[];
  /** Statements of the connection whose row descriptions are known. */
  shapes: Map<string, Shape>;
  shape: Shape | undefined;
  query_timeout: number;
  callback(error: unknown, answer?: Answer): void;
}

const noRows: Shape = { names: [], parsers: [] };

/** Execute and sync, with describe before them, for the portal without a name (PostgreSQL: Message Formats). */
const execute = Buffer.from("450000000900000000005300000004", "hex");
const describeAndExecute = Buffer.concat([Buffer.from("44000000065000", "hex"), execute]);

/** Methods with the names by which pg calls its own queries. */
const methods = {
  submit(this: NamedQuery, wire: Wire): Error | null {
    const { text } = this;
    // The statement on its way with this name may yet fail to be prepared, which would fail this one, too.
    if (wire.submittedNamedStatements[this.name] !== undefined) this.name = "";
    const { name } = this;
    if (wire.parsedStatements[name] === undefined) {
      wire.parse({ name, text, types: [] });
      if (name !== "") wire.submittedNamedStatements[name] = text;
    }
    wire.bind({ portal: "", statement: name, values: this.values });
    wire.stream.write(this.shape === undefined ? describeAndExecute : execute);
    return null;
  },
  handleRowDescription(this: NamedQuery, { fields }: { fields: { name: string; dataTypeID: number }[] }) {
    this.shape = {
      names: fields.map(({ name }) => name),
      parsers: fields.map(({ dataTypeID }) => parserOf(dataTypeID)),
    };
  },
  handleDataRow(this: NamedQuery, { fields }: { fields: (string | null)[] }) {
    const { names, parsers } = this.shape ?? noRows;
    const row: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index += 1) {
      const text = fields[index] ?? null;
      row[names[index] as string] = text === null ? null : parsers[index]?.(text);
    }
    this.found.push(row);
  },
  handleCommandComplete(this: NamedQuery, { text }: { text: string }) {
    this.tag = text;
    if (this.name !== "") this.shapes.set(this.name, this.shape ?? noRows);
  },
  handleReadyForQuery(this: NamedQuery) {
    this.callback(null, this);
  },
  handleError(this: NamedQuery, error: unknown) {
    this.callback(error);
  },
};

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

/**
 * Whether `runNamed` can run on the client, which must pipeline statements and have the structure of pg 8.23. In other
 * versions the parts outside pg's public types may have other names.
 */
export const takesNamed = (client: ClientBase): boolean => {
  const { pipeline, connection } = client as { pipeline?: boolean; connection?: Partial<Wire> };
  if (pipeline !== true || connection === undefined) return false;
  const { parsedStatements, submittedNamedStatements, parse, bind, stream } = connection;
  const tables = [parsedStatements, submittedNamedStatements];
  const functions = [parse, bind, stream?.write, (client.constructor as { Query?: unknown }).Query];
  return (
    tables.every((part) => typeof part === "object") && functions.every((part) => typeof part === "function")
  );
};

/**
 * Runs a named statement on a client that pipelines. pg's own query requests a description of the rows at each
 * execution, and creates an event emitter each time: without both, an e-mail accepted alone takes 0.88 of the CPU. The
 * row description of a prepared statement can't change: PostgreSQL then refuses to run it.
 */
export const runNamed = (
  client: ClientBase,
  { name, text, values }: { name: string; text: string; values: readonly unknown[] },
  timeoutMs: number,
): Promise<Answer> => {
  const shapes = shapesOf.get(client) ?? new Map<string, Shape>();
  shapesOf.set(client, shapes);
  return new Promise<Answer>((resolve, reject) => {
    const query: NamedQuery = Object.assign(Object.create(prototypeOf(client)), {
      name,
      text,
      values: values.map(textOf),
      shapes,
      shape: shapes.get(name),
      tag: "",
      found: [],
      query_timeout: timeoutMs,
      callback: (error: unknown, answer: Answer) => (error ? reject(error) : resolve(answer)),
    });
    client.query(query as never);
  });
};
