// Waits for several tasks that run at the same time.

/** Like `Promise.all`, but of several that fail, the first in the list is reported, not the one that happened to fail first. */
export async function allInOrder<T extends readonly unknown[]>(
  tasks: T,
): Promise<{ -readonly [Index in keyof T]: Awaited<T[Index]> }> {
  await Promise.allSettled(tasks);
  const results: unknown[] = [];
  for (const task of tasks) results.push(await task);
  return results as { -readonly [Index in keyof T]: Awaited<T[Index]> };
}
