import { createHash, randomUUID } from 'node:crypto';
import { changeEmission } from '../../../../functions/credentials/emissions/domain/change-emission.ts';
import { createEmission } from '../../../../functions/credentials/emissions/domain/emissions.ts';
import { changingItem, commitChanges } from '../../../../functions/credentials/flows/domain/change-item.ts';
import type {
  DegreeData,
  EmissionData,
  RegistrationData,
} from '../../../../functions/credentials/items/domain/data.ts';
import {
  fileKey,
  type Item,
  type ItemFile,
  type ItemId,
  items,
  signedKey,
} from '../../../../functions/credentials/items/domain/item.ts';
import {
  changeRegistration,
  type RegistrationChange,
} from '../../../../functions/credentials/registrations/domain/change-registration.ts';
import { concludeDegree } from '../../../../functions/credentials/registrations/domain/conclude-degree.ts';
import type {
  Institute,
  OrganizationKind,
} from '../../../../functions/credentials/tenants/domain/organization.ts';
import { files } from '../../../../shared/files/files.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { call, type Request } from '../../../requests/http-event.ts';
import { everyItem } from '../../../stores/whole-table.ts';
import { keyFor, ownTenant, registerSilentWebhook, type Tenant } from '../items/own-tenant.ts';

export const ANA = { name: 'Ana Souza', cpf: '52998224725', email: 'ana@sandbox.example', step: 1 };
export const BRUNO = { name: 'Bruno Lima', cpf: '47363361886', email: 'bruno@sandbox.example', step: 2 };

export const STUDENT = {
  studentName: 'Maria da Silva',
  studentSocialName: 'Mara',
  studentCpf: '11144477735',
  course: 'Engenharia Civil',
  version: '1.05',
};

export type University = Tenant;

/** A university of its own with one institute, a webhook that nobody answers, and a caller of its scope. */
export async function foundUniversity(
  kinds: readonly OrganizationKind[],
  fields: Partial<Pick<Institute, 'signers'>> = {},
): Promise<University> {
  const emecCode = String(1_000 + Math.floor(Math.random() * 9_000));
  const university = await ownTenant({ kinds, name: `Universidade ${randomUUID()}`, emecCode, ...fields });
  await registerSilentWebhook(university.organizationId);
  return university;
}

/** A key of an application whose scope is these universities. */
export const keyOf = async (...scope: readonly University[]): Promise<string> =>
  (await keyFor(scope.map(({ organizationId }) => organizationId)))['X-API-Key'] ?? '';

/** Calls an operation with a key. */
export const askWith = (key: string, handler: Endpoint, request: Request = {}) =>
  call(handler, { ...request, headers: { 'X-API-Key': key } });

export const idOf = (answer: { readonly json: () => unknown }): string =>
  (answer.json() as { readonly id: string }).id;

/** The ids that a list has for a filter. */
export async function listWith(
  key: string,
  list: Endpoint,
  query: Record<string, string>,
): Promise<string[]> {
  const { items: found } = (await askWith(key, list, { query })).json() as { items: { id: string }[] };
  return found.map(({ id }) => id);
}

type Recorded = { readonly type: string; readonly subject: string };

/** The events recorded for a university's webhook, in their order. */
export async function recordedEvents({ organizationId }: University): Promise<Recorded[]> {
  const rows = (await everyItem('credentials'))
    .filter(({ sk, owner }) => sk?.S === 'EVENT' && owner?.S === organizationId)
    .sort((a, b) => ((a.pk?.S ?? '') < (b.pk?.S ?? '') ? -1 : 1));
  return rows.map(({ type, subject }) => ({ type: type?.S ?? '', subject: subject?.S ?? '' }));
}

const read = async <Data extends object>(id: ItemId): Promise<Stored<Item<Data>>> => {
  const found = await items.get(id);
  if (!found) throw new Error(`There is no ${id.kind} ${id.id}.`);
  return found as Stored<Item<Data>>;
};

export const emissionOf = (id: string) => read<EmissionData>({ kind: 'emission', id });
export const requestOf = (id: string) => read<RegistrationData>({ kind: 'registration', id });
export const degreeOf = (id: string) => read<DegreeData>({ kind: 'degree', id });

export const textOf = async (key: string): Promise<string | undefined> =>
  (await files('credentials').read(key, 1_000_000))?.toString('utf8');

const SIGNED = (text: string) => `${text}<!-- signed -->`;

/** Every file that an item names is in the bucket, with the bytes that it says. */
export async function missingFilesOf(item: Item): Promise<string[]> {
  const expected = item.files.flatMap((file) => [
    { key: fileKey(item, file), sha256: file.sha256 },
    ...(file.signed ? [{ key: signedKey(item, file.name, file.signed), sha256: file.signed.sha256 }] : []),
  ]);
  const wrong = await Promise.all(
    expected.map(async ({ key, sha256 }) => (sha256Of((await textOf(key)) ?? '') === sha256 ? [] : [key])),
  );
  return wrong.flat();
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The signature of an item as the look at its documents records it: its last files are signed. */
export async function signItem(id: ItemId, nowMs = Date.now()): Promise<void> {
  const item = await read(id);
  const signed = await Promise.all(item.files.map((file) => signFile(item, file, nowMs)));
  const change = await changingItem(item, { event: 'signed', patch: { files: signed } }, nowMs);
  const also = id.kind === 'registration' ? await concludeDegree(change.after, nowMs) : [];
  await commitChanges([change, ...also]);
}

async function signFile(item: Item, file: ItemFile, atMs: number): Promise<ItemFile> {
  if (file.signed) return file;
  const text = SIGNED((await textOf(fileKey(item, file))) ?? '');
  const sha256 = sha256Of(text);
  await files('credentials').put(signedKey(item, file.name, { sha256 }), Buffer.from(text), {
    contentType: 'application/xml',
  });
  const document = { id: randomUUID(), url: 'https://sign.example/', cpfs: [] };
  return { ...file, document, signed: { sha256, length: text.length, atMs } };
}

export type Registry = Awaited<ReturnType<typeof foundRegistry>>;

/** An issuer and a registrar, or one university that is both, and what they do. */
export async function foundRegistry(both?: University) {
  const issuer = both ?? (await foundUniversity(['Emissora']));
  const registrar = both ?? (await foundUniversity(['Registradora']));

  const created = () =>
    createEmission(issuer.caller, { ...STUDENT, instituteId: issuer.institute.id }, Date.now());

  const send = (id: string, to: University = registrar, description?: string) =>
    changeEmission(
      issuer.caller,
      id,
      { event: 'sentToRegistry', registrarInstituteId: to.institute.id, description },
      Date.now(),
    );

  const cancel = (id: string, reason = 'Wrong course') =>
    changeEmission(issuer.caller, id, { event: 'canceled', reason }, Date.now());

  /** The registrar's action on a request, with what it needs. */
  const act = (
    id: string,
    event: RegistrationChange['event'],
    fields: Omit<RegistrationChange, 'event'> = NEEDED[event] ?? {},
    by: University = registrar,
  ) => changeRegistration(by.caller, id, { event, ...fields }, Date.now());

  return {
    ...{ issuer, registrar, created, send, cancel, act },
    /** An emission that is signed and not sent. */
    async signed(): Promise<string> {
      const { id } = await created();
      await signItem({ kind: 'emission', id });
      return id;
    },
    /** An emission that is sent, and its request after some actions of the registrar. */
    async sent(...events: readonly (RegistrationChange['event'] | 'signed')[]) {
      const emissionId = await this.signed();
      const { registrationId } = (await send(emissionId)).data;
      const requestId = registrationId ?? '';
      for (const event of events)
        await (event === 'signed'
          ? signItem({ kind: 'registration', id: requestId })
          : act(requestId, event));
      return { emissionId, requestId };
    },
  };
}

/** The fields that an event of the registrar needs. */
export const NEEDED: Readonly<Partial<Record<RegistrationChange['event'], object>>> = {
  rejected: { reason: 'A document is missing' },
  canceled: { reason: 'Registered by mistake', cancellationReason: 'Erro de Fato' },
};

/** The state of an emission, of its request and of its degree, and whether what they say of each other agrees. */
export async function shown(emissionId: string) {
  const emission = await emissionOf(emissionId);
  const { registrationId, registrationStatus, degreeId } = emission.data;
  const request = registrationId === null ? undefined : await requestOf(registrationId);
  const degree = degreeId === null ? undefined : await degreeOf(degreeId);
  return {
    emission: emission.state,
    registrationStatus,
    request: request?.state ?? null,
    degree: degree?.state ?? null,
  };
}
