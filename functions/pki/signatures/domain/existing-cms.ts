import { ifThrown } from '../../../../shared/errors/expected.ts';
import { readExisting } from '../../../../shared/signing/cades/existing.ts';
import { CmsMalformed } from '../../../../shared/signing/errors.ts';

const SEQUENCE = 0x30;
const PEM = '-----BEGIN';

/** Whether a file is a CMS signature, which another is added to. Any other file is content. */
export async function isCmsSignature(bytes: Buffer): Promise<boolean> {
  const mayBe = bytes[0] === SEQUENCE || bytes.subarray(0, PEM.length).toString('latin1') === PEM;
  return mayBe && readExisting(bytes, 'sha256').then(() => true, ifThrown(CmsMalformed, false));
}
