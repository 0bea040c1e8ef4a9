import { describe, expect, test } from 'vitest';
import { signerOf } from '../../../../functions/sandbox/authority/domain/authority.ts';
import { importPkcs12 } from '../../../../functions/session/domain/vault/import.ts';
import { vaultOf } from '../../../../functions/session/domain/vault/vault.ts';
import { currentVerdict, renewVerdict, verdicts } from '../../../../functions/session/domain/verdicts.ts';
import { writePkcs12 } from '../../../../shared/pki/pkcs12/write.ts';
import { anyCpf } from '../../../agent/holders.ts';
import { forFile } from '../../../runner/for-file.ts';
import { createSession } from '../a-session.ts';
import { refusal } from '../calls.ts';
import { captureLog } from '../captured-log.ts';
import { issueCertificate } from '../issue-certificate.ts';
import { sessionStage } from '../stage.ts';

const HOUR_MS = 3_600_000;
const stage = await forFile(sessionStage());

describe('a certificate whose issuer is at an address that does not answer', () => {
  const options = { pin: '1234', issuerAddress: 'http://localhost:9/issuer.crt' };
  const inVault = async (more: object) => {
    const cpf = anyCpf();
    const { p12, ...issued } = await issueCertificate(stage.sandbox, { ...options, ...more, cpf });
    await importPkcs12(p12, '1234', Date.now());
    return { cpf, ...issued };
  };

  test('is judged by the chain of its file', async () => {
    const { cpf } = await inVault({ hasChain: true });
    expect((await createSession({ cpf, pin: '1234' })).status).toBe(201);
  });

  test('is STALE and not UNTRUSTED, and the log says why without its CPF', async () => {
    const { cpf, certificate } = await inVault({});
    const log = captureLog();
    const answer = await createSession({ cpf, pin: '1234' });
    log.restore();
    expect(refusal(answer)).toEqual([422, 'CERT_NOT_ACTIVE', 'status: STALE']);
    const lines = log.text().split('\n');
    const [refused = '', ...others] = lines.filter((line) => line.includes('A certificate cannot sign.'));
    expect([others, refused.includes(cpf)]).toEqual([[], false]);
    expect(JSON.parse(refused)).toMatchObject({
      level: 'WARN',
      sha256: certificate.sha256,
      status: 'STALE',
      reason: expect.stringMatching(
        /^The certificate of .+, who issued that of .+, is not at hand\. .*localhost/,
      ),
    });
  });

  test('is judged again a minute later, when its file has been imported with its chain', async () => {
    const { cpf, certificate, privateKey } = await inVault({});
    const nowMs = Date.now();
    const atFirst = await currentVerdict(undefined, { certificate }, nowMs);
    const chain = [signerOf(stage.sandbox.authority, 'intermediate').certificate];
    await importPkcs12(await writePkcs12({ privateKey, certificate, chain }, '1234', 1_000), '1234', nowMs);
    const [file] = await vaultOf(cpf);
    const later = async (seconds: number) =>
      (await currentVerdict(atFirst, { certificate, file }, nowMs + seconds * 1000)).status;
    expect([atFirst.status, await later(59), await later(61)]).toEqual(['STALE', 'STALE', 'ACTIVE']);
  });

  test('stays ACTIVE for the grace, though not beyond its own end', async () => {
    const { certificate } = await inVault({});
    const { sha256, der, notAfterMs } = certificate;
    const put = (activeAtMs: number) =>
      verdicts.put({ sha256, der, status: 'ACTIVE', judgedAtMs: activeAtMs, activeAtMs });
    const nowMs = Date.now();
    await put(nowMs - HOUR_MS);
    expect((await renewVerdict({ certificate }, nowMs)).status).toBe('ACTIVE');
    await put(notAfterMs - HOUR_MS);
    expect((await renewVerdict({ certificate }, notAfterMs)).status).toBe('EXPIRED');
  });
});
