// Seeds the events benchmark: events of a usual size, the same bodies without the service, and webhooks created over v1.

import type { WebhookScheme } from '../../src/model/event/webhook.ts';

/** How long a distant receiver takes to answer. */
export const distantMs = 50;

export function benchClientId(number: number): string {
  return number.toString(16).padStart(24, '0');
}

/** Unix time in milliseconds with fractions, comparable between processes. */
export function preciseNow(): number {
  return performance.timeOrigin + performance.now();
}

/** An event object like the one at the end of a round, with its number. */
export function entityValuedObject(client: string, number: number): Record<string, unknown> {
  return {
    reporting_entity_id: client,
    client_id: client,
    calculation_round_id: client,
    date: '2026-11-15',
    currency: 'CHF',
    market_value: '1234567.89',
    holding_count: 250,
    number,
  };
}

/** The body that a receiver gets for such an event. */
export function webhookBody(scheme: WebhookScheme, number: number): string {
  const client = benchClientId(number % 1_000);
  const data = { object: entityValuedObject(client, number), previous: {} };
  const [type, at] = ['reporting_entity.valued', '2026-11-15T12:00:00.000Z'];
  const standard = { type, timestamp: at, data: { client_id: client, ...data } };
  const hmac = { id: client, type, created_at: at, workspace_id: client, client_id: client, data };
  return JSON.stringify(scheme === 'standard' ? standard : hmac);
}

/** A client of v1. */
export class BenchApi {
  readonly #address: string;
  readonly #token: string;

  constructor(address: string, token: string) {
    this.#address = address;
    this.#token = token;
  }

  static async connect(address: string, credentials: { client_id: string; client_secret: string }): Promise<BenchApi> {
    const { access_token: token } = await new BenchApi(address, '').send('POST', '/oauth/token', {
      grant_type: 'client_credentials',
      ...credentials,
    });
    return new BenchApi(address, token);
  }

  async send(method: string, path: string, body?: object): Promise<any> {
    const answer = await fetch(this.#address + path, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.#token}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.status === 204 ? undefined : answer.json();
  }

  async registerWebhooks(scheme: WebhookScheme, urls: readonly string[]): Promise<string[]> {
    const made: string[] = [];
    for (const url of urls) {
      made.push((await this.send('POST', '/v1/webhooks', { url, scheme, events: ['reporting_entity.valued'] })).id);
    }
    return made;
  }

  async deleteWebhooks(webhooks: readonly string[]): Promise<void> {
    for (const id of webhooks) await this.send('DELETE', `/v1/webhooks/${id}`);
  }
}
