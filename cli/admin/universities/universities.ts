import {
  type Institute,
  institutes,
  organizations,
} from '../../../functions/credentials/tenants/domain/organization.ts';
import {
  createInstitute,
  createOrganization,
  eachInstitute,
  eachOrganization,
  nameSigners,
} from '../../../functions/credentials/tenants/domain/roster.ts';
import { AdminRefusal } from '../../../shared/access/administration.ts';
import { type Cpf, maskCpf } from '../../../shared/taxpayer/cpf.ts';
import { emecIn, kindsIn, nameIn, signersIn, type UniversityValues } from './options.ts';

/** Creates an organization of the credential platform. @example await addUniversity('Acme', { kind: ['Emissora'] }) */
export async function addUniversity(name: string, values: UniversityValues): Promise<string> {
  const request = { name: nameIn(name, 'An organization'), kinds: kindsIn(values) };
  const { id } = await createOrganization(request, Date.now());
  return `${id}\n\nThis is ${request.name}. Give it an institute: npm run admin -- institutes create NAME --organization ${id} --emec CODE\nLet an application act for it: npm run admin -- apps register NAME organizations ${id} --service credentials\nLet people log in: npm run admin -- organizations members add ${id} ADDRESS Administrador NAME --service credentials`;
}

export async function listUniversities(): Promise<string> {
  const lines: string[] = [];
  for await (const { id, name, kinds } of eachOrganization())
    lines.push(`${id}  ${name}: ${kinds.join(', ')}`);
  return lines.length > 0 ? lines.join('\n') : 'There are no organizations.';
}

/** What was issued can be verified as long as there are degrees on paper. */
export function removeUniversity(): never {
  throw new AdminRefusal(
    'An organization of the credentials service is not deleted: its credentials stay verifiable. Take it from its applications: apps unregister',
  );
}

/** Refuses an id of no organization: keys scoped to it would see nothing, and nobody would know why. */
export async function requireUniversity(id: string): Promise<void> {
  if (await organizations.get(id)) return;
  throw new AdminRefusal(`There is no organization "${id}". See: organizations list --service credentials`);
}

export async function addInstitute(name: string, values: UniversityValues): Promise<string> {
  const organizationId = values.organization ?? '';
  if (organizationId === '') throw new AdminRefusal('Say whose it is: --organization ID.');
  const request = {
    ...{ organizationId, name: nameIn(name, 'An institute'), emecCode: emecIn(values) },
    signers: signersIn(values),
  };
  await requireUniversity(organizationId);
  const { id } = await createInstitute(request, Date.now());
  const next =
    request.signers.length > 0
      ? ''
      : ` Name who signs for it: npm run admin -- institutes signers ${id} --signer STEP=CPF,EMAIL,NAME`;
  return `${id}\n\nThis is ${request.name}.${next}`;
}

export async function listInstitutes({ organization }: UniversityValues): Promise<string> {
  const lines: string[] = [];
  for await (const institute of eachInstitute())
    if (organization === undefined || institute.organizationId === organization)
      lines.push(lineOf(institute));
  return lines.length > 0 ? lines.join('\n') : 'There are no institutes.';
}

/** Has these people sign the files of an institute, and no others. */
export async function setSigners(id: string, values: UniversityValues): Promise<string> {
  const signers = signersIn(values);
  if (signers.length === 0) throw new AdminRefusal('Name who signs: --signer STEP=CPF,EMAIL,NAME.');
  const institute = await institutes.get(id);
  if (!institute) throw new AdminRefusal(`There is no institute "${id}". See: institutes list`);
  return `${lineOf(await nameSigners(institute, signers))}\n\nFiles that wait for others still do.`;
}

const lineOf = ({ id, name, emecCode, organizationId, signers }: Institute): string =>
  `${id}  ${name}: e-MEC ${emecCode}; organization ${organizationId}; ${signersOf(signers)}`;

const signersOf = (signers: Institute['signers']): string =>
  signers.length === 0
    ? 'nobody signs'
    : `signed by ${signers.map(({ step, name, cpf }) => `${step}. ${name} ${maskCpf(cpf as Cpf)}`).join(', ')}`;
