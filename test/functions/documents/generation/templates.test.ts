import { expect, test } from 'vitest';
import { documentItems } from '../../../../functions/documents/domain/document/document.ts';
import {
  deleteOrganization,
  emptyOrganization,
} from '../../../../functions/documents/domain/removal/delete-organization.ts';
import { templateList, templates } from '../../../../functions/documents/domain/templates/template.ts';
import { handler as createDocuments } from '../../../../functions/documents/endpoints/templates/create-documents-by-template.ts';
import { handler as create } from '../../../../functions/documents/endpoints/templates/create-template.ts';
import { handler as remove } from '../../../../functions/documents/endpoints/templates/delete-template.ts';
import { handler as generate } from '../../../../functions/documents/endpoints/templates/generate-by-template.ts';
import { handler as get } from '../../../../functions/documents/endpoints/templates/get-template.ts';
import { handler as list } from '../../../../functions/documents/endpoints/templates/list-templates.ts';
import { handler as update } from '../../../../functions/documents/endpoints/templates/update-template.ts';
import { call } from '../../../requests/http-event.ts';
import { everyItem } from '../../../stores/whole-table.ts';
import { ownOrganization } from '../own-organization.ts';
import { anUpload } from '../sample-documents.ts';
import { documentsOf, run, uploaded } from './stage.ts';

const MARK = { pageNumber: 1, topLeftX: 10, topLeftY: 10, width: 60, height: 20 };
const LEASE = {
  name: 'Locação',
  flowActions: [
    { type: 'Approver', step: 1, user: { name: 'Bia Lima', email: 'bia@x.example' } },
    {
      type: 'Signer',
      step: 2,
      user: { name: '{{inquilino}}', identifier: '{{CPF do inquilino}}' },
      prePositionedMarks: [MARK],
    },
  ],
  documentName: 'Locação de {{inquilino}}',
  description: 'Olá, {{inquilino}}',
  expiresAfterDays: 30,
};
const VALUES = { inquilino: 'Ana Prado', 'CPF do inquilino': '52998224725' };

type Details = { readonly id: string; readonly version: number };

async function ownStage() {
  const { orgId, key } = await ownOrganization();
  const headers = { 'X-API-Key': key };
  const stored = async (json: object = LEASE) => (await call(create, { headers, json })).json() as Details;
  return { orgId, headers, stored };
}

test('a template is stored, listed, read as it was sent, and deleted', async () => {
  const { headers, stored } = await ownStage();
  const { id } = await stored();
  const values = ['inquilino', 'CPF do inquilino'];
  const answer = (await call(get, { headers, params: { id } })).json();
  expect(answer).toMatchObject({ ...LEASE, version: 1, values, observers: [], notifiedEmails: [], tags: [] });
  const listed = (await call(list, { headers, query: { Q: 'locacao' } })).json();
  expect(listed).toMatchObject({ items: [{ id, name: 'Locação', version: 1, values }], totalCount: 1 });
  expect((await call(remove, { headers, params: { id } })).status).toBe(204);
  expect((await call(get, { headers, params: { id } })).json()).toMatchObject({ code: 'TemplateNotFound' });
  expect((await call(list, { headers })).json()).toMatchObject({ items: [], totalCount: 0 });
});

test('of two people who change the version that both read, the second is refused', async () => {
  const { headers, stored } = await ownStage();
  const { id } = await stored();
  const change = (name: string, version: number) =>
    call(update, { headers, params: { id }, json: { ...LEASE, name, version } });
  const answers = await Promise.all(['a', 'b', 'c'].map((name) => change(name, 1)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
  const refused = answers.find(({ status }) => status === 422)?.json();
  expect(refused).toMatchObject({ code: 'TemplateChanged', details: { version: '1', currentVersion: '2' } });
  expect((await change('d', 2)).json()).toMatchObject({ name: 'd', version: 3 });
  expect((await call(list, { headers, query: { q: 'd' } })).json()).toMatchObject({ totalCount: 1 });
});

test('an earlier version is read as it was, the oldest of many are not kept, and all go with the template', async () => {
  const { headers, stored } = await ownStage();
  const { id } = await stored();
  const read = async (version?: string) =>
    (await call(get, { headers, params: { id }, query: version === undefined ? {} : { version } })).json();
  const change = (version: number) =>
    call(update, { headers, params: { id }, json: { ...LEASE, name: `v${version + 1}`, version } });
  await change(1);
  const by = { type: 'Application' };
  const versions = [
    { version: 2, name: 'v2', by },
    { version: 1, name: 'Locação', by },
  ];
  expect(await read('1')).toMatchObject({ ...LEASE, version: 1, versions });
  expect([await read('2'), await read('3')]).toMatchObject([await read(), { code: 'TemplateNotFound' }]);
  for (let version = 2; version <= 52; version += 1) await change(version);
  const { versions: kept } = (await read()) as { versions: { version: number }[] };
  expect([kept.length, kept[0]?.version, kept.at(-1)?.version]).toEqual([51, 53, 3]);
  expect([await read('2'), await read('3')]).toMatchObject([{ code: 'TemplateNotFound' }, { name: 'v3' }]);
  const items = async () =>
    (await everyItem('documents')).filter(({ pk }) => pk?.S?.startsWith(`TEMPLATE_VERSION#${id}#`)).length;
  expect(await items()).toBe(50);
  expect((await call(remove, { headers, params: { id } })).status).toBe(204);
  expect(await items()).toBe(0);
});

test('a template makes one document with people in its roles, or one for each line of a table', async () => {
  const { headers, stored, orgId } = await ownStage();
  const { id } = await stored();
  const json = { files: [{ id: await anUpload(orgId) }], values: VALUES };
  const [made] = (await call(createDocuments, { headers, params: { id }, json })).json() as {
    documentId: string;
  }[];
  const document = await documentItems.get(made?.documentId ?? '');
  expect(document).toMatchObject({
    name: 'Locação de Ana Prado',
    description: 'Olá, Ana Prado',
    flow: [
      { state: 'Pending', people: [{ name: 'Bia Lima' }] },
      { state: 'Created', people: [{ name: 'Ana Prado', identifier: '52998224725' }], marks: [{ page: 1 }] },
    ],
  });
  const days = ((document?.expiresAtMs ?? 0) - Date.now()) / 86_400_000;
  expect([days > 29.8, days < 31]).toEqual([true, true]);

  const table = 'inquilino,CPF do inquilino\nCaio,47363361886\nDora,1\n';
  const files = {
    templateFile: { id: await uploaded({ orgId }, 'Eu, {{inquilino}}', 'm.txt') },
    dataFile: { id: await uploaded({ orgId }, table, 'p.csv') },
  };
  const begun = await call(generate, { headers, params: { id }, json: files });
  expect([begun.status, begun.json()]).toMatchObject([200, { status: 'Pending', totalDocumentsCount: 2 }]);
  await run(begun.json() as { id: string });
  const { documents } = await documentsOf({ orgId });
  expect(documents.map(({ name }) => name).toSorted()).toEqual(['Locação de Ana Prado', 'Locação de Caio']);
  expect(documents.every(({ expiresAtMs }) => expiresAtMs === document?.expiresAtMs)).toBe(true);
});

test.each([
  ['without a value that it names', { inquilino: 'Ana' }, 'InvalidRequest', 'CPF do inquilino'],
  [
    'with a value that does not hold',
    { ...VALUES, 'CPF do inquilino': '1' },
    'InvalidRequest',
    'flowActions.1.user.identifier',
  ],
])('a template is not used %s, and the upload can be used again', async (_, values, code, reason) => {
  const { headers, stored, orgId } = await ownStage();
  const { id } = await stored();
  const json = { files: [{ id: await anUpload(orgId) }], values };
  for (let times = 0; times < 2; times++) {
    const refused = (await call(createDocuments, { headers, params: { id }, json })).json();
    expect(refused).toMatchObject({ code });
    expect(JSON.stringify(refused)).toContain(reason);
  }
});

test.each([
  ['a flow that no value could mend', { flowActions: [{ type: 'Nobody' }] }, 'InvalidRequest'],
  [
    'an option that is not kept',
    { flowActions: [{ ...LEASE.flowActions[0], colour: 'red' }] },
    'OptionNotSupported',
  ],
  [
    'a mark on an upload',
    {
      flowActions: [
        {
          ...LEASE.flowActions[1],
          prePositionedMarks: [{ ...MARK, uploadId: '44444444-4444-4444-8444-444444444444' }],
        },
      ],
    },
    'InvalidRequest',
  ],
])('a template is not stored with %s', async (_, more, code) => {
  const { headers } = await ownStage();
  expect((await call(create, { headers, json: { ...LEASE, ...more } })).json()).toMatchObject({ code });
});

test('a template is for its organization alone, and goes with it', async () => {
  const { stored, orgId, headers } = await ownStage();
  const { id } = await stored();
  const other = await ownStage();
  const asked = [
    { handler: get },
    { handler: remove },
    { handler: update, json: { ...LEASE, version: 1 } },
    { handler: createDocuments, json: { files: [{ id: await anUpload(other.orgId) }], values: VALUES } },
    { handler: generate, json: { templateFile: { id: orgId }, dataFile: { id: orgId } } },
  ];
  for (const { handler, ...body } of asked) {
    const answer = await call(handler, { headers: other.headers, params: { id }, ...body });
    expect([answer.status, answer.json()]).toMatchObject([404, { code: 'TemplateNotFound' }]);
  }
  expect((await call(list, { headers, query: { organizationId: other.orgId } })).status).toBe(404);
  await deleteOrganization(orgId, Date.now());
  await emptyOrganization(orgId, Date.now());
  expect(await templates.get(id)).toBeUndefined();
  expect((await templateList(orgId).slice({ offset: 0, limit: 9 })).total).toBe(0);
});
