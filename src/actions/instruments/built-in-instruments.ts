// Reads the instruments that the service provides as records of the catalogue. They are in no table.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { searchWords } from '../../kit/search-words.ts';
import type { AnyChange, AnyRecord } from '../../kit/resource.ts';
import { builtInInstruments, findExistingBuiltIn, type BuiltInInstrument } from '../../model/instrument/built-in.ts';
import type { Instrument } from '../../model/instrument/instrument.ts';
import type { ListQuery } from '../../store/resources/table.ts';
import type { Work } from '../core/work.ts';
import { readDefaultClasses, type DefaultClasses } from './default-classes.ts';

/** The record of one, with the fields that every instrument has. */
function toRecord({ id, type, name, currency }: BuiltInInstrument, defaults: DefaultClasses): Instrument {
  const fields: Partial<Instrument> = {
    id: id as Id,
    type,
    name,
    externalIdentifier: null,
    ccyCode: currency as Instrument['ccyCode'],
    priceUnit: '1',
    issuerCountry: null,
    tags: [],
    createdAt: 0,
    instrumentClass: defaults.classOf(type),
    reportingEntity: null,
    client: null,
  };
  return fields as Instrument;
}

export async function findBuiltInRecord(work: Work, id: string): Promise<Instrument | undefined> {
  const found = findExistingBuiltIn(id);
  return found === undefined ? undefined : toRecord(found, await readDefaultClasses(work));
}

/** Lists those that a query asks for, in the order of their ids. */
export function listBuiltInRecords(
  { where = {}, words, after = '' }: Omit<ListQuery, 'limit'>,
  defaults: DefaultClasses,
): readonly Instrument[] {
  return builtInInstruments
    .filter((one) => one.id > after && hasWords(one, words))
    .map((one) => toRecord(one, defaults))
    .filter((one) => hasFields(one as AnyRecord, where));
}

function hasFields(record: AnyRecord, where: AnyChange): boolean {
  return Object.entries(where).every(([field, value]) => (record[field] ?? null) === value);
}

function hasWords({ name }: BuiltInInstrument, words: ListQuery['words']): boolean {
  if (words === undefined) return true;
  const own = searchWords(name);
  // None has a tag.
  return words.members.length === 0 && words.prefixes.every((prefix) => own.some((word) => word.startsWith(prefix)));
}

export function builtInRefusal({ name }: Pick<Instrument, 'name'>): Refusal {
  return new Refusal('instrument-read-only', `${name} is provided by the service and cannot be changed or deleted.`);
}
