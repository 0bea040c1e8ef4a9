import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { documentItems } from '../../../../../functions/documents/domain/document/document.ts';
import { documentList } from '../../../../../functions/documents/domain/document/document-lists.ts';
import { ORGANIZATION_ID } from '../../../../../functions/sandbox/sandbox-data.ts';
import { DUE_DISPATCHES, dispatches } from '../../../../../functions/session/domain/signing/dispatch.ts';
import { sweepStranded } from '../../../../../functions/session/domain/signing/sweep-stranded.ts';
import { dueItems } from '../../../../../shared/store/due/items.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { aSession } from '../../a-session.ts';
import { refusal, signatureIdIn, signPdf } from '../../calls.ts';
import { clockAhead, restoreSettings, setting } from '../../own-settings.ts';
import { aPdf, pdfOf } from '../../pdfs.ts';
import { type Interference, servePlatform } from '../../platform.ts';
import { sessionStage } from '../../stage.ts';

// Our platform creates a document and starts its signature in one call, of which each call of another does a part.
const STARTED = 'POST /api/documents/started';
const SEPARATE = [
  'POST /api/uploads',
  'POST /api/documents',
  'POST /api/documents/{id}/signature/certificate',
  'POST /api/documents/{id}/signature',
];

const stage = await forFile(sessionStage());
const pdf = await aPdf();
restoreSettings();
beforeEach(() => {
  setting('Log:Level', 'ERROR');
  stage.platform.calls.length = 0;
});
afterEach(async () => {
  stage.platform.interfere = () => undefined;
  for (const left of await underWay()) await dispatches.delete(left);
});

const on = (how: Interference) => {
  stage.platform.interfere = (call) => (call === STARTED ? how : undefined);
};
const all = documentList({ organizationId: ORGANIZATION_ID });
const documents = async () => documentItems.getMany((await all.slice({ offset: 0, limit: 100 })).ids);
const stateOf = async (id: string) => (await documentItems.get(id))?.state;
const sign = async (bytes: Uint8Array = pdf) => signPdf((await aSession()).sessionId, bytes);
const underWay = () =>
  Array.fromAsync(dueItems(dispatches, { partitions: DUE_DISPATCHES, nowMs: Date.now() + 3_600_000 }));
const callsOf = ({ calls }: { readonly calls: readonly string[] }) =>
  calls.map((call) => call.replace(/[0-9a-f-]{36}/, '{id}'));

test('a document is signed in two calls', async () => {
  expect(await stateOf(signatureIdIn(await sign()))).toBe('FlowConcluded');
  expect(callsOf(stage.platform)).toEqual([STARTED, SEPARATE[3]]);
});

test('where only the answer was lost, the document is found and its signature started again', async () => {
  on('answer-lost');
  const before = (await documents()).length;
  expect(await stateOf(signatureIdIn(await sign()))).toBe('FlowConcluded');
  expect(await documents()).toHaveLength(before + 1);
  expect(await underWay()).toEqual([]);
});

test.each([
  ['cuts the line', 'hang-up'],
  ['fails', { status: 500 }],
  ['is busy', { status: 429 }],
  ['answers in another shape', { status: 200, body: '{"ok":true}' }],
] as const)(
  'the call is 502 SIGNER_ERROR when the platform %s, and nothing else is tried',
  async (_, how) => {
    on(how);
    const before = (await documents()).length;
    expect(refusal(await sign()).slice(0, 2)).toEqual([502, 'SIGNER_ERROR']);
    expect(stage.platform.calls).not.toContain(SEPARATE[0]);
    expect(await documents()).toHaveLength(before);
  },
);

test('a document that arrives after its call was given up is canceled by the sweeper', async () => {
  const before = new Set((await documents()).map(({ id }) => id));
  stage.platform.interfere = (call) => {
    if (call !== STARTED) return undefined;
    clockAhead(60_000);
    return 'done-later';
  };
  expect(refusal(await sign()).slice(0, 2)).toEqual([422, 'SIGN_TIMEOUT']);
  await stage.platform.doLater();
  await sweepStranded(() => Date.now() + 660_000);
  const made = (await documents()).filter(({ id }) => !before.has(id));
  expect(made.map(({ state, signed }) => [state, signed])).toEqual([['Canceled', null]]);
});

describe('a refusal creates nothing, so that the separate calls follow', () => {
  test('a file that cannot be signed is refused with what the platform says of it', async () => {
    const before = (await documents()).length;
    const broken = Buffer.from('%PDF-1.7 and nothing that belongs to one');
    const [status, code, details] = refusal(await sign(broken));
    expect([status, code]).toEqual([422, 'SIGNER_REJECTED']);
    expect(details).toContain('DocumentNotSignable');
    expect(callsOf(stage.platform)).toEqual([STARTED, ...SEPARATE.slice(0, 2)]);
    expect(await documents()).toHaveLength(before);
  });

  test('and the next document is sent in one call again', async () => {
    on({ status: 422, body: '{"code":"NotToday"}' });
    signatureIdIn(await sign());
    stage.platform.interfere = () => undefined;
    stage.platform.calls.length = 0;
    signatureIdIn(await sign());
    expect(callsOf(stage.platform)).toEqual([STARTED, SEPARATE[3]]);
  });

  test('a file that is too large for one request on AWS is uploaded first', async () => {
    signatureIdIn(await sign(pdfOf(3 * 1024 * 1024 + 1)));
    expect(callsOf(stage.platform)).toEqual(SEPARATE);
  });
});

test('a platform of another is asked once, and then gets the separate calls', async () => {
  const foreign = await servePlatform({ isForeign: true });
  setting('Signer:BaseAddress', foreign.url);
  try {
    const before = (await documents()).length;
    for (const expected of [[STARTED, ...SEPARATE], SEPARATE, SEPARATE]) {
      foreign.calls.length = 0;
      expect(await stateOf(signatureIdIn(await sign()))).toBe('FlowConcluded');
      expect(callsOf(foreign)).toEqual(expected);
    }
    expect(await documents()).toHaveLength(before + 3);
    expect(await underWay()).toEqual([]);
  } finally {
    foreign.stop();
  }
});
