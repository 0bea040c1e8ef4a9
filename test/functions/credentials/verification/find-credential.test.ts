import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { takingCode } from '../../../../functions/credentials/items/domain/codes.ts';
import { type Item, items } from '../../../../functions/credentials/items/domain/item.ts';
import { newVerificationCode } from '../../../../functions/credentials/items/domain/verification-code.ts';
import { checkFiles } from '../../../../functions/credentials/verification/domain/check-files.ts';
import { findCredential } from '../../../../functions/credentials/verification/domain/find-credential.ts';
import { files } from '../../../../shared/files/files.ts';
import type { SigningKey } from '../../../../shared/signing/key.ts';
import { dropAllCached } from '../../../../shared/store/cached.ts';
import { serveSandbox } from '../../../cli/sandbox.ts';
import { forFile } from '../../../runner/for-file.ts';
import { logOf } from '../../../shared/http/log-of.ts';
import { ownStores } from '../../own-stores.ts';
import { keyIn, STUDENT, signedKeyOf, storeCredential } from './stored-credentials.ts';

let ana: SigningKey;
let bruno: SigningKey;

beforeEach(() => {
  vi.stubEnv('Certificates__TrustAnchors', sandbox.pki('root.crt'));
  vi.stubEnv('Network__AllowPrivateAddresses', 'true');
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  dropAllCached();
});

const holder = (cpf: string): Promise<SigningKey> => keyIn(sandbox.pki('holders', `${cpf}.p12`));
const outcomesOf = async (code: string) => (await findCredential(code))?.files.map(({ outcome }) => outcome);

await forFile(ownStores());
const sandbox = await forFile(serveSandbox());
[ana, bruno] = await Promise.all([holder('52998224725'), holder('47363361886')]);

describe('the public part of a credential', () => {
  test('a degree has its course, both institutions, its dates, and who signed each file', async () => {
    const takenAtMs = Date.now() - 1_000;
    const { code } = await storeCredential({ signers: [ana, bruno], takenAtMs });
    const found = await findCredential(code);
    const { studentName, course, issuingIes } = STUDENT;
    expect(found).toMatchObject({
      ...{ kind: 'degree', code, standing: 'valid', studentName, course, issuingIes },
      ...{ studentCpf: '***.444.777-**', registeringIes: 'Universidade Registradora', type: null },
      ...{ reason: null, cancellationReason: null, concludedAtMs: takenAtMs },
      ...{ createdAtMs: Date.UTC(2026, 2, 2, 15), changedAtMs: Date.UTC(2026, 2, 4, 15) },
    });
    const signature = (digits: string) => ({
      signer: `SANDBOX HOLDER ***.${digits}-**`,
      ...{ cpf: `***.${digits}-**`, isTimeProven: false, outcome: 'valid', reasons: [] },
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    });
    const valid = { outcome: 'valid', reasons: [], signatures: [signature('982.247'), signature('633.618')] };
    expect(found?.files).toEqual([
      { name: 'diploma', ...valid },
      { name: 'academic-documentation', ...valid },
    ]);
  });

  test('a transcript has its type and no registrar', async () => {
    const { code } = await storeCredential({ kind: 'transcript', signers: [ana] });
    const found = await findCredential(code);
    expect(found).toMatchObject({ kind: 'transcript', type: 'Final', registeringIes: null });
    expect(found?.files).toMatchObject([{ name: 'transcript', outcome: 'valid' }]);
  });

  test('no CPF is in it, whatever the institution wrote where', async () => {
    const written = 'de 529.982.247-25';
    const texts = { studentName: written, course: written, issuingIes: written, registeringIes: written };
    const { code } = await storeCredential({
      ...{ signers: [ana, bruno], data: texts, state: 'Canceled', reason: written },
    });
    const found = JSON.stringify(await findCredential(code));
    expect(found.match(/de \*\*\*\.982\.247-\*\*/g)).toHaveLength(5);
    expect(found).not.toMatch(/52998224725|529\.982|47363361886|11144477735/);
  });

  test('who has a social name is called by it alone', async () => {
    const { code } = await storeCredential({ data: { studentSocialName: 'Ana Souza' } });
    const found = await findCredential(code);
    expect(found?.studentName).toBe('Ana Souza');
    expect(JSON.stringify(found)).not.toContain(STUDENT.studentName);
  });

  test.each([
    ['Created', 'waiting', null],
    ['Concluded', 'valid', null],
    ['CanceledTemporarily', 'suspended', 'Why'],
    ['Canceled', 'annulled', 'Why'],
  ])('of %s it says %s, and why', async (state, standing, reason) => {
    const { code } = await storeCredential({ state, reason: 'Why' });
    expect(await findCredential(code)).toMatchObject({ standing, reason });
  });

  test.each([
    ['Approved', undefined],
    ['Registered', 'waiting'],
    ['Signed', 'valid'],
    ['Canceled', 'annulled'],
  ])('of a request to register a degree from elsewhere that is %s it says %s', async (state, standing) => {
    const { item } = await storeCredential({ signers: [ana] });
    const code = newVerificationCode('1', '2');
    const request: Item = { ...item, kind: 'registration', state, files: item.files.slice(0, 1) };
    await items.create(request, { also: [takingCode(code, request)] });
    const found = await findCredential(code);
    expect(found?.standing).toBe(standing);
    if (found) expect(found).toMatchObject({ kind: 'degree', registeringIes: 'Universidade Registradora' });
  });

  test('it is not concluded before its last file is signed', async () => {
    const { item } = await storeCredential({ signers: [ana] });
    const code = newVerificationCode('1', '2');
    const [first, second] = item.files;
    if (!first || !second) throw new Error('A degree has two files.');
    const half: Item = { ...item, id: `${item.id}-half`, files: [first, { ...second, signed: null }] };
    await items.create(half, { also: [takingCode(code, half)] });
    const found = await findCredential(code);
    expect(found?.concludedAtMs).toBeNull();
    expect(found?.files.at(1)).toMatchObject({ outcome: 'unsigned', signatures: [] });
  });

  test('a code may be typed with capitals, spaces around it and marks that nobody sees', async () => {
    const { code } = await storeCredential();
    expect(await findCredential(` \u200E${code.toUpperCase()}\n`)).toMatchObject({ code });
  });

  test.each([
    ['unknown', newVerificationCode('1234', '567')],
    ['empty', ''],
    ['malformed', '1234.567'],
    ['of another place', '../../etc/passwd'],
    ['endless', '1'.repeat(10_000)],
  ])('there is none for a code that is %s', async (_, code) => {
    expect(await findCredential(code)).toBeUndefined();
  });

  test('there is none for the code of something that is not public', async () => {
    const { item } = await storeCredential();
    const code = newVerificationCode('1', '2');
    await items.create(
      { ...item, kind: 'curriculum' },
      { also: [takingCode(code, { ...item, kind: 'curriculum' })] },
    );
    expect(await findCredential(code)).toBeUndefined();
  });
});

describe('a signature is shown as our verifier finds it', () => {
  test('a file that was changed after it was signed is not valid', async () => {
    const alter = (signed: Buffer) => Buffer.from(signed.toString().replace('Engenharia', 'Medicina'));
    const { code } = await storeCredential({ signers: [ana], alter });
    const [file] = (await findCredential(code))?.files ?? [];
    expect(file).toMatchObject({
      outcome: 'invalid',
      signatures: [{ outcome: 'invalid', reasons: ['HASH_FAILURE'] }],
    });
  });

  test.each([
    ['revoked before', '56072386105', 'invalid', 'REVOKED_NO_POE'],
    ['of nobody who is trusted', '87378011126', 'invalid', 'NO_CERTIFICATE_CHAIN_FOUND'],
    ['of somebody whose list cannot be had', '15350946056', 'undetermined', 'TRY_LATER'],
  ])('a certificate that is %s', async (_, cpf, outcome, reason) => {
    const { code } = await storeCredential({ signers: [await holder(cpf)] });
    const found = await findCredential(code);
    expect(found?.files[0]).toMatchObject({ outcome, signatures: [{ outcome, reasons: [reason] }] });
  });

  test('a certificate that has expired is known as it was found when the file was taken', async () => {
    const signers = [await holder('12345678909')];
    const [{ certificate } = ana] = signers;
    const inTimeMs = (certificate.notBeforeMs + certificate.notAfterMs) / 2;
    const found = async (takenAtMs: number, wasJudgedValid: boolean) =>
      outcomesOf((await storeCredential({ kind: 'transcript', signers, takenAtMs, wasJudgedValid })).code);
    expect(await found(inTimeMs, true)).toEqual(['valid']);
    expect(await found(inTimeMs, false)).toEqual(['undetermined']);
    // Expired before it was taken: nobody can have found it valid.
    expect(await found(Date.now(), true)).toEqual(['invalid']);
  });

  test('a revocation counts for more than what was found when the file was taken', async () => {
    const signers = [await holder('56072386105')];
    const { code } = await storeCredential({ kind: 'transcript', signers, wasJudgedValid: true });
    expect(await outcomesOf(code)).toEqual(['invalid']);
  });
});

describe('signatures that could not be checked are never called valid', () => {
  /** The outcomes, and that the log tells of it. */
  async function uncheckedAfter(harm: (item: Item) => Promise<void> | void): Promise<unknown> {
    const { code, item } = await storeCredential({ kind: 'transcript', signers: [ana] });
    await harm(item);
    const { result, lines } = await logOf(() => outcomesOf(code));
    expect(lines).toMatchObject([{ level: 'ERROR', kind: 'transcript', file: 'transcript' }]);
    return result;
  }
  const put = (item: Item, bytes: Buffer) =>
    files('credentials').put(signedKeyOf(item, 'transcript'), bytes, { contentType: 'application/xml' });

  test('the file is gone', async () => {
    const harm = (item: Item) => files('credentials').remove(signedKeyOf(item, 'transcript'));
    expect(await uncheckedAfter(harm)).toEqual(['unchecked']);
  });

  test('the file was replaced, by a signed one even', async () => {
    const other = await storeCredential({ kind: 'transcript', signers: [ana] });
    const bytes = await files('credentials').read(signedKeyOf(other.item, 'transcript'), 1e6);
    expect(await uncheckedAfter(async (item) => void (await put(item, bytes ?? Buffer.alloc(0))))).toEqual([
      'unchecked',
    ]);
  });

  test('the file is larger than a signed one can be', async () => {
    const harm = () => void vi.stubEnv('Xml__MaxBytes', '1000');
    expect(await uncheckedAfter(harm)).toEqual(['unchecked']);
  });

  test('no root is trusted', async () => {
    expect(await uncheckedAfter(() => void vi.stubEnv('Certificates__TrustAnchors', ''))).toEqual([
      'unchecked',
    ]);
  });

  test('the bucket does not answer', async () => {
    const { item } = await storeCredential({ kind: 'transcript', signers: [ana] });
    const bucket = mockClient(S3Client);
    bucket.on(GetObjectCommand).callsFake(() => new Promise(() => {}));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const { result } = await logOf(async () => {
        const checking = checkFiles(item);
        await vi.advanceTimersByTimeAsync(15_000);
        return checking;
      });
      expect(result).toMatchObject([{ outcome: 'unchecked' }]);
    } finally {
      bucket.restore();
    }
  });
});

describe('a check is kept for some minutes', () => {
  const remove = (item: Item) => files('credentials').remove(signedKeyOf(item, 'transcript'));
  const quietly = async (code: string) => (await logOf(() => outcomesOf(code))).result;

  test('a view reads no file that was verified minutes ago, and does after five', async () => {
    const { code, item } = await storeCredential({ kind: 'transcript', signers: [ana] });
    expect(await outcomesOf(code)).toEqual(['valid']);
    await remove(item);
    expect(await outcomesOf(code)).toEqual(['valid']);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 300_000 });
    expect(await quietly(code)).toEqual(['unchecked']);
  });

  test('not where revocation could not be learned: the next view asks again', async () => {
    const signers = [await holder('15350946056')];
    const { code, item } = await storeCredential({ kind: 'transcript', signers });
    expect(await outcomesOf(code)).toEqual(['undetermined']);
    await remove(item);
    expect(await quietly(code)).toEqual(['unchecked']);
  });
});
