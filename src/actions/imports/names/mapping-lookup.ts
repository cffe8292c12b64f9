// Chooses the mapping that applies to a word: that of the client and the custodian before one for all.

import { leastOf } from '../../../kit/memory/long-list.ts';
import type { Id } from '../../../kit/id.ts';
import type { MappingScheme } from '../../../model/custody/identifier-mapping.ts';
import type { FoundMapping } from '../../../store/names/identifier-mappings.ts';
import type { NameScope } from './resolution.ts';

interface MappedWord {
  readonly scheme: MappingScheme;
  readonly foldedValue: string;
  /** Absent where the file does not say it. */
  readonly currency?: string | undefined;
  readonly mic?: string | undefined;
}

function wordKey(scheme: MappingScheme, foldedValue: string): string {
  return `${scheme} ${foldedValue}`;
}

export class MappingLookup<Target extends string = Id> {
  readonly #scope: NameScope;
  readonly #byWord: ReadonlyMap<string, readonly FoundMapping<Target>[]>;

  constructor(scope: NameScope, found: readonly FoundMapping<Target>[]) {
    this.#scope = scope;
    this.#byWord = Map.groupBy(found, ({ scheme, foldedValue }) => wordKey(scheme, foldedValue));
  }

  /** The records that the most specific mappings of the source lead to: none, one, or several that contradict each other. */
  targets({ scheme, foldedValue, currency, mic }: MappedWord, source: FoundMapping['source']): readonly Target[] {
    const fitting = (this.#byWord.get(wordKey(scheme, foldedValue)) ?? []).filter(
      (one) =>
        one.source === source &&
        (one.currency === null || one.currency === currency) &&
        (one.mic === null || one.mic === mic) &&
        this.#rank(one) !== undefined,
    );
    const best = leastOf(fitting.map((one) => this.#rank(one) ?? Infinity));
    return [...new Set(fitting.filter((one) => this.#rank(one) === best).map(({ target }) => target))];
  }

  /** The lower, the more specific; undefined for one of another custodian. */
  #rank({ client, custodian, currency, mic }: FoundMapping<Target>): number | undefined {
    const own = this.#scope.custodian;
    if (custodian !== null && own !== null && custodian !== own) return undefined;
    // One for all custodians goes after that of the file's own. Where a file has none, its words may be those of any, and one for all goes first.
    const custodianRank = custodian === own ? 0 : 1;
    const clientRank = (client === null) === (this.#scope.client === null) ? 0 : 1;
    const partRank = currency === null && mic === null ? 1 : 0;
    return clientRank * 4 + custodianRank * 2 + partRank;
  }
}
