import type { Deadline } from '../../../../shared/async/deadline.ts';
import { PlatformRefused } from '../../../../shared/platform/errors.ts';
import type { PlatformDocument } from '../../../../shared/platform/shapes.ts';
import type { SigningPerson } from '../../items/domain/item.ts';
import { platform } from '../../platform.ts';
import type { InstituteSigner } from '../../tenants/domain/organization.ts';

// The words of the platform for an action that waits for others, and for one whose turn it is.
const WAITING = 'Created';
const PENDING = 'Pending';

/** The people whom a new document asks, each with the link by which they sign where it is their turn. */
export async function askedPeople(
  documentId: string,
  signers: readonly InstituteSigner[],
  deadline: Deadline,
): Promise<SigningPerson[]> {
  const firstStep = Math.min(...signers.map(({ step }) => step));
  const people: SigningPerson[] = [];
  for (const { name, cpf, email, step } of signers) {
    const isTurn = step === firstStep;
    const url = isTurn ? await actionUrlOf(documentId, { cpf, email }, deadline) : null;
    people.push({ name, cpf, step, status: isTurn ? PENDING : WAITING, url });
  }
  return people;
}

/** The same people as the platform shows them now. The link of each is asked for once, when it is their turn. */
export async function peopleNow(
  { id, flowActions }: PlatformDocument,
  people: readonly SigningPerson[],
  deadline: Deadline,
): Promise<SigningPerson[]> {
  const now: SigningPerson[] = [];
  for (const person of people) {
    const { cpf } = person;
    const status = flowActions.find(({ cpfs }) => cpfs.includes(cpf))?.status ?? person.status;
    const isTurn = status === PENDING;
    const url = isTurn ? (person.url ?? (await actionUrlOf(id, { cpf }, deadline))) : null;
    now.push({ ...person, status, url });
  }
  return now;
}

/** Where a person signs. None where they have not to any more. */
async function actionUrlOf(
  documentId: string,
  person: { readonly cpf: string; readonly email?: string },
  deadline: Deadline,
): Promise<string | null> {
  try {
    return await platform.actionUrl(documentId, person, deadline);
  } catch (error) {
    if (error instanceof PlatformRefused) return null;
    throw error;
  }
}
