import type { Caller } from '../../../../shared/access/caller.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { invalidField } from '../../errors.ts';
import {
  type Institute,
  type InstituteSigner,
  instituteNotFound,
  institutes,
  requireInstitute,
  requireOrganization,
} from './organization.ts';
import { eachInstitute, nameSigners } from './roster.ts';

type Scope = Pick<Caller, 'registered'>;

/** The institutes of an organization, by name. All institutes are one partition: they are few. */
export async function listInstitutes(caller: Scope, organizationId: string): Promise<readonly Institute[]> {
  const { id } = await requireOrganization(caller, organizationId);
  const found: Institute[] = [];
  for await (const institute of eachInstitute()) if (institute.organizationId === id) found.push(institute);
  return found.toSorted((one, other) => one.name.localeCompare(other.name));
}

/** Has these people sign the files of an institute from now on, and no others. */
export async function changeSigners(
  caller: Scope,
  instituteId: string,
  signers: readonly InstituteSigner[],
): Promise<Institute> {
  const { id } = await requireInstitute(caller, instituteId);
  const twice = signers.findIndex(({ cpf }, at) => signers.findIndex((each) => each.cpf === cpf) < at);
  if (twice >= 0) throw invalidField(`signers[${twice}].cpf`, 'is the CPF of another signer');
  return retryOnConflict(async () => {
    const current = await institutes.get(id);
    if (!current) throw instituteNotFound(id);
    return nameSigners(current, signers);
  });
}

/** An institute as answers show it. */
export const renderInstitute = ({ id, organizationId, name, emecCode, signers }: Institute) => ({
  ...{ id, subscriptionId: organizationId, name, emecCode, signers },
});
