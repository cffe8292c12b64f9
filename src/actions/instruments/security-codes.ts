// Refuses a second instrument with the same ISIN or CUSIP in one catalogue.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { ChangeOf } from '../../kit/resource.ts';
import type { instrument, Instrument } from '../../model/instrument/instrument.ts';
import { countriesWithCusips, cusipOf, isCusip, isIsin, isinOf } from '../../model/instrument/security-code.ts';
import { findInstrumentByCode, type SecurityCodeQuery } from '../../store/resources/security-codes.ts';
import type { Work } from '../core/work.ts';

type CodeField = 'isin' | 'externalIdentifier';
type CodedInstrument = Pick<Instrument, 'type'> & Partial<Pick<Instrument, 'id' | 'reportingEntity'>>;

/** Refuses the codes that a new instrument has, or that a change gives one. */
export async function refuseTakenCodes(
  work: Work,
  coded: CodedInstrument,
  input: ChangeOf<typeof instrument>,
): Promise<void> {
  const fields = ['isin', 'externalIdentifier'] as const;
  const given = fields.map((field) => ({ field, code: input[field] ?? undefined }));
  await Promise.all(given.map(({ field, code }) => code && refuseTakenCode(work, coded, { field, code })));
}

async function refuseTakenCode(
  { store }: Work,
  { id, type, reportingEntity }: CodedInstrument,
  { field, code }: { readonly field: CodeField; readonly code: string },
): Promise<void> {
  // Other external identifiers may repeat.
  if (!isIsin(code) && !isCusip(code)) return;
  const first = await findInstrumentByCode(store, {
    reportingEntity: reportingEntity ?? null,
    except: id ?? null,
    type,
    isAnyType: field === 'isin',
    ...sameCodes(code),
  });
  if (first !== undefined) throw takenCode({ field, code, first });
}

/** The same security is named by its ISIN, or by the CUSIP within it. */
function sameCodes(code: string): Pick<SecurityCodeQuery, 'isins' | 'externalIdentifiers'> {
  const cusip = isIsin(code) ? cusipOf(code) : code;
  const isins = isIsin(code) ? [code] : countriesWithCusips.map((country) => isinOf(country, code));
  return { isins, externalIdentifiers: cusip === undefined ? isins : [...isins, cusip] };
}

function takenCode({ field, code, first }: { field: CodeField; code: string; first: Id }): Refusal {
  const name = isIsin(code) ? 'ISIN' : 'CUSIP';
  const detail = `Instrument ${first} of the same catalogue has the ${name} ${code} already. Use that instrument, or correct the code.`;
  return new Refusal('instrument-exists', detail, { faults: [{ code: 'instrument-exists', detail, field }] });
}
