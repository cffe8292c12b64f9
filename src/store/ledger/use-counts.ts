// Counts how often something was used lately, also what is not cached any more: old uses count less and less, and are forgotten.

/** After so many uses for each counted thing, every count is halved. */
const usesPerHalving = 10;
const countedMin = 16;

export class UseCounts {
  readonly #counts = new Map<string, number>();
  #usesSinceHalving = 0;

  add(name: string): void {
    this.#counts.set(name, this.of(name) + 1);
    if (++this.#usesSinceHalving > usesPerHalving * Math.max(countedMin, this.#counts.size)) this.#halve();
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  #halve(): void {
    this.#usesSinceHalving = 0;
    for (const [name, count] of this.#counts) {
      if (count < 2) this.#counts.delete(name);
      else this.#counts.set(name, Math.floor(count / 2));
    }
  }
}
