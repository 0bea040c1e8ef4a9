import { createHash, randomUUID } from 'node:crypto';
import { files } from '../../../../shared/files/files.ts';
import { FileGone, readFile, streamFile } from '../../../../shared/files/stored-file.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';
import { isoDate } from '../calendar.ts';
import { type TicketHolder, tickets } from '../document/action-link.ts';
import { changeDocument } from '../document/change-document.ts';
import type { Document } from '../document/document.ts';
import { actIdOf, electronicActs } from '../document/electronic-act.ts';
import {
  applicationOf,
  factorsOf,
  requireElectronic,
  viaOf,
  type Way,
} from '../document/electronic-factors.ts';
import {
  type AuthenticationType,
  type EvidenceFacts,
  evidences,
  type Geolocation,
  nextEvidence,
  sha256Of,
} from '../document/evidence.ts';
import { newestFile } from '../document/newest-file.ts';
import { shownOf } from '../document/shown.ts';
import type { Completion, Mark } from '../flow/flow.ts';
import { actChange, requireOpen } from '../signing/acting.ts';
import { placeChosen } from '../signing/place-marks.ts';
import { requireReceivedUpload } from '../uploads/take-or-collect.ts';
import { fileOf } from '../uploads/upload.ts';
import { type Codes, requireCodes } from './check-codes.ts';
import { requireImage, requireImageSize } from './image.ts';

/** What somebody gives to sign electronically. */
export type ElectronicSignature = {
  readonly codes: Codes;
  /** The document as the page showed it, by `shownOf`; null where an application shows it. */
  readonly shown: string | null;
  /** The sentence that they agreed to; null where an application shows its own. */
  readonly agreement: string | null;
  /** PNG or JPEG; or an upload of the document's organization that is one. */
  readonly image?: Uint8Array | { readonly uploadId: string } | undefined;
  /** Where a PDF shows it, in place of the marks of the action. */
  readonly marks?: readonly Mark[] | undefined;
  readonly geolocation: Geolocation | null;
  readonly userTimeZoneOffset: number | null;
  /** From where, and with what. */
  readonly ipAddress: string;
  readonly userAgent: string | null;
};

/** Somebody whose signature is awaited, and how they came. */
export type ElectronicSigner = TicketHolder & { readonly way: Way };

// The page is open twice, and both send the right code:
//
//   one    |--reads--|--document, evidence 1, act deleted: one write--|
//   other    |--reads------|--refused; reads: this person has acted already
//
// The document changes while its page is open:
//
//   person  |--page shows 1.0.0 ---------------------- form: signs 1.0.0 -- refused, and shown 1.1.0 --|
//   other              |--signs with a certificate: 1.1.0 --|
//
// The name of what was shown is compared with the document that is written, so that the hash in the evidence is of the file
// that the person read, and not of the one that took its place.
//
// The image is stored before, under a key of its own. A function that is killed in between leaves it to the deletion of
// the document; the code stays good for another try.

/** Signs electronically: evidence, flow, event and the used codes are one write. */
export async function signElectronically(
  find: () => Promise<ElectronicSigner>,
  signature: ElectronicSignature,
  nowMs: number,
): Promise<void> {
  let image: KeptImage | undefined;
  const shown = new Map<string, EvidenceFacts['shownFile']>();
  const sign = async () => {
    const signer = await find();
    const { document, action, person, way } = signer;
    requireOpen(document, 'acted', nowMs);
    requireElectronic(signer);
    if (signature.shown !== null && signature.shown !== shownOf(document)) throw shownAnother();
    const actId = actIdOf(document.id, signer);
    const act = await electronicActs.get(actId);
    const { asked } = factorsOf(action, way);
    const { organizationId } = document;
    const check = {
      ...actId,
      organizationId,
      holderId: person.id,
      via: viaOf(way),
      asked,
      codes: signature.codes,
    };
    const used = await requireCodes(act, check, nowMs);
    const marks = placeChosen(signature.marks ?? [], document);

    const { key } = newestFile(document);
    const shownFile = shown.get(key) ?? (await hashFile(document));
    shown.set(key, shownFile);
    image ??= signature.image && (await keepImage(document, signature.image));
    const livenessSessionId = act?.liveness?.sessionId;
    const facts = factsOf(signer, signature, { shownFile, image, livenessSessionId }, nowMs);
    const evidence = nextEvidence(document, facts, image?.key);
    const { sequence, sha256 } = evidence;
    const completion: Completion = {
      by: person,
      atMs: nowMs,
      certificate: null,
      evidence: { sequence, sha256, ...(marks.length > 0 && { marks }) },
    };
    await changeDocument(
      document,
      actChange(document, action, completion, {
        patch: { evidence: { sequence, sha256 } },
        also: [
          evidences.creating(evidence),
          ...unrevoked(signer.way),
          ...used,
          ...(act ? [electronicActs.deleting(act)] : []),
        ],
      }),
    );
  };
  // An app that was set up at two links is confirmed once.
  await retryOnConflict(sign, { mayCreate: true });
}

/** A link that was revoked meanwhile signs nothing. */
const unrevoked = (way: Way): Write[] => ('link' in way ? [tickets.unchanged(way.link)] : []);

type Gathered = Pick<EvidenceFacts, 'shownFile'> & {
  readonly image: KeptImage | undefined;
  readonly livenessSessionId: string | undefined;
};

function factsOf(
  { action, person, way, location }: ElectronicSigner,
  signature: ElectronicSignature,
  { shownFile, image, livenessSessionId }: Gathered,
  nowMs: number,
): EvidenceFacts {
  const { asked, given } = factorsOf(action, way);
  const used = new Set<AuthenticationType>([...given, ...asked]);
  const application = applicationOf(way);
  return {
    flowActionId: action.id,
    person,
    timestamp: isoDate(nowMs),
    ipAddress: signature.ipAddress,
    userAgent: signature.userAgent,
    authenticationTypes: [...used],
    authenticatedEmail: used.has('Email') ? person.emailAddress : null,
    authenticatedPhoneNumber: used.has('SMS') ? person.phone : null,
    authenticatedApplication:
      application === undefined
        ? null
        : { name: application, organizationName: location.organization?.name ?? '' },
    livenessSessionId: used.has('Liveness') ? (livenessSessionId ?? null) : null,
    geolocation: signature.geolocation,
    userTimeZoneOffset: signature.userTimeZoneOffset,
    shownFile,
    agreement: signature.agreement,
    signatureImageSha256: image?.sha256 ?? null,
  };
}

const shownAnother = () => errors.refuse('InvalidSignatureToken');

/** The hash of the file that the person sees. It is not held in memory. */
async function hashFile(document: Document): Promise<EvidenceFacts['shownFile']> {
  const { key, size } = newestFile(document);
  const hash = createHash('sha256');
  try {
    for await (const chunk of streamFile('documents', key)) hash.update(chunk);
  } catch (error) {
    // A signature or a new version has replaced it since the document was read.
    throw error instanceof FileGone ? shownAnother() : error;
  }
  return { sha256: hash.digest('hex'), size };
}

type KeptImage = { readonly key: string; readonly sha256: string };

async function keepImage(
  { id, organizationId }: Document,
  given: NonNullable<ElectronicSignature['image']>,
): Promise<KeptImage> {
  const image = 'uploadId' in given ? await readUploaded(given.uploadId, organizationId) : given;
  requireImage(image);
  const key = `documents/${id}/evidence/${randomUUID()}`;
  await files('documents').put(key, Buffer.from(image), { contentType: 'application/octet-stream' });
  return { key, sha256: sha256Of(image) };
}

/** The upload stays as it is, and is collected in its time. */
async function readUploaded(uploadId: string, organizationId: string): Promise<Uint8Array> {
  const upload = await requireReceivedUpload(uploadId, organizationId);
  requireImageSize(upload.size);
  return readFile('documents', { key: fileOf(upload), size: upload.size });
}
