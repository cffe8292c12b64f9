// Reads MT535 (statement of holdings) and MT536 (statement of transactions): blocks from `:16R:` to `:16S:`, each position and each
// transaction in one of them.

import { RecentEntries } from '../../kit/memory/recent-entries.ts';
import type { NamedAccount, StatementItem, StatementProblem } from '../../model/custody/statement.ts';
import { shortened } from '../short-text.ts';
import { FieldFault } from '../field-fault.ts';
import type { EmitItem } from '../format-reader.ts';
import { stated } from '../stated-fields.ts';
import { UsedReferences } from '../used-references.ts';
import type { SecuritiesHeading } from './securities-heading.ts';
import { positionIn } from './holdings.ts';
import { dateIn, findFirst, findQualified, type SwiftBlock } from './qualified-field.ts';
import { transactionIn } from './securities-transactions.ts';
import type { SwiftField, SwiftHeader } from './swift-fields.ts';
import { fieldFault, readLongDate, readLongMoment, refuseLongLines } from './swift-values.ts';

const depthMax = 20;
/** Fields and blocks directly in one block; transactions are passed on and not kept. */
const partsMax = 10_000;
/** Accounts whose statements may go on with another page. */
const accountsMax = 10_000;

export class SecuritiesStatementReader {
  readonly #emit: EmitItem;
  /** Of each account, those of the statement that its last page belongs to. */
  readonly #references = new RecentEntries<UsedReferences>(accountsMax);
  readonly #allReferences = new UsedReferences();
  #statementCount = 0;
  #stack: SwiftBlock[] = [];
  #heading: SecuritiesHeading | undefined;
  #deliveredAt: string | undefined;
  #hasTransactions = false;
  #safekeepingBelow: NamedAccount | undefined;

  constructor(emit: EmitItem) {
    this.#emit = emit;
  }

  begin({ deliveredAt, messageType }: SwiftHeader): void {
    this.#heading = this.#safekeepingBelow = undefined;
    this.#deliveredAt = deliveredAt;
    this.#hasTransactions = messageType === '536';
  }

  field(field: SwiftField): void {
    try {
      refuseLongLines(field);
      const [first = ''] = field.lines;
      if (field.tag === '16R') this.#open(field, first.trim());
      else if (field.tag === '16S') this.#close(field, first.trim());
      else this.#add(field);
    } catch (error) {
      this.#report(error);
    }
  }

  endMessage(line: number): void {
    const [outermost] = this.#stack;
    if (outermost === undefined) return;
    this.#stack = [];
    const detail = `Block ${shortened(outermost.name)} of line ${outermost.line} is never closed: the file may be cut off.`;
    this.#report(new FieldFault({ line, field: ':16S:' }, detail));
  }

  #open(field: SwiftField, name: string): void {
    if (this.#stack.length >= depthMax) throw fieldFault(field, `Blocks are nested deeper than ${depthMax} levels.`);
    this.#stack.push({ name, line: field.line, fields: [], blocks: [] });
  }

  #add(field: SwiftField): void {
    const block = this.#stack.at(-1);
    if (block === undefined) {
      if (/^(?:20C|93|19A|35B|36B)/.test(field.tag)) throw fieldFault(field, 'The field is in no block (:16R:).');
      return;
    }
    if (block.fields.length >= partsMax) throw fieldFault(field, `A block has more than ${partsMax} fields.`);
    block.fields.push(field);
    // Known before the blocks within it, which it counts for.
    if (block.name === 'SUBSAFE') this.#safekeepingBelow = accountIn(block, 'SAFE') ?? this.#safekeepingBelow;
  }

  #close(field: SwiftField, name: string): void {
    const at = this.#stack.findLastIndex((block) => block.name === name);
    if (at < 0) throw fieldFault(field, `Block ${shortened(name)} ends and never began.`);
    const unclosed = this.#stack.splice(at + 1).at(0);
    const block = this.#stack.pop()!;
    try {
      this.#finish(block);
    } finally {
      if (unclosed !== undefined)
        this.#report(fieldFault(field, `Block ${shortened(unclosed.name)} of line ${unclosed.line} is never closed.`));
    }
  }

  #finish(block: SwiftBlock): void {
    const parent = this.#stack.at(-1);
    if (block.name === 'GENL') this.#heading = this.#headingIn(block);
    else if (block.name === 'TRAN') this.#finishTransaction(block, parent);
    else if (block.name === 'FIN') this.#finishInstrument(block);
    else if (block.name === 'SUBSAFE') this.#safekeepingBelow = undefined;
    else if (parent !== undefined && parent.blocks.length < partsMax) parent.blocks.push(block);
  }

  #finishTransaction(block: SwiftBlock, parent: SwiftBlock | undefined): void {
    this.#hasTransactions = true;
    if (parent?.name !== 'FIN')
      throw fieldFault(
        { line: block.line, tag: '16R' },
        'The transaction (TRAN) is in no block FIN, which names its instrument.',
      );
    this.#emit(transactionIn(block, parent, this.#headingOf(block)));
  }

  #finishInstrument(block: SwiftBlock): void {
    const heading = this.#headingOf(block);
    const position: StatementItem | undefined = positionIn(block, heading);
    if (position === undefined) return;
    if (heading.isCancelled) {
      const detail =
        'The message takes back a statement: its positions count no longer, and nothing is compared with them.';
      throw fieldFault({ line: block.line, tag: '23G' }, detail);
    }
    this.#emit(position);
  }

  #headingOf(block: SwiftBlock): SecuritiesHeading {
    if (this.#heading === undefined)
      throw fieldFault({ line: block.line, tag: '16R' }, 'The message has no general information (GENL) before it.');
    const safekeeping = this.#safekeepingBelow ?? this.#heading.safekeeping;
    return { ...this.#heading, safekeeping, hasTransactions: this.#hasTransactions };
  }

  #headingIn(block: SwiftBlock): SecuritiesHeading {
    const prepared = findQualified(block, '98', 'PREP')?.value.trim();
    const statement = findQualified(block, '98', 'STAT');
    const period = findFirst(block, '69', ['STAT'])?.value.trim();
    const safekeeping = accountIn(block, 'SAFE');
    const functionOf = block.fields.find(({ tag }) => tag === '23G')?.lines[0] ?? '';
    const key = safekeeping?.number ?? '';
    // The pages of a statement share them; another statement of the same account begins with page one.
    const isFirstPage = /^0*1\//.test(block.fields.find(({ tag }) => tag === '28E')?.lines[0] ?? '');
    const known = isFirstPage ? undefined : this.#references.get(key);
    const references = known ?? this.#allReferences.within(String(++this.#statementCount));
    this.#references.set(key, references);
    return {
      safekeeping,
      cash: accountIn(block, 'CASH'),
      day: statement ? dateIn(statement) : readLongDate(period?.split('/').at(-1) ?? ''),
      statedAt: readLongMoment(prepared ?? '') ?? this.#deliveredAt,
      isCancelled: functionOf.trim().startsWith('CANC'),
      hasTransactions: this.#hasTransactions,
      references,
    };
  }

  #report(error: unknown): void {
    if (!(error instanceof FieldFault)) throw error;
    this.#emit(
      stated<StatementProblem>({
        item: 'problem',
        place: error.place,
        account: this.#safekeepingBelow ?? this.#heading?.safekeeping,
        statedAt: this.#heading?.statedAt,
        detail: error.message,
      }),
    );
  }
}

/** `:97A::SAFE//123` or `:97B::SAFE/ISSUER/TYPE/123`. */
function accountIn(block: SwiftBlock, qualifier: string): NamedAccount | undefined {
  const found = findQualified(block, '97', qualifier);
  const number = (found?.field.tag === '97B' ? found.value.split('/').slice(1).join('/') : found?.value)?.trim();
  return number ? { number } : undefined;
}
