// The page of the API reference: what the browser is given, and what it is allowed to do with it.

import type { Addresses } from '../../../actions/core/context.ts';

/** Nothing but this service is ever called: not for scripts, fonts or pictures, and not by what the page tries out. */
export function referencePolicy({ baseUrl, legacyUrl, authUrl }: Addresses): string {
  const ownAddresses = [...new Set([baseUrl, legacyUrl, authUrl])].join(' ');
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    `connect-src 'self' ${ownAddresses}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export interface ReferenceScripts {
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

/** Everything of the viewer that talks to somebody else, or offers to, is off. */
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

/**
 * Runs before the viewer is there. Its schema library tries whether it may compile code, which this page forbids: told not to
 * try, it causes no report. One address serves everything under any name, so what is tried out goes to the page's own.
 */
export function startScript({ baseUrl, legacyUrl, authUrl }: Addresses): string {
  const isSingleAddress = baseUrl === legacyUrl && baseUrl === authUrl;
  return `globalThis.__zod_globalConfig = { jitless: true };
const settings = ${JSON.stringify(settings, null, 2)};
${isSingleAddress ? 'settings.servers = [{ url: location.origin }];' : ''}
addEventListener('DOMContentLoaded', () => Scalar.createApiReference('#reference', settings));
`;
}
