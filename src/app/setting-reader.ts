// Reads and checks single settings, and collects the faults so that all are reported at once.

import { readFileSync, statSync } from 'node:fs';
import { isIP, isIPv4 } from 'node:net';

export class SettingFault extends Error {}

/** Settings whose value is never shown in an error, and that a file can hold: `DATABASE_URL_FILE` names the one with `DATABASE_URL`. */
const secrets: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'DATABASE_READ_URL',
  'ENCRYPTION_KEY',
  'ENCRYPTION_KEY_PREVIOUS',
  'ENCRYPTION_KEY_NEXT',
  'BOOTSTRAP_CLIENT_SECRET',
  'SMTP_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'SHIP_TO_HTTPS_HEADERS',
  'SHIP_TO_OTLP_HEADERS',
  'PROVIDER_A_CLIENT_SECRET',
  'PROVIDER_B_CLIENT_SECRET',
  'PROVIDER_C_CLIENT_SECRET',
]);

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** The longest secret that is read from a file. */
const secretBytesMax = 65_536;

export class SettingReader {
  readonly faults: string[] = [];
  /** The names of all settings that were asked for, set or not. */
  readonly names = new Set<string>();
  readonly #environment: Record<string, string | undefined>;

  constructor(environment: EnvironmentVariables) {
    this.#environment = { ...environment };
    for (const name of secrets) {
      const path = this.text(`${name}_FILE`);
      if (path !== undefined) this.#readSecret(name, path);
    }
    // At once: without the value, further faults would blame settings that are right.
    if (this.faults.length > 0) throw new SettingFault(this.faults.join('\n'));
  }

  #readSecret(name: string, path: string): void {
    if (this.text(name) !== undefined) {
      this.faults.push(`${name} and ${name}_FILE are both set. Set one of them.`);
      return;
    }
    const secret = readSecretFile(path);
    if ('value' in secret) this.#environment[name] = secret.value;
    else this.faults.push(`${name}_FILE is ${path}, ${secret.reason}.`);
  }

  /** Treats an empty setting as not set. */
  text(name: string): string | undefined {
    this.names.add(name);
    const value = this.#environment[name];
    return value === undefined || value === '' ? undefined : value;
  }

  fault(name: string, expected: string): void {
    const found = secrets.has(name) ? '' : `, but is ${JSON.stringify(this.text(name))}`;
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

  /** Reads a list of addresses and networks. */
  networks(name: string): readonly string[] {
    const expected = 'a comma-separated list of addresses or networks, such as 10.0.0.5 or 10.0.0.0/24';
    const listed = (value: string): string[] => value.split(',').map((item) => item.trim());
    const value = this.checked(name, expected, (text) => listed(text).every(isNetwork));
    return value === undefined ? [] : listed(value);
  }
}

/** A network of all addresses would trust whoever sends a request. */
function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  if (isIP(address) === 0) return false;
  return bits === undefined || (Number(bits) >= 1 && Number(bits) <= (isIPv4(address) ? 32 : 128));
}

/** The text of a file without the line break that editors add. */
function readSecretFile(path: string): { readonly value: string } | { readonly reason: string } {
  try {
    const file = statSync(path);
    if (!file.isFile()) return { reason: 'which is not a file' };
    if (file.size > secretBytesMax) return { reason: `which has more than ${secretBytesMax} bytes` };
    const value = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    return value === '' ? { reason: 'which is empty' } : { value };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    return { reason: `which cannot be read (${String(code)})` };
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
