// Serves liveness, readiness, the release and metrics, which need no token.

import type { ReadinessReport } from '../../../actions/core/readiness.ts';
import type { ModeNotice } from '../../../model/operations/service-mode.ts';
import type { ServerState } from '../../../store/server-state.ts';
import { isFromThisMachine } from '../negotiation/loopback.ts';
import { jsonResponse, type OpenOperation } from '../operation/open-operation.ts';
import type { RenderedResponse } from '../operation/rendered-response.ts';
import { pathNotFound } from './admission.ts';

const statusSchema = { type: 'object', required: ['status'], properties: { status: { type: 'string' } } };

/** The metrics of a moment, which many callers may share. */
export type WrittenMetrics = { readonly text: string } & Pick<RenderedResponse, 'compressed'>;

/** What is written at `/metrics`. */
export interface MetricsText {
  readonly contentType: string;
  read(): Promise<WrittenMetrics>;
}

/** What is running here. */
export interface RunningRelease {
  readonly version: string;
  readonly commit: string | undefined;
  readonly node: string;
  readonly migrationLevel: number;
}

export interface HealthParts {
  /** Undefined where metrics have an address of their own, or the service is called at an address that is not this machine's. */
  readonly metrics: MetricsText | undefined;
  readonly version: string;
  checkReady(): Promise<ReadinessReport>;
  /** The servers that workspaces are spread over; none where there is only one. */
  listServers(): Promise<readonly ServerState[]>;
}

const awaySchema = {
  type: 'array',
  items: { type: 'string' },
  description:
    'The database servers that do not answer, where workspaces are spread over several: requests of their workspaces get 503, all others are served.',
} as const;

const noticeProperties = {
  message: { type: 'string', description: 'What the operator says about the mode that they have set.' },
  until: { type: 'string', format: 'date-time', description: 'When the operator expects the mode to end.' },
} as const;

const readySchema = {
  ...statusSchema,
  properties: {
    ...statusSchema.properties,
    writes: {
      type: 'string',
      description:
        'Why nothing can be changed at present: `database-read-only`, `database-full`, or the mode that the operator has set, `read-only`. Absent while changes are accepted.',
    },
    ...noticeProperties,
    away: awaySchema,
  },
};

const writableSchema = {
  ...statusSchema,
  properties: {
    ...statusSchema.properties,
    ...noticeProperties,
    away: awaySchema,
    unwritable: {
      type: 'array',
      items: { type: 'string' },
      description:
        'The database servers that answer and accept no changes, where workspaces are spread over several: changes of their workspaces get 503.',
    },
  },
};

const operationBase = { host: 'any', method: 'GET', group: 'operations', isAlwaysAnswered: true } as const;

const releaseSchema = { type: 'object', required: ['release'], properties: { release: { type: 'string' } } };
const versionBase = { id: 'desk.version', path: '/version' } as const;

const notReady =
  'Nothing can be read. `status` says why: `database-away`, `maintenance`, `starting` or `stopping`. Browsers are shown a page that says so under `maintenance`.';
const notWritable =
  'Nothing can be changed. `status` says why: `database-read-only`, `database-full`, the mode that the operator has set (`read-only` or `maintenance`), `database-away`, `starting` or `stopping`.';

/** What the operator says about the mode, where they have set one. */
function noticeBody({ mode, message, until }: ModeNotice): object {
  if (mode === 'normal') return {};
  return {
    ...(message === null ? {} : { message }),
    ...(until === null ? {} : { until: new Date(until).toISOString() }),
  };
}

const retryLater = { 'retry-after': '2' };

function namesWhere(servers: readonly ServerState[], isMeant: (server: ServerState) => boolean): readonly string[] {
  return servers.filter(isMeant).map(({ name }) => name);
}

function listed(name: string, servers: readonly string[]): object {
  return servers.length === 0 ? {} : { [name]: servers };
}

async function showReadiness({ checkReady, listServers }: HealthParts): Promise<RenderedResponse> {
  const { status, writes, notice } = await checkReady();
  if (status !== 'ready') return jsonResponse(503, { status, ...noticeBody(notice) }, retryLater);
  const away = namesWhere(await listServers(), ({ isAway }) => isAway);
  const refused = writes === 'ready' ? {} : { writes, ...noticeBody(notice) };
  return jsonResponse(200, { status, ...refused, ...listed('away', away) });
}

async function showWriteReadiness({ checkReady, listServers }: HealthParts): Promise<RenderedResponse> {
  const { status: reads, writes, notice } = await checkReady();
  const status = reads === 'ready' ? writes : reads;
  if (status !== 'ready') return jsonResponse(503, { status, ...noticeBody(notice) }, retryLater);
  const servers = await listServers();
  const away = namesWhere(servers, ({ isAway }) => isAway);
  const unwritable = namesWhere(servers, (server) => !server.isAway && server.unwritable !== undefined);
  return jsonResponse(200, { status, ...listed('away', away), ...listed('unwritable', unwritable) });
}

export function healthOperations(parts: HealthParts): readonly OpenOperation[] {
  const { metrics, version } = parts;
  return [
    {
      ...operationBase,
      id: 'desk.health',
      path: '/healthz',
      summary: 'Check that the process is alive',
      description:
        'For whatever restarts processes. It looks at nothing else, so a database that is away does not make it fail: use `/readyz` to decide where requests go.',
      responses: { 200: { description: 'The process is alive.', schema: statusSchema } },
      handle: async () => jsonResponse(200, { status: 'alive' }),
    },
    {
      ...operationBase,
      id: 'desk.readiness',
      path: '/readyz',
      summary: 'Check that reads can be served',
      description:
        'For a load balancer: send reads elsewhere while the database is away, this node starts or stops, or the operator has set the mode `maintenance`. A database that accepts no changes does not make it fail, since reads and tokens are answered: `/readyz/write` tells whether changes are. After a start it waits until the threads for reports are ready, so that the first reports are not slow.',
      responses: {
        200: { description: 'Reads can be served.', schema: readySchema },
        503: {
          description: notReady,
          schema: { ...statusSchema, properties: { ...statusSchema.properties, ...noticeProperties } },
        },
      },
      handle: () => showReadiness(parts),
    },
    {
      ...operationBase,
      id: 'desk.write-readiness',
      path: '/readyz/write',
      summary: 'Check that changes can be made',
      description:
        'For a load balancer that sends changes to other nodes than reads, and for whoever watches the service: fails while the database is read-only or full, and in the modes `read-only` and `maintenance`. Whether the database accepts changes is tried every few seconds, however often this is asked.',
      responses: {
        200: { description: 'Changes can be made.', schema: writableSchema },
        503: {
          description: notWritable,
          schema: { ...statusSchema, properties: { ...statusSchema.properties, ...noticeProperties } },
        },
      },
      handle: () => showWriteReadiness(parts),
    },
    {
      ...operationBase,
      ...versionBase,
      summary: 'The release that serves requests',
      description:
        'Names the release, so that an integrator can tell which changelog applies. The commit and the versions below it are told to operators only, at the address of the metrics.',
      responses: { 200: { description: 'The name of the release and nothing else.', schema: releaseSchema } },
      handle: async () => jsonResponse(200, { release: version }),
    },
    ...(metrics === undefined ? [] : [localMetricsOperation(metrics)]),
  ];
}

/** What the address of its own serves, which only operators reach. */
export function operatorOperations(metrics: MetricsText, release: RunningRelease): readonly OpenOperation[] {
  const { version, commit = null, node, migrationLevel } = release;
  const details = { release: version, commit, node, migration: migrationLevel };
  const version200 = {
    description: 'The release, its commit, its Node.js and its last migration.',
    schema: releaseSchema,
  };
  return [
    metricsOperation(metrics),
    {
      ...operationBase,
      ...versionBase,
      summary: 'What is running here',
      description: 'Names the release, its commit, its Node.js and the last migration that it expects of its database.',
      responses: { 200: version200 },
      handle: async () => jsonResponse(200, details),
    },
  ];
}

const metricsBase = {
  ...operationBase,
  id: 'desk.metrics',
  isCompressible: true,
  path: '/metrics',
  summary: 'Metrics for Prometheus',
  responses: { 200: { description: "Prometheus' text format.", mediaType: 'text/plain' } },
} as const;

async function showMetrics(metrics: MetricsText): Promise<RenderedResponse> {
  return { status: 200, headers: { 'content-type': metrics.contentType }, ...(await metrics.read()) };
}

function metricsOperation(metrics: MetricsText): OpenOperation {
  return {
    ...metricsBase,
    description: 'Requests, durations, queues and memory of this node, for dashboards and alarms.',
    handle: () => showMetrics(metrics),
  };
}

/** Beside the API, metrics are for whoever works on the machine itself: a stranger would learn the load and the versions. */
function localMetricsOperation(metrics: MetricsText): OpenOperation {
  return {
    ...metricsBase,
    description:
      'Requests, durations, queues and memory of this node, for dashboards and alarms. Only programs on the same machine that call the node directly get them here; everybody else gets 404. The operator can give metrics an address of their own.',
    async handle(parsed) {
      if (!isFromThisMachine(parsed)) throw pathNotFound();
      return showMetrics(metrics);
    },
  };
}
