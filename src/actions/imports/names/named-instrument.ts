// Creates instruments from what files say about them, and keeps which instrument a custodian's own code means.

import type { Id } from '../../../kit/id.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { NamedInstrument } from '../../../model/custody/statement.ts';
import type { Work } from '../../core/work.ts';
import type { NameScope } from './resolution.ts';

/**
 * Creates instruments of the shared catalogue, each once however often it is named. A refusal in place of an id says what the file
 * does not say, or that the caller may not write what all clients share.
 */
export async function createNamedInstruments(
  _work: Work,
  names: readonly NamedInstrument[],
): Promise<readonly (Id | Refusal)[]> {
  return names.map(() => new Refusal('outside-reach', 'Instruments cannot be created from files yet.'));
}

/** Keeps the custodian's own codes of instruments that were found or created, so that the code alone finds them next time. */
export async function learnInstruments(
  _work: Work,
  _scope: NameScope,
  _learned: readonly { readonly named: NamedInstrument; readonly id: Id }[],
): Promise<void> {}
