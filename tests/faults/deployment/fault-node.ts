// One node of the service in a process of its own: started, killed, stopped, and with a clock that can be moved.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { DatabaseTimeouts } from '../../../src/app/open-context.ts';
import { programEnvironment } from '../../setup/node/program-environment.ts';
import { comesTrue } from '../waiting.ts';
import type { MessageFromNode, MessageToNode } from './node-messages.ts';

export interface NodeOptions {
  /** `main`: the program as an operator starts it; `clock`: the same parts with a clock and timeouts of our own. */
  readonly program: 'main' | 'clock';
  readonly settings: Readonly<Record<string, string>>;
  readonly timeouts?: Partial<DatabaseTimeouts>;
}

const startMsMax = 120_000;

/** The port stays the same when the node is started again. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export class FaultNode {
  readonly port: number;
  readonly #options: NodeOptions;
  #child: ChildProcess | undefined;
  #aheadMs = 0;
  /** What it wrote to its error output. */
  errors = '';

  constructor(port: number, options: NodeOptions) {
    this.port = port;
    this.#options = options;
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get processId(): number | undefined {
    return this.#child?.pid;
  }

  /** Begins to start; `untilReady` waits for it. */
  launch(): void {
    const { program, settings, timeouts = {} } = this.#options;
    const env = {
      ...programEnvironment,
      ...settings,
      PORT: String(this.port),
      NODE_PROGRAM: program,
      DATABASE_TIMEOUTS: JSON.stringify(timeouts),
      CLOCK_AHEAD_MS: String(this.#aheadMs),
    };
    const child = fork(new URL('node-program.ts', import.meta.url), {
      env,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child.stderr?.on('data', (data: Buffer) => (this.errors = (this.errors + data.toString()).slice(-10_000)));
    this.#child = child;
  }

  async untilReady(): Promise<void> {
    const child = this.#child;
    const isReady = async (): Promise<boolean> => (await fetch(`${this.address}/readyz`)).status === 200;
    const condition = async (): Promise<boolean> => child?.exitCode !== null || (await isReady());
    const isUp = await comesTrue(condition, { withinMs: startMsMax });
    if (!isUp || child?.exitCode !== null) throw new Error(`A node did not start: ${this.errors}`);
  }

  /** Kills it without notice. */
  kill(): Promise<unknown> {
    return this.#end('SIGKILL');
  }

  /** Asks it to stop and returns its exit code. */
  terminate(): Promise<unknown> {
    return this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<unknown> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode;
    const ended = once(child, 'exit');
    child.kill(signal);
    const [code] = await ended;
    return code;
  }

  async #ask(message: MessageToNode): Promise<MessageFromNode> {
    const child = this.#child;
    if (child === undefined) throw new Error('The node is not running.');
    const answered = once(child, 'message');
    child.send(message);
    return (await answered)[0] as MessageFromNode;
  }

  /** How far its clock is ahead of the machine's; kept when it is started again. */
  async setClockAhead(aheadMs: number): Promise<void> {
    this.#aheadMs = aheadMs;
    await this.#ask({ kind: 'move-clock', aheadMs });
  }

  /** Moves its clock, if it has one that can be moved. */
  async passTime(milliseconds: number): Promise<void> {
    if (this.#options.program === 'clock') await this.setClockAhead(this.#aheadMs + milliseconds);
  }

  async openWorkspace(): Promise<{ readonly clientId: string; readonly clientSecret: string }> {
    const answer = await this.#ask({ kind: 'open-workspace' });
    if (answer.kind !== 'workspace-opened') throw new Error('The node answered something else.');
    return answer;
  }
}
