import { expect, test } from 'vitest';
import { deadlineIn } from '../../../shared/async/deadline.ts';
import { PlatformUnreachable } from '../../../shared/platform/errors.ts';
import { clientBeforeServer, failureOf } from './a-client.ts';

const SIGNATURE = { success: true, token: 't', toSignHash: Buffer.alloc(32).toString('base64') };
const MADE = { document: { documentId: 'd1' }, signature: SIGNATURE };
const REQUEST = {
  file: { bytes: Buffer.from('%PDF-'), fileName: 'a.pdf' },
  contentType: 'application/pdf',
  signers: [{ name: 'Ana', cpf: '52998224725', email: 'ana@sandbox.example', step: 1 }],
  tag: { label: 'l', value: 'v' },
  disableNotifications: true,
  certificateDer: Buffer.from('certificate'),
};

const before = clientBeforeServer();
const { client, received, answer, answerJson } = before;
let nowMs = before.now();
const create = (request = REQUEST) =>
  client.createStarted(
    request,
    deadlineIn(60_000, () => nowMs),
  );

/** Later than any answer is remembered. */
const muchLater = () => {
  nowMs += 600_001;
};

test('the file, the flow and the certificate are one request', async () => {
  answerJson(MADE);
  expect(await create()).toMatchObject({
    documentId: 'd1',
    toSign: { token: 't', digestAlgorithm: 'SHA256' },
  });
  expect(received.map(({ call }) => call)).toEqual(['POST /api/documents/started']);
  expect(JSON.parse(received[0]?.text ?? '')).toEqual({
    file: {
      bytes: Buffer.from('%PDF-').toString('base64'),
      displayName: 'a.pdf',
      name: 'a.pdf',
      contentType: 'application/pdf',
    },
    flowActions: [
      {
        type: 'Signer',
        step: 1,
        user: { name: 'Ana', identifier: '52998224725', email: 'ana@sandbox.example' },
      },
    ],
    folderId: null,
    tags: [{ label: 'l', value: 'v' }],
    disablePendingActionNotifications: true,
    signature: { certificate: Buffer.from('certificate').toString('base64') },
  });
});

test.each([403, 404, 405, 501])(
  'a platform that answers %i does not have the operation, and is asked again in ten minutes',
  async (status) => {
    muchLater();
    answer((_, response) => response.writeHead(status).end('<html>'));
    expect([await create(), await create()]).toEqual([undefined, undefined]);
    expect(received).toHaveLength(1);
    muchLater();
    answerJson(MADE);
    expect(await create()).toMatchObject({ documentId: 'd1' });
  },
);

test('a refusal, or a certificate that is not accepted, creates nothing and is not remembered', async () => {
  muchLater();
  answerJson({ code: 'DocumentNotSignable' }, 422);
  expect(await create()).toBeUndefined();
  answerJson({ document: null, signature: { success: false } });
  expect(await create()).toBeUndefined();
  answerJson(MADE);
  expect(await create()).toBeDefined();
});

test.each([401, 500, 503])('after %i nobody knows what was created', async (status) => {
  answerJson({}, status);
  expect(await failureOf(create())).toBeInstanceOf(PlatformUnreachable);
});

test('a file of more than 3 MB is not sent', async () => {
  answerJson(MADE);
  const bytes = Buffer.alloc(3 * 1024 * 1024 + 1);
  expect(await create({ ...REQUEST, file: { bytes, fileName: 'a.pdf' } })).toBeUndefined();
  expect(received).toEqual([]);
});
