import { randomUUID } from 'node:crypto';
import { deadlineIn } from '../../../../shared/async/deadline.ts';
import { files } from '../../../../shared/files/files.ts';
import { readFile } from '../../../../shared/files/stored-file.ts';
import { parseCertificate } from '../../../../shared/pki/certificate/certificate.ts';
import { localKey, type SigningKey } from '../../../../shared/signing/key.ts';
import { readImage } from '../../../../shared/signing/pades/appearance/read-image.ts';
import { onPages } from '../../../../shared/signing/pades/on-pages.ts';
import { PdfRefused } from '../../../../shared/signing/pades/refused.ts';
import { signPades } from '../../../../shared/signing/pades/sign.ts';
import type { Document } from '../document/document.ts';
import { chainProblemOf, type Evidence, evidencesOf, readEvidence, sha256Of } from '../document/evidence.ts';
import { readNewest } from '../document/newest-file.ts';
import { sealFieldOf } from '../document/seal-field.ts';
import type { DrawnMark } from '../downloads/drawn/draw-request.ts';
import { drawInWorker } from '../downloads/drawn/worker-pool.ts';
import { readImages } from '../downloads/evidence-texts.ts';
import { manifestOf } from '../downloads/manifest.ts';
import { marksOf } from '../downloads/printed-texts.ts';
import { requireCurrentOrganization } from '../places/organization.ts';
import {
  type CloudSeal,
  type KeptSeal,
  openKey,
  openSession,
  requireSeal,
  type Seal,
} from '../places/seal.ts';
import { type ShownMark, visibleOf } from '../signing/signature-input.ts';
import { isTimestamping, timestampWithConfiguredAuthorities } from '../signing/timestamps.ts';
import { cloud } from './cloud.ts';

export type SealedFile = { readonly key: string; readonly size: number };

// The task of a conclusion has two minutes for all of it.
const DRAWING_MS = 30_000;
const DEADLINE_MS = 80_000;
// The hub signs in so long, or not at all.
const SIGN_MS = 60_000;

/**
 * Writes the final file of a document that was signed electronically, sealed with the organization's certificate. Every
 * call writes a file of its own, and the document names one. Throws where the evidences are not those recorded.
 */
export async function sealDocument(document: Document, nowMs: number): Promise<SealedFile> {
  const { id, organizationId, evidence } = document;
  const chain = await evidencesOf(document);
  const problem = chainProblemOf(document, chain);
  if (problem || !evidence) throw new Error(`The document ${id} is not sealed: ${problem ?? 'no evidence.'}`);
  const organization = await requireCurrentOrganization(organizationId);
  const key = await openSeal(organizationId, requireSeal(organization, nowMs), () => nowMs);
  const unsealed = await finalBytes(document, chain, { organizationName: organization.name, nowMs });
  const sealed = await signPades(unsealed.bytes, key, {
    signingTimeMs: nowMs,
    visible: visibleOf(onPages(unsealed.bytes, unsealed.marks.flatMap(appearanceOf))),
    field: sealFieldOf(evidence.sha256),
    name: organization.name,
    reason: `Selo da organização. Evidências das assinaturas eletrônicas: SHA-256 ${evidence.sha256}`,
    stamp: isTimestamping() ? timestampWithConfiguredAuthorities : undefined,
  });
  const stored = `documents/${id}/signed/seal-${document.round}-${randomUUID()}`;
  await files('documents').put(stored, sealed, { contentType: document.original.contentType });
  return { key: stored, size: sealed.length };
}

/** The images of signatures, each as its evidence has recorded it. */
async function requireImages(chain: readonly Evidence[]): ReturnType<typeof readImages> {
  const images = await readImages(chain);
  for (const each of chain) {
    const image = images.get(each.sha256);
    if (image && sha256Of(image) !== readEvidence(each).signatureImageSha256)
      throw new Error(`The image of evidence ${each.sequence} of ${each.documentId} was altered.`);
  }
  return images;
}

type FinalContext = { readonly organizationName: string; readonly nowMs: number };

type FinalFile = {
  readonly bytes: Uint8Array;
  /** The marks that are not on its pages yet: the seal shows them. */
  readonly marks: readonly DrawnMark[];
};

/**
 * The pages with the marks of the signatures, and the manifest after them. A file that holds signatures already stays as
 * it is, since a page more would break them: the manifest of it is apart, and the seal binds its evidences all the same.
 * Who signed it with a certificate is shown in it already.
 */
async function finalBytes(
  document: Document,
  chain: readonly Evidence[],
  { organizationName, nowMs }: FinalContext,
): Promise<FinalFile> {
  const images = await requireImages(chain);
  const marks = marksOf(document, images, ({ certificate }) => certificate === null);
  if (document.signed) return { bytes: await readNewest(document), marks };
  const original = await readFile('documents', document.original);
  const concluded: Document = { ...document, state: 'Concluded' };
  const context = { sha256: sha256Of(original), organizationName, nowMs, chain };
  const drawing = await drawInWorker(
    {
      kind: 'final',
      original,
      marks: marksOf(document, images),
      manifest: manifestOf(concluded, context),
      title: document.name,
      atMs: nowMs,
    },
    DRAWING_MS,
    { organizationId: document.organizationId, deadlineAtMs: nowMs + DEADLINE_MS, now: () => nowMs },
  );
  if ('bytes' in drawing) return { bytes: drawing.bytes, marks: [] };
  // The next run of the task has the machine for itself. What can never be drawn has its manifest apart.
  if ('notDrawn' in drawing && drawing.notDrawn === 'too-long')
    throw new Error(`The document ${document.id} is not sealed yet: drawing its pages took too long.`);
  return { bytes: original, marks };
}

/** A mark as the seal shows it; none without a place. */
function appearanceOf({ title, name, detail, image, place }: DrawnMark): ShownMark[] {
  if (place === null) return [];
  const lines = [title, name, detail].filter((line) => line !== '');
  if (image && isReadable(image)) return [{ place, lines, image, border: true }];
  return [
    title === '' ? { place, lines, border: true } : { place, stamp: { title, name, details: [detail] } },
  ];
}

/** One that cannot be read is left out: the name stands for it. */
function isReadable(image: Uint8Array): boolean {
  try {
    readImage(image);
    return true;
  } catch (error) {
    if (error instanceof PdfRefused) return false;
    throw error;
  }
}

const readCertificate = (base64: string) => parseCertificate(Buffer.from(base64, 'base64'));

const notOpening = (organizationId: string, problem: string): Error =>
  new Error(
    `The seal of the organization ${organizationId} does not open: ${problem} Or set it again: npm run admin -- organizations seal ${organizationId} FILE.p12`,
  );

/** The key of an organization's seal, wherever it is. Throws an Error for operators where it does not open. */
const openSeal = (organizationId: string, seal: Seal, now: () => number): Promise<SigningKey> =>
  'sealedKey' in seal ? openKept(organizationId, seal) : openInCloud(organizationId, seal, now);

async function openKept(organizationId: string, { sealedKey, certificate, chain }: KeptSeal) {
  const opened = await openKey(organizationId, sealedKey);
  if ('problem' in opened) throw notOpening(organizationId, opened.problem);
  return localKey(opened.plain, readCertificate(certificate), chain.map(readCertificate));
}

async function openInCloud(
  organizationId: string,
  { sealedSession, alias, certificate, chain }: CloudSeal,
  now: () => number,
): Promise<SigningKey> {
  const opened = await openSession(organizationId, sealedSession);
  if ('problem' in opened) throw notOpening(organizationId, opened.problem);
  const session = opened.plain;
  return {
    certificate: readCertificate(certificate),
    chain: chain.map(readCertificate),
    // The seal is over SHA-256, which signPades takes by default.
    signHash: (_, hash) => cloud.hub.signHash({ session, hash, alias }, deadlineIn(SIGN_MS, now)),
  };
}
