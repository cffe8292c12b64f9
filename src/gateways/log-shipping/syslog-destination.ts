// Sends batches as syslog messages (RFC 5424) over TCP, framed by their lengths (RFC 6587, section 3.4.1), with TLS (RFC 5425) or without. Syslog has no
// acknowledgment. So each batch has a connection of its own, which is closed after it: only a receiver that has read everything sees its end and closes its
// side. What a receiver has read it may still lose; that no sender of syslog can know.

import { connect, isIP, type Socket } from 'node:net';
import { connect as connectWithTls } from 'node:tls';
import { secondMs } from '../../kit/clock.ts';
import type { LogDestination, ShippedLine, ShippedLog, ShippingOutcome } from '../../model/operations/shipped-log.ts';
import { makeLookup } from '../checked-lookup.ts';
import { toDeliveryFailure } from '../delivery-failure.ts';
import { abortable } from '../checked-agent.ts';

/** For a batch, from the resolution of the name to the end of the connection. */
const batchTimeoutMs = 30 * secondMs;

const severityInfo = 6;
/** RFC 5424, table 1: log audit, and the first for local use. */
const facilities: Readonly<Record<ShippedLog, number>> = { audit: 13, requests: 16 };

export interface SyslogOptions {
  readonly host: string;
  readonly port: number;
  readonly isEncrypted: boolean;
  /** Certificate authorities to trust instead of the default ones, as PEM. */
  readonly authorities: string | undefined;
  /** The name of this machine, as messages have it. */
  readonly hostname: string;
  /** Replaces the usual deadline of a batch. */
  readonly timeoutMs?: number;
}

/** RFC 5424, section 6.2.4: 1 to 255 printable characters. */
function headerWord(text: string): string {
  return text.replace(/[^!-~]/g, '-').slice(0, 255) || '-';
}

/** A message in its frame: the number of its bytes, a space, the message. */
export function syslogFrame({ log, at, text }: ShippedLine, hostname: string): string {
  const priority = facilities[log] * 8 + severityInfo;
  const header = `<${priority}>1 ${new Date(at).toISOString()} ${headerWord(hostname)} holdfast - ${log} -`;
  const message = `${header} ${text}`;
  return `${Buffer.byteLength(message)} ${message}`;
}

class Unanswered extends Error {}

export class SyslogDestination implements LogDestination {
  readonly name = 'syslog';
  readonly #options: SyslogOptions;
  readonly #sockets = new Set<Socket>();

  constructor(options: SyslogOptions) {
    this.#options = options;
  }

  async ship(lines: readonly ShippedLine[], signal: AbortSignal): Promise<ShippingOutcome> {
    if (signal.aborted) return { kind: 'stopped' };
    const { hostname, timeoutMs = batchTimeoutMs } = this.#options;
    const deadline = AbortSignal.timeout(timeoutMs);
    const socket = this.#open();
    this.#sockets.add(socket);
    try {
      const frames = lines.map((line) => syslogFrame(line, hostname)).join('');
      await abortable(AbortSignal.any([signal, deadline]), this.#send(socket, frames));
      return { kind: 'acknowledged', count: lines.length };
    } catch (error) {
      if (signal.aborted) return { kind: 'stopped' };
      return { kind: 'failed', detail: deadline.aborted ? tooLate(timeoutMs) : describe(error), retryAfterMs: null };
    } finally {
      this.#sockets.delete(socket);
      socket.destroy();
    }
  }

  #open(): Socket {
    const { host, port, isEncrypted, authorities } = this.#options;
    // The operator has chosen the address, which is usually a private one.
    const place = { host, port, lookup: makeLookup({ allowPrivate: true }) };
    if (!isEncrypted) return connect(place);
    return connectWithTls({
      ...place,
      // An address is no name that a server could be asked for; its certificate is still checked for it.
      ...(isIP(host) === 0 ? { servername: host } : {}),
      // Set explicitly, so that no setting of the process can turn it off.
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(authorities === undefined ? {} : { ca: authorities }),
    });
  }

  /** Resolves when the receiver has closed its side after ours. */
  async #send(socket: Socket, frames: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.on('error', reject);
    // Whatever it says is read, so that its end is seen.
    socket.resume();
    socket.once('end', () => {
      if (socket.writableFinished) resolve();
      else reject(new Unanswered('The receiver closed the connection before it had read everything.'));
    });
    socket.once('close', () => reject(new Unanswered('The connection to the receiver was lost.')));
    socket.once(this.#options.isEncrypted ? 'secureConnect' : 'connect', () => socket.end(frames));
    return promise;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
  }
}

const tooLate = (timeoutMs: number): string =>
  `The receiver had not read everything and closed the connection within ${timeoutMs / secondMs} seconds.`;

function describe(error: unknown): string {
  return error instanceof Unanswered ? error.message : toDeliveryFailure(error).detail;
}
