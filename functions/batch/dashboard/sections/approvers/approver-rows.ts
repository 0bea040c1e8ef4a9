import { type Enrolment, enrolments } from '../../../approvals/domain/second-factor/enrolment.ts';
import { addressOf, type KnownApprover, listApprovers } from '../../../profiles/domain/approvers.ts';
import { listProfiles } from '../../../profiles/domain/profile.ts';

/** An approver with what an operator needs to know. */
export type ApproverRow = KnownApprover & {
  /** The profiles that name the person now. */
  readonly profiles: readonly string[];
  readonly secondFactor: Pick<Enrolment, 'confirmedAtMs' | 'lockedUntilMs'> | undefined;
};

/** Everybody whom a profile names or has named, sorted by address. */
export async function readApproverRows(): Promise<readonly ApproverRow[]> {
  const [people, profiles] = await Promise.all([listApprovers(), listProfiles()]);
  const factors = await enrolments.getMany(people.map(({ address }) => address));
  const byAddress = new Map(factors.map((factor) => [factor.address, factor]));
  const isNamed = (approval: (typeof profiles)[number]['approval'], address: string): boolean =>
    approval?.approvers.some(({ email }) => addressOf(email) === address) ?? false;
  return people.map((person) => ({
    ...person,
    profiles: profiles.filter(({ approval }) => isNamed(approval, person.address)).map(({ name }) => name),
    secondFactor: byAddress.get(person.address),
  }));
}
