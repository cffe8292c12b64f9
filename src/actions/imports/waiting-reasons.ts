// Says in words which account or instrument a row needs, and what to do about it.

import type { Refusal } from '../../kit/refusal.ts';
import type { NamedAccount, NamedInstrument, StatementEntry } from '../../model/custody/statement.ts';
import type { RowResult } from '../../store/imports/import-rows.ts';
import { refusalDetail } from './entry-input.ts';
import type { Named } from './named-records.ts';
import { waitsFor } from './row-result.ts';

function isAmbiguous(found: Named): boolean {
  return typeof found === 'object' && found?.outcome === 'ambiguous';
}

export function waitsForPlace(
  what: 'account' | 'depository',
  named: NamedAccount | undefined,
  found: Named,
): RowResult {
  if (named === undefined) {
    const detail = 'The file names no account. Import it with an account_id, or a depository_id with one account.';
    return waitsFor('account', { code: 'account-unnamed', detail });
  }
  const words = [named.number, named.currency].filter(Boolean).join(' ').slice(0, 100);
  if (isAmbiguous(found)) {
    const detail = `Several records may be the ${what} "${words}". Map the number to one of them and book again.`;
    return waitsFor('account', { code: `${what}-ambiguous`, detail });
  }
  const detail = `No ${what} of this client has the number "${words}". Set it as an external identifier or map it, and book again.`;
  return waitsFor('account', { code: `${what}-unknown`, detail });
}

/** A row that says what it is by a word that nobody knows, or that is mapped to several types. */
export function waitsForType(
  { typeWord = '' }: StatementEntry,
  { isAmbiguous: isMappedTwice }: { readonly isAmbiguous: boolean },
): RowResult {
  const word = typeWord.slice(0, 100);
  const detail = isMappedTwice
    ? `Mappings of several custodians say different things about "${word}". Say which custodian the file is of, or map the word for all of them, and book again.`
    : `The file calls it "${word}", and nobody has said which type of transaction that is. Map the word once, and book again.`;
  return waitsFor('type', { code: isMappedTwice ? 'type-ambiguous' : 'type-unknown', detail });
}

export function waitsForInstrument(named: NamedInstrument, found: Named, creation: Refusal | undefined): RowResult {
  const { isin, cusip, sedol, ticker, mic, custodianCode, name } = named;
  const words = [isin ?? cusip ?? sedol ?? custodianCode, ticker, mic, name].filter(Boolean).join(' ').slice(0, 150);
  if (isAmbiguous(found)) {
    const detail = `Several instruments may be "${words}". Map the identifier to one of them and book again.`;
    return waitsFor('instrument', { code: 'instrument-ambiguous', detail });
  }
  const reason = creation === undefined ? '' : ` It could not be created: ${refusalDetail(creation)}`;
  const detail = `No instrument is "${words}". Create or map it, or book with create_instruments=true.${reason}`;
  return waitsFor('instrument', { code: 'instrument-unknown', detail });
}

/** The file names no instrument, so no mapping can help: a person books it. */
export function waitsForUnnamedInstrument({ kind, reference }: StatementEntry): RowResult {
  const words =
    reference === undefined ? '' : ` with source custodian and external_reference "${reference.slice(0, 100)}"`;
  const detail = `The file does not say which instrument the ${kind} is about, and its cash is neither income nor a flow. Book it by hand${words}, or import a file that names the instrument.`;
  return waitsFor('instrument', { code: 'instrument-unnamed', detail });
}
