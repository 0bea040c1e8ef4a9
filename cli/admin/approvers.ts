import { portalLinkOf } from '../../functions/batch/approvals/domain/portal-link.ts';
import { resetSecondFactor } from '../../functions/batch/approvals/domain/second-factor/enrol.ts';
import {
  type Enrolment,
  enrolments,
} from '../../functions/batch/approvals/domain/second-factor/enrolment.ts';
import {
  addressOf,
  type KnownApprover,
  listApprovers,
} from '../../functions/batch/profiles/domain/approvers.ts';
import { listProfiles, type Profile } from '../../functions/batch/profiles/domain/profile.ts';
import { LOCAL_SETTINGS } from '../../infra/local/seed/local-settings.ts';
import { AdminRefusal } from '../../shared/access/administration.ts';
import { didYouMean } from '../../shared/command-line/nearest.ts';
import { isLocal } from '../../shared/settings/names.ts';
import { type Cpf, maskCpf } from '../../shared/taxpayer/cpf.ts';
import { who } from './who.ts';

/** Everybody whom a profile names or has named. A profile that no longer names them is not shown. */
export async function list(): Promise<string> {
  const people = await listApprovers();
  if (people.length === 0) return 'There are no approvers. A profile with an approval rule names them.';
  const [factors, profiles] = await Promise.all([
    enrolments.getMany(people.map(({ address }) => address)),
    listProfiles(),
  ]);
  const byAddress = new Map(factors.map((factor) => [factor.address, factor]));
  return people.map((person) => line(person, byAddress.get(person.address), profiles)).join('\n');
}

function line(person: KnownApprover, factor: Enrolment | undefined, profiles: readonly Profile[]): string {
  const { address, name, cpf } = person;
  const naming = profiles.filter(({ approval }) =>
    approval?.approvers.some(({ email }) => addressOf(email) === address),
  );
  const named = naming.map((profile) => profile.name).join(', ');
  return `${address}  ${name}  ${maskCpf(cpf as Cpf)}  ${describe(factor)}; profiles: ${named || 'none'}`;
}

function describe(factor: Enrolment | undefined): string {
  if (!factor) return 'no second factor';
  return factor.confirmedAtMs === null
    ? 'second factor pending'
    : `second factor since ${new Date(factor.confirmedAtMs).toISOString()}`;
}

async function requireKnown(email: string): Promise<string> {
  const address = addressOf(email);
  const known = (await listApprovers()).map((person) => person.address);
  if (known.includes(address)) return address;
  throw new AdminRefusal(
    `No profile names an approver ${address}.${didYouMean(address, known)} See: approvers list`,
  );
}

/** The link is a credential: whoever has it is that person to the portal. */
export async function link(email: string): Promise<string> {
  // As the engine of this machine has it.
  const { ApproverPortal__LinkSecret: localSecret = '' } = LOCAL_SETTINGS;
  if (isLocal()) process.env.ApproverPortal__LinkSecret ??= localSecret;
  const address = await requireKnown(email);
  const url = portalLinkOf(address);
  if (url !== undefined) return url;
  throw new AdminRefusal(
    'Setting ApproverPortal:LinkSecret (ApproverPortal__LinkSecret) is not set, so there are no links. Set the secret that the stage has for this command too.',
  );
}

export async function resetFactor(email: string): Promise<string> {
  const address = await requireKnown(email);
  await resetSecondFactor(who(), address, Date.now());
  return `Removed the second factor of ${address}. Earlier verifications count no more; the next visit to the portal sets it up again.`;
}
