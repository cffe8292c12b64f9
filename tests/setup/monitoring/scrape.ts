// Asks a node for its metrics and reads them as Prometheus does: a value for each series, and what each metric is.

export class Scrape {
  readonly text: string;
  /** By name and labels, as they are written. */
  readonly values: ReadonlyMap<string, number>;
  readonly types: ReadonlyMap<string, string>;
  readonly helps: ReadonlyMap<string, string>;

  constructor(text: string) {
    this.text = text;
    const lines = text.split('\n').filter((line) => line !== '');
    const samples = lines.filter((line) => !line.startsWith('#'));
    this.values = new Map(
      samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
    );
    const comments = (kind: string): Map<string, string> =>
      new Map(
        lines
          .filter((line) => line.startsWith(`# ${kind} `))
          .map((line) => /^# \w+ (\S+) (.*)$/.exec(line)!.slice(1, 3)) as [string, string][],
      );
    this.types = comments('TYPE');
    this.helps = comments('HELP');
  }

  static async of(address: string): Promise<Scrape> {
    return new Scrape(await (await fetch(`${address}/metrics`)).text());
  }

  /** The sum of all series whose name and labels begin so. */
  sum(start: string): number {
    return [...this.values].filter(([series]) => series.startsWith(start)).reduce((sum, [, value]) => sum + value, 0);
  }

  /** The names that an expression can use, those of the parts of histograms included. */
  get seriesNames(): ReadonlySet<string> {
    return new Set([...this.values.keys()].map((series) => series.replace(/\{.*/s, '')));
  }
}
