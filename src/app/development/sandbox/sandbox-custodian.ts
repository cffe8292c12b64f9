// The process of the sandbox custodian: two invented banks for development. Ends when its parent ends; also runs on its own.

import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { systemClock } from '../../../kit/clock.ts';
import { listenOnFreePort } from '../first-free-port.ts';
import type { MessageFromSandbox } from './sandbox-process.ts';
import { SandboxCustodian } from './sandbox-server.ts';
import type { TokenState } from './sandbox-tokens.ts';

/** A missing or damaged file means a new key, and that everybody has to consent again. */
function loadTokenState(file: string | undefined): TokenState {
  try {
    const { key, revoked } = JSON.parse(readFileSync(file ?? '', 'utf8'));
    if (/^[\da-f]{64}$/.test(key) && Array.isArray(revoked)) return { key, revoked };
  } catch {
    // A new key follows.
  }
  const state = { key: randomBytes(32).toString('hex'), revoked: [] };
  saveTokenState(file, state);
  return state;
}

/** Without a file everything works until the next start. */
function saveTokenState(file: string | undefined, state: TokenState): void {
  if (file === undefined) return;
  try {
    writeFileSync(file, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  } catch {
    // Nothing depends on it now.
  }
}

function report(message: MessageFromSandbox): void {
  if (process.send !== undefined) process.send(message);
  else process.stdout.write(`${message.kind === 'listening' ? message.origin : message.reason}\n`);
}

async function main(): Promise<void> {
  if (process.env['NODE_ENV'] === 'production')
    throw new Error('The sandbox custodian gives anyone access to invented accounts: use it for development only.');
  process.on('disconnect', () => process.exit(0));
  const ports = (process.env['SANDBOX_PORTS'] ?? '0').split(',').map(Number);
  const file = process.env['SANDBOX_STATE'];
  const sandbox = new SandboxCustodian({
    clock: systemClock,
    tokenState: loadTokenState(file),
    saveTokenState: (state) => saveTokenState(file, state),
  });
  report({ kind: 'listening', origin: `http://127.0.0.1:${await listenOnFreePort(sandbox.server, ports)}` });
}

main().catch((error: Error) => {
  report({ kind: 'failed', reason: error.message });
  process.exitCode = 1;
  process.disconnect?.();
});
