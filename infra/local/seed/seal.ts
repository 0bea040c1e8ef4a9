import { keepSeal } from '../../../functions/documents/domain/electronic/set-seal.ts';
import { organizations } from '../../../functions/documents/domain/places/organization.ts';
import { openKey } from '../../../functions/documents/domain/places/seal.ts';
import type { SandboxAuthority } from '../../../functions/sandbox/authority/domain/authority.ts';
import { holderEntry } from '../../../functions/sandbox/authority/domain/holder-file.ts';
import { HOLDERS } from '../../../functions/sandbox/authority/domain/holders.ts';
import { ORGANIZATION_ID } from '../../../functions/sandbox/sandbox-data.ts';

/** Gives the sandbox's organization the certificate of its company as its seal. One that an operator set stays. */
export async function seedSeal(authority: SandboxAuthority): Promise<void> {
  const organization = await organizations.get(ORGANIZATION_ID);
  const company = HOLDERS.find(({ name }) => name === organization?.identifier);
  if (organization?.state !== 'Active' || !company) return;
  const entry = holderEntry(authority, company);
  const { seal } = organization;
  const ours = Buffer.from(entry.certificate.der).toString('base64');
  // Another sealing key than that of the store, or an authority that was made again.
  const isKept = seal && 'sealedKey' in seal && 'plain' in (await openKey(ORGANIZATION_ID, seal.sealedKey));
  if (isKept && seal.certificate === ours) return;
  if (!seal || 'sealedKey' in seal) await keepSeal(ORGANIZATION_ID, entry, Date.now());
}
