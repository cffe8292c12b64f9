// Decides what becomes of the entries of a batch: booked, an amendment, a cancellation, known already, or nothing before a person says
// whether it is another. The rules that make imports repeatable in any order are all here; it reads and writes nothing itself.
//
// A reference of the bank identifies an entry. Without one, an equal entry of the same day with the same text is the same; with another
// text, the statements have to prove what it is.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { LedgerRow } from '../../store/ledger/ledger-reader.ts';
import type { RowResult } from '../../store/imports/import-rows.ts';
import type { EntryKey, KnownEntry, StatedEntry } from '../../store/imports/stated-entries.ts';
import type { TransactionInput } from '../ledger/transaction-input.ts';
import { ownReference } from './entry-identity.ts';
import type { EntryMemory, Memo } from './entry-memory.ts';
import { cleanText, isIncomeWithoutInstrument } from './entry-input.ts';
import type { PreparedEntry } from './prepared-entry.ts';
import { done, refused, waitsFor, type Reason } from './row-result.ts';
import { areRelated, type Saying, type StatementProofs, type Verdict } from './statement-proofs.ts';
import type { TakenEntries } from './taken-entries.ts';

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
  readonly taken: TakenEntries;
  /** Whether the statement of the entry may go on where that of the known one ends: then it may be another, whatever it says. */
  readonly mayFollow: (prepared: PreparedEntry, known: Memo) => boolean;
  /** Absent while the file is read: what depends on all of it, such as its balances, is decided once it is read. */
  readonly evidence?: Evidence;
}

/** What is known of statements when their file has been read. */
export interface Evidence {
  readonly proofs: StatementProofs;
  /** What the statement said that a memo is of. */
  sayingOf(memo: Memo): Saying | undefined;
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
  decided: { code: 'decided-same', detail: 'It was decided that it is this transaction.' },
} as const;

const shownTextMax = 100;

function textOf(text: string | null | undefined): string {
  return text == null ? 'without a text' : `with the text "${text.slice(0, shownTextMax)}"`;
}

function reasonOf({ isReversal, entry }: PreparedEntry, { instrument, kind }: TransactionInput): Reason | undefined {
  if (isReversal) return reasons.lone;
  const isUnassigned = kind !== entry.kind && isIncomeWithoutInstrument(entry.kind, instrument ?? null);
  return isUnassigned ? reasons.unassigned : undefined;
}

/** A known entry that others of its content and day may be. */
interface Equal {
  readonly first: Memo;
  /** Everything that is known for the same transaction. */
  readonly sayings: readonly Memo[];
}

/** The known entries of one content and day. Listed once for a batch: a file may have very many equal ones. */
interface Equals {
  readonly entries: Equal[];
  /** Those before are taken by entries of this statement. */
  next: number;
  statement: string | undefined;
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
  /** By account, content and day. */
  readonly #equals = new Map<string, Equals>();
  /** Entries that are known by everything that they say. */
  readonly #exact = new Map<PreparedEntry, Memo>();
  /** Whether entries wait for the end of the file. */
  hasDoubts = false;
  /** What entries of this batch say. */
  readonly #sayings = new Map<Memo, Saying>();
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
    for (const one of memory.size === 0 ? [] : ordinary) this.#recognise(one);
    // Most batches have nothing else.
    if (ordinary.length < entries.length) this.#noteBatch(ordinary);
    for (const one of entries) if (one.cancelledReference !== null) this.#cancel(one, one.cancelledReference);
    for (const one of entries) if (one.isReversal) this.#reverse(one);
    for (const one of ordinary) this.#enter(one);
  }

  /** Before anything else is decided, so that an entry which is known exactly is not taken for another. */
  #recognise(prepared: PreparedEntry): void {
    const known = prepared.isDerived ? this.#findExact(prepared) : this.#context.memory.find(prepared);
    if (known === undefined) return;
    this.#exact.set(prepared, known);
    this.#take(prepared, known);
  }

  #take(prepared: PreparedEntry, memo: Memo): void {
    this.#context.taken.take(prepared.entry.statement, memo);
    if (this.#context.evidence !== undefined) this.#sayings.getOrInsertComputed(memo, () => this.#ownSaying(prepared));
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
    const known = memory.find(prepared);
    if (known !== undefined && (known.entry.isReversal || !prepared.isDerived))
      return this.#result(prepared, done('unchanged', null, reasons.known));
    this.#giveReference(prepared);
    const own = { ...this.#stated(prepared), isReversal: true };
    const inBatch = (this.#inBatch.get(`${prepared.account} ${prepared.content}`) ?? [])
      .filter((one) => one.date <= prepared.date && memory.find(one) === undefined)
      .reduce<PreparedEntry | undefined>((last, one) => (last && last.date > one.date ? last : one), undefined);
    const booked = memory.findReversible(prepared, inBatch?.date);
    if (inBatch !== undefined && booked === undefined) {
      // It is an entry of its own: equal entries of its statement are none of it.
      const cancelled = memory.put({ ...this.#stated(inBatch), isCancelled: true });
      this.#exact.set(inBatch, cancelled);
      this.#take(inBatch, cancelled);
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

  #write(prepared: PreparedEntry, input: TransactionInput, stated: StatedEntry, why?: Reason): void {
    const { memory } = this.#context;
    const known = memory.find(stated);
    const earlier = known && { ...known.entry, currentReference: known.currentReference };
    const reference = known?.currentReference ?? stated.reference;
    const memo = memory.put(stated);
    memo.currentReference = reference;
    const isOwn = input.externalReference === reference;
    const written = isOwn ? input : { ...input, externalReference: reference };
    this.writes.push({ prepared, memo, earlier, input: written, reason: reasonOf(prepared, input) ?? why });
    if (prepared.isDerived) this.#take(prepared, memo);
    if (known === undefined && this.#isCandidate([memo])) this.#noteEqual(prepared, memo);
  }

  /** Its own, if that is free: it may stand for an equal entry with another text. */
  #giveReference(prepared: PreparedEntry): void {
    const { memory, importId } = this.#context;
    if (!prepared.isDerived || memory.find(prepared) === undefined) return;
    prepared.reference = ownReference(prepared.reference, importId, prepared.entry.statement);
  }

  #enter(prepared: PreparedEntry): void {
    const { memory } = this.#context;
    const known = this.#exact.get(prepared) ?? (prepared.isDerived ? this.#findExact(prepared) : memory.find(prepared));
    if (known !== undefined && this.#isCancelled(prepared, known))
      return this.#result(prepared, done('unchanged', null, reasons.cancelled));
    const { input } = prepared;
    if (input instanceof Refusal) return this.#result(prepared, refused(input));
    if (known !== undefined) return this.#enterKnown(prepared, input, known);
    const equals = memory.hasContent(prepared) ? this.#untaken(prepared) : [];
    if (equals.length === 0) return this.#book(prepared, input);
    if (prepared.decided !== undefined) return this.#enterDecided(prepared, input, equals);
    const { evidence } = this.#context;
    const exact = prepared.isDerived ? undefined : withDigest(equals, prepared);
    if (exact !== undefined && !this.#mayFollow(prepared, exact.first))
      return this.#repeat(prepared, exact, reasons.equal);
    if (evidence === undefined) return this.#doubt(prepared, equals);
    this.#judge(prepared, input, equals, evidence);
  }

  #book(prepared: PreparedEntry, input: TransactionInput, why?: Reason): void {
    if (this.#nets(prepared)) return;
    this.#giveReference(prepared);
    this.#write(prepared, input, this.#stated(prepared), why);
  }

  /** A cancellation is kept with the reference that was cancelled, which may not be this reference of the transaction. */
  #isCancelled(prepared: PreparedEntry, known: Memo): boolean {
    if (known.entry.isCancelled || known.currentReference !== null) return known.entry.isCancelled;
    const { memory } = this.#context;
    return memory.equals(prepared).some((sayings) => sayings.includes(known) && isCancelled({ sayings }));
  }

  /** What a person has said. An entry that has become known since is known nevertheless. */
  #enterDecided(prepared: PreparedEntry, input: TransactionInput, equals: readonly Equal[]): void {
    const { decision, candidate } = prepared.decided!;
    const named = equals.find(({ first }) => first.entry.transaction === candidate);
    if (decision === 'same') return this.#repeat(prepared, named ?? equals[0]!, reasons.decided);
    const exact = withDigest(
      equals.filter((one) => one !== named),
      prepared,
    );
    if (exact !== undefined && candidate !== null) return this.#repeat(prepared, exact, reasons.equal);
    this.#book(prepared, input, this.#besides(equals));
  }

  #judge(prepared: PreparedEntry, input: TransactionInput, equals: readonly Equal[], evidence: Evidence): void {
    const own = this.#ownSaying(prepared);
    const { proofs } = evidence;
    const sayingOf = (memo: Memo): Saying | undefined => this.#sayingOf(memo);
    const judged = equals.map((equal) => judge(prepared, own, equal, { proofs, sayingOf }));
    const possible = judged.filter(({ verdict }) => verdict !== 'another');
    const exact = withDigest(
      possible.map(({ equal }) => equal),
      prepared,
    );
    const same =
      possible.find(({ equal }) => equal === exact) ??
      possible.find(({ hasSameText }) => hasSameText) ??
      possible.find(({ verdict }) => verdict === 'same');
    if (same !== undefined) return this.#enterEqual(prepared, input, same.equal);
    const isPlain = possible.every(({ isUnrelated }) => isUnrelated);
    if (isPlain) return this.#book(prepared, input, this.#besides(equals));
    this.#doubt(
      prepared,
      possible.map(({ equal }) => equal),
    );
  }

  #sayingOf(memo: Memo): Saying | undefined {
    return this.#context.evidence?.sayingOf(memo) ?? this.#sayings.get(memo);
  }

  #ownSaying({ entry }: PreparedEntry): Saying {
    const { importId, format } = this.#context;
    const { statement, account, currency, amount, balance } = entry;
    return {
      importId,
      format,
      statement,
      account: account?.number,
      currency: currency ?? account?.currency,
      text: cleanText(entry.comment, Infinity),
      amount,
      balance,
    };
  }

  /** Later statements say more: an entry that has no reference anywhere is amended by them. */
  #enterEqual(prepared: PreparedEntry, input: TransactionInput, equal: Equal): void {
    const derived = prepared.isDerived ? equal.sayings.find(({ entry }) => entry.isDerived) : undefined;
    if (derived === undefined || isCancelled(equal) || equal.sayings.some(({ entry }) => !entry.isDerived))
      return this.#repeat(prepared, equal, reasons.equal);
    this.#take(prepared, derived);
    this.#enterKnown(prepared, input, derived);
  }

  /** Remembers another reference, or another text, for the same transaction. */
  #repeat(prepared: PreparedEntry, equal: Equal, reason: Reason): void {
    const { memory } = this.#context;
    const { first } = equal;
    this.#take(prepared, first);
    const { transaction } = first.entry;
    if (isCancelled(equal)) return this.#result(prepared, done('unchanged', null, reasons.cancelled));
    this.#giveReference(prepared);
    const same = first.same ?? first;
    const memo = memory.put({ ...this.#stated(prepared), transaction }, { same });
    this.#take(prepared, memo);
    this.targets.set(prepared, same);
    this.#result(prepared, done('unchanged', { type: 'transaction', id: transaction }, reason));
  }

  #besides([equal]: readonly Equal[]): Reason | undefined {
    if (equal === undefined) return undefined;
    const known = this.#sayingOf(equal.first);
    const words = known === undefined ? 'of another statement' : textOf(known.text);
    const detail = `An entry of the same day and amount ${words} was booked before. This one is another and is booked beside it.`;
    return { code: 'equal-entry-booked', detail };
  }

  #doubt(prepared: PreparedEntry, [equal]: readonly Equal[]): void {
    this.hasDoubts = true;
    const candidate = equal?.first.entry.transaction ?? null;
    const known = equal && this.#sayingOf(equal.first);
    const detail = `An entry of the same day and amount ${textOf(known?.text)} is known; this one is ${textOf(cleanText(prepared.entry.comment, Infinity))}. Neither a reference nor balances prove whether it is the same. Decide, and book again.`;
    const target = { type: 'transaction', id: candidate, version: null } as const;
    this.results.set(prepared, {
      ...waitsFor('decision', { code: 'entry-doubtful', detail }),
      account: prepared.account,
      target,
    });
  }

  /** Compares with what a statement said last, not with the ledger: what a person has amended since stays as it is. */
  #enterKnown(prepared: PreparedEntry, input: TransactionInput, known: Memo): void {
    const { memory } = this.#context;
    const { digest, statedAt, transaction } = known.entry;
    const target = { type: 'transaction', id: transaction } as const;
    prepared.reference = known.entry.reference;
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
    this.#giveReference(prepared);
    this.#take(prepared, memory.put({ ...this.#stated(prepared), isCancelled: true }));
    const { transaction, account, reference, importId } = waiting.entry;
    const isBooked = waiting.currentReference !== null;
    waiting.currentReference = null;
    if (isBooked && importId === this.#context.importId) this.cancelledHere.push({ account, reference });
    if (isBooked) this.closings.push({ prepared, transaction, before: null });
    this.#result(prepared, done('unchanged', null, reasons.cancelled));
    return true;
  }

  #mayFollow(prepared: PreparedEntry, known: Memo): boolean {
    const { evidence, mayFollow } = this.#context;
    return evidence !== undefined || mayFollow(prepared, known);
  }

  /** An entry without a reference that was said before in every detail, and that no other entry of the statement stands for. */
  #findExact(prepared: PreparedEntry): Memo | undefined {
    const { memory, taken, evidence } = this.#context;
    const { digest, entry, decided } = prepared;
    // At the end of the file, all that is known of equal entries decides together.
    if (digest === '' || decided !== undefined || evidence !== undefined) return undefined;
    const own = memory.find(prepared);
    const isOwn = own?.entry.digest === digest && !own.entry.isReversal && !taken.isTaken(entry.statement, own);
    const isKnown = isOwn || memory.hasContent(prepared);
    const found = isOwn || !isKnown ? own : memoOf(withDigest(this.#untaken(prepared), prepared), digest);
    return !isKnown || found === undefined || this.#mayFollow(prepared, found) ? undefined : found;
  }

  /** Known entries of its content and day that no entry of the same statement stands for. */
  #untaken(prepared: PreparedEntry): readonly Equal[] {
    const { taken } = this.#context;
    const { statement } = prepared.entry;
    const equals = this.#equalsOf(prepared);
    const isTaken = ({ sayings }: Equal): boolean => sayings.some((memo) => taken.isTaken(statement, memo));
    if (equals.statement !== statement) [equals.statement, equals.next] = [statement, 0];
    for (let next = equals.entries[equals.next]; next !== undefined && isTaken(next);)
      next = equals.entries[++equals.next];
    return equals.entries.slice(equals.next, equals.next + equalsMax).filter((one) => !isTaken(one));
  }

  #equalsOf(prepared: PreparedEntry): Equals {
    const { account, content, date, entry } = prepared;
    return this.#equals.getOrInsertComputed(`${account} ${content} ${date}`, () => {
      const known = this.#context.memory.equals(prepared).filter((sayings) => this.#isCandidate(sayings));
      const entries = known.map((sayings) => ({
        first: sayings.find((one) => one.same === undefined) ?? sayings[0]!,
        sayings,
      }));
      return { entries, next: 0, statement: entry.statement };
    });
  }

  /** An entry that this format knows by a reference is none of those whose references are unknown. */
  #isCandidate(sayings: readonly Memo[]): boolean {
    return sayings.every(({ entry }) => entry.isDerived || entry.format !== this.#context.format);
  }

  #noteEqual({ account, content, date }: PreparedEntry, memo: Memo): void {
    this.#equals.get(`${account} ${content} ${date}`)?.entries.push({ first: memo, sayings: [memo] });
  }
}

/** With how many known entries one is compared. A day has more equal ones only in a file that was made for that. */
const equalsMax = 1_000;

function isCancelled({ sayings }: Pick<Equal, 'sayings'>): boolean {
  return sayings.some(({ entry }) => entry.isCancelled);
}

function withDigest(equals: readonly Equal[], { digest }: PreparedEntry): Equal | undefined {
  return equals.find(({ sayings }) => sayings.some(({ entry }) => entry.digest === digest));
}

function memoOf(equal: Equal | undefined, digest: string): Memo | undefined {
  return equal?.sayings.find(({ entry }) => entry.digest === digest);
}

interface Judged {
  readonly equal: Equal;
  readonly verdict: Verdict;
  readonly hasSameText: boolean;
  /** Whether the same words of the same layout would say it, if it were the same. */
  readonly isUnrelated: boolean;
}

/** Another statement of the same entry may prove what this one leaves open, and that it is another goes before. */
function judge({ date }: PreparedEntry, own: Saying, equal: Equal, { proofs, sayingOf }: Evidence): Judged {
  const known = equal.sayings.flatMap((memo) => sayingOf(memo) ?? []);
  const verdicts = known.map((saying) => proofs.verdict(own, saying, date));
  const verdict = verdicts.includes('another') ? 'another' : verdicts.includes('same') ? 'same' : 'open';
  const isUnrelated =
    known.length > 0 && known.every((saying) => isSameLayout(own, saying) && !areRelated(own.text, saying.text));
  return { equal, verdict, hasSameText: known.some(({ text }) => text === own.text), isUnrelated };
}

/** Two layouts of CSV may say the same in two languages; the statements of a CSV are named after its layout. */
function isSameLayout(one: Saying, other: Saying): boolean {
  return one.format === other.format && (one.format !== 'csv' || one.statement === other.statement);
}
