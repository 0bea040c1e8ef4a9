import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SQSEvent } from 'aws-lambda';
import { vi } from 'vitest';
import { pollSigners } from '../../../../functions/batch/external-signer/domain/poll/poll-signers.ts';
import type { Job } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { TASKS_QUEUE } from '../../../../functions/batch/jobs/domain/job/tasks.ts';
import { claimJob } from '../../../../functions/batch/pipeline/domain/claim-job.ts';
import { handler as runTask } from '../../../../functions/batch/pipeline/workers/run-task.ts';
import { putProfile } from '../../../../functions/batch/profiles/domain/change-profile.ts';
import { parseProfileFields } from '../../../../functions/batch/profiles/domain/fields.ts';
import { signerOf } from '../../../../functions/sandbox/authority/domain/authority.ts';
import { files } from '../../../../shared/files/files.ts';
import { sendDueMessages } from '../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { localKey } from '../../../../shared/signing/key.ts';
import { signFile } from '../../../../shared/signing/sign-file.ts';
import { plainPdf } from '../../../shared/signing/pades/documents.ts';
import { drainQueue } from '../../drain-queue.ts';
import { batchStage } from '../stage.ts';
import { type FakeDocument, startFakePlatform } from './fake-platform.ts';

export const ANA = { name: 'Ana Souza', cpf: '52998224725', email: 'ana@sandbox.example', step: 1 };
export const BRUNO = { name: 'Bruno Lima', cpf: '47363361886', email: 'bruno@sandbox.example', step: 2 };

export const LATER_MS = 600_000;

/** The batch service, and a platform in memory that it hands documents to. */
export async function signerStage() {
  const stage = await batchStage();
  const platform = await startFakePlatform();
  vi.stubEnv('Signer__BaseAddress', platform.url);
  vi.stubEnv('Signer__ApiKey', 'app|secret');
  const folder = mkdtempSync(join(tmpdir(), 'sinete-signers-'));
  const pdf = await plainPdf('table');

  const profile = (name: string, signers: readonly (typeof ANA)[], fields: object = {}): Promise<unknown> =>
    putProfile(
      'test',
      parseProfileFields({ name, method: 'ExternalSigner', externalSigner: { signers }, ...fields } as never),
      Date.now(),
    );
  await profile('signer', [ANA, BRUNO]);

  const poll = (offsetMs = 0, hasTime = () => true): Promise<void> =>
    pollSigners({ ...stage.worker, now: () => Date.now() + offsetMs, hasTime });

  const documentOf = ({ id }: Pick<Job, 'id'>): FakeDocument => {
    const [document, ...others] = platform.of(id);
    if (!document || others.length > 0) throw new Error(`${others.length} more documents.`);
    return document;
  };

  /** The file as these people sign it, one after another. */
  async function signAs(
    bytes: Buffer,
    format: 'pades' | 'cades' | 'xades',
    cpfs: readonly string[],
  ): Promise<Buffer> {
    let signed = bytes;
    for (const cpf of cpfs) {
      const [input, output] = [join(folder, 'input'), join(folder, 'output')];
      writeFileSync(input, signed);
      const { privateKey, certificate } = signerOf(stage.sandbox.authority, cpf);
      await signFile(input, output, {
        format,
        key: localKey(privateKey, certificate, []),
        signingTimeMs: Date.now(),
      });
      signed = readFileSync(output);
    }
    return signed;
  }

  const sweep = scheduleHandler('batch', 'send-due', sendDueMessages('batch'), () => Date.now() + LATER_MS);
  const runTasks = async (): Promise<void> => {
    await sweep();
    await drainQueue('batch', TASKS_QUEUE, runTask as (event: SQSEvent) => ReturnType<typeof runTask>);
  };

  return {
    ...stage,
    platform,
    pdf,
    profile,
    poll,
    documentOf,
    signAs,
    runTasks,
    /** Uploads a file and runs the pipeline. Answers the job. */
    async dispatched(name: string, options: { content?: Buffer; profile?: string; format?: string } = {}) {
      const { content = pdf, profile: named = 'signer', ...others } = options;
      const { id } = await stage.upload(name, content, { profile: named, ...others });
      await stage.run();
      return stage.job(id);
    },
    /** Both sign. */
    async conclude(job: Job, cpfs: readonly string[] = [ANA.cpf, BRUNO.cpf]): Promise<void> {
      const document = documentOf(job);
      document.signed = await signAs(document.original, 'pades', cpfs);
      document.status = 'Concluded';
    },
    /** What other workers and the sweeper do after the lease of a killed one has ended. */
    async recover(): Promise<void> {
      const claimed = await claimJob(Date.now() + LATER_MS);
      if (claimed) await stage.process(claimed);
      await runTasks();
    },
    keysOf: async (prefix: string): Promise<string[]> =>
      (await files('batch').list(prefix)).files.map(({ key }) => key),
    async stop() {
      rmSync(folder, { recursive: true });
      await platform.stop();
      await stage.stop();
    },
  };
}
