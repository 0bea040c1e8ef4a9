import { createHash } from 'node:crypto';
import { collection } from '../../../../shared/store/collection.ts';
import { readPartition } from '../../../../shared/store/partition.ts';
import type { Person } from '../flow/flow.ts';
import { type Document, documentPartition } from './document.ts';

// What is known of each electronic signature of a document. Each evidence holds the hash of the one before, and the
// document the hash of the last one; the seal of the concluded file holds it too:
//
//   evidence 1  <--previousSha256--  evidence 2  <--evidence.sha256--  document  and  name of the seal's field
//
// So none can be changed, added or taken away unnoticed once the file is sealed.

/** How the law calls it (Lei 14.063/2020, art. 4). No electronic signature here claims to be more. */
export const ELECTRONIC_SIGNATURE_TYPE = 'Simple';

export type AuthenticationType = 'Email' | 'SMS' | 'AuthenticatorApp' | 'Liveness' | 'Application';

export type Geolocation = {
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracy: number | null;
};

/** What an evidence says, in the order in which it is written. */
export type EvidenceFacts = {
  readonly flowActionId: string;
  readonly person: Person;
  readonly timestamp: string;
  readonly ipAddress: string;
  readonly userAgent: string | null;
  readonly authenticationTypes: readonly AuthenticationType[];
  readonly authenticatedEmail: string | null;
  readonly authenticatedPhoneNumber: string | null;
  readonly authenticatedApplication: { readonly name: string; readonly organizationName: string } | null;
  readonly livenessSessionId: string | null;
  readonly geolocation: Geolocation | null;
  readonly userTimeZoneOffset: number | null;
  /** The file that the person was shown. */
  readonly shownFile: { readonly sha256: string; readonly size: number };
  /** The sentence that the person agreed to; null where an application showed its own. */
  readonly agreement: string | null;
  readonly signatureImageSha256: string | null;
};

type EvidenceRecord = EvidenceFacts & {
  readonly version: 1;
  readonly documentId: string;
  readonly round: number;
  readonly sequence: number;
  readonly previousSha256: string | null;
  readonly signatureType: typeof ELECTRONIC_SIGNATURE_TYPE;
};

export type Evidence = {
  readonly documentId: string;
  readonly sequence: number;
  /** The evidence as JSON: these bytes are hashed. */
  readonly text: string;
  readonly sha256: string;
  /** The image of the signature, in the bucket. */
  readonly imageKey?: string;
};

type Id = Pick<Evidence, 'documentId' | 'sequence'>;

const PREFIX = 'EVIDENCE#';
const SEQUENCE_DIGITS = 6;

export const evidences = collection<Evidence, Id>({
  service: 'documents',
  name: 'evidence',
  id: ({ documentId, sequence }) => ({ documentId, sequence }),
  key: ({ documentId, sequence }) => ({
    pk: documentPartition(documentId),
    sk: `${PREFIX}${String(sequence).padStart(SEQUENCE_DIGITS, '0')}`,
  }),
});

/** The largest image of a signature. One that is drawn on a page has some kilobytes. */
export const MAX_IMAGE_BYTES = 102_400;

export const sha256Of = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** The next evidence of a document. */
export function nextEvidence(
  { id: documentId, round, evidence: head }: Pick<Document, 'id' | 'round' | 'evidence'>,
  facts: EvidenceFacts,
  imageKey?: string | undefined,
): Evidence {
  const sequence = (head?.sequence ?? 0) + 1;
  const record: EvidenceRecord = {
    version: 1,
    documentId,
    round,
    sequence,
    previousSha256: head?.sha256 ?? null,
    signatureType: ELECTRONIC_SIGNATURE_TYPE,
    ...facts,
  };
  const text = JSON.stringify(record);
  return { documentId, sequence, text, sha256: sha256Of(text), ...(imageKey !== undefined && { imageKey }) };
}

export const readEvidence = ({ text }: Pick<Evidence, 'text'>): EvidenceRecord =>
  JSON.parse(text) as EvidenceRecord;

/** Whether somebody has signed this version of a document electronically. */
export const isElectronic = ({ flow }: Pick<Document, 'flow'>): boolean =>
  flow.some(({ completions }) => completions.some(({ evidence }) => evidence !== undefined));

/** The evidences of a document, the oldest first. */
export const evidencesOf = async ({
  id,
  evidence,
}: Pick<Document, 'id' | 'evidence'>): Promise<Evidence[]> =>
  evidence ? (await readPartition('documents', documentPartition(id), PREFIX)).map(evidences.read) : [];

/** Why the evidences of a document are not those that were recorded; undefined if they are. */
export function chainProblemOf(
  { id, evidence: head }: Pick<Document, 'id' | 'evidence'>,
  chain: readonly Evidence[],
): string | undefined {
  let previous: string | null = null;
  for (const [index, each] of chain.entries()) {
    const number = index + 1;
    if (sha256Of(each.text) !== each.sha256) return `Evidence ${number} was changed.`;
    const { documentId, sequence, previousSha256 } = readEvidence(each);
    const isInPlace = documentId === id && sequence === number && previousSha256 === previous;
    if (!isInPlace) return `Evidence ${number} does not follow the one before it.`;
    previous = each.sha256;
  }
  return previous === (head?.sha256 ?? null) ? undefined : 'An evidence is missing, or was added.';
}
