// Runs three identity providers for development, in a separate process: anyone can sign in as anyone. Ends when its parent ends.

import { generateKeyPairSync, hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import type { Configuration, JWK } from 'oidc-provider';
import { providerKeys, type ProviderKey } from '../../model/people/identity.ts';
import { defined } from '../../kit/assert.ts';
import { listenOnFreePort } from './first-free-port.ts';
import { answerInteraction, showInteraction, type DevelopmentAccount } from './sign-in-page.ts';
import type { MessageFromProvider, MessageToProvider } from './provider-process.ts';

type Accounts = Map<string, DevelopmentAccount>;
type Listener = (request: IncomingMessage, response: ServerResponse) => void;

function sendToParent(message: MessageFromProvider): void {
  process.send?.(message);
}

/** Gives an address the same subject after every start. */
function subjectFor({ email }: DevelopmentAccount): string {
  return hash('sha256', email.toLowerCase(), 'hex').slice(0, 24);
}

function makeConfiguration(
  key: ProviderKey,
  accounts: Accounts,
  { client, redirectUri }: Extract<MessageToProvider, { kind: 'serve' }>,
): Configuration {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const cookieName = (name: string): string => `${key}_${name}`;
  return {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    cookies: {
      keys: [client.secret],
      names: { session: cookieName('session'), interaction: cookieName('interaction'), resume: cookieName('resume') },
    },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    discovery: { prompt_values_supported: ['none', 'login', 'consent'] },
    features: { devInteractions: { enabled: false } },
    findAccount(_context, subject) {
      const account = accounts.get(subject);
      return account && { accountId: subject, claims: () => toClaims(subject, account) };
    },
    interactions: { url: (_context, { uid }) => `/${key}/interaction/${uid}` },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' } as JWK] },
    loadExistingGrant: grantAllScopes,
    pkce: { required: () => true },
    ttl: { Session: 3_600, Interaction: 600, Grant: 3_600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
  };
}

function toClaims(subject: string, { email, name, isVerified }: DevelopmentAccount) {
  return { sub: subject, email, email_verified: isVerified, ...(name === '' ? {} : { name }) };
}

/** Grants without asking: the only client is this service. */
const grantAllScopes: NonNullable<Configuration['loadExistingGrant']> = async ({ oidc }) => {
  const { provider, client, session, params } = oidc;
  const grant = new provider.Grant({
    clientId: defined(client, 'a grant is for a client').clientId,
    accountId: defined(session?.accountId, 'a grant is for a signed-in account'),
  });
  grant.addOIDCScope(String(params?.['scope']));
  await grant.save();
  return grant;
};

function makeListener(provider: Provider, key: ProviderKey, accounts: Accounts): Listener {
  const serve = provider.callback();
  const handleInteraction = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST') return showInteraction(provider, key, { request, response });
    await answerInteraction(provider, { request, response }, (account) => {
      const subject = subjectFor(account);
      accounts.set(subject, account);
      return subject;
    });
  };
  return (request, response) => {
    if (!request.url?.startsWith(`/${key}/interaction/`)) return void serve(withMountPath(request, key), response);
    handleInteraction(request, response).catch((error: Error) => {
      response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(`This sign-in failed: ${error.message}. Start again.`);
    });
  };
}

/** Removes the mount path from the URL, as a framework does for a mounted handler. */
function withMountPath(request: IncomingMessage, key: ProviderKey): IncomingMessage {
  const { url = '' } = request;
  return Object.assign(request, { originalUrl: url, url: url.slice(key.length + 1) || '/' });
}

async function makeListeners(
  origin: string,
  message: Extract<MessageToProvider, { kind: 'serve' }>,
): Promise<Map<string, Listener>> {
  const { Provider: ProviderClass } = await import('oidc-provider');
  const listeners = new Map<string, Listener>();
  for (const key of providerKeys) {
    const accounts: Accounts = new Map();
    const provider = new ProviderClass(`${origin}/${key}`, makeConfiguration(key, accounts, message));
    listeners.set(key, makeListener(provider, key, accounts));
  }
  return listeners;
}

async function main(): Promise<void> {
  if (process.env['NODE_ENV'] === 'production' || process.send === undefined)
    throw new Error('This identity provider signs in anyone without a password: use it for development only.');
  process.on('disconnect', () => process.exit(0));
  import.meta.resolve('oidc-provider'); // throws if it was not installed
  // Requests wait until the parent has sent the redirect URI.
  const serveMessage = once(process, 'message') as Promise<[Extract<MessageToProvider, { kind: 'serve' }>]>;
  let origin = '';
  const listeners = serveMessage.then(([message]) => makeListeners(origin, message));
  const ports = process.argv.slice(2).map(Number);
  const server = createServer((request, response) => {
    const [, key = ''] = (request.url ?? '').split('/', 2);
    listeners.then(
      (found) => (found.get(key) ?? answerNotFound)(request, response),
      () => response.writeHead(503).end(),
    );
  });
  origin = `http://127.0.0.1:${await listenOnFreePort(server, ports)}`;
  sendToParent({ kind: 'listening', origin });
  await listeners;
}

function answerNotFound(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404).end();
}

main().catch((error: Error) => {
  if (process.send === undefined) process.stderr.write(`${error.message}\n`);
  else sendToParent({ kind: 'failed', reason: error.message });
  process.exitCode = 1;
  process.disconnect?.();
});
