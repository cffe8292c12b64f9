// Counts the connections of callers. One address keeps a bounded number before one of its requests has a verified token or session, and a node
// a bounded number altogether. A new connection takes the place of the one that has been idle for the longest: only if every connection
// is answering a request is the new one refused. So nobody keeps others out by opening connections and sending nothing, or headers that never end.

import { BlockList, isIPv6, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isLoopback } from '../negotiation/loopback.ts';

export interface ConnectionLimits {
  /** Of one address, before one of its requests was admitted. */
  readonly perAddress: number;
  readonly perNode: number;
}

interface Connection {
  readonly socket: Pick<Socket, 'destroy'>;
  /** The address that it counts for; undefined for one that has no limit. */
  readonly holder: string | undefined;
  requests: number;
  /** Whether a request on it had a verified token or session. */
  isKnown: boolean;
}

/** The connections of an address before it is known, and those among them that answer no request, the longest idle first. */
interface Strangers {
  count: number;
  readonly idle: Set<Connection>;
}

export type ConnectionRefusal = 'address' | 'node';

/** What an operator is told. */
export interface ConnectionFigures {
  readonly open: number;
  readonly unknown: number;
  /** Closed while they were idle, to make room for others. */
  readonly closed: number;
  readonly refused: Readonly<Record<ConnectionRefusal, number>>;
}

/** An address of IPv6 stands for its network of 64 bits: whoever has one has all of it. */
function holderOf(address: string): string {
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv4 ? parsed.toString() : parsed.toByteArray().slice(0, 8).join('.');
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

export class CallerConnections {
  readonly #limits: ConnectionLimits;
  readonly #proxies: BlockList | undefined;
  readonly #connections = new Map<Pick<Socket, 'destroy'>, Connection>();
  readonly #strangers = new Map<string, Strangers>();
  /** Those that answer no request, the longest idle first. */
  readonly #idle = { unknown: new Set<Connection>(), known: new Set<Connection>() };
  #unknown = 0;
  #closed = 0;
  readonly #refused: Record<ConnectionRefusal, number> = { address: 0, node: 0 };

  /** A proxy has the connections of all its callers, so it has no limit by address: the proxies that are named, or this machine if none is. */
  constructor(limits: ConnectionLimits, proxies: readonly string[] = []) {
    this.#limits = limits;
    this.#proxies = proxies.length === 0 ? undefined : blockListOf(proxies);
  }

  get figures(): ConnectionFigures {
    return {
      open: this.#connections.size,
      unknown: this.#unknown,
      closed: this.#closed,
      refused: { ...this.#refused },
    };
  }

  /** Adds a connection, or says why there is no room for it. */
  open(socket: Pick<Socket, 'destroy' | 'remoteAddress'>): ConnectionRefusal | undefined {
    const holder = this.#holder(socket.remoteAddress);
    const refusal = this.#makeRoom(holder);
    if (refusal !== undefined) {
      this.#refused[refusal]++;
      return refusal;
    }
    const connection: Connection = { socket, holder, requests: 0, isKnown: false };
    this.#connections.set(socket, connection);
    this.#unknown++;
    if (holder !== undefined)
      this.#strangers.getOrInsertComputed(holder, () => ({ count: 0, idle: new Set() })).count++;
    this.#rest(connection);
    return undefined;
  }

  beginRequest(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || connection.requests++ > 0) return;
    this.#wake(connection);
  }

  endRequest(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection !== undefined && --connection.requests === 0) this.#rest(connection);
  }

  /** A request on it had a verified token or session: it counts for its address no more. */
  know(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || connection.isKnown) return;
    this.#wake(connection);
    this.#leaveStrangers(connection);
    connection.isKnown = true;
    if (connection.requests === 0) this.#rest(connection);
  }

  close(socket: Pick<Socket, 'destroy'>): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    this.#connections.delete(socket);
    this.#wake(connection);
    if (!connection.isKnown) this.#leaveStrangers(connection);
  }

  #holder(remoteAddress: string | undefined): string | undefined {
    // Without an address the connection is closed already. A local one may name its interface.
    const address = remoteAddress?.split('%')[0];
    if (address === undefined) return undefined;
    const isProxy = this.#proxies?.check(address, isIPv6(address) ? 'ipv6' : 'ipv4') ?? isLoopback(address);
    return isProxy ? undefined : holderOf(address);
  }

  #makeRoom(holder: string | undefined): ConnectionRefusal | undefined {
    const strangers = holder === undefined ? undefined : this.#strangers.get(holder);
    if (strangers !== undefined && strangers.count >= this.#limits.perAddress && !this.#end(strangers.idle))
      return 'address';
    if (this.#connections.size < this.#limits.perNode) return undefined;
    return this.#end(this.#idle.unknown) || this.#end(this.#idle.known) ? undefined : 'node';
  }

  /** Ends the connection that has been idle for the longest. */
  #end(idle: ReadonlySet<Connection>): boolean {
    const [longest] = idle;
    if (longest === undefined) return false;
    this.#closed++;
    this.close(longest.socket);
    longest.socket.destroy();
    return true;
  }

  #rest(connection: Connection): void {
    (connection.isKnown ? this.#idle.known : this.#idle.unknown).add(connection);
    if (!connection.isKnown) this.#strangersOf(connection)?.idle.add(connection);
  }

  #wake(connection: Connection): void {
    (connection.isKnown ? this.#idle.known : this.#idle.unknown).delete(connection);
    if (!connection.isKnown) this.#strangersOf(connection)?.idle.delete(connection);
  }

  #leaveStrangers(connection: Connection): void {
    this.#unknown--;
    const strangers = this.#strangersOf(connection);
    if (connection.holder !== undefined && strangers !== undefined && --strangers.count === 0)
      this.#strangers.delete(connection.holder);
  }

  #strangersOf({ holder }: Connection): Strangers | undefined {
    return holder === undefined ? undefined : this.#strangers.get(holder);
  }
}
