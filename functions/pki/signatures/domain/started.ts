import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { hashSecret, isSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { files } from '../../../../shared/files/files.ts';
import { readFile, streamFile } from '../../../../shared/files/stored-file.ts';
import { seal, unseal } from '../../../../shared/keyring/seal.ts';
import type { SignableFile } from '../../../../shared/signing/two-step/format.ts';
import type { SignatureRecord } from '../../../../shared/signing/two-step/two-step.ts';
import type { VisualRepresentation } from '../../../../shared/signing/visual/representation.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { type StateOf, stateMachine } from '../../../../shared/store/state-machine.ts';
import type { DocumentFile } from '../../documents/domain/document.ts';
import { removingLater } from '../../domain/tasks.ts';
import { errors } from '../../errors.ts';
import { keepVisual } from '../../pdf/domain/visual.ts';

/** A state completes one signature. */
export const startedStates = stateMachine({ Started: { completed: 'Completed' }, Completed: {} });

/** Which operations began a signature. Those of another kind do not know its state. */
export type SigningKind = 'Signature' | 'PadesSignature' | 'CadesSignature' | 'XmlSignature';

/** What the second step needs. It is sealed with the state, which the store does not have. */
export type SigningContent = {
  readonly record: SignatureRecord;
  /** The file to sign, as it was received. Null for a signature by hash. */
  readonly file: DocumentFile | null;
  /** Whether the file is a CMS that the signature is added to. */
  readonly isCoSigned: boolean;
  /** Whether a look is beside the file. */
  readonly hasVisual: boolean;
  readonly documentKey: string | null;
  readonly callbackArgument: string | null;
};

/** A signature between its two steps. */
export type StartedSignature = {
  /** Hash of the state that the caller holds. */
  readonly hash: string;
  readonly application: string;
  readonly kind: SigningKind;
  readonly state: StateOf<typeof startedStates>;
  /** The id of the document that is made of it. */
  readonly id: string;
  readonly sealed: string;
  /** The signed file, for the earlier generation, which has no documents. */
  readonly signed: DocumentFile | null;
  readonly expiresAtMs: number;
};

export const startedSignatures = collection<StartedSignature, string>({
  service: 'pki',
  name: 'signature by API',
  id: ({ hash }) => hash,
  key: (hash) => ({ pk: `SIGNATURE#${hash}`, sk: 'SIGNATURE' }),
  // A used state is told from an unknown one for as long as it could have been used.
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) }),
});

export const signatureFolder = (id: string): string => `signatures/${id}/`;

// A person finds the card and types the PIN.
const VALID_MS = 600_000;
// The second step of the last second has ended by then.
const REMOVED_AFTER_MS = 3_600_000;

const sealOf = (state: string, application: string) => ({
  secret: state,
  about: `pki signature of ${application}`,
});

type NewSignature = Omit<SigningContent, 'file' | 'hasVisual'> & {
  readonly kind: SigningKind;
  readonly visual: VisualRepresentation | undefined;
  readonly file: (Omit<DocumentFile, 'key' | 'size'> & { readonly bytes: Buffer }) | null;
};

// A function that is killed, step by step:
//
//   record + removal later |--- file --- answer
//
// Nobody has the state before the answer, so nobody completes a signature without its file, and all of it is removed.

/** Stores a started signature. Returns the state that completes it. */
export async function storeStarted(
  { application }: Caller,
  { kind, file, visual, ...content }: NewSignature,
  nowMs: number,
): Promise<string> {
  const state = newSecret();
  const id = randomUUID();
  const folder = signatureFolder(id);
  const expiresAtMs = nowMs + VALID_MS;
  const stored = file && {
    ...{ key: `${folder}original`, size: file.bytes.length },
    ...{ name: file.name, contentType: file.contentType },
  };
  const sealed: SigningContent = { ...content, file: stored, hasVisual: visual !== undefined };
  await startedSignatures.create(
    {
      ...{ hash: hashSecret(state), application, kind, state: 'Started', id },
      sealed: seal(sealOf(state, application), JSON.stringify(sealed)),
      ...{ signed: null, expiresAtMs },
    },
    { also: [removingLater(folder, expiresAtMs + REMOVED_AFTER_MS)] },
  );
  if (visual) await keepVisual(folder, visual);
  if (stored) await files('pki').put(stored.key, file.bytes, { contentType: stored.contentType });
  return state;
}

export type OpenSignature = { readonly started: Stored<StartedSignature>; readonly content: SigningContent };

/** The started signature of a state: of the caller, of this kind, and in its time. */
export async function findStarted(
  { application }: Caller,
  { kind, state }: { readonly kind: SigningKind; readonly state: string },
  nowMs: number,
): Promise<OpenSignature> {
  const started = isSecret(state) ? await startedSignatures.get(hashSecret(state)) : undefined;
  const isOwn = started?.application === application && started.kind === kind;
  const opened =
    isOwn && nowMs < started.expiresAtMs ? unseal(sealOf(state, application), started.sealed) : undefined;
  if (!started || opened === undefined) throw errors.refuse('InvalidToken');
  return { started, content: JSON.parse(opened) };
}

/** The file to sign, as both steps take it. */
export function signableFile({
  file,
  isCoSigned,
}: Pick<SigningContent, 'file' | 'isCoSigned'>): SignableFile {
  const stored = (): DocumentFile => {
    if (!file) throw new Error('A signature by hash has no file.');
    return file;
  };
  return {
    read: () => readFile('pki', stored()),
    stream: () => streamFile('pki', stored().key),
    isSigned: isCoSigned,
  };
}
