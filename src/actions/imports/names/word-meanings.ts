// What persons have said that the words of files mean: looked up once for each word of an import.

import type { MappedType } from '../../../model/custody/identifier-mapping.ts';
import type { StatementEntry } from '../../../model/custody/statement.ts';
import { foldWord } from '../../../model/custody/folded-words.ts';
import { ownText } from '../../../kit/memory/own-text.ts';
import type { CorporateActionType, TransactionType } from '../../../model/ledger/transaction-kind.ts';
import { meaningOfType, retypedEntry } from '../../../statements/typed-entry.ts';
import type { WordMeaning } from '../../../statements/type-vocabulary.ts';
import { listTypeMappings } from '../../../store/names/identifier-mappings.ts';
import type { Work } from '../../core/work.ts';
import { MappingLookup } from './mapping-lookup.ts';
import type { NameScope } from './resolution.ts';

/** How many words are kept in memory; beyond that they are looked up again. A file may have another word in every row. */
const wordsKeptMax = 10_000;

/** Of the mappings of a word: what they say, nothing, or several things for a file whose custodian is not known. */
type Said = WordMeaning | 'nothing' | 'several';

export class WordMeanings {
  readonly #work: Work;
  readonly #scope: NameScope;
  #known = new Map<string, Said>();

  constructor(work: Work, scope: NameScope) {
    this.#work = work;
    this.#scope = scope;
  }

  async load(items: readonly { readonly item: string }[]): Promise<void> {
    const words = new Set(items.flatMap((item) => wordOf(item as StatementEntry) ?? []));
    const unknown = [...words].filter((word) => !this.#known.has(word));
    if (unknown.length === 0) return;
    if (this.#known.size + unknown.length > wordsKeptMax) this.#known = new Map();
    const lookedUp = [...words].filter((word) => !this.#known.has(word));
    const found = await listTypeMappings(this.#work.store, { client: this.#scope.client, values: lookedUp });
    const lookup = new MappingLookup(this.#scope, found);
    for (const word of lookedUp) this.#known.set(ownText(word), saidBy(lookup, word));
  }

  /** The entry as a person has said what its word means; as the file was read if nobody has. */
  decide(entry: StatementEntry): StatementEntry {
    const said = this.#saidOf(entry);
    return said === 'nothing' || said === 'several' ? entry : retypedEntry(entry, said);
  }

  isAmbiguous(entry: StatementEntry): boolean {
    return this.#saidOf(entry) === 'several';
  }

  #saidOf(entry: StatementEntry): Said {
    const word = wordOf(entry);
    return word === undefined ? 'nothing' : (this.#known.get(word) ?? 'nothing');
  }
}

function wordOf({ item, byWord, typeWord }: StatementEntry): string | undefined {
  return item === 'entry' && byWord !== undefined && typeWord !== undefined ? foldWord(typeWord) : undefined;
}

function saidBy(lookup: MappingLookup<MappedType>, word: string): Said {
  const [first, ...others] = lookup.targets({ scheme: 'word', foldedValue: word }, 'manual');
  if (first === undefined) return 'nothing';
  if (others.length > 0) return 'several';
  const [type, action] = first.split('/') as [TransactionType, CorporateActionType | undefined];
  return meaningOfType(type, action);
}
