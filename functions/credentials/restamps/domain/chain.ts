import { collection } from '../../../../shared/store/collection.ts';
import type { RestampData } from '../../items/domain/data.ts';
import type { KindName } from '../../items/domain/kinds.ts';

/** The kinds of items that have signed files. */
export type StampedKind = Exclude<KindName, 'restamp'>;

/** A signed file: its item and its name. */
export type StampedFile = { readonly kind: StampedKind; readonly id: string; readonly name: string };

/** The token of an applied restamp. */
export type AppliedToken = {
  readonly restampId: string;
  /** The attempt that obtained it, which is in its key. */
  readonly attempt: number;
  readonly sha256: string;
  /** The time that it tells. */
  readonly timeMs: number;
  /** When the certificate of its authority expires. */
  readonly endsAtMs: number;
};

/**
 * The restamps of one signed file. One at a time is open, so that their tokens have an order: each is over those
 * before it.
 */
export type Chain = StampedFile & {
  readonly applied: readonly AppliedToken[];
  /** The restamp that is not applied yet. */
  readonly openId: string | null;
};

export const chains = collection<Chain, StampedFile>({
  service: 'credentials',
  name: 'chain of restamps',
  id: ({ kind, id, name }) => ({ kind, id, name }),
  key: ({ kind, id, name }) => ({ pk: `RESTAMPS#${kind}#${id}`, sk: `FILE#${name}` }),
});

type DocumentType = RestampData['documentType'];

const DOCUMENT_TYPES: Readonly<Record<StampedKind, DocumentType>> = {
  degree: 'Degree',
  emission: 'Emission',
  registration: 'Registration',
  transcript: 'AcademicTranscript',
  curriculum: 'Curriculum',
  cancellationList: 'CancellationList',
  inspectionFile: 'InspectionFile',
};
const KINDS_BY_TYPE = new Map(Object.entries(DOCUMENT_TYPES).map(([kind, type]) => [type, kind]));

/** The type of a document is the family of the events of its kind. */
export const documentTypeOf = (kind: StampedKind): DocumentType => DOCUMENT_TYPES[kind];
export const kindOf = (type: DocumentType): StampedKind => KINDS_BY_TYPE.get(type) as StampedKind;

/** The file that a restamp is of. */
export const fileOf = ({ documentType, documentId, identifier }: RestampData): StampedFile => ({
  kind: kindOf(documentType),
  id: documentId,
  name: identifier,
});

/** The key of a token in the bucket, beside the signed file. */
export const tokenKey = (
  { kind, id, name }: StampedFile,
  { restampId, attempt }: Pick<AppliedToken, 'restampId' | 'attempt'>,
): string => `${kind}/${id}/${name}.restamp-${restampId}-${attempt}.tst`;

/** No answer of an authority is larger. */
export const MAX_TOKEN_BYTES = 1024 * 1024;
