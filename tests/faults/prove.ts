// `npm run prove`: does to the service what happens to services, and shows with figures that nothing it acknowledged is lost.

import { randomInt } from 'node:crypto';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { proveCitus } from './citus/prove-citus.ts';
import { scenarioText, soakText, writeProof } from './proof.ts';
import { abandonScenarios, runScenarios, soakOnce, type RunOptions } from './run-scenarios.ts';
import type { RemoteTarget, Scenario } from './scenario.ts';
import { allScenarios } from './scenarios/all-scenarios.ts';

const usage = `npm run prove -- [scenario…] [options]

  --short            every scenario, a few minutes (the default)
  --long             every scenario with many more rounds, about an hour; writes each into docs/proof.md as it ends
  --seed <number>    chooses the same faults as an earlier run, which printed it
  --json             prints the results as JSON on standard output
  --list             only lists the scenarios
  --url <address> --client-id <id> --client-secret <secret>
                     runs against your deployment what needs HTTP only; it creates clients and bookings there
                     (CLIENT_SECRET in the environment instead keeps it off the command line)
  --write            writes docs/proof.md, whatever the length
  --minutes <number> how long the load against your deployment runs, or the soak

npm run prove -- citus --url <postgresql://owner@coordinator/database> --superuser-url <postgresql://…> [--minutes <number>]
                     on an empty database that Citus spreads over workers: walls, a server that is away, moves, every command

npm run prove -- soak [--minutes 60] [--transactions 1000000] [--entities 500] [--rate 10]
                     a steady load of <rate> requests a second; writes docs/proof.md if it lasts an hour

`;

class UsageFault extends Error {}

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}

const options = {
  short: { type: 'boolean', default: false },
  long: { type: 'boolean', default: false },
  seed: { type: 'string' },
  json: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  url: { type: 'string' },
  'client-id': { type: 'string' },
  'client-secret': { type: 'string' },
  minutes: { type: 'string' },
  transactions: { type: 'string' },
  entities: { type: 'string' },
  rate: { type: 'string' },
  write: { type: 'boolean', default: false },
  'superuser-url': { type: 'string' },
} as const;

const { values, positionals } = readArguments();
const [loadBefore = 0] = loadavg();

function readTarget(): RemoteTarget | undefined {
  const { url, 'client-id': clientId, 'client-secret': clientSecret = process.env['CLIENT_SECRET'] } = values;
  if (url === undefined) return undefined;
  if (!URL.canParse(url)) throw new UsageFault('--url must be an address, such as https://wealth.example.com.');
  if (clientId === undefined || clientSecret === undefined)
    throw new UsageFault('--url needs --client-id and --client-secret.');
  return { address: new URL(url).origin, clientId, clientSecret };
}

function readNumber(name: 'seed' | 'minutes' | 'transactions' | 'entities' | 'rate'): number | undefined {
  const text = values[name];
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageFault(`--${name} must be a whole number.`);
  return Number(text);
}

function chooseScenarios(remote: RemoteTarget | undefined): readonly Scenario[] {
  const unknown = positionals.filter((name) => !allScenarios.some((one) => one.name === name));
  if (unknown.length > 0) throw new UsageFault(`There is no scenario ${unknown.join(', ')}.`);
  const named = allScenarios.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const possible = named.filter(({ needs }) => needs === 'http' || remote === undefined);
  if (possible.length === 0)
    throw new UsageFault('These scenarios need nodes that this program starts: leave out --url.');
  return possible;
}

/** With `--json`, standard output has the results only. */
function print(line: string): void {
  (values.json ? process.stderr : process.stdout).write(`${line}\n`);
}

function readOptions(): RunOptions {
  const seed = readNumber('seed') ?? randomInt(1, 1_000_000);
  const length = values.long ? 'long' : 'short';
  const remote = readTarget();
  const isPublished = (values.long || values.write) && remote === undefined;
  return {
    seed,
    length,
    remote,
    minutes: readNumber('minutes'),
    isPublished,
    print,
    async onResult(result) {
      if (isPublished) await writeProof(result.scenario.name, scenarioText(result, { seed, length, loadBefore }));
    },
  };
}

async function proveScenarios(): Promise<number> {
  const options = readOptions();
  const { seed, length, remote } = options;
  const scenarios = chooseScenarios(remote);
  print(`seed ${seed}`);
  const results = await runScenarios(scenarios, options);
  if (values.json) {
    const shown = results.map(({ scenario: { name }, ...rest }) => ({ name, ...rest }));
    process.stdout.write(`${JSON.stringify({ seed, length, results: shown }, null, 2)}\n`);
  }
  const broken = results.filter((one) => one.broken.length > 0);
  for (const { scenario, broken: what } of broken) print(`${scenario.name} did not hold: ${what.join('; ')}`);
  return broken.length === 0 ? 0 : 1;
}

async function proveSoak(): Promise<number> {
  const options = readOptions();
  const soak = {
    minutes: options.minutes ?? 60,
    transactions: readNumber('transactions') ?? 1_000_000,
    entities: readNumber('entities') ?? 500,
    rate: readNumber('rate') ?? 10,
  };
  print(`seed ${options.seed}`);
  const result = await soakOnce(options, soak);
  const unlevel = result.levels.filter(({ isLevel }) => !isLevel);
  for (const { figure, secondQuarter, lastQuarter } of unlevel)
    print(
      `${figure} is not level: ${secondQuarter.toFixed(0)} in the second quarter, ${lastQuarter.toFixed(0)} in the last`,
    );
  if (result.failures.length > 0) print(`${result.failures.length} requests failed: ${result.failures[0]}`);
  print(`${result.requests} requests, ${result.failures.length} failed, ${result.notSent} not sent`);
  if (values.json) process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  if (values.write || soak.minutes >= 60) await writeProof('soak', soakText(result, loadBefore));
  return unlevel.length === 0 && result.failures.length === 0 ? 0 : 1;
}

async function proveOnCitus(): Promise<number> {
  const { url, 'superuser-url': superuserUrl } = values;
  if (url === undefined || superuserUrl === undefined)
    throw new UsageFault('citus needs --url, as the owner of an empty database, and --superuser-url.');
  const phaseSeconds = Math.max(5, (readNumber('minutes') ?? 0) * 60);
  const broken = await proveCitus({ url, superuserUrl, phaseSeconds, print });
  print(broken.length === 0 ? 'held' : `${broken.length} things did not hold`);
  return broken.length === 0 ? 0 : 1;
}

function prove(): Promise<number> {
  if (positionals[0] === 'citus') return proveOnCitus();
  if (positionals[0] === 'soak') return proveSoak();
  if (!values.help && !values.list) return proveScenarios();
  process.stdout.write(usage + allScenarios.map(({ name, does }) => `  ${name.padEnd(18)} ${does}\n`).join(''));
  return Promise.resolve(0);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void abandonScenarios().finally(() => process.exit(1)));

try {
  process.exit(await prove());
} catch (error) {
  process.stderr.write(error instanceof UsageFault ? `${error.message}\n\n${usage}` : `${String(error)}\n`);
  process.exit(2);
}
