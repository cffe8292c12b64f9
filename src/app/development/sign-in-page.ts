// Shows and handles the sign-in page of the identity providers for development.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { html } from '../../kit/html.ts';
import type { ProviderKey } from '../../model/people/identity.ts';

export interface DevelopmentAccount {
  readonly email: string;
  readonly name: string;
  readonly isVerified: boolean;
}

interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export async function showInteraction(
  provider: Provider,
  key: ProviderKey,
  { request, response }: HttpExchange,
): Promise<void> {
  await provider.interactionDetails(request, response);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Sign in at ${key}</title>
        <link rel="icon" href="data:," />
      </head>
      <body>
        <main>
          <h1>Sign in at ${key}</h1>
          <p>This identity provider is for trying out: enter any address.</p>
          <form method="post" action="${request.url ?? ''}">
            <p>
              <label>Address <input name="email" type="email" required autocomplete="email" /></label>
            </p>
            <p>
              <label>Name <input name="name" autocomplete="name" /></label>
            </p>
            <p>
              <label><input type="checkbox" name="verified" checked /> The address is verified</label>
            </p>
            <p><button name="do" value="sign-in">Sign in</button></p>
          </form>
          <form method="post" action="${request.url ?? ''}"><button name="do" value="cancel">Cancel</button></form>
        </main>
      </body>
    </html> `.text;
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(page);
}

export async function answerInteraction(
  provider: Provider,
  { request, response }: HttpExchange,
  saveAccount: (account: DevelopmentAccount) => string,
): Promise<void> {
  const fields = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
  const email = (fields.get('email') ?? '').trim();
  if (fields.get('do') === 'cancel' || email === '') {
    const result = { error: 'access_denied', error_description: 'The sign-in was cancelled.' };
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }
  const isVerified = fields.get('verified') !== null;
  const accountId = saveAccount({ email, name: (fields.get('name') ?? '').trim(), isVerified });
  await provider.interactionFinished(request, response, { login: { accountId } });
}
