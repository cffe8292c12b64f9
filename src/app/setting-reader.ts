// Reads and checks single settings, and collects the faults so that all are reported at once.

export class SettingFault extends Error {}

/** Settings whose value is never shown in an error. */
const secrets: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'ENCRYPTION_KEY',
  'BOOTSTRAP_CLIENT_SECRET',
  'SMTP_URL',
  'PROVIDER_A_CLIENT_SECRET',
  'PROVIDER_B_CLIENT_SECRET',
  'PROVIDER_C_CLIENT_SECRET',
]);

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

export class SettingReader {
  readonly faults: string[] = [];
  readonly #environment: EnvironmentVariables;

  constructor(environment: EnvironmentVariables) {
    this.#environment = environment;
  }

  /** Treats an empty setting as not set. */
  text(name: string): string | undefined {
    const value = this.#environment[name];
    return value === undefined || value === '' ? undefined : value;
  }

  fault(name: string, expected: string): void {
    const found = secrets.has(name) ? '' : `, but is ${JSON.stringify(this.text(name) ?? '')}`;
    this.faults.push(`${name} must be ${expected}${found}.`);
  }

  oneOf<const W extends string>(name: string, words: readonly W[], defaultValue: W): W {
    const value = this.text(name) ?? defaultValue;
    const word = words.find((one) => one === value);
    if (word !== undefined) return word;
    this.fault(name, `one of ${words.join(', ')}`);
    return defaultValue;
  }

  /** `counts` says of what. */
  integer(
    name: string,
    { min, max, defaultValue, counts }: { min: number; max: number; defaultValue: number; counts?: string },
  ): number {
    const value = this.text(name) ?? String(defaultValue);
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    this.fault(name, `a whole number from ${min} to ${max}${counts === undefined ? '' : ` (${counts})`}`);
    return defaultValue;
  }

  checked(name: string, expected: string, isValid: (value: string) => boolean): string | undefined {
    const value = this.text(name);
    if (value === undefined || isValid(value)) return value;
    this.fault(name, expected);
    return undefined;
  }

  /** Reads an address without a path. */
  origin(name: string): string | undefined {
    const expected = 'an http or https address without a path, such as https://api.example.com';
    const value = this.checked(name, expected, isOrigin);
    return value === undefined ? undefined : new URL(value).origin;
  }

  /** Reads a list of addresses without a path, in the form in which browsers send them. */
  origins(name: string): readonly string[] {
    const expected =
      'a comma-separated list of http or https addresses without a path, such as https://app.example.com';
    const listed = (value: string): string[] => value.split(',').map((item) => item.trim());
    const value = this.checked(name, expected, (text) => listed(text).every(isOrigin));
    return value === undefined ? [] : listed(value).map((item) => new URL(item).origin);
  }
}

function isOrigin(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return (
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '' &&
    url.username === ''
  );
}
