import type { ClientBase } from "pg";
import { plainValue } from "./plain-value.ts";
import { parserOf } from "./postgres-types.ts";

/** What pg gives a query to send itself through; its types leave it out. */
interface Wire {
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
  stream: { write(bytes: Uint8Array): unknown };
  parse(message: { name: string; text: string; types: readonly number[] }): void;
  bind(message: { portal: string; statement: string; values: readonly unknown[] }): void;
}

/** How a statement's rows are read. */
interface Shape {
  names: readonly string[];
  parsers: readonly ((text: string) => unknown)[];
}

/** What a statement came to. */
export interface Answer {
  /** The command tag, such as `INSERT 0 5`. */
  tag: string;
  found: Record<string, unknown>[];
}

interface NamedQuery extends Answer {
  name: string;
  text: string;
  values: readonly unknown[];
  /** Of the connection's statements, those whose rows it has described. */
  shapes: Map<string, Shape>;
  shape: Shape | undefined;
  query_timeout: number;
  callback(error: unknown, answer?: Answer): void;
}

const noRows: Shape = { names: [], parsers: [] };

/** Execute and sync, with describe before them, for the portal without a name (PostgreSQL: Message Formats). */
const execute = Buffer.from("450000000900000000005300000004", "hex");
const describeAndExecute = Buffer.concat([Buffer.from("44000000065000", "hex"), execute]);

/** As pg's own query has them: it calls them by these names. */
const methods = {
  submit(this: NamedQuery, wire: Wire): Error | null {
    const { name, text } = this;
    if ((wire.parsedStatements[name] ?? wire.submittedNamedStatements[name]) === undefined) {
      wire.parse({ name, text, types: [] });
      wire.submittedNamedStatements[name] = text;
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
    this.shapes.set(this.name, this.shape ?? noRows);
  },
  handleReadyForQuery(this: NamedQuery) {
    this.callback(null, this);
  },
  handleError(this: NamedQuery, error: unknown) {
    this.callback(error);
  },
};

/** By pg's class of queries, whose instances alone it lets go out behind each other. */
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
 * Whether `runNamed` can run on the client: one whose statements go out behind each other, and that is built like pg 8.23. Another version may
 * have the parts that no type of pg's promises under other names.
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
 * Runs a named statement on a client whose statements go out behind each other. pg's own query has the rows described again at each
 * execution, and makes an emitter of each: without both, an e-mail accepted alone takes 0.88 of the CPU. What the rows of a prepared
 * statement are can't change: PostgreSQL refuses to run it then.
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
