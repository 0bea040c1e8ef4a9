import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { CallOptions } from './support/contract.ts';
import { file, form, pdf } from './support/files.ts';
import { ask } from './support/http.ts';
import { jpeg, png } from './support/images.ts';
import { items, type Limit, openServices, outcomeOf, type ServiceName, text } from './support/limits.ts';
import { sharedEngine } from './support/shared-engine.ts';

// Kilobytes can name any amount of work: docs/limits.md, "What one request may ask for", and what other pages say of names,
// images and tables.

const engine = sharedEngine();
const { url } = engine;
const [first, second] = engine.applications;
const CPF = '52998224725';
const orgId = first?.organization ?? '';
const services = await openServices(engine);
const outcome = (service: ServiceName, operation: string, options: CallOptions) =>
  outcomeOf(services[service], operation, options);

const upload = async (bytes: Uint8Array<ArrayBuffer> | string, name = 'a.pdf', type = 'application/pdf') =>
  (await services.documents.call('createUpload', { body: form({ file: file(bytes, name, type) }) })).json.id;

const approver = { type: 'Approver', user: { name: 'Bia Lima', email: 'bia@outside.example' } };
const container = { left: 10, bottom: 10, width: 100, height: 100 };
const mark = (elements: readonly object[]) => ({ container, elements });
const image = (bytes: Buffer) => ({
  elementType: 'Image',
  image: { resource: { content: bytes.toString('base64') } },
});
const addMarks = (...marks: readonly object[]) =>
  outcome('pki', 'addPdfMarks', {
    body: { file: { content: pdf('marked').toString('base64') }, marks, measurementUnits: 'PdfPoints' },
  });

/** Makes documents of a template and a table, as far as the answer to the request. */
async function generate(template: string, table: string): Promise<string> {
  const { status, json } = await startGeneration(template, table);
  if (status >= 400) return `${status} ${json.code}`;
  await services.documents.call('cancelGeneration', { path: { id: json.id }, expect: 'any' });
  return 'taken';
}

const startGeneration = async (template: string, table: string) =>
  services.documents.call('createGeneration', {
    expect: 'any',
    body: {
      templateFile: { id: await upload(template, 'a.txt', 'text/plain') },
      dataFile: { id: await upload(table, 'a.csv', 'text/csv') },
      flowActions: [approver],
    },
  });

/** Of a person without a certificate, under the seal of the second organization. */
async function signElectronically(bytes: Buffer<ArrayBuffer>): Promise<string> {
  const call = async (operation: string, options: CallOptions) =>
    (await services.documents.call(operation, { ...options, key: second?.keys.documents ?? '' })).json;
  const company = await fetch(`${url}/sandbox/holders/11222333000181.p12`);
  const pkcs12 = Buffer.from(await company.arrayBuffer()).toString('base64');
  await call('updateSeal', {
    path: { orgId: second?.organization ?? '' },
    body: { pkcs12, password: '1234' },
  });
  const uploadOf = async (content: File) =>
    (await call('createUpload', { body: form({ file: content }) })).id;
  const files = [{ id: await uploadOf(file(pdf('drawn'), 'a.pdf', 'application/pdf')) }];
  const user = { name: 'Ana Souza', identifier: CPF, email: 'ana@outside.example' };
  const flowActions = [{ type: 'Signer', allowElectronicSignature: true, user }];
  const [{ documentId: id }] = await call('createDocuments', { body: { files, flowActions } });
  const signatureImage = { id: await uploadOf(file(bytes, 'a.png', 'image/png')) };
  return outcome('documents', 'signElectronically', {
    path: { id },
    key: second?.keys.documents ?? '',
    body: { identifier: CPF, signatureImage },
  });
}

const branded = (branding: object) =>
  outcome('documents', 'updateBranding', { path: { orgId }, body: { displayName: 'Primeira', ...branding } });

const LIMITS: readonly Limit[] = [
  [
    'points of a PNG: rows of 2,000',
    2000,
    '422 CannotApplyPdfMarks',
    (n) => addMarks(mark([image(png(2000, n))])),
  ],
  [
    'points of a JPEG: rows of 5,000',
    5000,
    '422 CannotApplyPdfMarks',
    (n) => addMarks(mark([image(jpeg(5000, n))])),
  ],
  [
    'points of all PNG images: rows of 2,000',
    6000,
    '422 CannotApplyPdfMarks',
    (n) => addMarks(...[2000, 2000, 1000, n - 5000].map((rows) => mark([image(png(2000, rows))]))),
  ],
  [
    'characters of all QR codes',
    20_000,
    '422 CannotApplyPdfMarks',
    (n) =>
      addMarks(
        mark(
          [...items(39, () => 500), n - 39 * 500].map((length) => ({
            elementType: 'QRCode',
            qrCodeData: text(length),
          })),
        ),
      ),
  ],
  [
    'columns of a table of people',
    200,
    '422 DataFileNotUsable',
    (n) => generate('I, {{c0}}.', `${items(n, (i) => `c${i}`).join(',')}\nAna\n`),
  ],
  [
    'values of a line of a table',
    1000,
    '422 DataFileNotUsable',
    (n) => generate('I, {{name}}.', `name\nAna${','.repeat(n - 1)}\n`),
  ],
  [
    'letters of a text as template',
    524_288,
    '422 TemplateNotUsable',
    (n) => generate(`{{name}}${text(n - 8)}`, 'name\nAna\n'),
  ],
  [
    'bytes of an envelope',
    52_428_800,
    '413 InvalidRequest',
    async (n) => {
      const sizes = [...items(5, () => 10_000_000), n - 50_000_000];
      const files = [];
      for (const size of sizes) files.push({ id: await upload(pdf('part', size)) });
      const body = { files, flowActions: [approver], isEnvelope: true };
      return outcome('documents', 'createDocuments', { body });
    },
  ],
  [
    'bytes of the image of an electronic signature',
    100 * 1024,
    '422 SignatureImageNotUsable',
    (n) => signElectronically(png(1, 1, n)),
  ],
  [
    'bytes of a logo',
    100 * 1024,
    '400 InvalidRequest',
    (n) => branded({ logo: png(1, 1, n).toString('base64') }),
  ],
  ['characters of a name that is shown', 80, '400 InvalidRequest', (n) => branded({ displayName: text(n) })],
  [
    'origins that may show pages in a frame',
    20,
    '400 InvalidRequest',
    (n) =>
      outcome('documents', 'updateEmbedding', {
        path: { orgId },
        body: { origins: items(n, (i) => `https://app${i}.example`) },
      }),
  ],
  [
    'characters of a value of metadata',
    500,
    '400 InvalidRequest',
    (n) => outcome('pki', 'createSignatureSession', { body: { documentMetadata: { Contract: [text(n)] } } }),
  ],
  [
    'characters of a name of metadata',
    50,
    '400 InvalidRequest',
    (n) => outcome('pki', 'createSignatureSession', { body: { documentMetadata: { [text(n)]: ['a'] } } }),
  ],
];

test.each(LIMITS)('%s: %i', async (_, limit, refusal, play) => {
  const outcomes = [await play(limit - 1), await play(limit), await play(limit + 1)];
  expect(outcomes).toEqual(['taken', 'taken', refusal]);
});

test('an organization has 300 members', async () => {
  const ofSecond = { path: { orgId: second?.organization ?? '' }, key: second?.keys.documents ?? '' };
  const { items: members } = (await services.documents.call('listMembers', ofSecond)).json;
  const invite = (n: number) =>
    outcome('documents', 'inviteMember', {
      ...ofSecond,
      body: { name: `Member ${n}`, email: `member${n}@outside.example`, role: 'Owner' },
    });
  const outcomes = [];
  for (let n = members.length + 1; n <= 301; n++) outcomes.push(await invite(n));
  expect(outcomes.pop()).toBe('422 MaxMembersLimitReached');
  expect(new Set(outcomes)).toEqual(new Set(['taken']));
});

test('a correlation id of a caller has 128 characters', async () => {
  const answered = async (id: string) => {
    const answer = await ask(`${url}/documents/healthz`, { headers: { 'x-correlation-id': id } });
    return answer.headers.get('x-correlation-id');
  };
  for (const length of [127, 128]) expect(await answered(text(length))).toBe(text(length));
  expect(await answered(text(129))).toMatch(/^[0-9a-f-]{36}$/);
});

// What has asked for nothing is needed least, that of the longest silence first.
test('an address has 512 connections: one more ends the one needed least', async () => {
  const { port } = new URL(url);
  const sockets: Socket[] = [];
  const open = async () => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.7.1' });
    socket.on('error', () => {});
    await once(socket, 'connect');
    sockets.push(socket);
  };
  onTestFinished(() => void sockets.map((socket) => socket.destroy()));
  const isOpen = () => sockets.map((socket) => !socket.closed && !socket.readableEnded);
  await open();
  await Promise.all(items(511, open));
  const ofAnother = await ask(`${url}/documents/healthz`, { from: '127.0.7.2' });
  expect([ofAnother.status, isOpen().includes(false)]).toEqual([200, false]);
  const [oldest] = sockets;
  oldest?.resume();
  await open();
  await expect.poll(() => isOpen().filter((each) => !each).length).toBe(1);
  expect(isOpen()[0]).toBe(false);
  const one = await ask(`${url}/documents/healthz`, { from: '127.0.7.1' });
  expect(one.status).toBe(200);
});
