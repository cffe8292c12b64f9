// An account or depository that a consent covers: as the custodian lists it, as rows that wait name it, and which record of the client it is.

import { anyInteger, anyText, boolean, nullable, oneOf, type ValueOf } from '../../kit/field.ts';
import { listOf, member, objectOf } from '../../kit/structured-field.ts';
import { currencyCode, type CurrencyCode } from '../currency.ts';
import type { ConnectorAccount } from './connector.ts';
import { foldNumber } from './folded-words.ts';

/** `cash` becomes an account, `securities` a depository. */
export const placeKinds = ['cash', 'securities'] as const;
export type PlaceKind = (typeof placeKinds)[number];

export const consentAccountStates = ['linked', 'exists', 'new'] as const;

/** Why a click is not enough: somebody has to decide first. */
export const connectionObstacles = [
  'ambiguous',
  'different-legal-entity',
  'different-custodian',
  'already-linked',
  'currency-unknown',
] as const;
export type ConnectionObstacle = (typeof connectionObstacles)[number];

/** How many records are named that a number may mean. */
export const candidatesMax = 20;

const candidate = objectOf({
  id: member(anyText, 'The id of the account or depository.'),
  name: member(anyText, 'Its name.'),
});

const proposal = objectOf({
  name: member(anyText, 'The name that the custodian gives it, else its number.'),
  currency: member(
    nullable(anyText),
    'Its currency; null for securities, and where neither the custodian nor a row says it.',
  ),
  legalEntityId: member(anyText, 'The legal entity that has given the consent.'),
});

export const consentAccountShape = objectOf({
  number: member(anyText, 'Its number, as the custodian writes it.'),
  currency: member(nullable(anyText), 'Its currency, as far as the custodian or the rows say it.'),
  name: member(nullable(anyText), 'Its name at the custodian, where the custodian says it.'),
  kind: member(oneOf(placeKinds), '`cash`: an account. `securities`: a depository.'),
  isListed: member(boolean, 'Whether the custodian lists it for this consent. False: only rows that wait name it.'),
  state: member(
    oneOf(consentAccountStates),
    '`linked`: the authority covers it. `exists`: the client has it, and the authority does not cover it. `new`: the client does not have it.',
  ),
  accountId: member(nullable(anyText), 'The account that has this number.'),
  depositoryId: member(nullable(anyText), 'The depository that has this number.'),
  candidates: member(
    listOf(candidate),
    `The first ${candidatesMax} records that the number may mean, where it may mean several.`,
  ),
  waitingRows: member(anyInteger, 'How many rows of the feed wait for it.'),
  obstacle: member(
    nullable(oneOf(connectionObstacles)),
    'Why it is not connected with `all`: a person has to decide. `ambiguous`: several records have the number. `different-legal-entity`, `different-custodian`, `already-linked`: its record belongs to another legal entity, is kept by another custodian, or is covered by another authority. `currency-unknown`: nobody has said its currency. Null: nothing is in the way.',
  ),
  detail: member(nullable(anyText), 'The obstacle as a sentence for people, and what to do.'),
  proposed: member(proposal, 'What a new record would be created with.'),
});

export type ConsentAccount = ValueOf<typeof consentAccountShape>;

export const connectionOutcomes = ['created', 'linked', 'unchanged', 'left-out'] as const;

/** What became of an account or depository that was to be connected. */
export const connectedAccountShape = objectOf({
  number: member(anyText, 'Its number, as the custodian writes it.'),
  currency: member(nullable(anyText), 'Its currency, as far as it is known.'),
  kind: member(oneOf(placeKinds), '`cash`: an account. `securities`: a depository.'),
  outcome: member(
    oneOf(connectionOutcomes),
    '`created` and linked, `linked`, `unchanged` because it was linked before, or `left-out` because a person has to decide.',
  ),
  accountId: member(nullable(anyText), 'The account; null for a depository, and for what was left out.'),
  depositoryId: member(nullable(anyText), 'The depository; null for an account, and for what was left out.'),
  detail: member(nullable(anyText), 'Why it was left out, and what to do.'),
});

/** What became of the rows that waited. */
export const bookedRowsShape = objectOf({
  state: member(
    oneOf(['done', 'under-way']),
    '`done`: the rows are booked. `under-way`: there are many, and they are booked in the background; read the imports to see how far.',
  ),
  imports: member(anyInteger, 'How many imports were booked again.'),
  booked: member(anyInteger, 'How many rows of them no longer wait.'),
  waiting: member(anyInteger, 'How many rows still wait, for this or for something else.'),
});

export type BookedRows = ValueOf<typeof bookedRowsShape>;

/** A number that rows wait for. */
export interface WaitingName {
  readonly kind: PlaceKind;
  readonly number: string;
  readonly currency: string | null;
  readonly rows: number;
}

/** What is said of an account or depository, whoever says it. */
export interface StatedPlace {
  readonly kind: PlaceKind;
  readonly number: string;
  readonly currency: CurrencyCode | null;
  readonly name: string | null;
  readonly isListed: boolean;
  readonly waitingRows: number;
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Null where it is no currency that an account can have. */
function currencyOf(word: string | null): CurrencyCode | null {
  if (word === null) return null;
  try {
    return currencyCode.read(word.trim().toUpperCase()) as CurrencyCode;
  } catch {
    return null;
  }
}

export function placeKey({ kind, number, currency }: Pick<StatedPlace, 'kind' | 'number' | 'currency'>): string {
  return `${foldNumber(number)} ${kind} ${currency ?? ''}`;
}

/**
 * Brings together what the custodian lists and what rows wait for, each once, in the order of numbers. Rows count for what is listed with
 * their number: in their currency if it is there, else where the list or the row names none.
 */
export function combinePlaces(
  listed: readonly ConnectorAccount[],
  waiting: readonly WaitingName[],
): readonly StatedPlace[] {
  const places = new Map<string, Writable<StatedPlace>>();
  const ofNumber = new Map<string, Writable<StatedPlace>[]>();
  const put = (place: StatedPlace): void => {
    if (foldNumber(place.number) === '') return;
    const key = placeKey(place);
    const present = places.get(key);
    if (present === undefined) {
      const added = { ...place };
      places.set(key, added);
      ofNumber.getOrInsertComputed(foldNumber(place.number), () => []).push(added);
    } else present.waitingRows += place.waitingRows;
  };
  for (const { kind, number, name, currency } of listed) {
    const isCash = kind === 'account';
    const what = isCash ? 'cash' : 'securities';
    put({ kind: what, number, name, currency: isCash ? currencyOf(currency) : null, isListed: true, waitingRows: 0 });
  }
  for (const { kind, number, currency: word, rows } of waiting) {
    const currency = kind === 'cash' ? currencyOf(word) : null;
    const known = (ofNumber.get(foldNumber(number)) ?? []).filter(({ isListed }) => isListed);
    const meant = listedFor(known, { kind, currency });
    if (meant === undefined) put({ kind, number, currency, name: null, isListed: false, waitingRows: rows });
    else meant.waitingRows += rows;
  }
  return [...places.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, place]) => place);
}

/** Which of the listed places with its number a row means. */
function listedFor<P extends StatedPlace>(
  known: readonly P[],
  { kind, currency }: Pick<StatedPlace, 'kind' | 'currency'>,
): P | undefined {
  const same = known.filter((place) => place.kind === kind);
  const exact = same.find((place) => place.currency === currency);
  if (exact !== undefined) return exact;
  const open = currency === null ? same : same.filter((place) => place.currency === null);
  if (open.length === 1) return open[0];
  // Rows may name a depository where they mean its account, and the other way round.
  const other = known.filter((place) => place.kind !== kind);
  return same.length === 0 && other.length === 1 ? other[0] : undefined;
}
