// Refuses words that name no record, several records, or another record than the id beside them.

import type { Id } from '../../../kit/id.ts';
import { keysOf } from '../../../kit/keys.ts';
import { Refusal, refusalForFaults } from '../../../kit/refusal.ts';
import type { NamedAccount, NamedInstrument } from '../../../model/custody/statement.ts';
import type { Resolution } from './resolution.ts';

/** The words as they were sent, for sentences, and the member that they stand in. */
export interface SentName {
  readonly kind: 'account' | 'depository' | 'instrument';
  readonly member: string;
  readonly text: string;
}

/** In the order in which they count. */
const codeMembers = {
  isin: 'isin',
  cusip: 'cusip',
  sedol: 'sedol',
  ticker: 'ticker',
  custodianCode: 'custodian_code',
} as const satisfies Partial<Record<keyof NamedInstrument, string>>;

export function sentInstrument(named: NamedInstrument): SentName {
  for (const name of keysOf(codeMembers)) {
    const [word, member] = [named[name], codeMembers[name]];
    if (word === undefined) continue;
    const market = name === 'ticker' && named.mic !== undefined ? ` on ${named.mic}` : '';
    return { kind: 'instrument', member, text: `${member} ${word}${market}` };
  }
  return { kind: 'instrument', member: codeMembers.isin, text: 'an empty name' };
}

export function sentNumber(
  kind: 'account' | 'depository',
  { number, currency }: NamedAccount,
  member: string,
): SentName {
  return { kind, member, text: `number ${number}${currency === undefined ? '' : ` in ${currency}`}` };
}

/** The record that is meant, or why none is. An id that was sent too must be the same. */
export function idOrRefusal(resolution: Resolution, sent: SentName, sentId: Id | null | undefined): Id | Refusal {
  if (resolution.outcome === 'missing') return missingName(sent);
  if (resolution.outcome === 'found')
    return sentId == null || sentId === resolution.id ? resolution.id : otherRecord(sent, resolution.id);
  const { candidates } = resolution;
  if (sentId != null && candidates.includes(sentId)) return sentId;
  const listed = candidates.slice(0, 10).join(', ');
  const detail = `The ${sent.text} may mean any of these: ${listed}. Send ${sent.kind}_id, or create an identifier mapping.`;
  return new Refusal('ambiguous-name', detail, { faults: [{ code: 'ambiguous-name', detail, field: sent.member }] });
}

function missingName({ kind, member, text }: SentName): Refusal {
  const code = `${kind}-not-found`;
  const detail = `There is no ${kind} with the ${text}.`;
  return new Refusal(code, detail, { faults: [{ code, detail, field: member }] });
}

function otherRecord({ kind, member, text }: SentName, id: Id): Refusal {
  const detail = `The ${text} means the ${kind} ${id}, and ${kind}_id names another one. Send only one of them, or make them agree.`;
  return refusalForFaults('invalid-document', [{ code: 'invalid-attribute', detail, field: member }]);
}
