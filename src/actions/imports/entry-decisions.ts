// Decides what becomes of the entries of a batch: booked, an amendment, a cancellation, or known already. The rules that make imports
// repeatable in any order are all here; it reads and writes nothing itself.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { LedgerRow } from '../../store/ledger/ledger-reader.ts';
import type { RowResult } from '../../store/imports/import-rows.ts';
import type { EntryKey, KnownEntry, StatedEntry } from '../../store/imports/stated-entries.ts';
import type { TransactionInput } from '../ledger/transaction-input.ts';
import type { EntryMemory, Memo } from './entry-memory.ts';
import { isIncomeWithoutInstrument } from './entry-input.ts';
import type { PreparedEntry } from './prepared-entry.ts';
import { done, refused, type Reason } from './row-result.ts';

/** An entry to be booked or to amend what is booked. */
export interface EntryWrite {
  readonly prepared: PreparedEntry;
  readonly input: TransactionInput;
  readonly memo: Memo;
  /** What was known of its reference before, in this batch too. */
  readonly earlier: KnownEntry | undefined;
  /** Why it is booked as it is, where that is not plain. */
  readonly reason: Reason | undefined;
}

/** A transaction to be closed, since it was cancelled by this entry. */
interface EntryClosing {
  readonly prepared: PreparedEntry;
  readonly transaction: Id | null;
  readonly before: string | null;
}

export interface DecisionContext {
  readonly memory: EntryMemory;
  readonly importId: Id;
  readonly format: string;
  /** Current transactions that cancellations name and that no statement has brought, by their reference. */
  readonly ledger: ReadonlyMap<string, LedgerRow>;
}

const reasons = {
  cancelled: { code: 'cancelled', detail: 'It was cancelled by the custodian and is not booked.' },
  cancellation: {
    code: 'cancellation',
    detail: 'It cancels an entry that was not booked: together they come to nothing.',
  },
  known: { code: 'cancelled-before', detail: 'The entry was cancelled before.' },
  early: {
    code: 'cancellation-remembered',
    detail: 'What it cancels has not come yet. It will not be booked when it does.',
  },
  closes: { code: 'cancellation', detail: 'It cancels this transaction, which is closed.' },
  lone: {
    code: 'reversal-without-original',
    detail: 'What it reverses is not known. Its cash is booked until its original comes.',
  },
  unassigned: {
    code: 'income-without-instrument',
    detail: 'The file does not say which instrument paid it. It is booked as income of the account.',
  },
  superseded: { code: 'superseded', detail: 'A later statement says otherwise.' },
  equal: { code: 'known-by-content', detail: 'The same entry was booked from another statement.' },
} as const;

function reasonOf({ isReversal, entry }: PreparedEntry, { instrument, kind }: TransactionInput): Reason | undefined {
  if (isReversal) return reasons.lone;
  const isUnassigned = kind !== entry.kind && isIncomeWithoutInstrument(entry.kind, instrument ?? null);
  return isUnassigned ? reasons.unassigned : undefined;
}

/** Entries of other statements that those of one content and day may be. Listed once: a file may have very many equal ones. */
interface Candidates {
  readonly memos: readonly Memo[];
  /** Those before are taken by entries with a reference. */
  next: number;
}

export class EntryDecisions {
  readonly #context: DecisionContext;
  /** Those of writes are known once they are written. */
  readonly results = new Map<PreparedEntry, RowResult>();
  readonly writes: EntryWrite[] = [];
  readonly closings: EntryClosing[] = [];
  /** What entries stand for that are known already. */
  readonly targets = new Map<PreparedEntry, Memo>();
  /** Entries that this import has booked in an earlier batch, and that are cancelled now. */
  readonly cancelledHere: EntryKey[] = [];
  /** What entries of this batch, and known references of its format, stand for, and their transactions: another reference may be known for the same. */
  readonly #matched = new Set<Memo | Id>();
  /** By account, content and day. */
  readonly #candidates = new Map<string, Candidates>();
  /** By account and content. */
  readonly #inBatch = new Map<string, PreparedEntry[]>();
  readonly #referencesInBatch = new Set<string>();

  constructor(context: DecisionContext) {
    this.#context = context;
  }

  /** Cancellations first, so that it does not matter whether they come before or after what they cancel. */
  decide(entries: readonly PreparedEntry[]): void {
    const { memory } = this.#context;
    const ordinary = entries.filter((one) => one.cancelledReference === null && !one.isReversal);
    for (const one of memory.size === 0 ? [] : ordinary) {
      const known = memory.find(one);
      if (known !== undefined) this.#match(known.same ?? known);
    }
    // Most batches have nothing else.
    if (ordinary.length < entries.length) this.#noteBatch(ordinary);
    for (const one of entries) if (one.cancelledReference !== null) this.#cancel(one, one.cancelledReference);
    for (const one of entries) if (one.isReversal) this.#reverse(one);
    for (const one of ordinary) this.#enter(one);
  }

  #noteBatch(ordinary: readonly PreparedEntry[]): void {
    for (const one of ordinary) {
      this.#inBatch.getOrInsert(`${one.account} ${one.content}`, []).push(one);
      this.#referencesInBatch.add(`${one.account} ${one.reference}`);
    }
  }

  #result(prepared: PreparedEntry, result: RowResult): void {
    const { account, reference, cancelledReference } = prepared;
    this.results.set(prepared, { ...result, account, reference: cancelledReference ?? reference });
  }

  #stated(prepared: PreparedEntry): StatedEntry {
    const { account, reference, content, date, digest, statedAt, isDerived } = prepared;
    const { format, importId } = this.#context;
    const flags = { isDerived, isCancelled: false, isReversal: false, isWaiting: false };
    return { account, reference, content, date, format, digest, statedAt, ...flags, transaction: null, importId };
  }

  #cancel(prepared: PreparedEntry, reference: string): void {
    const { memory, ledger } = this.#context;
    const key = { account: prepared.account, reference };
    const known = memory.find(key);
    if (known?.entry.isCancelled) return this.#result(prepared, done('unchanged', null, reasons.known));
    const booked = ledger.get(`${key.account} ${reference}`);
    const before = known?.before ?? null;
    const isInBatch = this.#referencesInBatch.has(`${key.account} ${reference}`);
    if (known !== undefined && known.currentReference !== null) return this.#close(prepared, known);
    const blank = {
      ...this.#stated({ ...prepared, reference, isDerived: false }),
      content: null,
      date: null,
      digest: null,
    };
    memory.put({ ...(known?.entry ?? blank), isCancelled: true });
    if (booked !== undefined) {
      this.closings.push({ prepared, transaction: booked.id, before: before && JSON.stringify(before) });
      return this.#result(prepared, done('amended', { type: 'transaction', id: booked.id }, reasons.closes));
    }
    this.#result(prepared, done('unchanged', null, isInBatch ? reasons.cancellation : reasons.early));
  }

  /** Closes what is booked for the memo. Within one import, the two rows come to nothing. */
  #close(prepared: PreparedEntry, memo: Memo): void {
    const { memory, importId } = this.#context;
    const { transaction, account, reference } = memo.entry;
    const isSameImport = memo.entry.importId === importId;
    const before = memo.before === null ? null : JSON.stringify(memo.before);
    memory.put({ ...memo.entry, isCancelled: true });
    memo.currentReference = null;
    this.closings.push({ prepared, transaction, before });
    if (!isSameImport)
      return this.#result(prepared, done('amended', { type: 'transaction', id: transaction }, reasons.closes));
    this.cancelledHere.push({ account, reference });
    this.#result(prepared, done('unchanged', null, reasons.cancellation));
  }

  #reverse(prepared: PreparedEntry): void {
    const { memory } = this.#context;
    if (memory.find(prepared) !== undefined) return this.#result(prepared, done('unchanged', null, reasons.known));
    const own = { ...this.#stated(prepared), isReversal: true };
    const inBatch = (this.#inBatch.get(`${prepared.account} ${prepared.content}`) ?? [])
      .filter((one) => one.date <= prepared.date && memory.find(one) === undefined)
      .reduce<PreparedEntry | undefined>((last, one) => (last && last.date > one.date ? last : one), undefined);
    const booked = memory.findReversible(prepared, inBatch?.date);
    if (inBatch !== undefined && booked === undefined) {
      memory.put({ ...this.#stated(inBatch), isCancelled: true });
      memory.put(own);
      return this.#result(prepared, done('unchanged', null, reasons.cancellation));
    }
    if (booked !== undefined) {
      this.#close(prepared, booked);
      memory.put(own);
      return;
    }
    const { input, entry } = prepared;
    const waiting = { ...own, isWaiting: true };
    if (entry.quantity === undefined && !(input instanceof Refusal)) return this.#write(prepared, input, waiting);
    memory.put(waiting);
    this.#result(prepared, done('unchanged', null, reasons.early));
  }

  #write(prepared: PreparedEntry, input: TransactionInput, stated: StatedEntry): void {
    const { memory } = this.#context;
    const known = memory.find(stated);
    const earlier = known && { ...known.entry, currentReference: known.currentReference };
    const reference = known?.currentReference ?? prepared.reference;
    const memo = memory.put(stated);
    memo.currentReference = reference;
    const isOwn = input.externalReference === reference;
    const written = isOwn ? input : { ...input, externalReference: reference };
    this.writes.push({ prepared, memo, earlier, input: written, reason: reasonOf(prepared, input) });
  }

  #enter(prepared: PreparedEntry): void {
    const { memory } = this.#context;
    const known = memory.find(prepared);
    if (known?.entry.isCancelled) return this.#result(prepared, done('unchanged', null, reasons.cancelled));
    const { input } = prepared;
    if (input instanceof Refusal) return this.#result(prepared, refused(input));
    if (known !== undefined) return this.#enterKnown(prepared, input, known);
    if (this.#nets(prepared)) return;
    const equal = this.#findEqual(prepared);
    if (equal !== undefined) {
      this.#match(equal);
      memory.put({ ...this.#stated(prepared), transaction: equal.entry.transaction }, { same: equal });
      const target = { type: 'transaction', id: equal.entry.transaction } as const;
      this.targets.set(prepared, equal);
      return this.#result(prepared, done('unchanged', target, reasons.equal));
    }
    this.#write(prepared, input, this.#stated(prepared));
  }

  /** Compares with what a statement said last, not with the ledger: what a person has amended since stays as it is. */
  #enterKnown(prepared: PreparedEntry, input: TransactionInput, known: Memo): void {
    const { memory } = this.#context;
    const { digest, statedAt, transaction } = known.entry;
    const target = { type: 'transaction', id: transaction } as const;
    this.targets.set(prepared, known);
    const isOlder = statedAt !== null && prepared.statedAt !== null && prepared.statedAt < statedAt;
    const isLater = prepared.statedAt !== null && (statedAt === null || prepared.statedAt > statedAt);
    const isSame = digest === prepared.digest;
    const isCurrent = known.currentReference !== null;
    if (isCurrent && isOlder && !isSame) return this.#result(prepared, done('unchanged', target, reasons.superseded));
    if (isCurrent && isSame) {
      if (isLater) memory.put({ ...known.entry, statedAt: prepared.statedAt });
      return this.#result(prepared, done('unchanged', target));
    }
    const { importId, digest: said, statedAt: saidAt } = this.#stated(prepared);
    this.#write(prepared, input, { ...known.entry, digest: said, statedAt: isOlder ? statedAt : saidAt, importId });
  }

  /** Whether a reversal has come before: then neither is booked. */
  #nets(prepared: PreparedEntry): boolean {
    const { memory } = this.#context;
    const waiting = memory.waitingFor(prepared);
    if (waiting === undefined) return false;
    memory.put({ ...waiting.entry, isWaiting: false });
    memory.put({ ...this.#stated(prepared), isCancelled: true });
    const { transaction, account, reference, importId } = waiting.entry;
    const isBooked = waiting.currentReference !== null;
    waiting.currentReference = null;
    if (isBooked && importId === this.#context.importId) this.cancelledHere.push({ account, reference });
    if (isBooked) this.closings.push({ prepared, transaction, before: null });
    this.#result(prepared, done('unchanged', null, reasons.cancelled));
    return true;
  }

  /**
   * The same entry in another statement, where it has no reference or that of another format. If it has none itself: as many such
   * entries are known as this is the which of its equals. If it has one: nothing in this batch stands for the other, and no other reference of
   * this format does.
   */
  #findEqual(prepared: PreparedEntry): Memo | undefined {
    if (!this.#context.memory.hasContent(prepared)) return undefined;
    const candidates = this.#candidatesFor(prepared);
    if (prepared.isDerived) return candidates.memos[prepared.ordinal - 1];
    while (this.#isTaken(candidates.memos[candidates.next])) candidates.next++;
    return candidates.memos[candidates.next];
  }

  #candidatesFor(prepared: PreparedEntry): Candidates {
    const { memory, format } = this.#context;
    return this.#candidates.getOrInsertComputed(`${prepared.account} ${prepared.content} ${prepared.date}`, () => {
      for (const named of memory.namedEquals(prepared, format)) this.#match(named);
      const memos = memory.equals(prepared, ({ entry }) => entry.isDerived || entry.format !== format);
      return { memos: [...memos], next: 0 };
    });
  }

  #isTaken(memo: Memo | undefined): boolean {
    return memo !== undefined && (memo.entry.importId === this.#context.importId || this.#isMatched(memo));
  }

  #match(memo: Memo): void {
    const { transaction } = memo.entry;
    this.#matched.add(memo);
    if (transaction !== null) this.#matched.add(transaction);
  }

  #isMatched(memo: Memo): boolean {
    const { transaction } = memo.entry;
    return this.#matched.has(memo) || (transaction !== null && this.#matched.has(transaction));
  }
}
