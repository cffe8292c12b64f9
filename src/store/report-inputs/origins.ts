// Where a single number was recorded: the booking with who made it and from which import, the point of a series, the exchange rate.

import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';

export interface RecordedOrigin {
  readonly recordedAt: number;
  readonly recordedBy: string | null;
  readonly source: string | null;
  readonly externalReference: string | null;
  readonly comment: string | null;
  readonly import: { readonly name: string | null; readonly origin: string; readonly bookedAt: number } | null;
}

interface OriginRow {
  readonly recorded_at: number;
  readonly recorded_by: string | null;
  readonly source: string | null;
  readonly external_reference: string | null;
  readonly comment: string | null;
  readonly import_origin: string | null;
  readonly file_name: string | null;
  readonly booked_at: number | null;
}

function tenant(alias: string): string {
  return `${alias}.workspace_id = $1 AND ${alias}.environment = $2`;
}

function knownAt(alias: string, moment: string): string {
  return `${alias}.known_from <= ${moment} AND (${alias}.known_until IS NULL OR ${alias}.known_until > ${moment})`;
}

const noBooking = `NULL::text AS recorded_by, NULL::text AS external_reference, NULL::text AS comment,
  NULL::text AS import_origin, NULL::text AS file_name, NULL::timestamptz AS booked_at`;

/** The line of the audit log has the moment of its booking. Bookings of many at once have one line, of their client. */
const findBooking = sql<OriginRow>(
  'origins/booking',
  `SELECT t.known_from AS recorded_at, t.source, t.external_reference, t.comment, w.name AS recorded_by,
     i.origin AS import_origin, i.file_name, i.booked_at
   FROM transaction t
   LEFT JOIN LATERAL (
     SELECT coalesce(c.name, m.first_name || ' ' || m.last_name, s.first_name || ' ' || s.last_name) AS name
     FROM audit_entry a
     LEFT JOIN credential c ON ${tenant('c')} AND c.id = a.credential_id
     LEFT JOIN membership m ON ${tenant('m')} AND m.client_id = t.client_id AND m.person_id::text = a.subject
     LEFT JOIN workspace_administrator s ON ${tenant('s')} AND s.person_id::text = a.subject
     WHERE ${tenant('a')} AND a.at = t.known_from
       AND (a.subject_type = 'transaction' AND a.subject_id = t.id OR a.subject_type = 'client' AND a.subject_id = t.client_id)
     ORDER BY a.id LIMIT 1) w ON true
   LEFT JOIN LATERAL (
     SELECT i.origin, i.file_name, i.booked_at FROM import i
     WHERE ${tenant('i')} AND i.client_id = t.client_id AND i.created_at <= t.known_from AND i.booked_at >= t.known_from
       AND EXISTS (SELECT FROM import_row r WHERE ${tenant('r')} AND r.import_id = i.id AND r.target_id = t.id)
     ORDER BY i.id DESC LIMIT 1) i ON true
   WHERE ${tenant('t')} AND (t.client_id = $3 OR t.client_id IS NULL) AND t.id = $4 AND ${knownAt('t', '$5')}`,
);

const findPoint = sql<OriginRow>(
  'origins/point',
  `SELECT p.known_from AS recorded_at, p.source, ${noBooking} FROM series_point p
   WHERE ${tenant('p')} AND p.instrument_id = $3 AND p.kind = $4 AND p.date = $5::date AND p.value = $6::numeric
     AND ${knownAt('p', '$7')}
   ORDER BY p.known_from, p.source LIMIT 1`,
);

const findRate = sql<OriginRow>(
  'origins/rate',
  `SELECT p.known_from AS recorded_at, p.source, ${noBooking} FROM fx_rate p
   WHERE ${tenant('p')} AND p.base = $3 AND p.quote = $4 AND p.date = $5::date AND p.rate = $6::numeric
     AND ${knownAt('p', '$7')}
   ORDER BY p.known_from, p.source LIMIT 1`,
);

interface PointKey {
  readonly instrument: string;
  readonly kind: string;
  readonly date: string;
  readonly value: string;
}

interface RateKey {
  readonly base: string;
  readonly quote: string;
  readonly date: string;
  readonly value: string;
}

export class Origins {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#run = run;
    this.#tenant = [workspaceId, environment];
  }

  async findBooking(
    { client, id }: { readonly client: string; readonly id: string },
    moment: number,
  ): Promise<RecordedOrigin | null> {
    const { rows } = await this.#run(findBooking, [...this.#tenant, client, id, new Date(moment)]);
    return toOrigin(rows[0]);
  }

  async findPoint({ instrument, kind, date, value }: PointKey, moment: number): Promise<RecordedOrigin | null> {
    const key = [instrument, kind, date, value];
    return toOrigin((await this.#run(findPoint, [...this.#tenant, ...key, new Date(moment)])).rows[0]);
  }

  async findRate({ base, quote, date, value }: RateKey, moment: number): Promise<RecordedOrigin | null> {
    const key = [base, quote, date, value];
    return toOrigin((await this.#run(findRate, [...this.#tenant, ...key, new Date(moment)])).rows[0]);
  }
}

function toOrigin(row: OriginRow | undefined): RecordedOrigin | null {
  if (row === undefined) return null;
  const { booked_at: bookedAt, import_origin: origin } = row;
  return {
    recordedAt: row.recorded_at,
    recordedBy: row.recorded_by,
    source: row.source,
    externalReference: row.external_reference,
    comment: row.comment,
    import: origin === null || bookedAt === null ? null : { name: row.file_name, origin, bookedAt },
  };
}
