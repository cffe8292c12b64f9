// What tells applications from keys on their pages: names, calls, and the fields of their forms.

import { rights } from '../../../../model/access/scope.ts';
import type { Field } from '../../parts/field.ts';
import type { Page } from '../../signed-in-page.ts';
import { clientField } from './frame.ts';

export interface CredentialKind {
  readonly one: 'application' | 'key';
  readonly several: string;
  /** The paths of pages and of calls end alike. */
  readonly path: '/applications' | '/keys';
  /** The name of its name. */
  readonly nameMember: 'name' | 'label';
  readonly newTitle: string;
  readonly lede: string;
}

export const applicationKind: CredentialKind = {
  one: 'application',
  several: 'applications',
  path: '/applications',
  nameMember: 'name',
  newTitle: 'New application',
  lede: 'A program that calls the API with a client id and a secret.',
};

export const keyKind: CredentialKind = {
  one: 'key',
  several: 'keys',
  path: '/keys',
  nameMember: 'label',
  newTitle: 'Register a key',
  lede: 'A program that proves itself with a private key of its own. Only the public half is registered.',
};

export const credentialKinds = [applicationKind, keyKind] as const;

const rightTexts = {
  read: 'Read: see clients, holdings and reports',
  write: 'Write: create, change and delete',
  admin: 'Administer: applications, webhooks, people, logs',
} as const;

/** The fields of a new one, with what was sent before. */
export async function creationFields(page: Page, kind: CredentialKind): Promise<readonly Field[]> {
  const { fields } = page;
  const isNew = fields.get('form_token') === null;
  const isChecked = (right: string): boolean => (isNew ? right === 'read' : fields.get(`right_${right}`) === 'true');
  return [
    {
      kind: 'text',
      name: kind.nameMember,
      label: 'Name',
      hint: 'How people recognise it, such as “Nightly report”.',
      value: fields.get(kind.nameMember) ?? '',
      maxLength: 200,
      isRequired: true,
    },
    ...rights.map((right): Field => ({
      kind: 'checkbox',
      name: `right_${right}`,
      label: rightTexts[right],
      isChecked: isChecked(right),
    })),
    await clientField(page, {
      name: 'scoped_to',
      label: 'Bound to',
      hint: 'Bound to a client, it sees that client and those below it only.',
      value: fields.get('scoped_to') ?? '',
    }),
    ...(kind === keyKind ? [publicKeyField(page)] : []),
  ];
}

function publicKeyField({ fields }: Page): Field {
  return {
    kind: 'textarea',
    name: 'public_key',
    label: 'Public key',
    hint: 'RSA as PEM (flow A), or P-256 as a JWK (flow B). Never paste a private key.',
    value: fields.get('public_key') ?? '',
    rows: 8,
    isRequired: true,
  };
}

/** The body of the call that creates one. */
export function creationBody({ fields }: Page, kind: CredentialKind): Record<string, unknown> {
  const scopedTo = fields.get('scoped_to') ?? '';
  const body = {
    [kind.nameMember]: fields.get(kind.nameMember) ?? '',
    rights: rights.filter((right) => fields.get(`right_${right}`) === 'true'),
    ...(scopedTo === '' ? {} : { scoped_to: scopedTo }),
  };
  return kind === keyKind ? { ...body, ...publicKey(fields.get('public_key') ?? '') } : body;
}

/** What is no JSON is sent as PEM: the API says what is wrong with it. */
function publicKey(text: string): Record<string, unknown> {
  try {
    return { jwk: JSON.parse(text) };
  } catch {
    return { public_key_pem: text.replaceAll('\r\n', '\n') };
  }
}
