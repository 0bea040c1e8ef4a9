import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { approverSignatures } from '../../../../functions/batch/jobs/domain/job/approver-signatures.ts';
import type { Job } from '../../../../functions/batch/jobs/domain/job/job.ts';
import { profiles } from '../../../../functions/batch/profiles/domain/profile.ts';
import { files } from '../../../../shared/files/files.ts';
import { resultsOf } from '../../../../shared/pki/findings/validation-results.ts';
import { icpBrasilIdentity } from '../../../../shared/pki/icp-brasil/icp-brasil.ts';
import { readSignedData } from '../../../../shared/signing/cms/read.ts';
import { findSignatures, inMemory } from '../../../../shared/signing/verification/verify-file.ts';
import { folder, openssl } from '../../../shared/signing/cms/openssl.ts';
import { aPdf } from '../../session/pdfs.ts';
import { ANA, BRUNO, CARLA, paid } from './approval-stage.ts';
import { signingStage } from './signing-stage.ts';

const judged = folder();
const APPROVERS = [ANA, BRUNO, CARLA];
const ruleOf = (signerSet: string, quorum = 2) => ({ quorum, approvers: APPROVERS, signerSet });
const FIELDS = { format: 'Cades', checkCnab240: true };

const stage = await signingStage();
await stage.profile({ name: 'both', ...FIELDS, approval: ruleOf('ProfileAndApprovers') });
await stage.keyless({ name: 'people', ...FIELDS, approval: ruleOf('Approvers') });
afterAll(async () => {
  judged.remove();
  await stage.stop();
});

const outputOf = async ({ outputName }: Job): Promise<Buffer> => {
  const found = await files('batch').get(`output/${outputName}`);
  if (!found) throw new Error(`There is no output ${outputName}.`);
  return buffer(found.stream);
};

const trusted = async () => ({ status: 'ACTIVE', results: resultsOf([]) }) as const;

/** The CPF of each signer, all of them good for openssl and for our own verifier. */
async function signersOf(signed: Buffer, content: string, form: 'DER' | 'PEM' = 'DER'): Promise<string[]> {
  const root = new X509Certificate(readFileSync(stage.sandbox.pki('root.crt'))).toString();
  const { ok, says, stdout } = openssl(
    ...['cms', '-verify', '-cades', '-binary', '-inform', form, '-in', judged.file('signed', signed)],
    ...['-CAfile', judged.file('root.pem', root), '-purpose', 'any'],
  );
  expect([ok, says]).toEqual([true, expect.stringContaining('Verification successful')]);
  expect(stdout.toString('latin1')).toBe(content);
  const options = { judge: trusted, atMs: Date.now() };
  const { signatures } = await findSignatures('CAdES', inMemory(signed), options);
  return signatures
    .map(({ intact, certificate }) => (intact && certificate ? icpBrasilIdentity(certificate).cpf : '') ?? '')
    .toSorted();
}

/** A job that these people signed, taken to its end. */
async function signedBy(profile: string, people: readonly (typeof ANA)[], content = paid()) {
  const { id } = await stage.waiting(profile, undefined, content);
  for (const person of people) expect(await stage.sign(person, id)).toMatchObject({ outcome: 'signed' });
  await stage.run();
  return stage.job(id);
}

describe('one signature file holds all signers', () => {
  test('of the set ProfileAndApprovers: both approvers and the profile', async () => {
    const content = paid();
    const job = await stage.waiting('both', undefined, content);
    expect(await stage.sign(BRUNO, job.id)).toEqual({
      outcome: 'signed',
      released: false,
      approved: 1,
      required: 2,
    });
    const before = await stage.attempts('signed');
    expect(await stage.sign(CARLA, job.id)).toMatchObject({ released: true, approved: 2 });
    expect(await stage.attempts('signed')).toBe(before + 1);
    await stage.run();
    const done = await stage.job(job.id);
    expect(done).toMatchObject({ state: 'Completed', errorCode: null });
    // The profile has a key of Ana's CPF.
    expect(await signersOf(await outputOf(done), content)).toEqual(
      [CARLA.cpf, BRUNO.cpf, ANA.cpf].toSorted(),
    );
  });

  test('with two signatures of one person whose key is the profile’s too', async () => {
    const content = paid();
    const job = await signedBy('both', [ANA, BRUNO], content);
    expect(await signersOf(await outputOf(job), content)).toEqual([BRUNO.cpf, ANA.cpf, ANA.cpf].toSorted());
  });

  test('of the set Approvers: the approvers alone, of a profile that has no key', async () => {
    const content = paid();
    const job = await signedBy('people', [ANA, CARLA], content);
    expect(job).toMatchObject({ state: 'Completed', errorCode: null });
    expect(await signersOf(await outputOf(job), content)).toEqual([CARLA.cpf, ANA.cpf].toSorted());
  });

  test('as PEM text, with a timestamp of each signer', async () => {
    const rule = { approval: ruleOf('ProfileAndApprovers'), saveAsPem: true, timestamp: true };
    await stage.profile({ name: 'stamped', ...FIELDS, ...rule });
    vi.stubEnv('Signing__TimestampAuthorities', `${stage.sandbox.url}/sandbox/pki/timestamp`);
    const content = paid();
    const job = await signedBy('stamped', [BRUNO, CARLA], content);
    vi.stubEnv('Signing__TimestampAuthorities', undefined);
    expect(job.outputName).toMatch(/\.pem$/);
    const text = await outputOf(job);
    expect(await signersOf(text, content, 'PEM')).toEqual([CARLA.cpf, BRUNO.cpf, ANA.cpf].toSorted());
    const base64 = text.toString('latin1').replace(/-----.*-----/g, '');
    const { signers } = readSignedData(Buffer.from(base64, 'base64'));
    // id-aa-timeStampToken
    expect(signers.map(({ unsigned }) => unsigned.has('1.2.840.113549.1.9.16.2.14'))).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe('a stored signature', () => {
  const approved = async (waiting = stage.waiting('both')) => {
    const { id } = await waiting;
    await stage.sign(ANA, id);
    await stage.sign(BRUNO, id);
    return id;
  };
  const expectMissing = async (id: string) => {
    await stage.run();
    const job = await stage.job(id);
    expect(job).toMatchObject({
      state: 'Failed',
      errorCode: 'approval.signatures-missing',
      outputName: null,
    });
    expect(job.errorMessage).toContain(ANA.name);
  };
  const storedOf = async (jobId: string, { email: address }: { readonly email: string }) => {
    const found = await approverSignatures.get({ jobId, address });
    if (!found) throw new Error('It is stored.');
    return found;
  };

  test('that was removed fails the job with approval.signatures-missing, and nothing is signed', async () => {
    const id = await approved();
    await approverSignatures.delete(await storedOf(id, ANA));
    await expectMissing(id);
  });

  test('that was replaced by another person’s, or changed, is missing too', async () => {
    const id = await approved();
    const { state, signature } = await storedOf(id, BRUNO);
    await approverSignatures.change(await storedOf(id, ANA), { state, signature });
    await expectMissing(id);
    const next = await approved();
    await approverSignatures.change(await storedOf(next, ANA), { signature: 'AAAA' });
    await expectMissing(next);
  });

  test('over other content is missing too', async () => {
    const [one, two] = [await stage.waiting('both'), await stage.waiting('both')];
    const [id, other] = [await approved(Promise.resolve(one)), await approved(Promise.resolve(two))];
    const { state, signature } = await storedOf(other, ANA);
    await approverSignatures.change(await storedOf(id, ANA), { state, signature });
    await stage.run();
    expect(await stage.job(id)).toMatchObject({ errorCode: 'approval.signatures-missing' });
    expect(await stage.job(other)).toMatchObject({ state: 'Completed' });
  });
});

describe('the signer set is frozen with the job', () => {
  test('Approvers: the job is signed by them though the profile signs alone by now, with or without a key', async () => {
    await stage.keyless({ name: 'moving', ...FIELDS, approval: ruleOf('Approvers') });
    const content = paid();
    const { id } = await stage.waiting('moving', undefined, content);
    await stage.keyless({ name: 'moving', approval: ruleOf('Profile') });
    await stage.sign(ANA, id);
    await stage.sign(BRUNO, id);
    await stage.run();
    const job = await stage.job(id);
    expect(job).toMatchObject({ state: 'Completed' });
    expect(await signersOf(await outputOf(job), content)).toEqual([BRUNO.cpf, ANA.cpf].toSorted());
  });

  test('Profile: the profile’s key signs though approvers sign by now, and a key that is gone is profile.key-unavailable', async () => {
    await stage.profile({ name: 'frozen', ...FIELDS, approval: ruleOf('Profile') });
    const content = paid();
    const one = await stage.waiting('frozen', undefined, content);
    const two = await stage.waiting('frozen');
    await stage.keyless({ name: 'frozen', approval: ruleOf('Approvers') });
    for (const { email } of [BRUNO, CARLA]) await stage.decide(one.id, { email });
    await stage.run();
    expect(await signersOf(await outputOf(await stage.job(one.id)), content)).toEqual([ANA.cpf]);

    const stored = await profiles.get('frozen');
    if (stored) {
      const { certificate: _, chain: __, sealedKey: ___, ...rest } = stored;
      await profiles.put(rest);
    }
    for (const { email } of [BRUNO, CARLA]) await stage.decide(two.id, { email });
    await stage.run();
    expect(await stage.job(two.id)).toMatchObject({
      state: 'Failed',
      errorCode: 'profile.key-unavailable',
      outputName: null,
    });
  });
});

describe('a signer set that cannot be produced', () => {
  test.each([
    ['contrato.pdf', 'Pades'],
    ['nota.xml', 'Xades'],
  ])('as %s fails with approval.signer-set-unsupported before anybody is asked', async (name, format) => {
    await stage.profile({ name: 'any-format', approval: ruleOf('ProfileAndApprovers') });
    const content = format === 'Pades' ? await aPdf() : '<nota/>';
    const { id } = await stage.upload(name, content, { profile: 'any-format' });
    await stage.run();
    expect(await stage.job(id)).toMatchObject({
      state: 'Failed',
      format,
      errorCode: 'approval.signer-set-unsupported',
    });
  });

  test('because the external service signs by now fails the same, after the approval', async () => {
    await stage.profile({ name: 'leaving', ...FIELDS, approval: ruleOf('ProfileAndApprovers', 1) });
    const { id } = await stage.waiting('leaving');
    await stage.sign(ANA, id);
    vi.stubEnv('Signer__BaseAddress', 'http://localhost:9');
    vi.stubEnv('Signer__ApiKey', 'key');
    const signers = [{ ...BRUNO, step: 1 }];
    const approval = ruleOf('Profile');
    await stage.keyless({ name: 'leaving', method: 'ExternalSigner', externalSigner: { signers }, approval });
    await stage.run();
    vi.stubEnv('Signer__BaseAddress', undefined);
    vi.stubEnv('Signer__ApiKey', undefined);
    expect(await stage.job(id)).toMatchObject({ errorCode: 'approval.signer-set-unsupported' });
  });
});
