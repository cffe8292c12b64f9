// A line of the audit log or of the request log as it is shipped: one JSON object on one line, with what the log has of it and no more. Personal data in
// the audit log stays sealed, so that erasing a person reaches what was shipped as well. A line of the audit log can be read back into what its link was
// made of: whoever has the key can compute its hash again from what was shipped.

import {
  isJsonObject,
  JsonFault,
  JsonNumber,
  JsonText,
  parseJson,
  type Json,
  type JsonObject,
} from '../../kit/json.ts';
import { isId, timeOfId, type Id } from '../../kit/id.ts';
import { environments, type Tenant } from '../../model/access/scope.ts';
import type { ShippedLine } from '../../model/operations/shipped-log.ts';
import type { AuditLine, ChainLink, LineToChain } from '../../store/access/audit-chain.ts';
import type { NumberedRequest } from '../../store/queues/log-shipments.ts';

/**
 * Control characters, line and paragraph separators, and characters that change how others are shown: escaped, so that whatever reads a line, and whoever
 * looks at it, sees one line with what it says.
 */
const hidden = /[\p{C}\p{Zl}\p{Zp}]/gu;

function escapeHidden(text: string): string {
  return text.replace(hidden, (character) => {
    let escaped = '';
    for (let unit = 0; unit < character.length; unit++)
      escaped += `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`;
    return escaped;
  });
}

function writeLine(
  members: Readonly<Record<string, unknown>>,
  line: Omit<ShippedLine, 'text' | 'workspaceId' | 'environment'> & { readonly tenant: Tenant },
): ShippedLine {
  const { log, number, at, tenant } = line;
  const { workspaceId, environment } = tenant;
  const whole = JsonText.fromMembers({ log, workspace: workspaceId, environment, number, ...members });
  return { log, workspaceId, environment, number, at, text: escapeHidden(whole.text) };
}

const instantText = (at: number): string => new Date(at).toISOString();
const stored = (text: string | null): JsonText | null => (text === null ? null : new JsonText(text));

/** `previousHash` is that of the link before. */
export function shippedAuditLine(tenant: Tenant, link: ChainLink, previousHash: Buffer): ShippedLine {
  const { number, hash, entryId, line } = link;
  const chained = { hash: hash.toString('hex'), previous_hash: previousHash.toString('hex'), id: entryId };
  const at = line?.at ?? timeOfId(entryId);
  if (line === null) return writeLine({ ...chained, missing: true }, { log: 'audit', tenant, number, at });
  return writeLine(
    {
      ...chained,
      at: instantText(line.at),
      act: line.act,
      subject_type: line.subjectType,
      subject_id: line.subjectId,
      client_id: line.clientId,
      credential_id: line.credentialId,
      subject: line.subject,
      request_id: line.requestId,
      before: stored(line.before),
      after: stored(line.after),
    },
    { log: 'audit', tenant, number, at },
  );
}

export function shippedRequestLine(tenant: Tenant, request: NumberedRequest): ShippedLine {
  const { number, id, at } = request;
  return writeLine(
    {
      id,
      at: instantText(at),
      method: request.method,
      route: request.route,
      path: request.path,
      status: request.status,
      outcome: request.outcome,
      code: request.code,
      duration_ms: request.durationMs,
      credential_id: request.credentialId,
      user_id: request.userId,
      request_id: request.requestId,
      trace_id: request.traceId,
    },
    { log: 'requests', tenant, number, at },
  );
}

/** What a line says that was shipped. */
export type ReadLine =
  | { readonly log: 'requests'; readonly tenant: Tenant; readonly number: number }
  | {
      readonly log: 'audit';
      readonly tenant: Tenant;
      readonly number: number;
      readonly hash: Buffer;
      readonly previousHash: Buffer;
      readonly chained: LineToChain;
    };

/** The text is no line that was shipped; the message says what is wrong with it. */
export class NoShippedLine extends Error {}

/** How deep the records in a line may be nested. */
const depthMax = 1_000;

/** Reads a line back, whatever its receiver has put before the object and however it writes JSON, as long as no value was changed. */
export function readShippedLine(text: string): ReadLine {
  const start = text.indexOf('{');
  if (start === -1) throw new NoShippedLine('it has no JSON object');
  const line = parseObject(text.slice(start));
  const log = line['log'];
  const tenant = readTenant(line);
  const number = readNumber(line);
  if (log === 'requests') return { log, tenant, number };
  if (log !== 'audit') throw new NoShippedLine('its `log` is neither audit nor requests');
  const [hash, previousHash] = [readHash(line, 'hash'), readHash(line, 'previous_hash')];
  return {
    log,
    tenant,
    number,
    hash,
    previousHash,
    chained: { entryId: readId(line, 'id'), line: readAuditLine(line) },
  };
}

function parseObject(text: string): JsonObject {
  try {
    const value = parseJson(text.trimEnd(), { depthMax });
    if (isJsonObject(value)) return value;
    throw new NoShippedLine('it has no JSON object');
  } catch (error) {
    throw error instanceof JsonFault ? new NoShippedLine(error.message) : error;
  }
}

function readText(line: JsonObject, name: string): string {
  const value = line[name];
  if (typeof value !== 'string') throw new NoShippedLine(`its \`${name}\` is no text`);
  return value;
}

function readOptional(line: JsonObject, name: string): string | null {
  return line[name] === null ? null : readText(line, name);
}

function readId(line: JsonObject, name: string): Id {
  const value = readText(line, name);
  if (!isId(value)) throw new NoShippedLine(`its \`${name}\` is no id`);
  return value;
}

function readTenant(line: JsonObject): Tenant {
  const environment = environments.find((one) => one === line['environment']);
  if (environment === undefined) throw new NoShippedLine('its `environment` is neither production nor sandbox');
  return { workspaceId: readId(line, 'workspace'), environment };
}

function readNumber(line: JsonObject): number {
  const value = line['number'];
  const number = value instanceof JsonNumber && /^[1-9]\d{0,15}$/.test(value.text) ? Number(value.text) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw new NoShippedLine('its `number` is no number of a line');
  return number;
}

function readHash(line: JsonObject, name: string): Buffer {
  const value = readText(line, name);
  if (!/^[0-9a-f]{64}$/.test(value)) throw new NoShippedLine(`its \`${name}\` is no hash`);
  return Buffer.from(value, 'hex');
}

function readAuditLine(line: JsonObject): AuditLine | null {
  if (line['missing'] === true) return null;
  const at = Date.parse(readText(line, 'at'));
  if (Number.isNaN(at)) throw new NoShippedLine('its `at` is no moment');
  return {
    at,
    act: readText(line, 'act'),
    subjectType: readText(line, 'subject_type'),
    subjectId: readText(line, 'subject_id'),
    clientId: readOptional(line, 'client_id'),
    credentialId: readOptional(line, 'credential_id'),
    subject: readOptional(line, 'subject'),
    requestId: readOptional(line, 'request_id'),
    before: readSnapshot(line, 'before'),
    after: readSnapshot(line, 'after'),
  };
}

function readSnapshot(line: JsonObject, name: string): string | null {
  const value = line[name];
  if (value === undefined) throw new NoShippedLine(`it has no \`${name}\``);
  return value === null ? null : storedText(value);
}

/** JSON as PostgreSQL writes a `jsonb` value: a space after colons and commas, and members in the order of the lengths of their names, then of their bytes. */
export function storedText(value: Json): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (value instanceof JsonNumber) return value.text;
  if (Array.isArray(value)) return `[${value.map(storedText).join(', ')}]`;
  const names = Object.keys(value)
    .map((name) => ({ name, bytes: Buffer.from(name) }))
    .toSorted((one, other) => one.bytes.length - other.bytes.length || Buffer.compare(one.bytes, other.bytes));
  return `{${names.map(({ name }) => `${JSON.stringify(name)}: ${storedText(value[name]!)}`).join(', ')}}`;
}
