import { describe, expect, test, vi } from 'vitest';
import { documents } from '../../../../functions/pki/documents/domain/document.ts';
import { removeFiles } from '../../../../functions/pki/domain/remove-files.ts';
import { signatureFolder, startedSignatures } from '../../../../functions/pki/signatures/domain/started.ts';
import { hashSecret } from '../../../../shared/access/secrets.ts';
import { files } from '../../../../shared/files/files.ts';
import { killedAt } from '../../../faults/crash.ts';
import { forFile } from '../../../runner/for-file.ts';
import { plainPdf } from '../../../shared/signing/pades/documents.ts';
import { everyItem } from '../../../stores/whole-table.ts';
import { authenticationStage } from '../authentication/stage.ts';
import { anotherKey, CONTENT, finishing, inJson, preparing, reading, signatureOver } from './stage.ts';

const stage = await forFile(authenticationStage());
const ana = stage.holder();
const pdf = await plainPdf('table');
const MINUTE_MS = 60_000;
const INVALID = { status: 422, code: 'InvalidToken' };

const starting = (file: Uint8Array = CONTENT) => preparing(ana, { file: inJson(file) });
const storedOf = (state: unknown) => startedSignatures.get(hashSecret(String(state)));

async function later<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now + ms);
  return work().finally(() => clock.mockRestore());
}

describe('the state of a signature', () => {
  test('is small, and says nothing to whoever has the store', async () => {
    const { state } = await starting(pdf);
    expect(String(state)).toMatch(/^[\w-]{43}$/);
    const stored = JSON.stringify(await storedOf(state));
    expect(stored.length).toBeLessThan(40_000);
    expect(stored).not.toContain(String(state));
    expect(stored).not.toContain(ana.certificate.der.toString('base64').slice(0, 100));
  });

  test('completes one signature, also where two come at one moment', async () => {
    const started = await starting();
    const value = signatureOver(started, ana);
    const answers = await Promise.all([1, 2, 3].map(() => finishing(started.state, value)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
    const stored = await storedOf(started.state);
    // A client that loses the answer finds the document.
    const used = { ...INVALID, details: { documentId: stored?.id } };
    expect(answers.filter(({ status }) => status === 422)).toMatchObject([used, used]);
    expect(await finishing(started.state, value)).toMatchObject(used);
    expect(await reading(stored?.id)).toMatchObject({ status: 200 });
    const left = await files('pki').list(signatureFolder(stored?.id ?? ''));
    expect(left.files).toHaveLength(2);
  });

  test('that was altered is of nothing', async () => {
    const started = await starting();
    const state = String(started.state);
    const altered = `${state.startsWith('A') ? 'B' : 'A'}${state.slice(1)}`;
    for (const each of [altered, state.slice(1), `${state}A`, 'x'])
      expect(await finishing(each, signatureOver(started, ana))).toMatchObject(INVALID);
    expect(await finishing(state, signatureOver(started, ana))).toMatchObject({ status: 200 });
  });

  test('is of the application that it was given to', async () => {
    const started = await starting();
    const other = await anotherKey();
    expect(await finishing(started.state, signatureOver(started, ana), other)).toMatchObject(INVALID);
    const document = await finishing(started.state, signatureOver(started, ana));
    expect(await reading(document.id, other)).toMatchObject({ status: 422, code: 'DocumentNotFound' });
    expect(await reading(document.id)).toMatchObject({ status: 200, id: document.id });
  });

  test('takes no signature of another certificate or of other bytes, and is not spent by one', async () => {
    const started = await starting();
    const another = await starting(pdf);
    for (const wrong of [
      signatureOver(started, stage.holderWith('rsa2048')),
      signatureOver(another, ana),
      Buffer.alloc(256).toString('base64'),
    ])
      expect(await finishing(started.state, wrong)).toMatchObject({ status: 422, code: 'InvalidSignature' });
    expect(await finishing(started.state, signatureOver(started, ana))).toMatchObject({ status: 200 });
  });

  test('ends after ten minutes', async () => {
    const started = await starting();
    const value = signatureOver(started, ana);
    expect(await later(10 * MINUTE_MS, () => finishing(started.state, value))).toMatchObject(INVALID);
    expect(await later(9 * MINUTE_MS, () => finishing(started.state, value))).toMatchObject({ status: 200 });
  });

  test('of a sealed record that was copied to another application opens nothing', async () => {
    const started = await starting();
    const stored = await storedOf(started.state);
    if (!stored) return expect.fail('It is stored.');
    const other = await anotherKey();
    const [application = ''] = String(other['X-API-Key']).split('|');
    await startedSignatures.change(stored, { application });
    expect(await finishing(started.state, signatureOver(started, ana), other)).toMatchObject(INVALID);
  });
});

describe('a signature that is killed', () => {
  test.each(['before', 'after'] as const)(
    'just %s any write of its start leaves no file that nobody removes',
    async (moment) => {
      for (let write = 1; ; write++) {
        const wasKilled = await killedAt(write, moment, () => starting(pdf));
        const { files: found } = await files('pki').list('signatures/');
        const planned = new Set((await everyItem('pki')).map(({ pk }) => pk?.S));
        const folders = found.map(({ key }) => key.replace(/[^/]+$/, ''));
        expect(folders.filter((each) => !planned.has(`DUE#files:${each}`))).toEqual([]);
        if (!wasKilled) break;
      }
    },
  );

  test.each(['before', 'after'] as const)(
    'just %s any write of its completion leaves no document, or a whole one',
    async (moment) => {
      for (let write = 1; ; write++) {
        const started = await starting(pdf);
        const value = signatureOver(started, ana);
        const wasKilled = await killedAt(write, moment, () => finishing(started.state, value));
        const stored = await storedOf(started.state);
        const document = await documents.get(stored?.id ?? '');
        const again = await finishing(started.state, value);
        // Whoever lost the answer completes again, or finds that it is done.
        if (document) expect(again).toMatchObject(INVALID);
        else expect(again).toMatchObject({ status: 200, id: stored?.id });
        const made = await documents.get(stored?.id ?? '');
        expect(await files('pki').head(made?.signed.key ?? 'none')).toMatchObject({
          length: made?.signed.size,
        });
        expect(await reading(stored?.id)).toMatchObject({ status: 200 });
        if (!wasKilled) break;
      }
    },
  );
});

test('a document can be fetched until its time, and its files go with it', async () => {
  const started = await starting();
  const { id, availableUntil } = await finishing(started.state, signatureOver(started, ana));
  const days = Date.parse(String(availableUntil)) - Date.now();
  expect(Math.round(days / 86_400_000)).toBe(30);
  expect(await later(days - MINUTE_MS, () => reading(id))).toMatchObject({ status: 200 });
  expect(await later(days + MINUTE_MS, () => reading(id))).toMatchObject({ code: 'DocumentNotFound' });
  await removeFiles(signatureFolder(String(id)));
  expect((await files('pki').list(signatureFolder(String(id)))).files).toEqual([]);
});
