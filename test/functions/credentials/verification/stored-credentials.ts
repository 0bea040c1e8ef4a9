import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { takingCode } from '../../../../functions/credentials/items/domain/codes.ts';
import type { DegreeData, TranscriptData } from '../../../../functions/credentials/items/domain/data.ts';
import { filesOfDegree, filesOfTranscript } from '../../../../functions/credentials/items/domain/files-of.ts';
import {
  fileKey,
  type Item,
  type ItemFile,
  items,
  signedKey,
} from '../../../../functions/credentials/items/domain/item.ts';
import { changingList } from '../../../../functions/credentials/items/domain/item-lists.ts';
import { newVerificationCode } from '../../../../functions/credentials/items/domain/verification-code.ts';
import type { XmlFile } from '../../../../functions/credentials/items/domain/xml-files.ts';
import { files } from '../../../../shared/files/files.ts';
import { openPkcs12 } from '../../../../shared/pki/pkcs12/open.ts';
import { localKey, type SigningKey } from '../../../../shared/signing/key.ts';
import { signXades } from '../../../../shared/signing/xades/sign.ts';

/** The key of a person of the sandbox, in a file of its pki folder. */
export async function keyIn(path: string): Promise<SigningKey> {
  const [entry] = (await openPkcs12(readFileSync(path), '1234')).entries;
  if (!entry) throw new Error(`${path} has no key.`);
  return localKey(entry.privateKey, entry.certificate, entry.chain);
}

export const STUDENT = {
  studentName: 'Maria da Silva',
  studentSocialName: null,
  studentCpf: '11144477735',
  course: 'Engenharia Civil',
  issuingIes: 'Universidade Exemplo',
  version: '1.05',
} as const;

const dataOf = (kind: 'degree' | 'transcript'): DegreeData | TranscriptData => {
  const studies = { ...STUDENT, verificationCode: newVerificationCode('1234', '567') };
  if (kind === 'transcript') return { ...studies, type: 'Final' };
  return {
    ...studies,
    registeringIes: 'Universidade Registradora',
    registeringInstituteId: randomUUID(),
    academicTranscriptCreationError: null,
    transcriptId: null,
    emissionId: null,
  };
};

type Given = Partial<Omit<Item, 'kind' | 'data'>> & {
  readonly kind?: 'degree' | 'transcript';
  readonly data?: Partial<DegreeData & TranscriptData>;
  /** Who signs each file, one after another. Nobody: the files wait. */
  readonly signers?: readonly SigningKey[];
  readonly takenAtMs?: number;
  readonly wasJudgedValid?: boolean;
  /** What becomes of a signed file before it is taken. */
  readonly alter?: (signed: Buffer) => Buffer;
};

/** A credential with files that were really signed, and its code, as the platform would have left it. */
export async function storeCredential(given: Given = {}): Promise<{ code: string; item: Item }> {
  const {
    kind = 'degree',
    data,
    signers = [],
    takenAtMs = Date.now(),
    wasJudgedValid = false,
    alter,
    ...more
  } = given;
  const id = randomUUID();
  const own = dataOf(kind);
  const xml = 'registeringIes' in own ? filesOfDegree(own) : filesOfTranscript(own);
  const stored: ItemFile[] = [];
  for (const file of xml)
    stored.push(await storeFile({ kind, id, takenAtMs, wasJudgedValid, alter }, file, signers));
  const item: Item = {
    ...{ kind, id, organizationId: randomUUID(), instituteId: randomUUID() },
    ...{ state: signers.length > 0 ? 'Concluded' : 'Created', lastEvents: {} },
    ...{ createdAtMs: Date.UTC(2026, 2, 2, 15), updatedAtMs: Date.UTC(2026, 2, 4, 15) },
    ...{ reason: null, cancellationReason: null, searchable: { text: '', course: null } },
    files: stored,
    data: { ...own, ...data },
    ...more,
  };
  const code = own.verificationCode;
  await items.create(item, { also: [takingCode(code, item), ...changingList(undefined, item)] });
  return { code, item };
}

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The key of the signed copy of a file that an item names. */
export function signedKeyOf(item: Item, name: string): string {
  const signed = item.files.find((file) => file.name === name)?.signed;
  if (!signed) throw new Error(`The file ${name} is not signed.`);
  return signedKey(item, name, signed);
}

type Place = Pick<Item, 'kind' | 'id'> & {
  readonly takenAtMs: number;
  readonly wasJudgedValid: boolean;
  readonly alter: Given['alter'];
};

async function storeFile(
  { takenAtMs, wasJudgedValid, alter, ...item }: Place,
  { name, bytes }: XmlFile,
  signers: readonly SigningKey[],
): Promise<ItemFile> {
  const put = async (key: string, content: Buffer) => {
    await files('credentials').put(key, content, { contentType: 'application/xml' });
    return { sha256: sha256Of(content), length: content.length };
  };
  const original = await put(fileKey(item, { name, sha256: sha256Of(bytes) }), bytes);
  let signed = bytes;
  for (const key of signers)
    signed = await signXades(signed, key, { signingTimeMs: takenAtMs, leaveRoom: true });
  const taken = alter?.(signed) ?? signed;
  const copy = signers.length > 0 && (await put(signedKey(item, name, { sha256: sha256Of(taken) }), taken));
  return {
    ...{ name, ...original, document: null, problem: null },
    signed: copy ? { ...copy, atMs: takenAtMs, wasJudgedValid } : null,
  };
}
