// Types of transactions as resources of their own: each declares the fields that a transaction of that type has, so that reading,
// rendering and schemas are made from it as from any declaration.

import { oneOf, type FieldKind } from '../../kit/field.ts';
import type { Attribute, Relation, Resource, ToOne } from '../../kit/resource.ts';
import { transaction } from './transaction.ts';
import type { TransactionKind } from './transaction-kind.ts';
import { nonNegativeDecimal, positiveDecimal, signedDecimal } from './transaction-value.ts';

export type TransactionField = keyof (typeof transaction)['attributes'] | keyof (typeof transaction)['relations'];

/** Must be sent, may be sent, or is calculated by the service and only answered. */
export type FieldPresence = 'required' | 'optional' | 'answered';

/** How a field of a type differs from the declared field of the transaction. */
export interface FieldOverride {
  readonly presence: FieldPresence;
  readonly kind?: FieldKind<any>;
  readonly snakeCaseName?: string;
  readonly description?: string;
  readonly example?: unknown;
}

export interface TransactionVariant<TypeName extends string = string> {
  readonly typeName: TypeName;
  readonly kind: TransactionKind;
  readonly resource: Resource;
}

/** All types of transactions that a caller can name. */
export interface TransactionVariantSet<TypeName extends string = string> {
  readonly variants: ReadonlyMap<string, TransactionVariant<TypeName>>;
  /** A transaction of any of the types. */
  readonly resource: Resource;
}

const declaredFields: Readonly<Record<string, Attribute<any> | Relation>> = {
  ...transaction.attributes,
  ...transaction.relations,
};

/** The kind of a figure where a type declares none. */
const defaultKinds: Partial<Record<string, FieldKind<any>>> = {
  amount: signedDecimal,
  quantity: positiveDecimal,
  price: nonNegativeDecimal,
  fees: nonNegativeDecimal,
  taxes: nonNegativeDecimal,
  accruedInterest: signedDecimal,
  exchangeRate: positiveDecimal,
  counterAmount: signedDecimal,
  rate: positiveDecimal,
  effectOnUnfunded: nonNegativeDecimal,
  recallableAmount: nonNegativeDecimal,
  cashInLieuQuantity: positiveDecimal,
};

function declareField(name: string, definition: FieldOverride): Attribute<any> | Relation {
  const { presence, ...own } = definition;
  const { writable: _writable, ...rest } = declaredFields[name] ?? { writable: 'never', description: '' };
  const shared = {
    ...rest,
    ...(defaultKinds[name] ? { kind: defaultKinds[name] } : {}),
    ...own,
    writable: presence === 'answered' ? ('never' as const) : ('always' as const),
    ...(presence === 'required' ? { required: true as const } : {}),
  };
  if (!('kind' in shared)) return shared as ToOne;
  const { nullable: _nullable, ...attribute } = shared as Attribute<any>;
  return presence === 'required' ? attribute : { ...attribute, nullable: true };
}

function isRelation(field: Attribute<any> | Relation): field is Relation {
  return !('kind' in field);
}

export interface VariantDefinition<TypeName extends string> {
  readonly typeName: TypeName;
  readonly kind: TransactionKind;
  readonly description: string;
  /** In the order in which they are rendered. */
  readonly fields: readonly (readonly [name: string, FieldOverride])[];
}

function typeField(typeNames: readonly string[], example: string): Attribute<any> {
  return {
    kind: oneOf(typeNames),
    description: 'Which type of transaction it is; it decides which other fields there are.',
    writable: 'always',
    required: true,
    example,
  };
}

function variantResource(
  type: string,
  description: string,
  parts: Pick<Resource, 'attributes' | 'relations'>,
): Resource {
  const { plural, table, owner } = transaction;
  return { type, plural, description, table, owner, ...parts };
}

/** Whether the types are resource types of their own, or all transactions are of one resource type. */
type ResourceTypes = 'one-for-all' | 'one-per-type';

function declareVariant<TypeName extends string>(
  definition: VariantDefinition<TypeName>,
  resourceTypes: ResourceTypes,
): TransactionVariant<TypeName> {
  const { typeName, kind, description } = definition;
  const fields = definition.fields.map(([name, field]) => [name, declareField(name, field)] as const);
  const attributes = fields.filter(([, field]) => !isRelation(field)) as [string, Attribute<any>][];
  const relations = fields.filter(([, field]) => isRelation(field)) as [string, Relation][];
  const type = resourceTypes === 'one-for-all' ? transaction.type : `${transaction.type}.${typeName}`;
  const resource = variantResource(type, description, {
    attributes: { type: typeField([typeName], typeName), ...Object.fromEntries(attributes) },
    relations: Object.fromEntries(relations),
  });
  return { typeName, kind, resource };
}

export interface VariantSetOptions<TypeName extends string> {
  /** The type of the transaction in the examples of the API reference. */
  readonly example: TypeName;
  readonly resourceTypes: ResourceTypes;
}

export function declareVariantSet<TypeName extends string>(
  definitions: readonly VariantDefinition<TypeName>[],
  { example, resourceTypes }: VariantSetOptions<TypeName>,
): TransactionVariantSet<TypeName> {
  const variants = definitions.map((definition) => declareVariant(definition, resourceTypes));
  const typeNames = variants.map(({ typeName }) => typeName);
  const resources = variants.map(({ resource }) => resource);
  const attributes = widestAttributes(resources.map((resource) => resource.attributes));
  const resource: Resource = {
    ...variantResource(transaction.type, transaction.description, {
      attributes: { ...attributes, type: typeField(typeNames, example) },
      relations: Object.assign({}, ...resources.map(({ relations }) => relations), ...optionalRelations(resources)),
    }),
    variants: { by: 'type', of: Object.fromEntries(variants.map(({ typeName, resource: own }) => [typeName, own])) },
  };
  return { variants: new Map(variants.map((variant) => [variant.typeName, variant])), resource };
}

/**
 * The attributes of a transaction whose type is not known yet: any may be left out, and where types differ about a figure it may
 * have any sign. A field that types name differently is listed under each of its names.
 */
function widestAttributes(all: readonly Readonly<Record<string, Attribute<any>>>[]): Record<string, Attribute<any>> {
  const fields: Record<string, Attribute<any>> = {};
  for (const [declaredName, { required: _required, ...field }] of all.flatMap((own) => Object.entries(own))) {
    const { snakeCaseName } = field;
    const isRenamed = snakeCaseName !== undefined && snakeCaseName !== defaultSnakeCaseName(declaredName);
    const name = isRenamed ? snakeCaseName : declaredName;
    const known = fields[name];
    const kind = known === undefined || known.kind === field.kind ? field.kind : signedDecimal;
    fields[name] = { ...(known ?? field), kind, nullable: true };
  }
  return fields;
}

function defaultSnakeCaseName(name: string): string | undefined {
  return name === 'date' ? 'trade_date' : declaredFields[name]?.snakeCaseName;
}

function optionalRelations(resources: readonly Resource[]): Readonly<Record<string, Relation>>[] {
  return resources.map(({ relations }) =>
    Object.fromEntries(
      Object.entries(relations).map(([name, { required: _required, ...relation }]) => [name, relation as Relation]),
    ),
  );
}
