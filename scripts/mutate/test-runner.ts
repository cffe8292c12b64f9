// Has a program run test files, and ends it when they take too long.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** How a list of test files ended. */
export interface TestsEnded {
  /** Files with the name of a test, or files that failed as a whole. */
  readonly failures: readonly string[];
  readonly passed: readonly string[];
  /** What went wrong outside of any test. */
  readonly errors: readonly string[];
}

/** A small test that uses the database: it is set up before the first mutant, not by it. */
const warmUp = 'src/store/postgres/backup/copy-stream.test.ts';

export class TestRunner {
  readonly #root: string;
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess | undefined;

  /** Runs tests of `root`, a copy of the repository. */
  constructor(root: string, environment: NodeJS.ProcessEnv) {
    this.#root = root;
    this.#environment = environment;
  }

  /** Starts the program if it does not run. The sources must be without a mutant: the database is set up by them. */
  async start(): Promise<void> {
    if (this.#child !== undefined) return;
    const child = fork(join(this.#root, 'scripts/mutate/test-program.ts'), {
      cwd: this.#root,
      env: this.#environment,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      detached: true,
    });
    child.once('exit', () => void (this.#child = undefined));
    this.#child = child;
    await once(child, 'message');
    const ended = await this.run([warmUp], new AbortController().signal);
    if (ended?.passed[0] !== warmUp) throw new Error(`${warmUp} does not pass without a mutant.`);
  }

  /** Nothing if the signal was aborted first, or the program ended. Says when each of the files has ended. */
  async run(
    tests: readonly string[],
    signal: AbortSignal,
    onFileEnd = (): void => {},
  ): Promise<TestsEnded | undefined> {
    const child = this.#child;
    if (child === undefined) throw new Error('The tests have not been started.');
    const kill = (): void => void process.kill(-child.pid!, 'SIGKILL');
    const heard = new AbortController();
    signal.addEventListener('abort', kill, { signal: heard.signal });
    const { promise: message, resolve } = Promise.withResolvers<TestsEnded>();
    const hear = (said: TestsEnded | string): void => (typeof said === 'string' ? onFileEnd() : resolve(said));
    child.on('message', hear);
    const exit = once(child, 'exit', heard).then(() => undefined);
    child.send(tests);
    try {
      return await Promise.race([message, exit]);
    } finally {
      child.off('message', hear);
      const stopped = Promise.allSettled([exit]);
      heard.abort();
      await stopped;
    }
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
  }
}
