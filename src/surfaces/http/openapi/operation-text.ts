// Writes the description of an operation for people: what it is for, what it takes and changes, who may use it, what it costs, and which
// refusals to expect. What the declaration says is not repeated by hand.

import { introductionText, isToMany, snakeCaseNameOf, type Resource } from '../../../kit/resource.ts';
import { refusals, type RefusalCode } from '../../../model/refusals/refusals.ts';
import { isRequiredOnCreate, isSettable } from '../operation/declared-fields.ts';
import { commonRefusals, faultCodes, possibleOpenRefusals, possibleRefusals } from '../operation/possible-refusals.ts';
import type { OpenOperation } from '../operation/open-operation.ts';
import { isIdempotent, isStreamed, type Operation, type Parameter } from '../operation/operation.ts';

/** As many refusals as a reader looks at; the responses list all. */
const shownRefusals = 3;

export function operationText(operation: Operation): string {
  const parts = [
    purposeText(operation),
    factsText(operation),
    accessText(operation),
    costText(operation),
    refusalText(operation),
  ];
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}

/** Of an operation without a token: nobody's rights and budget are concerned, unless it says so. */
export function openOperationText(operation: OpenOperation): string {
  const { description, cost = 'nothing: no budget counts it', frequentRefusals: own } = operation;
  const lines = own ?? openRefusals(operation).map(refusalLine);
  const refused = lines.length === 0 ? [] : [refusedText(lines)];
  return [description, '**Access**: No token is needed.', `**Cost**: ${cost}.`, ...refused].join('\n\n');
}

function openRefusals(operation: OpenOperation): readonly RefusalCode[] {
  return possibleOpenRefusals(operation).filter((code) => refusals[code].status === 503);
}

/** What the model says about doing this with the resource, then what the operation says itself. */
function purposeText({ id, resource, description }: Operation): string | undefined {
  const verb = id.slice(id.lastIndexOf('.') + 1);
  const texts = isAbout(id, resource) ? resource?.usage : undefined;
  const [, usage] = Object.entries(texts ?? {}).find(([name]) => name === verb) ?? [];
  const own = [usage, description].filter((text) => text !== undefined);
  return own.length === 0 ? resource && introductionText(resource) : own.join(' ');
}

/** Whether an operation is about records of a resource, not about a part of them: the settings of a custodian have fields of their own. */
function isAbout(id: string, resource: Resource | undefined): boolean {
  return `-${id.split('.')[1]}`.endsWith(`-${resource?.type}`);
}

/** What follows from the declaration of the operation and its resource. */
function factsText(operation: Operation): string {
  return [filterText(operation), fieldText(operation), blockerText(operation), historyText(operation)]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

const pageParameterNames = new Set(['cursor', 'limit']);

function filterText({ id, query, mode }: Operation): string {
  if (mode === 'write') return '';
  const names = (isWanted: (parameter: Parameter) => boolean): string[] =>
    Object.entries(query).flatMap(([name, one]) => (isWanted(one) && !pageParameterNames.has(name) ? [name] : []));
  const needed = names(({ required }) => required === true);
  const optional = names(({ required }) => required !== true);
  const invitation = id.endsWith('.list') ? 'Narrow it down with' : 'Decide what it shows with';
  return [
    ...(needed.length > 0 ? [`Requires ${listed(needed)}.`] : []),
    ...(optional.length > 0 ? [`${invitation} ${listed(optional, 'or')}.`] : []),
    ...('limit' in query ? ['A page has up to 100 rows, 50 by default; `next_cursor` leads to the next one.'] : []),
  ].join(' ');
}

function listed(names: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  const quoted = names.map((name) => `\`${name}\``);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} ${conjunction} ${quoted.at(-1)}`;
}

/** The fields that a body needs or can change, as the wire writes them. */
function fieldText({ id, body, method, resource, wire, fieldInPath }: Operation): string {
  if (body === undefined || resource === undefined || resource.variants !== undefined) return '';
  if (!isAbout(id, resource)) return '';
  const { attributes, relations } = wire.shownFields.of(resource);
  const fields = [...attributes, ...relations]
    .filter(([name]) => name !== fieldInPath)
    .map(([name, field]) => ({ name: wire.name === 'json-api' ? name : snakeCaseNameOf(name, field), field }));
  if (method === 'POST') {
    const needed = fields.filter(({ field }) => isRequiredOnCreate(field));
    return needed.length === 0 ? '' : `Required: ${listed(needed.map(({ name }) => name))}.`;
  }
  const settable = fields.filter(({ field }) => isSettable(field, 'change'));
  const sets = settable.filter(({ field }) => !('kind' in field) && isToMany(field));
  const replaced =
    sets.length === 0 ? '' : ` A list in ${listed(sets.map(({ name }) => name))} replaces the former one.`;
  return settable.length === 0
    ? ''
    : `Can be changed: ${listed(settable.map(({ name }) => name))}; what is not sent stays as it is.${replaced}`;
}

function blockerText({ method, resource, path }: Operation): string {
  const isWholeRecord = method === 'DELETE' && path.endsWith('}');
  if (!isWholeRecord || resource?.deletion === undefined) return '';
  const names = [...new Set(resource.deletion.blockedBy.map(({ several }) => several))];
  const [byThemselves, plain] = [names.filter(namesRecord), names.filter((name) => !namesRecord(name))];
  const ofIt = plain.length === 0 ? [] : [`${inWords(plain)} of it`];
  return `Refused while there are ${[...ofIt, ...byThemselves].join(', or ')}.`;
}

/** `users who may read it` says by itself which record is meant. */
function namesRecord(name: string): boolean {
  return / (it|its own)$/.test(name);
}

function inWords(names: readonly string[]): string {
  return names.join(', ').replace(/, ([^,]*)$/, ' or $1');
}

/** Figures depend on records with a history, but not on a new one that nothing refers to, nor on one that nothing may refer to any more. */
function historyText({ mode, method, resource, wire }: Operation): string {
  const { history, versions, deletion } = resource ?? {};
  const isFigureByItself = versions !== undefined || history?.isIndependent === true;
  const isLinked = history !== undefined && (method === 'PATCH' || (method === 'DELETE' && deletion === undefined));
  if (mode === 'read' || !(isFigureByItself || isLinked)) return '';
  const knownAt = wire.name === 'v1' ? ' (`known_at`)' : '';
  return `Reports show the change at once, for past days too; a report as known at an earlier moment${knownAt} stays as it was.`;
}

function accessText({ right, people }: Operation): string {
  const token = right === 'any' ? 'Any token is accepted' : `Requires the right \`${right}\``;
  const persons =
    people === undefined
      ? 'people who are signed in need to be administrators of the workspace'
      : `people who are signed in need the role \`${people}\` or a higher one`;
  return `**Access**: ${token}; ${persons}.`;
}

function costText(operation: Operation): string {
  const { heavy, threadKey } = operation;
  const requests = isStreamed(operation)
    ? 'one request of the budget, whatever the number of rows'
    : 'one request of the budget';
  const place = threadKey === undefined ? 'one such request at a time' : 'four reports at a time';
  const waiting = heavy ? `. It is heavy: by default a workspace runs ${place} on a node, and further ones wait` : '';
  const repeat = isIdempotent(operation) ? ' With an `Idempotency-Key` it can be sent again safely.' : '';
  return `**Cost**: ${requests}${waiting}.${repeat}`;
}

const generalCodes: ReadonlySet<RefusalCode> = new Set([
  ...commonRefusals,
  ...faultCodes,
  'body-too-large',
  'unsupported-media-type',
  'malformed-json',
  'invalid-idempotency-key',
]);

/** Refused only to callers who send what no document tells them to send. */
const rareCodes: ReadonlySet<RefusalCode> = new Set([
  'client-generated-id',
  'type-mismatch',
  'id-mismatch',
  'cursor-invalid',
  'idempotency-key-reused',
]);

/** The refusals that callers meet first: what this operation refuses by itself, then what any of its kind does. */
function frequentRefusals(operation: Operation): readonly RefusalCode[] {
  const own = new Set(operation.refusals);
  const possible = possibleRefusals(operation).filter((code) => !generalCodes.has(code));
  const order = (code: RefusalCode): number => (rareCodes.has(code) ? 2 : own.has(code) ? 0 : 1);
  const ordered = possible.toSorted((one, other) => order(one) - order(other));
  return ordered.length > 0 ? ordered : [operation.right === 'any' ? 'token-expired' : 'right-missing'];
}

function linked(code: RefusalCode): string {
  return `[\`${code}\`](/docs/errors#${code})`;
}

/** Records that are not there are one mistake, whichever they are. */
function refusalText(operation: Operation): string {
  const codes = frequentRefusals(operation);
  const missing = codes.filter((code) => refusals[code].status === 404);
  const others = codes.filter((code) => !missing.includes(code)).slice(0, shownRefusals);
  const lines = others.map(refusalLine);
  const notFound = missing.length === 0 ? [] : [`${missing.map(linked).join(', ')} (404): ${notFoundText(missing)}`];
  return refusedText([...notFound, ...lines]);
}

function refusalLine(code: RefusalCode): string {
  return `${linked(code)} (${refusals[code].status}): ${refusals[code].meaning}`;
}

function refusedText(lines: readonly string[]): string {
  return `**When it is refused**\n\n${lines.map((line) => `- ${line}`).join('\n')}`;
}

function notFoundText([only, ...others]: readonly RefusalCode[]): string {
  const meaning =
    only !== undefined && others.length === 0
      ? refusals[only].meaning
      : 'A record that the request names does not exist, was deleted, or the caller cannot see it.';
  return `${meaning} Check the id, and with \`GET /v1/me\` what the token is for.`;
}
