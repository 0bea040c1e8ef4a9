import { writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { platform } from '../../../../functions/credentials/flows/domain/platform.ts';
import { lookAtDocuments } from '../../../../functions/credentials/flows/domain/take-signed.ts';
import { fileKey, items } from '../../../../functions/credentials/items/domain/item.ts';
import { files } from '../../../../shared/files/files.ts';
import type { PlatformDocument } from '../../../../shared/platform/shapes.ts';
import { signXades } from '../../../../shared/signing/xades/sign.ts';
import { serveSandbox } from '../../../cli/sandbox.ts';
import { forFile } from '../../../runner/for-file.ts';
import { logOf } from '../../../shared/http/log-of.ts';
import { keyIn, storeCredential } from '../verification/stored-credentials.ts';

const sandbox = await forFile(serveSandbox());
beforeEach(() => {
  vi.stubEnv('Certificates__TrustAnchors', sandbox.pki('root.crt'));
  vi.stubEnv('Network__AllowPrivateAddresses', 'true');
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** A transcript that waits, whose document the platform says was signed with this person's certificate. */
async function takenFrom(cpf: string) {
  const key = await keyIn(sandbox.pki('holders', `${cpf}.p12`));
  const document = { id: 'signed-elsewhere', url: null, cpfs: [cpf] };
  const { item } = await storeCredential({ kind: 'transcript' });
  const [file] = item.files;
  const stored = await items.get(item);
  if (!stored || !file) throw new Error('A transcript has a file.');
  await items.change(stored, { files: [{ ...file, document }] });
  const original = await files('credentials').read(fileKey(item, file), 1e6);
  const bytes = await signXades(original ?? Buffer.of(), key, { signingTimeMs: Date.now() });
  vi.spyOn(platform, 'readDocument').mockResolvedValue({ status: 'Concluded' } as PlatformDocument);
  vi.spyOn(platform, 'downloadSigned').mockImplementation(async (_, path) => {
    await writeFile(path, bytes);
    return { length: bytes.length };
  });
  const { lines } = await logOf(() => lookAtDocuments(item, 'event', Date.now, {}));
  const taken = await items.get(item);
  const { signed, problem } = taken?.files[0] ?? {};
  return { state: taken?.state, signed, problem, lines };
}

test('a signed file is taken with the judgement that its certificate was valid then', async () => {
  const taken = await takenFrom('52998224725');
  expect(taken).toMatchObject({ state: 'Concluded', signed: { wasJudgedValid: true }, problem: null });
});

test.each([
  ['revoked', '56072386105'],
  ['not trusted', '87378011126'],
])('a file that was signed with a certificate that is %s is not taken, and says why', async (_, cpf) => {
  const taken = await takenFrom(cpf);
  expect(taken).toMatchObject({ state: 'Created', signed: null });
  expect(taken.problem).toContain('A certificate is not trusted, or was not valid.');
  expect(taken.lines).toMatchObject([{ level: 'ERROR', file: 'transcript' }]);
});

test('a file is taken although its certificates cannot be judged, and the log says so', async () => {
  vi.stubEnv('Certificates__TrustAnchors', '');
  const { lines, ...taken } = await takenFrom('52998224725');
  expect(taken).toMatchObject({ state: 'Concluded', signed: { wasJudgedValid: false } });
  expect(lines).toMatchObject([{ level: 'WARN', file: 'transcript' }]);
});
