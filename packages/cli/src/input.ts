// Reads what commands are given: resources, pairs, JSON, and names instead of ids.

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Holdfast } from '@holdfast/sdk';
import { CommandError } from './exit-codes.ts';

/** `legal-entities` and `legal-entity` → `legalEntities`. */
export function groupOf(holdfast: Holdfast, resource: string, verb: string): string {
  const camel = resource.replaceAll(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  const groups = holdfast
    .methodNames()
    .flatMap((name) => (name.endsWith(`.${verb}`) ? [name.slice(0, -verb.length - 1)] : []));
  const candidates = [camel, `${camel}s`, `${camel}es`, camel.replace(/y$/, 'ies')];
  const found = groups.find((group) => candidates.includes(group));
  if (found !== undefined) return found;
  const known = groups.map(kebabCase).toSorted().join(', ');
  throw new CommandError(`There is no ${verb} of ${resource}. There is one of: ${known}.`);
}

export function kebabCase(group: string): string {
  return group.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `name=value` is text, `name:=value` is JSON. */
export function readPairs(pairs: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, isJson, value] = /^([\w.]+)(:?)=(.*)$/s.exec(pair) ?? [];
      if (name === undefined || value === undefined)
        throw new CommandError(`Write ${pair} as name=value, or name:=json.`);
      return [name, isJson === ':' ? readJson(value, name) : value];
    }),
  );
}

function readJson(value: string, what: string): unknown {
  try {
    return JSON.parse(value);
  } catch (error) {
    throw new CommandError(`${what} is not JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** JSON as it is, from `@file`, or from `-` for standard input. */
export async function readData(data: string): Promise<Record<string, unknown>> {
  const content =
    data === '-' ? await text(process.stdin) : data.startsWith('@') ? await readTextFile(data.slice(1)) : data;
  const value = readJson(content, 'The data');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CommandError('The data must be an object.');
  return { ...value };
}

async function readTextFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CommandError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Finds the one reporting entity that is meant: by id, by name, or because there is only one. */
export async function findEntity(holdfast: Holdfast, given: string | undefined): Promise<Named> {
  if (given !== undefined && /^[0-9a-f]{24}$/.test(given)) return holdfast.reportingEntities.get(given);
  const wanted = given?.toLowerCase() ?? '';
  const matches: Named[] = [];
  const similar: Named[] = [];
  for await (const entity of holdfast.reportingEntities.list()) {
    const name = entity.name.toLowerCase();
    if (given === undefined || name === wanted) matches.push(entity);
    else if (name.includes(wanted)) similar.push(entity);
    if (matches.length > shownMax) break;
  }
  const [first, second] = matches;
  if (first !== undefined && second === undefined) return first;
  if (first !== undefined)
    throw new CommandError(`Which reporting entity? Name one with --entity: ${namesOf(matches)}.`);
  if (given === undefined) throw new CommandError('There is no reporting entity yet.');
  const hint = similar.length === 0 ? '' : ` There are: ${namesOf(similar.slice(0, shownMax))}.`;
  throw new CommandError(`There is no reporting entity named ${given}.${hint}`);
}

/** As many as a reader chooses from. */
const shownMax = 10;

function namesOf(entities: readonly Named[]): string {
  return entities.map(({ id, name }) => `${name} (${id})`).join(', ');
}

/** Collects an option that may be given several times. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
