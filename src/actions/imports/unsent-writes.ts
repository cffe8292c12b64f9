// What a batch of an import writes, kept until the next batch has been looked up: the database then writes it while that one is decided.

export class UnsentWrites {
  readonly #sends: (() => void)[] = [];

  /** `send` must not wait: what fails is thrown by the next statement, or by the commit. */
  add(send: () => void): void {
    this.#sends.push(send);
  }

  send(): void {
    for (const send of this.#sends.splice(0)) send();
  }
}
