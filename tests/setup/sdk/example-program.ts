// Runs a program of examples/ as a process, as its README says.

import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { programEnvironment } from '../node/program-environment.ts';
import type { SharedService } from '../node/test-service.ts';

const folder = new URL('../../../examples/', import.meta.url);

export interface ExampleOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface ExampleOutcome {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function spawnExample(service: SharedService, path: string, { args = [], env = {} }: ExampleOptions): ChildProcess {
  return spawn(process.execPath, [fileURLToPath(new URL(path, folder)), ...args], {
    env: {
      ...programEnvironment,
      HOLDFAST_URL: service.admin.address,
      HOLDFAST_CLIENT_ID: service.first.clientId,
      HOLDFAST_CLIENT_SECRET: service.first.clientSecret,
      ...env,
    },
  });
}

/** Runs a program to its end. */
export function runExample(
  service: SharedService,
  path: string,
  options: ExampleOptions = {},
): Promise<ExampleOutcome> {
  return new Promise((resolve, reject) => {
    const child = spawnExample(service, path, options);
    let [out, err] = ['', ''];
    child.stdout?.on('data', (piece) => (out += piece));
    child.stderr?.on('data', (piece) => (err += piece));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

/** Starts a program that serves, and returns the address that it prints first. It ends with the test. */
export async function startExample(
  service: SharedService,
  path: string,
  options: ExampleOptions = {},
): Promise<string> {
  const child = spawnExample(service, path, options);
  const ended = new Promise<void>((resolve) => void child.on('close', () => resolve()));
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  let err = '';
  child.stderr?.on('data', (piece) => (err += piece));
  for await (const line of createInterface({ input: child.stdout! })) return /http:\S+/.exec(line)![0];
  throw new Error(`${path} ended at once: ${err}`);
}
