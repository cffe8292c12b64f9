// One POST and its response, as the HTTP client reports them: keeps the status, `Retry-After` and the beginning of the body. Without a
// stream for the body, which would take longer than everything else.

import type { Dispatcher } from 'undici';

export interface ExchangeSummary {
  readonly status: number;
  readonly retryAfter: string | string[] | undefined;
  /** At most as many bytes as are kept, and whether there were more. */
  readonly start: Buffer;
  readonly isCut: boolean;
}

export class WebhookExchange implements Dispatcher.DispatchHandler {
  readonly #bytesMax: number;
  readonly #done = Promise.withResolvers<ExchangeSummary>();
  #controller: Dispatcher.DispatchController | undefined;
  #interruption: Error | undefined;
  #status = 0;
  #retryAfter: string | string[] | undefined;
  readonly #parts: Buffer[] = [];
  #length = 0;

  /** `bytesMax`: how much of the body is kept; the rest is not read. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Rejects with what `interrupt` was given, or with the failure. */
  get done(): Promise<ExchangeSummary> {
    return this.#done.promise;
  }

  /** Ends the exchange at once: the client itself reacts only once it is connected. */
  interrupt(reason: Error): void {
    this.#interruption ??= reason;
    this.#done.reject(this.#interruption);
    this.#controller?.abort(this.#interruption);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#interruption !== undefined) controller.abort(this.#interruption);
  }

  onResponseStart(_controller: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < 200) return;
    this.#status = status;
    this.#retryAfter = headers['retry-after'];
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // A copy, so that the rest of what was received need not be kept.
    const left = this.#bytesMax - this.#length;
    if (left > 0) this.#parts.push(Buffer.from(chunk.subarray(0, left)));
    this.#length += chunk.length;
    if (this.#length <= this.#bytesMax) return;
    this.#resolve();
    controller.abort(new Error('The rest of the response is not read.'));
  }

  onResponseEnd(): void {
    this.#resolve();
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#done.reject(error);
  }

  #resolve(): void {
    const start = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    this.#done.resolve({
      status: this.#status,
      retryAfter: this.#retryAfter,
      start,
      isCut: this.#length > this.#bytesMax,
    });
  }
}
