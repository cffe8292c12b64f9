// Serves liveness, readiness, the release and metrics, which need no token.

import type { ReadyState } from '../../../actions/core/readiness.ts';
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
  checkReady(): Promise<ReadyState>;
  /** The servers that are away of several that workspaces are spread over. */
  listAway(): Promise<readonly string[]>;
}

const readySchema = {
  ...statusSchema,
  properties: {
    ...statusSchema.properties,
    away: {
      type: 'array',
      items: { type: 'string' },
      description:
        'The database servers that do not answer, where workspaces are spread over several: requests of their workspaces get 503, all others are served.',
    },
  },
};

const operationBase = { host: 'any', method: 'GET', group: 'operations' } as const;

const releaseSchema = { type: 'object', required: ['release'], properties: { release: { type: 'string' } } };
const versionBase = { id: 'desk.version', path: '/version' } as const;

const notReady =
  'Requests cannot be served, or not all of them. `status` says why: `database-away`, `database-read-only`, `database-full`, `starting` or `stopping`.';

export function healthOperations({ metrics, version, checkReady, listAway }: HealthParts): readonly OpenOperation[] {
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
      summary: 'Check that requests can be served',
      description:
        'For a load balancer: sends requests elsewhere while the database is away or this node starts or stops. After a start it waits until the threads for reports are ready, so that the first reports are not slow.',
      responses: {
        200: { description: 'Requests can be served.', schema: readySchema },
        503: { description: notReady, schema: statusSchema },
      },
      handle: async () => {
        const status = await checkReady();
        if (status !== 'ready') return jsonResponse(503, { status }, { 'retry-after': '2' });
        const away = await listAway();
        return jsonResponse(200, { status, ...(away.length === 0 ? {} : { away }) });
      },
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
