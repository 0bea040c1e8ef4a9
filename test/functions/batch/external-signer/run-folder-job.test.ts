import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { failJob, JobFailure } from '../../../../functions/batch/jobs/domain/engine/end-job.ts';
import type { Job } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { openOutput, openOutputs } from '../../../../functions/batch/jobs/domain/open-outputs.ts';
import { metricsLedger } from '../../../../functions/batch/operations/domain/metrics.ts';
import { readFlight } from '../../../../functions/batch/pipeline/domain/flight.ts';
import {
  putProfile,
  removeProfile,
  setKey,
} from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { parseProfileFields } from '../../../../functions/batch/profiles/domain/fields.ts';
import { openProfile } from '../../../../functions/batch/profiles/domain/open-profile.ts';
import { readProfile } from '../../../../functions/batch/profiles/domain/profile.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { testPki } from '../../../certificates/pki.ts';
import { forFile } from '../../../runner/for-file.ts';
import type { Call, Interference, RemoteDocument } from './folder-platform.ts';
import { folderStage } from './folder-stage.ts';

const stage = await forFile(folderStage());
afterEach(() => {
  stage.platform.documents.clear();
  stage.platform.calls.length = 0;
  stage.platform.interfere = () => undefined;
  vi.restoreAllMocks();
});

const OUTCOMES = ['signed', 'refused', 'no-longer-pending', 'failed'] as const;
const outcomes = async (): Promise<readonly number[]> => {
  const counts = [...(await metricsLedger.read((readNode) => readNode('')))];
  const of = (outcome: string) => (field: string) =>
    field.startsWith('bulk_signer_folder_signatures_total') && field.includes(`"${outcome}"`);
  return OUTCOMES.map((outcome) =>
    counts.reduce((sum, [field, count]) => sum + (of(outcome)(field) ? count : 0), 0),
  );
};

/** Answers one call of a run otherwise: the nth of its kind, counted from the start of the run. */
const onCall = (wanted: Call, interference: () => Interference, nth = 1): void => {
  let seen = 0;
  stage.platform.interfere = (call) => (call === wanted && ++seen === nth ? interference() : undefined);
};

type Run = { readonly job: Job; readonly document: RemoteDocument; readonly counted: readonly number[] };

/** Runs the job of a new document. The interference begins with the run. */
async function run(prepare: (document: RemoteDocument) => unknown = () => undefined): Promise<Run> {
  const document = stage.put();
  const { id } = await stage.take(document);
  const before = await outcomes();
  stage.platform.calls.length = 0;
  await prepare(document);
  await stage.run();
  const counted = (await outcomes()).map((count, i) => count - (before[i] ?? 0));
  expect(counted.reduce((sum, count) => sum + count)).toBe(1);
  return { job: await stage.job(id), document, counted };
}

const outcomeOf = ({ counted }: Run): string | undefined => OUTCOMES[counted.indexOf(1)];
const json = (value: unknown): Interference => ({ status: 200, body: JSON.stringify(value) });

describe('a run', () => {
  test('reads, starts, signs, completes and reads back', async () => {
    const ended = await run();
    expect(ended.job).toMatchObject({ state: 'Completed', errorCode: null, outputName: null });
    expect(ended.job.history.map(({ status }) => status)).toEqual([
      ...['Queued', 'Processing', 'Verifying', 'Completed'],
    ]);
    expect(outcomeOf(ended)).toBe('signed');
    expect(ended.document.signatures).toHaveLength(1);
    expect(stage.platform.calls).toEqual(['read', 'action-url', 'start', 'complete', 'read']);
    await expect(openOutput(ended.job.id)).rejects.toMatchObject({ code: 'job.output-unavailable' });
    await expect(openOutputs([ended.job.id])).rejects.toMatchObject({ code: 'job.output-unavailable' });
  });

  test('is completed where only the reading back fails', async () => {
    const ended = await run(() => onCall('read', () => ({ status: 500 }), 2));
    expect(ended.job.state).toBe('Completed');
    expect(ended.job.history.at(-1)?.message).toMatch(/could not be read back/);
    expect(outcomeOf(ended)).toBe('signed');
  });

  test('is completed where the answer to the signature is lost and the document shows it', async () => {
    const ended = await run(() => onCall('complete', () => 'answer-lost'));
    expect(ended.job.state).toBe('Completed');
    expect(ended.document.signatures).toHaveLength(1);
  });
});

describe('a run whose end cannot be recorded leaves its job to the recovery', () => {
  /** The store fails once, right after a call of the run. */
  const failAfter = (call: Call, nth: number, change: () => unknown = () => undefined): void =>
    onCall(
      call,
      () => {
        change();
        vi.spyOn(dynamo(), 'send').mockImplementationOnce(() =>
          Promise.reject(new Error('The store fails.')),
        );
        return undefined;
      },
      nth,
    );

  const recovered = async (id: string): Promise<Job> => {
    expect((await readFlight()).slots).toMatchObject([{ jobId: id }]);
    await stage.recover();
    expect((await readFlight()).slots).toEqual([]);
    return stage.job(id);
  };

  test.each([
    ['the platform took the signature', 'complete', 1, 'Processing'],
    ['the document was read back', 'read', 2, 'Verifying'],
  ] as const)('after %s: it is Completed', async (_, call, nth, state) => {
    const document = stage.put();
    const { id } = await stage.take(document);
    failAfter(call, nth);
    await stage.run();
    expect(await stage.job(id)).toMatchObject({ state, errorCode: null });
    expect(await recovered(id)).toMatchObject({ state: 'Completed', errorCode: null });
    expect(document.signatures).toHaveLength(1);
  });

  test('after the document moved on: it is Canceled', async () => {
    const document = stage.put();
    const { id } = await stage.take(document);
    failAfter('read', 1, () => stage.platform.documents.delete(document.id));
    await stage.run();
    expect(await stage.job(id)).toMatchObject({ state: 'Processing', errorCode: null });
    expect(await recovered(id)).toMatchObject({ state: 'Canceled', errorCode: null });
  });
});

describe('a document that moved on is left alone, and its job is canceled without a code', () => {
  const CHANGES: readonly (readonly [string, (document: RemoteDocument) => unknown])[] = [
    ['canceled there', (document) => Object.assign(document, { status: 'Canceled' })],
    ['signed there', ({ flowActions: [action] }) => action && Object.assign(action, { status: 'Completed' })],
    ['deleted there', ({ id }) => stage.platform.documents.delete(id)],
    ['moved to another folder', (document) => Object.assign(document, { folder: { id: randomUUID() } })],
    [
      'with another flow',
      ({ flowActions: [action] }) => action && Object.assign(action, { id: randomUUID() }),
    ],
  ];

  test.each(CHANGES)('%s before the run', async (_, change) => {
    const ended = await run(change);
    expect(ended.job).toMatchObject({ state: 'Canceled', errorCode: null });
    expect(ended.job.errorMessage).toBe(ended.job.history.at(-1)?.message);
    expect(outcomeOf(ended)).toBe('no-longer-pending');
    expect(ended.document.signatures).toEqual([]);
    expect(stage.platform.calls).toEqual(['read']);
  });

  test.each(['action-url', 'start', 'complete'] as const)('deleted before the call %s', async (call) => {
    const ended = await run(({ id }) =>
      onCall(call, () => {
        stage.platform.documents.delete(id);
        return undefined;
      }),
    );
    expect(ended.job).toMatchObject({ state: 'Canceled', errorCode: null });
    expect(outcomeOf(ended)).toBe('no-longer-pending');
  });

  test.each(['start', 'complete'] as const)(
    'signed by its holder elsewhere before the call %s',
    async (call) => {
      const ended = await run(({ flowActions: [action] }) =>
        onCall(call, () => {
          if (action) action.status = 'Completed';
          return undefined;
        }),
      );
      expect(ended.job).toMatchObject({ state: 'Canceled', errorCode: null });
      expect(ended.document.signatures).toEqual([]);
    },
  );
});

describe('a run fails with its code', () => {
  const failsWith = async (
    ended: Run,
    errorCode: string,
    outcome: string,
    message?: RegExp,
  ): Promise<void> => {
    expect(ended.job).toMatchObject({ state: 'Failed', errorCode });
    if (message) expect(ended.job.errorMessage).toMatch(message);
    expect(outcomeOf(ended)).toBe(outcome);
  };

  const OUTAGES: readonly (readonly [string, Interference, RegExp])[] = [
    ['hangs', 'silence', /answer|time/i],
    ['hangs up', 'hang-up', /reached/],
    ['answers 500', { status: 500 }, /500/],
    ['is busy for longer than a run', { status: 429, headers: { 'retry-after': '3600' } }, /429/],
    ['answers HTML', { status: 200, body: '<html></html>' }, /not JSON/],
    ['answers another shape', { status: 200, body: '{"x":1}' }, /another shape/],
  ];

  describe.each(OUTAGES)('where the platform %s', (_, interference, message) => {
    test.each(['read', 'action-url', 'start'] as const)('at the call %s', async (call) => {
      const ended = await run(() => onCall(call, () => interference));
      await failsWith(ended, 'signer-folder.signature-failed', 'failed', message);
      expect(ended.document.signatures).toEqual([]);
    });

    test('at the call complete: nobody knows whether it is signed', async () => {
      const ended = await run(() => onCall('complete', () => interference));
      await failsWith(ended, 'signer-folder.interrupted', 'failed', /check the document/);
    });
  });

  test('a platform that is busy for a moment is waited for', async () => {
    const ended = await run(() => onCall('start', () => ({ status: 429, headers: { 'retry-after': '1' } })));
    expect(ended.job.state).toBe('Completed');
    expect(ended.document.signatures).toHaveLength(1);
  });

  test.each([
    ['key', 'https://platform.example/document/action?ticket=t'],
    ['ticket', 'https://platform.example/document/key/k/action'],
  ])('an action URL without %s', async (_, url) => {
    const ended = await run(() => onCall('action-url', () => json({ url })));
    await failsWith(ended, 'signer-folder.action-url-malformed', 'failed');
    expect(stage.platform.calls).toEqual(['read', 'action-url']);
  });

  test('a refused start, and a refused signature', async () => {
    const refused = () => json({ success: false });
    await failsWith(await run(() => onCall('start', refused)), 'signer-folder.signature-refused', 'refused');
    await failsWith(
      await run(() => onCall('complete', refused)),
      'signer-folder.signature-refused',
      'refused',
    );
    const body = JSON.stringify({ code: 'CertificateRevoked', message: 'It is revoked.' });
    const named = await run(() => onCall('start', () => ({ status: 422, body })));
    await failsWith(named, 'signer-folder.signature-refused', 'refused', /It is revoked/);
  });

  test.each([
    ['another length', { toSignHash: Buffer.alloc(20).toString('base64'), digestAlgorithm: 'SHA256' }],
    [
      'an algorithm that signs nothing new',
      { toSignHash: Buffer.alloc(20).toString('base64'), digestAlgorithm: 'SHA1' },
    ],
  ])('a hash of %s', async (_, toSign) => {
    const ended = await run(() => onCall('start', () => json({ success: true, token: 't', ...toSign })));
    await failsWith(ended, 'signer-folder.signature-failed', 'failed');
    expect(ended.job.folderDocument?.keyReachedAtMs).toBeNull();
    expect(stage.platform.calls).not.toContain('complete');
  });

  test('a key that does not sign: the document is untouched', async () => {
    const profile = await readProfile('folder');
    const { signer } = profile ? await openProfile(profile) : {};
    if (!signer) throw new Error('The profile has no key.');
    vi.spyOn(signer, 'signHash').mockRejectedValue(new Error('The token was removed.'));
    const ended = await run();
    await failsWith(ended, 'signer-folder.key-unavailable', 'failed');
    expect(ended.document).toMatchObject({ status: 'Pending', signatures: [] });
    expect(stage.platform.calls).not.toContain('complete');
  });

  test('a reason of any length is cut to 2,000 characters, so that it can be recorded', async () => {
    const { id } = await stage.take(stage.put());
    const claimed = await stage.claim();
    if (!claimed) throw new Error('No job waits.');
    const failure = new JobFailure('signer-folder.signature-failed', 'x'.repeat(500_000));
    await failJob(claimed, failure, {}, Date.now());
    const { state, errorMessage, history } = await stage.job(id);
    expect([state, errorMessage?.length, history.at(-1)?.message.length]).toEqual(['Failed', 2_000, 2_000]);
  });

  test('a certificate that is not valid', async () => {
    await setKey('test', 'folder', testPki().holder(), Date.now());
    const ended = await run();
    await failsWith(ended, 'job.certificate-invalid', 'failed');
    await stage.bind('folder', stage.folderId);
  });

  test('a profile that left the method or the folder, was removed or is degraded', async () => {
    const put = (fields: object) =>
      putProfile('test', parseProfileFields({ name: 'folder', ...fields }), Date.now());
    const left = await run(() => put({ method: 'Local', signerFolder: null }));
    await failsWith(left, 'signer-folder.profile-changed', 'failed');
    await stage.bind('folder', stage.folderId);
    const other = await run(() => put({ signerFolder: { folderId: randomUUID() } }));
    await failsWith(other, 'signer-folder.profile-changed', 'failed');
    await stage.bind('folder', stage.folderId);
    const gone = await run(async () => {
      stage.platform.folders.clear();
      await stage.sweep();
    });
    await failsWith(gone, 'profile.degraded', 'failed', /no folder/);
    await stage.bind('folder', stage.folderId);
    await stage.sweep();
    const removed = await run(() => removeProfile('test', 'folder', Date.now()));
    await failsWith(removed, 'profile.degraded', 'failed', /no longer exists/);
    await stage.bind('folder', stage.folderId);
  });
});
