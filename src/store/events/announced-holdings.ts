// What was last announced of holdings, by reporting entity and instrument, and the webhooks that changes of holdings are announced to.

import type { Id } from '../../kit/id.ts';
import type { EventType } from '../../model/event/event.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { arrayOfAnyLength, sql } from '../postgres/statement.ts';

const eventType = 'holding.valued' satisfies EventType;

export interface AnnouncedFigures {
  readonly quantity: string;
  readonly marketValue: string;
}

export interface AnnouncedHolding extends AnnouncedFigures {
  readonly reportingEntity: Id;
  readonly instrument: string;
  /** The object of the event, as JSON. */
  readonly object: string;
}

export interface HoldingSubscribers {
  /** The webhooks that receive changes of the client's holdings now. */
  readonly present: readonly Id[];
  /** Those that the last finished round of the client has announced them to. */
  readonly former: readonly Id[];
  /** The digest of the figures of that round. */
  readonly figuresDigest: string | null;
}

const findSubscribers = sql<HoldingSubscribers>(
  'announced-holdings/subscribers',
  `SELECT ARRAY(SELECT w.id FROM webhook w WHERE w.workspace_id = $1 AND w.environment = $2 AND w.state = 'enabled'
       AND $4 = ANY (w.events) AND (w.client_id IS NULL OR w.client_id = ANY (c.path)) ORDER BY w.id) AS present,
     coalesce(l.holding_subscribers, '{}') AS former, l.figures_digest AS "figuresDigest"
   FROM client c LEFT JOIN LATERAL (SELECT r.holding_subscribers, r.figures_digest FROM calculation_round r WHERE r.workspace_id = $1
     AND r.environment = $2 AND r.client_id = $3 AND r.state = 'finished' ORDER BY r.id DESC LIMIT 1) l ON true WHERE c.workspace_id = $1 AND c.environment = $2 AND c.id = $3`,
);

/** Whose holdings they are. */
export interface HoldingOwner {
  readonly client: Id;
  readonly reportingEntity: Id;
}

const ofEntity = 'workspace_id = $1 AND environment = $2 AND client_id = $3 AND reporting_entity_id = $4';
const pageSize = 5_000;

const listFigures = sql<AnnouncedFigures & { readonly instrument: string }>(
  'announced-holdings/figures',
  `SELECT instrument, quantity, market_value AS "marketValue" FROM announced_holding
   WHERE ${ofEntity} AND instrument > $5 ORDER BY instrument LIMIT ${pageSize}`,
);

const listObjects = sql<{ readonly instrument: string; readonly object: Record<string, unknown> }>(
  'announced-holdings/objects',
  `SELECT instrument, object FROM announced_holding WHERE ${ofEntity} AND instrument = ANY (${arrayOfAnyLength('$5')})`,
);

const put = sql(
  'announced-holdings/put',
  `INSERT INTO announced_holding
     (workspace_id, environment, client_id, reporting_entity_id, instrument, quantity, market_value, object)
   SELECT $1, $2, $3, s.* FROM unnest($4::text[], $5::text[], $6::numeric[], $7::numeric[], $8::json[]) s
   ON CONFLICT (workspace_id, environment, client_id, reporting_entity_id, instrument) DO UPDATE
     SET quantity = excluded.quantity, market_value = excluded.market_value, object = excluded.object`,
);

const drop = sql(
  'announced-holdings/drop',
  `DELETE FROM announced_holding a USING unnest($4::text[], $5::text[]) s (reporting_entity_id, instrument)
   WHERE a.workspace_id = $1 AND a.environment = $2 AND a.client_id = $3
     AND a.reporting_entity_id = s.reporting_entity_id AND a.instrument = s.instrument`,
);

const dropClient = sql(
  'announced-holdings/drop-client',
  'DELETE FROM announced_holding WHERE workspace_id = $1 AND environment = $2 AND client_id = $3',
);

export class AnnouncedHoldings {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#run = run;
    this.#tenant = [workspaceId, environment];
  }

  /** Needs a scope that sees the webhooks of the whole workspace. Nobody where the client is gone. */
  async findSubscribers(client: Id): Promise<HoldingSubscribers> {
    const [found] = (await this.#run(findSubscribers, [...this.#tenant, client, eventType])).rows;
    return found ?? { present: [], former: [], figuresDigest: null };
  }

  /** The figures of a reporting entity that were last announced, by instrument. */
  async listFigures({ client, reportingEntity }: HoldingOwner): Promise<ReadonlyMap<string, AnnouncedFigures>> {
    const figures = new Map<string, AnnouncedFigures>();
    for (let after = '', isFull = true; isFull;) {
      const { rows } = await this.#run(listFigures, [...this.#tenant, client, reportingEntity, after]);
      for (const { instrument, ...announced } of rows) figures.set(instrument, announced);
      after = rows.at(-1)?.instrument ?? after;
      isFull = rows.length === pageSize;
    }
    return figures;
  }

  /** The objects of the last events of these holdings, by instrument. */
  async listObjects(
    { client, reportingEntity }: HoldingOwner,
    instruments: readonly string[],
  ): Promise<ReadonlyMap<string, Record<string, unknown>>> {
    const { rows } = await this.#run(listObjects, [...this.#tenant, client, reportingEntity, instruments]);
    return new Map(rows.map(({ instrument, object }) => [instrument, object]));
  }

  async put(client: Id, announced: readonly AnnouncedHolding[]): Promise<void> {
    await this.#run(put, [
      ...this.#tenant,
      client,
      announced.map(({ reportingEntity }) => reportingEntity),
      announced.map(({ instrument }) => instrument),
      announced.map(({ quantity }) => quantity),
      announced.map(({ marketValue }) => marketValue),
      announced.map(({ object }) => object),
    ]);
  }

  async drop(client: Id, gone: readonly Pick<AnnouncedHolding, 'reportingEntity' | 'instrument'>[]): Promise<void> {
    const entities = gone.map(({ reportingEntity }) => reportingEntity);
    await this.#run(drop, [...this.#tenant, client, entities, gone.map(({ instrument }) => instrument)]);
  }

  async dropClient(client: Id): Promise<void> {
    await this.#run(dropClient, [...this.#tenant, client]);
  }
}
