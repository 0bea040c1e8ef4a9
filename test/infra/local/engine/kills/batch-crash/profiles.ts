import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { putProfile, setKey } from '../../../../../../functions/batch/profiles/domain/change-profile.ts';
import { parseProfileFields } from '../../../../../../functions/batch/profiles/domain/fields.ts';
import { writePem } from '../../../../../../shared/pki/pem.ts';
import { openPkcs12 } from '../../../../../../shared/pki/pkcs12/open.ts';
import { joinEngine } from '../../crowd.ts';
import { PROFILES } from './files.ts';

const HOLDER = '52998224725';
const PIN = '1234';

/** The holder's key, its certificate, and the ones above it. */
export async function holderIn(dataDir: string) {
  const { entries } = await openPkcs12(readFileSync(join(dataDir, 'pki/holders', `${HOLDER}.p12`)), PIN);
  const [entry] = entries;
  if (!entry) throw new Error('A holder of the sandbox has a key.');
  return entry;
}

/** Creates the profiles that the sandbox lacks. Before the first kill: this process knows the stores of the first engine. */
export async function createProfiles(dataDir: string): Promise<void> {
  joinEngine(dataDir);
  const holder = await holderIn(dataDir);
  const certificate = writePem('CERTIFICATE', holder.certificate.der);
  const fields = [
    { name: PROFILES.encrypted, encryption: { certificate } },
    { name: PROFILES.unchecked, verify: false, checkCnab240: true, checkCnab240PaymentDates: false },
  ];
  for (const given of fields) {
    await putProfile('crash-run', parseProfileFields(given), Date.now());
    await setKey('crash-run', given.name, holder, Date.now());
  }
}
