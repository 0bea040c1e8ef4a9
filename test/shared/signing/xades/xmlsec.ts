import { spawnSync } from 'node:child_process';
import type { KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writePem } from '../../../../shared/pki/pem.ts';
import type { Holder } from '../../../certificates/pki.ts';

const missing = spawnSync('xmlsec1', ['--version']).error !== undefined;
if (missing && process.env.CI) throw new Error('CI judges with xmlsec1, which is not installed.');
if (missing) console.warn('xmlsec1 is not installed: what it would judge is skipped.');

export const hasXmlsec = !missing;

export type Xmlsec = {
  /** 'OK', or what xmlsec1 says against the document's signature: the first one, or the one with this Id. */
  judge(document: Buffer, options?: { idElements?: readonly string[]; signatureId?: string }): string;
  /** Fills in the digests and the value of a signature's template: the first one, or the one with this Id. */
  sign(template: string, privateKey: KeyObject, idElements?: readonly string[], signatureId?: string): Buffer;
  remove(): void;
};

const idArguments = (names: readonly string[]): string[] =>
  ['SignedProperties', 'Signature', ...names].flatMap((name) => ['--id-attr:Id', name]);

type Authority = Pick<Holder, 'certificate'>;
type Authorities = { readonly root: Authority; readonly intermediate: Authority };

/** An outside judge that trusts one root. Elements that are signed by Id are named, because it reads no schema. */
export function xmlsec(pki: Authorities): Xmlsec {
  const folder = mkdtempSync(join(tmpdir(), 'sinete-xades-'));
  const file = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const root = file('root.pem', writePem('CERTIFICATE', pki.root.certificate.der));
  const intermediate = file('intermediate.pem', writePem('CERTIFICATE', pki.intermediate.certificate.der));
  const trust = ['--trusted-pem', root, '--untrusted-pem', intermediate];
  return {
    judge: (document, { idElements = [], signatureId } = {}) => {
      const { stdout, stderr } = spawnSync(
        'xmlsec1',
        [
          ...['--verify', ...trust, ...idArguments(idElements)],
          ...['--enabled-key-data', 'x509', ...(signatureId ? ['--node-id', signatureId] : [])],
          file('document.xml', document),
        ],
        { encoding: 'utf8' },
      );
      return /^OK$/m.test(stdout + stderr) ? 'OK' : stderr + stdout;
    },
    sign: (template, privateKey, idElements = [], signatureId = '') => {
      const pem = file('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }));
      const input = file('template.xml', template);
      const output = join(folder, 'signed.xml');
      const { status, stderr } = spawnSync(
        'xmlsec1',
        [
          ...['--sign', ...trust, '--privkey-pem', pem, ...idArguments(idElements)],
          ...(signatureId ? ['--node-id', signatureId] : []),
          ...['--output', output, input],
        ],
        { encoding: 'utf8' },
      );
      if (status !== 0) throw new Error(stderr);
      return readFileSync(output);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
