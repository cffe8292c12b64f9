// A local mail server that records what it accepts: as much of RFC 5321 as a sender needs, with STARTTLS and logins. A test can override its
// answers.

import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { mailServerCertificate, mailServerKey } from './mail-server-certificate.ts';

export interface AcceptedMessage {
  readonly from: string;
  readonly to: readonly string[];
  /** The message as it was received. */
  readonly raw: string;
  readonly isEncrypted: boolean;
  readonly user: string | undefined;
}

export interface SmtpServerOptions {
  /** Whether STARTTLS is offered. */
  readonly startTls?: boolean;
  /** The required name and password, joined by a colon. */
  readonly login?: string;
  /** Overrides the answer to a command, or to `message`, the end of a mail; `hang` gives no answer, `close` ends the connection. */
  answer?(command: string, message: AcceptedMessage | undefined): string | undefined;
}

interface SmtpSession {
  socket: Socket;
  from: string;
  to: string[];
  isEncrypted: boolean;
  user: string | undefined;
  /** Undefined outside of a message. */
  data: string | undefined;
  buffered: string;
}

export class SmtpServer {
  readonly messages: AcceptedMessage[] = [];
  readonly commands: string[] = [];
  options: SmtpServerOptions;
  connections = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(options: SmtpServerOptions) {
    this.options = options;
    this.#server = createServer((socket) => this.#greet(socket));
  }

  static async start(options: SmtpServerOptions = {}): Promise<SmtpServer> {
    const server = new SmtpServer(options);
    server.#server.listen(0, '127.0.0.1');
    await once(server.#server, 'listening');
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #greet(socket: Socket): void {
    this.connections += 1;
    const session: SmtpSession = {
      socket,
      from: '',
      to: [],
      isEncrypted: false,
      user: undefined,
      data: undefined,
      buffered: '',
    };
    this.#listen(session);
    this.#reply(session, this.options.answer?.('connect', undefined) ?? '220 mail.example ESMTP');
  }

  #listen(session: SmtpSession): void {
    const { socket } = session;
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('data', (bytes) => {
      session.buffered += bytes.toString('latin1');
      for (;;) {
        const end = session.buffered.indexOf('\r\n');
        if (end < 0 || session.socket !== socket) return;
        const line = session.buffered.slice(0, end);
        session.buffered = session.buffered.slice(end + 2);
        if (session.data === undefined) this.#handleCommand(session, line);
        else this.#readDataLine(session, line);
      }
    });
  }

  #reply({ socket }: SmtpSession, answer: string): void {
    if (answer === 'close') socket.destroy();
    else if (answer !== 'hang') socket.write(`${answer}\r\n`);
  }

  #handleCommand(session: SmtpSession, line: string): void {
    this.commands.push(line);
    const command = /^(MAIL FROM|RCPT TO|\w+)/i.exec(line)?.[1]?.toUpperCase() ?? '';
    const override = this.options.answer?.(command, undefined);
    if (override !== undefined) return this.#reply(session, override);
    if (command === 'STARTTLS') return this.#encrypt(session);
    const isAuthorized = this.options.login === undefined || session.user !== undefined;
    if (command === 'MAIL FROM' && !isAuthorized) return this.#reply(session, '530 5.7.0 Authentication required');
    this.#reply(session, this.#replyTo(command, line, session));
    if (command === 'DATA') session.data = '';
  }

  #replyTo(command: string, line: string, session: SmtpSession): string {
    const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
    if (command === 'EHLO') return this.#extensions(session);
    if (command === 'MAIL FROM') [session.from, session.to] = [address, []];
    if (command === 'RCPT TO') session.to.push(address);
    if (command === 'DATA') return '354 Go on';
    if (command === 'AUTH') return this.#authenticate(session, line);
    return command === 'QUIT' ? '221 Bye' : '250 OK';
  }

  #extensions({ isEncrypted }: SmtpSession): string {
    const { startTls, login } = this.options;
    const offered = [...(startTls && !isEncrypted ? ['STARTTLS'] : []), ...(login === undefined ? [] : ['AUTH PLAIN'])];
    const lines = ['mail.example', '8BITMIME', ...offered];
    return lines.map((word, index) => `250${index === lines.length - 1 ? ' ' : '-'}${word}`).join('\r\n');
  }

  #authenticate(session: SmtpSession, line: string): string {
    const [, user = '', password] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
      .toString()
      .split('\0');
    if (`${user}:${password}` !== this.options.login) return '535 5.7.8 Wrong';
    session.user = user;
    return '235 2.7.0 Welcome';
  }

  #encrypt(session: SmtpSession): void {
    this.#reply(session, '220 Go on');
    const { socket } = session;
    socket.removeAllListeners('data');
    session.socket = new TLSSocket(socket, { isServer: true, cert: mailServerCertificate, key: mailServerKey });
    session.isEncrypted = true;
    this.#listen(session);
  }

  #readDataLine(session: SmtpSession, line: string): void {
    if (line !== '.') {
      session.data += `${line.replace(/^\./, '')}\r\n`;
      return;
    }
    const { from, to, data, isEncrypted, user } = session;
    const message = { from, to, raw: data!, isEncrypted, user };
    session.data = undefined;
    const answer = this.options.answer?.('message', message) ?? '250 2.0.0 Taken';
    if (answer.startsWith('2')) this.messages.push(message);
    this.#reply(session, answer);
  }
}
