// Helm renders what the chart says: a run of its own, since not every machine has Helm. The pods start the node that the image holds, under the restrictions
// that the image is checked under.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { imageUser } from '../../deploy/image/sandbox.ts';
import { readConfig } from '../../src/app/config.ts';
import { imageSettings } from '../setup/operations/image-settings.ts';
import { chartComplaints, renderChart, type Manifest } from '../setup/operations/helm.ts';

const secretFolder = '/run/secrets/holdfast';
const secrets = {
  database_url: 'postgresql://holdfast:hush@db.internal:5432/holdfast',
  encryption_key: '6b1f9a03d4e85c72a90b3e6df25c84170ce4b79a1d683f5298f0d1237ac6be45',
};

interface Container {
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext: object;
  readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly startupProbe: Probe;
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
}

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Pod {
  readonly automountServiceAccountToken: boolean;
  readonly enableServiceLinks: boolean;
  readonly securityContext: object;
  readonly terminationGracePeriodSeconds: number;
  readonly containers: readonly [Container];
  readonly volumes: readonly {
    readonly name: string;
    readonly emptyDir?: { readonly sizeLimit: string };
    readonly projected?: {
      readonly sources: readonly { readonly secret: { readonly name: string; readonly items: readonly object[] } }[];
    };
  }[];
}

interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: Pod;
}

/** The specification of the only manifest of a kind, or of the one with this name. */
function specOf<T>(manifests: readonly Manifest[], kind: string, name?: string): T {
  const found = manifests.filter((one) => one.kind === kind && (name === undefined || one.metadata.name === name));
  expect(found.map((one) => one.metadata.name)).toHaveLength(1);
  return found[0]!.spec as T;
}

function podOf(manifests: readonly Manifest[], kind: string, name?: string): Pod {
  return specOf<{ template: PodTemplate }>(manifests, kind, name).template.spec;
}

function labelsOfPods(manifests: readonly Manifest[], kind: string, name?: string): Readonly<Record<string, string>> {
  return specOf<{ template: PodTemplate }>(manifests, kind, name).template.metadata.labels;
}

function selects(selector: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(selector).every(([name, value]) => labels[name] === value);
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-chart-'));
  for (const [name, value] of Object.entries(secrets)) await writeFile(join(folder, name), `${value}\n`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Everything that can be switched on. */
const everything = {
  roles: 'apart',
  api: { autoscaling: { enabled: true } },
  gateway: { enabled: true, parentRefs: [{ name: 'public' }] },
  monitoring: { rules: { infrastructure: true }, dashboard: { enabled: true } },
  imagePullSecrets: [{ name: 'pull' }],
  migration: { databaseUrl: { secret: 'direct', key: 'uri' } },
};

test.for([
  ['the example', {}],
  ['everything', everything],
] as const)('lint finds nothing in %s', ([, values]) => {
  expect(chartComplaints(values)).toBe('');
});

test.for([
  ['a misspelt setting', { settings: { TRUSTED_PROXY: '10.0.0.1' } }],
  ['a misspelt value', { worker: { replcas: 2 } }],
  ['a digest that is cut off', { image: { digest: 'sha256:0123' } }],
  ['an address without TLS', { settings: { BASE_URL: 'http://wealth.example.com' } }],
  ['no encryption key', { secrets: { ENCRYPTION_KEY: null } }],
  ['a secret as a value', { secrets: { SMTP_URL: 'smtp://user:password@mail.example.com' } }],
] as const)('%s is refused', ([, values]) => {
  expect(() => renderChart(values)).toThrow("values don't meet the specifications of the schema");
});

test('the settings of a pod start a production node that other pods reach, with metrics on a port of their own', async () => {
  const [container] = podOf(renderChart({}), 'Deployment').containers;
  const env = container.env.map(({ name, value }) => [name, value.replace(secretFolder, folder)]);
  const image = await imageSettings();
  expect(readConfig({ ...image, ...Object.fromEntries(env) })).toMatchObject({
    isProduction: true,
    role: 'all',
    host: '0.0.0.0',
    port: container.ports.find(({ name }) => name === 'http')?.containerPort,
    metrics: { host: '0.0.0.0', port: container.ports.find(({ name }) => name === 'metrics')?.containerPort },
    baseUrl: 'https://wealth.example.com',
    dataDir: '/data',
    databaseUrl: secrets.database_url,
    encryptionKey: secrets.encryption_key,
  });
  expect([container.command, container.args]).toEqual([undefined, undefined]);
  expect(await readFile('deploy/Containerfile', 'utf8')).toContain(`EXPOSE ${image['PORT']}\n`);
});

test('switches and large numbers of values reach the service as it reads them', () => {
  const settings = { REQUEST_LOG: false, MCP_WRITES: true, IMPORT_ROWS_MAX: 20_000_000, TRUSTED_PROXIES: null };
  const [container] = podOf(renderChart({ settings }), 'Deployment').containers;
  const env = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
  expect(env).toMatchObject({ REQUEST_LOG: 'off', MCP_WRITES: 'on', IMPORT_ROWS_MAX: '20000000' });
  expect(Object.keys(env)).not.toContain('TRUSTED_PROXIES');
});

test('pods have the user and the restrictions that the image is checked under, and no token of the cluster', async () => {
  const containerfile = await readFile('deploy/Containerfile', 'utf8');
  expect(containerfile).toContain(`USER ${imageUser}:${imageUser}\n`);
  for (const kind of ['Deployment', 'Job']) {
    const pod = podOf(renderChart({}), kind);
    expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: imageUser,
      runAsGroup: imageUser,
      fsGroup: imageUser,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(pod.containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    const mounts = pod.containers[0].volumeMounts.map(({ mountPath }) => mountPath);
    expect(mounts).toEqual([secretFolder, '/data', '/tmp']);
  }
});

test('the folder for bodies that wait has room for as many as a node takes', async () => {
  const { spoolBytesMax } = readConfig({});
  const temporary = podOf(renderChart({}), 'Deployment').volumes.find(({ name }) => name === 'temporary');
  const [, gibibytes] = /^(\d+)Gi$/.exec(temporary?.emptyDir?.sizeLimit ?? '') ?? [];
  expect(Number(gibibytes) * 1024 ** 3).toBeGreaterThan(spoolBytesMax);
});

test('a node is asked at paths that need no token, and is given longer to stop than it takes at most', async () => {
  const health = await readFile('src/surfaces/http/pipeline/health.ts', 'utf8');
  const stopping = await readFile('src/app/start/stop-on-signal.ts', 'utf8');
  const stopMsMax = Number(/stopMsMax = ([\d_]+)/.exec(stopping)?.[1]?.replace('_', ''));
  for (const drainSeconds of [0, 30]) {
    const pod = podOf(renderChart({ drainSeconds }), 'Deployment');
    const [{ startupProbe, livenessProbe, readinessProbe, lifecycle }] = pod.containers;
    for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
      expect(health).toContain(`path: '${httpGet.path}'`);
      expect(httpGet.port).toBe('http');
    }
    expect(livenessProbe.httpGet.path).toBe('/healthz');
    expect(lifecycle?.preStop.sleep.seconds ?? 0).toBe(drainSeconds);
    expect((pod.terminationGracePeriodSeconds - drainSeconds) * 1_000).toBeGreaterThan(stopMsMax);
  }
});

test('a new node is there before an old one goes, and the migration runs before any does', () => {
  const manifests = renderChart(everything);
  for (const role of ['api', 'worker'])
    expect(specOf(manifests, 'Deployment', `office-holdfast-${role}`)).toMatchObject({
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    });
  const job = manifests.find(({ kind }) => kind === 'Job')!;
  expect(job.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-upgrade' });
  const pod = podOf(manifests, 'Job');
  expect(pod.containers[0].command).toEqual(['/usr/local/bin/node', 'src/admin.js', 'migrate']);
  const sources = pod.volumes.find(({ name }) => name === 'secrets')?.projected?.sources;
  expect(sources?.map(({ secret }) => secret)).toEqual([
    { name: 'direct', items: [{ key: 'uri', path: 'database_url' }] },
    { name: 'holdfast', items: [{ key: 'encryption_key', path: 'encryption_key' }] },
  ]);
});

test('requests reach the nodes that serve them, never a worker or a migration', () => {
  const manifests = renderChart(everything);
  const { selector } = specOf<{ selector: Record<string, string> }>(manifests, 'Service', 'office-holdfast');
  expect(selects(selector, labelsOfPods(manifests, 'Deployment', 'office-holdfast-api'))).toBe(true);
  expect(selects(selector, labelsOfPods(manifests, 'Deployment', 'office-holdfast-worker'))).toBe(false);
  expect(selects(selector, labelsOfPods(manifests, 'Job'))).toBe(false);
  type Policy = { podSelector: { matchLabels: Record<string, string> } };
  const callers = specOf<Policy>(manifests, 'NetworkPolicy', 'office-holdfast-callers').podSelector.matchLabels;
  expect(selects(callers, labelsOfPods(manifests, 'Deployment', 'office-holdfast-api'))).toBe(true);
  expect(selects(callers, labelsOfPods(manifests, 'Deployment', 'office-holdfast-worker'))).toBe(false);
  const all = specOf<Policy>(manifests, 'NetworkPolicy', 'office-holdfast').podSelector.matchLabels;
  for (const [kind, name] of [
    ['Deployment', 'office-holdfast-worker'],
    ['Job', undefined],
  ] as const)
    expect(selects(all, labelsOfPods(manifests, kind, name))).toBe(true);
});

test('hosts are those of the addresses that clients call', () => {
  const settings = { LEGACY_URL: 'https://api.example.com', AUTH_URL: 'https://wealth.example.com' };
  const manifests = renderChart({ ...everything, settings });
  const hosts = ['wealth.example.com', 'api.example.com'];
  const { rules, tls } = specOf<{ rules: { host: string }[]; tls: object[] }>(manifests, 'Ingress');
  expect(rules.map(({ host }) => host)).toEqual(hosts);
  expect(tls).toEqual([{ secretName: 'wealth-example-com', hosts }]);
  expect(specOf(manifests, 'HTTPRoute')).toMatchObject({ hostnames: hosts });
});

test('Prometheus finds every node as the job that the alerts ask for, and has the rules of the files', async () => {
  const manifests = renderChart(everything);
  const rules = async (file: string): Promise<unknown> => parse(await readFile(`deploy/prometheus/${file}`, 'utf8'));
  expect(specOf(manifests, 'PrometheusRule', 'office-holdfast')).toEqual(await rules('alerts.yml'));
  expect(specOf(manifests, 'PrometheusRule', 'office-holdfast-infrastructure')).toEqual(
    await rules('infrastructure-alerts.yml'),
  );
  type Monitor = {
    selector: { matchLabels: Record<string, string> };
    endpoints: { relabelings: { targetLabel: string; replacement: string }[] }[];
  };
  const monitor = specOf<Monitor>(manifests, 'ServiceMonitor');
  const services = manifests.filter(({ kind }) => kind === 'Service');
  const found = services.filter(({ metadata }) => selects(monitor.selector.matchLabels, metadata.labels));
  expect(found.map(({ metadata }) => metadata.name)).toEqual(['office-holdfast-metrics']);
  const { selector } = specOf<{ selector: Record<string, string> }>(manifests, 'Service', 'office-holdfast-metrics');
  for (const role of ['api', 'worker'])
    expect(selects(selector, labelsOfPods(manifests, 'Deployment', `office-holdfast-${role}`))).toBe(true);
  const jobs = monitor.endpoints.flatMap(({ relabelings }) => relabelings);
  expect(jobs).toEqual([{ targetLabel: 'job', replacement: 'holdfast' }]);
  expect(await readFile('deploy/prometheus/alerts.yml', 'utf8')).toContain('up{job="holdfast"}');
});
