// Shared by the benchmarks: a load of GET requests over keep-alive connections, and a description of the machine.

import http from 'node:http';
import { arch, cpus, platform, totalmem } from 'node:os';

export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly requests: number;
  readonly connections: number;
}

/** Returns the duration in seconds. Throws if any status is not 200. */
export async function runLoad({ url, headers, requests, connections }: Load): Promise<number> {
  const agent = makeAgent(connections);
  const began = performance.now();
  let left = requests;
  const worker = async (): Promise<void> => {
    while (left-- > 0) await getOnce({ url, headers, agent });
  };
  await Promise.all(Array.from({ length: connections }, worker));
  agent.destroy();
  return (performance.now() - began) / 1_000;
}

export function makeAgent(connections: number): http.Agent {
  return new http.Agent({ keepAlive: true, maxSockets: connections });
}

export interface GetRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: http.Agent;
}

export function getOnce({ url, headers, agent }: GetRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.resume().once('end', resolve).once('error', reject);
    });
    request.once('error', reject);
  });
}

/** Describes the machine and versions that the figures come from, in one line. */
export function machine(): string {
  const memoryGib = Math.round(totalmem() / 2 ** 30);
  const processor = `${cpus().length} × ${cpus()[0]?.model.trim() || arch()}`;
  const today = new Date().toISOString().slice(0, 10);
  return `Machine: ${processor}, ${memoryGib} GiB, ${platform()} ${arch()}, Node ${process.versions.node}. ${today}.`;
}
