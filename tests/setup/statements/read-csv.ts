// Reads CSV texts by the profile that their header fits, or by one that a test gives.

import { profileDefaults, type ImportProfile } from '../../../src/model/custody/import-profile.ts';
import { shippedProfiles } from '../../../src/model/custody/shipped-profiles/shipped.ts';
import type { StatementItem } from '../../../src/model/custody/statement.ts';
import { computeAtOnce, type Pieces } from '../../../src/kit/turns/pieces.ts';
import { csvFormat, recogniseCsv, type CsvRecognition } from '../../../src/statements/csv/csv-format.ts';
import { openStatementReader } from '../../../src/statements/recognise.ts';
import { parseCalendarDate } from '../../../src/kit/calendar-date.ts';
import type { StatementFormat } from '../../../src/statements/statement-format.ts';
import type { Id } from '../../../src/kit/id.ts';

export function testProfile(fields: Partial<ImportProfile> & Pick<ImportProfile, 'columns'>): ImportProfile {
  const id = '0'.repeat(24) as Id;
  return { ...profileDefaults, content: 'transactions', name: 'Test', id, isShipped: false, createdAt: 0, ...fields };
}

export const recognisingCsv = (text: string, own: readonly ImportProfile[] = []): Pieces<CsvRecognition | undefined> =>
  recogniseCsv(text, { own, shipped: shippedProfiles });

export function readCsv(text: string, profile?: ImportProfile): StatementItem[] {
  const format = profile ? csvFormat(profile) : computeAtOnce(recognisingCsv(text))?.format;
  if (format === undefined) throw new Error('the text is not CSV');
  const reader = openStatementReader(surveyed(format, text));
  return [...reader.push(text), ...reader.end()];
}

function surveyed(format: StatementFormat, text: string): StatementFormat {
  const survey = format.survey?.(parseCalendarDate('2026-12-31'));
  survey?.push(text);
  return survey?.finish() ?? format;
}

/** The name of the shipped profile that a text fits. */
export function profileNameOf(text: string, own: readonly ImportProfile[] = []): string | undefined {
  return computeAtOnce(recognisingCsv(text, own))?.profile?.name;
}
