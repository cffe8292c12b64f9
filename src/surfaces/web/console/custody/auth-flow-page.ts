// The page of an auth flow: what it waits for, its files, and the steps that are possible now.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import type { Field } from '../../parts/field.ts';
import { buttonsRow, postForm } from '../../parts/forms.ts';
import { definitionList, note } from '../../parts/notes.ts';
import { card } from '../../parts/parts.ts';
import type { ApiProblem } from '../../page-api.ts';
import { signedInForm, signedInPage, type Page, type PageAnswer, type PageContent } from '../../signed-in-page.ts';
import { consoleTable } from '../console-table.ts';
import { filesTable } from './consent-files.ts';
import { custodyPath, custodyState, custodyWord } from './custody-words.ts';

const path = `${custodyPath}/auth-flows/{id}`;
/** A consent file of 720 KiB with its form around it. */
const fileFormBytesMax = 800 * 1024;
const fileBytesMax = 720 * 1024;

const addressOf = (id: string): string => `${custodyPath}/auth-flows/${encodeURIComponent(id)}`;
const adminPath = (id: string): string => `/v1/admin/auth-flows/${encodeURIComponent(id)}`;

interface Refused {
  readonly step: string;
  readonly problem: ApiProblem;
}

async function flowContent(page: Page, refused?: Refused): Promise<PageContent> {
  const id = page.params['id'] ?? '';
  const flow = await page.api.get(`/v1/auth-flows/${encodeURIComponent(id)}`);
  const [custodian, entity, files, users] = await Promise.all([
    page.api.find(`/v1/custodians/${flow.custodian_id}`),
    page.api.find(`/v1/legal-entities/${flow.legal_entity_id}`),
    page.api.find(`${adminPath(id)}/files`),
    page.api.list('/v1/users', { client_id: flow.client_id }, 500),
  ]);
  const operator = users.data.find((user) => user.id === flow.operator_id);
  const table = filesTable(files?.data ?? []);
  const facts = definitionList([
    { title: 'State', value: custodyState(flow.state) },
    { title: 'For', value: custodyWord(flow.purpose) },
    { title: 'Custodian', value: custodian?.name ?? flow.custodian_id },
    { title: 'Legal entity', value: entity?.name ?? flow.legal_entity_id },
    { title: 'Consent given by', value: custodyWord(flow.consent_type) },
    { title: 'Expected files', value: flow.expected_files.join(', ') || 'None' },
    { title: 'Still missing', value: flow.missing_files.join(', ') || 'None' },
    { title: 'Operator', value: operator?.name ?? (flow.operator_id === null ? 'Nobody' : flow.operator_id) },
    { title: 'Authority', value: 'Show', href: `${custodyPath}/authorities/${flow.authority_id}` },
  ]);
  const view = { page, flow, users: users.data, refused };
  return {
    title: `${custodian?.name ?? 'Custodian'} · ${entity?.name ?? ''}`,
    lede: html`<a href="${custodyPath}">Custody</a>`,
    main: html`${doneNote(page)}${card('Auth flow', facts)}${stepForms(view)}
    ${card('Files', html`${consoleTable(page, table)}${isOpen(flow) ? fileForm(view) : emptyHtml}`)}`,
    tables: [table],
    ...(refused === undefined ? {} : { status: refused.problem.status }),
  };
}

const doneTexts: Readonly<Record<string, string>> = {
  created: 'The auth flow was started.',
  consent: 'Consent is recorded.',
  assign: 'The operator is set.',
  submit: 'It is with the custodian now.',
  grant: 'The authority is active: data may come in.',
  cancel: 'The auth flow was cancelled.',
  files: 'The file was handed in.',
};

function doneNote({ query }: Page): Html {
  const text = doneTexts[query.get('done') ?? ''];
  return text === undefined ? emptyHtml : note(text, { tone: 'good', isLive: true });
}

const openStates = ['waiting-for-files', 'waiting-for-consent', 'awaiting-operator', 'awaiting-custodian'];
const isOpen = ({ state }: any): boolean => openStates.includes(state);

interface FlowView {
  readonly page: Page;
  readonly flow: any;
  readonly users: readonly any[];
  readonly refused: Refused | undefined;
}

interface StepForm {
  readonly step: string;
  readonly title: string;
  readonly text: string;
  readonly fields: readonly Field[];
  readonly isDanger?: true;
}

const expires: Field = {
  kind: 'date',
  name: 'expires_on',
  label: 'Ends on',
  hint: 'If left empty: after the days that the custodian’s settings say.',
};

/** The steps that the state allows; the API decides again. */
function possibleSteps({ flow, users }: FlowView): readonly StepForm[] {
  const consent: Field = {
    kind: 'radios',
    name: 'consent_type',
    label: 'How',
    isRequired: true,
    options: flow.supported_consent_types.map((value: string) => ({ value, title: custodyWord(value) })),
    value: flow.supported_consent_types[0],
  };
  const operator: Field = {
    kind: 'select',
    name: 'operator_id',
    label: 'Operator',
    options: [{ value: '', title: 'Nobody' }, ...users.map(({ id, name }) => ({ value: id, title: name }))],
    value: flow.operator_id ?? '',
  };
  const all: readonly (StepForm & { readonly in: readonly string[] })[] = [
    {
      in: ['waiting-for-consent', 'awaiting-custodian'],
      step: 'consent',
      title: 'Give consent',
      text: 'Records that the owner agrees, or leads to the custodian’s own pages.',
      fields: [consent],
    },
    {
      in: ['awaiting-operator'],
      step: 'submit',
      title: 'Submit to the custodian',
      text: 'The consent was passed on.',
      fields: [],
    },
    {
      in: ['awaiting-operator', 'awaiting-custodian'],
      step: 'grant',
      title: 'Grant',
      text: 'The custodian agreed: the authority becomes active and data may come in.',
      fields: [expires],
    },
    { in: openStates, step: 'assign', title: 'Assign', text: 'Who takes care of it.', fields: [operator] },
    {
      in: openStates,
      step: 'cancel',
      title: 'Cancel the auth flow',
      text: 'Gives it up. A new one can be started at any time.',
      fields: [],
      isDanger: true,
    },
  ];
  return all.filter((one) => one.in.includes(flow.state));
}

function stepForms(view: FlowView): readonly Html[] {
  const { page, flow, refused } = view;
  return possibleSteps(view).map(({ step, title, text, fields, isDanger }) =>
    card(
      title,
      html`<p>${text}</p>
        ${postForm({
          id: step,
          action: `${addressOf(flow.id)}/${step}`,
          formToken: page.formToken,
          reader: page.reader,
          fields: fields.map((field) => ({ ...field, form: step })),
          buttons: [{ title, kind: isDanger ? 'danger' : 'primary' }],
          ...(refused?.step === step ? { messages: [refused.problem.detail] } : {}),
        })}`,
    ),
  );
}

function fileForm({ page, flow, refused }: FlowView): Html {
  const expected = flow.expected_files.map((value: string) => ({ value, title: value }));
  return postForm({
    id: 'files-form',
    action: `${addressOf(flow.id)}/files`,
    formToken: page.formToken,
    reader: page.reader,
    fields: [
      {
        kind: 'select',
        form: 'files',
        name: 'expected_file',
        label: 'Which of the expected files',
        options: [{ value: '', title: 'Another' }, ...expected],
        value: flow.missing_files[0] ?? '',
      },
      {
        kind: 'file',
        form: 'files',
        name: 'file',
        label: 'File',
        hint: 'A scan of at most 720 KiB.',
        isRequired: true,
      },
    ],
    buttons: [{ title: 'Hand in' }],
    ...(refused?.step === 'files' ? { messages: [refused.problem.detail] } : {}),
  });
}

const bodies: Readonly<Record<string, (fields: URLSearchParams) => unknown>> = {
  consent: (fields) => ({ consent_type: fields.get('consent_type') ?? '' }),
  assign: (fields) => ({ operator_id: fields.get('operator_id') || null }),
  submit: () => undefined,
  cancel: () => undefined,
  grant: (fields) => {
    const day = fields.get('expires_on') ?? '';
    return day === '' ? {} : { expires_at: `${day}T00:00:00Z` };
  },
};

async function takeStep(page: Page, step: string): Promise<PageAnswer> {
  const id = page.params['id'] ?? '';
  const sent = await page.api.send('POST', `${adminPath(id)}/${step}`, bodies[step]?.(page.fields));
  if (!sent.ok) return flowContent(page, { step, problem: sent.problem });
  const url: unknown = sent.body?.redirect_url;
  if (typeof url === 'string') return consentLink(id, url);
  return { redirectUrl: `${addressOf(id)}?done=${step}` };
}

/** A form may not lead to another site, so the person follows a link. */
function consentLink(id: string, url: string): PageContent {
  const buttons = buttonsRow([
    { title: 'Continue at the custodian', href: url },
    { title: 'Back', href: addressOf(id) },
  ]);
  const text = html`<p>
      Consent is given on the custodian’s own pages, within an hour. You may also send this address to the owner:
    </p>
    <p><code>${url}</code></p>`;
  return { title: 'Consent at the custodian', main: card('Next', html`${text}${buttons}`) };
}

async function handInFile(page: Page): Promise<PageAnswer> {
  const id = page.params['id'] ?? '';
  const parts: Uint8Array[] = [];
  for await (const chunk of page.file?.chunks() ?? []) parts.push(chunk);
  const content = Buffer.concat(parts);
  if (content.length === 0 || content.length > fileBytesMax) {
    const detail = 'Choose a file of at most 720 KiB.';
    const problem = { status: 422, code: 'malformed-request', title: 'No file', detail, errors: [] };
    return flowContent(page, { step: 'files', problem });
  }
  const name = page.file?.fileName ?? 'file';
  const sent = await page.api.send('POST', `${adminPath(id)}/files`, {
    name: name.slice(0, 200),
    expected_file: page.fields.get('expected_file') || null,
    media_type: /\.pdf$/i.test(name) ? 'application/pdf' : 'application/octet-stream',
    content: content.toString('base64'),
  });
  if (!sent.ok) return flowContent(page, { step: 'files', problem: sent.problem });
  return { redirectUrl: `${addressOf(id)}?done=files` };
}

export const authFlowPaths = [
  signedInPage({
    id: 'auth-flow',
    path,
    summary: 'An auth flow',
    area: 'console',
    handle: (page) => flowContent(page),
  }),
  signedInForm({
    id: 'auth-flow.files',
    path: `${path}/files`,
    summary: 'Hand in a consent file',
    area: 'console',
    uploadBytesMax: fileFormBytesMax,
    async checkUpload({ api, params }) {
      api.require('POST', '/v1/admin/auth-flows/{id}/files');
      await api.get(`${adminPath(params['id'] ?? '')}/files`);
    },
    handle: handInFile,
  }),
  ...Object.keys(bodies).map((step) =>
    signedInForm({
      id: `auth-flow.${step}`,
      path: `${path}/${step}`,
      summary: `${step} an auth flow`,
      area: 'console',
      handle: (page) => takeStep(page, step),
    }),
  ),
];
