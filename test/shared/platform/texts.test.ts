import { expect, test } from 'vitest';
import { cutName, cutText } from '../../../shared/platform/text.ts';
import { clientBeforeServer, failureOf } from './a-client.ts';

const stage = clientBeforeServer();
const { client, within } = stage;
const long = 'A reason. '.repeat(50_000);
const isCut = (text: unknown) => String(text).length === 500 && String(text).endsWith('…');

test('a text is one line without control characters', () => {
  expect(cutText(' Expired.\r\n\0Revoked.\u0085')).toBe('Expired. Revoked.');
  expect(cutText('a'.repeat(500))).toBe('a'.repeat(500));
  expect(cutText('\uD800')).toBe('\uFFFD');
});

test('a cut splits no character', () => {
  for (const before of ['', 'a']) {
    expect(cutText(before + '😀'.repeat(300)).isWellFormed()).toBe(true);
    expect(cutName(`${'😀'.repeat(300)}${before}.pdf`).isWellFormed()).toBe(true);
    expect(cutText(before + '😀'.repeat(300))).not.toContain('\uFFFD');
  }
});

test('a long name keeps its extension', () => {
  const name = cutName(`${'a'.repeat(1_000)}.pdf.p7s`);
  expect(name).toHaveLength(255);
  expect(name).toMatch(/^a+…a+\.pdf\.p7s$/);
});

test('the code and the message of a refusal are cut', async () => {
  stage.answerJson({ code: long, message: `${long}\u0007` }, 422);
  const { code, message } = await failureOf(client.statusOf('d1', within()));
  expect([isCut(code), isCut(message)]).toEqual([true, true]);
});

test('the description of an unexpected shape is cut', async () => {
  stage.answerJson({ items: Array.from({ length: 1_000 }, () => ({})) });
  const { message } = await failureOf(client.pendingInFolder('f1', within()).next());
  expect(message.length).toBeLessThan(600);
  expect(message).toMatch(/…$/);
});

test('the reasons of validation results are cut together', async () => {
  const errors = Array.from({ length: 1_000 }, () => ({ message: 'Not\nvalid.' }));
  stage.answerJson({ success: false, validationResults: { errors } });
  const answer = await client.startSignature({ documentId: 'd1' }, Buffer.from('der'), within());
  expect(answer).toMatchObject({
    isAccepted: false,
    reason: expect.stringMatching(/^Not valid\. Not valid\./),
  });
  expect(isCut('reason' in answer && answer.reason)).toBe(true);
});

test('the reason, the status and the names of a document are cut', async () => {
  const named = { name: long, filename: `${long}.pdf`, folder: { id: 'f1', name: long } };
  stage.answerJson({ id: 'd1', ...named, status: long, statusUpdateReason: long, flowActions: [] });
  const document = await client.readDocument('d1', within());
  expect(isCut(document.statusUpdateReason)).toBe(true);
  expect(isCut(document.status)).toBe(true);
  expect(isCut(await client.statusOf('d1', within()))).toBe(true);
  expect([document.name.length, document.fileName.length]).toEqual([255, 255]);
  expect(document.fileName).toMatch(/\.pdf$/);
});

test('the name of a folder is cut', async () => {
  stage.answerJson({ id: 'f1', name: long });
  expect((await client.readFolder('f1', within()))?.name).toHaveLength(255);
});
