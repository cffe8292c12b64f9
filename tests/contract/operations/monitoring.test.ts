// The names of metrics are what Prometheus expects; the dashboard, the alerts and docs/monitoring.md speak of metrics that exist, and every
// alert leads to a section that says what to do.

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Keyring } from '../../../src/signing/keyring.ts';
import { feedErrors } from '../../../src/model/custody/feed-run.ts';
import { metricsIn, namingFaults } from '../../setup/monitoring/metric-names.ts';
import { promtoolComplaints } from '../../setup/monitoring/promtool.ts';
import { Scrape } from '../../setup/monitoring/scrape.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runAdmin } from '../../setup/operations/run-admin.ts';

const key = Keyring.generate();
const service = serviceForThisFile({ settings: { WORK_THREADS: '1', ENCRYPTION_KEY: key } });
const root = new URL('../../../', import.meta.url);
const read = (path: string): Promise<string> => readFile(new URL(path, root), 'utf8');
let scrape: Scrape;
let known: ReadonlySet<string>;

beforeAll(async () => {
  await service.admin.get('/v1/me');
  scrape = await Scrape.of(service.admin.address);
  // Histograms and counters with labels have no series before something happened.
  const parts = [...scrape.types].flatMap(([name, type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((part) => name + part) : [name],
  );
  known = new Set([...scrape.seriesNames, ...parts, 'up']);
});

test('the names of all metrics follow the rules of Prometheus', () => {
  expect(namingFaults(scrape)).toEqual([]);
  expect(promtoolComplaints(['check', 'metrics'], scrape.text)).toBe('');
});

test('a name that breaks a rule is found', () => {
  const types = new Map([
    ['holdfast_things', 'counter'],
    ['holdfast_things_total', 'gauge'],
    ['holdfast_wait_milliseconds', 'gauge'],
  ]);
  const helps = new Map([...types.keys()].map((name) => [name, 'Help.']));
  expect(namingFaults({ types, helps } as unknown as Scrape)).toHaveLength(3);
});

interface Alert {
  readonly name: string;
  readonly text: string;
}

/** The rules as they are written, each with its name. */
function alertsIn(rules: string): Alert[] {
  return rules
    .split(/^\s*- alert: /m)
    .slice(1)
    .map((text) => ({ name: text.split('\n')[0]!, text }));
}

function expressionOf({ text }: Alert): string {
  return text.slice(text.indexOf('expr:'), text.indexOf('labels:'));
}

/** As GitHub makes an address of a heading. */
function anchorsIn(document: string): string[] {
  const headings = [...document.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe('alerts', () => {
  test('name metrics that exist', async () => {
    const alerts = alertsIn(await read('deploy/prometheus/alerts.yml'));
    expect(alerts.length).toBeGreaterThan(15);
    const unknown = alerts.flatMap((alert) => metricsIn(expressionOf(alert)).filter((name) => !known.has(name)));
    expect(unknown).toEqual([]);
    expect(alerts.filter((alert) => metricsIn(expressionOf(alert)).length === 0)).toEqual([]);
  });

  test('say what they mean, how urgent they are, and where it is written what to do', async () => {
    const anchors = anchorsIn(await read('docs/monitoring.md'));
    const files = ['deploy/prometheus/alerts.yml', 'deploy/prometheus/infrastructure-alerts.yml'];
    for (const { name, text } of (await Promise.all(files.map(read))).flatMap(alertsIn)) {
      const [, anchor = ''] = /runbook: docs\/monitoring\.md#(\S+)/.exec(text) ?? [];
      expect([name, anchors.includes(anchor)]).toEqual([name, true]);
      for (const part of ['summary: ', 'description: ', 'severity: ']) expect(text).toContain(part);
    }
  });

  test('are valid and fire when they should, where promtool is installed', () => {
    const at = (path: string): string => new URL(path, root).pathname;
    expect(promtoolComplaints(['check', 'rules', at('deploy/prometheus/alerts.yml')])).toBe('');
    expect(promtoolComplaints(['check', 'config', at('deploy/prometheus/prometheus.yml')])).toBe('');
    expect(promtoolComplaints(['test', 'rules', at('deploy/prometheus/alerts.test.yml')])).toBe('');
    expect(promtoolComplaints(['check', 'rules', at('deploy/prometheus/infrastructure-alerts.yml')])).toBe('');
    expect(promtoolComplaints(['test', 'rules', at('deploy/prometheus/infrastructure-alerts.test.yml')])).toBe('');
  });

  test('of backups and of the audit log name figures that the commands write', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-figures-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const settings = { DATABASE_URL: service.database.url, ENCRYPTION_KEY: key };
    const [backup, audit] = [join(folder, 'backup.prom'), join(folder, 'audit.prom')];
    const made = await runAdmin(['backup', '--to', join(folder, 'made.tar'), '--metrics-file', backup], settings);
    const verified = await runAdmin(['verify-audit', '--metrics-file', audit], settings);
    expect([made.code, made.stderr, verified.code, verified.stderr]).toEqual([0, '', 0, '']);
    const written = (await readFile(backup, 'utf8')) + (await readFile(audit, 'utf8'));
    const names = [...written.matchAll(/^(holdfast_\w+) \d+(?:\.\d+)?$/gm)].map(([, name]) => name);
    const alerts = alertsIn(await read('deploy/prometheus/infrastructure-alerts.yml'));
    const used = new Set(alerts.flatMap((alert) => metricsIn(expressionOf(alert))).filter((name) => name !== 'up'));
    expect([...used].filter((name) => name.startsWith('holdfast_') && !names.includes(name))).toEqual([]);
    expect(written).toContain('\nholdfast_audit_intact 1\n');
    const document = await read('docs/monitoring.md');
    expect(names.filter((name) => !document.includes(`\`${name}\``))).toEqual([]);
    expect(promtoolComplaints(['check', 'metrics'], written)).toBe('');
    expect((await readdir(folder)).toSorted()).toEqual(['audit.prom', 'backup.prom', 'made.tar']);
  });
});

test('the dashboard names metrics that exist, and shows every metric of the service', async () => {
  const { panels } = JSON.parse(await read('deploy/grafana/holdfast.json')) as {
    panels: { title: string; targets?: { expr: string }[] }[];
  };
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const named = new Set(expressions.flatMap(metricsIn));
  expect([...named].filter((name) => !known.has(name))).toEqual([]);
  const shown = [...named].map((name) => name.replace(/_(bucket|sum|count)$/, ''));
  const own = [...scrape.types.keys()].filter((name) => name.startsWith('holdfast_'));
  expect(own.filter((name) => !shown.includes(name))).toEqual([]);
});

test('docs/monitoring.md lists every metric of the service with its type and its help text', async () => {
  const document = await read('docs/monitoring.md');
  const listed = [...document.matchAll(/^\| `(holdfast_\w+)` \| (\w+) \|[^|]*\| (.+?) \|$/gm)];
  const rows = listed.map(([, name, type, help]) => [name, type, help]);
  const own = [...scrape.types].filter(([name]) => name.startsWith('holdfast_'));
  expect(rows.toSorted()).toEqual(own.map(([name, type]) => [name, type, scrape.helps.get(name)]).toSorted());
});

test('docs/monitoring.md lists the labels of every metric that has a series, and the bounds of every histogram', async () => {
  const document = await read('docs/monitoring.md');
  const labels = new Map<string, readonly string[]>();
  const bounds = new Map<string, Set<string>>();
  for (const series of scrape.values.keys()) {
    const [, full, inner = ''] = /^(\w+)(?:\{(.*)\})?$/s.exec(series)!;
    const own = [...inner.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name!, value!] as const);
    const name = full!.replace(/_(bucket|sum|count)$/, '');
    const metric = scrape.types.get(name) === 'histogram' ? name : full!;
    const names = own.map(([label]) => label).filter((label) => label !== 'le');
    labels.set(metric, names);
    for (const [label, value] of own)
      if (label === 'le') bounds.set(metric, (bounds.get(metric) ?? new Set()).add(value));
  }
  const rows = [...document.matchAll(/^\| `(holdfast_\w+)` \| \w+ \|([^|]*)\| .+? \|$/gm)];
  const withSeries = rows.filter(([, name]) => labels.has(name!));
  expect(withSeries.map(([, name, text]) => [name, [...text!.matchAll(/`(\w+)`/g)].map(([, label]) => label)])).toEqual(
    withSeries.map(([, name]) => [name, labels.get(name!)]),
  );
  const listed = [...document.matchAll(/^\| `(holdfast_\w+)` \| ([\d., ]+) \|$/gm)];
  expect(listed.map(([, name, text]) => [name, text!.split(', ')])).toEqual(
    [...bounds]
      .filter(([name]) => name.startsWith('holdfast_'))
      .map(([name, own]) => [name, [...own].filter((one) => one !== '+Inf')]),
  );
});

test.each([
  ['holdfast_delivery_attempts_total', 'outcome', ['delivered', 'retried', 'dead']],
  ['holdfast_rounds_total', 'outcome', ['finished', 'failed', 'handed-back']],
  ['holdfast_mails_total', 'outcome', ['sent', 'failed', 'put-off']],
  ['holdfast_feed_runs_total', 'outcome', ['finished', ...feedErrors]],
  ['holdfast_budget_refusals_total', 'reason', ['budget-exceeded', 'mail-limit', 'too-many-in-flight']],
  ['holdfast_queue_items', 'queue', ['audit-lines', 'deliveries', 'feeds', 'imports', 'mails', 'outbox', 'rounds']],
  ['holdfast_work_threads', 'thread', ['reports', 'rounds']],
])('%s has a series of each %s from the start, so that the first of them is a change', (metric, label, values) => {
  const found = [...scrape.values.keys()].flatMap((series) => {
    const [, name, value] = new RegExp(`^(\\w+)\\{.*?${label}="([^"]*)"`).exec(series) ?? [];
    return name === metric ? [value] : [];
  });
  expect(found.toSorted()).toEqual(values.toSorted());
});
