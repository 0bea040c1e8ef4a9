import { removeInvisibleCharacters } from '../../../../shared/files/safe-name.ts';
import type { StateOf } from '../../../../shared/store/state-machine.ts';
import { findByCode } from '../../items/domain/codes.ts';
import type { DegreeData, RegistrationData, TranscriptData } from '../../items/domain/data.ts';
import { type Item, items } from '../../items/domain/item.ts';
import type {
  degreeStates,
  KindName,
  registrationStates,
  transcriptStates,
} from '../../items/domain/kinds.ts';
import { isVerificationCode } from '../../items/domain/verification-code.ts';
import { type CheckedFile, checkFiles } from './check-files.ts';
import { publicCpf, publicText } from './public-text.ts';

/** How a credential stands, for whoever was handed it. */
export type Standing = 'valid' | 'waiting' | 'suspended' | 'annulled';

/** The part of a degree or a transcript that anybody with its code may see. */
export type PublicCredential = {
  readonly kind: 'degree' | 'transcript';
  readonly code: string;
  readonly standing: Standing;
  /** Why it is suspended or annulled. */
  readonly reason: string | null;
  /** Of an annulled degree, as the schema of the Ministry names it. */
  readonly cancellationReason: string | null;
  /** The social name where there is one, and never both. */
  readonly studentName: string;
  /** Masked. */
  readonly studentCpf: string | null;
  readonly course: string;
  readonly issuingIes: string;
  /** Of a degree. */
  readonly registeringIes: string | null;
  /** Of a transcript. */
  readonly type: TranscriptData['type'] | null;
  readonly createdAtMs: number;
  /** When the last of its files was signed and verified. */
  readonly concludedAtMs: number | null;
  readonly changedAtMs: number;
  readonly files: readonly CheckedFile[];
};

const CREDENTIAL: Readonly<Record<StateOf<typeof degreeStates | typeof transcriptStates>, Standing>> = {
  Created: 'waiting',
  Concluded: 'valid',
  CanceledTemporarily: 'suspended',
  Canceled: 'annulled',
};

// The degree of an issuer that is not here is known by its registrar's request alone, once it is registered.
const REGISTRATION: Readonly<Partial<Record<StateOf<typeof registrationStates>, Standing>>> = {
  Registered: 'waiting',
  Signed: 'valid',
  Canceled: 'annulled',
};

const STANDINGS: Readonly<Partial<Record<KindName, Readonly<Record<string, Standing>>>>> = {
  degree: CREDENTIAL,
  transcript: CREDENTIAL,
  registration: REGISTRATION,
};

/** A code as people type or paste it. @example readCode(' 1234.567.9F86D081884C7D65\n') // '1234.567.9f86d081884c7d65' */
export const readCode = (text: string): string => removeInvisibleCharacters(text).trim().toLowerCase();

/**
 * The credential of a code. Undefined for a malformed code, an unknown one, and one of something else, such as a
 * curriculum: nobody learns which.
 */
export async function findCredential(text: string): Promise<PublicCredential | undefined> {
  const code = readCode(text);
  const id = isVerificationCode(code) ? await findByCode(code) : undefined;
  const found = id && (await items.get(id));
  const standing = found && STANDINGS[found.kind]?.[found.state];
  return standing && render(found as PublicItem, code, standing);
}

type PublicItem = Item<DegreeData | RegistrationData | TranscriptData>;

async function render(item: PublicItem, code: string, standing: Standing): Promise<PublicCredential> {
  const { data } = item;
  // The reason of a restoration is the institution's own.
  const isExplained = standing === 'suspended' || standing === 'annulled';
  return {
    kind: 'registeringIes' in data ? 'degree' : 'transcript',
    code,
    standing,
    reason: isExplained && item.reason ? publicText(item.reason) : null,
    cancellationReason: item.cancellationReason,
    studentName: publicText(data.studentSocialName ?? data.studentName),
    studentCpf: publicCpf(data.studentCpf),
    course: publicText(data.course),
    issuingIes: publicText(data.issuingIes),
    registeringIes: 'registeringIes' in data ? publicText(data.registeringIes) : null,
    type: 'type' in data ? data.type : null,
    createdAtMs: item.createdAtMs,
    concludedAtMs: concludedAtMsOf(item),
    changedAtMs: item.updatedAtMs,
    files: await checkFiles(item),
  };
}

/** Its last file concludes a credential, in the same commit. */
function concludedAtMsOf({ files }: Item): number | null {
  const taken = files.map(({ signed }) => signed?.atMs ?? Number.NaN);
  const lastMs = Math.max(...taken);
  return Number.isFinite(lastMs) ? lastMs : null;
}
