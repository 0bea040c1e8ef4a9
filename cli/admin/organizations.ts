import { readFileSync } from 'node:fs';
import { resetApp } from '../../functions/documents/domain/electronic/reset-app.ts';
import { setKeptSeal } from '../../functions/documents/domain/electronic/set-seal.ts';
import { type Organization, organizations } from '../../functions/documents/domain/places/organization.ts';
import {
  createOrganization,
  eachOrganization,
} from '../../functions/documents/domain/places/organization-roster.ts';
import { deleteOrganization } from '../../functions/documents/domain/removal/delete-organization.ts';
import { AdminRefusal } from '../../shared/access/administration.ts';
import { reasonOf } from '../../shared/command-line/reason.ts';
import { Refusal } from '../../shared/errors/errors.ts';
import type { ServiceName } from '../../shared/settings/names.ts';
import { parseCnpj } from '../../shared/taxpayer/cnpj.ts';
import { type PinSource, readPin } from '../terminal/pin.ts';

type Service = { readonly service: ServiceName };
type CreateOptions = Service & {
  readonly identifier: string | undefined;
  readonly owner: string | undefined;
};

/** Creates an organization of the document platform. @example await addOrganization({ service: 'documents', … }, 'Acme') */
export async function addOrganization(
  { service, identifier, owner }: CreateOptions,
  name: string,
): Promise<string> {
  onlyInDocuments(service);
  const cnpj = identifier === undefined ? null : parseCnpj(identifier);
  if (cnpj === undefined) throw new AdminRefusal(`"${identifier}" is not a CNPJ.`);
  const { id } = await createOrganization(
    { name: requireName(name), identifier: cnpj, owner: ownerOf(owner) },
    Date.now(),
  );
  return `${id}\n\nThis is ${name}. Let an application act for it: npm run admin -- apps register NAME organizations ${id} --service documents`;
}

function requireName(name: string): string {
  if (name.trim() !== '') return name.trim();
  throw new AdminRefusal('An organization needs a name.');
}

// Written as ID=NAME. The id is the owner's in another system.
function ownerOf(text = ''): Organization['owner'] {
  const [, id, name] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (id && name) return { id: id.trim(), name: name.trim() };
  throw new AdminRefusal('Say who owns it: --owner ID=NAME, for example --owner "maria=Maria da Silva".');
}

export async function list({ service }: Service): Promise<string> {
  onlyInDocuments(service);
  const lines: string[] = [];
  for await (const organization of eachOrganization()) lines.push(lineOf(organization));
  return lines.length > 0 ? lines.join('\n') : 'There are no organizations.';
}

const lineOf = ({ id, name, identifier, owner, state }: Organization): string =>
  `${id}  ${state === 'Active' ? '' : `(${state}) `}${name}: ${identifier ?? 'personal'}; owner ${owner.name}`;

/** Deletes an organization and everything in it. */
export async function remove({ service }: Service, id: string): Promise<string> {
  onlyInDocuments(service);
  try {
    await deleteOrganization(id, Date.now());
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new AdminRefusal(`There is no organization "${id}". See: organizations list --service documents`);
  }
  return `Deleted ${id}: no key sees it any more, and its contents are deleted in the background.`;
}

/** Lets a person set up another authenticator app: theirs is lost, or somebody else set it up. */
export async function resetAuthenticator(id: string, who: string): Promise<string> {
  await requireOrganization(id);
  if (!(await resetApp(id, who)))
    throw new AdminRefusal(
      `${who} has no authenticator app in ${id}. Name the CPF, or the address, or the id.`,
    );
  return `${who} sets up another authenticator app at the next electronic signature.`;
}

// A certificate file has about 4 KB. An item of the table, which has the key in it, may have 400 KB.
const MAX_SEAL_BYTES = 100_000;

/** Gives an organization the key of a certificate file as its seal. It is kept sealed; the password is not kept. */
export async function seal(id: string, file: string, pin: PinSource): Promise<string> {
  await requireOrganization(id);
  const bytes = readKeyFile(file);
  const password = await readPin(pin, file);
  try {
    const { subject, validUntil } = await setKeptSeal(id, { file: bytes, password }, Date.now());
    return `Documents of ${id} that are signed electronically are sealed with the certificate of ${subject}, until ${validUntil.slice(0, 10)}. The password is not kept.`;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new AdminRefusal(`${file}: ${error.details?.reason ?? error.message}`);
  }
}

function readKeyFile(file: string): Buffer {
  try {
    const bytes = readFileSync(file);
    if (bytes.length <= MAX_SEAL_BYTES) return bytes;
  } catch (error) {
    throw new AdminRefusal(`${file} cannot be read: ${reasonOf(error)}`);
  }
  throw new AdminRefusal(`${file} is no certificate file: it has more than ${MAX_SEAL_BYTES} bytes.`);
}

/** Refuses an id of no organization: keys scoped to it would see nothing, and nobody would know why. */
export async function requireOrganization(id: string): Promise<void> {
  const organization = await organizations.get(id);
  if (organization?.state === 'Active') return;
  throw new AdminRefusal(`There is no organization "${id}". See: organizations list --service documents`);
}

function onlyInDocuments(service: ServiceName): void {
  if (service !== 'documents')
    throw new AdminRefusal(
      `The ${service} service has no organizations. Name --service documents or credentials.`,
    );
}
