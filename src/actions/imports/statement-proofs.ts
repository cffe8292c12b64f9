// Proves by what statements say about themselves whether two equal entries of a day are one entry or two. A statement leads from its opening to
// its closing balance: one that begins where another ends has other entries, and two that cover the same day have the same.

import { toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { Id } from '../../kit/id.ts';
import type { ImportWarning } from '../../model/custody/import.ts';
import type { StatementBalance } from '../../model/custody/statement.ts';
import type { Work } from '../core/work.ts';
import { StatementStretches, stretchOfLine, type Stretch, type StretchOwner } from './statement-stretches.ts';

/** An entry as a statement says it. */
export interface Saying extends StretchOwner {
  readonly importId: Id;
  readonly format: string;
  readonly text: string | null;
  readonly amount: Decimal | undefined;
  /** The balance after its line. */
  readonly balance: Decimal | undefined;
}

export type Verdict = 'same' | 'another' | 'open';

/** Reports of the day, whose entries come again in the statement of the day. */
const reports: ReadonlySet<string> = new Set(['camt.052', 'mt942']);
const statements: ReadonlySet<string> = new Set(['camt.053', 'mt940']);

/** How many imports are remembered with their balances. */
const importsMax = 5_000;
/** Balances of one moment may be dated on the days of a long weekend. */
const sameMomentDaysMax = 5;

export class StatementProofs {
  readonly #work: Work;
  readonly #known = new Map<Id, StatementStretches>();

  constructor(work: Work) {
    this.#work = work;
  }

  /** Loads what the statements of these imports cover. */
  async load(imports: Iterable<Id>): Promise<void> {
    const wanted = [...new Set(imports)].filter((id) => !this.#known.has(id)).slice(0, importsMax);
    if (wanted.length === 0) return;
    if (this.#known.size + wanted.length > importsMax) this.#known.clear();
    const { importRows } = this.#work.store;
    const [balances, warnings] = await Promise.all([
      importRows.listStatedBalances(wanted),
      importRows.listWarnings(wanted),
    ]);
    const ofImport = Map.groupBy(balances, ({ importId }) => importId);
    for (const id of wanted) {
      const stated = (ofImport.get(id) ?? []).map(({ balance }) => balance);
      this.#known.set(id, provenStretches(stated, warnings.get(id) ?? []));
    }
  }

  /** Loads what the statements of the import itself cover, whose warnings are not stored yet. */
  async loadOwn(importId: Id, warnings: readonly ImportWarning[]): Promise<void> {
    const balances = await this.#work.store.importRows.listStatedBalances([importId]);
    const stated = balances.map(({ balance }) => balance);
    this.#known.set(importId, provenStretches(stated, warnings));
  }

  findStretches(importId: Id): StatementStretches | undefined {
    return this.#known.get(importId);
  }

  verdict(one: Saying, other: Saying, date: CalendarDate): Verdict {
    const [line, otherLine] = [one, other].map(({ amount, balance }) => stretchOfLine({ date, amount, balance })) as [
      Stretch,
      Stretch,
    ];
    const [whole, otherWhole] = [one, other].map((saying) => this.#known.get(saying.importId)?.of(saying) ?? {}) as [
      Stretch,
      Stretch,
    ];
    const isFollowed = [line, whole].some((first) =>
      [otherLine, otherWhole].some((second) => follows(first, second, date) || follows(second, first, date)),
    );
    const isContained =
      isSameMoment(line.closing, otherLine.closing) ||
      isSameMoment(whole.opening, otherWhole.opening) ||
      isSameMoment(whole.closing, otherWhole.closing);
    // Lines of other words with other balances after them; a bank that books late shifts balances, but not words.
    const isElsewhere =
      line.closing !== undefined && otherLine.closing !== undefined && !isContained && one.text !== other.text;
    if (isElsewhere) return 'another';
    if (isFollowed || isContained) return isFollowed === isContained ? 'open' : isFollowed ? 'another' : 'same';
    if (coversDay(whole, date) || coversDay(otherWhole, date)) return 'same';
    const comesAgain = (report: Saying, statement: Saying, stretch: Stretch): boolean =>
      reports.has(report.format) && statements.has(statement.format) && reaches(stretch, date);
    return comesAgain(one, other, otherWhole) || comesAgain(other, one, whole) ? 'same' : 'open';
  }
}

/** Statements whose entries do not lead to their closing balance prove nothing. */
function provenStretches(
  balances: readonly StatementBalance[],
  warnings: readonly ImportWarning[],
): StatementStretches {
  const stretches = new StatementStretches();
  if (warnings.some(({ code }) => code === 'more-warnings')) return stretches;
  for (const balance of balances) stretches.add(balance);
  const differing = warnings.filter(({ code }) => code === 'balances-differ');
  stretches.without(new Set(differing.flatMap(({ statement }) => statement ?? [])));
  return stretches;
}

/** Whether a statement begins with the balance that the other ends with, both on this day. */
function follows({ opening }: Stretch, { closing }: Stretch, date: CalendarDate): boolean {
  if (opening === undefined || closing === undefined) return false;
  return opening.date === date && closing.date === date && opening.amount === closing.amount;
}

function isSameMoment(one: Stretch['opening'], other: Stretch['opening']): boolean {
  if (one === undefined || other === undefined || one.amount !== other.amount) return false;
  return Math.abs(toDayNumber(one.date) - toDayNumber(other.date)) <= sameMomentDaysMax;
}

/** Whether everything of the day is in the statement, which begins before the day and ends after it. */
function coversDay({ opening, closing }: Stretch, date: CalendarDate): boolean {
  return opening !== undefined && closing !== undefined && opening.date < date && date < closing.date;
}

function reaches({ opening, closing }: Stretch, date: CalendarDate): boolean {
  return opening !== undefined && closing !== undefined && opening.date <= date && date <= closing.date;
}

/** Whether two texts have a word in common, or one says nothing: then one may be the other in other words. */
export function areRelated(one: string | null, other: string | null): boolean {
  const words = new Set(wordsOf(one ?? ''));
  const others = wordsOf(other ?? '');
  return words.size === 0 || others.length === 0 || others.some((word) => words.has(word));
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
}
