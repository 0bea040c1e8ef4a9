import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { putShare } from '../../../../functions/batch/storage/domain/change-share.ts';
import { explainShareFailure } from '../../../../functions/batch/storage/domain/share-failure.ts';
import { inputFiles } from '../../../../functions/batch/storage/domain/stores.ts';
import { forFile } from '../../../runner/for-file.ts';
import { shareStage } from './share-stage.ts';

const stage = await forFile(shareStage({ tls: true }));

// Above 2 MB the SDK would ask first whether it may send (Expect), over a connection that trusts public authorities only.
const LARGE_BYTES = 3_000_000;

test('with a certificate of its own authority: a large file is signed from a share to a share', async () => {
  vi.stubEnv('Storage__Work', 'share:acme/trabalho');
  const name = stage.newName();
  await stage.drop(name, randomBytes(LARGE_BYTES));
  await stage.scan();
  await stage.run();
  const [job] = await stage.jobsOf(name);
  expect(job).toMatchObject({ state: 'Completed', errorCode: null, staged: { length: LARGE_BYTES } });
  const output = await stage.server.at('trabalho').head(`output/${job?.outputName}`);
  expect(output?.length).toBeGreaterThan(LARGE_BYTES);
  expect(await stage.contentOf(name)).toBeUndefined();
});

test('without the authority it is not trusted, and the sentence says what to give', async () => {
  const { endpoint, bucket, accessKeyId, secretAccessKey } = stage.server;
  const facts = { endpoint, bucket, prefix: '', region: 'us-east-1', accessKeyId, secretAccessKey };
  await putShare({ name: 'untrusted', ...facts, authority: undefined });
  const error = await (await inputFiles('untrusted')).list('').catch((thrown: unknown) => thrown);
  expect(explainShareFailure('untrusted', error)).toMatch(
    /^The share untrusted has a TLS certificate that is not trusted .* with --ca-file/,
  );
});
