// A tiny balancer: passes each connection to one of the nodes in turn, and to the next one where a node refuses it.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export class Balancer {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  /** The ports of the nodes, which may come and go. */
  readonly ports: number[] = [];
  #next = 0;

  private constructor() {
    this.#server = createServer((caller) => this.#pass(caller));
  }

  static async start(): Promise<Balancer> {
    const balancer = new Balancer();
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    return balancer;
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #track(socket: Socket): void {
    this.#open.add(socket);
    socket.on('close', () => this.#open.delete(socket));
    socket.on('error', () => {});
  }

  #pass(caller: Socket): void {
    this.#track(caller);
    const first = this.#next++;
    const tryNode = (tried: number): void => {
      const port = this.ports[(first + tried) % this.ports.length];
      if (port === undefined || tried >= this.ports.length) return void caller.resetAndDestroy();
      const node = connect(port, '127.0.0.1');
      node.once('error', () => tryNode(tried + 1));
      node.once('connect', () => {
        node.removeAllListeners('error');
        this.#join(caller, node);
      });
    };
    tryNode(0);
  }

  /** What ends one side ends the other: a node that was killed resets its connections. */
  #join(caller: Socket, node: Socket): void {
    this.#track(node);
    caller.pipe(node);
    node.pipe(caller);
    caller.on('close', () => node.destroy());
    node.on('close', () => caller.destroy());
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
  }
}
