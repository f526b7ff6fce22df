import { randomBytes } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type Posthorn, ServiceError, type Storage } from "@posthorn/core";
import { hasPassword } from "@posthorn/core/internal";
import { operatorName } from "../../program/connection/operator-call.ts";
import { sqliteFile } from "../../service/database/open-storage.ts";
import { devFolder } from "./dev-settings.ts";
import { readKept } from "./read-kept.ts";

const email = "dev@posthorn.example";
const workspaceName = "Development";
const keyName = "posthorn dev";
const mark = "posthorn dev";

/** Login and key of a development server, the same at every start. */
export interface DevWorld {
  email: string;
  password: string;
  workspaceId: number;
  key: string;
}

/** Whether a database was created by `posthorn dev`, or is empty. Changes nothing. */
export async function isOwnDatabase(storage: Storage): Promise<boolean> {
  const migrations = await storage.migrations();
  if (migrations.every(({ appliedAt }) => appliedAt === undefined)) return true;
  if (migrations.some(({ appliedAt, isKnown }) => appliedAt === undefined || !isKnown)) {
    // In a database of another version only the mark is read, which all versions store in one place.
    return (await storage.operations.findFact("made_by").catch(() => undefined)) === mark;
  }
  const maker = await storage.operations.findFact("made_by");
  if (maker !== undefined) return maker === mark;
  return (await storage.users.list({ q: undefined }, { offset: 0, limit: 1 })).total === 0;
}

/** Marks a database as created by `posthorn dev`. */
export async function markAsDev(storage: Storage): Promise<void> {
  await storage.operations.keepFact("made_by", mark);
}

/**
 * Makes a folder for databases and logins, which nobody else may read and Git leaves out. A folder that exists stays as
 * it is, but Git leaves out this command's own one, whoever made it.
 */
export function makeDevFolder(path: string): void {
  const isThere = existsSync(path);
  const ignored = join(path, ".gitignore");
  if (isThere && (basename(path) !== devFolder || existsSync(ignored) || !isWritableFolder(path))) return;
  mkdirSync(path, { recursive: true, mode: 0o700 });
  writeFileSync(ignored, "*\n");
}

/** Whether something is a folder, and can be written to: the database says best why it can't. */
function isWritableFolder(path: string): boolean {
  try {
    accessSync(`${path}/`, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Path of the file with a database's login and key: beside it; none if nothing of it stays. */
export function keptFileOf(databaseUrl: string): string | undefined {
  const file = sqliteFile(databaseUrl);
  if (file === ":memory:") return undefined;
  return file === undefined ? join(devFolder, "postgres.json") : `${file.replace(/\.db$/, "")}.json`;
}

/**
 * Loads what the first start created, or creates it. Login and key are stored in a file, accessible only to its owner,
 * with the URL that links lead to.
 */
export async function findOrMakeDevWorld(
  posthorn: Posthorn,
  databaseUrl: string,
  url: string,
): Promise<DevWorld> {
  const file = keptFileOf(databaseUrl);
  const kept = file === undefined ? {} : readKept(file);
  const { id: userId, password } = await findOrMakeUser(posthorn, kept.password);
  const as = await posthorn.findUser(userId);
  if (as === undefined) throw new Error("the user is gone");
  const mine = (await posthorn.workspaces.list({ size: 100 }, { as })).items;
  const workspace =
    mine.find(({ name }) => name === workspaceName) ??
    mine[0] ??
    (await posthorn.workspaces.create({ name: workspaceName }, { as }));
  const inWorkspace = { as, workspaceId: workspace.id };
  const templates = await posthorn.templates.list({}, inWorkspace);
  if (templates.items.length === 0) await posthorn.templates.create(welcome, inWorkspace);
  const works = kept.key !== undefined && (await posthorn.authenticateApiKey(kept.key)) !== undefined;
  const key =
    works && kept.key !== undefined
      ? kept.key
      : (await posthorn.apiKeys.create({ name: keyName, expiresInDays: 0 }, inWorkspace)).key;
  if (file !== undefined) keep(file, { url, email, password, api_key: key });
  return { email, password, workspaceId: workspace.id, key };
}

function keep(file: string, content: object): void {
  makeDevFolder(dirname(file));
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}

/** Finds or creates the developer; if the password is lost or was changed, a new one is set. */
async function findOrMakeUser(
  posthorn: Posthorn,
  kept: string | undefined,
): Promise<{ id: number; password: string }> {
  const known = await posthorn.users.getByEmail({ email }).catch(orNobody);
  if (known !== undefined && kept !== undefined && (await isPassword(posthorn, known.id, kept)))
    return { id: known.id, password: kept };
  const password = newPassword(posthorn);
  const { id } =
    known ?? (await posthorn.users.create({ name: "Developer", email, password, isAdmin: true }));
  if (known !== undefined) await posthorn.users.setPassword({ userId: id, password });
  return { id, password };
}

const isPassword = async (posthorn: Posthorn, userId: number, password: string): Promise<boolean> =>
  await posthorn.execute(
    hasPassword,
    { userId, password },
    {
      caller: { kind: "operator", name: operatorName() },
      client: { ip: "", userAgent: "" },
      workspaceId: undefined,
    },
  );

/** Makes a password of 16 characters, or of as many as the settings ask for: base64 has four for three bytes. */
const newPassword = ({ config: { passwordMinLength } }: Posthorn): string =>
  randomBytes(Math.max(12, Math.ceil((passwordMinLength * 3) / 4))).toString("base64url");

function orNobody(error: unknown): undefined {
  if (error instanceof ServiceError && error.code === "not_found") return undefined;
  throw error;
}

const welcome = {
  name: "welcome",
  description: "Greets somebody new",
  subject: "Welcome, {{name}}!",
  html: "<style>h1 { color: #1a5276 }</style><h1>Welcome, {{name}}!</h1><p>It is good to have you here.</p>",
  text: "Welcome, {{name}}!\n\nIt is good to have you here.",
  sampleData: { name: "Ada" },
};
