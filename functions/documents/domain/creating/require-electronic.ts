import { readFile } from '../../../../shared/files/stored-file.ts';
import { openForSigning } from '../../../../shared/signing/pades/open-for-signing.ts';
import { sourceOf } from '../../../../shared/signing/pades/pdf/source.ts';
import { PdfRefused } from '../../../../shared/signing/pades/refused.ts';
import { errors } from '../../errors.ts';
import { refuseBecause, say } from '../../sentences/sentences.ts';
import { settings } from '../../settings.ts';
import type { Document } from '../document/document.ts';
import { offersLiveness, offersSms } from '../document/electronic-factors.ts';
import type { Flow } from '../flow/flow.ts';
import { readOrganization } from '../places/organization.ts';
import { preferencesOf } from '../places/preferences.ts';
import { requireSeal } from '../places/seal.ts';

type NewFile = Pick<Document, 'name' | 'original' | 'format'>;

/**
 * Refuses a flow with electronic signatures that could not be brought to its end: without a seal, a way to send its
 * codes, or a file that can be sealed. Once people have signed it is too late to find out.
 */
export async function requireElectronicPossible(
  flow: Flow,
  organizationId: string,
  documents: readonly NewFile[],
  nowMs: number,
): Promise<void> {
  const electronic = flow.filter((action) => action.electronic);
  if (electronic.length === 0) return;
  const organization = await readOrganization(organizationId);
  if (!preferencesOf(organization).signingWays.electronic)
    throw refuseBecause('ElectronicSignatureImpossible', say('electronic.not-chosen'));
  if (organization) requireSeal(organization, nowMs);
  requireFactors(electronic);
  for (const document of documents) await requireSealable(document);
}

function requireFactors(actions: Flow): void {
  for (const { electronic, people } of actions) {
    if (electronic?.factors.includes('Liveness') && !offersLiveness())
      throw errors.refuse('FactorNotOffered', { factor: 'Liveness' });
    if (!electronic?.factors.includes('SMS')) continue;
    if (!offersSms()) throw errors.refuse('FactorNotOffered', { factor: 'SMS' });
    const without = people.find(({ phone }) => phone === null);
    if (without) throw errors.refuse('PhoneRequired', { name: without.name });
  }
}

/** The evidence page is drawn into the file, so the limit is that of every drawing. */
async function requireSealable({ name, original, format }: NewFile): Promise<void> {
  const refuse = (reason: string) => errors.refuse('ElectronicSignatureImpossible', { name, reason });
  if (format !== 'PAdES')
    throw refuse('Only a PDF is signed electronically, and not with forceCadesSignature.');
  if (original.size > settings['Downloads:MaxDrawnBytes'])
    throw refuse('The file is larger than Downloads:MaxDrawnBytes.');
  try {
    openForSigning(sourceOf(await readFile('documents', original)));
  } catch (error) {
    if (!(error instanceof PdfRefused)) throw error;
    throw refuse(error.message);
  }
}
