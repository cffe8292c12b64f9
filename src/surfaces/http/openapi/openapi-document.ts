// Makes the OpenAPI document of the whole service from the declarations of its operations.

import type { JsonSchema } from '../../../kit/field.ts';
import type { Addresses } from '../../../actions/core/context.ts';
import type { Right } from '../../../model/access/scope.ts';
import type { OpenOperation } from '../operation/open-operation.ts';
import { OpenOperations } from './open-operations.ts';
import { Operations } from './operations.ts';
import { overview } from './overview.ts';
import { headerParameters } from './parameters.ts';
import { Responses, sharedHeaders } from './responses.ts';
import { Schemas } from './schemas.ts';
import { documentServers } from './servers.ts';
import { tagsOf } from './tags.ts';
import type { Operation } from '../operation/operation.ts';

export interface ServedApi {
  readonly addresses: Addresses;
  readonly operations: readonly Operation[];
  readonly openOperations: readonly OpenOperation[];
  readonly version: string;
  /** The events that are posted to webhooks. */
  readonly webhooks?: Readonly<Record<string, JsonSchema>>;
}

type Paths = Record<string, Record<string, JsonSchema>>;

export interface OpenApiDocument extends JsonSchema {
  readonly openapi: '3.1.0';
  readonly paths: Paths;
  readonly components: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
}

const accessToken: JsonSchema = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: 'An access token from any of the three flows.',
};

/** Flow C, as OAuth libraries know it; the other flows lead to the same tokens. */
function clientCredentials({ baseUrl }: Addresses): JsonSchema {
  const scopes: Record<Right, string> = {
    read: 'Read records and reports.',
    write: 'Create, change and delete records.',
    admin: 'Manage access, people, custodians and webhooks.',
  };
  return {
    type: 'oauth2',
    description: 'The id and secret of an application (flow C).',
    flows: { clientCredentials: { tokenUrl: `${baseUrl}/oauth/token`, scopes } },
  };
}

export function openApiDocument({
  addresses,
  operations,
  openOperations,
  version,
  webhooks = {},
}: ServedApi): OpenApiDocument {
  const schemas = new Schemas();
  const responses = new Responses(schemas, addresses.baseUrl);
  const paths: Paths = {};
  const shared = { addresses, schemas, responses, operations };
  const open = new OpenOperations(shared);
  const authenticated = new Operations(shared);
  authenticated.nameSchemas();
  for (const operation of operations) addOperation(paths, operation, authenticated.describe(operation));
  for (const operation of openOperations) addOperation(paths, operation, open.describe(operation));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdfast',
      version,
      summary: 'An open wealth data service.',
      description: overview,
      contact: { name: 'The operator of this service', url: `${addresses.baseUrl}/docs` },
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    servers: documentServers(addresses),
    ...tagsOf(operations, openOperations),
    paths,
    webhooks: schemas.nameVariants(webhooks, 'Webhook'),
    components: {
      securitySchemes: { accessToken, clientCredentials: clientCredentials(addresses) },
      parameters: headerParameters,
      headers: sharedHeaders,
      responses: responses.all(),
      examples: responses.allExamples(),
      schemas: schemas.all(),
    },
  };
}

function addOperation(paths: Paths, { path, method }: Operation | OpenOperation, described: JsonSchema): void {
  const item = (paths[path] ??= {});
  const name = method.toLowerCase();
  if (name in item) throw new Error(`${method} ${path} is declared twice.`);
  item[name] = described;
}
