import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const script = `import { ignoreUnread } from ${JSON.stringify(new URL('unread-output.ts', import.meta.url).href)};
  ignoreUnread(process.stdout, process.stderr);
  process.stdin.once('data', async () => {
    for (let line = 0; line < 100; line++) {
      process.stdout.write('a line\\n');
      await new Promise((resolve) => setImmediate(resolve));
    }
    process.exit(7);
  });`;

test('a command whose reader has gone, as with head, goes on to its end and says nothing of it', async () => {
  const command = spawn(process.execPath, ['--input-type=module', '--eval', script]);
  command.stdout.destroy();
  await once(command.stdout, 'close');
  command.stdin.end('go');
  const [complaints, [code]] = await Promise.all([text(command.stderr), once(command, 'exit')]);
  expect([code, complaints]).toEqual([7, '']);
});
