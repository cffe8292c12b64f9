// Builds the page of the API reference, its start script and its content security policy.

import type { Addresses } from '../../../actions/core/context.ts';
import { demoDocumentPath, referenceTokenPath } from './reference-token.ts';

/** Allows connections to this service only: for scripts, fonts and images, and for requests that are tried out. */
export function referencePolicy({ baseUrl, legacyUrl, authUrl }: Addresses): string {
  const ownAddresses = [...new Set([baseUrl, legacyUrl, authUrl])].join(' ');
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self' ${ownAddresses}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

interface ReferenceScripts {
  readonly bundle: string;
  readonly start: string;
}

export function referencePage({ bundle, start }: ReferenceScripts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Holdfast API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The same reference for machines: <a href="/openapi.json">openapi.json</a>.</noscript>
<script src="${start}"></script>
<script src="${bundle}"></script>
</body>
</html>
`;
}

/** Turns off every feature of the viewer that contacts another service. */
const settings = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'direct',
  theme: 'default',
  layout: 'modern',
  operationTitleSource: 'summary',
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  defaultOpenFirstTag: false,
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'accessToken' },
  modelsSectionLabel: 'Schemas',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
} as const;

/** The viewer would send the first value of each list of words that has no example: a filter that nobody chose. */
const choiceScript = `const leaveChoicesOpen = (document) => {
  for (const path of Object.values(document.paths))
    for (const { parameters = [] } of Object.values(path))
      for (const one of parameters)
        if (one.schema?.enum && !one.required && one.example === undefined) one.examples = { default: { 'x-disabled': true } };
  return document;
};`;

/** Takes a token and the demo's answers from the service, if it gives them to this page: while it is tried out on one machine. */
const trialScript = `const [given, demo] = await Promise.all([read('${referenceTokenPath}', 'POST'), read('${demoDocumentPath}', 'POST')]);
    if (given) settings.authentication.securitySchemes = { accessToken: { token: given.access_token } };
    `;

/**
 * Runs before the viewer. Tells its schema library not to compile code, which the policy forbids and browsers would report. With a single
 * address, requests that are tried out go to the page's own origin.
 */
export function startScript({ baseUrl, legacyUrl, authUrl }: Addresses, { isTrial }: { isTrial: boolean }): string {
  const isSingleAddress = baseUrl === legacyUrl && baseUrl === authUrl;
  return `globalThis.__zod_globalConfig = { jitless: true };
const settings = ${JSON.stringify(settings, null, 2)};
${isSingleAddress ? 'settings.servers = [{ url: location.origin }];' : ''}
${choiceScript}
const read = async (path, method) => {
  const response = await fetch(path, { method });
  return response.ok ? response.json() : undefined;
};
addEventListener('DOMContentLoaded', async () => {
  try {
    ${isTrial ? trialScript : 'const demo = undefined;\n    '}const document = demo ?? (await read(settings.url, 'GET'));
    if (document) {
      settings.content = leaveChoicesOpen(document);
      delete settings.url;
    }
  } catch {}
  Scalar.createApiReference('#reference', settings);
});
`;
}
