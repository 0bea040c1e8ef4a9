import type { Caller } from '../../../../shared/access/caller.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import type { NewEnvelopeVersion, NewVersion } from '../../contract/create-document.ts';
import { errors } from '../../errors.ts';
import { storing } from '../billing/usage.ts';
import { pointingTo, unpointing } from '../document/action-pointers.ts';
import { changeDocument } from '../document/change-document.ts';
import { authorOf, type Document, findLocatedDocument, isExpired, withChange } from '../document/document.ts';
import { startFlow } from '../flow/new-flow.ts';
import { requireXml } from '../flow/xml-options.ts';
import { taskMessage } from '../tasks.ts';
import { type TakenUploads, takingUploads } from '../uploads/take-or-collect.ts';
import { cancelingCollection, removingUpload } from '../uploads/upload.ts';
import { type FillOptions, fillFiles } from './fill-files.ts';
import { mergeEnvelope } from './merge-envelope.ts';
import { inspectFile, shownName } from './new-document.ts';
import { planNext, planNextOfParts } from './next-flow.ts';
import { requireElectronicPossible } from './require-electronic.ts';
import { requireSignable } from './require-signable.ts';

/** What a new version brings: its file, and the flow on it. */
type Replacement = Pick<Document, 'name' | 'original' | 'format' | 'parts' | 'flow'> & {
  readonly writes: readonly Write[];
};

type Options = Parameters<typeof fillFiles>[2];

/** Replaces the file of a document. Its flow begins again, and earlier signatures are lost. */
export const createVersion = (
  caller: Caller,
  id: string,
  request: NewVersion,
  nowMs: number,
  filling: Partial<FillOptions> = {},
): Promise<void> =>
  replaceFile(caller, id, { ...request, files: [request.file] }, nowMs, async (document, taken) => {
    if (document.parts) throw errors.refuse('DocumentIsEnvelope', { documentId: id });
    const flow = planNext(document, request);
    const { file, additionalInfo } = request;
    const filled = await fillFiles([...taken.uploads.values()], additionalInfo, optionsOf(nowMs, filling));
    const uploads = new Map([...taken.uploads, ...filled.uploads]);
    const inspected = inspectFile(file, uploads, document.forceCadesSignature);
    const name = file.displayName ?? document.name;
    await requireSignable(flow, [{ ...inspected, name, upload: uploads.get(file.id) }]);
    return { ...inspected, name, flow, writes: filled.writes };
  });

/** Replaces the files of an envelope, in the same way. */
export function createEnvelopeVersion(
  caller: Caller,
  id: string,
  request: NewEnvelopeVersion,
  nowMs: number,
  filling: Partial<FillOptions> = {},
): Promise<void> {
  let merged: ReturnType<typeof mergeEnvelope> | undefined;
  return replaceFile(caller, id, request, nowMs, async (document, taken) => {
    if (!document.parts) throw errors.refuse('DocumentIsNoEnvelope', { documentId: id });
    const given = request.files.flatMap((ref) => {
      const upload = taken.uploads.get(ref.id);
      return upload ? [{ upload, name: shownName(ref, upload) }] : [];
    });
    const name = request.envelopeName ?? document.name;
    const envelope = { name, parts: given, values: request.additionalInfo };
    // After a conflict the files are not merged once more.
    merged ??= mergeEnvelope(envelope, optionsOf(nowMs, filling));
    const { upload, parts, writes } = await merged;
    const file = { id: upload.id, displayName: name, name: null, contentType: 'application/pdf' };
    const inspected = inspectFile(file, new Map([[upload.id, upload]]), document.forceCadesSignature);
    return { ...inspected, name, parts, flow: planNextOfParts(document, request, parts), writes };
  });
}

// A call whose endpoint says nothing of its deadline has this long to fill its file.
const FILLING_MS = 20_000;

const optionsOf = (nowMs: number, filling: Partial<FillOptions>): Options => ({
  now: () => nowMs,
  deadlineAtMs: nowMs + FILLING_MS,
  ...filling,
});

type VersionRequest = Pick<
  NewEnvelopeVersion,
  'files' | 'additionalInfo' | 'disablePendingActionNotifications'
>;

const replaceFile = (
  caller: Caller,
  id: string,
  { files, additionalInfo, disablePendingActionNotifications }: VersionRequest,
  nowMs: number,
  replace: (document: Document, taken: TakenUploads) => Promise<Replacement>,
): Promise<void> =>
  retryOnConflict(async () => {
    const { document } = await findLocatedDocument(caller, id);
    if (isExpired(document, nowMs)) throw errors.refuse('InvalidExpirationDate');
    const { organizationId, original: old, signed } = document;
    const ids = files.map((file) => file.id);
    const taken = await takingUploads(ids, organizationId);
    const { original, format, name, parts, flow: planned, writes } = await replace(document, taken);
    const versioned = { name, original, format };
    await requireElectronicPossible(planned, organizationId, [versioned], nowMs);
    requireXml(planned, { formats: [format], namespaces: document.xmlNamespaces ?? {} });
    const round = document.round + 1;
    const flow = startFlow(planned, id, round, nowMs);
    const removed = [old.key, ...(signed ? [signed.key] : [])];
    await changeDocument(document, {
      event: 'versioned',
      patch: {
        ...{ ...versioned, signed: null, round, flow },
        ...(parts && { parts }),
        flowEdits: undefined,
        ...(additionalInfo && { additionalInfo }),
        ...withChange(document, { kind: 'Versioned', by: authorOf(caller), atMs: nowMs }),
        statusUpdatedBy: authorOf(caller),
        statusUpdateReason: null,
        ...silenceOf(document, disablePendingActionNotifications),
      },
      also: [
        ...unpointing(document),
        ...pointingTo({ id, flow }),
        ...taken.writes,
        ...writes,
        ...cancelingCollection(original.key),
        ...removingUpload(old.key),
        taskMessage({ task: 'removeFiles', keys: removed }),
        storing(organizationId, original.size - old.size - (signed?.size ?? 0)),
      ],
      nowMs,
    });
  });

/** The messages of the new round. A flag that is left out keeps those of the round before; none at all stay none. */
const silenceOf = (
  { silence }: Document,
  isPendingOff: boolean | null | undefined,
): Pick<Document, 'silence'> | object =>
  silence === 'all' || isPendingOff == null ? {} : { silence: isPendingOff ? 'pending' : undefined };
