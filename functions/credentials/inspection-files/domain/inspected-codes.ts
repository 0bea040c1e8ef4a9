import { type Deadline, leftMs } from '../../../../shared/async/deadline.ts';
import type { Said } from '../../../../shared/errors/said.ts';
import type { NumberedList } from '../../../../shared/store/lists/numbered-list.ts';
import { walkRange } from '../../../../shared/store/lists/search.ts';
import type { DegreeData, InspectionFileData, RegistrationData } from '../../items/domain/data.ts';
import { type Item, items } from '../../items/domain/item.ts';
import { itemList } from '../../items/domain/item-lists.ts';
import type { KindName } from '../../items/domain/kinds.ts';
import { say, sentences } from '../../items/sentences.ts';
import { registeredElsewhere } from './registered-elsewhere.ts';

/** Why a file cannot be generated, for whoever asked for it. */
export class CannotGenerate extends Error {
  override readonly name = 'CannotGenerate';
  readonly said: Said;

  constructor(said: Said) {
    super(sentences.inEnglish(said));
    this.said = said;
  }
}

/** Where to look, and for what. */
type Source = {
  readonly list: Pick<NumberedList, 'slice' | 'walk' | 'placeOf'>;
  readonly kind: KindName;
  readonly codeOf: (item: Item) => string | undefined;
};

const DAY_MS = 86_400_000;
// A thousand are two queries and ten reads at once. Two hundred rounds are within the time of a task, on a fast store.
const MAX_WALKED = 200_000;

/**
 * The verification codes for an inspection file, of each list the oldest first: of an issuer the degrees that the institute
 * issued, of a registrar the degrees and requests that it registered. Those count that were created in the period and whose files
 * were all signed before the inspection file was created: every run of the task finds the same.
 */
export async function inspectedCodes(
  file: Item<InspectionFileData>,
  deadline: Deadline,
  maxWalked = MAX_WALKED,
): Promise<string[]> {
  const { startDate, endDate, type } = file.data;
  const range = { fromMs: Date.parse(startDate), untilMs: Date.parse(endDate) + DAY_MS };
  const codes: string[] = [];
  for (const { list, kind, codeOf } of type === 'Issuer' ? issued(file) : registered(file)) {
    const { total } = await list.slice({ ...range, offset: 0, limit: 0 });
    if (total > maxWalked) throw new CannotGenerate(say('inspection.too-many', { total, max: maxWalked }));
    for await (const entries of walkRange(list, range)) {
      // A run that is ended from outside would only begin again.
      if (leftMs(deadline) === 0) throw new CannotGenerate(say('inspection.too-slow'));
      const found = await readMany(
        kind,
        entries.map(({ id }) => id),
      );
      codes.push(
        ...found
          .filter((item) => wasSignedAt(item, file.createdAtMs))
          .map(codeOf)
          .filter((code) => code !== undefined),
      );
    }
  }
  // The degree of an emission and its registration request have the same code.
  return [...new Set(codes.toReversed())];
}

const codeOfDegree =
  (isOne: (degree: Item<DegreeData>) => boolean) =>
  (item: Item): string | undefined => {
    const degree = item as Item<DegreeData>;
    return isOne(degree) ? degree.data.verificationCode : undefined;
  };

const issued = ({ organizationId, instituteId }: Item): Source[] => [
  {
    list: itemList('degree', organizationId),
    kind: 'degree',
    codeOf: codeOfDegree((degree) => degree.instituteId === instituteId),
  },
];

function registered({ organizationId, instituteId }: Item): Source[] {
  const codeOf = codeOfDegree(({ data }) => data.registeringInstituteId === instituteId);
  return [
    { list: itemList('degree', organizationId), kind: 'degree', codeOf },
    { list: registeredElsewhere(instituteId), kind: 'degree', codeOf },
    {
      list: itemList('registration', organizationId),
      kind: 'registration',
      codeOf: (item) =>
        item.instituteId === instituteId ? (item as Item<RegistrationData>).data.verificationCode : undefined,
    },
  ];
}

const wasSignedAt = ({ files }: Item, atMs: number): boolean =>
  files.length > 0 && files.every(({ signed }) => signed !== null && signed.atMs <= atMs);

// DynamoDB reads no more in one request.
const READ_AT_ONCE = 100;

async function readMany(kind: KindName, ids: readonly string[]): Promise<Item[]> {
  const parts = Array.from({ length: Math.ceil(ids.length / READ_AT_ONCE) }, (_, n) =>
    ids.slice(n * READ_AT_ONCE, (n + 1) * READ_AT_ONCE),
  );
  const found = await Promise.all(parts.map((part) => items.getMany(part.map((id) => ({ kind, id })))));
  return found.flat();
}
