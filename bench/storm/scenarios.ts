// The storms of one workspace, and what its neighbour reads meanwhile.

/** Requests that are sent without a pause over a number of connections. */
export interface Storm {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Taken in turn. */
  readonly tokens: readonly string[];
  readonly body?: string;
  readonly connections: number;
  /** Whether requests that are sent together have the same `Idempotency-Key`, so that all but one wait for its answer. */
  readonly sharesKeys?: boolean;
}

export interface Scenario {
  readonly name: string;
  readonly storm: Storm;
  /** The path that the neighbour reads. */
  readonly small: string;
}

export interface StormFixture {
  /** Tokens of the same workspace in two environments. */
  readonly tokens: readonly [production: string, sandbox: string];
  /** A reporting entity with ten thousand transactions in five hundred instruments. */
  readonly entity: string;
  readonly neighbour: string;
  readonly neighbourClient: string;
  readonly neighbourEntity: string;
}

const axes = 'account,depository,portfolio,instrument,class,detailed-class,currency';
/** One megabyte. */
const emptyRowCount = 350_000;

export function scenariosOf({ tokens, entity, neighbourClient, neighbourEntity }: StormFixture): readonly Scenario[] {
  const [production] = tokens;
  const small = `/v1/clients/${neighbourClient}`;
  return [
    {
      name: `bulk bodies of ${emptyRowCount.toLocaleString('en')} empty rows, 4 at a time; one client read`,
      storm: {
        method: 'POST',
        path: '/v1/transactions/bulk',
        tokens: [production],
        body: `{"data":[${Array<string>(emptyRowCount).fill('{}').join(',')}]}`,
        connections: 4,
      },
      small,
    },
    {
      name: 'writes that wait for one idempotency key, 64 at a time, in two environments; one client read',
      storm: {
        method: 'POST',
        path: '/v1/clients',
        tokens,
        body: '{"name":"Storm"}',
        connections: 64,
        sharesKeys: true,
      },
      small,
    },
    {
      name: 'performance from 1900 to 2200 on all axes with all series, 6 at a time; small holdings',
      storm: {
        method: 'GET',
        path: `/v1/performance?reporting_entity_id=${entity}&start=1900-01-01&end=2200-12-31&by=${axes}`,
        tokens: [production],
        connections: 6,
      },
      small: `/v1/holdings?reporting_entity_id=${neighbourEntity}`,
    },
  ];
}
