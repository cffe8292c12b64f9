// Gives up on something that does not come back in time. What was begun goes on by itself; nobody waits for it any more.

/** Rejects with the error that `makeError` makes if the promise is not settled within the time. */
export async function withDeadline<T>(promise: Promise<T>, ms: number, makeError: () => Error): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(makeError()), ms);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits until the promise is fulfilled or the time is over, whichever comes first. */
export async function waitAtMost(promise: Promise<unknown>, ms: number): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}
